"""Reads ``NAME.examples.yaml`` into plain examples with their places.

Input is bounded and checked against the schema.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match

from gamedsl.language.rules import decoded
from gamedsl.language.source import (
    Diagnostic,
    FileError,
    GameDSLError,
    Source,
    Span,
    first_unfit,
    lazy_dataclass,
    read_file,
    reason,
    resource_path,
)
from gamedsl.language.syntax import Datum, data_problem, plain, read_document

MOST_PROBLEMS = 50
MOST_BYTES = 5_000_000
SUFFIX = ".examples.yaml"

Plain: TypeAlias = str | int | bool | None
Found: TypeAlias = Plain | list[Plain]
OptionValue: TypeAlias = str | int | bool
Cell: TypeAlias = tuple[str, str]  # ("legal_count", ""), ("value", "count(empty)") ...
EXPECTED = ("to_move", "only", "legal_count", "winners", "scores", "value", "perft", "board")
COLUMNS = ("to_move", "legal_count", "winners")  # the columns of a table other than ``moves`` and expressions


@lazy_dataclass(frozen=True)
class Refused:
    """A move that must be refused, with ``clause`` and ``says`` for a reason with this citation and text."""

    move: str
    clause: str | None = None
    says: str | None = None


@lazy_dataclass(frozen=True)
class Example:
    """A position (``position``, ``moves``, ``random``, ``values``, ``then``, in sequence) and what must hold in it.

    ``position``: where it begins, as it is written in the file (None: the start of the game). ``cells``: the place
    in the file of each expectation, by ``EXPECTED``'s names (values by expression).
    """

    name: str
    span: Span
    clauses: tuple[str, ...] = ()
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    position: Datum | None = field(default=None, compare=False, repr=False)
    moves: tuple[str, ...] = ()
    seed: int | None = None
    plies: int | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    then: tuple[str, ...] = ()
    legal: tuple[str, ...] = ()
    only: tuple[str, ...] | None = None
    illegal: tuple[Refused, ...] = ()
    legal_count: int | None = None
    to_move: tuple[str, ...] | None = None
    winners: tuple[str, ...] | None = None
    scores: Mapping[str, int] | None = None
    value: Mapping[str, Found] = field(default_factory=dict)
    perft: tuple[int, ...] = ()
    board: tuple[str, ...] = ()
    cells: Mapping[Cell, Datum] = field(default_factory=dict, compare=False, repr=False)
    set_at: Datum | None = field(default=None, compare=False, repr=False)  # the place of ``values`` in the file


def examples_path(ruleset: Path) -> Path:
    """Returns the path of a ruleset's examples: beside it, with the extension ``.examples.yaml``."""
    return ruleset.with_name(ruleset.stem + SUFFIX)


def read_examples(path: Path) -> list[Example]:
    """Returns the examples in a file.

    Raises ``GameDSLError`` with all problems in it, and ``FileError`` if it cannot be read.
    """
    return examples_in(Source(str(path), decoded(examples_data(path), path)))


def examples_data(path: Path) -> bytes:
    """Returns what is in a file of examples. Raises ``FileError`` if it cannot be read."""
    try:
        return read_file(path, MOST_BYTES)
    except OSError as problem:
        raise FileError(f"`{path}` cannot be read: {reason(problem)}", code="E0003") from None


def examples_in(source: Source) -> list[Example]:
    """Returns the examples in a source, in order. Raises ``GameDSLError`` with all problems in it."""
    document = read_document(source)
    problems = [*_unfit(document), *_problems(document)]
    if problems:
        raise GameDSLError(*problems)
    whole = plain(document)
    common = whole.get("options", {})
    openings: dict[str, list[str]] = whole.get("openings", {})
    places = [*_items(document, "examples"), *_items(document, "tables")]
    unknown = [p for p in places if _opening(p) not in (None, *openings)]
    if unknown:
        raise GameDSLError(*(_no_opening(p, list(openings)) for p in unknown))
    found: list[Example] = []
    for place in places:
        data = plain(place)
        opening = openings.get(data.get("opening", ""), [])
        found += _rows(place, common, opening) if "rows" in data else [_example(data, place, common, opening)]
    return found


def _unfit(datum: Datum) -> Iterator[Diagnostic]:
    """Yields errors for strings with characters that would disturb the display."""
    match datum.value:
        case dict() as entries:
            for key, value in entries.items():
                if bad := first_unfit(key):
                    yield data_problem("E0612", datum.key_span(key), character=f"U+{ord(bad):04X}")
                yield from _unfit(value)
        case list() as items:
            for item in items:
                yield from _unfit(item)
        case str() as text:
            if bad := first_unfit(text, lines=True):
                yield data_problem("E0612", datum.span, datum.pointer, character=f"U+{ord(bad):04X}")


def _items(document: Datum, key: str) -> list[Datum]:
    """Returns the items listed under a key of the document."""
    assert isinstance(document.value, dict)
    listed = document.value[key].value if key in document.value else []
    assert isinstance(listed, list)
    return listed


def _opening(place: Datum) -> str | None:
    name: str | None = plain(place).get("opening")
    return name


def _no_opening(place: Datum, known: list[str]) -> Diagnostic:
    assert isinstance(place.value, dict)
    datum, name = place.value["opening"], _opening(place) or ""
    near = tuple(get_close_matches(name, known, n=3))
    return data_problem("E0643", datum.span, datum.pointer, near=near, problem=f"there is no opening called {name}")


def _example(data: dict[str, Any], place: Datum, common: Mapping[str, OptionValue], opening: list[str]) -> Example:
    random = data.get("random", {})
    result = data.get("result", {})
    return Example(
        name=data["name"],
        span=place.span,
        clauses=tuple(data.get("clauses", ())),
        options={**common, **data.get("options", {})},
        position=place.value.get("position") if isinstance(place.value, dict) else None,
        moves=(*opening, *data.get("moves", ())),
        seed=random.get("seed"),
        plies=random.get("plies"),
        values=data.get("set", {}),
        then=tuple(data.get("then", ())),
        legal=tuple(data.get("legal", ())),
        only=tuple(data["only"]) if "only" in data else None,
        illegal=tuple(_refused(x) for x in data.get("illegal", ())),
        legal_count=data.get("legal_count"),
        to_move=_names(data.get("to_move")),
        winners=tuple(result["winners"]) if "winners" in result else None,
        scores=result.get("scores"),
        value=data.get("value", {}),
        perft=tuple(data.get("perft", ())),
        board=tuple(data.get("board", ())),
        cells=_cells(place),
        set_at=place.value.get("set") if isinstance(place.value, dict) else None,
    )


def _cells(place: Datum) -> dict[Cell, Datum]:
    """Returns the places of an example's expectations."""
    assert isinstance(place.value, dict)
    found: dict[Cell, Datum] = {}
    for key, datum in place.value.items():
        inner = datum.value
        if key == "result" and isinstance(inner, dict):
            found |= {(name, ""): d for name, d in inner.items()}
        elif key == "value" and isinstance(inner, dict):
            found |= {("value", text): d for text, d in inner.items()}
        elif key in EXPECTED:
            found[key, ""] = datum
    return found


def _rows(place: Datum, common: Mapping[str, OptionValue], opening: list[str]) -> list[Example]:
    """Returns one example for each row of a table. Raises ``GameDSLError`` if a row's length differs from the
    columns'.
    """
    table = plain(place)
    columns: list[str] = table["columns"]
    assert isinstance(place.value, dict)
    rows = place.value["rows"].value
    assert isinstance(rows, list)
    wrong = [r for r in rows if not isinstance(r.value, list) or len(r.value) != len(columns)]
    if wrong:
        problem = f"a row needs a value for each of the {len(columns)} columns"
        raise GameDSLError(*(data_problem("E0643", r.span, r.pointer, problem=problem) for r in wrong))
    start = [*opening, *table.get("moves", ())]
    shared = {"clauses": table.get("clauses", ()), "options": table.get("options", {})}
    return [
        _row(r, columns, start, {**shared, "name": f"{table['name']}, row {n}"}, common) for n, r in enumerate(rows, 1)
    ]


def _row(
    row: Datum, columns: list[str], start: list[str], data: dict[str, Any], common: Mapping[str, OptionValue]
) -> Example:
    assert isinstance(row.value, list)
    cells: dict[Cell, Datum] = {}
    values: dict[str, Found] = {}
    for column, datum in zip(columns, row.value, strict=True):
        cell = plain(datum)
        if column == "moves":
            listed = cell.split(";") if isinstance(cell, str) else cell or []
            data["moves"] = [str(m).strip() for m in listed if str(m).strip()]
        elif column in COLUMNS:
            cells[column, ""] = datum
            data |= {"result": {"winners": cell}} if column == "winners" else {column: cell}
            _check_cell(column, datum)
        else:
            cells["value", column] = datum
            values[column] = cell
    made = _example({**data, "value": values}, Datum({}, row.span), common, start)
    return replace(made, cells=cells)


def _check_cell(column: str, datum: Datum) -> None:
    """Raises ``GameDSLError`` if a cell's value has the wrong type for its column."""
    kinds: dict[str, tuple[type, ...]] = {"to_move": (str, list), "legal_count": (int,), "winners": (list,)}
    if isinstance(datum.value, bool) or not isinstance(datum.value, kinds[column]):
        wanted = {"to_move": "a name or a list of names", "legal_count": "a number", "winners": "a list of names"}
        raise GameDSLError(
            data_problem("E0642", datum.span, datum.pointer, wanted=wanted[column], got=_shown(plain(datum)))
        )


def _refused(data: str | dict[str, str]) -> Refused:
    return Refused(data) if isinstance(data, str) else Refused(data["move"], data.get("clause"), data.get("says"))


def _names(data: str | list[str] | None) -> tuple[str, ...] | None:
    return None if data is None else (data,) if isinstance(data, str) else tuple(data)


# ------------------------------------------------------------------------------------------------------ the schema


@cache
def _validator() -> Draft202012Validator:
    return Draft202012Validator(
        json.loads(resource_path("grammar", "examples.schema.json").read_text(encoding="utf-8"))
    )


def _problems(document: Datum) -> list[Diagnostic]:
    found = []
    for error in _validator().iter_errors(plain(document)):
        found.append(_problem(document, error))
        if len(found) >= MOST_PROBLEMS:
            break
    return found


def _problem(document: Datum, error: ValidationError) -> Diagnostic:
    """Converts an error of the schema to a diagnostic, the most specific one if it has several, at its place in the
    file.
    """
    if error.context and error.validator == "anyOf" and not all(e.validator == "required" for e in error.context):
        misspelt = [e for e in error.context if e.validator == "additionalProperties"]
        error = misspelt[0] if misspelt else best_match([error]) or error
    datum = _at(document, error.absolute_path)
    schema: Any = error.schema
    asked: Any = error.validator_value
    match error.validator:
        case "additionalProperties" if isinstance(error.instance, dict):
            known = list(schema.get("properties", ()))
            key = next((k for k in error.instance if k not in known), "")
            near = tuple(get_close_matches(key, known, n=3))
            return data_problem("E0640", datum.key_span(key), datum.pointer, key=key, near=near, keys=", ".join(known))
        case "required":
            instance: Any = error.instance
            missing = [k for k in asked if k not in instance]
            words = "the key {} is missing" if len(missing) == 1 else "the keys {} are missing"
            problem = words.format(", ".join(f"`{k}`" for k in missing))
            return data_problem("E0641", datum.span, datum.pointer, problem=problem, hint="add the missing keys")
        case "anyOf":
            keys = ", ".join(f"`{s['required'][0]}`" for s in asked if "required" in s)
            if not keys:
                problem = "this is not allowed here"
                return data_problem("E0641", datum.span, datum.pointer, problem=problem, hint="write a value or a list")
            problem = "this example checks nothing"
            return data_problem("E0641", datum.span, datum.pointer, problem=problem, hint=f"add one of {keys}")
        case "type":
            wanted = " or ".join(SORTS[sort] for sort in ([asked] if isinstance(asked, str) else asked))
            return data_problem("E0642", datum.span, datum.pointer, wanted=wanted, got=_shown(error.instance))
        case _:
            wrong: Any = error.instance
            is_key = isinstance(datum.value, dict) and isinstance(wrong, str) and wrong in datum.value
            span = datum.key_span(wrong) if is_key else datum.span
            return data_problem("E0643", span, datum.pointer, problem=error.message[:200])


def _at(document: Datum, path: Any) -> Datum:
    datum = document
    for step in path:
        inner = datum.value
        if (isinstance(inner, dict) and step in inner) or (isinstance(inner, list) and isinstance(step, int)):
            datum = inner[step]
    return datum


SORTS = {  # types of JSON Schema, in an author's words
    "object": "keys with values", "array": "a list", "string": "text", "integer": "a whole number", "number": "a number",
    "boolean": "true or false", "null": "nothing",
}  # fmt: skip


def _shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."
