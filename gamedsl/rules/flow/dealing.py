"""Dealing, and shuffling one heap into another → chance and loops."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.core.nodes import (
    Assign,
    Const,
    CoreStmt,
    ElemT,
    Expr,
    ForS,
    Get,
    IntT,
    Load,
    Op2,
    PopS,
    SetT,
    StackOp,
    StackT,
)
from gamedsl.rules import conversions
from gamedsl.rules import types as ty
from gamedsl.rules.expressions.lowering import require
from gamedsl.rules.flow import chance, loops
from gamedsl.rules.flow.cards import Place, less, place, put
from gamedsl.rules.scope import Ctx
from gamedsl.source import Span
from gamedsl.syntax import ast

if TYPE_CHECKING:
    from gamedsl.rules.flow.control_flow import FlowBuilder


def deal(flow: FlowBuilder, ctx: Ctx, s: ast.Deal) -> None:
    if s.times is not None:
        once = ast.Deal(None, s.source, s.target, notes=s.notes, span=s.span)
        loops.repeat(flow, ctx, ast.Repeat(s.times, (once,), None, notes=s.notes, span=s.span))
        return
    source, target = place(flow.env, ctx, s.source, "E0487"), place(flow.env, ctx, s.target, "E0488")
    flow.emit(*put(flow.env, target, _taken(flow, s, source), s.span))


def _taken(flow: FlowBuilder, s: ast.Deal, source: Place) -> Expr:
    """Takes one card away, and returns it."""
    t = ElemT(source.domain)
    card = flow.temp("card", t)
    dealt = Get(card, (), t, span=s.span)
    match source.kind:
        case "stack":
            assert isinstance(source.var.type, StackT)
            top = StackOp("top", source.var, source.keys, source.var.type.inner, span=s.span)
            value = conversions.coerce(top, t)
            assert value is not None
            flow.emit(Assign(card, (), value, span=s.span), PopS(source.var, source.keys, span=s.span))
        case "bag":
            assert isinstance(source.var.type, IntT)
            chance.draw_into(flow, s, source.var, source.keys, source.domain, source.var.type, card, "deal")
        case _:
            local = flow.env.program.local("card", t)
            one = Const(1, IntT(1, 1))
            chance.chance_stop(flow, s, card, source.now, one, local, source.domain.names, "deal")
            flow.emit(less(source, dealt, s.span))
    return dealt


def shuffle_into(flow: FlowBuilder, ctx: Ctx, s: ast.ShuffleInto) -> None:
    """Moves all cards of one place to another of its kind. A stack is shuffled afterwards; sets and bags have no order."""
    source, target = place(flow.env, ctx, s.source, "E0487"), place(flow.env, ctx, s.target, "E0487")
    if source.kind != target.kind:
        flow.env.report.fail("E0490", s.span, source=source.kind, target=target.kind)
    match source.kind:
        case "stack":
            _pile_up(flow, source, target, s.span)
            chance.shuffle(flow, ctx, ast.Shuffle(s.target, notes=s.notes, span=s.span))
        case "bag":
            local = flow.env.program.local("card", ElemT(source.domain))
            flow.emit(
                ForS(
                    local, Const(source.domain.full, SetT(source.domain)), _poured(source, target, Load(local), s.span)
                )
            )
        case _:
            more = require(flow.env, source.now, SetT(target.domain), s.span)
            both = Op2("union", target.now, more, SetT(target.domain), span=s.span)
            flow.emit(
                Assign(target.var, target.keys, both, span=s.span),
                Assign(source.var, source.keys, Const(0, SetT(source.domain)), span=s.span),
            )


def _pile_up(flow: FlowBuilder, source: Place, target: Place, span: Span) -> None:
    assert isinstance(source.var.type, StackT) and isinstance(target.var.type, StackT)
    inner, count = source.var.type.inner, IntT(0, source.var.type.limit)

    def one() -> None:
        top = StackOp("top", source.var, source.keys, inner, span=span)
        flow.emit(*put(flow.env, target, top, span), PopS(source.var, source.keys, span=span))

    chance.while_positive(flow, StackOp("height", source.var, source.keys, count), span, one)


def _poured(source: Place, target: Place, card: Expr, span: Span) -> tuple[CoreStmt, ...]:
    """All of one kind go from a bag to another."""
    t = target.var.type
    assert isinstance(t, IntT) and isinstance(source.var.type, IntT)
    both = IntT(t.low + source.var.type.low, t.high + source.var.type.high)
    total = Op2("add", target.number(card), source.number(card), both, span=span)
    none = conversions.clip(ty.number(0, span), source.var.type)
    return (
        Assign(target.var, (*target.keys, card), conversions.clip(total, t), span=span),
        Assign(source.var, (*source.keys, card), none, span=span),
    )
