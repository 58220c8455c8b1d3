"""Pieces in expressions: supplies and heights."""

from __future__ import annotations

from gamedsl.language.core import nodes as n
from gamedsl.language.rules import conversions
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.error_report import Bail
from gamedsl.language.rules.expressions.arithmetic import arithmetic
from gamedsl.language.rules.expressions.lowering import lower, lower_any
from gamedsl.language.rules.expressions.primitives import owner_keys, place_of
from gamedsl.language.rules.expressions.stacks import stack_of
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.rules.symbols import PieceSym
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast


def piece_of(env: Env, ctx: Ctx, e: ast.Expr) -> tuple[PieceSym, tuple[n.Expr, ...]]:
    """Returns the kind of piece of ``mark[me]`` or ``grey``, and the key of its owner, if it has one."""
    base = e.base if isinstance(e, ast.Index) else e
    symbol = env.symbols.get(base.name) if isinstance(base, ast.Ref) else None
    if not isinstance(symbol, PieceSym):
        if isinstance(base, ast.Ref) and base.name in env.broken:
            raise Bail
        pieces = [p.name for p in env.pieces()]
        env.report.fail(
            "E0365", e.span, near=env.report.near_names(base.span.text, pieces), what=base.span.text or "this"
        )
    env.used.add(symbol.name)
    if isinstance(e, ast.Index):
        if not symbol.owned or len(e.keys) != 1:
            env.report.fail("E0312" if not symbol.owned else "E0311", e.span, name=symbol.name, count=1)
        return symbol, (lower(env, ctx, e.keys[0], n.ElemT(env.players)),)
    if symbol.owned:
        env.report.fail("E0326", e.span, name=symbol.name)
    return symbol, ()


def on_board(env: Env, piece: PieceSym, keys: tuple[n.Expr, ...], span: Span) -> n.Expr:
    """Returns the number of pieces of a kind on the board, counting each stacked one."""
    standing = n.Get(piece.var, keys, n.SetT(piece.place), span=span)
    count: n.Expr = n.Op1("count", standing, n.IntT(0, piece.place.size), span=span)
    if piece.extra is None:
        return count
    assert isinstance(piece.extra.type, n.IntT)
    local = env.program.local("c", n.ElemT(piece.place))
    more = n.Get(piece.extra, (*keys, n.Load(local)), piece.extra.type, span=span)
    high = piece.extra.type.high * piece.place.size
    return arithmetic(env, "add", count, n.Loop("sum", local, standing, None, more, n.IntT(0, high), span=span), span)


def supply_left(env: Env, piece: PieceSym, keys: tuple[n.Expr, ...], span: Span) -> n.Expr:
    assert piece.each is not None
    left = arithmetic(env, "sub", ty.number(piece.each, span), on_board(env, piece, keys, span), span)
    return conversions.clip(left, n.IntT(0, piece.each))


def lower_supply(env: Env, ctx: Ctx, e: ast.Call) -> n.Expr:
    piece, keys = piece_of(env, ctx, e.args[0])
    if piece.each is None:
        env.report.fail("E0366", e.span, name=piece.name)
    return supply_left(env, piece, keys, e.span)


def lower_height(env: Env, ctx: Ctx, e: ast.Call) -> n.Expr:
    value = lower_any(env, ctx, e.args[0], None)
    stack = stack_of(env, value, e.span)
    if stack is not None:
        return stack.height
    place = place_of(env, e.span)
    cell = lower(env, ctx, e.args[0], n.ElemT(place))
    total: n.Expr = ty.number(0, e.span)
    for piece in env.pieces():
        if piece.place is not place:
            continue
        for key in owner_keys(env, piece, e.span):
            total = arithmetic(env, "add", total, _height_of(piece, key, cell, e.span), e.span)
    return total


def _height_of(piece: PieceSym, keys: tuple[n.Expr, ...], cell: n.Expr, span: Span) -> n.Expr:
    here = n.Op2("in", cell, n.Get(piece.var, keys, n.SetT(piece.place), span=span), ty.BOOL, span=span)
    one, none = ty.number(1, span), ty.number(0, span)
    if piece.extra is None:
        return n.Cond(here, one, none, n.IntT(0, 1), span=span)
    assert isinstance(piece.extra.type, n.IntT)
    more = n.Get(piece.extra, (*keys, cell), piece.extra.type, span=span)
    high = piece.extra.type.high + 1
    return n.Cond(here, n.Op2("add", more, one, n.IntT(1, high), span=span), none, n.IntT(0, high), span=span)
