"""Noted positions: the values that make up a position, and how often it was noted."""

from __future__ import annotations

from gamedsl.language.core import nodes as n
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.lowering import constant
from gamedsl.language.rules.expressions.primitives import owner_keys
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast

MOST_NOTED = 1_000_000


def lower_repetition(env: Env, ctx: Ctx, e: ast.Call) -> n.Expr:
    times = constant(env, ctx, e.args[0], "the argument of repetition")
    if env.history is None:
        env.report.fail("E0368", e.span)
    noted = n.Noted(env.history, position(env, ctx, e.span), n.IntT(0, MOST_NOTED), span=e.span)
    return n.Op2("le", ty.number(times, e.span), noted, ty.BOOL, span=e.span)


def position(env: Env, ctx: Ctx, span: Span) -> tuple[n.Expr, ...]:
    """Returns the values of a position: all pieces and what they carry, the player to move (for ``note position``),
    and the variables after ``with``.
    """
    with_mover = ctx.me is not None and env.noting == "position"
    env.positions.setdefault(with_mover, span)
    parts: list[n.Expr] = [ctx.me] if ctx.me is not None and with_mover else []
    for piece in env.pieces():
        for owner in owner_keys(env, piece, span):
            parts.append(n.Get(piece.var, owner, n.SetT(piece.place), span=span))
            if piece.extra is not None:
                assert isinstance(piece.extra.type, n.IntT)
                cells = (n.Const(c, n.ElemT(piece.place)) for c in range(piece.place.size))
                parts.extend(n.Get(piece.extra, (*owner, c), piece.extra.type, span=span) for c in cells)
    for carried in env.carried.values():
        places = (n.Const(c, n.ElemT(carried.var.keys[0])) for c in range(carried.var.slots))
        parts.extend(n.Get(carried.var, (c,), carried.stored, span=span) for c in places)
    for var in env.noted:
        keys: list[tuple[n.Expr, ...]] = [()]
        for domain in var.keys:
            keys = [(*k, n.Const(i, n.ElemT(domain))) for k in keys for i in range(domain.size)]
        parts.extend(n.Get(var, k, var.type, span=span) for k in keys)  # type: ignore[arg-type]
    return tuple(parts)
