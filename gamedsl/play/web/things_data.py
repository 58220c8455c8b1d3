"""The things of a game that are not on a board, as a page draws them: their faces, where they are held, and which moves name
them."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.engine.picture import Holding, Thing, holdings
from gamedsl.language.boards import Domain, Family, elements
from gamedsl.language.core import all_exprs, words
from gamedsl.language.core import nodes as n
from gamedsl.play.web.thing_pictures import thing_pictures

if TYPE_CHECKING:
    from gamedsl.engine import Game

Json: TypeAlias = dict[str, Any]
FARTHEST = 4  # step that the face of a card shows


def things_data(game: Game) -> Json:
    """``things``: per kind of thing its faces; ``holdings``: per variable that holds some, where and in which form."""
    kinds = _things(game)
    return {
        "things": [_thing(game, thing) for thing in kinds],
        "holdings": [_holding(game, h, kinds) for h in holdings(game)],
    }


def named_things(game: Game, schema: n.Schema | None) -> list[Json]:
    """The things that a kind of move names by its parameters: by one, or by one for each component; and the places of piles."""
    types = [] if schema is None else [p.local.type for p in schema.params]
    found = []
    for number, thing in enumerate(_things(game)):
        params = _naming(types, thing)
        if params is not None:
            found.append({"thing": number, "params": params})
    return [*found, *_naming_piles(game, types)]


def _things(game: Game) -> list[Thing]:
    return list(dict.fromkeys(h.thing for h in holdings(game)))


def _naming(types: list[n.ValueT], thing: Thing) -> list[int] | None:
    whole = [i for i, t in enumerate(types) if t == n.ElemT(thing.domain)]
    if whole:
        return whole if len(whole) == 1 else None
    parts = [[i for i, t in enumerate(types) if t == n.ElemT(part)] for part in thing.parts]
    return [i for (i,) in parts] if parts and all(len(part) == 1 for part in parts) else None


def _naming_piles(game: Game, types: list[n.ValueT]) -> list[Json]:
    if len(types) != 1 or not isinstance(types[0], n.ElemT):
        return []
    piles = (i for i, h in enumerate(holdings(game)) if h.form == "pile" and h.keys == (types[0].domain,))
    return [{"pile": i, "params": [0]} for i in piles]


def _holding(game: Game, holding: Holding, kinds: list[Thing]) -> Json:
    players = {p.players for p in game.program.parts}
    first = holding.keys[0] if holding.keys else None
    return {
        "name": words(holding.var.name),
        "part": holding.var.part,
        "thing": kinds.index(holding.thing),
        "form": holding.form,
        "component": holding.part,
        "inner": holding.inner,
        "owners": [words(name) for name in first.names] if first in players and first is not None else None,
        "keys": [list(key.words) for key in holding.keys],
    }


# --------------------------------------------------------------------------------------------------------- faces


def _thing(game: Game, thing: Thing) -> Json:
    domain = thing.domain
    parts = (
        [[list(part.words), list(table)] for part, table in domain.components] if len(domain.components) == 2 else None
    )
    return {
        "kind": thing.kind,
        "names": list(domain.words),
        "parts": parts or factored(domain.words),
        "steps": _steps(game, domain),
        "cells": _cells(domain),
        "pictures": thing_pictures(game, thing),
    }


def factored(names: tuple[str, ...]) -> list[Any] | None:
    """The two attributes that names consist of, if they are all combinations of a few: ``jack of hearts``, ``jack of spades``
    ... Per attribute its values and, per name, the number of its value."""
    for between in (" of ", " "):
        split = [tuple(name.split(between)) for name in names]
        if any(len(pair) != 2 for pair in split):
            continue
        values = [list(dict.fromkeys(pair[k] for pair in split)) for k in (0, 1)]
        if min(map(len, values)) > 1 and sorted(split) == sorted(product(*values)):
            return [[values[k], [values[k].index(pair[k]) for pair in split]] for k in (0, 1)]
    return None


def _steps(game: Game, domain: Domain) -> list[list[list[int]]] | None:
    """Per thing the steps that a table of the rules gives for it, as pairs of small numbers."""
    for e in all_exprs(game.program):
        if isinstance(e, n.Lookup) and e.table.keys == (domain,) and isinstance(e.table.type, n.SetT):
            pairs = _pairs(e.table.type.domain)
            if pairs is not None:
                return [[list(pairs[i]) for i in elements(bits)] for bits in e.table.values]
    return None


def _pairs(domain: Domain) -> list[tuple[int, int]] | None:
    """The elements of a domain of pairs of numbers around 0."""
    if len(domain.components) != 2:
        return None
    try:
        numbers = [[int(name) for name in part.names] for part, _ in domain.components]
    except ValueError:
        return None
    if any(not min(row) < 0 < max(row) <= FARTHEST or min(row) < -FARTHEST for row in numbers):
        return None
    (first, a), (second, b) = domain.components
    return [(int(first.names[i]), int(second.names[k])) for i, k in zip(a, b, strict=True)]


def _cells(domain: Domain) -> list[list[list[int]]] | None:
    """Per shape its squares, as row and column."""
    if not isinstance(domain, Family):
        return None
    places = [name.removeprefix("r").split("c") for name in domain.base.names]
    if not all(len(place) == 2 and all(number.isdigit() for number in place) for place in places):
        return None
    return [[[int(number) - 1 for number in places[i]] for i in elements(bits)] for bits in domain.members]
