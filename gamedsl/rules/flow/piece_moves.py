"""`move`: pieces go from one cell to another, with what they carry."""

from __future__ import annotations

from dataclasses import replace

from gamedsl.core.nodes import Assign, Check, CoreStmt, ElemT, Expr, Get, IfS, IntT, LetS, Load, Op2, SetT
from gamedsl.rules import conversions
from gamedsl.rules import types as ty
from gamedsl.rules.expressions.lowering import lower
from gamedsl.rules.expressions.primitives import occupied, owner_keys, place_of
from gamedsl.rules.expressions.supplies import piece_of
from gamedsl.rules.flow.carried import arrive, carry
from gamedsl.rules.flow.piece_effects import put_on, take_all, take_one
from gamedsl.rules.scope import Ctx, Env
from gamedsl.rules.symbols import PieceSym
from gamedsl.source import Span
from gamedsl.syntax import ast


def move_piece(env: Env, ctx: Ctx, s: ast.MovePiece) -> list[CoreStmt]:
    if s.piece is None:
        return _move_any_piece(env, ctx, s)
    piece, keys = piece_of(env, ctx, s.piece)
    source = lower(env, ctx, s.source, ElemT(piece.place))
    target = lower(env, ctx, s.target, ElemT(piece.place))
    now = Get(piece.var, keys, SetT(piece.place), span=s.span)
    stands = Check(
        Op2("in", source, now, ty.BOOL, span=s.span), f"no {piece.name} stands where it is moved from", span=s.span
    )
    uncounted = replace(piece, each=None)
    lets, carried = carry(env, piece, source, s.span)
    gone = take_one(env, piece, keys, source, s.span)
    there = put_on(env, uncounted, keys, target, s.span)
    return [stands, *lets, *gone, *there, *arrive(env, piece, carried, target, s.span)]


def _move_any_piece(env: Env, ctx: Ctx, s: ast.MovePiece) -> list[CoreStmt]:
    """Whatever stands on a cell moves to another, a whole stack with what it carries."""
    cell = ElemT(place_of(env, s.span))
    source = env.program.local("source", cell)
    target = env.program.local("target", cell)
    a, b = Load(source), Load(target)
    stands = Op2("in", a, occupied(env, s.span), ty.BOOL, span=s.span)
    out: list[CoreStmt] = [
        LetS(source, lower(env, ctx, s.source, cell), span=s.span),
        LetS(target, lower(env, ctx, s.target, cell), span=s.span),
        Check(stands, "nothing stands where it is moved from", span=s.span),
    ]
    moves: tuple[CoreStmt, ...] = ()
    for piece in (p for p in env.pieces() if p.place is env.place):
        env.used.add(piece.name)
        for keys in owner_keys(env, piece, s.span):
            here = Op2("in", a, Get(piece.var, keys, SetT(piece.place), span=s.span), ty.BOOL, span=s.span)
            moves = (IfS(here, tuple(_move_stack(env, piece, keys, a, b, s.span)), moves, span=s.span),)
    return [*out, *moves]


def _move_stack(
    env: Env, piece: PieceSym, keys: tuple[Expr, ...], source: Expr, target: Expr, span: Span
) -> list[CoreStmt]:
    uncounted = replace(piece, each=None)
    lets, carried = carry(env, piece, source, span)
    grown: list[CoreStmt] = []
    if piece.extra is not None:
        assert isinstance(piece.extra.type, IntT)
        t = piece.extra.type
        more = env.program.local("more", t)
        lets.append(LetS(more, Get(piece.extra, (*keys, source), t, span=span), span=span))
        now = Get(piece.extra, (*keys, target), t, span=span)
        total = Op2("add", now, Load(more), IntT(0, 2 * t.high), span=span)
        grown.append(Assign(piece.extra, (*keys, target), conversions.clip(total, t), span=span))
    gone = take_all(env, piece, keys, source, span)
    there = put_on(env, uncounted, keys, target, span)
    return [*lets, *gone, *there, *grown, *arrive(env, piece, carried, target, span)]
