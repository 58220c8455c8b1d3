"""Moves of several small parameters as one set of tuples, counted by popcount and never enumerated.

    bind h in heaps; bind k in sets[size[h]]
    →
    bind (h, k) in rows_A[size[A]] | rows_B[size[B]] | rows_C[size[C]]

The tuples are numbered as the slots of a map with these keys, or with powers of two as sizes if there is room. Each
condition on the parameters is a condition on the tuple, and lifted to a set like any other.

Not done: more than ``cutoffs.TUPLES`` tuples, and conditions that can end in a rules error.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import prod

from gamedsl.boards import Domain
from gamedsl.core import can_fail, conjuncts, fold, node_count, substitute
from gamedsl.core.nodes import Bind, BoolT, Const, ElemT, Expr, Load, Local, Lookup, Op2, Schema, SetT, TableData
from gamedsl.native import cutoffs
from gamedsl.native.analysis.constant_tables import tabulate
from gamedsl.native.transform.lift_conditions import intersection, lift_condition

TUPLE = -1_000_001  # id of the name of the tuple


@dataclass(frozen=True)
class TupleSet:
    """The moves of a schema: the tuple with number i is in ``over`` if and only if its move is legal. ``sizes``: how many
    values a parameter takes up in the numbering, at least as many as it has; the last one varies fastest."""

    over: Expr
    sizes: tuple[int, ...]


def tuple_set(schema: Schema) -> TupleSet | None:
    """The moves of a schema with a plan as a set of tuples. Returns None if they have another form."""
    types = [p.local.type for p in schema.params]
    domains = [t.domain for t in types if isinstance(t, ElemT)]
    if len(types) < 2 or len(domains) < len(types) or not 0 < prod(d.size for d in domains) <= cutoffs.TUPLES:
        return None
    sizes = _sizes([d.size for d in domains])
    components, p, among = _components(tuple(domains), sizes)
    names = {x.local.id: Lookup(table, (Load(p),)) for x, table in zip(schema.params, components, strict=True)}
    assert isinstance(p.type, ElemT)
    t = SetT(p.type.domain)
    over: Expr = Const(among, t)
    for condition in _conditions(schema):
        if can_fail(condition):
            return None
        found = lift_condition(p, tabulate(fold(substitute(condition, names))), among)
        if found is None:
            return None
        over = intersection(over, found)
    return TupleSet(over, sizes) if node_count(over) <= cutoffs.TUPLE_NODES else None


def _sizes(sizes: list[int]) -> tuple[int, ...]:
    """The sizes, or powers of two: then components are bits of the number."""
    round = [1 << (n - 1).bit_length() for n in sizes]
    return tuple(round if prod(round) <= cutoffs.TUPLES else sizes)


def _conditions(schema: Schema) -> list[Expr]:
    found = list[Expr]()
    for step in schema.plan:
        if isinstance(step, Bind):
            x = schema.params[step.param].local
            found += _members(Load(x), step.over)
        else:
            found += conjuncts(step.condition)
    return found


def _members(x: Load, s: Expr) -> list[Expr]:
    """``x in S``, one condition for each of the sets that S is the meet of."""
    if isinstance(s, Op2) and s.op == "meet":
        return [*_members(x, s.left), *_members(x, s.right)]
    return [Op2("in", x, s, BoolT())]


@lru_cache(maxsize=64)
def _components(domains: tuple[Domain, ...], sizes: tuple[int, ...]) -> tuple[tuple[TableData, ...], Local, int]:
    """For each component the table of its value by the number of the tuple; the tuple's name; the numbers in use."""
    size = prod(sizes)
    tuples = Domain("tuple", tuple(map(str, range(size))))
    tables, stride, used = list[TableData](), size, (1 << size) - 1
    for i, (d, n) in enumerate(zip(domains, sizes, strict=True)):
        stride //= n
        values = [x // stride % n for x in range(size)]
        used &= sum(1 << x for x, v in enumerate(values) if v < d.size)
        kept = tuple(v if v < d.size else 0 for v in values)
        tables.append(TableData(f"component {i + 1}", (tuples,), ElemT(d), kept))
    return tuple(tables), Local(TUPLE, "tuple", ElemT(tuples)), used
