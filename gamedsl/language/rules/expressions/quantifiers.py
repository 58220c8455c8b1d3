"""Quantifiers, filters and look-ahead."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from gamedsl.language.core import fold
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.binders import DEEPEST, MoveRange, Range, bind
from gamedsl.language.rules.expressions.lowering import as_set, lower_bool
from gamedsl.language.rules.passing_time import passed, tick
from gamedsl.language.rules.scope import Ctx, Env, MoveValue
from gamedsl.language.rules.symbols import MoveSym
from gamedsl.language.syntax import ast

NO_NAME = "$move"  # not a name that authors can write

Maker = Callable[[Ctx], n.Expr]


def nest(
    env: Env, ctx: Ctx, binders: tuple[ast.Binder, ...], make: Callable[[Range, n.Expr], n.Expr], kind: str, body: Maker
) -> n.Expr:
    """Returns the loops of the binders around the body; ``make`` builds one loop around its body."""
    if not binders:
        return body(ctx)
    ranges, inner = bind(env, ctx, binders[0])
    if isinstance(ranges[0], MoveRange):
        return _over_moves(env, inner, ranges[0], kind, lambda c: nest(env, c, binders[1:], make, kind, body))
    value = nest(env, inner, binders[1:], make, kind, body)
    for one in reversed(ranges):
        assert isinstance(one, Range)
        value = make(one, one.around(value))
    return value


def emptiness_of_moves(e: ast.Binary) -> ast.Quantified | None:
    """Returns ``moves(p, a | b) = {}`` as ``no m in moves(p, a | b): yes``; None for other comparisons."""
    nothing = ast.SetDisplay(())
    for source, other in ((e.left, e.right), (e.right, e.left)):
        if isinstance(source, ast.MovesOf) and other == nothing:
            binder = ast.Binder((ast.Name(NO_NAME, span=source.span),), False, source, span=source.span)
            body = ast.Bool(True, span=e.span)
            return ast.Quantified("no" if e.op == "=" else "some", (binder,), body, span=e.span)
    return None


def _over_moves(env: Env, ctx: Ctx, one: MoveRange, kind: str, body: Maker) -> n.Expr:
    if kind not in ("some", "every", "count"):
        env.report.fail("E0347", one.source.span)
    if ctx.depth >= DEEPEST:
        env.report.fail("E0357", one.source.span, most=DEEPEST)
    branches = []
    for sym in one.syms:
        me = env.program.local("me", n.ElemT(env.players))
        params = tuple(env.program.local(p.name, p.type) for p in sym.params)
        loads: tuple[n.Expr, ...] = (n.Load(me), *(n.Load(p) for p in params))
        inner = ctx.deeper().bind(**{one.name: MoveValue(sym, loads)})
        answer = fold(body(inner))
        if answer.type != ty.BOOL:
            env.report.fail("E0335", one.source.span)
        branches.append(n.MoveBranch(sym.index, me, params, answer))
    t = n.IntT(0, min(sum(map(_most_moves, one.syms)), ty.MOST_NUMBER)) if kind == "count" else ty.BOOL
    ticks = tick(env)
    return n.SomeMove(kind, one.mover, tuple(branches), one.source.kind == "moves", ticks, t, span=one.source.span)  # type: ignore[arg-type]


def _most_moves(sym: MoveSym) -> int:
    """Returns an upper bound on the number of moves of a kind: the product of its parameters' ranges."""
    return prod(range_size(Range(p, over)) for p, over in zip(sym.params, sym.overs, strict=True))


def lower_quantified(env: Env, ctx: Ctx, e: ast.Quantified) -> n.Expr:
    match e.kind:
        case "some" | "every":
            return _truth(env, ctx, e, e.kind)
        case "no":
            return n.Op1("not", _truth(env, ctx, e, "some"), ty.BOOL, span=e.span)
        case "count":
            return _count(env, ctx, e)


def _truth(env: Env, ctx: Ctx, e: ast.Quantified, kind: str) -> n.Expr:
    def make(one: Range, inner: n.Expr) -> n.Expr:
        return fold(n.Loop(kind, one.local, one.over, None, inner, ty.BOOL, span=e.span))  # type: ignore[arg-type]

    return nest(env, ctx, e.binders, make, kind, lambda c: lower_bool(env, c, e.body))


def _count(env: Env, ctx: Ctx, e: ast.Quantified) -> n.Expr:
    def make(one: Range, inner: n.Expr) -> n.Expr:
        size = range_size(one)
        if inner.type == ty.BOOL:
            return fold(n.Loop("count", one.local, one.over, None, inner, n.IntT(0, size), span=e.span))
        assert isinstance(inner.type, n.IntT)
        return fold(n.Loop("sum", one.local, one.over, None, inner, n.IntT(0, size * inner.type.high), span=e.span))

    return nest(env, ctx, e.binders, make, "count", lambda c: lower_bool(env, c, e.body))


def range_size(one: Range) -> int:
    assert isinstance(one.over.type, n.SetT)
    return one.over.value.bit_count() if isinstance(one.over, n.Const) else one.over.type.domain.size


def lower_filter(env: Env, ctx: Ctx, e: ast.Filter) -> n.Expr:
    if isinstance(e.binder.source, ast.MovesOf):
        env.report.fail("E0347", e.binder.span)
    if len(e.binder.names) != 1 and not e.binder.is_tuple:
        env.report.fail("E0348", e.binder.span)
    ranges, inner = bind(env, ctx, e.binder)
    one = ranges[0]
    assert isinstance(one, Range) and isinstance(one.over.type, n.SetT)
    condition = lower_bool(env, inner, e.condition)
    if one.item is None:
        return n.Loop("filter", one.local, one.over, None, condition, one.over.type, span=e.span)
    there = as_set(env, n.Load(one.element, span=e.binder.span), e.binder.span)
    body = one.around(n.Cond(condition, there, n.Const(0, there.type), there.type, span=e.span))
    return n.Loop("union", one.local, one.over, None, body, body.type, span=e.span)


def lower_after(env: Env, ctx: Ctx, e: ast.After) -> n.Expr:
    """Lowers ``after m: F``. Inside F locals keep their values, and the state is the one after the ply."""
    body = lower_bool(env, ctx, e.body)
    ticks, passing = tick(env), passed(env)
    if e.move == "waiting":
        return n.AfterE(None, (), ticks, body, passing, span=e.span)
    if e.move == "this":
        if ctx.this is None:
            env.report.fail("E0349", e.span)
        value: object = ctx.this
    else:
        value = ctx.scope.get(e.move)
    if not isinstance(value, MoveValue):
        env.report.fail("E0350", e.span, name=e.move)
    if value.sym.has_chance:
        env.report.fail("E0346", e.span, name=value.sym.decl.name.id)
    return n.AfterE(value.sym.index, value.args, ticks, body, passing, span=e.span)
