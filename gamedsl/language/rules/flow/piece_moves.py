"""``move``: moving pieces from one cell to another, with their attributes."""

from __future__ import annotations

from dataclasses import replace

from gamedsl.language.core import nodes as n
from gamedsl.language.rules import conversions
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.lowering import lower
from gamedsl.language.rules.expressions.primitives import find_occupied, owner_keys, place_of
from gamedsl.language.rules.expressions.supplies import piece_of
from gamedsl.language.rules.flow.carried_statements import arrive, carry
from gamedsl.language.rules.flow.piece_effects import put_on, take_all, take_one
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.rules.symbols import PieceSym
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast


def move_piece(env: Env, ctx: Ctx, s: ast.MovePiece) -> list[n.CoreStmt]:
    if s.piece is None:
        return _move_any_piece(env, ctx, s)
    piece, keys = piece_of(env, ctx, s.piece)
    source = lower(env, ctx, s.source, n.ElemT(piece.place))
    target = lower(env, ctx, s.target, n.ElemT(piece.place))
    now = n.Get(piece.var, keys, n.SetT(piece.place), span=s.span)
    stands = n.Check(
        n.Op2("in", source, now, ty.BOOL, span=s.span),
        f"no {piece.name} stands where it is moved from",
        span=s.span,
    )
    uncounted = replace(piece, each=None)
    lets, carried = carry(env, piece, source, s.span)
    gone = take_one(env, piece, keys, source, s.span)
    there = put_on(env, uncounted, keys, target, s.span)
    return [stands, *lets, *gone, *there, *arrive(env, piece, carried, target, s.span)]


def _move_any_piece(env: Env, ctx: Ctx, s: ast.MovePiece) -> list[n.CoreStmt]:
    """Lowers ``move all``: moves the pieces on a cell to another, a whole stack, with their attributes."""
    cell = n.ElemT(place_of(env, s.span))
    source = env.program.local("source", cell)
    target = env.program.local("target", cell)
    a, b = n.Load(source), n.Load(target)
    stands = n.Op2("in", a, find_occupied(env, s.span), ty.BOOL, span=s.span)
    out: list[n.CoreStmt] = [
        n.LetS(source, lower(env, ctx, s.source, cell), span=s.span),
        n.LetS(target, lower(env, ctx, s.target, cell), span=s.span),
        n.Check(stands, "nothing stands where it is moved from", span=s.span),
    ]
    moves: tuple[n.CoreStmt, ...] = ()
    for piece in (p for p in env.pieces() if p.place is env.place):
        env.used.add(piece.name)
        for keys in owner_keys(env, piece, s.span):
            here = n.Op2("in", a, n.Get(piece.var, keys, n.SetT(piece.place), span=s.span), ty.BOOL, span=s.span)
            moves = (n.IfS(here, tuple(_move_stack(env, piece, keys, a, b, s.span)), moves, span=s.span),)
    return [*out, *moves]


def _move_stack(
    env: Env, piece: PieceSym, keys: tuple[n.Expr, ...], source: n.Expr, target: n.Expr, span: Span
) -> list[n.CoreStmt]:
    uncounted = replace(piece, each=None)
    lets, carried = carry(env, piece, source, span)
    grown: list[n.CoreStmt] = []
    if piece.extra is not None:
        assert isinstance(piece.extra.type, n.IntT)
        t = piece.extra.type
        more = env.program.local("more", t)
        lets.append(n.LetS(more, n.Get(piece.extra, (*keys, source), t, span=span), span=span))
        now = n.Get(piece.extra, (*keys, target), t, span=span)
        total = n.Op2("add", now, n.Load(more), n.IntT(0, 2 * t.high), span=span)
        grown.append(n.Assign(piece.extra, (*keys, target), conversions.clip(total, t), span=span))
    gone = take_all(env, piece, keys, source, span)
    there = put_on(env, uncounted, keys, target, span)
    return [*lets, *gone, *there, *grown, *arrive(env, piece, carried, target, span)]
