"""Moves from a square to a square along steps: a mask a direction instead of a loop over the squares.

A plan ``bind a in A; bind b in B(a)`` where B(a) is cut from a constant relation T(a) that is a few shifts: for each
shift k the moves are the a in A with ``a + k in B(a)``, a set worked out for all a at once. They are never gone through;
their number is the sum of the masks' numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from gamedsl.boards.domains import Domain
from gamedsl.core.fold import can_fail, fold
from gamedsl.core.nodes import Bind, Cond, Const, ElemT, Expr, Load, Lookup, Op1, Op2, Schema, SetT, TableData
from gamedsl.core.traverse import free_locals, map_children
from gamedsl.native.passes.rays import image

MOST_MASKS = 8
LARGEST = 256  # elements of a domain


@dataclass(frozen=True)
class Mask:
    """The moves (a, a + by) for the a in ``over``."""

    by: int
    over: Expr


class _No(Exception):
    """The plan is of another kind."""


def masks(schema: Schema) -> tuple[Mask, ...] | None:
    """The moves of a schema (its plan lifted) as masks; None when they are not of this kind."""
    match schema.plan:
        case (Bind(param=0, over=a), Bind(param=1, over=b)) if len(schema.params) == 2:
            pass
        case _:
            return None
    local, other = (p.local for p in schema.params)
    if not isinstance(local.type, ElemT) or local.type != other.type or local.type.domain.size > LARGEST:
        return None
    try:
        table = _relation(b, local.id)
        return tuple(_mask(local.id, local.type.domain, a, b, k, table) for k in _shifts(table))
    except _No:
        return None


def _shifts(table: TableData) -> list[int]:
    found = {y - x for x, v in enumerate(table.values) for y in range(v.bit_length()) if v >> y & 1}
    if not 0 < len(found) <= MOST_MASKS:
        raise _No
    return sorted(found)


def _relation(b: Expr, a: int) -> TableData:
    """A constant relation of ``a`` that bounds the set."""
    match b:
        case Lookup(keys=(Load(local=local),)) if local.id == a:
            return b.table
        case Op2(op="meet", left=x, right=y):
            try:
                return _relation(x, a)
            except _No:
                return _relation(y, a)
        case Op2(op="minus", left=x):
            return _relation(x, a)
        case _:
            raise _No


def _mask(a: int, domain: Domain, over: Expr, b: Expr, k: int, steps: TableData) -> Mask:
    back = tuple(1 << y - k if 0 <= y - k < domain.size else 0 for y in range(domain.size))
    table = TableData("back", (domain,), SetT(domain), back)
    t = SetT(domain)
    room = sum(1 << x for x, v in enumerate(steps.values) if x + k >= 0 and v >> x + k & 1)
    return Mask(k, fold(Op2("meet", over, _cut(fold(_inside(a, domain, b, k, table)), room), t)))


def _cut(e: Expr, room: int) -> Expr:
    """A set with the same elements within ``room``: constants are cut, and what they leave empty is gone."""
    match e:
        case Const():
            return replace(e, value=e.value & room)
        case Op2(op="union" | "meet" | "minus"):
            return fold(map_children(e, lambda c: _cut(c, room)))
        case Cond(condition=c, then=x, otherwise=y) if isinstance(e.type, SetT):
            return _choice(c, _cut(x, room), _cut(y, room), e.type)
        case _:
            return e


def _choice(c: Expr, then: Expr, otherwise: Expr, t: SetT) -> Expr:
    return then if then == otherwise and not can_fail(c) else Cond(c, then, otherwise, t)


def _inside(a: int, domain: Domain, e: Expr, k: int, back: TableData) -> Expr:
    """The a for which a + k is in a set that may depend on a."""
    t = SetT(domain)
    if a not in free_locals(e) and not isinstance(e, Cond | Const):
        return image(back, e)
    match e:
        case Lookup(keys=(Load(local=local),)) if local.id == a and e.type == t:
            values = e.table.values
            return Const(sum(1 << x for x in range(domain.size) if x + k >= 0 and values[x] >> x + k & 1), t)
        case Const():
            return fold(image(back, e))
        case Op2(op="union" | "meet" | "minus"):
            return Op2(e.op, _inside(a, domain, e.left, k, back), _inside(a, domain, e.right, k, back), t)
        case Op1(op="complement"):
            # What lies beyond the board is in no set, nor in a complement.
            room = sum(1 << x for x in range(domain.size) if 0 <= x + k < domain.size)
            return Op2("minus", Const(room, t), _inside(a, domain, e.operand, k, back), t)
        case Cond(condition=c, then=x, otherwise=y) if a not in free_locals(c):
            return _choice(c, _inside(a, domain, x, k, back), _inside(a, domain, y, k, back), t)
        case _:
            raise _No
