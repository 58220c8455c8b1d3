"""Messages to people: refusals with their rules, mistakes, results, plies."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gamedsl.language.source import has_place

if TYPE_CHECKING:
    from gamedsl.engine import Refusal, State
    from gamedsl.language.source import Diagnostic

WIDTH = 80


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
    """Messages about text that is not a move, with suggestions."""
    lines: list[str] = []
    for d in found:
        lines.append(d.message)
        if d.near:
            lines.append(f"  did you mean: {', '.join(d.near)}?")
        for text in (d.expected, d.help):
            if text:
                lines.append(f"  {text}")
    return lines


def result_lines(state: State) -> list[str]:
    """Lines about the ending of the game, for everybody."""
    lines = [f"result: {state.outcome_text}"]
    if len(state.game.players) > 1:
        utilities = (f"{name} {value}" for name, value in zip(state.game.players, state.returns, strict=True))
        lines.append(f"returns: {', '.join(utilities)}")
    return lines


def folded(text: str, width: int) -> list[str]:
    """A line wrapped to ``width`` columns; the later lines have its indentation and a little more."""
    if len(text) <= width:
        return [text]
    indent = " " * (len(text) - len(text.lstrip()) + 2)
    return textwrap.wrap(text, width, subsequent_indent=indent) or [text]


def ply_line(number: int, utilities: str) -> str:
    """The list entry of a ply."""
    return f"{number:>4}. {utilities}"


def progress(plies: int, has_strokes: bool) -> str:
    """The progress of a game in words."""
    return counted(plies) + (" and an unfinished drawing" if has_strokes else "")


def counted(plies: int) -> str:
    """``1 ply``, ``2 plies``."""
    return f"{plies} {'ply' if plies == 1 else 'plies'}"
