"""Converse relations as tables: ``d in neighbors(c)`` is ``c in neighbors⁻¹(d)``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, reduce
from itertools import product
from math import prod
from operator import or_

from gamedsl.language.boards import elements
from gamedsl.language.core import nodes as n


def relation_image(rows: Sequence[int], bits: int) -> int:
    """The union of the rows of these elements."""
    return reduce(or_, (rows[x] for x in elements(bits)), 0)


@lru_cache(maxsize=512)
def _inverse(values: tuple[int, ...], size: int, single: bool) -> tuple[int, ...]:
    out = [0] * size
    for x, v in enumerate(values):
        for y in (v,) if single else elements(v):
            out[y] |= 1 << x
    return tuple(out)


def converse(table: n.TableData, single: bool) -> n.TableData:
    """The converse of a relation D -> E (or D -> set of E), as E -> set of D."""
    t = table.type
    assert isinstance(t, n.ElemT | n.SetT)
    values = _inverse(table.values, t.domain.size, single)
    return n.TableData(f"{table.name} back", (t.domain,), n.SetT(table.keys[0]), values)


@lru_cache(maxsize=128)
def transposed(table: n.TableData, place: int, of_sets: bool) -> n.TableData | None:
    """The table looked up by its other keys (and, for sets, a member): the set of values of the key at ``place``. None if
    it is too large."""
    domain = table.keys[place]
    others = [k for i, k in enumerate(table.keys) if i != place]
    if of_sets:
        assert isinstance(table.type, n.SetT)
        others.append(table.type.domain)
    total = prod(k.size for k in others)
    if total * domain.size > 1 << 20:
        return None
    out = [0] * total
    for keys, v in zip(product(*(range(k.size) for k in table.keys)), table.values, strict=True):
        index = 0
        for i, x in enumerate(keys):
            if i != place:
                index = index * table.keys[i].size + x
        if of_sets:
            for y in elements(v):
                out[index * others[-1].size + y] |= 1 << keys[place]
        elif v:
            out[index] |= 1 << keys[place]
    return n.TableData(f"{table.name} across", tuple(others), n.SetT(domain), tuple(out))
