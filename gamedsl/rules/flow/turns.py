"""``turns from``: the loop in which players take turns → basic blocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gamedsl.core.nodes import (
    Assign,
    BranchT,
    Const,
    ElemT,
    Expr,
    Get,
    IntT,
    Op2,
    Var,
)
from gamedsl.rules import conversions
from gamedsl.rules import types as ty
from gamedsl.rules.expressions.lowering import lower, lower_bool, lower_number
from gamedsl.rules.expressions.primitives import next_of
from gamedsl.rules.flow.assignments import counted
from gamedsl.rules.flow.decisions import DECISIONS
from gamedsl.rules.scope import Ctx
from gamedsl.syntax import ast, walk

if TYPE_CHECKING:
    from gamedsl.rules.flow.control_flow import FlowBuilder


@dataclass
class Turn:
    """The enclosing ``turns`` loop: the targets of ``skip`` and ``again``."""

    skip: int
    again: int
    ticked: Var | None


def turns(flow: FlowBuilder, ctx: Ctx, s: ast.Turns) -> None:
    env = flow.env
    t = ElemT(env.players)
    start = lower(env, ctx, s.start, t)
    player = flow.temp("player to move", t)
    flow.emit(Assign(player, (), start, span=s.span))
    if env.turn is not None:
        flow.emit(Assign(env.turn, (), Const(1, env.turn.type), span=s.span))  # type: ignore[arg-type]
    rounds, left = _turns_left(flow, ctx, s)
    ticked = flow.temp("time has passed", ty.BOOL) if _needs_flag(flow, s) else None
    head, skip, again, after = flow.new(), flow.new(), flow.new(), flow.new()
    flow.go(head, s.span)
    flow.begin(head)
    me = Get(player, (), t, span=s.span)
    inner = ctx.with_me(me)
    with flow.within(turn=Turn(skip, again, ticked)):
        flow.body(inner, s.body)
    flow.go(skip, s.span)
    passed = flow.program.passed(env)
    for block, same in ((skip, False), (again, True)):
        if not flow.leads_to(block):
            continue
        flow.begin(block)
        if ticked is not None:
            flow.emit(Assign(ticked, (), ty.NO))
        _turn_over(flow, s, inner, rounds, left, after)
        if not same:
            flow.emit(Assign(player, (), next_of(env, me, s.span), span=s.span))
        flow.emit(*passed)
        flow.go(head, s.span)
    flow.join(after)


def _needs_flag(flow: FlowBuilder, s: ast.Turns) -> bool:
    """Whether a turn has several decisions, of which only the first lets time pass."""
    if not flow.env.countdowns:
        return False
    return sum(isinstance(n, DECISIONS) for n in walk(s.body)) > 1


def _turns_left(flow: FlowBuilder, ctx: Ctx, s: ast.Turns) -> tuple[Expr | None, Var | None]:
    if s.times is None:
        return None, None
    times = lower_number(flow.env, ctx, s.times)
    assert isinstance(times.type, IntT)
    if times.type.low < 1:
        flow.env.report.fail("E0412", s.times.span)
    left = flow.temp("turns to come", IntT(0, times.type.high))
    flow.emit(Assign(left, (), conversions.clip(times, IntT(0, times.type.high)), span=s.span))
    return times, left


def _turn_over(flow: FlowBuilder, s: ast.Turns, ctx: Ctx, rounds: Expr | None, left: Var | None, after: int) -> None:
    """The tests after every turn: the number of turns, then ``until``."""
    if left is not None:
        assert isinstance(left.type, IntT)
        flow.emit(counted(left, (), -1, s.span))
        go_on = flow.new()
        flow.close(
            BranchT(Op2("eq", Get(left, (), left.type), ty.number(0, s.span), ty.BOOL), after, go_on, span=s.span)
        )
        flow.begin(go_on)
    if s.until is not None:
        go_on = flow.new()
        flow.close(BranchT(lower_bool(flow.env, ctx, s.until), after, go_on, span=s.until.span))
        flow.begin(go_on)
