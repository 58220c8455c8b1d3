"""The words of a text with their kinds, kept for the last texts."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from gamedsl.language.source import Source
from gamedsl.language.syntax import source_kinds


class Token(NamedTuple):
    """A word, sign, string, comment or citation; ``kind`` is that of ``gamedsl.language.syntax.coloring``."""

    start: int
    end: int
    kind: str
    text: str


@lru_cache(maxsize=32)
def tokens_of(source: Source) -> tuple[Token, ...]:
    """Everything of a source that is not space, in order."""
    pieces = source_kinds(source)
    return tuple(Token(p.start, p.start + len(p.text), p.kind, p.text) for p in pieces if p.kind != "space")
