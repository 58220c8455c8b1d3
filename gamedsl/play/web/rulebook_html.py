"""The rulebook of a program as HTML: headings, paragraphs, lists, the index of clauses. Every text is escaped."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from gamedsl.language.core import HEADINGS, LISTED, byline

if TYPE_CHECKING:
    from gamedsl.language.core import nodes as n


def rulebook_html(program: n.Program) -> str:
    """Sections with an ``h2`` per ruleset and an ``h3`` per kind of paragraph; empty if no ruleset has any text."""
    shown: set[tuple[n.Paragraph, ...]] = set()
    pieces: list[str] = []
    for part in program.parts:
        if part.info and part.info not in shown:
            shown.add(part.info)
            pieces += _part(part)
    if program.clauses:
        pieces += ["<h2>Clauses</h2><dl class=clauses>", *map(_clause, program.clauses), "</dl>"]
    return "".join(pieces)


def _clause(clause: tuple[str, str]) -> str:
    return f"<dt>{escape(clause[0])}</dt><dd>{escape(clause[1])}</dd>"


def _part(part: n.Part) -> Iterator[str]:
    yield f"<h2>{escape(part.title or part.name)}</h2>"
    if part.by:
        yield f"<p>{escape(byline(part.by))}</p>"
    for key, paragraphs in groupby(part.info, key=lambda p: p.key):
        yield f"<h3>{escape(HEADINGS[key])}</h3>"
        items = [_text(p) for p in paragraphs]
        if key in LISTED and len(items) > 1:
            yield f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"
        else:
            yield from (f"<p>{item}</p>" for item in items)


def _text(paragraph: n.Paragraph) -> str:
    cited = f" <small>[{escape(', '.join(paragraph.clauses))}]</small>" if paragraph.clauses else ""
    return escape(paragraph.text) + cited
