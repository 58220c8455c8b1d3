"""A place in a YAML or JSON text that is being written → the keys and indices that lead there, and what is written around it.

A mark is put into the text at the place, and the library's parser runs over it. What is opened when the mark comes is the answer,
so a text needs to be right only up to the place; a line before it that is not is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import field, replace
from functools import lru_cache
from typing import Any, TypeAlias

import yaml

from gamedsl.language.source import Source, lazy_dataclass
from gamedsl.language.syntax import YAML_LOADER

MOST_CHARACTERS = 400_000  # of a text that is looked into at every keystroke
_MOST_LEFT_OUT = 8  # lines
_MARKS = tuple(map(chr, range(0xE000, 0xE010)))  # characters without a meaning of their own
_CLOSINGS = ("", ":", '"', "'", '":', '":"', "]", "}")  # what may be missing after the place
_PLAIN: Mapping[str, Any] = {"true": True, "false": False, "null": None, "~": None, "": None}

Path: TypeAlias = tuple[str | int, ...]


@lazy_dataclass(frozen=True)
class Cursor:
    """Where a place is. ``path``: of the mapping or list around it, and for a value its own key or index. ``document``: the text
    up to the place, as plain data; ``inside``: what else is in the innermost mapping or list, as far as it can be read.
    ``text``, ``start``, ``end``: the scalar that is written there, without quotes, and its extent.
    """

    path: Path
    is_key: bool
    text: str
    start: int
    end: int
    document: Any
    inside: Any
    is_quoted: bool = False

    def around(self, depth: int) -> Any:
        """The plain data that the first ``depth`` steps of the path lead to; None if there is none."""
        return at(self.document, self.path[:depth])

    def quoted(self, text: str) -> str:
        """A string as it is written at the place: in quotation marks, unless it is between some already."""
        return text if self.is_quoted else f'"{text}"'


def at(document: Any, path: Path) -> Any:
    """What a path leads to in plain data; None if it leads nowhere."""
    for step in path:
        if isinstance(document, dict):
            document = document.get(step)
        elif isinstance(document, list) and isinstance(step, int) and step < len(document):
            document = document[step]
        else:
            return None
    return document


def mapping_at(document: Any, *path: str | int) -> dict[str, Any]:
    """The mapping to which a path leads; an empty one if something else is there, as in a text that is being written."""
    found = at(document, path)
    return found if isinstance(found, dict) else {}


def list_at(document: Any, *path: str | int) -> list[Any]:
    """The list to which a path leads; an empty one if something else is there."""
    found = at(document, path)
    return found if isinstance(found, list) else []


@lazy_dataclass()
class _Open:
    """A mapping or list that has begun, and the key or index of its next value."""

    value: dict[str, Any] | list[Any]
    key: str | None = None
    extents: list[tuple[int, int]] = field(default_factory=list)

    @property
    def step(self) -> str | int:
        return len(self.value) if isinstance(self.value, list) else self.key or ""

    def take(self, value: Any) -> None:
        if isinstance(self.value, list):
            self.value.append(value)
        elif self.key is None:
            self.key = value if isinstance(value, str) else str(value)
        else:
            self.value[self.key] = value
            self.key = None


@lru_cache(maxsize=8)
def cursor(source: Source, offset: int) -> Cursor | None:
    """Where a place is; None if that cannot be found out, as inside a comment or a string of several lines."""
    if len(source.text) > MOST_CHARACTERS:
        return None
    mark = next((one for one in _MARKS if one not in source.text), None)
    if mark is None:
        return None
    row = source.text.find("\n", offset)
    rest = source.text[offset:]
    after_row = "" if row < 0 else source.text[row:]
    for closing in _CLOSINGS:
        for tail in (rest, after_row, ""):
            found = _reading(source.text[:offset] + mark + closing + tail, mark, offset, len(mark + closing))
            if found is not None:
                return found
    return None


def _reading(text: str, mark: str, offset: int, added: int) -> Cursor | None:
    """What the parser says about the text with a mark; lines before it at which the parser stops are left out."""
    row = text.rfind("\n", 0, offset) + 1
    for _ in range(_MOST_LEFT_OUT):
        reader = _Reader(mark, offset, added)
        try:
            reader.read(text)
        except yaml.YAMLError as problem:
            if reader.found is not None:
                return reader.cursor()
            place = getattr(problem, "problem_mark", None)
            if place is None or not 0 <= place.index < row:
                return None
            start = text.rfind("\n", 0, place.index) + 1
            end = text.find("\n", start)
            if not text[start:end].strip():  # the mistake is at the line before
                end = len(text[:start].rstrip())
                start = text.rfind("\n", 0, end) + 1
            if start == end:
                return None
            text = text[:start] + " " * (end - start) + text[end:]
        except (ValueError, RecursionError):
            return None
        else:
            return reader.cursor()
    return None


class _Reader:
    """Events of the parser → plain data, and what is open at the mark."""

    def __init__(self, mark: str, offset: int, added: int) -> None:
        self.mark, self.offset, self.added = mark, offset, added
        self.open: list[_Open] = []
        self.whole: Any = None
        self.found: Cursor | None = None
        self._around: _Open | None = None

    def read(self, text: str) -> None:
        for event in yaml.parse(text, Loader=YAML_LOADER):
            if isinstance(event, yaml.ScalarEvent):
                if self.found is None and self.mark in event.value and not self._take_mark(event, text):
                    return
                self._value(event.value if not event.implicit[0] else _plain(event.value))
            elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
                self.open.append(_Open({} if isinstance(event, yaml.MappingStartEvent) else []))
            elif isinstance(event, yaml.CollectionEndEvent):
                done = self.open.pop()
                if done is self._around:
                    return
                self._value(done.value)
            elif isinstance(event, yaml.DocumentEndEvent) and self.found is not None:
                return

    def _value(self, value: Any) -> None:
        if self.open:
            self.open[-1].take(value)
        else:
            self.whole = value

    def _take_mark(self, event: Any, text: str) -> bool:
        """Notes what is open now. Returns whether the scalar with the mark is one that can be completed."""
        start, end = event.start_mark.index, event.end_mark.index
        if "\n" in text[start:end]:
            return False
        quoted = text[start : start + 1] in ('"', "'")
        end = len(text[:end].rstrip()) - quoted
        start += quoted
        if not start <= self.offset <= end:
            return False
        inner = self.open[-1] if self.open else None
        is_key = inner is not None and isinstance(inner.value, dict) and inner.key is None
        path = tuple(one.step for one in (self.open[:-1] if is_key else self.open))
        self._around = inner
        self.found = Cursor(
            path,
            is_key,
            event.value.replace(self.mark, ""),
            start,
            max(start, end - len(self.mark)),
            self._document(),
            None,
            quoted,
        )
        return True

    def _document(self) -> Any:
        """What was read so far, with everything that is open put where it belongs."""
        value: Any = None
        for one in reversed(self.open):
            inner, value = value, deepcopy(one.value)
            if inner is not None:
                _Open(value, one.key).take(inner)
        return value

    def cursor(self) -> Cursor | None:
        if self.found is None:
            return None
        inside = self._around.value if self._around is not None else None
        if isinstance(inside, dict):
            inside = {key: value for key, value in inside.items() if self.mark not in f"{key}{value}"}
        return replace(self.found, inside=inside)


def _plain(text: str) -> Any:
    if text in _PLAIN:
        return _PLAIN[text]
    return int(text) if text.lstrip("-").isdecimal() and text.isascii() and len(text) < 18 else text
