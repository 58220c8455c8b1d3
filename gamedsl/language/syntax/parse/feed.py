"""Logical lines → parse tree: adds indentation tokens, decides which words are keywords, recovers after bad lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Literal

from gamedsl.language.source import Diagnostic, Source, Span, lazy_dataclass
from gamedsl.language.syntax.parse.language import HARD_WORDS, Language
from gamedsl.language.syntax.parse.line_repair import StoppedLine
from gamedsl.language.syntax.parse.messages import syntax_problem
from gamedsl.language.syntax.parse.parse_lines import Line
from gamedsl.language.syntax.parse.push_parser import Parsed, PushParser, Token, UnexpectedToken
from gamedsl.language.syntax.parse.scanner import Word
from gamedsl.language.syntax.parse.unexpected import Place, explain

Start = Literal["declaration", "expression"]

# The placeholder of a statement that could not be parsed, so that the lines around it can be.
HOLE = "?"
_MOST_TRIES = 20
_TRIED_WORDS = 100_000
# The codes for which edits of one word are tried; the number of problems in the source up to which they are; how long
# a line may be (in words).
_REPAIRED = frozenset({"E0101", "E0107", "E0108", "E0120", "E0122"})
_MOST_REPAIRED, _LONGEST_REPAIRED = 10, 60


class _Failure(Exception):
    """The parser cannot go on at word ``index`` of line ``line``; ``tokens`` are those fed before it."""

    def __init__(self, token: Token, line: int, index: int, tokens: list[Token]) -> None:
        super().__init__(token)
        self.token = token
        self.line = line
        self.index = index
        self.tokens = tokens


@lazy_dataclass(slots=True)
class Feed:
    """Parses the lines of one declaration (or one expression). Problems go to ``problems``."""

    source: Source
    language: Language
    lines: Sequence[Line]
    problems: list[Diagnostic]
    holes: set[int] = field(default_factory=set)
    skipped: set[int] = field(default_factory=set)

    def tree(self, start: Start) -> Parsed | None:
        """Returns the tree, or None if its first line is wrong. Lines that cannot be parsed are reported and skipped."""
        for number, line in enumerate(self.lines):
            if line.broken:
                self.give_up(number)
        tries = max(1, min(_MOST_TRIES, _TRIED_WORDS // (1 + sum(len(line.words) for line in self.lines))))
        for _ in range(tries):
            if 0 in self.holes:
                return None
            try:
                return self.attempt(start)
            except _Failure as failure:
                blamed = self.report(failure, start)
                self.give_up(blamed)
        return None

    # ------------------------------------------------------------------------------------------------ one attempt

    def attempt(self, start: Start) -> Parsed:
        parser = self.language.push(start)
        fed: list[Token] = []
        row = parser.row()
        for number, index, word in self.stream(parser):
            token = word if isinstance(word, Token) else self.token(word, row, self.lines[number].end)
            try:
                parser.feed(token)
            except UnexpectedToken:
                raise _Failure(token, number, index, fed) from None
            fed.append(token)
            row = parser.row()
        try:
            return parser.end()
        except UnexpectedToken as error:
            raise _Failure(error.token, len(self.lines), 0, fed) from None

    def stream(self, parser: PushParser) -> Iterator[tuple[int, int, Word | Token]]:
        """Yields every word with its line and its index there; line ends and changes of indentation are tokens between
        them.
        """
        levels = [self.lines[0].indent]
        for number, line in enumerate(self.lines):
            if number in self.skipped:
                continue
            if number in self.holes and not self.takes_statement(parser, line, levels):
                self.skipped.add(number)
                continue
            for kind in indentation_marks(line.indent, levels):
                yield number, 0, self.mark(kind, line.start)
            if number in self.holes:
                yield number, 0, Token("NAME", HOLE, line.start, line.end)
            else:
                for index, word in enumerate(line.words):
                    yield number, index, word
            yield number, len(line.words), self.mark("_NL", line.end)
        for _ in levels[1:]:
            yield len(self.lines), 0, self.mark("_DEDENT", self.lines[-1].end)

    def takes_statement(self, parser: PushParser, line: Line, levels: list[int]) -> bool:
        """Returns whether the parser accepts a statement in the place of this line."""
        copy = parser.fork()
        try:
            for kind in indentation_marks(line.indent, list(levels)):
                copy.feed(self.mark(kind, line.start))
            copy.feed(Token("NAME", HOLE))
            copy.feed(self.mark("_NL", line.end))
        except UnexpectedToken:
            return False
        return True

    def mark(self, kind: str, offset: int) -> Token:
        return Token(kind, "", offset, offset)

    def token(self, word: Word, row: Mapping[str, object], end: int) -> Token:
        return Token(self.terminal(word, row, end), word.text, word.start, word.end)

    def terminal(self, word: Word, row: Mapping[str, object], end: int) -> str:
        """Returns the terminal of a word where the parser accepts the terminals of ``row``; its line ends at ``end``."""
        language = self.language
        match word.kind:
            case "sign":
                return language.signs[word.text]
            case "int":
                return "INT"
            case "string":
                return "STRING"
        for name, pattern in language.guarded.get(word.text[0], ()):
            if name in row:
                match = re.compile(pattern).match(self.source.text, word.start, end)  # (``re`` caches it)
                if match is not None and match.end() == word.end:
                    return name
        keyword = language.keywords.get(word.text)
        if keyword is None:
            return "NAME"
        if keyword in row or word.text in HARD_WORDS or "NAME" not in row:
            return keyword
        return "NAME"

    # --------------------------------------------------------------------------------------------- after an error

    def report(self, failure: _Failure, start: Start) -> int:
        """Adds the diagnostic of a failure; returns the number of the line to skip."""
        parser = self.language.push(start)
        for token in failure.tokens:
            parser.feed(token)
        accepts = parser.accepts()
        blamed = failure.line
        if accepts == {"_INDENT"}:
            blamed = self.line_above(failure.line)
            line = self.lines[blamed]
            self.problems.append(syntax_problem("E0121", Span(self.source, line.start, line.end)))
            return blamed
        blamed = min(blamed, len(self.lines) - 1)
        line = self.lines[blamed]
        place = Place(self.source, self.language, line, failure.index, failure.token, accepts, start)
        found = explain(place)
        if found.code in _REPAIRED and len(self.problems) < _MOST_REPAIRED and len(line.words) <= _LONGEST_REPAIRED:
            found = replace(found, fixes=self.stopped(failure, line, start, found.code).repairs())
        self.problems.append(found)
        return blamed

    def stopped(self, failure: _Failure, line: Line, start: Start, code: str) -> StoppedLine:
        """Returns the line of a failure with the parser at its beginning."""
        before, parser = self.language.push(start), self.language.push(start)
        for token in failure.tokens:
            parser.feed(token)
            if token.start < line.start or token.type in ("_INDENT", "_DEDENT"):
                before.feed(token)

        index, accepts = failure.index, parser.accepts()
        if code == "E0108":  # the first word was read as a player
            index, accepts = 0, before.accepts()

        def terminal(word: Word, row: Mapping[str, object]) -> str:
            return self.terminal(word, row, line.end)

        return StoppedLine(self.source, self.language, line.words, index, before, accepts, terminal)

    def line_above(self, number: int) -> int:
        """Returns the number of the last line before ``number`` that was parsed."""
        above = number - 1
        while above > 0 and (above in self.skipped or above in self.holes):
            above -= 1
        return max(above, 0)

    def give_up(self, number: int) -> None:
        """Skips a line, the lines indented below it, and the lines that only continue it (``else``, ``until``)."""
        line = self.lines[number]
        self.holes.add(number)
        below = self.skip_below(number)
        followers = {"if": "else", "else": "else", "repeat": "until"}
        follower = followers.get(line.first)
        while below < len(self.lines) and self.lines[below].indent == line.indent:
            if self.lines[below].first != follower:
                return
            self.skipped.add(below)
            below = self.skip_below(below)

    def skip_below(self, number: int) -> int:
        below = number + 1
        while below < len(self.lines) and self.lines[below].indent > self.lines[number].indent:
            self.skipped.add(below)
            below += 1
        return below


def indentation_marks(indent: int, levels: list[int]) -> Iterator[str]:
    """Yields the indentation tokens before a line and updates ``levels``. Uneven lines have been reported before."""
    if indent > levels[-1]:
        levels.append(indent)
        yield "_INDENT"
    while indent < levels[-1] and len(levels) > 1:
        levels.pop()
        yield "_DEDENT"
