"""Syntax coloring: the kind of every part of a source. The parser decides whether a word is a keyword or a name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple, TypeAlias

from gamedsl.language.source import Source
from gamedsl.language.syntax.parse.language import Language, language
from gamedsl.language.syntax.parser import MAX_CHARACTERS
from gamedsl.language.syntax.token_reading import terminals_of

Kind: TypeAlias = Literal["space", "comment", "string", "citation", "number", "keyword", "name", "sign", "error"]

_KINDS: dict[str, Kind] = {
    "space": "space",
    "comment": "comment",
    "string": "string",
    "cite": "citation",
    "int": "number",
    "sign": "sign",
}


class Piece(NamedTuple):
    """A part of a source and its offset. The pieces of a source, joined, are the source."""

    kind: Kind
    text: str
    start: int


def token_kinds(text: str) -> Iterator[Piece]:
    """Yields the pieces of a source, which may be incomplete or have errors: a word that the parser could not place
    counts as a keyword if the language has such a keyword.
    """
    yield from source_kinds(Source("", text))


def source_kinds(source: Source) -> Iterator[Piece]:
    """Yields the pieces of a source as ``token_kinds`` does for its text."""
    known, text = language(), source.text
    terminals = terminals_of(source) if len(text) <= MAX_CHARACTERS else {}
    end = 0
    for part in known.scan.finditer(text):
        if part.start() > end:
            yield Piece("space", text[end : part.start()], end)  # the end of a line
        yield Piece(
            _kind(part.lastgroup or "", part.group(), terminals.get(part.start()), known), part.group(), part.start()
        )
        end = part.end()
    if end < len(text):
        yield Piece("space", text[end:], end)


def _kind(group: str, text: str, terminal: str | None, known: Language) -> Kind:
    if group != "name":
        return _KINDS.get(group, "error")
    if terminal is None:
        return "keyword" if text in known.keywords else "name"
    return "name" if terminal == "NAME" else "keyword"
