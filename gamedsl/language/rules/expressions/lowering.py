"""Expressions of the language → typed expressions of the Core. A mistake is recorded and raises ``Bail``.

Expressions contain expressions of every kind, and no kind imports the others: each calls the functions here, which call
``Lowering.lower_node``, that is, ``lower_node.lower_node``, which knows all kinds.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

from gamedsl.language.core import fold
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import conversions
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.scope import Ctx, Env, MapValue, MoveValue, OutcomeValue
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast, node_text

Value = n.Expr | MapValue | OutcomeValue | MoveValue


def lower(env: Env, ctx: Ctx, e: ast.Expr, want: n.ValueT | None = None) -> n.Expr:
    """Returns the expression in the Core; with ``want``, converted to that type or reported as an error."""
    value = lower_open(env, ctx, e, want)
    if want is not None:
        return require(env, value, want, e.span)
    if conversions.is_never(value):
        say_result(env, value.span)
    return value


def lower_open(env: Env, ctx: Ctx, e: ast.Expr, want: n.ValueT | None = None) -> n.Expr:
    """Returns the expression unconverted. It may be a failure with an open type: a call that is nested too
    deeply, of the definition that is being lowered. Everything computed from it fails too.
    """
    return fold(as_plain(env, env.program.lower_node(env, ctx, e, want), e.span))


def say_result(env: Env, span: Span) -> NoReturn:
    """Reports that the definition being lowered needs to declare its type."""
    decl = env.program.defining[-1].decl
    typed = replace(decl, type=ast.NamedType("TYPE", span=span), value=ast.Ref("...", span=span))
    env.report.fail("E0386", span, name=decl.name.id, cure=node_text(typed))


def require(env: Env, value: n.Expr, want: n.ValueT, span: Span) -> n.Expr:
    got = convert(env, value, want)
    if got is None:
        limits = want.domain if isinstance(want, n.ElemT | n.SetT) else want
        if isinstance(limits, n.IntT | ty.RangeDomain) and isinstance(value.type, n.IntT):
            env.report.fail("E0306", span, value=ty.describe(value.type), low=limits.low, high=limits.high)
        env.report.fail("E0301", span, wanted=ty.describe(want), got=ty.describe(value.type))
    return fold(got)


def convert(env: Env, e: n.Expr, want: n.ValueT) -> n.Expr | None:
    """Converts as ``conversions.coerce`` does, and any set of numbers to one over a wider range; returns None if that
    is impossible.
    """
    got = conversions.coerce(e, want)
    if got is not None or not isinstance(want, n.SetT) or not isinstance(e.type, n.SetT):
        return got
    own, domain = e.type.domain, want.domain
    if not isinstance(own, ty.RangeDomain) or not isinstance(domain, ty.RangeDomain):
        return None
    if own.low < domain.low or own.high > domain.high:
        return None
    local = env.program.local("n", n.ElemT(own))
    one = conversions.coerce(n.Load(local, span=e.span), want)
    assert one is not None
    return n.Loop("union", local, e, None, one, want, span=e.span)


def as_plain(env: Env, value: Value, span: Span) -> n.Expr:
    match value:
        case MapValue(var, keys) if len(keys) == len(var.keys):
            env.report.fail("E0478", span, stack=span.text or var.name)
        case MapValue(var, keys):
            missing = var.keys[len(keys)]
            env.report.fail("E0302", span, name=var.name, key=missing.name)
        case OutcomeValue():
            env.report.fail("E0303", span)
        case MoveValue(sym):
            env.report.fail("E0304", span, name=sym.decl.name.id)
        case _:
            return value


def lower_bool(env: Env, ctx: Ctx, e: ast.Expr) -> n.Expr:
    return lower(env, ctx, e, ty.BOOL)


def lower_set(env: Env, ctx: Ctx, e: ast.Expr) -> n.Expr:
    """Returns the expression as a set (over any domain)."""
    return as_set(env, lower(env, ctx, e), e.span)


def as_set(env: Env, value: Value, span: Span) -> n.Expr:
    """Returns the value of an expression as a set (over any domain)."""
    plain = fold(as_plain(env, value, span))
    if conversions.is_never(plain):
        say_result(env, plain.span)
    found = conversions.as_set(plain)
    if found is None:
        env.report.fail("E0301", span, wanted="a set", got=ty.describe(plain.type))
    return fold(found)


def lower_number(env: Env, ctx: Ctx, e: ast.Expr) -> n.Expr:
    value = lower_open(env, ctx, e)
    return as_operand(env, conversions.placed(value, n.IntT(0, 0)), e)


def as_operand(env: Env, value: n.Expr, e: ast.Expr) -> n.Expr:
    """Returns the value of ``e`` as a number."""
    number = conversions.as_number(value)
    if number is None:
        env.report.fail("E0301", e.span, wanted="a number", got=ty.describe(value.type))
    return fold(number)


def constant(env: Env, ctx: Ctx, e: ast.Expr, what: str) -> int:
    """Returns a number that must be known at load time."""
    value = lower_number(env, ctx, e)
    if not isinstance(value, n.Const):
        env.report.fail("E0307", e.span, what=what)
    return value.value


def lower_any(env: Env, ctx: Ctx, e: ast.Expr, want: n.ValueT | None) -> Value:
    """Returns the expression as a value, or as a partial value: a map that lacks keys, a stack, an outcome, a move."""
    value: Value = env.program.lower_node(env, ctx, e, want)
    return value
