"""Loop-invariant conditions: what a loop's members contribute under a condition that does not depend on them is asked
before the loop, and constant conditions on a member narrow the set that the loop goes through.

    union k in all: union x in ahead(k): if place(k) = from and free(x) then {x} else {}
    →
    union k in places(from): union x in ahead(k): if free(x) then {x} else {}

Not done: conditions that can end in a rules error, whose order matters.
"""

from __future__ import annotations

from dataclasses import replace

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.constant_tables import is_pure
from gamedsl.compiler.transform.lift_conditions import intersection
from gamedsl.compiler.transform.tabulate_plans import looked_up
from gamedsl.language.core import can_fail, conjunction, conjuncts, free_locals, map_children
from gamedsl.language.core import nodes as n


def hoist_conditions(e: n.Expr) -> n.Expr:
    """Hoists the conditions of all loops in an expression, from the innermost outward."""
    e = map_children(e, hoist_conditions)
    match e:
        case n.Loop(kind="union"):
            return _hoisted(e) or e
        case n.Loop(kind="some" | "every", condition=None):
            return _fewer(e) or e
        case _:
            return e


def _fewer(e: n.Loop) -> n.Expr | None:
    """A quantifier without the members for which constant conditions decide."""
    parts = conjuncts(e.body if e.kind == "some" else _not(e.body))
    narrower = None if any(can_fail(c) for c in parts) else _narrowed(e.local, e.over, parts)
    if narrower is None or not narrower[1]:
        return None
    body = conjunction(narrower[1])
    return replace(e, over=narrower[0], body=body if e.kind == "some" else _not(body))


def _not(e: n.Expr) -> n.Expr:
    """The negation, as a conjunction if possible."""
    match e:
        case n.Op1(op="not", operand=x):
            return x
        case n.Op2(op="or", left=a, right=b):
            return n.Op2("and", _not(a), _not(b), n.BoolT())
        case n.Op2(op="and", left=a, right=b):
            return n.Op2("or", _not(a), _not(b), n.BoolT())
        case _:
            return n.Op1("not", e, n.BoolT())


def _narrowed(x: n.Local, over: n.Expr, conditions: list[n.Expr]) -> tuple[n.Expr, list[n.Expr]] | None:
    """The set narrowed by constant conditions on x, and the other conditions; None if there are none or the set is
    small."""
    constant = [c for c in conditions if is_pure(c) and x.id in free_locals(c)]
    if not constant or not isinstance(over.type, n.SetT) or over.type.domain.size <= cutoffs.UNROLLED:
        return None
    found = looked_up(x, constant)
    if found is None or found.type != over.type:
        return None
    return intersection(over, found), [c for c in conditions if c not in constant]


def _hoisted(e: n.Loop) -> n.Expr | None:
    conditions, value = _guarded(e.body)
    if e.condition is not None:
        conditions = [*conjuncts(e.condition), *conditions]
    if not conditions or any(can_fail(c) for c in conditions):
        return None
    outside = [] if can_fail(e.over) else [c for c in conditions if e.local.id not in free_locals(c)]
    inside = [c for c in conditions if c not in outside]
    over, inside = _narrowed(e.local, e.over, inside) or (e.over, inside)
    if not outside and over is e.over:
        return None
    return _under(outside, replace(e, over=over, condition=None, body=_under(inside, value)))


def _under(conditions: list[n.Expr], value: n.Expr) -> n.Expr:
    """``if all conditions then value else {}``."""
    if not conditions:
        return value
    return n.Cond(conjunction(conditions), value, n.Const(0, value.type), value.type)


def _guarded(e: n.Expr) -> tuple[list[n.Expr], n.Expr]:
    """The conditions under which a set has members, and the set if they hold. Parts of an intersection that are all or
    nothing are conditions."""
    match e:
        case n.Cond(condition=c, then=then, otherwise=n.Const(value=0)):
            conditions, value = _guarded(then)
            return [*conjuncts(c), *conditions], value
        case n.Op2(op="meet", left=a, right=b) if not can_fail(e):
            first, left = _guarded(a)
            second, right = _guarded(b)
            if not first and not second:
                return [], e
            whole = intersection(left, right)
            return [*first, *second], whole
        case n.Op2(op="union", left=a, right=b) if not can_fail(e):
            first, left = _guarded(a)
            second, right = _guarded(b)
            shared = [c for c in first if c in second]
            if not shared:
                return [], e
            one = _under([c for c in first if c not in shared], left)
            return shared, n.Op2("union", one, _under([c for c in second if c not in shared], right), e.type)
        case _:
            return [], e
