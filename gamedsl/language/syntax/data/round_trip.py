"""Finds trees that have no text form, by printing a tree and parsing the text again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gamedsl.language.source import Diagnostic, Source
from gamedsl.language.syntax import ast
from gamedsl.language.syntax.data.data_shapes import fields_of
from gamedsl.language.syntax.data.datum import Datum
from gamedsl.language.syntax.data.messages import data_problem
from gamedsl.language.syntax.parser import parse_ruleset
from gamedsl.language.syntax.print.printer import format_ruleset


def unwritable(tree: ast.Ruleset, document: Datum) -> Diagnostic | None:
    """Returns a problem if parsing the tree's canonical text does not give the same tree (a name that is a keyword,
    say).
    """
    again, problems = parse_ruleset(Source(document.span.source.path, format_ruleset(tree)))
    if not problems and (again == tree or _without_gaps(again) == _without_gaps(tree)):
        return None
    place, kind = _first_difference(_without_gaps(tree), _without_gaps(again), document)
    if any(d.code == "E0116" for d in problems):
        return data_problem("E0634", place.span, place.pointer)
    return data_problem("E0630", place.span, place.pointer, kind=kind, expected="")


def _without_gaps(part: Any) -> Any:
    """Returns a tree without its empty lines, because the printer always puts one before some declarations."""
    match part:
        case tuple():
            return tuple(_without_gaps(x) for x in part)
        case ast.Notes():
            return replace(part, gap=False)
        case ast.Node():
            values = {f.name: getattr(part, f.name) for f in fields_of(type(part))}
            return replace(part, **{name: _without_gaps(v) for name, v in values.items() if isinstance(v, _PARTS)})
        case _:
            return part


_PARTS = (tuple, ast.Notes, ast.Node)


def _first_difference(tree: ast.Ruleset, again: ast.Ruleset, document: Datum) -> tuple[Datum, str]:
    """Returns the smallest object whose node differs in the tree that was parsed again, and its kind."""
    datum: Datum = document
    ours: Any = tree
    theirs: Any = again
    kind = "ruleset"
    while True:
        step = _differing_part(ours, theirs)
        if step is None or not isinstance(datum.value, dict) or step[0] not in datum.value:
            return datum, kind
        key, ours, theirs, number = step
        datum = datum.value[key]
        if number is not None and isinstance(datum.value, list):
            datum = datum.value[number]
        kind = kind_text(datum) or kind
        if type(ours) is not type(theirs):
            return datum, kind


def _differing_part(ours: Any, theirs: Any) -> tuple[str, Any, Any, int | None] | None:
    """Returns the first field in which two nodes of one class differ: its key, both values, and the index in a list."""
    if not isinstance(ours, ast.Node | ast.Notes) or type(ours) is not type(theirs):
        return None
    for field in fields_of(type(ours)):
        mine, other = getattr(ours, field.name), getattr(theirs, field.name)
        if mine == other:
            continue
        if isinstance(mine, tuple) and isinstance(other, tuple):
            for number, one in enumerate(mine):
                two = other[number] if number < len(other) else None
                if one != two:
                    return field.key, one, two, number
        return field.key, mine, other, None
    return None


def kind_text(datum: Datum) -> str | None:
    """Returns the value of an object's key ``kind``; None if it has none."""
    if isinstance(datum.value, dict) and "kind" in datum.value:
        kind = datum.value["kind"].value
        return kind if isinstance(kind, str) else None
    return None
