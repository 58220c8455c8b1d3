"""Places for cards, and the statement ``discard``.

A deck, a hand or a discard pile is a set, a bag (``T -> 0..n``, the number of each) or a stack. Cards are dealt
from the top of a stack, and at random from the others. They go to any of the three, or to a variable for one element.
"""

from __future__ import annotations

from typing import Literal

from gamedsl.language.boards import Domain
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.lowering import lower, lower_any, require
from gamedsl.language.rules.flow.assignments import counted, with_elements, without_elements
from gamedsl.language.rules.scope import Ctx, Env, MapValue
from gamedsl.language.source import Span, lazy_dataclass
from gamedsl.language.syntax import ast


@lazy_dataclass(frozen=True)
class Place:
    """A state variable that holds cards. "one": a variable for a single element."""

    kind: Literal["set", "bag", "stack", "one"]
    var: n.Var
    keys: tuple[n.Expr, ...]
    domain: Domain


def pile(env: Env, ctx: Ctx, e: ast.Expr) -> Place:
    """Returns a set, a bag or a stack; reports any other expression (E0487)."""
    found = _pile(env, ctx, e)
    if found is None:
        env.report.fail("E0487", e.span)
    return found


def destination(env: Env, ctx: Ctx, e: ast.Expr) -> Place:
    """Returns a place for cards: a set, a bag, a stack, or a variable for one element; reports any other expression
    (E0488).
    """
    found = _pile(env, ctx, e)
    if found is None:
        match lower_any(env, ctx, e, None):
            case n.Get(n.Var(role="state") as var, keys) if (domain := _single(var)) is not None:
                return Place("one", var, keys, domain)
        env.report.fail("E0488", e.span)
    return found


def _pile(env: Env, ctx: Ctx, e: ast.Expr) -> Place | None:
    match lower_any(env, ctx, e, None):
        case n.Get(n.Var(role="state", type=n.SetT(domain)) as var, keys):
            return Place("set", var, keys, domain)
        case MapValue(n.Var(role="state", type=n.StackT(inner)) as var, keys) if len(keys) == len(var.keys):
            piled = ty.domain_of(inner)
            if piled is None:
                env.report.fail("E0343", e.span, most=ty.MOST_RANGE)
            return Place("stack", var, keys, piled)
        case MapValue(n.Var(role="state", type=n.IntT(low)) as var, keys) if (
            low >= 0 and len(keys) == len(var.keys) - 1
        ):
            return Place("bag", var, keys, var.keys[-1])
    return None


def _single(var: n.Var) -> Domain | None:
    """Returns the domain of a variable for one element (or none); None for other variables."""
    t = var.type.inner if isinstance(var.type, n.OptT) else var.type
    return ty.domain_of(t) if isinstance(t, n.ScalarT) else None


def take_away(source: Place, card: n.Expr, span: Span) -> n.Assign:
    """Returns the assignment that removes a card from a set or a bag."""
    if source.kind == "bag":
        return counted(source.var, (*source.keys, card), -1, span)
    return without_elements(source.var, source.keys, n.Op1("single", card, n.SetT(source.domain)), span)


def put(env: Env, target: Place, card: n.Expr, span: Span) -> n.CoreStmt:
    """Returns the statement that puts a card in its place."""
    t = target.var.type
    if isinstance(t, n.StackT):
        return n.PushS(target.var, target.keys, require(env, card, t.inner, span), span=span)
    assert not isinstance(t, n.DrawingT | n.HistoryT)
    if target.kind == "one":
        return n.Assign(target.var, target.keys, require(env, card, t, span), span=span)
    card = require(env, card, n.ElemT(target.domain), span)
    if target.kind == "bag":
        return counted(target.var, (*target.keys, card), 1, span)
    return with_elements(target.var, target.keys, n.Op1("single", card, n.SetT(target.domain)), span)


# ---------------------------------------------------------------------------------------------------------- discard


def discard(env: Env, ctx: Ctx, s: ast.Discard) -> list[n.CoreStmt]:
    """Lowers ``discard`` of a card, or of all cards of a set, from a set or a bag; a rules error if one is not there."""
    source, target = pile(env, ctx, s.source), destination(env, ctx, s.target)
    if source.kind == "stack":
        env.report.fail("E0489", s.source.span)
    cards = lower(env, ctx, s.value, None)
    if not isinstance(cards.type, n.SetT):
        return _discard_one(env, source, target, require(env, cards, n.ElemT(source.domain), s.value.span), s.span)
    local = env.program.local("card", n.ElemT(source.domain))
    all_of_them = require(env, cards, n.SetT(source.domain), s.value.span)
    body = _discard_one(env, source, target, n.Load(local), s.span)
    return [n.ForS(local, all_of_them, tuple(body), span=s.span)]


def _discard_one(env: Env, source: Place, target: Place, card: n.Expr, span: Span) -> list[n.CoreStmt]:
    t = source.var.type
    if source.kind == "bag":
        assert isinstance(t, n.IntT)
        held = n.Get(source.var, (*source.keys, card), t, span=span)
        there: n.Expr = n.Op2("lt", ty.number(0, span), held, ty.BOOL, span=span)
    else:
        there = n.Op2("in", card, n.Get(source.var, source.keys, n.SetT(source.domain), span=span), ty.BOOL, span=span)
    return [
        n.Check(there, "what is discarded is not there", span=span),
        take_away(source, card, span),
        put(env, target, card, span),
    ]
