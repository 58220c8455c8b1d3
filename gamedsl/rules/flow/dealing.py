"""Dealing, and shuffling one pile into another → chance and loops."""

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
from gamedsl.rules.flow.assignments import with_elements
from gamedsl.rules.flow.cards import Place, destination, pile, put, take_away
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
    source, target = pile(flow.env, ctx, s.source), destination(flow.env, ctx, s.target)
    flow.emit(put(flow.env, target, _taken(flow, s, source), s.span))


def _taken(flow: FlowBuilder, s: ast.Deal, source: Place) -> Expr:
    """Takes one card away, and returns it."""
    t = ElemT(source.domain)
    card = flow.temp("card", t)
    dealt = Get(card, (), t, span=s.span)
    match source.var.type:
        case StackT(inner):
            top = StackOp("top", source.var, source.keys, inner, span=s.span)
            kept = require(flow.env, top, t, s.span)
            flow.emit(Assign(card, (), kept, span=s.span), PopS(source.var, source.keys, span=s.span))
        case IntT() as many:
            chance.draw_into(flow, s, source.var, source.keys, source.domain, many, card, "deal")
        case _:
            local = flow.env.program.local("card", t)
            among = Get(source.var, source.keys, SetT(source.domain), span=s.source.span)
            chance.chance_stop(flow, s, card, among, Const(1, IntT(1, 1)), local, source.domain.words, "deal")
            flow.emit(take_away(source, dealt, s.span))
    return dealt


def shuffle_into(flow: FlowBuilder, ctx: Ctx, s: ast.ShuffleInto) -> None:
    """Moves all cards of one place to another of its kind. A stack is shuffled afterwards; sets and bags have no order."""
    source, target = pile(flow.env, ctx, s.source), pile(flow.env, ctx, s.target)
    if source.kind != target.kind:
        flow.env.report.fail("E0490", s.span, source=source.kind, target=target.kind)
    match source.kind:
        case "stack":
            _pile_up(flow, source, target, s.span)
            chance.shuffle(flow, ctx, ast.Shuffle(s.target, notes=s.notes, span=s.span))
        case "bag":
            local = flow.env.program.local("card", ElemT(source.domain))
            every = Const(source.domain.full, SetT(source.domain))
            flow.emit(ForS(local, every, _poured(source, target, Load(local), s.span)))
        case _:
            none = SetT(source.domain)
            cards = require(
                flow.env, Get(source.var, source.keys, none, span=s.source.span), SetT(target.domain), s.span
            )
            flow.emit(
                with_elements(target.var, target.keys, cards, s.span),
                Assign(source.var, source.keys, Const(0, none), span=s.span),
            )


def _pile_up(flow: FlowBuilder, source: Place, target: Place, span: Span) -> None:
    assert isinstance(source.var.type, StackT) and isinstance(target.var.type, StackT)
    inner, count = source.var.type.inner, IntT(0, source.var.type.limit)

    def one() -> None:
        top = StackOp("top", source.var, source.keys, inner, span=span)
        flow.emit(put(flow.env, target, top, span), PopS(source.var, source.keys, span=span))

    loops.while_positive(flow, StackOp("height", source.var, source.keys, count), span, one)


def _poured(source: Place, target: Place, card: Expr, span: Span) -> tuple[CoreStmt, ...]:
    """All of one kind go from a bag to another."""
    old, new = source.var.type, target.var.type
    assert isinstance(old, IntT) and isinstance(new, IntT)
    there, here = (*source.keys, card), (*target.keys, card)
    both = IntT(new.low + old.low, new.high + old.high)
    total = Op2("add", Get(target.var, here, new, span=span), Get(source.var, there, old, span=span), both, span=span)
    return (
        Assign(target.var, here, conversions.clip(total, new), span=span),
        Assign(source.var, there, conversions.clip(ty.number(0, span), old), span=span),
    )
