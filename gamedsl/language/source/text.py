"""Source text and positions in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import field
from functools import cached_property
from typing import Any

from gamedsl.language.source.lazy_classes import node

_LINE_END = re.compile("\n")


@node()
class Source:
    """One file's text. ``path`` is what messages show; two sources are equal when both path and text are."""

    path: str
    text: str

    @cached_property
    def line_starts(self) -> tuple[int, ...]:
        """Offsets (0-based characters) at which the lines begin."""
        return (0, *(found.end() for found in _LINE_END.finditer(self.text)))

    def position(self, offset: int) -> tuple[int, int]:
        """Returns line and column of a character offset, both counted from 1."""
        offset = max(0, min(offset, len(self.text)))
        line = bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def quoted(self, start: int, end: int) -> str:
        """Returns the text between two character offsets, as it reads in the rules language."""
        return self.text[start:end]

    def line(self, number: int) -> str:
        """Returns the text of a line (counted from 1) without its line end; empty beyond the last."""
        if not 1 <= number <= len(self.line_starts):
            return ""
        start = self.line_starts[number - 1]
        end = self.line_starts[number] - 1 if number < len(self.line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r")


@node(slots=True)
class Span:
    """A stretch of a source: character offsets ``start`` (inclusive) to ``end`` (exclusive)."""

    source: Source = field(repr=False)
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.source.position(self.start)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.start)[1]

    @property
    def text(self) -> str:
        """The text of the span as a line of the rules language (in a data file: the canonical text)."""
        return self.source.quoted(self.start, self.end)

    def to(self, other: Span) -> Span:
        """Returns the span from the start of this one to the end of the other (same source)."""
        return Span(self.source, min(self.start, other.start), max(self.end, other.end))

    @staticmethod
    def move(spans: Iterable[Span], source: Source, by: int) -> None:
        """Moves spans into another text, so many characters further on. For the one who made them: whoever holds them sees it."""
        span: Any
        for span in spans:
            span.source = source
            span.start += by
            span.end += by

    def __str__(self) -> str:
        return f"{self.source.path}:{self.line}:{self.column}"


NOWHERE = Span(Source("<built in>", ""), 0, 0)
