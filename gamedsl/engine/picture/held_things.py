"""The things that a seat sees off the board in a position."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

from gamedsl.engine import Unknown, codes_of
from gamedsl.engine.picture.picture import Held
from gamedsl.engine.picture.thing_holdings import Holding, has_known_sizes, holdings, shown_holdings
from gamedsl.engine.picture.unset_values import unset_by_block
from gamedsl.language.boards import Domain, elements
from gamedsl.language.core import nodes as n
from gamedsl.language.core import words

if TYPE_CHECKING:
    from gamedsl.engine import State


def held_things(state: State, parts: Sequence[int]) -> tuple[Held, ...]:
    """What the holdings of some parts hold. ``state``: as a seat sees it."""
    game, unset = state.game, unset_by_block(state.game)[state.block]
    numbers = [i for part in parts for i in shown_holdings(game)[part]]
    return tuple(_held(state, i) for i in numbers if holdings(game)[i].var.index not in unset)


def _held(state: State, number: int) -> Held:
    holding = holdings(state.game)[number]
    places = _places(state, holding)
    if None not in places or state.kind == "chance" or not has_known_sizes(state.game, holding):
        return Held(number, places)
    sizes = tuple(
        None if place is not None else size for place, size in zip(places, _sizes(state.whole, holding), strict=True)
    )
    names = [" ".join(key) for key in product(*(k.words for k in holding.keys))]
    hidden = [f"{name} {size}".strip() for name, size in zip(names, sizes, strict=True) if size is not None]
    return Held(number, places, sizes, f"hidden in {words(holding.var.name)}: {', '.join(hidden)}")


def _sizes(state: State, holding: Holding) -> list[int]:
    """How many things lie at each place. ``state``: with nothing hidden."""
    codes = list(codes_of(state, holding.var))
    if holding.form == "count":
        size = holding.thing.domain.size
        return [sum(map(int, codes[at : at + size])) for at in range(0, len(codes), size)]
    match holding.var.type:
        case n.SetT():
            return [int(code).bit_count() for code in codes]
        case n.OptT():
            return [int(code != 0) for code in codes]
        case _:
            return [len(code) for code in codes]


def _places(state: State, holding: Holding) -> tuple[tuple[int, ...] | None, ...]:
    codes = list(codes_of(state, holding.var))
    if holding.form == "count":
        size = holding.thing.domain.size
        return tuple(_counts(codes[at : at + size]) for at in range(0, len(codes), size))
    keys = product(*(range(k.size) for k in holding.var.keys))
    return tuple(_values(holding, code, key) for code, key in zip(codes, keys, strict=True))


def _counts(codes: Sequence[object]) -> tuple[int, ...] | None:
    if any(isinstance(code, Unknown) for code in codes):
        return None
    return tuple(i for i, code in enumerate(codes) for _ in range(int(code)))  # type: ignore[call-overload]


def _values(holding: Holding, code: object, key: tuple[int, ...]) -> tuple[int, ...] | None:
    if isinstance(code, Unknown):
        return None
    values = _plain(holding, code)
    if holding.inner is None or values is None:
        return values
    return tuple(_whole(holding.thing.domain, holding.inner, key[-1], value) for value in values)


def _plain(holding: Holding, code: object) -> tuple[int, ...] | None:
    if isinstance(code, tuple):
        type = holding.var.type
        low = type.inner.low if isinstance(type, n.StackT) and isinstance(type.inner, n.IntT) else 0
        return None if any(isinstance(v, Unknown) for v in code) else tuple(int(v) - low for v in code)
    assert isinstance(code, int)
    match holding.var.type:
        case n.SetT():
            return tuple(elements(code))
        case n.OptT():
            return (code - 1,) if code else ()
        case n.IntT():
            names = holding.thing.domain.names
            return (names.index(str(code)),) if str(code) in names else ()
        case _:
            return (code,)


def _whole(domain: Domain, inner: int, key: int, value: int) -> int:
    """The number of the thing with these two components."""
    tables = [table for _, table in domain.components]
    wanted = (key, value) if inner == 0 else (value, key)
    return next(i for i, parts in enumerate(zip(*tables, strict=True)) if parts == wanted)
