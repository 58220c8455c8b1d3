"""JSON or YAML text -> ``Datum``: plain values that know their place. Bounded in size and depth, and strict about
what other readers might take differently."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeAlias

import yaml

from gamedsl.source.diagnostic import GameDSLError
from gamedsl.source.text import NOWHERE, Source, Span
from gamedsl.syntax.data_messages import data_problem

MOST_BYTES = 2_000_000
MOST_DEPTH = 450  # of lists and objects; the deepest text makes two levels of each of its own 200
_FRAMES = 5000

_NO_KEYS: Mapping[str, Span] = MappingProxyType({})
Scalar: TypeAlias = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
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
    """Lets functions that follow a tree call themselves as deep as ``MOST_DEPTH`` asks for."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def pointer_to(parent: str, key: str | int) -> str:
    """The JSON pointer (RFC 6901) of an entry."""
    return f"{parent}/{str(key).replace('~', '~0').replace('/', '~1')}"


def plain(datum: Datum) -> Any:
    """The value without places: dicts, lists and scalars."""
    match datum.value:
        case dict():
            return {key: plain(value) for key, value in datum.value.items()}
        case list():
            return [plain(value) for value in datum.value]
        case _:
            return datum.value


def datum_of(value: Any, pointer: str = "", depth: int = 0) -> Datum:
    """A plain value as a ``Datum`` without places. GameDSLError if it is nested too deeply or no plain value."""
    _check_depth(depth, NOWHERE, pointer)
    match value:
        case dict():
            entries = {}
            for key, inner in value.items():
                if not isinstance(key, str):
                    raise GameDSLError(data_problem("E0611", NOWHERE, pointer))
                entries[key] = datum_of(inner, pointer_to(pointer, key), depth + 1)
            return Datum(entries, NOWHERE, pointer)
        case list() | tuple():
            return Datum(
                [datum_of(v, pointer_to(pointer, i), depth + 1) for i, v in enumerate(value)], NOWHERE, pointer
            )
        case str() | int() | float() | None:
            return Datum(value, NOWHERE, pointer)
        case _:
            got = type(value).__name__
            raise GameDSLError(data_problem("E0623", NOWHERE, pointer, wanted="a plain value", got=got))


def read_document(source: Source) -> Datum:
    """The document in a source: JSON when the path ends in ``.json`` or the text begins with ``{``, else YAML.

    GameDSLError (E0601 to E0612) when it is not one.
    """
    size = len(source.text.encode("utf-8", "surrogatepass"))
    if size > MOST_BYTES:
        raise GameDSLError(data_problem("E0607", Span(source, 0, 0), size=size, most=MOST_BYTES))
    if not source.text.strip("\ufeff \t\r\n"):
        raise GameDSLError(data_problem("E0609", Span(source, 0, 0)))
    if is_json(source):
        from gamedsl.syntax.data_json import read_json

        return read_json(source)
    return _read_yaml(source)


def is_json(source: Source) -> bool:
    """Whether the source is read as JSON rather than as YAML."""
    if source.path.endswith((".yaml", ".yml")):
        return False
    return source.path.endswith(".json") or source.text.lstrip("\ufeff \t\r\n").startswith("{")


def _check_depth(depth: int, span: Span, pointer: str) -> None:
    if depth > MOST_DEPTH:
        raise GameDSLError(data_problem("E0608", span, pointer[:80], most=MOST_DEPTH))


# ---------------------------------------------------------------------------------------------------- YAML

# Plain scalars that YAML 1.1 and 1.2, or two common readers, take as different things.
_UNCLEAR_NUMBER = re.compile(
    r"[-+]?(\.?[0-9][0-9_.:]*([eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F_]+|0b[01_]+|\.inf|\.nan)", re.I
)
_CLEAR_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,17})")
_RESOLVER = yaml.resolver.Resolver()


def _read_yaml(source: Source) -> Datum:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _YamlBuilder(source, yaml.parse(source.text, Loader=loader)).document()
    except yaml.YAMLError as problem:
        raise GameDSLError(_yaml_problem(source, problem)) from None
    except UnicodeEncodeError as problem:  # half of a surrogate pair
        place = Span(source, problem.start, problem.start + 1)
        raise GameDSLError(data_problem("E0612", place, character="half a surrogate pair")) from None


def _yaml_problem(source: Source, problem: yaml.YAMLError) -> Any:
    if isinstance(problem, yaml.reader.ReaderError):
        code = problem.character if isinstance(problem.character, int) else 0
        at = source.text.find(chr(code)) if code else 0
        return data_problem("E0612", Span(source, max(0, at), max(0, at) + 1), character=f"U+{code:04X}")
    mark = getattr(problem, "problem_mark", None)
    at = min(mark.index, len(source.text)) if mark is not None else 0
    said = getattr(problem, "problem", None) or "it cannot be read"
    context = getattr(problem, "context", None)
    return data_problem("E0602", Span(source, at, at + 1), problem=f"{said} {context or ''}".strip())


def refuse_comments(source: Source) -> None:
    """GameDSLError at the first comment of YAML itself: rewriting the file would lose it."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    at = 0
    for event in yaml.parse(source.text, Loader=loader):
        if not isinstance(event, yaml.ScalarEvent) or event.start_mark is None or event.end_mark is None:
            continue
        _refuse_comment(source, at, event.start_mark.index)
        at = event.end_mark.index
    _refuse_comment(source, at, len(source.text))


def _refuse_comment(source: Source, start: int, end: int) -> None:
    found = source.text.find("#", start, end)
    if found >= 0:
        raise GameDSLError(data_problem("E0613", Span(source, found, found + 1)))


class _YamlBuilder:
    """Builds a ``Datum`` from parse events. Recursion is bounded by ``MOST_DEPTH``."""

    def __init__(self, source: Source, events: Iterator[yaml.Event]) -> None:
        self.source = source
        self.events = events

    def document(self) -> Datum:
        event = next(self.events)
        while not isinstance(event, yaml.DocumentStartEvent):
            if isinstance(event, yaml.StreamEndEvent):
                raise GameDSLError(data_problem("E0609", Span(self.source, 0, 0)))
            event = next(self.events)
        result = self.value(next(self.events), "", 0)
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                raise GameDSLError(data_problem("E0606", self.span(event)))
        return result

    def span(self, event: yaml.Event) -> Span:
        return self.whole(event, event)

    def value(self, event: yaml.Event, pointer: str, depth: int) -> Datum:
        span = self.span(event)
        _check_depth(depth, span, pointer)
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise GameDSLError(data_problem("E0603", span, pointer))
        tag = getattr(event, "tag", None)
        if tag:
            raise GameDSLError(data_problem("E0604", span, pointer, tag=tag))
        match event:
            case yaml.MappingStartEvent():
                return self.mapping(event, pointer, depth)
            case yaml.SequenceStartEvent():
                return self.sequence(event, pointer, depth)
            case yaml.ScalarEvent():
                return Datum(self.scalar(event, span, pointer), span, pointer)
            case _:
                raise AssertionError(event)

    def mapping(self, start: yaml.Event, pointer: str, depth: int) -> Datum:
        entries: dict[str, Datum] = {}
        keys: dict[str, Span] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self.value(event, pointer, depth + 1)
            if not isinstance(key.value, str):
                raise GameDSLError(data_problem("E0611", key.span, pointer))
            if key.value in entries:
                raise GameDSLError(data_problem("E0605", key.span, pointer, key=key.value))
            keys[key.value] = key.span
            entries[key.value] = self.value(next(self.events), pointer_to(pointer, key.value), depth + 1)
        return Datum(entries, self.whole(start, event), pointer, keys)

    def sequence(self, start: yaml.Event, pointer: str, depth: int) -> Datum:
        items: list[Datum] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            items.append(self.value(event, pointer_to(pointer, len(items)), depth + 1))
        return Datum(items, self.whole(start, event), pointer)

    def whole(self, start: yaml.Event, end: yaml.Event) -> Span:
        """From a start event to its end event; block collections end behind the line end, so that is cut off."""
        first = start.start_mark.index if start.start_mark else 0
        last = end.end_mark.index if end.end_mark else first
        return Span(self.source, first, first + len(self.source.text[first:last].rstrip()))

    def scalar(self, event: yaml.ScalarEvent, span: Span, pointer: str) -> Scalar:
        text: str = event.value
        if not event.implicit[0]:  # quoted or a block
            return text
        if text in ("true", "false"):
            return text == "true"
        if text in ("", "~", "null"):
            return None
        if _CLEAR_NUMBER.fullmatch(text):
            return int(text)
        tag = _RESOLVER.resolve(yaml.ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]
        if tag != "tag:yaml.org,2002:str" or _UNCLEAR_NUMBER.fullmatch(text):
            raise GameDSLError(data_problem("E0610", span, pointer, text=text))
        return text
