"""Noted positions: what makes a position, and how often it was noted."""

from __future__ import annotations

from gamedsl.core.nodes import Const, ElemT, Expr, Get, IntT, Noted, Op2, SetT
from gamedsl.rules import types as ty
from gamedsl.rules.expressions.lowering import constant
from gamedsl.rules.expressions.primitives import owner_keys
from gamedsl.rules.scope import Ctx, Env
from gamedsl.source import Span
from gamedsl.syntax import ast

MOST_NOTED = 1_000_000


def lower_repetition(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    times = constant(env, ctx, e.args[0], "the argument of repetition")
    if env.history is None:
        env.report.fail("E0368", e.span)
    noted = Noted(env.history, position(env, ctx, e.span), IntT(0, MOST_NOTED), span=e.span)
    return Op2("le", ty.number(times, e.span), noted, ty.BOOL, span=e.span)


def position(env: Env, ctx: Ctx, span: Span) -> tuple[Expr, ...]:
    """What makes a position: all pieces on the board, the player whose turn it is, and what ``note position with`` adds."""
    with_mover = ctx.me is not None and env.noting == "position"
    env.positions.setdefault(with_mover, span)
    parts: list[Expr] = [ctx.me] if ctx.me is not None and with_mover else []
    for piece in env.pieces():
        for owner in owner_keys(env, piece, span):
            parts.append(Get(piece.var, owner, SetT(piece.place), span=span))
            if piece.extra is not None:
                assert isinstance(piece.extra.type, IntT)
                cells = (Const(c, ElemT(piece.place)) for c in range(piece.place.size))
                parts.extend(Get(piece.extra, (*owner, c), piece.extra.type, span=span) for c in cells)
    for carried in env.carried.values():
        places = (Const(c, ElemT(carried.var.keys[0])) for c in range(carried.var.slots))
        parts.extend(Get(carried.var, (c,), carried.stored, span=span) for c in places)
    for var in env.noted:
        keys: list[tuple[Expr, ...]] = [()]
        for domain in var.keys:
            keys = [(*k, Const(i, ElemT(domain))) for k in keys for i in range(domain.size)]
        parts.extend(Get(var, k, var.type, span=span) for k in keys)  # type: ignore[arg-type]
    return tuple(parts)
