"""Conditions that can be monitored: those on a set that grows by one element per ply (see ``incremental_conditions.py``).

A branch asks for one of several: of a disjunction, each part is monitored where it can be. Parts that are about
components of the same set are one monitor.
"""

from __future__ import annotations

from gamedsl.compiler.analysis.discs import disc_of
from gamedsl.compiler.analysis.pointwise import Slot, Unknown, slot_of
from gamedsl.language.boards import elements
from gamedsl.language.core import conjuncts, flood, free_locals, is_symmetric
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

MOST_TOUCHED = 32  # sets that a component touches, as the bits of half a word


@lazy_dataclass(frozen=True)
class Lines:
    """``some l in L: T(l) within V``, with the lines as sets."""

    slot: Slot
    type: n.SetT
    lines: tuple[int, ...]


@lazy_dataclass(frozen=True)
class Reach:
    """``Flood(start within V by table) meets target``, with constant start and target and a symmetric table."""

    slot: Slot
    type: n.SetT
    start: int
    target: int
    table: n.TableData


@lazy_dataclass(frozen=True)
class Touches:
    """A component touches enough of these sets: the ``weights`` of those that it meets add up to ``least`` or more."""

    sets: tuple[int, ...]
    weights: tuple[int, ...]
    least: int


@lazy_dataclass(frozen=True)
class Components:
    """A component of V, by a symmetric table, touches enough of constant sets, in one of several ways; or
    (``surrounds``) it cuts elements outside V off from the border of a disc.

    ``last``: a variable that has to hold the new element where the condition is asked, or None.
    """

    slot: Slot
    type: n.SetT
    table: n.TableData
    touches: tuple[Touches, ...]
    surrounds: bool = False
    last: n.Var | None = None


Monitor = Lines | Reach | Components


@lazy_dataclass(frozen=True)
class Part:
    """Part of a disjunction, and its monitor if there is one."""

    monitor: Monitor | None
    condition: n.Expr


@lazy_dataclass(frozen=True)
class Watched:
    """The condition of a branch: whether one of the parts holds, or (``negated``) none of them."""

    parts: tuple[Part, ...]
    negated: bool = False

    @property
    def monitors(self) -> tuple[Monitor, ...]:
        return tuple(part.monitor for part in self.parts if part.monitor is not None)


def watched(condition: n.Expr) -> Watched | None:
    """The condition of a branch in parts, or None if none of them can be monitored."""
    found = [(*_monitor(one), one) for one in _disjuncts(condition)]
    negated = len(found) == 1 and found[0][1]
    parts = _merged([Part(monitor if negates == negated else None, one) for monitor, negates, one in found])
    return Watched(parts, negated) if any(part.monitor is not None for part in parts) else None


def _disjuncts(e: n.Expr) -> list[n.Expr]:
    return [*_disjuncts(e.left), *_disjuncts(e.right)] if isinstance(e, n.Op2) and e.op == "or" else [e]


def _merged(parts: list[Part]) -> tuple[Part, ...]:
    """Parts about components of the same set, made one."""
    found: list[Part] = []
    for part in parts:
        for i, other in enumerate(found):
            both = _both(other.monitor, part.monitor)
            if both is not None:
                found[i] = Part(both, n.Op2("or", other.condition, part.condition, n.BoolT()))
                break
        else:
            found.append(part)
    return tuple(found)


def _both(a: Monitor | None, b: Monitor | None) -> Components | None:
    if not isinstance(a, Components) or not isinstance(b, Components) or (a.slot, a.table) != (b.slot, b.table):
        return None
    touches = (*a.touches, *b.touches)
    if (a.last is not None and b.last is not None and a.last != b.last) or len(touched(touches)) > MOST_TOUCHED:
        return None
    return Components(a.slot, a.type, a.table, touches, a.surrounds or b.surrounds, a.last or b.last)


def touched(touches: tuple[Touches, ...]) -> tuple[int, ...]:
    """The sets that are asked for, each once."""
    return tuple(dict.fromkeys(s for one in touches for s in one.sets))


def _monitor(condition: n.Expr) -> tuple[Monitor | None, bool]:
    """The monitor of a condition, and whether the condition negates it."""
    match condition:
        case n.Op1(
            op="not", operand=n.Op2(op="disjoint", left=inside, right=n.Op1(op="complement", operand=n.Loop() as u))
        ):
            return _neighborhoods(inside, u), False
        case n.Op1(op="not", operand=inner):
            found, negated = _monitor(inner)
            return found, not negated
        case n.Loop(
            kind="some",
            condition=None,
            over=n.Const(value=over),
            body=n.Op2(op="within", left=n.Lookup() as t, right=v),
        ):
            return _lines(condition, over, t, v), False
        case n.Loop(kind="some", condition=None):
            return _meets_all(condition), False
        case n.Op2(op="disjoint", left=n.Flood() as f, right=n.Const(value=target)):
            return _reach(f, target), True
        case n.Op2(op="disjoint", left=n.Const(value=target), right=n.Flood() as f):
            return _reach(f, target), True
        case n.Op2(op="le", left=n.Const(value=least), right=n.Op1(op="count", operand=s)):
            return _counted(s, least), False
        case n.Op2(op="ne", left=n.Op2(op="minus", left=outside, right=n.Flood() as f), right=n.Const(value=0)):
            return _surrounds(outside, f), False
        case _:
            return None, False


# -------------------------------------------------------------------------------------------------------------- lines


def _lines(e: n.Loop, over: int, t: n.Lookup, v: n.Expr) -> Lines | None:
    found = _set_slot(v)
    if found is None or len(t.keys) != 1:
        return None
    key = t.keys[0]
    if not isinstance(key, n.Load) or key.local.id != e.local.id or e.local.id in free_locals(v):
        return None
    lines = tuple(t.table.values[i] for i in elements(over))
    return Lines(*found, lines) if all(lines) else None


def _neighborhoods(inside: n.Expr, union: n.Loop) -> Lines | None:
    """``V - K`` meets what is not next to an element outside V: an element and what is next to it are in V."""
    match inside, union:
        case n.Op2(op="minus", left=v, right=n.Const(value=left_out)), n.Loop(
            kind="union",
            condition=None,
            local=x,
            over=n.Op1(op="complement", operand=w),
            body=n.Lookup(table=back, keys=(n.Load(local=y),)),
        ) if v == w and x.id == y.id and v.type == w.type == union.type:
            found = _set_slot(v)
            if found is None:
                return None
            size = found[1].domain.size
            near = [sum(1 << i for i in range(size) if back.values[i] >> c & 1) for c in range(size)]
            return Lines(*found, tuple(near[c] | 1 << c for c in range(size) if not left_out >> c & 1))
        case _:
            return None


def _set_slot(v: n.Expr) -> tuple[Slot, n.SetT] | None:
    """The slot of a set variable with constant keys, and its type."""
    if not isinstance(v, n.Get) or not isinstance(v.type, n.SetT):
        return None
    try:
        return slot_of(v), v.type
    except Unknown:
        return None


# -------------------------------------------------------------------------------------------------------------- reach


def _reach(e: n.Flood, target: int) -> Reach | None:
    found = _set_slot(e.within)
    if found is None or not isinstance(e.start, n.Const) or not is_symmetric(e.table.values):
        return None
    return Reach(*found, e.start.value, target, e.table)


# --------------------------------------------------------------------------------------------------------- components


def _meets_all(e: n.Loop) -> Components | None:
    """``some x in V & T0: C meets T1 and C meets T2 ...`` with ``C = Flood(x within V by table)``."""
    if not isinstance(e.over, n.Op2) or e.over.op != "meet":
        return None
    v, first = (e.over.left, e.over.right) if isinstance(e.over.left, n.Get) else (e.over.right, e.over.left)
    found = _set_slot(v)
    if found is None or not isinstance(first, n.Const):
        return None
    asked = [_met(part, e.local, v) for part in conjuncts(e.body)]
    met = [m for m in asked if m is not None]
    tables = {table for _, table in met}
    if len(met) < len(asked) or len(tables) != 1 or not is_symmetric((table := tables.pop()).values):
        return None
    targets = tuple(dict.fromkeys((first.value, *(target for target, _ in met))))
    return Components(*found, table, (Touches(targets, (1,) * len(targets), len(targets)),))


def _met(e: n.Expr, local: n.Local, within: n.Expr) -> tuple[int, n.TableData] | None:
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


def _counted(s: n.Expr, least: int) -> Components | None:
    """So many elements of a constant set are in the last element's component, or in parts of the set that it meets."""
    match s:
        case n.Op2(op="meet", left=n.Flood() as own, right=n.Const(value=target)):
            return _touching(own, [1 << i for i in elements(target)], least)
        case n.Flood(
            start=n.Op2(op="meet", left=n.Flood() as own, right=n.Const(value=target)),
            within=n.Const(value=within),
            table=table,
        ) if own.type == s.type and target & ~within == 0 and is_symmetric(table.values):
            return _touching(own, _parts(within, table), least, target)
        case _:
            return None


def _touching(e: n.Flood, parts: list[int], least: int, among: int = -1) -> Components | None:
    """Those of the parts whose elements ``among`` are met have ``least`` elements or more."""
    found = _set_slot(e.within)
    if found is None or least < 1 or len(parts) > MOST_TOUCHED or not is_symmetric(e.table.values):
        return None
    match e.start:
        case n.Op2(op="meet", left=n.Op1(op="single", operand=n.Get(var=last, keys=())), right=v) if v == e.within:
            touches = Touches(tuple(p & among for p in parts), tuple(p.bit_count() for p in parts), least)
            return Components(*found, e.table, (touches,), last=last)
        case _:
            return None


def _parts(s: int, table: n.TableData) -> list[int]:
    """The components of a constant set."""
    found = []
    while s:
        found.append(flood(s & -s, s, table.values))
        s &= ~found[-1]
    return found


def _surrounds(outside: n.Expr, e: n.Flood) -> Components | None:
    """Elements outside V are not connected to the border of a disc by others outside V."""
    v = _left_out(outside)
    found = None if v is None else _set_slot(v)
    match e.start:
        case n.Op2(op="minus", left=n.Const(value=border), right=w) if found and v == w and e.within == outside:
            disc = disc_of(e.table)
            return Components(*found, e.table, (), True) if disc and border == disc.border else None
        case _:
            return None


def _left_out(e: n.Expr) -> n.Expr | None:
    """The set V of an expression for all elements that are not in V."""
    match e:
        case n.Op1(op="complement", operand=v):
            return v
        case n.Op2(op="minus", left=n.Const(value=full, type=n.SetT(domain)), right=v) if full == domain.full:
            return v
        case _:
            return None
