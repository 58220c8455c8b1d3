"""Constant folding: evaluates constant subexpressions and applies algebraic identities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from gamedsl.language.core import nodes as n
from gamedsl.language.core.evaluator import (
    NotConstant,
    RangeProblem,
    convert,
    evaluate,
    flood,
    offset,
    table_index,
)
from gamedsl.language.core.node_tables import memoized
from gamedsl.language.core.nodes import limits
from gamedsl.language.core.traverse import children, free_locals, with_children

__all__ = [
    "NotConstant", "RangeProblem", "can_fail", "convert", "evaluate", "flood", "fold", "fold_node", "limits",
    "offset", "table_index",
]  # fmt: skip

MOST_ROUNDS = 200_000  # constant loops with more iterations (nested loops multiplied) are evaluated at run time
LEAVES = (n.Const, n.Load)  # with nothing to fold while no local is known


def fold(expr: n.Expr) -> n.Expr:
    """Returns the expression with constant subexpressions evaluated (types are kept).

    An expression that would fail stays as it is: the failure belongs to run time, which may never reach it.
    """
    return expr if expr.folded or expr.__class__ in LEAVES else _fold(expr, {})


def fold_node(e: n.Expr) -> n.Expr:
    """Folds a node whose subexpressions are already folded."""
    return _evaluated(e, children(e)) or _simpler(e)


def _fold(e: n.Expr, known: Mapping[int, n.Const]) -> n.Expr:
    if isinstance(e, n.Const):
        return e
    if isinstance(e, n.Load):
        return known.get(e.local.id, e)
    if e.folded and (not known or known.keys().isdisjoint(free_locals(e))):
        return e
    if isinstance(e, n.LetE):
        value = _fold(e.value, known)
        if isinstance(value, n.Const):
            return _fold(e.body, {**known, e.local.id: replace(value, type=e.local.type)})
    old = children(e)
    new, same = list(old), True
    for i, child in enumerate(old):  # (a loop, not a function: deeply nested expressions must not need many frames)
        if not known and (child.folded or child.__class__ in LEAVES):
            continue
        new[i] = _fold(child, known)
        same = same and new[i] is child
    if not same:
        e = with_children(e, tuple(new))
    result = _evaluated(e, new) or _simpler(e)
    if same and result is e:
        e.folded = True  # type: ignore[misc]
    return result


def _evaluated(e: n.Expr, inner: Iterable[n.Expr]) -> n.Const | None:
    """Returns the value of an expression over constants; None if it is not constant, fails, or costs too much. ``inner``: its
    operands.
    """
    if e.reads_state:
        return None
    for child in inner:
        if child.__class__ is not n.Const and not e.bound():
            return None  # the operands are folded
    cost = _cost(e)
    if cost is None or cost > MOST_ROUNDS:
        return None
    try:
        return n.Const(evaluate(e, {}), e.type, span=e.span)
    except (NotConstant, RangeProblem):
        return None


def _cost(e: n.Expr, inside: frozenset[int] = frozenset()) -> int | None:
    """Returns a rough estimate of the nodes visited by evaluation, or None if the expression is not constant. Children
    are already folded, so a child that is neither constant nor uses a local bound here rules the node out at once.
    """
    match e:
        case n.Const():
            return 1
        case n.Load(local=local):
            return 1 if local.id in inside else None
        case n.Fail():
            return None
        case _ if e.reads_state:
            return None
        case _:
            pass
    inner = inside | {one.id for one in e.bound()}
    total = 1
    for child in children(e):
        cost = _cost(child, inner)
        if cost is None or cost > MOST_ROUNDS:
            return cost
        total += cost
    if isinstance(e, n.Loop):
        assert isinstance(e.over.type, n.SetT)
        total *= e.over.value.bit_count() if isinstance(e.over, n.Const) else e.over.type.domain.size
    if isinstance(e, n.Closure):
        assert isinstance(e.type, n.SetT)
        total *= e.type.domain.size
    return max(total, 1)


def _simpler(e: n.Expr) -> n.Expr:
    """Applies algebraic identities that need only one constant operand."""
    match e:
        case n.Op2(op="and" | "or"):
            return _connective(e)
        case n.Op2(op="union" | "meet" | "minus"):
            return _set_law(e)
        case n.Op2(op="in", right=n.Const(value=0), left=n.Load()):
            return n.Const(0, e.type, span=e.span)
        case n.Op2(op="in", left=n.Load(), right=n.Const(value=bits, type=n.SetT(domain))) if bits == domain.full:
            return n.Const(1, e.type, span=e.span)
        case n.Op1(op="not" | "complement" as op, operand=n.Op1(op=inner, operand=operand)) if inner == op:
            return operand
        case n.Cond(condition=n.Const(value=c)):
            return e.then if c else e.otherwise
        case n.Convert(operand=inner) if inner.type == e.type:
            return inner
        case n.Loop():
            return _simpler_loop(e)
        case _:
            return e


def _simpler_loop(e: n.Loop) -> n.Expr:
    match e:
        case n.Loop(over=n.Const(value=0), kind="some" | "count" | "sum" | "union" | "filter"):
            return n.Const(0, e.type, span=e.span)
        case n.Loop(over=n.Const(value=0), kind="every"):
            return n.Const(1, e.type, span=e.span)
        case n.Loop(condition=n.Const(value=1)):
            return _simpler(replace(e, condition=None))
        case n.Loop(kind="some", body=n.Const(value=0) as result, condition=None) if not can_fail(e.over):
            return replace(result, type=e.type)
        case n.Loop(kind="every", body=n.Const(value=1) as result, condition=None) if not can_fail(e.over):
            return replace(result, type=e.type)
        case _:
            return e


def _connective(e: n.Op2) -> n.Expr:
    absorbing = 0 if e.op == "and" else 1
    match e.left, e.right:
        case n.Const(value=v) as left, _:
            return left if v == absorbing else e.right
        case _, n.Const(value=v) if v != absorbing:
            return e.left
        case _, n.Const() if not can_fail(e.left):
            return e.right
    return e


def _set_law(e: n.Op2) -> n.Expr:
    assert isinstance(e.type, n.SetT)
    full = e.type.domain.full
    match e.op, e.left, e.right:
        case "union", n.Const(value=0), other:
            return other
        case "union" | "minus", other, n.Const(value=0):
            return other
        case "minus", n.Const(value=0), other if not can_fail(other):
            return e.left
        case "meet", other, n.Const(value=v) if v == full:
            return other
        case "meet", n.Const(value=v), other if v == full:
            return other
        case "meet", n.Const(value=0), other if not can_fail(other):
            return e.left
        case "meet", other, n.Const(value=0) if not can_fail(other):
            return e.right
    return e


def can_fail(e: n.Expr, functions: Sequence[n.Function] = ()) -> bool:
    """Returns whether evaluation can raise a rules error. Calls of ``functions`` are followed; other calls are assumed
    to.
    """
    fails, called = _failing(e)
    return fails or any(i >= len(functions) or can_fail(functions[i].body, functions) for i in called)


def guarded_optional(e: n.Expr) -> n.Expr | None:
    """Returns the optional x of ``if x is none then ... else {x}``; None for other expressions."""
    match e:
        case n.Cond(
            condition=n.Op1(op="is_none", operand=x),
            otherwise=n.Op1(op="single", operand=n.Op1(op="unwrap", operand=y)),
        ) if x == y:
            return x
        case _:
            return None


@memoized
def _failing(e: n.Expr) -> tuple[bool, frozenset[int]]:
    """Returns whether an expression can fail, apart from its calls, and the functions that it calls."""
    match e:
        case _ if e.may_fail():
            return True, frozenset()
        case n.Cond() if guarded_optional(e) is not None:
            return _failing(n.Cond(e.condition, e.then, e.then, e.type))  # the unwrapped value exists
    called: frozenset[int] = frozenset([e.function] if isinstance(e, n.CallF) else [])
    for child in children(e):  # (a loop: see _fold)
        fails, more = _failing(child)
        if fails:
            return True, frozenset()
        called = called | more if more else called
    return False, called
