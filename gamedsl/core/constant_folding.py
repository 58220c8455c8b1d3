"""Constant folding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gamedsl.core.evaluator import NotConstant, RangeProblem, convert, evaluate, flood, limits, offset, table_index
from gamedsl.core.nodes import (
    AfterE,
    CallF,
    Closure,
    Cond,
    Const,
    Convert,
    Expr,
    Fail,
    Flood,
    Function,
    LetE,
    Load,
    Lookup,
    Loop,
    Op1,
    Op2,
    SetT,
    SomeMove,
    StackOp,
)
from gamedsl.core.traverse import bound, children, free_locals, memoized, with_children

__all__ = [
    "NotConstant", "RangeProblem", "always_fits", "can_fail", "convert", "evaluate", "flood", "fold", "fold_node", "limits",
    "offset", "table_index",
]  # fmt: skip

FOLDED = "_folded"  # marks a node that is completely folded
MOST_ROUNDS = 200_000  # constant loops with more iterations (nested loops multiplied) are evaluated at run time


def fold(expr: Expr) -> Expr:
    """The expression with constant subexpressions evaluated (types are kept).

    Expressions that would fail are left as they are: the failure belongs to run time, where it may never be reached.
    """
    return _fold(expr, {})


def fold_node(e: Expr) -> Expr:
    """As ``fold``, for a node whose subexpressions are already folded."""
    return _evaluated(e) or _simpler(e)


def _fold(e: Expr, known: Mapping[int, Const]) -> Expr:
    if isinstance(e, Const):
        return e
    if isinstance(e, Load):
        return known.get(e.local.id, e)
    if FOLDED in vars(e) and (not known or known.keys().isdisjoint(free_locals(e))):
        return e
    if isinstance(e, LetE):
        value = _fold(e.value, known)
        if isinstance(value, Const):
            return _fold(e.body, {**known, e.local.id: replace(value, type=e.local.type)})
    old = children(e)
    new, same = list(old), True
    for i, child in enumerate(old):  # (a loop, not a function: deeply nested expressions must not need many frames)
        new[i] = _fold(child, known)
        same = same and new[i] is child
    if not same:
        e = with_children(e, tuple(new))
    result = fold_node(e)
    if same and result is e:
        vars(e)[FOLDED] = True
    return result


def _evaluated(e: Expr) -> Const | None:
    """The value of an expression over constants, or None."""
    cost = _cost(e)
    if cost is None or cost > MOST_ROUNDS:
        return None
    try:
        return Const(evaluate(e, {}), e.type, span=e.span)
    except (NotConstant, RangeProblem):
        return None


def _cost(e: Expr, inside: frozenset[int] = frozenset()) -> int | None:
    """A rough estimate of the nodes visited by evaluation, or None if the expression is not constant. Children are
    already folded, so a child that is neither constant nor uses a local bound here rules the node out at once."""
    match e:
        case Const():
            return 1
        case Load(local=local):
            return 1 if local.id in inside else None
        case Lookup() | Op1() | Op2() | Convert() | Cond() | LetE() | Loop() | Flood() | Closure():
            pass
        case _:
            return None
    inner = inside | {one.id for one in bound(e)}
    total = 1
    for child in children(e):
        cost = _cost(child, inner)
        if cost is None or cost > MOST_ROUNDS:
            return cost
        total += cost
    if isinstance(e, Loop):
        assert isinstance(e.over.type, SetT)
        total *= e.over.value.bit_count() if isinstance(e.over, Const) else e.over.type.domain.size
    if isinstance(e, Closure):
        assert isinstance(e.type, SetT)
        total *= e.type.domain.size
    return max(total, 1)


def _simpler(e: Expr) -> Expr:
    """Algebraic identities that need only one constant operand."""
    match e:
        case Cond(condition=Const(value=c)):
            return e.then if c else e.otherwise
        case Op2(op="and" | "or"):
            return _connective(e)
        case Op2(op="union" | "meet" | "minus"):
            return _set_law(e)
        case Op2(op="in", right=Const(value=0), left=Load()):
            return Const(0, e.type, span=e.span)
        case Op2(op="in", left=Load(), right=Const(value=bits, type=SetT(domain))) if bits == domain.full:
            return Const(1, e.type, span=e.span)
        case Op1(op="not", operand=Op1(op="not", operand=inner)):
            return inner
        case Op1(op="complement", operand=Op1(op="complement", operand=inner)):
            return inner
        case Convert(operand=inner) if inner.type == e.type:
            return inner
        case Loop(over=Const(value=0), kind="some" | "count" | "sum" | "union" | "filter"):
            return Const(0, e.type, span=e.span)
        case Loop(over=Const(value=0), kind="every"):
            return Const(1, e.type, span=e.span)
        case Loop(condition=Const(value=1)):
            return _simpler(replace(e, condition=None))
        case Loop(kind="some", body=Const(value=0) as result, condition=None) if not can_fail(e.over):
            return replace(result, type=e.type)
        case Loop(kind="every", body=Const(value=1) as result, condition=None) if not can_fail(e.over):
            return replace(result, type=e.type)
        case _:
            return e


def _connective(e: Op2) -> Expr:
    absorbing = 0 if e.op == "and" else 1
    match e.left, e.right:
        case Const(value=v) as left, _:
            return left if v == absorbing else e.right
        case _, Const(value=v) if v != absorbing:
            return e.left
        case _, Const() if not can_fail(e.left):
            return e.right
    return e


def _set_law(e: Op2) -> Expr:
    assert isinstance(e.type, SetT)
    full = e.type.domain.full
    match e.op, e.left, e.right:
        case "union", Const(value=0), other:
            return other
        case "union" | "minus", other, Const(value=0):
            return other
        case "minus", Const(value=0), other if not can_fail(other):
            return e.left
        case "meet", other, Const(value=v) if v == full:
            return other
        case "meet", Const(value=v), other if v == full:
            return other
        case "meet", Const(value=0), other if not can_fail(other):
            return e.left
        case "meet", other, Const(value=0) if not can_fail(other):
            return e.right
    return e


def can_fail(e: Expr, functions: Sequence[Function] = ()) -> bool:
    """May evaluation raise a rules error? Look-ahead is assumed to; calls of ``functions`` are followed."""
    fails, called = _failing(e)
    return fails or any(i >= len(functions) or can_fail(functions[i].body, functions) for i in called)


def guarded_optional(e: Expr) -> Expr | None:
    """The optional x of ``if x is none then ... else {x}``; None for other expressions."""
    match e:
        case Cond(
            condition=Op1(op="is_none", operand=x), otherwise=Op1(op="single", operand=Op1(op="unwrap", operand=y))
        ) if x == y:
            return x
        case _:
            return None


@memoized
def _failing(e: Expr) -> tuple[bool, frozenset[int]]:
    """Whether it may fail by itself, and the functions that it calls."""
    match e:
        case Op1(op="unwrap" | "first") | Loop(kind="max" | "min"):
            return True, frozenset()
        case Op2(op="div" | "mod", right=by) if limits(by.type)[0] <= 0 <= limits(by.type)[1]:
            return True, frozenset()
        case StackOp(op="top" | "item") | Fail() | AfterE() | SomeMove():
            return True, frozenset()
        case Convert() if not always_fits(e):
            return True, frozenset()
        case Cond() if guarded_optional(e) is not None:
            return _failing(Cond(e.condition, e.then, e.then, e.type))  # the unwrapped value is there
    called: frozenset[int] = frozenset([e.function] if isinstance(e, CallF) else [])
    for child in children(e):  # (a loop: see _fold)
        fails, more = _failing(child)
        if fails:
            return True, frozenset()
        called = called | more if more else called
    return False, called


def always_fits(e: Convert) -> bool:
    """Can the new type represent every value of the old one?"""
    low, high = limits(e.type)
    inner_low, inner_high = limits(e.operand.type)
    return low <= inner_low and inner_high <= high
