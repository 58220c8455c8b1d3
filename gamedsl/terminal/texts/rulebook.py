"""The rulebook of a ruleset, as lines of text."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from gamedsl.terminal.texts.messages import WIDTH

if TYPE_CHECKING:
    from gamedsl.core.nodes import Paragraph, Part, Program

_HEADINGS = {"about": "About", "goal": "Goal", "rule": "Rules", "note": "Notes", "presentation": "At the table"}


def rulebook(program: Program, clauses: bool = True, columns: int = WIDTH - 1) -> list[str]:
    """The rulebook text of a program and of the rulesets it plays as parts; with the index of clauses, if asked for."""
    lines: list[str] = []
    told: set[tuple[Paragraph, ...]] = set()
    for part in program.parts:
        if part.info and part.info not in told:
            told.add(part.info)
            lines += [*([""] if lines else []), *_part_lines(part, columns)]
    if clauses and program.clauses:
        lines += ["", "Clauses", "-------"]
        for number, text in program.clauses:
            lines += textwrap.wrap(f"{number}  {text}", columns, subsequent_indent="    ")
    return lines or [f"{program.title or program.name} brings no rulebook text"]


def _part_lines(part: Part, columns: int) -> list[str]:
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
            paragraph.text + cites, columns, initial_indent=first, subsequent_indent=" " * len(first)
        )
    return lines
