"""What a set leads to by a constant relation, looked up by parts of the set: a table for every few elements."""

from __future__ import annotations

from llvmlite import ir

from gamedsl.core.nodes import Load, Lookup, Loop, SetT, TableData
from gamedsl.native import sets
from gamedsl.native.unit import Fn, const

BITS = 6  # elements of a part
MOST = 64  # elements of the domains


def chunked(e: Loop) -> bool:
    """Is the loop ``union x in S: T(x)`` over a domain of one word, to another?"""
    body = e.body
    if e.kind != "union" or e.condition is not None or not isinstance(body, Lookup) or len(body.keys) != 1:
        return False
    if not isinstance(body.keys[0], Load) or body.keys[0].local.id != e.local.id or not isinstance(e.over.type, SetT):
        return False
    return isinstance(e.type, SetT) and BITS < e.over.type.domain.size <= MOST and e.type.domain.size <= MOST


def image(f: Fn, over: sets.Words, table: TableData) -> sets.Words:
    """The union of T(x) for x in a set."""
    size = table.keys[0].size
    parts = (size + BITS - 1) // BITS
    values = [_union(table.values[BITS * i : BITS * (i + 1)], bits) for i in range(parts) for bits in range(1 << BITS)]
    data = f.u.numbers(("parts", f.u.keep(table.values)), values, 64)
    total: ir.Value | None = None
    for i in range(parts):
        part = f.b.lshr(over[0], const(BITS * i)) if i else over[0]
        index = f.b.add(f.b.and_(part, const((1 << BITS) - 1)), const(i << BITS))
        found = f.b.load(f.u.at(f.b, data, index))
        total = found if total is None else f.b.or_(total, found)
    assert total is not None
    return (total,)


def _union(values: tuple[int, ...], bits: int) -> int:
    total = 0
    for i, v in enumerate(values):
        if bits >> i & 1:
            total |= v
    return total
