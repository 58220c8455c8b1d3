"""The rulebook of a ruleset, as lines of text."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

from gamedsl.language.core import HEADINGS, LISTED, byline
from gamedsl.play.terminal.texts.messages import WIDTH

if TYPE_CHECKING:
    from gamedsl.language.core import nodes as n

_NO_BREAK = "\N{NO-BREAK SPACE}"
WIDEST_NUMBER = 10  # width of the column of clause numbers, in characters
FEW_CLAUSES = 4


def rulebook(program: n.Program, clauses: bool = True, columns: int = WIDTH - 1) -> list[str]:
    """The rulebook text of a program and of the rulesets that it plays as parts, with the index of clauses if
    ``clauses``."""
    lines: list[str] = []
    shown: set[tuple[n.Paragraph, ...]] = set()
    for part in program.parts:
        if part.info and part.info not in shown:
            shown.add(part.info)
            lines += [*([""] if lines else []), *_part_lines(part, columns)]
    if clauses and program.clauses:
        lines += ["", "Clauses", "-------"]
        lines += _clause_lines(program.clauses, columns)
    return lines or [f"{program.title or program.name} has no rulebook text"]


def rulebook_data(program: n.Program) -> dict[str, Any]:
    """The rulebook as plain data: ``parts`` with their sections, and the index of ``clauses``."""
    parts = {part.info: part for part in reversed(program.parts) if part.info}
    return {
        "game": program.name,
        "title": program.title,
        "parts": [_part_data(part) for part in program.parts if parts.get(part.info) is part],
        "clauses": [{"number": number, "text": text} for number, text in program.clauses],
    }


def _part_data(part: n.Part) -> dict[str, Any]:
    sections = [
        {"heading": HEADINGS[key], "paragraphs": [{"text": p.text, "clauses": list(p.clauses)} for p in section]}
        for key, section in groupby(part.info, key=lambda p: p.key)
    ]
    return {"title": part.title or part.name, "by": part.by, "source": part.source, "sections": sections}


def _clause_lines(clauses: Sequence[tuple[str, str]], columns: int) -> list[str]:
    """The index of clauses: numbers in one column, texts in another."""
    wide = min(max(len(number) for number, _ in clauses), WIDEST_NUMBER) + 2
    lines: list[str] = []
    for number, text in clauses:
        lines += _wrapped(text, columns, f"{number}  ".ljust(wide), " " * wide)
    return lines


def _wrapped(text: str, columns: int, first: str, later: str) -> list[str]:
    """The text wrapped to lines; words with hyphens stay whole."""
    return textwrap.wrap(text, columns, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)


def _part_lines(part: n.Part, columns: int) -> list[str]:
    title = part.title or part.name
    lines = [title, "=" * len(title), *([byline(part.by)] if part.by else [])]
    for key, section in groupby(part.info, key=lambda p: p.key):
        paragraphs = list(section)
        lines += ["", HEADINGS[key], "-" * len(HEADINGS[key])]
        first = "- " if key in LISTED and len(paragraphs) > 1 else ""
        for paragraph in paragraphs:
            text = _wrapped(paragraph.text + _cited(paragraph), columns, first, " " * len(first))
            lines += [line.replace(_NO_BREAK, " ") for line in text]
    return lines


def _cited(paragraph: n.Paragraph) -> str:
    """The clauses of a paragraph in brackets, on one line as long as they are few."""
    if not paragraph.clauses:
        return ""
    cites = f"[{', '.join(paragraph.clauses)}]"
    return " " + (cites.replace(" ", _NO_BREAK) if len(paragraph.clauses) <= FEW_CLAUSES else cites)
