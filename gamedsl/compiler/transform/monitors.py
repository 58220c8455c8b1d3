"""Conditions that can be monitored: those on a set that grows by one element per ply (see ``incremental_conditions.py``)."""

from __future__ import annotations

from dataclasses import dataclass

from gamedsl.compiler.analysis.pointwise import Slot, Unknown, slot_of
from gamedsl.language.core import conjuncts, free_locals
from gamedsl.language.core import nodes as n


@dataclass(frozen=True)
class Lines:
    """``some l in L: T(l) within V``, with the lines as sets."""

    slot: Slot
    type: n.SetT
    lines: tuple[int, ...]


@dataclass(frozen=True)
class Reach:
    """``Flood(start within V by table) meets target``, with constant start and target and a symmetric table."""

    slot: Slot
    type: n.SetT
    start: int
    target: int
    table: n.TableData


@dataclass(frozen=True)
class Joins:
    """``some x in V & T0: C meets T1 and C meets T2 ...`` with ``C = Flood(x within V by table)``, constant targets and a
    symmetric table: a component of V meets all targets."""

    slot: Slot
    type: n.SetT
    targets: tuple[int, ...]
    table: n.TableData


Monitor = Lines | Reach | Joins


def monitored(condition: n.Expr) -> tuple[Monitor, bool] | None:
    """The monitor of a condition, and whether the condition negates it."""
    match condition:
        case n.Op1(op="not", operand=inner):
            found = monitored(inner)
            return None if found is None else (found[0], not found[1])
        case n.Loop(
            kind="some",
            condition=None,
            over=n.Const(value=over),
            body=n.Op2(op="within", left=n.Lookup() as t, right=v),
        ):
            return _lines(condition, over, t, v)
        case n.Loop(kind="some", condition=None):
            return _joins(condition)
        case n.Op2(op="disjoint", left=n.Flood() as flood, right=n.Const(value=target)):
            return _reach(flood, target, True)
        case n.Op2(op="disjoint", left=n.Const(value=target), right=n.Flood() as flood):
            return _reach(flood, target, True)
        case _:
            return None


def _lines(e: n.Loop, over: int, t: n.Lookup, v: n.Expr) -> tuple[Lines, bool] | None:
    if not isinstance(v, n.Get) or not isinstance(v.type, n.SetT) or len(t.keys) != 1:
        return None
    key = t.keys[0]
    if not isinstance(key, n.Load) or key.local.id != e.local.id or e.local.id in free_locals(v):
        return None
    try:
        slot = slot_of(v)
    except Unknown:
        return None
    lines = tuple(t.table.values[i] for i in range(over.bit_length()) if over >> i & 1)
    return (Lines(slot, v.type, lines), False) if all(lines) else None


def _reach(e: n.Flood, target: int, negated: bool) -> tuple[Reach, bool] | None:
    if not isinstance(e.start, n.Const) or not isinstance(e.within, n.Get) or not isinstance(e.within.type, n.SetT):
        return None
    if not _symmetric(e.table):
        return None
    try:
        slot = slot_of(e.within)
    except Unknown:
        return None
    return Reach(slot, e.within.type, e.start.value, target, e.table), negated


def _symmetric(table: n.TableData) -> bool:
    values = table.values
    return all((values[x] >> y & 1) == (values[y] >> x & 1) for x in range(len(values)) for y in range(x))


def _joins(e: n.Loop) -> tuple[Joins, bool] | None:
    """A condition on the component of an element of the set."""
    if not isinstance(e.over, n.Op2) or e.over.op != "meet":
        return None
    within, first = (e.over.left, e.over.right) if isinstance(e.over.left, n.Get) else (e.over.right, e.over.left)
    if not isinstance(within, n.Get) or not isinstance(within.type, n.SetT) or not isinstance(first, n.Const):
        return None
    met = [_met(part, e.local, within) for part in conjuncts(e.body)]
    found = [m for m in met if m is not None]
    tables = {table for _, table in found}
    if len(found) < len(met) or len(tables) != 1:
        return None
    table = tables.pop()
    if not _symmetric(table):
        return None
    try:
        slot = slot_of(within)
    except Unknown:
        return None
    return Joins(slot, within.type, (first.value, *(target for target, _ in found)), table), False


def _met(e: n.Expr, local: n.Local, within: n.Get) -> tuple[int, n.TableData] | None:
    """The constant set that the component of ``local`` must meet, and the relation."""
    match e:
        case n.Op1(
            op="not",
            operand=n.Op2(
                op="disjoint",
                left=n.Flood(start=n.Op1(op="single", operand=n.Load(local=x)), within=w, table=table),
                right=n.Const(value=target),
            ),
        ) if x.id == local.id and w == within:
            return target, table
        case _:
            return None
