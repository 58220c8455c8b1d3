"""``Datum``: a plain value of a document with its place. Values are nested at most ``MOST_DEPTH`` deep."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from types import MappingProxyType
from typing import Any, TypeAlias

from gamedsl.language.source import NOWHERE, GameDSLError, Span, lazy_dataclass
from gamedsl.language.syntax.data.messages import data_problem

MOST_DEPTH = 450  # of lists and objects; rules text can be nested 200 levels deep, and each is two levels here
_FRAMES = 5000

_NO_KEYS: Mapping[str, Span] = MappingProxyType({})
Scalar: TypeAlias = str | int | float | bool | None


@lazy_dataclass(frozen=True, slots=True)
class Datum:
    """A value of a document. ``pointer`` is its JSON pointer; ``keys`` holds the places of an object's keys."""

    value: Scalar | list[Datum] | dict[str, Datum]
    span: Span = NOWHERE
    pointer: str = ""
    keys: Mapping[str, Span] = field(default_factory=lambda: _NO_KEYS, repr=False)

    def key_span(self, key: str) -> Span:
        return self.keys.get(key, self.span)


@contextmanager
def room_for_depth() -> Iterator[None]:
    """Raises the recursion limit for a block, so that functions can recurse over trees of depth ``MOST_DEPTH``."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def pointer_to(parent: str, key: str | int) -> str:
    """Returns the JSON pointer (RFC 6901) of an entry."""
    return f"{parent}/{str(key).replace('~', '~0').replace('/', '~1')}"


def plain(datum: Datum) -> Any:
    """Returns the value without places: dicts, lists and scalars."""
    match datum.value:
        case dict():
            return {key: plain(value) for key, value in datum.value.items()}
        case list():
            return [plain(value) for value in datum.value]
        case _:
            return datum.value


def check_depth(depth: int, span: Span, pointer: str) -> None:
    if depth > MOST_DEPTH:
        raise GameDSLError(data_problem("E0608", span, pointer[:80], most=MOST_DEPTH))
