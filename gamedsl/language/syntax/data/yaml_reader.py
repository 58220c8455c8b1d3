"""YAML text → ``Datum``; refuses values that other YAML readers might interpret differently."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from gamedsl.language.source import GameDSLError, Source, Span
from gamedsl.language.syntax.data.datum import Datum, Scalar, check_depth, pointer_to
from gamedsl.language.syntax.data.messages import data_problem

# Plain scalars that YAML 1.1 and 1.2, or two common readers, interpret differently.
_UNCLEAR_NUMBER = re.compile(
    r"[-+]?(\.?[0-9][0-9_.:]*([eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F_]+|0b[01_]+|\.inf|\.nan)", re.I
)
_CLEAR_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,17})")
_QUOTED = re.compile(r"""'[^']*(?:'|$)|"(?:\\.|[^"\\])*(?:"|$)""", re.S)
YAML_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the one in C takes a tenth of the time
_RESOLVER = yaml.resolver.Resolver()


def read_yaml(source: Source) -> Datum:
    builder = _YamlBuilder(source, yaml.parse(source.text, Loader=YAML_LOADER))
    try:
        return builder.document()
    except yaml.YAMLError as problem:
        check_depth(builder.depth_at(problem), _place_of(source, problem), "")
        raise GameDSLError(_yaml_problem(source, problem)) from None
    except UnicodeEncodeError as problem:  # half of a surrogate pair
        place = Span(source, problem.start, problem.start + 1)
        raise GameDSLError(data_problem("E0612", place, character="half a surrogate pair")) from None


def _yaml_problem(source: Source, problem: yaml.YAMLError) -> Any:
    if isinstance(problem, yaml.reader.ReaderError):
        code = problem.character if isinstance(problem.character, int) else 0
        at = source.text.find(chr(code)) if code else 0
        return data_problem("E0612", Span(source, max(0, at), max(0, at) + 1), character=f"U+{code:04X}")
    said = getattr(problem, "problem", None) or "it cannot be read"
    context = getattr(problem, "context", None)
    return data_problem("E0602", _place_of(source, problem), problem=f"{said} {context or ''}".strip())


def _place_of(source: Source, problem: yaml.YAMLError) -> Span:
    mark = getattr(problem, "problem_mark", None)
    at = min(mark.index, len(source.text)) if mark is not None else 0
    return Span(source, at, at + 1)


def refuse_comments(source: Source) -> None:
    """Raises ``GameDSLError`` at the first YAML comment, because rewriting the file would lose it."""
    at = 0
    for event in yaml.parse(source.text, Loader=YAML_LOADER):
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
        self.open = 0  # collections that have begun and not ended
        self.read = 0  # the index in the text after the last event

    def next(self) -> yaml.Event:
        event = next(self.events)
        self.open += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        self.read = event.end_mark.index if event.end_mark else self.read
        return event

    def depth_at(self, problem: yaml.YAMLError) -> int:
        """Returns the depth at which the library stopped. The scanner is up to 1,024 characters ahead of the events,
        and some versions of the library stop at their own maximum depth before the events of the brackets arrive.
        """
        ahead = _QUOTED.sub("", self.source.text[self.read : _place_of(self.source, problem).end])
        return self.open + sum(ahead.count(c) for c in "[{") - sum(ahead.count(c) for c in "]}")

    def document(self) -> Datum:
        event = self.next()
        while not isinstance(event, yaml.DocumentStartEvent):
            if isinstance(event, yaml.StreamEndEvent):
                raise GameDSLError(data_problem("E0609", Span(self.source, 0, 0)))
            event = self.next()
        result = self.value(self.next(), "", 0)
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                raise GameDSLError(data_problem("E0606", self.span(event)))
        return result

    def span(self, event: yaml.Event) -> Span:
        return self.whole(event, event)

    def value(self, event: yaml.Event, pointer: str, depth: int) -> Datum:
        span = self.span(event)
        check_depth(depth, span, pointer)
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
        while not isinstance(event := self.next(), yaml.MappingEndEvent):
            key = self.value(event, pointer, depth + 1)
            if not isinstance(key.value, str):
                raise GameDSLError(data_problem("E0611", key.span, pointer))
            if key.value in entries:
                raise GameDSLError(data_problem("E0605", key.span, pointer, key=key.value))
            keys[key.value] = key.span
            entries[key.value] = self.value(self.next(), pointer_to(pointer, key.value), depth + 1)
        return Datum(entries, self.whole(start, event), pointer, keys)

    def sequence(self, start: yaml.Event, pointer: str, depth: int) -> Datum:
        items: list[Datum] = []
        while not isinstance(event := self.next(), yaml.SequenceEndEvent):
            items.append(self.value(event, pointer_to(pointer, len(items)), depth + 1))
        return Datum(items, self.whole(start, event), pointer)

    def whole(self, start: yaml.Event, end: yaml.Event) -> Span:
        """Returns the span from a start event to its end event, without the line end that block collections include."""
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
