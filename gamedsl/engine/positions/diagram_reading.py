"""A written diagram -> the contents of the board."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Any

from gamedsl.engine.positions.diagram import NOTHING, Content, Diagram
from gamedsl.engine.positions.names import slot_names
from gamedsl.engine.positions.plain_values import value_text
from gamedsl.engine.positions.refused import refusal
from gamedsl.language.core import nodes as n
from gamedsl.language.source import Span
from gamedsl.language.syntax import Datum

Word = tuple[str, Datum]
Row = tuple[Datum, list[Word]]
_WORD = re.compile(r"[^\s\"']+")
MOST_LISTED = 30
CURE = "write a word for every cell; a dot is an empty cell"


def read_diagram(diagram: Diagram, place: Datum, rows: list[Row] | None = None) -> list[tuple[n.Var, Any, Datum]]:
    """Returns the variables to which the diagram at a place gives values, each with its plain value and the places of
    the parts of that value. ``rows``: its rows, if they have been read already. Raises ``GameDSLError`` if rows or
    cells are missing (E0650), a row is not text (E0642), or a symbol is unknown (E0651)."""
    found: dict[int, dict[int, list[Datum]]] = {v.index: {s: [] for s in range(_slots(v))} for v in diagram.variables}
    values: dict[int, dict[int, Datum]] = {v.index: {} for v in diagram.variables}
    for cell, (word, datum) in _cells(diagram, place, _rows(place) if rows is None else rows):
        index, slot, value = _meaning(diagram, cell, word, datum)
        if index < 0:
            continue
        if diagram.pieces:
            found[index][slot] += [Datum(diagram.cells.names[cell], datum.span, datum.pointer)] * value
        else:
            values[index][cell] = Datum(value, datum.span, datum.pointer)
    if diagram.pieces:
        return [_piece(v, found[v.index], place) for v in diagram.variables]
    return [_mapped(v, values[v.index], place) for v in diagram.variables]


def _slots(var: n.Var) -> int:
    return var.slots if isinstance(var.type, n.SetT) else 1


def _piece(var: n.Var, slots: dict[int, list[Datum]], place: Datum) -> tuple[n.Var, Any, Datum]:
    """The value of a piece's variable: the cells of each of its slots, including empty ones."""
    names = slot_names(var.keys)
    lists = {names[s]: Datum([*items], items[0].span if items else place.span) for s, items in slots.items()}
    plain = {name: [d.value for d in _items(datum)] for name, datum in lists.items()}
    if not var.keys:
        return var, plain[""], lists[""]
    return var, plain, Datum(lists, place.span)


def _items(datum: Datum) -> list[Datum]:
    assert isinstance(datum.value, list)
    return datum.value


def _mapped(var: n.Var, cells: dict[int, Datum], place: Datum) -> tuple[n.Var, Any, Datum]:
    names = var.keys[0].names
    inner = {names[cell]: datum for cell, datum in cells.items()}
    plain = {name: value_text(var.type, datum.value) for name, datum in inner.items()}  # type: ignore[arg-type]
    return var, plain, Datum(inner, place.span)


def _meaning(diagram: Diagram, cell: int, word: str, datum: Datum) -> Content:
    known = diagram.symbols[cell]
    if word in known:
        return known[word]
    if word == "." and NOTHING in known.values():
        return NOTHING
    raise refusal(
        "E0651", datum, near=tuple(get_close_matches(word, known, n=3)), word=word,
        cell=diagram.cells.names[cell], known=_listed(known),
    )  # fmt: skip


def _listed(known: dict[str, Content]) -> str:
    words = list(known)
    return ", ".join(words[:MOST_LISTED]) + (", ..." if len(words) > MOST_LISTED else "")


# ------------------------------------------------------------------------------------------------------------ rows


def _cells(diagram: Diagram, place: Datum, rows: list[Row]) -> list[tuple[int, Word]]:
    """Every cell with its word."""
    if len(rows) != len(diagram.rows):
        raise refusal("E0650", place, problem=f"the board has {len(diagram.rows)} rows, not {len(rows)}", cure=CURE)
    found: list[tuple[int, Word]] = []
    for cells, (line, words) in zip(diagram.rows, rows, strict=True):
        if len(words) != len(cells):
            names = f"{diagram.cells.names[cells[0]]} to {diagram.cells.names[cells[-1]]}"
            problem = f"the row {names} has {len(cells)} cells, not {len(words)}"
            raise refusal("E0650", line, problem=problem, cure=CURE)
        found += zip(cells, words, strict=True)
    return found


def _rows(place: Datum) -> list[Row]:
    """The rows of a diagram: the strings of a list, or the lines of one string."""
    if isinstance(place.value, str):
        lines = [line for line in place.value.splitlines() if line.strip()]
        return [(datum, _words(line, datum)) for line, datum in zip(lines, _lines(place, len(lines)), strict=True)]
    if isinstance(place.value, list):
        return [(row, _words(_text(row), row)) for row in place.value]
    raise refusal("E0642", place, wanted="a list of rows", got="another value")


def _text(row: Datum) -> str:
    if isinstance(row.value, bool) or not isinstance(row.value, str | int):
        raise refusal("E0642", row, wanted="a row of symbols in quotes", got="another value")
    return str(row.value)


def _lines(place: Datum, count: int) -> list[Datum]:
    """The places of the lines of a string."""
    source, start = place.span.source, place.span.start
    spans = []
    for line in source.text[start : place.span.end].splitlines(keepends=True):
        if line.strip():
            spans.append(Span(source, start, start + len(line.rstrip())))
        start += len(line)
    spans = spans[-count:]  # without the mark that begins the string
    return [Datum("", s, place.pointer) for s in spans] if len(spans) == count else [place] * count


def _words(text: str, place: Datum) -> list[Word]:
    """The words of a row, each with its place; with the place of the row if the words are not in the file as they
    are."""
    words = text.split()
    span = place.span
    found = list(_WORD.finditer(span.source.text, span.start, span.end))
    if [m[0] for m in found] != words:
        return [(w, place) for w in words]
    return [(m[0], Datum(m[0], Span(span.source, m.start(), m.end()), place.pointer)) for m in found]
