"""Moves of several small parameters as one set of tuples, counted by popcount and never enumerated.

    bind h in heaps; bind k in sets[size[h]]
    →
    bind (h, k) in rows_A[size[A]] | rows_B[size[B]] | rows_C[size[C]]

The tuples are numbered as the slots of a map with these keys, or with powers of two as sizes if there is room. Each
condition on the parameters is a condition on the tuple, and lifted to a set like any other.

Not done: more than ``cutoffs.CASES`` tuples, and conditions that can end in a rules error.
"""

from __future__ import annotations

from functools import lru_cache
from math import prod

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.constant_tables import tabulate
from gamedsl.compiler.transform.lift_conditions import intersection, lift_condition
from gamedsl.language.boards import Domain
from gamedsl.language.core import can_fail, conjuncts, fold, node_count, substitute
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

TUPLE = -1_000_001  # id of the name of the tuple


@lazy_dataclass(frozen=True)
class TupleSet:
    """The moves of a schema: the tuple with number i is in ``over`` if and only if its move is legal. ``sizes``: per
    parameter, the number of values reserved for it in the numbering, at least as many as it has; the last one varies
    fastest."""

    over: n.Expr
    sizes: tuple[int, ...]


def tuple_set(schema: n.Schema) -> TupleSet | None:
    """The moves of a schema with a plan as a set of tuples. Returns None if they have another form."""
    types = [p.local.type for p in schema.params]
    domains = [t.domain for t in types if isinstance(t, n.ElemT)]
    if len(types) < 2 or len(domains) < len(types) or not 0 < prod(d.size for d in domains) <= cutoffs.CASES:
        return None
    sizes = _sizes([d.size for d in domains])
    components, p, among = _components(tuple(domains), sizes)
    names = {x.local.id: n.Lookup(table, (n.Load(p),)) for x, table in zip(schema.params, components, strict=True)}
    assert isinstance(p.type, n.ElemT)
    t = n.SetT(p.type.domain)
    over: n.Expr = n.Const(among, t)
    for condition in _conditions(schema):
        if can_fail(condition):
            return None
        found = lift_condition(p, tabulate(fold(substitute(condition, names))), among)
        if found is None:
            return None
        over = intersection(over, found)
    return TupleSet(over, sizes) if node_count(over) <= cutoffs.COPIED_NODES else None


def _sizes(sizes: list[int]) -> tuple[int, ...]:
    """The sizes rounded up to powers of two, so that components are bits of the number; the sizes themselves if there
    is no room."""
    round = [1 << (number - 1).bit_length() for number in sizes]
    return tuple(round if prod(round) <= cutoffs.CASES else sizes)


def _conditions(schema: n.Schema) -> list[n.Expr]:
    found = list[n.Expr]()
    for step in schema.plan:
        if isinstance(step, n.Bind):
            x = schema.params[step.param].local
            found += _members(n.Load(x), step.over)
        else:
            found += conjuncts(step.condition)
    return found


def _members(x: n.Load, s: n.Expr) -> list[n.Expr]:
    """``x in S`` as one condition for each of the sets whose meet is S."""
    if isinstance(s, n.Op2) and s.op == "meet":
        return [*_members(x, s.left), *_members(x, s.right)]
    return [n.Op2("in", x, s, n.BoolT())]


@lru_cache(maxsize=64)
def _components(domains: tuple[Domain, ...], sizes: tuple[int, ...]) -> tuple[tuple[n.TableData, ...], n.Local, int]:
    """For each component, the table of its value by the number of the tuple; the name of the tuple; the numbers in
    use."""
    size = prod(sizes)
    tuples = Domain("tuple", tuple(map(str, range(size))))
    tables, stride, used = list[n.TableData](), size, (1 << size) - 1
    for i, (d, number) in enumerate(zip(domains, sizes, strict=True)):
        stride //= number
        values = [x // stride % number for x in range(size)]
        used &= sum(1 << x for x, v in enumerate(values) if v < d.size)
        kept = tuple(v if v < d.size else 0 for v in values)
        tables.append(n.TableData(f"component {i + 1}", (tuples,), n.ElemT(d), kept))
    return tuple(tables), n.Local(TUPLE, "tuple", n.ElemT(tuples)), used
