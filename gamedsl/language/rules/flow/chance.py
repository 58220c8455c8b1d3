"""Chance: dice, random picks, draws from a bag, shuffles. Each is a stop of the program with exact weights."""

from __future__ import annotations

from itertools import product

from gamedsl.language.boards import Domain
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import conversions
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.binders import check_name
from gamedsl.language.rules.expressions.lowering import lower_any, lower_set
from gamedsl.language.rules.flow.assignments import counted, stack_place
from gamedsl.language.rules.flow.flow_builder import FlowBuilder
from gamedsl.language.rules.flow.loops import while_positive
from gamedsl.language.rules.scope import Ctx, Env, MapValue
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast

MOST_FACES, MOST_DICE = 100, 10


def draw_lots(flow: FlowBuilder, ctx: Ctx, s: ast.Draw) -> Ctx:
    check_name(flow.env, ctx, s.binds())
    match s:
        case ast.Roll():
            return _roll(flow, ctx, s)
        case ast.Pick():
            return _pick(flow, ctx, s)
        case ast.DrawFrom():
            return _draw(flow, ctx, s)
        case _:
            raise AssertionError(s)


def chance_stop(
    flow: FlowBuilder,
    s: ast.Line,
    result: n.Var,
    over: n.Expr,
    weight: n.Expr,
    local: object,
    names: tuple[str, ...],
    what: str,
) -> None:
    after = flow.new()
    cites = tuple(c.clause for c in s.notes.cites)
    end = n.Chance(result, local, over, weight, names, what, after, flow.env.index, span=s.span)  # type: ignore[arg-type]
    flow.close(end, cites)
    flow.begin(after)


def _roll(flow: FlowBuilder, ctx: Ctx, s: ast.Roll) -> Ctx:
    env = flow.env
    if not 2 <= s.faces <= MOST_FACES or not 1 <= s.dice <= MOST_DICE:
        env.report.fail("E0418", s.span, faces=MOST_FACES, dice=MOST_DICE)
    domain = ty.range_domain(s.dice, s.dice * s.faces)
    t = n.IntT(domain.low, domain.high)
    result = flow.temp(s.result.id, t)
    local = env.program.local(s.result.id, n.ElemT(domain))
    ways = _sum_counts(s.dice, s.faces)
    table = n.TableData("ways to roll", (domain,), n.IntT(1, max(ways)), ways)
    weight: n.Expr = n.Const(1, n.IntT(1, 1)) if s.dice == 1 else n.Lookup(table, (n.Load(local),))
    chance_stop(flow, s, result, n.Const(domain.full, n.SetT(domain)), weight, local, domain.words, "roll")
    return ctx.bind(**{s.result.id: n.Get(result, (), t, span=s.result.span)})


def _sum_counts(dice: int, faces: int) -> tuple[int, ...]:
    """Returns the number of ways in which some dice show each sum, from the lowest sum up."""
    ways = [1]
    for _ in range(dice):
        longer = [0] * (len(ways) + faces - 1)
        for i, j in product(range(len(ways)), range(faces)):
            longer[i + j] += ways[i]
        ways = longer
    return tuple(ways)


def _pick(flow: FlowBuilder, ctx: Ctx, s: ast.Pick) -> Ctx:
    env = flow.env
    over = lower_set(env, ctx, s.source)
    assert isinstance(over.type, n.SetT)
    t = n.ElemT(over.type.domain)
    result = flow.temp(s.result.id, t)
    local = env.program.local(s.result.id, t)
    chance_stop(flow, s, result, over, n.Const(1, n.IntT(1, 1)), local, over.type.domain.words, "pick")
    return ctx.bind(**{s.result.id: n.Get(result, (), t, span=s.result.span)})


def _bag(env: Env, ctx: Ctx, e: ast.Expr) -> tuple[n.Var, tuple[n.Expr, ...], Domain, n.IntT]:
    """Returns a bag, which is a map T -> 0..n with the number of each T: its variable, keys, domain T and type 0..n."""
    value = lower_any(env, ctx, e, None)
    if isinstance(value, MapValue) and isinstance(value.var, n.Var) and len(value.keys) == len(value.var.keys) - 1:
        if isinstance(value.var.type, n.IntT) and value.var.type.low >= 0:
            return value.var, value.keys, value.var.keys[-1], value.var.type
    env.report.fail("E0419", e.span)


def _draw(flow: FlowBuilder, ctx: Ctx, s: ast.DrawFrom) -> Ctx:
    env = flow.env
    var, keys, domain, t = _bag(env, ctx, s.bag)
    element = n.ElemT(domain)
    result = flow.temp(s.result.id, element)
    draw_into(flow, s, var, keys, domain, t, result, "draw")
    return ctx.bind(**{s.result.id: n.Get(result, (), element, span=s.result.span)})


def draw_into(
    flow: FlowBuilder,
    s: ast.Line,
    bag: n.Var,
    keys: tuple[n.Expr, ...],
    domain: Domain,
    t: n.IntT,
    result: n.Var,
    what: str,
) -> None:
    local = flow.env.program.local("x", n.ElemT(domain))
    weight = n.Get(bag, (*keys, n.Load(local)), t, span=s.span)
    some = n.Op2("lt", ty.number(0, s.span), weight, ty.BOOL)
    over = n.Loop("filter", local, n.Const(domain.full, n.SetT(domain)), None, some, n.SetT(domain), span=s.span)
    chance_stop(flow, s, result, over, weight, local, domain.words, what)
    drawn = n.Get(result, (), n.ElemT(domain))
    flow.emit(counted(bag, (*keys, drawn), -1, s.span))


def shuffle(flow: FlowBuilder, ctx: Ctx, s: ast.Shuffle) -> None:
    """Shuffles a stack: moves everything into a bag and draws it back one by one."""
    env = flow.env
    var, keys = stack_place(env, ctx, s.target)
    assert isinstance(var.type, n.StackT)
    inner = var.type.inner
    domain = ty.domain_of(inner)
    if domain is None:
        env.report.fail("E0343", s.target.span, most=ty.MOST_RANGE)
    count = n.IntT(0, var.type.limit)
    bag = env.program.variable(env.index, f"shuffled {var.name}", count, keys=(domain,), seen=var.seen)
    left = flow.temp("left to shuffle", count)
    drawn = env.program.variable(env.index, "drawn", n.ElemT(domain), seen=var.seen)
    flow.emit(n.Reset(bag), n.Assign(left, (), n.StackOp("height", var, keys, count), span=s.span))
    while_positive(
        flow,
        n.StackOp("height", var, keys, count),
        s.span,
        lambda: _into_bag(flow, var, keys, bag, domain, s.span),
    )

    def back() -> None:
        draw_into(flow, s, bag, (), domain, count, drawn, "shuffle")
        value = _as_inner(n.Get(drawn, (), n.ElemT(domain)), inner)
        flow.emit(n.PushS(var, keys, value, span=s.span), counted(left, (), -1, s.span))

    while_positive(flow, n.Get(left, (), count), s.span, back)


def _into_bag(flow: FlowBuilder, var: n.Var, keys: tuple[n.Expr, ...], bag: n.Var, domain: Domain, span: Span) -> None:
    assert isinstance(var.type, n.StackT)
    top = n.StackOp("top", var, keys, var.type.inner, span=span)
    index = conversions.coerce(top, n.ElemT(domain))
    assert index is not None
    flow.emit(counted(bag, (index,), 1, span), n.PopS(var, keys, span=span))


def _as_inner(value: n.Expr, inner: object) -> n.Expr:
    result = conversions.coerce(value, inner)  # type: ignore[arg-type]
    assert result is not None
    return result
