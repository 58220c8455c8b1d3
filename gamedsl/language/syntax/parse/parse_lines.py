"""Logical lines: physical lines joined where a line continues, each with its comments and citations."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import field

from gamedsl.language.source import Diagnostic, Label, Source, Span, lazy_dataclass
from gamedsl.language.syntax.ast import Cite, Notes
from gamedsl.language.syntax.parse.language import HARD_WORDS, Language
from gamedsl.language.syntax.parse.messages import syntax_problem
from gamedsl.language.syntax.parse.scanner import TextLine, TextLines, Word
from gamedsl.language.syntax.parse.text_change import change_between

# The maximum depth of nesting; passes over the tree recurse several times for each level.
MAX_DEPTH = 100
MAX_WORDS = 10_000

# A line that ends in one of these continues on the next.
GOES_ON = frozenset(
    {
        "or", "and", "not", "=", "!=", "<", "<=", ">", ">=", "in", "within", "disjoint", "meets", "|", "&", "+", "-",
        "*", "div", "mod", "..", "->", ",", ":", "then", "else",
    }
)  # fmt: skip
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_new_tuple = tuple.__new__
_OPENING = {closing: opening for opening, closing in _CLOSING.items()}


@lazy_dataclass(slots=True)
class Line:
    """One logical line. ``broken``: it contains a mistake that has been reported, and is not parsed. ``read``: its words, and how many
    characters further on they are.
    """

    indent: int
    read: tuple[list[Word], int]
    cites: list[Cite] = field(default_factory=list)
    before: list[str] = field(default_factory=list)
    behind: str | None = None
    gap: bool = False
    broken: bool = False
    brackets: list[Word] = field(default_factory=list)
    open_ifs: int = 0

    @property
    def words(self) -> list[Word]:
        words, by = self.read
        if by:  # (not by Word's own, slower way)
            words = [_new_tuple(Word, (kind, text, start + by)) for kind, text, start in words]
            self.read = words, 0  # in one piece, as threads share it
        return words

    @property
    def start(self) -> int:
        words, by = self.read
        return words[0].start + by

    @property
    def end(self) -> int:
        words, by = self.read
        return words[-1].end + by

    @property
    def first(self) -> str:
        return self.read[0][0].text

    @property
    def begins_with_name(self) -> bool:
        return self.read[0][0].kind == "name"

    @property
    def size(self) -> int:
        """The number of its words."""
        return len(self.read[0])

    def moved(self, source: Source, by: int) -> Line:
        """Returns the line as it stands in another source, so many characters further on."""
        line = self.copied()
        words, moved = line.read
        line.read = words, moved + by
        line.cites = [Cite(c.clause, span=Span(source, c.span.start + by, c.span.end + by)) for c in self.cites]
        return line

    def copied(self) -> Line:
        """Another line with the same words."""
        return Line(
            self.indent,
            self.read,
            self.cites,
            self.before,
            self.behind,
            self.gap,
            self.broken,
            self.brackets,
            self.open_ifs,
        )

    def notes(self, cites: Sequence[Cite]) -> Notes:
        """Returns what stands beside the words. ``cites``: its citations, which will belong to a node."""
        return Notes(tuple(cites), tuple(self.before), self.behind, self.gap)

    @property
    def unfinished(self) -> bool:
        if self.brackets:
            return True
        last = self.words[-1]
        if last.text == "meets" and [w.text for w in self.words[-3:]] == ["what", "it", "meets"]:
            return False
        return last.kind != "string" and last.text in GOES_ON and not (last.text == "else" and len(self.words) == 1)


@lazy_dataclass(slots=True)
class Lines:
    """The lines of a source, the comments after the last of them, and their problems. ``extents``: the numbers of the physical lines at
    which each begins and the next may begin.
    """

    source: Source
    lines: list[Line]
    after: tuple[str, ...]
    problems: list[Diagnostic]
    extents: list[tuple[int, int]]

    def copied(self) -> tuple[list[Line], list[Diagnostic]]:
        """Lines whose indentation and gaps can be changed, and problems to which more can be added."""
        return [line.copied() for line in self.lines], list(self.problems)


def logical_lines(source: Source, language: Language, starters: frozenset[str], last: Lines | None = None) -> Lines:
    """Returns the logical lines of a source. ``starters``: words that begin lines; an unfinished line ends before a
    line that begins with one of them and is not indented more deeply. ``last``: the lines of a text that is nearly the same, which are
    taken over as far as the texts agree.
    """
    known = None if last is None else _KnownLines(last, source)
    return _Joiner(source, TextLines(source, language), starters, known).join()


class _KnownLines:
    """The lines of a text, of which another text takes over those that stand in it too."""

    def __init__(self, last: Lines, source: Source) -> None:
        self._last, self._source = last, source
        change = self._change = change_between(last.source, source)
        self._unfit = sorted({*change.changed, *(problem.span.line - 1 for problem in last.problems)})
        self._begins = [begin for begin, _ in last.extents]
        self._next = {end: number for number, (_, end) in enumerate(last.extents, 1)}
        self._next[0] = 0

    def lines_after(self, index: int) -> tuple[list[Line], list[tuple[int, int]]]:
        """Returns the next lines where the one before them ends at a physical line, with their extents, as far as they are the same in
        both texts with everything between them and the physical line that shows where the last one ends.
        """
        old = self._change.old_line(index)
        first = None if old is None else self._next.get(old)
        if old is None or first is None:
            return [], []
        unfit = bisect_left(self._unfit, old)
        if unfit == len(self._unfit):
            end = len(self._begins)
        else:
            end = max(first, bisect_left(self._begins, self._unfit[unfit]) - 1)
        by = self._source.line_starts[index] - self._last.source.line_starts[old]
        lines = self._last.lines[first:end]
        extents = [(start + index - old, stop + index - old) for start, stop in self._last.extents[first:end]]
        return [line.moved(self._source, by) if by or line.cites else line for line in lines], extents


DeclarationKey = tuple[str, tuple[int, ...]]


def declaration_key(text: str, lines: Sequence[Line]) -> DeclarationKey:
    """Returns what determines the tree of some lines of a text: their text, and where each begins, how far it is indented, and how
    many words it has.
    """
    start = lines[0].start
    shape: list[int] = []
    for line in lines:
        shape += (line.start - start, line.indent, line.size)
    return text[start : lines[-1].end], tuple(shape)


def _says_something(text: TextLine) -> bool:
    """Returns whether the second word of a line is not an operator or sign, so that the line does not continue an
    expression.
    """
    if len(text.words) < 2:
        return False
    second = text.words[1]
    return second.kind != "sign" and second.text not in HARD_WORDS


@lazy_dataclass(slots=True)
class _Joiner:
    source: Source
    texts: TextLines
    starters: frozenset[str]
    known: _KnownLines | None
    # Set when a bracket is still open at the end of the file; brackets then end where another line begins.
    wary: bool = False
    lines: list[Line] = field(default_factory=list)
    extents: list[tuple[int, int]] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    gap: bool = False

    def join(self) -> Lines:
        index, begins = 0, True
        while index < len(self.texts):
            if self.known is not None and begins and not self.wary:
                lines, extents = self.known.lines_after(index)
                self.lines += lines
                self.extents += extents
                index = extents[-1][1] if extents else index
                if index == len(self.texts):
                    break
            text = self.texts[index]
            begins = bool(text.words)
            if begins:
                index = self.take(index)
            else:
                self.aside(text)
                index += 1
        return Lines(self.source, self.lines, tuple(self.pending), self.problems, self.extents)

    def aside(self, text: TextLine) -> None:
        """Takes a line without words: empty, a comment, or a mistake."""
        if text.empty and not self.pending:
            self.gap = True
        if text.comment is not None:
            self.pending.append(text.comment)
        self.problems.extend(text.problems)
        if text.cites and not text.problems:
            self.problems.append(syntax_problem("E0110", text.cites[0].span))

    def take(self, index: int) -> int:
        """Joins the logical line that begins at ``index``; returns where the next one begins."""
        line, following, problems = self.gather(index)
        if line.brackets and following == len(self.texts) and not self.wary:
            self.wary = True
            line, following, problems = self.gather(index)
        if line.brackets:
            problems.append(self.unclosed(line.brackets[-1]))
        if len(line.words) > MAX_WORDS:
            span = Span(self.source, line.start, line.words[0].end)
            size = f"{len(line.words)} words"
            problems.append(syntax_problem("E0112", span, what="line", size=size, most=MAX_WORDS))
        line.broken = bool(problems)
        self.problems.extend(problems)
        self.lines.append(line)
        self.extents.append((index, following))
        self.pending, self.gap = [], False
        return following

    def gather(self, index: int) -> tuple[Line, int, list[Diagnostic]]:
        first = self.texts[index]
        line = Line(first.indent, ([], 0), before=list(self.pending), gap=self.gap)
        problems: list[Diagnostic] = []
        self.append(line, first, problems)
        following = index + 1
        while True:
            ahead = self.next_words(following)
            if ahead is None or not self.goes_on(line, self.texts[ahead]):
                # Comments inside brackets that are never closed are left to the next line.
                return line, following if ahead is not None or not line.brackets else len(self.texts), problems
            for number in range(following, ahead):
                self.between(line, self.texts[number], problems)
            self.append(line, self.texts[ahead], problems)
            following = ahead + 1

    def next_words(self, index: int) -> int | None:
        """Returns the index of the next line with words; None if there is none."""
        while index < len(self.texts):
            if self.texts[index].words:
                return index
            index += 1
        return None

    def goes_on(self, line: Line, text: TextLine) -> bool:
        word = text.words[0]
        if word.kind == "name" and word.text in ("and", "or"):
            return True
        if word.text == "else" and line.open_ifs > 0 and len(text.words) > 1:
            return True
        if not line.unfinished:
            return False
        if word.kind != "name":
            return True
        level = text.indent <= line.indent
        opens = word.text in self.starters
        if line.brackets:
            return not (self.wary and (level or (opens and _says_something(text))))
        return not (level and (opens or [w.text for w in text.words[1:2]] == [":"]))

    def between(self, line: Line, text: TextLine, problems: list[Diagnostic]) -> None:
        """Takes a line without words inside a logical line."""
        if text.comment is not None:
            self.push_comment(line, text.comment)
        line.cites.extend(text.cites)
        problems.extend(text.problems)

    def push_comment(self, line: Line, comment: str) -> None:
        if line.behind is not None:
            line.before.append(line.behind)
            line.behind = None
        line.before.append(comment)

    def append(self, line: Line, text: TextLine, problems: list[Diagnostic]) -> None:
        if line.behind is not None:
            line.before.append(line.behind)
        line.behind = text.comment
        line.cites.extend(text.cites)
        line.words.extend(text.words)
        problems.extend(text.problems)
        for word in text.words:
            if word.kind == "sign":
                self.bracket(line, word, problems)
            elif word.text == "then":
                line.open_ifs += 1
            elif word.text == "else":
                line.open_ifs -= 1

    def bracket(self, line: Line, word: Word, problems: list[Diagnostic]) -> None:
        if word.text in _CLOSING:
            line.brackets.append(word)
            if len(line.brackets) == MAX_DEPTH + 1:
                span = Span(self.source, word.start, word.end)
                problems.append(syntax_problem("E0116", span, most=MAX_DEPTH))
        elif word.text in _OPENING:
            if line.brackets and line.brackets[-1].text == _OPENING[word.text]:
                line.brackets.pop()
                return
            problems.append(self.stray(line, word, Span(self.source, word.start, word.end)))
            # The intended bracket is unknown, so all brackets of the line end here.
            line.brackets.clear()

    def stray(self, line: Line, word: Word, span: Span) -> Diagnostic:
        if not line.brackets:
            return syntax_problem("E0115", span, bracket=word.text, hint="remove it, or open the bracket earlier")
        opened = line.brackets[-1]
        label = Label(Span(self.source, opened.start, opened.end), "opened here")
        hint = f"close `{opened.text}` with `{_CLOSING[opened.text]}` first"
        return syntax_problem("E0115", span, bracket=word.text, hint=hint, labels=(label,))

    def unclosed(self, word: Word) -> Diagnostic:
        span = Span(self.source, word.start, word.end)
        return syntax_problem("E0105", span, bracket=word.text, closing=_CLOSING[word.text])
