"""The endings of a game: the winners, and the payoff of every player."""

from __future__ import annotations

from gamedsl.language.core import nodes as n
from gamedsl.language.rules import conversions
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.definitions import call_define
from gamedsl.language.rules.expressions.lowering import lower
from gamedsl.language.rules.expressions.primitives import read_map
from gamedsl.language.rules.expressions.supplies import piece_of
from gamedsl.language.rules.scope import Ctx, Env, MapValue
from gamedsl.language.rules.symbols import DefineSym, PieceSym, VarSym
from gamedsl.language.source import Span, lazy_dataclass
from gamedsl.language.syntax import ast

__all__ = ["Ending", "lower_ending", "payoffs", "piece_of"]


@lazy_dataclass(frozen=True)
class Ending:
    """The end of a game. ``winners``: a set of players; ``scores``: points per player (or none); with ``utilities``,
    these are the payoffs.
    """

    winners: n.Expr
    scores: tuple[n.Expr, ...]
    utilities: bool
    span: Span
    clauses: tuple[str, ...]
    text: str = ""


def lower_ending(env: Env, ctx: Ctx, s: ast.Ending) -> Ending:
    cites = tuple(c.clause for c in s.notes.cites)
    players = n.SetT(env.players)
    match s:
        case ast.DrawGame(reason):
            return Ending(n.Const(0, players, span=s.span), (), False, s.span, cites, reason or "")
        case ast.Verdict(kind, who, reason):
            them = lower(env, ctx, who, players)
            winners = them if kind == "win" else n.Op1("complement", them, players, span=s.span)
            return Ending(winners, (), False, s.span, cites, reason or "")
        case ast.RankBy():
            return _ranked(env, ctx, s, cites)
        case _:
            raise AssertionError(s)


def _ranked(env: Env, ctx: Ctx, s: ast.RankBy, cites: tuple[str, ...]) -> Ending:
    """Returns the ending in which most points win. If all are equal, it is a draw, or with ``share`` all win; a single
    player wins.
    """
    players = n.SetT(env.players)
    scores = tuple(
        points(env, ctx, s.by, n.Const(i, n.ElemT(env.players), span=s.span)) for i in range(env.players.size)
    )
    p, q = env.program.local("p", n.ElemT(env.players)), env.program.local("q", n.ElemT(env.players))
    everyone = n.Const(env.players.full, players, span=s.span)
    of_p, of_q = points(env, ctx, s.by, n.Load(p)), points(env, ctx, s.by, n.Load(q))
    assert isinstance(of_q.type, n.IntT)
    best_local = env.program.local("best", of_q.type)
    is_best = n.Op2("eq", of_p, n.Load(best_local), ty.BOOL, span=s.span)
    best: n.Expr = n.Loop("filter", p, everyone, None, is_best, players, span=s.span)
    winners: n.Expr = n.LetE(
        best_local, n.Loop("max", q, everyone, None, of_q, of_q.type, span=s.span), best, span=s.span
    )
    if env.players.size > 1 and s.kind != "share":
        kept = env.program.local("winners", players)
        all_equal = n.Op2("eq", n.Load(kept), everyone, ty.BOOL, span=s.span)
        nobody = n.Const(0, players, span=s.span)
        winners = n.LetE(kept, winners, n.Cond(all_equal, nobody, n.Load(kept), players, span=s.span), span=s.span)
    return Ending(winners, scores, s.kind == "score", s.span, cites)


def points(env: Env, ctx: Ctx, by: ast.Name, player: n.Expr) -> n.Expr:
    """Returns the points of a player: from a definition or a map over player, or the number of the player's pieces of
    a kind.
    """
    symbol = env.symbols.get(by.id)
    value: object = None
    if isinstance(symbol, DefineSym):
        env.used.add(by.id)
        value = call_define(env, ctx, symbol, (player,), by.span)
    elif isinstance(symbol, VarSym) and symbol.var.keys == (env.players,):
        env.used.add(by.id)
        value = read_map(symbol.var, (player,), by.span)
    elif isinstance(symbol, PieceSym) and symbol.owned:
        env.used.add(by.id)
        value = n.Op1(
            "count", n.Get(symbol.var, (player,), n.SetT(symbol.place)), n.IntT(0, symbol.place.size), span=by.span
        )
    if value is None or isinstance(value, MapValue):
        pool = [name for name, x in env.symbols.items() if isinstance(x, DefineSym | VarSym) and name != by.id]
        env.report.fail("E0417", by.span, near=env.report.near_names(by.id, pool), name=by.id)
    number = conversions.as_number(value)  # type: ignore[arg-type]
    if number is None:
        env.report.fail("E0417", by.span, name=by.id)
    return number


def payoffs(env: Env, ending: Ending, winners: n.Var) -> tuple[n.Expr, ...]:
    """Returns the utility of each player: 1 for a winner, -1 for everybody else, 0 in a draw; or the points
    themselves.
    """
    if ending.utilities:
        return ending.scores
    t = n.SetT(env.players)
    them = n.Get(winners, (), t)
    out: list[n.Expr] = []
    for i in range(env.players.size):
        won = n.Op2("in", n.Const(i, n.ElemT(env.players)), them, ty.BOOL)
        lost = n.Cond(
            n.Op1("is_empty", them, ty.BOOL), n.Const(0, n.IntT(0, 0)), n.Const(-1, n.IntT(-1, -1)), n.IntT(-1, 0)
        )
        gain: n.Expr = n.Const(1, n.IntT(1, 1))
        if env.players.size > 1:  # a win that everybody shares is worth as much as a draw
            everyone = n.Op2("eq", them, n.Const(env.players.full, t), ty.BOOL)
            gain = n.Cond(everyone, n.Const(0, n.IntT(0, 0)), gain, n.IntT(0, 1))
        out.append(n.Cond(won, gain, lost, n.IntT(-1, 1)))
    return tuple(out)
