"""``put`` and ``remove``: placing pieces on cells and removing them."""

from __future__ import annotations

from gamedsl.language.core import fold
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import conversions
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.lowering import lower, require
from gamedsl.language.rules.expressions.primitives import find_occupied, owner_keys
from gamedsl.language.rules.expressions.supplies import piece_of, supply_left
from gamedsl.language.rules.flow.assignments import counted, with_elements, without_elements
from gamedsl.language.rules.flow.carried_statements import arrive, given, leave
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.rules.symbols import PieceSym
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast


def _cells(env: Env, ctx: Ctx, piece: PieceSym, e: ast.Expr) -> n.Expr:
    """Returns the places of a ``put`` or ``remove``: an element or a set of their domain."""
    value = lower(env, ctx, e)
    if value.type == n.SetT(piece.place) or value.type == n.ElemT(piece.place):
        return value
    one = conversions.coerce(value, n.ElemT(piece.place))
    if one is not None and not isinstance(value.type, n.SetT):
        return fold(one)
    return require(env, value, n.SetT(piece.place), e.span)


def _as_set(cells: n.Expr) -> n.Expr:
    result = conversions.as_set(cells)
    assert result is not None
    return result


def put(env: Env, ctx: Ctx, s: ast.Put) -> list[n.CoreStmt]:
    piece, keys = piece_of(env, ctx, s.piece)
    cells = _cells(env, ctx, piece, s.on)
    values = given(env, ctx, s, piece, keys)
    return [*put_on(env, piece, keys, cells, s.span), *arrive(env, piece, values, cells, s.span)]


def put_on(env: Env, piece: PieceSym, keys: tuple[n.Expr, ...], cells: n.Expr, span: Span) -> list[n.CoreStmt]:
    out: list[n.CoreStmt] = []
    if piece.each is not None:
        count: n.Expr = n.Op1("count", _as_set(cells), n.IntT(0, piece.place.size), span=span)
        enough = n.Op2("le", count, supply_left(env, piece, keys, span), ty.BOOL, span=span)
        out.append(n.Check(enough, f"there are not enough pieces {piece.name} left", span=span))
    if isinstance(cells.type, n.SetT) and piece.extra is not None:
        local = env.program.local("c", n.ElemT(piece.place))
        return [*out, n.ForS(local, cells, tuple(_put_one(env, piece, keys, n.Load(local), span)), span=span)]
    if piece.extra is not None:
        return out + _put_one(env, piece, keys, cells, span)
    if piece.place is env.place:
        free = n.Op2("disjoint", _as_set(cells), find_occupied(env, span), ty.BOOL, span=span)
        out.append(n.Check(free, f"{piece.name} is put where a piece stands", span=span))
    out.append(with_elements(piece.var, keys, _as_set(cells), span))
    return out


def _put_one(env: Env, piece: PieceSym, keys: tuple[n.Expr, ...], cell: n.Expr, span: Span) -> list[n.CoreStmt]:
    """Puts a stacking piece on a cell that is empty or has the same pieces; on other kinds of places other pieces do
    not matter.
    """
    assert piece.extra is not None
    now = n.Get(piece.var, keys, n.SetT(piece.place), span=span)
    here = n.Op2("in", cell, now, ty.BOOL, span=span)
    grown = counted(piece.extra, (*keys, cell), 1, span)
    new = with_elements(piece.var, keys, _as_set(cell), span)
    out: list[n.CoreStmt] = []
    if piece.place is env.place:
        free = n.Op1("not", n.Op2("in", cell, find_occupied(env, span), ty.BOOL, span=span), ty.BOOL, span=span)
        alone = n.Op2("or", here, free, ty.BOOL, span=span)
        out.append(n.Check(alone, f"{piece.name} is put where another piece stands", span=span))
    return [*out, n.IfS(here, (grown,), (new,), span=span)]


def take_one(env: Env, piece: PieceSym, keys: tuple[n.Expr, ...], cell: n.Expr, span: Span) -> list[n.CoreStmt]:
    """Removes one piece from a cell, if there is one."""
    gone = without_elements(piece.var, keys, _as_set(cell), span)
    if piece.extra is None:
        return [*leave(env, piece, keys, cell, span), gone]
    assert isinstance(piece.extra.type, n.IntT)
    t = piece.extra.type
    count = n.Get(piece.extra, (*keys, cell), t, span=span)
    fewer = counted(piece.extra, (*keys, cell), -1, span)
    return [n.IfS(n.Op2("lt", ty.number(0, span), count, ty.BOOL, span=span), (fewer,), (gone,), span=span)]


def take_all(env: Env, piece: PieceSym, keys: tuple[n.Expr, ...], cells: n.Expr, span: Span) -> list[n.CoreStmt]:
    gone = without_elements(piece.var, keys, _as_set(cells), span)
    if piece.extra is None:
        return [*leave(env, piece, keys, cells, span), gone]
    assert isinstance(piece.extra.type, n.IntT)
    zero = n.Const(0, piece.extra.type, span=span)
    if isinstance(cells.type, n.ElemT):
        return [gone, n.Assign(piece.extra, (*keys, cells), zero, span=span)]
    local = env.program.local("c", n.ElemT(piece.place))
    return [gone, n.ForS(local, cells, (n.Assign(piece.extra, (*keys, n.Load(local)), zero, span=span),), span=span)]


def remove(env: Env, ctx: Ctx, s: ast.Remove) -> list[n.CoreStmt]:
    if s.piece is None:
        return _remove_any_piece(env, ctx, s)
    piece, keys = piece_of(env, ctx, s.piece)
    cells = _cells(env, ctx, piece, s.source)
    if s.everything or piece.extra is None:
        return take_all(env, piece, keys, cells, s.span)
    if isinstance(cells.type, n.SetT):
        local = env.program.local("c", n.ElemT(piece.place))
        there = n.Op2("meet", cells, n.Get(piece.var, keys, cells.type), cells.type, span=s.span)
        return [n.ForS(local, there, tuple(take_one(env, piece, keys, n.Load(local), s.span)), span=s.span)]
    return take_one(env, piece, keys, cells, s.span)


def _remove_any_piece(env: Env, ctx: Ctx, s: ast.Remove) -> list[n.CoreStmt]:
    out: list[n.CoreStmt] = []
    pieces = [p for p in env.pieces() if p.place is env.place]
    if not pieces:
        env.report.fail("E0332", s.span)
    local: n.Expr | None = None
    cells = _cells(env, ctx, pieces[0], s.source)
    if not isinstance(cells, n.Const | n.Load):
        kept = env.program.local("there", cells.type)
        out.append(n.LetS(kept, cells, span=s.span))
        local = n.Load(kept)
    for piece in pieces:
        env.used.add(piece.name)
        for keys in owner_keys(env, piece, s.span):
            out.extend(take_all(env, piece, keys, local or cells, s.span))
    return out
