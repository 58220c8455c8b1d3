"""A JSON reader that keeps places. Strict (RFC 8259), with recursion at most ``MOST_DEPTH`` deep.

PyYAML would read most of JSON, but not the escapes of characters beyond U+FFFF that JSON writers make.
"""

from __future__ import annotations

import json
import re
from typing import NoReturn

from gamedsl.language.source import GameDSLError, Source, Span
from gamedsl.language.syntax.data.datum import MOST_DEPTH, Datum, Scalar, pointer_to
from gamedsl.language.syntax.data.messages import data_problem

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_WORD = re.compile(r"[A-Za-z_]+")
_WORDS: dict[str, Scalar] = {"true": True, "false": False, "null": None}
_MOST_DIGITS = 18


def read_json(source: Source) -> Datum:
    """Returns the value of a JSON source. Raises ``GameDSLError`` at the first mistake."""
    reader = _JsonReader(source)
    reader.at = 1 if source.text.startswith("\ufeff") else 0
    reader.space()
    value = reader.value("", 0)
    reader.space()
    if reader.at < len(source.text):
        reader.fail("there is text after the end of the document")
    return value


class _JsonReader:
    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        self.at = 0

    def fail(self, problem: str, length: int = 1) -> NoReturn:
        raise GameDSLError(data_problem("E0601", Span(self.source, self.at, self.at + length), problem=problem))

    def space(self) -> None:
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def next_char(self) -> str:
        self.space()
        return self.text[self.at] if self.at < len(self.text) else ""

    def value(self, pointer: str, depth: int) -> Datum:
        if depth > MOST_DEPTH:
            place = Span(self.source, self.at, self.at + 1)
            raise GameDSLError(data_problem("E0608", place, pointer[:80], most=MOST_DEPTH))
        start = self.at
        char = self.next_char()
        if char == "{":
            return self.object(pointer, depth)
        if char == "[":
            return self.array(pointer, depth)
        scalar = self.scalar(char, pointer)
        return Datum(scalar, Span(self.source, start, self.at), pointer)

    def scalar(self, char: str, pointer: str) -> Scalar:
        if not char:
            self.fail("the document ends too early")
        if char == '"':
            return self.string(pointer)
        if char == "-" or char.isdigit():
            return self.number()
        return self.word()

    def object(self, pointer: str, depth: int) -> Datum:
        start = self.at
        self.at += 1
        entries: dict[str, Datum] = {}
        keys: dict[str, Span] = {}
        if self.next_char() == "}":
            self.at += 1
            return Datum(entries, Span(self.source, start, self.at), pointer, keys)
        while True:
            if self.next_char() != '"':
                self.fail("a key in double quotes is missing here")
            place = self.at
            key = self.string(pointer)
            keys.setdefault(key, Span(self.source, place, self.at))
            if key in entries:
                raise GameDSLError(data_problem("E0605", Span(self.source, place, self.at), pointer, key=key))
            if self.next_char() != ":":
                self.fail("a colon must follow the key")
            self.at += 1
            self.space()
            entries[key] = self.value(pointer_to(pointer, key), depth + 1)
            if self.ends("}"):
                return Datum(entries, Span(self.source, start, self.at), pointer, keys)

    def array(self, pointer: str, depth: int) -> Datum:
        start = self.at
        self.at += 1
        items: list[Datum] = []
        if self.next_char() == "]":
            self.at += 1
            return Datum(items, Span(self.source, start, self.at), pointer)
        while True:
            self.space()
            items.append(self.value(pointer_to(pointer, len(items)), depth + 1))
            if self.ends("]"):
                return Datum(items, Span(self.source, start, self.at), pointer)

    def ends(self, bracket: str) -> bool:
        """Reads the comma after an entry (returns False) or the closing bracket (returns True)."""
        char = self.next_char()
        if char not in (",", bracket) or not char:
            self.fail(f"a comma or {bracket} is missing here" if char else f"the closing {bracket} is missing")
        self.at += 1
        return char == bracket

    def string(self, pointer: str) -> str:
        found = _STRING.match(self.text, self.at)
        if found is None:
            end = self.text.find("\n", self.at)
            self.fail("this string is not closed, or contains a character that must be escaped", max(1, end - self.at))
        text: str = json.loads(found.group())
        if any("\ud800" <= c <= "\udfff" for c in text):
            place = Span(self.source, self.at, found.end())
            raise GameDSLError(data_problem("E0612", place, pointer, character="half a surrogate pair"))
        self.at = found.end()
        return text

    def number(self) -> int | float:
        found = _NUMBER.match(self.text, self.at)
        if found is None:
            self.fail("this is not a number")
        if len(found.group()) > _MOST_DIGITS + 1:
            self.fail("this number has too many digits", len(found.group()))
        self.at = found.end()
        if self.at < len(self.text) and (self.text[self.at].isalnum() or self.text[self.at] in "._"):
            self.fail("the number is malformed here")
        return float(found.group()) if found.group(1) or found.group(2) else int(found.group())

    def word(self) -> Scalar:
        found = _WORD.match(self.text, self.at)
        if found is None or found.group() not in _WORDS:
            self.fail("a value is missing here", len(found.group()) if found else 1)
        self.at = found.end()
        return _WORDS[found.group()]
