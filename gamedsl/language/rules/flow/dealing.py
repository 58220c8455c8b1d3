"""Dealing, and shuffling one pile into another → chance and loops."""

from __future__ import annotations

from gamedsl.language.core import nodes as n
from gamedsl.language.rules import conversions
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.lowering import require
from gamedsl.language.rules.flow import chance, loops
from gamedsl.language.rules.flow.assignments import with_elements
from gamedsl.language.rules.flow.cards import Place, destination, pile, put, take_away
from gamedsl.language.rules.flow.flow_builder import FlowBuilder
from gamedsl.language.rules.scope import Ctx
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast


def deal(flow: FlowBuilder, ctx: Ctx, s: ast.Deal) -> None:
    if s.times is not None:
        once = ast.Deal(None, s.source, s.target, notes=s.notes, span=s.span)
        loops.repeat(flow, ctx, ast.Repeat(s.times, (once,), None, notes=s.notes, span=s.span))
        return
    source, target = pile(flow.env, ctx, s.source), destination(flow.env, ctx, s.target)
    flow.emit(put(flow.env, target, _taken(flow, s, source), s.span))


def _taken(flow: FlowBuilder, s: ast.Deal, source: Place) -> n.Expr:
    """Removes one card, and returns it."""
    t = n.ElemT(source.domain)
    card = flow.temp("card", t)
    dealt = n.Get(card, (), t, span=s.span)
    match source.var.type:
        case n.StackT(inner):
            top = n.StackOp("top", source.var, source.keys, inner, span=s.span)
            kept = require(flow.env, top, t, s.span)
            flow.emit(n.Assign(card, (), kept, span=s.span), n.PopS(source.var, source.keys, span=s.span))
        case n.IntT() as many:
            chance.draw_into(flow, s, source.var, source.keys, source.domain, many, card, "deal")
        case _:
            local = flow.env.program.local("card", t)
            among = n.Get(source.var, source.keys, n.SetT(source.domain), span=s.source.span)
            chance.chance_stop(flow, s, card, among, n.Const(1, n.IntT(1, 1)), local, source.domain.words, "deal")
            flow.emit(take_away(source, dealt, s.span))
    return dealt


def shuffle_into(flow: FlowBuilder, ctx: Ctx, s: ast.ShuffleInto) -> None:
    """Moves all cards of one place to another of its kind. A stack is shuffled afterwards; sets and bags have no
    order.
    """
    source, target = pile(flow.env, ctx, s.source), pile(flow.env, ctx, s.target)
    if source.kind != target.kind:
        flow.env.report.fail("E0490", s.span, source=source.kind, target=target.kind)
    match source.kind:
        case "stack":
            _pile_up(flow, source, target, s.span)
            chance.shuffle(flow, ctx, ast.Shuffle(s.target, notes=s.notes, span=s.span))
        case "bag":
            local = flow.env.program.local("card", n.ElemT(source.domain))
            every = n.Const(source.domain.full, n.SetT(source.domain))
            flow.emit(n.ForS(local, every, _poured(source, target, n.Load(local), s.span)))
        case _:
            none = n.SetT(source.domain)
            cards = require(
                flow.env, n.Get(source.var, source.keys, none, span=s.source.span), n.SetT(target.domain), s.span
            )
            flow.emit(
                with_elements(target.var, target.keys, cards, s.span),
                n.Assign(source.var, source.keys, n.Const(0, none), span=s.span),
            )


def _pile_up(flow: FlowBuilder, source: Place, target: Place, span: Span) -> None:
    assert isinstance(source.var.type, n.StackT) and isinstance(target.var.type, n.StackT)
    inner, count = source.var.type.inner, n.IntT(0, source.var.type.limit)

    def one() -> None:
        top = n.StackOp("top", source.var, source.keys, inner, span=span)
        flow.emit(put(flow.env, target, top, span), n.PopS(source.var, source.keys, span=span))

    loops.while_positive(flow, n.StackOp("height", source.var, source.keys, count), span, one)


def _poured(source: Place, target: Place, card: n.Expr, span: Span) -> tuple[n.CoreStmt, ...]:
    """Returns the statements that move all cards of one kind from a bag to another."""
    old, new = source.var.type, target.var.type
    assert isinstance(old, n.IntT) and isinstance(new, n.IntT)
    there, here = (*source.keys, card), (*target.keys, card)
    both = n.IntT(new.low + old.low, new.high + old.high)
    total = n.Op2(
        "add", n.Get(target.var, here, new, span=span), n.Get(source.var, there, old, span=span), both, span=span
    )
    return (
        n.Assign(target.var, here, conversions.clip(total, new), span=span),
        n.Assign(source.var, there, conversions.clip(ty.number(0, span), old), span=span),
    )
