"""Text → the terminal of every word, as the parser reads it, whether or not the whole text parses; and what can follow
a place.

``coloring`` derives the kinds of words from it for editors and highlighters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from functools import lru_cache

from gamedsl.language.source import Source, lazy_dataclass
from gamedsl.language.syntax.parse.feed import HOLE, Feed, indentation_marks
from gamedsl.language.syntax.parse.kept_readings import Kept
from gamedsl.language.syntax.parse.language import language
from gamedsl.language.syntax.parse.parse_lines import DeclarationKey, Line, declaration_key
from gamedsl.language.syntax.parse.push_parser import PushParser, Token, UnexpectedToken
from gamedsl.language.syntax.parse.scanner import Word
from gamedsl.language.syntax.parser import HOLDERS, declaration_words, groups, read_beginning, read_lines

HERE = "x"  # the word being written
_TERMINALS: Kept[DeclarationKey, tuple[tuple[int, str], ...]] = Kept(2000)


def terminals_of(source: Source) -> dict[int, str]:
    """Returns the terminal of every word that the parser can place, by offset, whether or not the whole text parses."""
    lines = read_lines(source)
    found: dict[int, str] = {}
    for first, end in _declarations(lines):
        own = lines[first:end]
        start, key = own[0].start, declaration_key(source.text, own)
        terminals = _TERMINALS.find(key)
        if terminals is None:
            terminals = tuple((w.start - start, t) for w, t in Reading(source, own).words() if t)
            _TERMINALS.put(key, terminals)
        found.update((start + place, terminal) for place, terminal in terminals)
    return found


def _declarations(lines: Sequence[Line]) -> Iterator[tuple[int, int]]:
    """Yields the extents of all declarations; the head of a part and the declarations inside it are separate."""
    for first, end in groups(lines):
        if lines[first].first in HOLDERS and end > first + 1:
            yield first, first + 1
            for inner, stop in _declarations(lines[first + 1 : end]):
                yield first + 1 + inner, first + 1 + stop
        else:
            yield first, end


@lazy_dataclass(slots=True)
class Reading:
    """The parser on its way through one declaration. It skips a line that it cannot parse."""

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
        """Yields every word with its terminal (empty: it cannot be placed). ``last_is_open``: the last line continues,
        so no line end follows it.
        """
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
        """Feeds the indentation tokens before a line. Raises ``UnexpectedToken`` if they are not allowed there."""
        for kind in indentation_marks(indent, self.levels):
            self.parser.feed(self.feed.mark(kind, at))

    def _takes(self, token: Token) -> bool:
        try:
            self.parser.feed(token)
        except UnexpectedToken:
            return False
        return True

    def _pass_over(self, before: PushParser, levels: list[int], line: Line) -> None:
        """Continues as if a line that cannot be parsed were a statement, or else as if it were absent."""
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


@lazy_dataclass(frozen=True, slots=True)
class Stand:
    """The state of the parser at a place: the terminals that can follow, and the words of the line before the place."""

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
    """Returns the state of the parser at an offset, ignoring a word that ends there; empty in a comment or a string."""
    text = source.text[:offset]
    text = text.removesuffix(word_at_end(text))
    known = language()
    # a word here shows to which line it would belong
    lines = read_beginning(source, text + HERE)
    if not lines or lines[-1].words[-1].start != len(text):  # in a comment or a string
        return Stand(frozenset(), (), ())
    first, end = list(_declarations(lines))[-1]
    own = list(lines[first:end])
    last = own[-1]
    del last.words[-1]
    if last is own[0] and not last.words:
        return Stand(known.push("declaration").accepts(), (), ())
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


def word_at_end(text: str) -> str:
    """Returns the word at the end of the text, perhaps not written to its end; empty if there is none."""
    start = len(text)
    while start and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    return text[start:]


def is_declaration_word(word: str) -> bool:
    """Returns whether a declaration can begin with a word."""
    return word in declaration_words(language())
