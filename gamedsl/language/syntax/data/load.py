"""Data form → syntax tree. Reports all errors at once, each with its place and JSON pointer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from difflib import get_close_matches
from functools import cache
from typing import Any

from gamedsl.language.source import Diagnostic, GameDSLError, Source
from gamedsl.language.syntax import ast
from gamedsl.language.syntax.data.data_shapes import (
    PATTERNS,
    BoolShape,
    ChoiceShape,
    FieldShape,
    ListShape,
    NotesShape,
    NumberShape,
    ObjectShape,
    Shape,
    TextKind,
    TextShape,
    WrappedShape,
    class_of_kind,
    fields_of,
    kind_of,
)
from gamedsl.language.syntax.data.datum import Datum, pointer_to, room_for_depth
from gamedsl.language.syntax.data.former import in_present_form
from gamedsl.language.syntax.data.messages import data_problem
from gamedsl.language.syntax.data.quotes import DataSource
from gamedsl.language.syntax.data.reader import read_document
from gamedsl.language.syntax.data.round_trip import kind_text, unwritable

MOST_PROBLEMS = 50


def load_data(text: str, path: str = "<data>") -> tuple[ast.Ruleset | None, tuple[Diagnostic, ...]]:
    """Returns the ruleset of a JSON or YAML document (None if it has errors) and the problems. Spans of the tree are
    places in the document.
    """
    with room_for_depth():
        try:
            return _load(read_document(DataSource(path, text)))
        except GameDSLError as problem:
            return None, problem.diagnostics


def read_nodes(source: Source) -> Mapping[tuple[int, int], ast.Node]:
    """Returns the nodes that a document describes, by their extents; of one with mistakes those that are right."""
    data = DataSource(source.path, source.text)
    with room_for_depth(), suppress(GameDSLError):
        build(read_document(data))
    return data.nodes


def _load(document: Datum) -> tuple[ast.Ruleset | None, tuple[Diagnostic, ...]]:
    if not isinstance(document.value, dict) or kind_text(document) != "ruleset":
        return None, (data_problem("E0631", document.span, near=_near_kind(document, ("ruleset",))),)
    node, problems = build(document)
    if node is None or problems:
        return None, problems
    assert isinstance(node, ast.Ruleset)
    problem = unwritable(node, document)
    return (None, (problem,)) if problem else (node, ())


def build(datum: Datum) -> tuple[ast.Node | None, tuple[Diagnostic, ...]]:
    """Returns the node that an object describes (None if it has errors) and the problems."""
    builder = _Builder()
    try:
        node = builder.object(datum, ObjectShape(tuple(class_of_kind().values())))
    except _TooMany:
        node = None
    return (None if builder.problems else node), tuple(builder.problems)


class _TooMany(Exception):
    """Enough problems have been found."""


class _Builder:
    def __init__(self) -> None:
        self.problems: list[Diagnostic] = []

    def report(
        self, code: str, datum: Datum, *, at: str | None = None, near: tuple[str, ...] = (), **names: Any
    ) -> None:
        """Adds a problem with a value, or with its key ``at``."""
        span = datum.span if at is None else datum.key_span(at)
        pointer = datum.pointer if at is None else pointer_to(datum.pointer, at)
        self.problems.append(data_problem(code, span, pointer, near=near, **names))
        if len(self.problems) >= MOST_PROBLEMS:
            raise _TooMany

    def wrong_type(self, datum: Datum, wanted: str) -> None:
        self.report("E0623", datum, wanted=wanted, got=describe(datum))

    # A wrong value is reported and becomes None; the tree is then discarded.
    def value(self, datum: Datum, shape: Shape) -> Any:
        match shape:
            case ObjectShape():
                return self.object(datum, shape)
            case ListShape():
                return self.list(datum, shape)
            case TextShape(text):
                return self.text(datum, text)
            case WrappedShape(cls, _, text):
                inner = self.text(datum, text)
                return None if inner is None else self.place(cls(inner, span=datum.span))
            case ChoiceShape(words):
                return self.choice(datum, words)
            case NumberShape(low, high):
                return self.number(datum, low, high)
            case BoolShape():
                return self.truth(datum)
            case NotesShape():
                return self.notes(datum)

    def object(self, datum: Datum, shape: ObjectShape) -> ast.Node | None:
        datum = in_present_form(datum)
        entries = datum.value
        if not isinstance(entries, dict):
            self.wrong_type(datum, f"an object ({_kinds(shape)})")
            return None
        cls = self.class_of(datum, entries, shape)
        if cls is None:
            return None
        return self.place(cls(**self.fields(datum, entries, cls, kind_of(cls)), span=datum.span))

    def place(self, node: ast.Node) -> ast.Node:
        """Returns the node, and registers it so that messages quote its text for its place in the file."""
        if isinstance(node.span.source, DataSource):
            node.span.source.nodes[(node.span.start, node.span.end)] = node
        return node

    def class_of(self, datum: Datum, entries: dict[str, Datum], shape: ObjectShape) -> type | None:
        if "kind" not in entries:
            misspelt = get_close_matches("kind", entries, n=1, cutoff=0.6)
            self.report("E0633", datum, near=("kind",) if misspelt else (), kinds=_kinds(shape))
            return None
        kind = entries["kind"]
        cls = class_of_kind().get(kind.value) if isinstance(kind.value, str) else None
        if cls is None:
            near = _near_kind(datum, tuple(kind_of(c) for c in shape.classes))
            self.report("E0622", kind, near=near, kind=_shown(kind), kinds=_kinds(shape))
        elif cls not in shape.classes:
            self.report("E0629", kind, kind=kind.value, kinds=_kinds(shape))
        else:
            return cls
        return None

    def notes(self, datum: Datum) -> ast.Notes | None:
        if not isinstance(datum.value, dict):
            self.wrong_type(datum, "an object with the keys `cites`, `before`, `behind`, `gap`")
            return None
        return ast.Notes(**self.fields(datum, datum.value, ast.Notes, "notes"))

    def fields(self, datum: Datum, entries: dict[str, Datum], cls: type, kind: str) -> dict[str, Any]:
        known = {f.key: f for f in fields_of(cls)}
        extra = () if kind == "notes" else ("kind",)
        unknown = [key for key in entries if key not in known and key not in extra]
        missing = [key for key in known if key not in entries]
        for key in unknown:
            near = tuple(get_close_matches(key, missing, n=1, cutoff=0.5) or get_close_matches(key, known, n=1))
            self.report("E0620", datum, at=key, key=key, near=near, kind=kind, keys=", ".join([*extra, *known]))
        misspelt = {n for key in unknown for n in get_close_matches(key, missing, n=1, cutoff=0.5)}
        values: dict[str, Any] = {}
        for key, field in known.items():
            if key in entries:
                values[field.name] = self.value(entries[key], field.shape)
                continue
            values[field.name] = None if field.required else field.default
            if field.required and key not in misspelt:
                self.report("E0621", datum, kind=kind, shape=f"`{key}`: {field_in_words(field)}", key=key)
        return values

    def list(self, datum: Datum, shape: ListShape) -> tuple[Any, ...]:
        if not isinstance(datum.value, list):
            self.wrong_type(datum, "a list")
            return ()
        if len(datum.value) < shape.least:
            self.report("E0627", datum, least=shape.least, count=len(datum.value))
        return tuple(self.value(item, shape.item) for item in datum.value)

    def text(self, datum: Datum, kind: TextKind) -> str | None:
        if not isinstance(datum.value, str):
            self.wrong_type(datum, _TEXT_WORDS[kind])
            return None
        if not _pattern(kind).fullmatch(datum.value):
            self.report(_TEXT_CODES[kind], datum, got=_shown(datum))
        return datum.value

    def choice(self, datum: Datum, words: tuple[str, ...]) -> str | None:
        if not isinstance(datum.value, str):
            self.wrong_type(datum, "one of " + ", ".join(words))
            return None
        if datum.value not in words:
            near = tuple(get_close_matches(datum.value, words, n=3, cutoff=0.5))
            self.report("E0624", datum, near=near, got=_shown(datum), words=", ".join(words))
        return datum.value

    def number(self, datum: Datum, low: int, high: int) -> int | None:
        if not isinstance(datum.value, int) or isinstance(datum.value, bool):
            self.wrong_type(datum, "a whole number")
            return None
        if not low <= datum.value <= high:
            self.report("E0628", datum, got=datum.value, low=low, high=high)
        return datum.value

    def truth(self, datum: Datum) -> bool | None:
        if not isinstance(datum.value, bool):
            self.wrong_type(datum, "true or false")
            return None
        return datum.value


# ------------------------------------------------------------------------------------------------------ wording

_TEXT_WORDS: dict[TextKind, str] = {
    "name": "a name (a string)",
    "clause": "a clause's number (a string in quotes)",
    "text": "a string",
    "comment": "a comment (a string)",
}
_TEXT_CODES: dict[TextKind, str] = {"name": "E0625", "clause": "E0632", "text": "E0626", "comment": "E0626"}


@cache
def _pattern(kind: TextKind) -> re.Pattern[str]:
    return re.compile(PATTERNS[kind])


def describe(datum: Datum) -> str:
    """Describes a value in a few words."""
    match datum.value:
        case dict() if isinstance(datum.value.get("kind"), Datum):
            return f"an object ({_shown(datum.value['kind'])})"
        case dict():
            return "an object"
        case list():
            return "a list"
        case None:
            return "nothing (null)"
        case bool():
            return str(datum.value).lower()
        case str():
            return f"the string {_shown(datum)}"
        case _:
            return f"the number {datum.value}"


def _shown(datum: Datum) -> str:
    text = repr(datum.value) if isinstance(datum.value, dict | list) else str(datum.value)
    short = text if len(text) <= 40 else text[:37] + "..."
    return f'"{short}"' if isinstance(datum.value, str) else short


def _near_kind(datum: Datum, kinds: tuple[str, ...]) -> tuple[str, ...]:
    said = kind_text(datum)
    return tuple(get_close_matches(said, kinds, n=3, cutoff=0.5)) if said else ()


def _kinds(shape: ObjectShape) -> str:
    names = [kind_of(c) for c in shape.classes]
    return ", ".join(names) if len(names) <= 24 else ", ".join(names[:22]) + " ..."


def field_in_words(field: FieldShape) -> str:
    """Describes the value that a key needs, for a help line."""
    match field.shape:
        case TextShape(text) | WrappedShape(_, _, text):
            return _TEXT_WORDS[text]
        case NumberShape():
            return "a whole number"
        case BoolShape():
            return "true or false"
        case ChoiceShape(words):
            return "one of " + ", ".join(words)
        case ListShape():
            return "a list"
        case ObjectShape() as shape:
            return f"an object ({_kinds(shape)})"
        case NotesShape():
            return "an object"
