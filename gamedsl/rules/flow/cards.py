"""Places for cards, and discarding.

A deck, a hand or a heap of discards is a set, a bag (``T -> 0..n``, so many of each) or a stack. What is dealt comes
from the top of a stack, and at random from the others. It goes to any of the three, or to a variable for one element.
"""

from __future__ import annotations

from dataclasses import dataclass

from gamedsl.boards import Domain
from gamedsl.core.nodes import (
    Assign,
    Check,
    CoreStmt,
    DrawingT,
    ElemT,
    Expr,
    ForS,
    Get,
    HistoryT,
    IntT,
    Load,
    Op1,
    Op2,
    OptT,
    PushS,
    SetT,
    StackT,
    Var,
)
from gamedsl.rules import conversions
from gamedsl.rules import types as ty
from gamedsl.rules.expressions.lowering import lower, lower_any, require
from gamedsl.rules.scope import Ctx, Env, MapValue
from gamedsl.source import Span
from gamedsl.syntax import ast


@dataclass(frozen=True)
class Place:
    """Where cards lie: a state variable. ``kind`` is "set", "bag", "stack", or "one" for a variable of one element."""

    kind: str
    var: Var
    keys: tuple[Expr, ...]
    domain: Domain
    span: Span

    @property
    def now(self) -> Expr:
        t = self.var.type
        assert not isinstance(t, StackT | DrawingT | HistoryT)
        return Get(self.var, self.keys, t, span=self.span)

    def number(self, card: Expr) -> Expr:
        """How many of a card a bag holds."""
        assert isinstance(self.var.type, IntT)
        return Get(self.var, (*self.keys, card), self.var.type, span=self.span)


def place(env: Env, ctx: Ctx, e: ast.Expr, code: str) -> Place:
    """The place that an expression names; an error with this code for any other expression."""
    match lower_any(env, ctx, e, None):
        case Get(Var(role="state", type=SetT(domain)) as var, keys):
            return Place("set", var, keys, domain, e.span)
        case Get(Var(role="state") as var, keys) if code == "E0488" and (own := _single(var)) is not None:
            return Place("one", var, keys, own, e.span)
        case MapValue(Var(role="state", type=StackT(inner)) as var, keys) if len(keys) == len(var.keys):
            piled = ty.domain_of(inner)
            if piled is None:
                env.report.fail("E0343", e.span, most=4096)
            return Place("stack", var, keys, piled, e.span)
        case MapValue(Var(role="state", type=IntT(low)) as var, keys) if low >= 0 and len(keys) == len(var.keys) - 1:
            return Place("bag", var, keys, var.keys[-1], e.span)
    env.report.fail(code, e.span)


def _single(var: Var) -> Domain | None:
    """What a variable for one element, or none, ranges over."""
    t = var.type.inner if isinstance(var.type, OptT) else var.type
    return None if isinstance(t, SetT | StackT | HistoryT | DrawingT | OptT) else ty.domain_of(t)


def less(source: Place, card: Expr, span: Span) -> Assign:
    """A set without a card, or a bag with one less."""
    if source.kind == "bag":
        t = source.var.type
        assert isinstance(t, IntT)
        one_less = Op2("sub", source.number(card), ty.number(1, span), IntT(t.low - 1, t.high - 1), span=span)
        return Assign(source.var, (*source.keys, card), conversions.clip(one_less, t), span=span)
    t = SetT(source.domain)
    return Assign(source.var, source.keys, Op2("minus", source.now, Op1("single", card, t), t, span=span), span=span)


def put(env: Env, target: Place, card: Expr, span: Span) -> list[CoreStmt]:
    """Puts a card where it belongs."""
    t = target.var.type
    if target.kind == "stack":
        assert isinstance(t, StackT)
        return [PushS(target.var, target.keys, require(env, card, t.inner, span), span=span)]
    assert not isinstance(t, StackT | DrawingT | HistoryT)
    if target.kind == "one":
        return [Assign(target.var, target.keys, require(env, card, t, span), span=span)]
    card = require(env, card, ElemT(target.domain), span)
    if target.kind == "bag":
        assert isinstance(t, IntT)
        more = Op2("add", target.number(card), ty.number(1, span), IntT(t.low + 1, t.high + 1), span=span)
        return [Assign(target.var, (*target.keys, card), conversions.clip(more, t), span=span)]
    more = Op2("union", target.now, Op1("single", card, t), t, span=span)
    return [Assign(target.var, target.keys, more, span=span)]


# ---------------------------------------------------------------------------------------------------------- discard


def discard(env: Env, ctx: Ctx, s: ast.Discard) -> list[CoreStmt]:
    """Takes a card, or all cards of a set, from a set or a bag. What is not there can't be discarded."""
    source, target = place(env, ctx, s.source, "E0487"), place(env, ctx, s.target, "E0488")
    if source.kind == "stack":
        env.report.fail("E0489", s.source.span)
    cards = lower(env, ctx, s.value, None)
    if not isinstance(cards.type, SetT):
        return _discard_one(env, source, target, require(env, cards, ElemT(source.domain), s.value.span), s.span)
    local = env.program.local("card", ElemT(source.domain))
    all_of_them = require(env, cards, SetT(source.domain), s.value.span)
    body = _discard_one(env, source, target, Load(local), s.span)
    return [ForS(local, all_of_them, tuple(body), span=s.span)]


def _discard_one(env: Env, source: Place, target: Place, card: Expr, span: Span) -> list[CoreStmt]:
    if source.kind == "bag":
        there: Expr = Op2("lt", ty.number(0, span), source.number(card), ty.BOOL, span=span)
    else:
        there = Op2("in", card, source.now, ty.BOOL, span=span)
    return [
        Check(there, "what is discarded is not there", span=span),
        less(source, card, span),
        *put(env, target, card, span),
    ]
