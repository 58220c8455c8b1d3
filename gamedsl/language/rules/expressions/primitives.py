"""Core expressions from which several kinds of expressions are built: players, occupied cells, variables, drawn sets."""

from __future__ import annotations

from gamedsl.language.boards import Domain
from gamedsl.language.core import fold
from gamedsl.language.core import nodes as n
from gamedsl.language.rules.scope import Ctx, Env, MapValue
from gamedsl.language.rules.symbols import PieceSym
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast


def place_of(env: Env, span: Span) -> Domain:
    if env.place is None:
        env.report.fail("E0332", span)
    return env.place


def owner_keys(env: Env, piece: PieceSym, span: Span) -> list[tuple[n.Expr, ...]]:
    """Returns the keys of a kind of piece: one tuple per owner, or an empty tuple if it has no owners."""
    return [(n.Const(i, n.ElemT(env.players), span=span),) for i in range(env.players.size)] if piece.owned else [()]


def find_occupied(env: Env, span: Span) -> n.Expr:
    """Returns the cells that have a piece; pieces on other places, such as edges, do not count."""
    if env.occupied is not None and env.occupied[0] is span:
        return env.occupied[1]
    place = place_of(env, span)
    cells = n.SetT(place)
    seats = n.ElemT(env.players)
    owners: list[tuple[n.Expr, ...]] = [(n.Const(i, seats, span=span),) for i in range(env.players.size)]
    total: n.Expr = n.Const(0, cells, span=span)
    for piece in env.pieces():
        if piece.place is place:
            for key in owners if piece.owned else ((),):
                one = n.Get(piece.var, key, cells, span=span)
                total = one if isinstance(total, n.Const) else n.Op2("union", total, one, cells, span=span)
    env.occupied = span, total
    return total


def rival_of(env: Env, player: n.Expr, span: Span) -> n.Expr:
    if env.players.size != 2:
        env.report.fail("E0333", span, count=env.players.size)
    return n.Lookup(n.TableData("rival", (env.players,), n.ElemT(env.players), (1, 0)), (player,), span=span)


def next_of(env: Env, player: n.Expr, span: Span) -> n.Expr:
    size = env.players.size
    values = tuple((i + 1) % size for i in range(size))
    return n.Lookup(n.TableData("next", (env.players,), n.ElemT(env.players), values), (player,), span=span)


def player_seat(env: Env, mover: n.Expr) -> n.Expr:
    """Returns the program's player for a player of a ruleset (each player of a part is a player of the surrounding
    ruleset).
    """
    if env.outer is None:
        return mover
    if env.seat_var is not None:
        inner: n.Expr = n.Get(env.seat_var, (mover,), n.ElemT(env.outer.players))
    else:
        values = tuple(s.value for s in env.seats if isinstance(s, n.Const))
        table = n.TableData("seat", (env.players,), n.ElemT(env.outer.players), values)
        inner = fold(n.Lookup(table, (mover,)))
    return player_seat(env.outer, inner)


def read_map(var: n.Var | n.TableData, keys: tuple[n.Expr, ...], span: Span) -> n.Expr | MapValue:
    """Returns the value of a variable or table, or a map that still lacks keys (stacks stay maps: only their items and
    height are values).
    """
    if len(keys) < len(var.keys) or isinstance(var.type, n.StackT):
        return MapValue(var, keys, span)
    if isinstance(var, n.TableData):
        return fold(n.Lookup(var, keys, span=span))
    assert not isinstance(var.type, n.StoredT)
    return n.Get(var, keys, var.type, span=span)


def drawn_set(env: Env, relation: str, span: Span) -> n.Expr:
    assert env.drawing is not None
    domain = env.elements_domain("space" if relation == "spaces" else "border")
    return n.Arranged(env.drawing, relation, (), n.SetT(domain), span=span)


def turn_offset(e: ast.Expr) -> ast.Expr | None:
    """Returns the n of ``turn + n`` or ``turn - n`` (for ``turn`` itself, ``turn``); None for other expressions."""
    match e:
        case ast.Ref("turn"):
            return e
        case ast.Binary("+" | "-", ast.Ref("turn"), offset):
            return offset
        case _:
            return None


def is_ambiguous(env: Env, ctx: Ctx, e: ast.Expr) -> bool:
    """Returns whether a name can only be understood from its context (an element of several types)."""
    return (
        isinstance(e, ast.Ref)
        and e.name not in ctx.scope
        and e.name not in env.symbols
        and len(env.elements.get(e.name, ())) > 1
    )
