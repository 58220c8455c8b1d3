"""Pieces in expressions: supplies and heights."""

from __future__ import annotations

from gamedsl.core.nodes import Cond, ElemT, Expr, Get, IntT, Load, Loop, Op1, Op2, SetT
from gamedsl.rules import conversions
from gamedsl.rules import types as ty
from gamedsl.rules.expressions.arithmetic import arithmetic
from gamedsl.rules.expressions.lowering import lower, lower_any
from gamedsl.rules.expressions.primitives import owner_keys, place_of
from gamedsl.rules.expressions.stacks import stack_of
from gamedsl.rules.report import Bail, near_names
from gamedsl.rules.scope import Ctx, Env
from gamedsl.rules.symbols import PieceSym
from gamedsl.source import Span
from gamedsl.syntax import ast


def piece_of(env: Env, ctx: Ctx, e: ast.Expr) -> tuple[PieceSym, tuple[Expr, ...]]:
    """``mark[me]`` or ``grey`` as the kind of piece and its owner."""
    base = e.base if isinstance(e, ast.Index) else e
    symbol = env.symbols.get(base.name) if isinstance(base, ast.Ref) else None
    if not isinstance(symbol, PieceSym):
        if isinstance(base, ast.Ref) and base.name in env.broken:
            raise Bail
        pieces = [p.name for p in env.pieces()]
        env.report.fail("E0365", e.span, near=near_names(base.span.text, pieces), what=base.span.text or "this")
    env.used.add(symbol.name)
    if isinstance(e, ast.Index):
        if not symbol.owned or len(e.keys) != 1:
            env.report.fail("E0312" if not symbol.owned else "E0311", e.span, name=symbol.name, count=1)
        return symbol, (lower(env, ctx, e.keys[0], ElemT(env.players)),)
    if symbol.owned:
        env.report.fail("E0326", e.span, name=symbol.name)
    return symbol, ()


def on_board(env: Env, piece: PieceSym, keys: tuple[Expr, ...], span: Span) -> Expr:
    """How many of a piece stand on the board, stacked ones counted one by one."""
    standing = Get(piece.var, keys, SetT(piece.place), span=span)
    count: Expr = Op1("count", standing, IntT(0, piece.place.size), span=span)
    if piece.extra is None:
        return count
    assert isinstance(piece.extra.type, IntT)
    local = env.program.local("c", ElemT(piece.place))
    more = Get(piece.extra, (*keys, Load(local)), piece.extra.type, span=span)
    high = piece.extra.type.high * piece.place.size
    return arithmetic(env, "add", count, Loop("sum", local, standing, None, more, IntT(0, high), span=span), span)


def supply_left(env: Env, piece: PieceSym, keys: tuple[Expr, ...], span: Span) -> Expr:
    assert piece.each is not None
    left = arithmetic(env, "sub", ty.number(piece.each, span), on_board(env, piece, keys, span), span)
    return conversions.clip(left, IntT(0, piece.each))


def lower_supply(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    piece, keys = piece_of(env, ctx, e.args[0])
    if piece.each is None:
        env.report.fail("E0366", e.span, name=piece.name)
    return supply_left(env, piece, keys, e.span)


def lower_height(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    value = lower_any(env, ctx, e.args[0], None)
    stack = stack_of(env, value, e.span)
    if stack is not None:
        return stack.height
    place = place_of(env, e.span)
    cell = lower(env, ctx, e.args[0], ElemT(place))
    total: Expr = ty.number(0, e.span)
    for piece in env.pieces():
        if piece.place is not place:
            continue
        for key in owner_keys(env, piece, e.span):
            total = arithmetic(env, "add", total, _height_of(piece, key, cell, e.span), e.span)
    return total


def _height_of(piece: PieceSym, keys: tuple[Expr, ...], cell: Expr, span: Span) -> Expr:
    here = Op2("in", cell, Get(piece.var, keys, SetT(piece.place), span=span), ty.BOOL, span=span)
    one, none = ty.number(1, span), ty.number(0, span)
    if piece.extra is None:
        return Cond(here, one, none, IntT(0, 1), span=span)
    assert isinstance(piece.extra.type, IntT)
    more = Get(piece.extra, (*keys, cell), piece.extra.type, span=span)
    high = piece.extra.type.high + 1
    return Cond(here, Op2("add", more, one, IntT(1, high), span=span), none, IntT(0, high), span=span)
