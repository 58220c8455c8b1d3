"""``turns from``: the loop in which players take turns → basic blocks."""

from __future__ import annotations

from gamedsl.language.core import nodes as n
from gamedsl.language.rules import conversions
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.lowering import lower, lower_bool, lower_number
from gamedsl.language.rules.expressions.primitives import next_of
from gamedsl.language.rules.flow.assignments import counted
from gamedsl.language.rules.flow.flow_builder import FlowBuilder, Turn
from gamedsl.language.rules.passing_time import passed
from gamedsl.language.rules.scope import Ctx
from gamedsl.language.syntax import ast, walk


def turns(flow: FlowBuilder, ctx: Ctx, s: ast.Turns) -> None:
    env = flow.env
    t = n.ElemT(env.players)
    start = lower(env, ctx, s.start, t)
    player = flow.temp("player to move", t)
    flow.emit(n.Assign(player, (), start, span=s.span))
    if env.turn is not None:
        flow.emit(n.Assign(env.turn, (), n.Const(1, env.turn.type), span=s.span))  # type: ignore[arg-type]
    rounds, left = _turns_left(flow, ctx, s)
    ticked = flow.temp("time has passed", ty.BOOL) if _needs_flag(flow, s) else None
    head, skip, again, after = flow.new(), flow.new(), flow.new(), flow.new()
    flow.go(head, s.span)
    flow.begin(head)
    me = n.Get(player, (), t, span=s.span)
    inner = ctx.with_me(me)
    with flow.within(turn=Turn(skip, again, ticked)):
        flow.body(inner, s.body)
    flow.go(skip, s.span)
    passing = passed(env)
    for block, same in ((skip, False), (again, True)):
        if not flow.leads_to(block):
            continue
        flow.begin(block)
        if ticked is not None:
            flow.emit(n.Assign(ticked, (), ty.NO))
        _turn_over(flow, s, inner, rounds, left, after)
        if not same:
            flow.emit(n.Assign(player, (), next_of(env, me, s.span), span=s.span))
        flow.emit(*passing)
        flow.go(head, s.span)
    flow.join(after)


def _needs_flag(flow: FlowBuilder, s: ast.Turns) -> bool:
    """Returns whether a turn has several decisions, of which only the first lets time pass."""
    if not flow.env.countdowns:
        return False
    return sum(isinstance(node, ast.Decision) for node in walk(s.body)) > 1


def _turns_left(flow: FlowBuilder, ctx: Ctx, s: ast.Turns) -> tuple[n.Expr | None, n.Var | None]:
    if s.times is None:
        return None, None
    times = lower_number(flow.env, ctx, s.times)
    assert isinstance(times.type, n.IntT)
    if times.type.low < 1:
        flow.env.report.fail("E0412", s.times.span)
    left = flow.temp("turns to come", n.IntT(0, times.type.high))
    flow.emit(n.Assign(left, (), conversions.clip(times, n.IntT(0, times.type.high)), span=s.span))
    return times, left


def _turn_over(
    flow: FlowBuilder, s: ast.Turns, ctx: Ctx, rounds: n.Expr | None, left: n.Var | None, after: int
) -> None:
    """Adds the tests after every turn: the number of turns, then ``until``."""
    if left is not None:
        assert isinstance(left.type, n.IntT)
        flow.emit(counted(left, (), -1, s.span))
        go_on = flow.new()
        flow.close(
            n.BranchT(n.Op2("eq", n.Get(left, (), left.type), ty.number(0, s.span), ty.BOOL), after, go_on, span=s.span)
        )
        flow.begin(go_on)
    if s.until is not None:
        go_on = flow.new()
        flow.close(n.BranchT(lower_bool(flow.env, ctx, s.until), after, go_on, span=s.until.span))
        flow.begin(go_on)
