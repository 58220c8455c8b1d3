"""Assignments: setting and changing state variables, and popping stacks."""

from __future__ import annotations

from typing import Literal

from gamedsl.language.core import nodes as n
from gamedsl.language.rules import conversions
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.arithmetic import arithmetic
from gamedsl.language.rules.expressions.binders import check_name
from gamedsl.language.rules.expressions.lowering import lower, lower_any, lower_number
from gamedsl.language.rules.expressions.stacks import lower_stack
from gamedsl.language.rules.flow.carried_statements import change_carried, changed_in_place
from gamedsl.language.rules.scope import Ctx, Env, MapValue
from gamedsl.language.rules.symbols import PieceSym
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast


def assigned_place(env: Env, ctx: Ctx, target: ast.Expr) -> tuple[n.Var, tuple[n.Expr, ...]]:
    """Returns a state variable that can be set, with its keys; reports any other expression."""
    name = target.name if isinstance(target, ast.Ref) else None
    base = target.base.name if isinstance(target, ast.Index) and isinstance(target.base, ast.Ref) else name
    if base is not None and base not in ctx.scope and isinstance(env.symbols.get(base), PieceSym):
        env.report.fail("E0403", target.span, name=base)
    value = lower_any(env, ctx, target, None)
    match value:
        case n.Get(var, keys) if var.role in ("state", "countdown"):
            return var, keys
        case n.StackOp(op="item", var=var) | MapValue(var) if isinstance(var.type, n.StackT):
            env.report.fail("E0404", target.span, name=var.name)
        case MapValue(n.Var() as var, keys):
            env.report.fail("E0302", target.span, name=var.name, key=var.keys[len(keys)].name)
    env.report.fail("E0405", target.span, what=target.span.text or "this")


def stack_place(env: Env, ctx: Ctx, target: ast.Expr) -> tuple[n.Var, tuple[n.Expr, ...]]:
    stack = lower_stack(env, ctx, target, target.span)
    return stack.var, stack.keys


def assignable_type(env: Env, var: n.Var, span: Span):  # type: ignore[no-untyped-def]
    if isinstance(var.type, n.StackT):
        env.report.fail("E0404", span, name=var.name)
    return var.type


def change(env: Env, ctx: Ctx, target: ast.Expr, value: ast.Expr, add: bool, span: Span) -> list[n.CoreStmt]:
    """Lowers ``add E to x`` and ``take E from x``: numbers go up and down (within their range), sets gain and lose
    elements.
    """
    found = changed_in_place(env, ctx, target)
    if found is not None:
        now, carried = found
        total = _total(env, ctx, conversions.plain(now, carried.type), target, value, add, span)
        return change_carried(env, now, carried, total, span)
    var, keys = assigned_place(env, ctx, target)
    now = n.Get(var, keys, assignable_type(env, var, span), span=target.span)
    return [n.Assign(var, keys, _total(env, ctx, now, target, value, add, span), span=span)]


def _total(env: Env, ctx: Ctx, now: n.Expr, target: ast.Expr, value: ast.Expr, add: bool, span: Span) -> n.Expr:
    """Returns the value with something added or taken."""
    t = now.type
    match t:
        case n.SetT():
            part = lower(env, ctx, value, t)
            return n.Op2("union" if add else "minus", now, part, t, span=span)
        case n.IntT():
            number = lower_number(env, ctx, value)
            return conversions.clip(arithmetic(env, "add" if add else "sub", now, number, span), t)
    env.report.fail("E0406", target.span, got=ty.describe(t))


def counted(var: n.Var, keys: tuple[n.Expr, ...], by: Literal[1, -1], span: Span) -> n.Assign:
    """Returns the assignment of one more or one less to a variable, a rules error outside its range."""
    t = var.type
    assert isinstance(t, n.IntT)
    op: Literal["add", "sub"] = "add" if by > 0 else "sub"
    number = n.Op2(op, n.Get(var, keys, t, span=span), ty.number(1, span), n.IntT(t.low + by, t.high + by), span=span)
    return n.Assign(var, keys, conversions.clip(number, t), span=span)


def with_elements(var: n.Var, keys: tuple[n.Expr, ...], elements: n.Expr, span: Span) -> n.Assign:
    """Returns the assignment that adds elements, given as a set of its type, to a set of the state."""
    return _set_changed("union", var, keys, elements, span)


def without_elements(var: n.Var, keys: tuple[n.Expr, ...], elements: n.Expr, span: Span) -> n.Assign:
    """Returns the assignment that removes elements, given as a set of its type, from a set of the state."""
    return _set_changed("minus", var, keys, elements, span)


def _set_changed(
    op: Literal["union", "minus"], var: n.Var, keys: tuple[n.Expr, ...], elements: n.Expr, span: Span
) -> n.Assign:
    t = var.type
    assert isinstance(t, n.SetT)
    return n.Assign(var, keys, n.Op2(op, n.Get(var, keys, t, span=span), elements, t, span=span), span=span)


def pop(env: Env, ctx: Ctx, s: ast.Pop) -> tuple[list[n.CoreStmt], Ctx]:
    var, keys = stack_place(env, ctx, s.target)
    assert isinstance(var.type, n.StackT)
    if s.result is None:
        return [n.PopS(var, keys, span=s.span)], ctx
    check_name(env, ctx, s.result)
    local = env.program.local(s.result.id, var.type.inner)
    top = n.StackOp("top", var, keys, var.type.inner, span=s.span)
    return [n.LetS(local, top, span=s.span), n.PopS(var, keys, span=s.span)], ctx.bind(**{s.result.id: n.Load(local)})
