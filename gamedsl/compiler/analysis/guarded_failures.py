"""Whether an expression can end in a rules error where other conditions are known to hold.

    height(pile[c]) > 0 and top(pile[c]) = stone        n = 0 or (let k = (n as 1..5) in ...)

Neither can fail, though the top of an empty stack is an error, and so is 0 as 1..5.
"""

from __future__ import annotations

from collections.abc import Iterable

from gamedsl.compiler.analysis.constant_tables import is_pure, table_of
from gamedsl.language.core import children, free_locals, limits, substitute
from gamedsl.language.core import nodes as n

Facts = tuple[tuple[n.Expr, bool], ...]  # conditions, and whether each holds


def facts_of(e: n.Expr, holds: bool) -> Facts:
    """What is known where a condition has this value."""
    match e:
        case n.Op1(op="not", operand=x):
            return facts_of(x, not holds)
        case n.Op2(op="and" | "or", left=a, right=b) if (e.op == "and") == holds:
            return (*facts_of(a, holds), *facts_of(b, holds))
        case _:
            return ((e, holds),)


def member_facts(x: n.Local, over: n.Expr) -> Facts:
    """What is known of a member of a set."""
    match over:
        case n.Op2(op="meet", left=a, right=b):
            return (*member_facts(x, a), *member_facts(x, b))
        case n.Op2(op="minus", left=a):
            return member_facts(x, a)
        case n.Loop(kind="filter", local=local, over=a, condition=None, body=body):
            return (*member_facts(x, a), *facts_of(substitute(body, {local.id: n.Load(x)}), True))
        case _:
            return ()


def fails_given(e: n.Expr, facts: Facts = ()) -> bool:
    """Whether the expression may fail where the facts hold. Calls are assumed to."""
    match e:
        case n.Op2(op="and" | "or", left=a, right=b):
            return fails_given(a, facts) or fails_given(b, (*facts, *facts_of(a, e.op == "and")))
        case n.Cond(condition=c, then=then, otherwise=otherwise):
            return (
                fails_given(c, facts)
                or fails_given(then, (*facts, *facts_of(c, True)))
                or fails_given(otherwise, (*facts, *facts_of(c, False)))
            )
        case n.LetE(local=local, value=value, body=body):
            return fails_given(value, facts) or fails_given(substitute(body, {local.id: value}), facts)
        case n.Loop(kind="max" | "min") | n.CallF():
            return True
        case n.Loop(local=x, over=over, condition=c, body=body):
            inner = (*facts, *member_facts(x, over))
            if fails_given(over, facts) or (c is not None and fails_given(c, inner)):
                return True
            return fails_given(body, inner if c is None else (*inner, *facts_of(c, True)))
        case n.StackOp(op="top") if _filled(e, facts):
            return any(fails_given(k, facts) for k in e.keys)
        case n.Convert() if not e.always_fits() and _fits(e, facts):
            return False
        case _:
            return e.may_fail() or any(fails_given(x, facts) for x in children(e))


def _filled(e: n.StackOp, facts: Facts) -> bool:
    """Whether the stack is known not to be empty."""
    for fact, holds in facts:
        match fact:
            case n.Op2(op="lt", left=n.Const(value=least), right=n.StackOp(op="height", var=var, keys=keys)) if holds:
                if least >= 0 and var == e.var and keys == e.keys:
                    return True
            case n.Op2(op="eq", left=n.StackOp(op="height", var=var, keys=keys), right=n.Const(value=0)) if not holds:
                if var == e.var and keys == e.keys:
                    return True
    return False


def _fits(e: n.Convert, facts: Facts) -> bool:
    """Whether the converted value of one name is in range for all values of the name that the facts allow."""
    names = list(free_locals(e.operand).values())
    if len(names) != 1 or not isinstance(names[0].type, n.ElemT) or not is_pure(e.operand):
        return False
    x, domain, (low, high) = names[0], names[0].type.domain, limits(e.type)
    values = table_of(e.operand, [x], [domain])
    if values is None:
        return False
    return all(low <= values[i] <= high for i in _allowed(x, domain.size, facts))


def _allowed(x: n.Local, size: int, facts: Facts) -> Iterable[int]:
    """The values of a name that the facts on it alone allow."""
    assert isinstance(x.type, n.ElemT)
    left = set(range(size))
    for fact, holds in facts:
        if free_locals(fact).keys() == {x.id} and is_pure(fact):
            truth = table_of(fact, [x], [x.type.domain])
            if truth is not None:
                left &= {i for i in range(size) if bool(truth[i]) == holds}
    return left
