"""Enumeration plans: the order in which parameters are bound and conditions tested (a join order)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gamedsl.language.core import nodes as n
from gamedsl.language.core.constant_folding import can_fail, fold
from gamedsl.language.core.traverse import free_locals
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class _Condition:
    """One conjunct and the number of parameters that must be bound before it can be tested."""

    expr: n.Expr
    needs: int


def make_plan(
    params: tuple[n.CoreParam, ...], guards: tuple[n.CoreGuard, ...], functions: Sequence[n.Function] = ()
) -> tuple[n.Bind | n.Test, ...]:
    """Returns the steps that enumerate exactly the arguments for which all guards hold, binding the parameters in
    order.

    A conjunct ``p in S`` narrows the set over which ``p`` ranges; others are tested once the parameters they use are
    bound. Guards that look ahead come last, in order. A conjunct that can raise a rules error is never tested before
    those that precede it, which may make it safe. ``functions`` are the program's functions known so far; a call of any
    other is assumed to be able to raise an error.
    """
    numbers = {p.local.id: i for i, p in enumerate(params)}
    plain = _conditions([g for g in guards if not g.looks_ahead], numbers, functions)
    ahead = _conditions([g for g in guards if g.looks_ahead], numbers, functions)
    steps: list[n.Bind | n.Test] = []
    for bound in range(len(params) + 1):
        due = [c for c in plain if c.needs == bound]
        if bound:
            bind, due = _narrowed(bound - 1, params[bound - 1], due, functions)
            steps.append(bind)
        steps.extend(n.Test(c.expr) for c in due)
    steps.extend(n.Test(c.expr) for c in ahead)
    return tuple(steps)


def _conditions(
    guards: list[n.CoreGuard], numbers: dict[int, int], functions: Sequence[n.Function]
) -> list[_Condition]:
    out: list[_Condition] = []
    earlier = 0
    for guard in guards:
        for e in conjuncts(guard.condition):
            needs = max((numbers[i] + 1 for i in free_locals(e) if i in numbers), default=0)
            if can_fail(e, functions):
                needs = max(needs, earlier)
            earlier = max(earlier, needs)
            out.append(_Condition(e, needs))
    return out


def conjuncts(e: n.Expr) -> list[n.Expr]:
    """Returns the conjuncts of ``a and b and c``."""
    if isinstance(e, n.Op2) and e.op == "and":
        return [*conjuncts(e.left), *conjuncts(e.right)]
    return [e]


def conjunction(conditions: Iterable[n.Expr]) -> n.Expr:
    """Returns ``a and b and c`` of its conjuncts; true if there are none."""
    found: n.Expr | None = None
    for c in conditions:
        found = c if found is None else n.Op2("and", found, c, n.BoolT())
    return n.Const(1, n.BoolT()) if found is None else found


def _narrowed(
    number: int, param: n.CoreParam, due: list[_Condition], functions: Sequence[n.Function]
) -> tuple[n.Bind, list[_Condition]]:
    """Returns the binding of a parameter to its range, narrowed by conditions on the parameter, and the remaining
    conditions. A condition that can raise a rules error narrows only if it is tested first and the range is
    never empty, because then testing it would fail too.
    """
    over = param.over
    rest: list[_Condition] = []
    for c in due:
        safe = not can_fail(c.expr, functions) or (not rest and isinstance(over, n.Const) and over.value != 0)
        narrower = _narrow(param.local, over, c.expr) if safe else None
        if narrower is None:
            rest.append(c)
        else:
            over = narrower
    return n.Bind(number, fold(over)), rest


def _narrow(local: n.Local, over: n.Expr, condition: n.Expr) -> n.Expr | None:
    """Returns the set ``over`` narrowed by a condition that gives the values of the parameter; None for other
    conditions.
    """
    if not isinstance(local.type, n.ElemT) or not isinstance(over.type, n.SetT):
        return None
    match condition:
        case n.Op2(op="in", left=n.Load(local=l), right=s) if l.id == local.id and local.id not in free_locals(s):
            return n.Op2("meet", over, s, over.type, span=condition.span)
        case n.Op1(op="not", operand=n.Op2(op="in", left=n.Load(local=l), right=s)) if (
            l.id == local.id and local.id not in free_locals(s)
        ):
            return n.Op2("minus", over, s, over.type, span=condition.span)
        case n.Op2(op="eq" | "ne", left=a, right=b):
            return _by_value(local, over, condition, a, b) or _by_value(local, over, condition, b, a)
    return None


def _by_value(local: n.Local, over: n.Expr, condition: n.Op2, name: n.Expr, value: n.Expr) -> n.Expr | None:
    """Returns ``over`` narrowed by ``p = v`` or ``p != v``; None for other conditions."""
    if not isinstance(name, n.Load) or name.local.id != local.id or local.id in free_locals(value):
        return None
    if not isinstance(value.type, n.ElemT):
        return None
    assert isinstance(over.type, n.SetT)
    one = n.Op1("single", value, over.type, span=condition.span)
    return n.Op2("meet" if condition.op == "eq" else "minus", over, one, over.type, span=condition.span)
