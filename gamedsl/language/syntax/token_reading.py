"""Text → the kind of every word, as the parser reads it, whether or not the whole text parses; what can follow a place.

``coloring`` makes the kinds of words of it, which editors and highlighters take from there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from gamedsl.language.source import Source
from gamedsl.language.syntax.parse.feed import HOLE, Feed, indentation_marks
from gamedsl.language.syntax.parse.language import language
from gamedsl.language.syntax.parse.parse_lines import Line
from gamedsl.language.syntax.parse.push_parser import PushParser, Token, UnexpectedToken
from gamedsl.language.syntax.parse.scanner import Word
from gamedsl.language.syntax.parser import HOLDERS, declaration_words, groups, read_lines

HERE = "x"  # the word that is being written


def terminals_of(source: Source) -> dict[int, str]:
    """The terminal of every word that the parser can place, by its offset, whether or not the whole text parses."""
    lines = read_lines(source)
    found: dict[int, str] = {}
    for first, end in _declarations(lines):
        found.update((w.start, t) for w, t in Reading(source, lines[first:end]).words() if t)
    return found


def _declarations(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """The extents of all declarations; a part and those inside it count one by one."""
    for first, end in groups(lines):
        if lines[first].first in HOLDERS and end > first + 1:
            yield first, first + 1
            for inner, stop in _declarations(lines[first + 1 : end]):
                yield first + 1 + inner, first + 1 + stop
        else:
            yield first, end


@dataclass(slots=True)
class Reading:
    """The parser on its way through one declaration. A line that it cannot read is passed over."""

    source: Source
    lines: Sequence[Line]
    feed: Feed = field(init=False)
    parser: PushParser = field(init=False)
    levels: list[int] = field(init=False)

    def __post_init__(self) -> None:
        known = language()
        self.feed = Feed(self.source, known, self.lines, [])
        self.parser = known.push("declaration").fork()
        self.levels = [self.lines[0].indent]

    def words(self, last_is_open: bool = False) -> Iterator[tuple[Word, str]]:
        """Every word with its terminal (empty: it cannot be placed). ``last_is_open``: the last line goes on, so no line end follows it."""
        for number, line in enumerate(self.lines):
            before, levels = self.parser.fork(), list(self.levels)
            is_open = last_is_open and number == len(self.lines) - 1
            try:
                self.indent(line.indent, line.start)
            except UnexpectedToken:
                yield from ((word, "") for word in line.words)
                self._pass_over(before, levels, line)
                continue
            reads = True
            for word in line.words:
                terminal = self.feed.terminal(word, self.parser.row(), line.end) if reads else ""
                if reads:
                    reads = self._takes(Token(terminal, word.text, word.start, word.end))
                yield word, terminal if reads else ""
            if not is_open and not (reads and self._takes(self.feed.mark("_NL", line.end))):
                self._pass_over(before, levels, line)

    def indent(self, indent: int, at: int) -> None:
        """Takes the marks before a line at some indentation; raises ``UnexpectedToken``."""
        for kind in indentation_marks(indent, self.levels):
            self.parser.feed(self.feed.mark(kind, at))

    def _takes(self, token: Token) -> bool:
        try:
            self.parser.feed(token)
        except UnexpectedToken:
            return False
        return True

    def _pass_over(self, before: PushParser, levels: list[int], line: Line) -> None:
        """Goes on as if a line that cannot be read were a statement, else as if it were not there."""
        for takes in (True, False):
            self.parser, self.levels = before.fork(), list(levels)
            if not takes:
                return
            try:
                self.indent(line.indent, line.start)
                self.parser.feed(Token("NAME", HOLE, line.start, line.end))
                self.parser.feed(self.feed.mark("_NL", line.end))
                return
            except UnexpectedToken:
                continue


@dataclass(frozen=True, slots=True)
class Stand:
    """Where the parser stands at a place: the terminals that can follow, and the words of the line before the place."""

    accepts: frozenset[str]
    before: tuple[Word, ...]
    head: tuple[str, ...]  # the first words of the declaration

    @property
    def words(self) -> list[str]:
        """The keywords that can follow, as they are written."""
        texts = language().texts
        return sorted({texts[t] for t in self.accepts if t in texts and texts[t][0].isalpha()})


@lru_cache(maxsize=16)
def stand_at(source: Source, offset: int) -> Stand:
    """What can follow at a place; a word that ends there is taken for unwritten."""
    text = source.text[:offset]
    text = text[: len(text) - _partial(text)]
    lines = read_lines(Source(source.path, text + HERE))  # some word will stand here: it says to which line it belongs
    if not lines or lines[-1].words[-1].start != len(text):  # in a comment or a string
        return Stand(frozenset(), (), ())
    first, end = list(_declarations(lines))[-1]
    own = list(lines[first:end])
    last = own[-1]
    del last.words[-1]
    if last is own[0] and not last.words:
        return Stand(language().push("declaration").accepts(), (), ())
    reading = Reading(source, own if last.words else own[:-1])
    for _ in reading.words(last_is_open=bool(last.words)):
        pass
    head = tuple(w.text for w in own[0].words[:2])
    if not last.words:
        try:
            reading.indent(last.indent, offset)
        except UnexpectedToken:
            return Stand(frozenset(), (), head)
    return Stand(reading.parser.accepts(), tuple(last.words), head)


def _partial(text: str) -> int:
    """How many characters of a word stand at the end."""
    count = 0
    while count < len(text) and (text[-1 - count].isalnum() or text[-1 - count] == "_"):
        count += 1
    return count


def is_declaration_word(word: str) -> bool:
    """Whether a word opens declarations."""
    return word in declaration_words(language())
