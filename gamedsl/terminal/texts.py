"""What is told in words: refusals with their rules, lists of moves, the rulebook, the result."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gamedsl.source.render import has_place
from gamedsl.terminal.reading import grouped

if TYPE_CHECKING:
    from gamedsl.core.nodes import Paragraph, Part, Program
    from gamedsl.engine.moves import Move, Refusal
    from gamedsl.engine.state import State
    from gamedsl.source.diagnostic import Diagnostic

WIDTH = 80
MOST_OF_A_KIND = 24
_HEADINGS = {"about": "About", "goal": "Goal", "rule": "Rules", "note": "Notes", "presentation": "At the table"}


def refusal_lines(reasons: Sequence[Refusal]) -> list[str]:
    """The reasons, each with its clauses and the place and text of the rule."""
    lines: list[str] = []
    for reason in reasons:
        clauses = f"  [{', '.join(reason.clauses)}]" if reason.clauses else ""
        lines += textwrap.wrap(f"- {reason.message}{clauses}", WIDTH - 2, subsequent_indent="  ", initial_indent="")
        if reason.span is not None and has_place(reason.span):
            place = f"{Path(reason.span.source.path).name}:{reason.span.line}"
            text = reason.span.source.line(reason.span.line).split("@")[0].strip()
            lines += textwrap.wrap(f"{place}: {text}", WIDTH, initial_indent="    ", subsequent_indent="      ")
    return lines


def diagnostic_lines(found: Sequence[Diagnostic]) -> list[str]:
    """Messages about a text that is no move, with what was probably meant."""
    lines: list[str] = []
    for d in found:
        lines.append(d.message)
        if d.near:
            lines.append(f"  did you mean: {', '.join(d.near)}?")
        for text in (d.expected, d.help):
            if text:
                lines.append(f"  {text}")
    return lines


def move_list(moves: Sequence[Move], filtered: bool) -> tuple[list[str], list[Move]]:
    """The moves by kind in columns, with numbers, and the moves in the order of the numbers. Long kinds are cut unless
    the list was filtered."""
    lines: list[str] = []
    numbered: list[Move] = []
    for kind, members in grouped(moves).items():
        shown = members if filtered else members[:MOST_OF_A_KIND]
        lines.append(f"{kind} ({len(members)})")
        cells = [f"{len(numbered) + i:>3} {m}" for i, m in enumerate(shown, 1)]
        lines += [f" {x}" for x in columns(cells)]
        if len(shown) < len(members):
            lines.append(f"     and {len(members) - len(shown)} more: `? {kind}` or `? TEXT` lists those with TEXT")
        numbered += shown
    return lines, numbered


def columns(cells: Sequence[str], width: int = WIDTH - 2) -> list[str]:
    """Short texts in columns, read line by line."""
    if not cells:
        return []
    wide = max(len(c) for c in cells) + 2
    each = max(1, width // wide)
    rows = [cells[i : i + each] for i in range(0, len(cells), each)]
    return ["".join(c.ljust(wide) for c in row).rstrip() for row in rows]


def rulebook(program: Program, clauses: bool = True) -> list[str]:
    """The rulebook text of a program and of the rulesets it plays as parts; with the index of clauses, if asked for."""
    lines: list[str] = []
    told: set[tuple[Paragraph, ...]] = set()
    for part in program.parts:
        if part.info and part.info not in told:
            told.add(part.info)
            lines += [*([""] if lines else []), *_part_lines(part)]
    if clauses and program.clauses:
        lines += ["", "Clauses", "-------"]
        for number, text in program.clauses:
            lines += textwrap.wrap(f"{number}  {text}", WIDTH - 1, subsequent_indent="    ")
    return lines or [f"{program.title or program.name} brings no rulebook text"]


def _part_lines(part: Part) -> list[str]:
    title = part.title or part.name
    lines = [title, "=" * len(title), *([f"by {part.by}"] if part.by else [])]
    heading = ""
    for paragraph in part.info:
        new = _HEADINGS.get(paragraph.key, paragraph.key)
        if new != heading:
            heading = new
            lines += ["", new, "-" * len(new)]
        first = "- " if paragraph.key in ("rule", "note", "presentation") else ""
        cites = f" [{', '.join(paragraph.clauses)}]" if paragraph.clauses else ""
        lines += textwrap.wrap(
            paragraph.text + cites, WIDTH - 1, initial_indent=first, subsequent_indent=" " * len(first)
        )
    return lines


def result_lines(state: State) -> list[str]:
    """How the play ended, for everybody."""
    lines = [f"result: {state.outcome_text}"]
    if len(state.game.players) > 1:
        told = (f"{name} {value}" for name, value in zip(state.game.players, state.returns, strict=True))
        lines.append(f"returns: {', '.join(told)}")
    return lines


def folded(text: str, width: int) -> list[str]:
    """A line as lines that fit, the later ones indented as it is and a little more."""
    if len(text) <= width:
        return [text]
    indent = " " * (len(text) - len(text.lstrip()) + 2)
    return textwrap.wrap(text, width, subsequent_indent=indent) or [text]


def ply_line(number: int, told: str) -> str:
    """A ply as it is listed."""
    return f"{number:>4}. {told}"
