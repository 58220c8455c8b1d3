"""Which declarations mention which: the call hierarchy of an editor, across variants and used rulesets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gamedsl.editor.desk import Desk
from gamedsl.editor.name_occurrences import occurrences
from gamedsl.editor.navigation import Place, find_definition, find_references
from gamedsl.editor.outline import Declared, outline
from gamedsl.language.source import Source

# declarations that are mentioned by their name and have a body that mentions others
_CALLED = frozenset({"define", "table", "move", "action"})
_AROUND = frozenset({"part", "in"})


class Caller(NamedTuple):
    """A declaration of a file with the places that make it one: where it mentions a name, or where it is mentioned."""

    path: str
    declared: Declared
    places: tuple[Place, ...]


def called_at(desk: Desk, source: Source, offset: int) -> tuple[str, Declared] | None:
    """The file and the declaration of the name at a place, if it is one with a body."""
    found = find_definition(desk, source, offset)
    if not found:
        return None
    home = desk.source(found[0].path)
    one = None if home is None else declaration_at(home, found[0].start)
    is_its_name = one is not None and one.start == found[0].start and one.kind in _CALLED
    return (home.path, one) if home is not None and one is not None and is_its_name else None


def callers(desk: Desk, source: Source, offset: int) -> list[Caller]:
    """The declarations that mention the name at a place, in the order in which they are found."""
    found: dict[tuple[str, int], tuple[Declared, list[Place]]] = {}
    declared = set(find_definition(desk, source, offset))
    for place in find_references(desk, source, offset):
        other = desk.source(place.path)
        around = None if other is None or place in declared else declaration_at(other, place.start)
        if around is not None:
            found.setdefault((place.path, around.full_start), (around, []))[1].append(place)
    return [Caller(path, one, tuple(places)) for (path, _), (one, places) in found.items()]


def callees(desk: Desk, source: Source, declared: Declared) -> list[Caller]:
    """The declarations that a declaration mentions, each with the places in it that do."""
    found: dict[tuple[str, int], tuple[Declared, list[Place]]] = {}
    for name in occurrences(source):
        if declared.full_start <= name.start < declared.full_end and not name.is_binding:
            called = called_at(desk, source, name.start)
            if called is not None:
                path, one = called
                places = found.setdefault((path, one.full_start), (one, []))[1]
                places.append(Place(source.path, name.start, name.end))
    return [Caller(path, one, tuple(places)) for (path, _), (one, places) in found.items()]


def declaration_at(source: Source, offset: int) -> Declared | None:
    """The declaration around a place; inside a part, the one there."""
    return next((one for one in _all(source) if one.full_start <= offset <= one.full_end), None)


def _all(source: Source) -> Iterator[Declared]:
    for one in outline(source):
        if one.kind in _AROUND:
            yield from (child for child in one.children)
        yield one
