"""A message and the source around it: words, logical lines, blocks, lists and brackets, whether or not it parses."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property, lru_cache

from gamedsl.language.source import Diagnostic, Edit, Fix, Source, Span, lazy_dataclass
from gamedsl.language.syntax import Line, Word, read_lines

QUOTED = re.compile(r"`([^`]+)`|\"([^\"]+)\"|'([^']+)'")
_OPENING = {"(": ")", "[": "]", "{": "}"}
_FOLLOWERS = {"if": ("else",), "else": ("else",), "repeat": ("until",)}


class TextView:
    """The words and logical lines of a source."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.lines: list[Line] = read_lines(source)
        self.words: list[Word] = [w for line in self.lines for w in line.words]
        self._line_starts = [line.start for line in self.lines]
        self._word_starts = [w.start for w in self.words]

    def line_number(self, offset: int) -> int | None:
        """Returns the number of the logical line that contains an offset, or that an offset follows; None before the
        first.
        """
        number = bisect_right(self._line_starts, offset) - 1
        if number < 0:
            first = self.source.position(self.lines[0].start)[0] if self.lines else 0
            return 0 if first == self.source.position(offset)[0] else None
        return number

    def word_number(self, offset: int) -> int:
        """Returns the number of the word that contains an offset, or of the next one."""
        number = max(0, bisect_right(self._word_starts, offset) - 1)
        while number < len(self.words) and self.words[number].end <= offset:
            number += 1
        return number

    def block_end(self, number: int) -> int:
        """Returns the number of the line after the block of a line: lines indented more, and an ``else`` or ``until``
        that follows.
        """
        line, below = self.lines[number], number + 1
        while below < len(self.lines):
            other = self.lines[below]
            if other.indent > line.indent:
                below += 1
            elif other.indent == line.indent and other.first in _FOLLOWERS.get(line.first, ()):
                line, below = other, below + 1
            else:
                break
        return below

    def parent(self, number: int) -> int | None:
        """Returns the number of the line below which a line is indented; None if there is none."""
        indent = self.lines[number].indent
        return next((i for i in range(number - 1, -1, -1) if self.lines[i].indent < indent), None)

    def whole_lines(self, first: int, end: int) -> Span:
        """Returns the span of the lines from ``first`` to before ``end``, with their comments and line ends."""
        text, start = self.source.text, self.row_start(self.lines[first].start)
        for _ in self.lines[first].before:
            above = text.rfind("\n", 0, max(0, start - 1)) + 1
            if not text[above:start].lstrip().startswith("#"):
                break
            start = above
        return Span(self.source, start, self.row_end(self.lines[end - 1].end) + 1)

    def row_start(self, offset: int) -> int:
        return self.source.text.rfind("\n", 0, offset) + 1

    def row_end(self, offset: int) -> int:
        """Returns the end of the row that contains an offset, before its line break."""
        found = self.source.text.find("\n", offset)
        return len(self.source.text) if found < 0 else found

    def closing(self, number: int) -> int | None:
        """Returns the number of the word that closes the bracket at word ``number``; None if it is not closed."""
        depth = 0
        for at in range(number, len(self.words)):
            depth += self.words[at].text in _OPENING
            depth -= self.words[at].text in _OPENING.values()
            if depth == 0:
                return at
        return None


@lru_cache(maxsize=8)
def view_of(source: Source) -> TextView:
    """Returns the view of a source; the last few are cached."""
    return TextView(source)


@lazy_dataclass(frozen=True)
class Place:
    """A message at its place in the source."""

    found: Diagnostic

    @property
    def span(self) -> Span:
        return self.found.span

    @property
    def source(self) -> Source:
        return self.found.span.source

    @property
    def text(self) -> str:
        """The text that the message marks."""
        return self.source.text[self.span.start : self.span.end]

    @cached_property
    def view(self) -> TextView:
        return view_of(self.source)

    @cached_property
    def names(self) -> list[str]:
        """The strings that the message quotes."""
        return [next(filter(None, found.groups())) for found in QUOTED.finditer(self.found.message)]

    @cached_property
    def advised(self) -> list[str]:
        """The pieces of code that the help quotes."""
        return re.findall(r"`([^`]+)`", self.found.help)

    @property
    def line_number(self) -> int | None:
        return self.view.line_number(self.span.start)

    @property
    def line(self) -> Line | None:
        number = self.line_number
        return None if number is None else self.view.lines[number]

    def words(self) -> list[Word]:
        """Returns the words inside the marked text."""
        return [w for w in self.view.words if self.span.start <= w.start and w.end <= self.span.end]

    def stretch(self, start: int, end: int) -> Span:
        return Span(self.source, start, end)

    def fix(self, title: str, start: int, end: int, text: str, safe: bool = False) -> Fix:
        """Returns a fix with one edit."""
        return Fix(title, (Edit(self.stretch(start, end), text),), safe)

    def replacing(self, text: str, title: str = "", safe: bool = False) -> Fix:
        """Returns a fix that replaces the marked text."""
        return self.fix(title or f"Write {shown(text)}", self.span.start, self.span.end, text, safe)


def shown(text: str) -> str:
    """Returns a piece of code as titles of fixes show it."""
    line = " ".join(text.split())
    return f"`{line if len(line) <= 60 else line[:57] + '...'}`"
