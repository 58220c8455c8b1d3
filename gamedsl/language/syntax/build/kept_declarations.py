"""The declarations of a file's last text, which its next text takes over where it says the same: an editor reads nearly the same
text again and again.

They are moved to their places in the new text, so a tree is right about the newest text alone, and only its owner may ask for this.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from gamedsl.language.source import Source, Span
from gamedsl.language.syntax import ast
from gamedsl.language.syntax.parse.parse_lines import DeclarationKey, Line

# the text and shape of a declaration, and what its lines say beside their words
Key = tuple[DeclarationKey, tuple[object, ...]]


class _Built(NamedTuple):
    """A declaration, the offset at which it begins, and all spans of its nodes, each once."""

    decl: ast.Decl
    start: int
    spans: list[Span]


class KeptDeclarations:
    """The declarations of one file as its last text had them."""

    def __init__(self) -> None:
        self._now: dict[Key, list[_Built]] = {}
        self._before: dict[Key, list[_Built]] = {}

    def begin(self) -> None:
        """Begins with the next text; what it does not take over is forgotten with the one after it."""
        self._before, self._now = self._now, defaultdict(list)

    def take(self, key: Key, source: Source, start: int) -> ast.Decl | None:
        """Returns the declaration of the last text with this key, moved to a place in the next one; None if there is none left."""
        left = self._before.get(key)
        if not left:
            return None
        decl, began, spans = left.pop()
        Span.move(spans, source, start - began)
        self._now[key].append(_Built(decl, start, spans))
        return decl

    def put(self, key: Key, decl: ast.Decl, start: int, spans: Sequence[Span]) -> None:
        """Adds a declaration that was built without a problem."""
        self._now[key].append(_Built(decl, start, list({id(span): span for span in spans}.values())))


def key_of(words: DeclarationKey, lines: Sequence[Line]) -> Key:
    """Returns what determines a declaration apart from its place. ``words``: what determines its tree."""
    start = lines[0].start
    beside = tuple(
        (
            number,
            line.gap,
            line.behind,
            *line.before,
            *[(cite.clause, cite.span.start - start) for cite in line.cites],
        )
        for number, line in enumerate(lines)
        if line.gap or line.cites or line.before or line.behind is not None
    )
    return words, beside
