"""Fixes: edits of a text that cure what a message reports."""

from __future__ import annotations

from collections.abc import Iterable

from gamedsl.language.source.node_class import node
from gamedsl.language.source.text import Span


@node(slots=True)
class Edit:
    """A stretch of a source, and the text that replaces it."""

    span: Span
    text: str


@node(slots=True)
class Fix:
    """Edits that cure a mistake together. ``safe``: the meaning is certain, so no person needs to look at it."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool = False

    @property
    def start(self) -> int:
        return min(e.span.start for e in self.edits)

    @property
    def end(self) -> int:
        return max(e.span.end for e in self.edits)


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text after edits that do not overlap; of two insertions at one place the first comes first."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda e: (e.span.start, e.span.end)):
        if edit.span.start < at:
            raise ValueError("edits overlap")
        parts += [text[at : edit.span.start], edit.text]
        at = edit.span.end
    return "".join([*parts, text[at:]])
