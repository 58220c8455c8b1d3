"""Join ordering: parameters of a move are bound in the order with the lowest estimated cost.

    bind start in mark[me]; bind bend in near(start); bind goal in near(bend) - taken
    →
    bind start in mark[me]; bind goal in all - taken; bind bend in near(start) & near(goal)

A condition is tested once all its parameters are bound, or restricts the set over which the last of them ranges. The
last parameter therefore costs nothing to enumerate. Cardinalities are estimated as in a query optimizer: an eighth of
the domain for a variable, the mean for a table.

Not done: plans with conditions that can end in a rules error, because the order matters there. The order of the moves
changes, so this pass is for playouts only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations

from gamedsl.compiler import cutoffs
from gamedsl.compiler.transform.hop_masks import hop_masks
from gamedsl.compiler.transform.lift_plans import lift_plan
from gamedsl.language.core import can_fail, conjuncts, free_locals
from gamedsl.language.core import nodes as n

Plan = tuple[n.Bind | n.Test, ...]


def order_parameters(program: n.Program) -> n.Program:
    """Reorders plans that have not been lifted yet. All copies of a schema get the same order."""
    known: dict[tuple[str, int], Sequence[int] | None] = {}
    schemas = []
    for s in program.schemas:
        key = (s.name, s.part)
        if _free_to_order(s):
            if key not in known:
                known[key] = best_order(s)
            order = known[key]
            s = s if order is None else replace(s, plan=in_order(s, order))
        schemas.append(s)
    return replace(program, schemas=tuple(schemas))


def _free_to_order(schema: n.Schema) -> bool:
    """Whether there is a choice, and the conditions can be tested in any order."""
    params = schema.params
    if not 1 < len(params) <= cutoffs.ORDERED_PARAMS or not all(isinstance(p.local.type, n.ElemT) for p in params):
        return False
    return not any(can_fail(c) for c in _conditions(schema))


def best_order(schema: n.Schema) -> Sequence[int] | None:
    """The indices of the parameters in the best order of binding. Returns None if the plan is good enough as it is."""
    now = lift_plan(schema, schema.plan)
    if hop_masks(replace(schema, plan=now)) is not None:
        return None
    best, least = None, cutoffs.ORDER_COST * _cost(now)
    for order in permutations(range(len(schema.params))):
        cost = _cost(lift_plan(schema, in_order(schema, order)))
        if cost < least:
            best, least = order, cost
    return best


def _conditions(schema: n.Schema) -> Iterator[n.Expr]:
    """The conjuncts that a plan requires of the parameters."""
    for step in schema.plan:
        if isinstance(step, n.Bind):
            yield from _membership(n.Load(schema.params[step.param].local), step.over)
        else:
            yield from conjuncts(step.condition)


def _membership(x: n.Load, over: n.Expr) -> Iterator[n.Expr]:
    match over:
        case n.Const(value=value, type=n.SetT(domain)) if value == domain.full:
            pass
        case n.Op2(op="meet", left=a, right=b):
            yield from _membership(x, a)
            yield from _membership(x, b)
        case n.Op2(op="minus", left=a, right=b):
            yield from _membership(x, a)
            yield n.Op1("not", n.Op2("in", x, b, n.BoolT()), n.BoolT())
        case _:
            yield n.Op2("in", x, over, n.BoolT())


def in_order(schema: n.Schema, order: Sequence[int]) -> Plan:
    """The plan that tests each condition as soon as its parameters are bound."""
    asked = list(_conditions(schema))
    own = {p.local.id for p in schema.params}
    plan: list[n.Bind | n.Test] = [n.Test(c) for c in asked if not own & free_locals(c).keys()]
    bound = set[int]()
    for i in order:
        local = schema.params[i].local
        bound.add(local.id)
        due = [c for c in asked if local.id in free_locals(c) and own & free_locals(c).keys() <= bound]
        assert isinstance(local.type, n.ElemT)
        plan.append(n.Bind(i, n.Const(local.type.domain.full, n.SetT(local.type.domain))))
        plan.extend(n.Test(c) for c in due)
    return tuple(plan)


# ---------------------------------------------------------------------------------------------------------- estimates


def _cost(plan: Plan) -> float:
    """The estimated number of steps of an enumeration. The last binding counts as one step, regardless of its range."""
    total, times = 0.0, 1.0
    for i, step in enumerate(plan):
        total += times
        if isinstance(step, n.Bind) and i < len(plan) - 1:
            times *= _size(step.over)
    return total


def _size(e: n.Expr) -> float:
    """The estimated cardinality of a set: an eighth of the domain for a variable, the mean for a table. Intersections
    are estimated as if independent."""
    assert isinstance(e.type, n.SetT)
    number = max(1, e.type.domain.size)
    match e:
        case n.Const(value=value):
            return value.bit_count()
        case n.Lookup(table=table):
            return sum(v.bit_count() for v in table.values) / max(1, len(table.values))
        case n.Op1(op="single"):
            return 1
        case n.Op1(op="complement", operand=a):
            return number - _size(a)
        case n.Op2(op="meet", left=a, right=b):
            return _size(a) * _size(b) / number
        case n.Op2(op="minus", left=a, right=b):
            return _size(a) * (1 - _size(b) / number)
        case n.Op2(op="union", left=a, right=b):
            return min(number, _size(a) + _size(b))
        case n.Cond(then=a, otherwise=b):
            return (_size(a) + _size(b)) / 2
        case _:
            return number / 8
