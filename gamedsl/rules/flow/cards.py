"""Places for cards, and discarding.

A deck, a hand or a discard pile is a set, a bag (``T -> 0..n``, so many of each) or a stack. What is dealt comes
from the top of a stack, and at random from the others. It goes to any of the three, or to a variable for one element.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

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
from gamedsl.rules import types as ty
from gamedsl.rules.expressions.lowering import lower, lower_any, require
from gamedsl.rules.flow.assignments import counted, with_elements, without_elements
from gamedsl.rules.scope import Ctx, Env, MapValue
from gamedsl.source import Span
from gamedsl.syntax import ast


@dataclass(frozen=True)
class Place:
    """Where cards lie: a state variable. "one" is a variable for a single element."""

    kind: Literal["set", "bag", "stack", "one"]
    var: Var
    keys: tuple[Expr, ...]
    domain: Domain


def pile(env: Env, ctx: Ctx, e: ast.Expr) -> Place:
    """A set, a bag or a stack; E0487 for any other expression."""
    found = _pile(env, ctx, e)
    if found is None:
        env.report.fail("E0487", e.span)
    return found


def destination(env: Env, ctx: Ctx, e: ast.Expr) -> Place:
    """Where a card can be put: a set, a bag, a stack, or a variable for one element; E0488 for any other expression."""
    found = _pile(env, ctx, e)
    if found is None:
        match lower_any(env, ctx, e, None):
            case Get(Var(role="state") as var, keys) if (domain := _single(var)) is not None:
                return Place("one", var, keys, domain)
        env.report.fail("E0488", e.span)
    return found


def _pile(env: Env, ctx: Ctx, e: ast.Expr) -> Place | None:
    match lower_any(env, ctx, e, None):
        case Get(Var(role="state", type=SetT(domain)) as var, keys):
            return Place("set", var, keys, domain)
        case MapValue(Var(role="state", type=StackT(inner)) as var, keys) if len(keys) == len(var.keys):
            piled = ty.domain_of(inner)
            if piled is None:
                env.report.fail("E0343", e.span, most=ty.MOST_RANGE)
            return Place("stack", var, keys, piled)
        case MapValue(Var(role="state", type=IntT(low)) as var, keys) if low >= 0 and len(keys) == len(var.keys) - 1:
            return Place("bag", var, keys, var.keys[-1])
    return None


def _single(var: Var) -> Domain | None:
    """What a variable for one element, or none, ranges over."""
    t = var.type.inner if isinstance(var.type, OptT) else var.type
    return None if isinstance(t, SetT | StackT | HistoryT | DrawingT | OptT) else ty.domain_of(t)


def take_away(source: Place, card: Expr, span: Span) -> Assign:
    """A set loses a card, a bag has one less."""
    if source.kind == "bag":
        return counted(source.var, (*source.keys, card), -1, span)
    return without_elements(source.var, source.keys, Op1("single", card, SetT(source.domain)), span)


def put(env: Env, target: Place, card: Expr, span: Span) -> CoreStmt:
    """Puts a card where it belongs."""
    t = target.var.type
    if isinstance(t, StackT):
        return PushS(target.var, target.keys, require(env, card, t.inner, span), span=span)
    assert not isinstance(t, DrawingT | HistoryT)
    if target.kind == "one":
        return Assign(target.var, target.keys, require(env, card, t, span), span=span)
    card = require(env, card, ElemT(target.domain), span)
    if target.kind == "bag":
        return counted(target.var, (*target.keys, card), 1, span)
    return with_elements(target.var, target.keys, Op1("single", card, SetT(target.domain)), span)


# ---------------------------------------------------------------------------------------------------------- discard


def discard(env: Env, ctx: Ctx, s: ast.Discard) -> list[CoreStmt]:
    """Takes a card, or all cards of a set, from a set or a bag. What is not there can't be discarded."""
    source, target = pile(env, ctx, s.source), destination(env, ctx, s.target)
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
    t = source.var.type
    if source.kind == "bag":
        assert isinstance(t, IntT)
        held = Get(source.var, (*source.keys, card), t, span=span)
        there: Expr = Op2("lt", ty.number(0, span), held, ty.BOOL, span=span)
    else:
        there = Op2("in", card, Get(source.var, source.keys, SetT(source.domain), span=span), ty.BOOL, span=span)
    return [
        Check(there, "what is discarded is not there", span=span),
        take_away(source, card, span),
        put(env, target, card, span),
    ]
