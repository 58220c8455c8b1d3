"""Physical lines: the words, citations and comment of every line, and invalid characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import field
from typing import Literal, NamedTuple

from gamedsl.language.source import Diagnostic, Source, Span, first_unfit, lazy_dataclass
from gamedsl.language.syntax.ast import Cite
from gamedsl.language.syntax.parse.language import FOREIGN, Language
from gamedsl.language.syntax.parse.messages import quoted, syntax_problem

MOST_NUMBER = 10**9
_INDENTATION = re.compile(r"[ \t]*")
_ESCAPE = re.compile(r"\\(.)")


class Word(NamedTuple):
    """A word, number, string or sign of a line, at its offset."""

    kind: Literal["name", "int", "string", "sign"]
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@lazy_dataclass(slots=True)
class TextLine:
    """One line of a file. ``comment`` is its text without ``#``; ``problems`` holds at most one problem, the first."""

    start: int
    indent: int
    words: list[Word] = field(default_factory=list)
    cites: list[Cite] = field(default_factory=list)
    comment: str | None = None
    problems: list[Diagnostic] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        return not (self.words or self.cites or self.problems) and self.comment is None


class TextLines:
    """The lines of a source by number, each scanned when it is first asked for."""

    def __init__(self, source: Source, language: Language) -> None:
        self._source, self._language = source, language
        self._scanned: dict[int, TextLine] = {}

    def __len__(self) -> int:
        return len(self._source.line_starts)

    def __getitem__(self, number: int) -> TextLine:
        line = self._scanned.get(number)
        if line is None:
            start, text = self._source.line_starts[number], self._source.line(number + 1)
            mark = number == 0 and text.startswith("\ufeff")
            line = _Scan(self._source, self._language, start + mark, start + len(text)).line()
            self._scanned[number] = line
        return line


def value_of(string: str) -> str:
    """Returns the value of a string token, without its quotes and escapes."""
    return _ESCAPE.sub(r"\1", string[1:-1])


def comment_text(raw: str) -> str:
    """Returns the text of a comment: without the ``#``, one space after it, and spaces at the end."""
    text = raw[1:].replace("\t", " ").rstrip(" ")
    return text[1:] if text.startswith(" ") else text


def character_name(character: str) -> str:
    """Returns the name of a possibly invisible character for messages."""
    name = unicodedata.name(character, "")
    code = f"U+{ord(character):04X}"
    if first_unfit(character) or character.isspace():
        return f"{code} {name}".rstrip()
    return f"{quoted(character)} ({code} {name})" if ord(character) > 126 else quoted(character)


@lazy_dataclass(slots=True)
class _Scan:
    """Splits one line, from ``start`` to ``end`` of the source, into its parts."""

    source: Source
    language: Language
    start: int
    end: int

    def line(self) -> TextLine:
        text = self.source.text
        match = _INDENTATION.match(text, self.start, self.end)
        assert match is not None
        line = TextLine(self.start, len(match.group().expandtabs(4)))
        for part in self.language.scan.finditer(text, match.end(), self.end):
            kind = part.lastgroup
            if kind == "space":
                continue
            if kind == "comment":
                self.comment(line, part)
            elif kind == "cite":
                line.cites.append(Cite(part.group()[1:], span=self.span(part)))
            else:
                self.word(line, part)
        if line.words and "\t" in match.group():
            line.problems.insert(0, syntax_problem("E0106", Span(self.source, *match.span())))
        self.check_cites(line)
        del line.problems[1:]
        return line

    def span(self, part: re.Match[str]) -> Span:
        return Span(self.source, part.start(), part.end())

    def comment(self, line: TextLine, part: re.Match[str]) -> None:
        line.comment = comment_text(part.group())
        bad = first_unfit(line.comment)
        if bad:
            name = character_name(bad)
            line.problems.append(
                syntax_problem("E0103", self.span(part), character=name, hint="remove it from the comment")
            )

    def word(self, line: TextLine, part: re.Match[str]) -> None:
        text = part.group()
        match part.lastgroup:
            case "name":
                line.words.append(Word("name", text, part.start()))
            case "int":
                line.words.append(Word("int", text, part.start()))
                if len(text.lstrip("0")) > 10 or int(text) > MOST_NUMBER:
                    line.problems.append(self.number_problem(part))
            case "string":
                line.words.append(Word("string", text, part.start()))
                line.problems.extend(self.string_problems(part))
            case "sign" if text not in FOREIGN:
                line.words.append(Word("sign", text, part.start()))
            case "sign":
                hint = FOREIGN[text]
                line.problems.append(syntax_problem("E0118", self.span(part), found=quoted(text), hint=hint))
            case "clumsy":
                line.problems.append(self.clumsy_problem(part))
            case _:
                line.problems.append(self.character_problem(part))

    def number_problem(self, part: re.Match[str]) -> Diagnostic:
        shown = part.group() if len(part.group()) <= 30 else part.group()[:27] + "..."
        return syntax_problem("E0114", self.span(part), number=shown, most=MOST_NUMBER)

    def string_problems(self, part: re.Match[str]) -> Iterator[Diagnostic]:
        for escape in _ESCAPE.finditer(part.group()):
            if escape.group(1) not in '"\\':
                yield syntax_problem("E0117", self.span(part), escape=escape.group())
        bad = first_unfit(part.group())
        if bad:
            yield syntax_problem("E0129", self.span(part), character=character_name(bad))

    def clumsy_problem(self, part: re.Match[str]) -> Diagnostic:
        text = part.group()
        if "." in text:
            return syntax_problem("E0119", self.span(part), found=quoted(text), hint="numbers must be whole")
        hint = "a name begins with a letter or _; put a space between a number and a word"
        return syntax_problem("E0119", self.span(part), found=quoted(text), hint=hint)

    def character_problem(self, part: re.Match[str]) -> Diagnostic:
        character = part.group()
        if character == '"':
            return syntax_problem("E0104", Span(self.source, part.start(), self.end))
        if character == "@":
            return syntax_problem("E0110", self.span(part))
        hint = "names are written with the letters a to z, digits and _" if character.isalpha() else ""
        if character in "\u201c\u201d\u201e\u201f":
            hint = 'put strings in straight double quotes: "text"'
        return syntax_problem("E0103", self.span(part), character=character_name(character), hint=hint)

    def check_cites(self, line: TextLine) -> None:
        """Reports citations that are not after all words of the line or not followed by a space."""
        for cite in line.cites:
            start, end = cite.span.start, cite.span.end
            behind_word = bool(line.words) and line.words[-1].start > start
            joined = end < self.end and self.source.text[end] not in " \t#@"
            if behind_word or joined:
                line.problems.append(syntax_problem("E0110", cite.span))
