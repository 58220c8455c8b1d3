"""Fixes: edits of a source that correct the mistake a message reports."""

from __future__ import annotations

from collections.abc import Iterable

from gamedsl.language.source.lazy_classes import node
from gamedsl.language.source.text import Span


@node(slots=True)
class Edit:
    """A stretch of a source, and the text that replaces it."""

    span: Span
    text: str


@node(slots=True)
class Fix:
    """Edits that together correct a mistake. ``safe``: the intended meaning is certain, so nobody needs to review it."""

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
    """Returns the text after the edits; two insertions at one place keep their order. Raises ``ValueError`` if edits
    overlap.
    """
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda e: (e.span.start, e.span.end)):
        if edit.span.start < at:
            raise ValueError("edits overlap")
        parts += [text[at : edit.span.start], edit.text]
        at = edit.span.end
    return "".join([*parts, text[at:]])
