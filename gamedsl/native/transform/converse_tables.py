"""Converse relations as tables: ``d in neighbors(c)`` is ``c in neighbors⁻¹(d)``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from gamedsl.core.nodes import (
    ElemT,
    SetT,
    TableData,
)


def relation_image(rows: Sequence[int], bits: int) -> int:
    """The union of the rows of these elements."""
    found = 0
    while bits:
        low = bits & -bits
        found |= rows[low.bit_length() - 1]
        bits ^= low
    return found


@lru_cache(maxsize=512)
def _inverse(values: tuple[int, ...], size: int, single: bool) -> tuple[int, ...]:
    out = [0] * size
    for x, v in enumerate(values):
        if single:
            out[v] |= 1 << x
        else:
            while v:
                low = v & -v
                out[low.bit_length() - 1] |= 1 << x
                v ^= low
    return tuple(out)


def converse(table: TableData, single: bool) -> TableData:
    """The converse of a relation D -> E (or D -> set of E), as E -> set of D."""
    t = table.type
    assert isinstance(t, ElemT | SetT)
    values = _inverse(table.values, t.domain.size, single)
    return TableData(f"{table.name} back", (t.domain,), SetT(table.keys[0]), values)


@lru_cache(maxsize=128)
def transposed(table: TableData, place: int, of_sets: bool) -> TableData | None:
    """The table looked up by its other keys (and, for sets, a member): the set of values of the key at ``place``. None if
    it is too large."""
    domain = table.keys[place]
    others = [k for i, k in enumerate(table.keys) if i != place]
    if of_sets:
        assert isinstance(table.type, SetT)
        others.append(table.type.domain)
    total = 1
    for k in others:
        total *= k.size
    if total * domain.size > 1 << 20:
        return None
    out = [0] * total
    sizes = [k.size for k in table.keys]
    for flat, v in enumerate(table.values):
        at, rest = [], flat
        for s in reversed(sizes):
            rest, r = divmod(rest, s)
            at.append(r)
        at.reverse()
        mine, index = at[place], 0
        for i, a in enumerate(at):
            if i != place:
                index = index * sizes[i] + a
        if not of_sets:
            if v:
                out[index] |= 1 << mine
            continue
        while v:
            low = v & -v
            out[index * others[-1].size + low.bit_length() - 1] |= 1 << mine
            v ^= low
    return TableData(f"{table.name} across", tuple(others), SetT(domain), tuple(out))
