"""Where names occur in a text, and which of them mean the same.

The language forbids a name inside a declaration that the ruleset already uses, so a name is either bound somewhere in its
declaration, and means that in all of it, or it belongs to the ruleset (to its part, if that declares it). Attributes of pieces are
apart from these: they stand after a dot and in `with`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from gamedsl.editor.name_roles import ATTRIBUTE, LANGUAGE, RULESET, bound, elements, results, roles, tuple_parts
from gamedsl.editor.outline import Declared, declared_names, outline
from gamedsl.editor.stretches import Row, Stretch, stretches
from gamedsl.language.rules import builtin_words
from gamedsl.language.source import Source, lazy_dataclass

_FILLED = re.compile(r"\{(?:\w+ of )?([A-Za-z_]\w*)\}")
_CALLED = frozenset({"define", "action", "move"})
_HIDDEN = frozenset({"variable", "piece", "token"})


class Occurrence(NamedTuple):
    """A name in a text. ``scope``: where the stretch begins that binds it, or the part that declares it, or one of those of
    ``name_roles``.
    """

    start: int
    end: int
    name: str
    scope: int
    is_binding: bool


@lazy_dataclass(frozen=True, slots=True)
class _Bound:
    """A stretch of a text, and the names that it binds for itself."""

    stretch: Stretch
    places: frozenset[int]
    names: frozenset[str]


@lazy_dataclass(frozen=True, slots=True)
class _Names:
    """What a text declares: the scope by place, the names by scope, those that are called like functions, those that can be hidden, and
    types of which there are tuples.
    """

    places: Mapping[int, int]
    scopes: Mapping[int, frozenset[str]]
    called: frozenset[str]
    hidden: frozenset[str]
    parts: frozenset[str]

    @property
    def attributes(self) -> frozenset[str]:
        return self.scopes.get(ATTRIBUTE, frozenset())

    def of_attribute(self, name: str) -> int:
        """The scope of an attribute. A dot before the name of a type can mean a part of a tuple, too: then both are one name."""
        return RULESET if name in self.parts else ATTRIBUTE


@lru_cache(maxsize=64)
def occurrences(source: Source) -> tuple[Occurrence, ...]:
    """All names of a source, in order."""
    return tuple(sorted(_found(source)))


def _found(source: Source) -> Iterator[Occurrence]:
    pieces = [_bound(one) for one in stretches(source)]
    names = _declared(source, pieces)
    mentioned = _mentioned(pieces)
    for number, one in enumerate(pieces):
        here = [one, *mentioned.get(number, ())]
        ends = results(one.stretch)
        for row in one.stretch.rows:
            given = dict(roles(row, one.stretch))
            for at, token in enumerate(row.tokens):
                if token.kind == "string":
                    for filled in _FILLED.finditer(token.text):
                        start, name = token.start + filled.start(1), filled[1]
                        yield Occurrence(start, start + len(name), name, _looked_up(names, here, name), False)
                elif token.kind == "name":
                    scope = given[token.start] if token.start in given else _scope(names, here, ends, row, at)
                    scope = names.of_attribute(token.text) if scope == ATTRIBUTE else scope
                    binds = token.start in one.places or token.start in names.places
                    if scope is not None:
                        yield Occurrence(token.start, token.end, token.text, scope, binds)


def _scope(names: _Names, here: Sequence[_Bound], ends: frozenset[str], row: Row, at: int) -> int:
    """The scope of a name that stands alone, is called, or follows a dot."""
    token = row.tokens[at]
    if token.start in names.places:
        return names.places[token.start]
    before = row.tokens[at - 1].text if at else ""
    if before == ".":
        return LANGUAGE if at > 1 and row.tokens[at - 2].text in ends else ATTRIBUTE
    if here[0].stretch.kind == "claim" and token.text in names.attributes - names.hidden:
        if any(t.text == "tell" for t in row.tokens[:at]):  # `moves may tell rank`
            return ATTRIBUTE
    scope = _looked_up(names, here, token.text)
    is_called = at + 1 < len(row.tokens) and row.tokens[at + 1].text == "(" and token.text in builtin_words()
    return LANGUAGE if is_called and scope < 0 and token.text not in names.called else scope


def _looked_up(names: _Names, here: Sequence[_Bound], name: str) -> int:
    """The stretch that binds a name, else the part that declares it, else the ruleset."""
    for one in here:
        if name in one.names:
            return one.stretch.start
    part = here[0].stretch.part
    return part if part >= 0 and name in names.scopes.get(part, ()) else RULESET


def _bound(stretch: Stretch) -> _Bound:
    found = list(bound(stretch))
    return _Bound(stretch, frozenset(t.start for t in found), frozenset(t.text for t in found))


def _declared(source: Source, pieces: Sequence[_Bound]) -> _Names:
    places: dict[int, int] = {}
    scopes: dict[int, set[str]] = {}
    kinds: dict[str, set[str]] = {}
    declared = list(_with_scopes(source))
    types = {one.name for one, _ in declared if one.kind == "type"}
    parts = frozenset(types.intersection(n for p in pieces for n in tuple_parts(p.stretch)))
    for one, scope in declared:
        places[one.start] = RULESET if scope == ATTRIBUTE and one.name in parts else scope
        scopes.setdefault(scope, set()).add(one.name)
        kinds.setdefault(one.kind if scope != ATTRIBUTE else "attribute", set()).add(one.name)
    for piece in pieces:
        for token in elements(piece.stretch):
            places[token.start] = piece.stretch.part
            scopes.setdefault(piece.stretch.part, set()).add(token.text)
    called, hidden = (frozenset().union(*(kinds.get(kind, ()) for kind in of)) for of in (_CALLED, _HIDDEN))
    return _Names(places, {scope: frozenset(held) for scope, held in scopes.items()}, called, hidden, parts)


def _with_scopes(source: Source) -> Iterator[tuple[Declared, int]]:
    """The names that the outline of a text knows, each with its scope."""
    known = {one.start for one in declared_names(source)}
    for one in outline(source):
        is_part = one.kind in ("part", "in")
        for outer in one.children if is_part else (one,):
            scope = one.full_start if is_part else RULESET
            for declared in outer.walk():
                is_attribute = outer.kind in ("piece", "token") and declared.kind == "variable"
                if declared.start in known:
                    yield declared, ATTRIBUTE if is_attribute else scope
        if is_part and one.start in known:
            yield one, RULESET


def _mentioned(pieces: Sequence[_Bound]) -> dict[int, list[_Bound]]:
    """For the lines of looks and notations: the moves whose parameters can be named there. In a look they are those after `after` in the
    line, in a notation those of the `move` line above.
    """
    moves = {(one.stretch.part, _second(one)): one for one in pieces if one.stretch.kind == "move"}
    found: dict[int, list[_Bound]] = {}
    current: list[_Bound] = []
    depth = -1
    for number, one in enumerate(pieces):
        row, part = one.stretch.rows[0], one.stretch.part
        if one.stretch.kind == "look":
            found[number] = [moves[part, name] for name in _following(row, "after") if (part, name) in moves]
        elif one.stretch.kind == "notation":
            if one.stretch.number == 0 or row.line.indent <= depth:
                current, depth = [], -1
            if row.line.first == "move":
                current = [moves[part, t.text] for t in row.tokens[1:] if (part, t.text) in moves]
                depth = row.line.indent
            found[number] = current
    return found


def _second(one: _Bound) -> str:
    return "".join(t.text for t in one.stretch.rows[0].tokens[1:2])


def _following(row: Row, word: str) -> Iterator[str]:
    for number, token in enumerate(row.tokens[:-1]):
        if token.text == word:
            yield row.tokens[number + 1].text


def local_names(source: Source, offset: int) -> list[str]:
    """The names that can be used at a place because its stretch binds them, in the order of the text."""
    starts = [one.start for one in stretches(source) if one.start <= offset]
    here = starts[-1:]
    return list(dict.fromkeys(o.name for o in occurrences(source) if o.scope in here and o.is_binding))


def name_at(source: Source, offset: int) -> Occurrence | None:
    """The name at a place, or one that ends there."""
    found = [o for o in occurrences(source) if o.start <= offset <= o.end]
    return found[-1] if found else None


def part_at(source: Source, offset: int) -> tuple[str, int] | None:
    """The name of the part around a place, and where it begins; of a part that a variant changes, too."""
    for one in outline(source):
        if one.kind in ("part", "in") and one.full_start <= offset <= one.full_end:
            return (one.name if one.kind == "part" else one.name.split()[-1]), one.full_start
    return None


def is_local(source: Source, one: Occurrence) -> bool:
    """Whether a name is bound inside a declaration, so that it means nothing outside."""
    part = part_at(source, one.start)
    return one.scope >= 0 and (part is None or part[1] != one.scope)


def is_element(source: Source, one: Occurrence) -> bool:
    """Whether a place declares an element of a type."""
    kind = next((declared.kind for declared in declared_names(source) if declared.start == one.start), "")
    return kind == "element" or (not kind and any(t.start == one.start for s in stretches(source) for t in elements(s)))


def same_names(source: Source, one: Occurrence) -> list[Occurrence]:
    """All occurrences that mean the same, in this text."""
    return [o for o in occurrences(source) if o.name == one.name and o.scope == one.scope]


def definition(source: Source, one: Occurrence) -> tuple[int, int] | None:
    """The extent of the name where it is declared or bound in this text; None if it is not."""
    for other in same_names(source, one):
        if other.is_binding:
            return other.start, other.end
    return None


def declaration_of(source: Source, one: Occurrence) -> Declared | None:
    """The declaration of a name of the ruleset, in this text."""
    places = {other.start for other in same_names(source, one) if other.is_binding}
    return next((declared for declared in declared_names(source) if declared.start in places), None)
