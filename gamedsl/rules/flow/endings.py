"""How a play ends: who wins, and the payoff of every player."""

from __future__ import annotations

from dataclasses import dataclass

from gamedsl.core.nodes import (
    Cond,
    Const,
    ElemT,
    Expr,
    Get,
    IntT,
    LetE,
    Load,
    Loop,
    Op1,
    Op2,
    SetT,
    Var,
)
from gamedsl.rules import conversions
from gamedsl.rules import types as ty
from gamedsl.rules.expressions.definitions import call_define
from gamedsl.rules.expressions.lowering import lower
from gamedsl.rules.expressions.primitives import read_map
from gamedsl.rules.expressions.supplies import piece_of
from gamedsl.rules.report import near_names
from gamedsl.rules.scope import Ctx, Env, MapValue
from gamedsl.rules.symbols import DefineSym, PieceSym, VarSym
from gamedsl.source import Span
from gamedsl.syntax import ast

__all__ = ["Ending", "lower_ending", "payoffs", "piece_of"]


@dataclass(frozen=True)
class Ending:
    """``winners``: a set of players; ``scores``: points per player (or none); with ``utilities`` these are what each gets."""

    winners: Expr
    scores: tuple[Expr, ...]
    utilities: bool
    span: Span
    clauses: tuple[str, ...]
    text: str = ""


def lower_ending(env: Env, ctx: Ctx, s: ast.Verdict | ast.DrawGame | ast.RankBy) -> Ending:
    cites = tuple(c.clause for c in s.notes.cites)
    players = SetT(env.players)
    match s:
        case ast.DrawGame(reason):
            return Ending(Const(0, players, span=s.span), (), False, s.span, cites, reason or "")
        case ast.Verdict(kind, who, reason):
            them = lower(env, ctx, who, players)
            winners = them if kind == "win" else Op1("complement", them, players, span=s.span)
            return Ending(winners, (), False, s.span, cites, reason or "")
        case ast.RankBy():
            return _ranked(env, ctx, s, cites)


def _ranked(env: Env, ctx: Ctx, s: ast.RankBy, cites: tuple[str, ...]) -> Ending:
    """Most points win; all equal is a draw, or shared by all (alone at the table, one has won)."""
    players = SetT(env.players)
    scores = tuple(points(env, ctx, s.by, Const(i, ElemT(env.players), span=s.span)) for i in range(env.players.size))
    p, q = env.program.local("p", ElemT(env.players)), env.program.local("q", ElemT(env.players))
    everyone = Const(env.players.full, players, span=s.span)
    of_p, of_q = points(env, ctx, s.by, Load(p)), points(env, ctx, s.by, Load(q))
    assert isinstance(of_q.type, IntT)
    best_local = env.program.local("best", of_q.type)
    is_best = Op2("eq", of_p, Load(best_local), ty.BOOL, span=s.span)
    best: Expr = Loop("filter", p, everyone, None, is_best, players, span=s.span)
    winners: Expr = LetE(best_local, Loop("max", q, everyone, None, of_q, of_q.type, span=s.span), best, span=s.span)
    if env.players.size > 1 and s.kind != "share":
        kept = env.program.local("winners", players)
        all_equal = Op2("eq", Load(kept), everyone, ty.BOOL, span=s.span)
        nobody = Const(0, players, span=s.span)
        winners = LetE(kept, winners, Cond(all_equal, nobody, Load(kept), players, span=s.span), span=s.span)
    return Ending(winners, scores, s.kind == "score", s.span, cites)


def points(env: Env, ctx: Ctx, by: ast.Name, player: Expr) -> Expr:
    """What a player has by a definition over player, or by a map over player."""
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
        value = Op1("count", Get(symbol.var, (player,), SetT(symbol.place)), IntT(0, symbol.place.size), span=by.span)
    if value is None or isinstance(value, MapValue):
        pool = [n for n, x in env.symbols.items() if isinstance(x, DefineSym | VarSym)]
        env.report.fail("E0417", by.span, near=near_names(by.id, pool), name=by.id)
    number = conversions.as_number(value)  # type: ignore[arg-type]
    if number is None:
        env.report.fail("E0417", by.span, name=by.id)
    return number


def payoffs(env: Env, ending: Ending, winners: Var) -> tuple[Expr, ...]:
    """Per player the utility: 1 for a winner, -1 for everybody else, 0 in a draw; or the points themselves."""
    if ending.utilities:
        return ending.scores
    t = SetT(env.players)
    them = Get(winners, (), t)
    out: list[Expr] = []
    for i in range(env.players.size):
        won = Op2("in", Const(i, ElemT(env.players)), them, ty.BOOL)
        lost = Cond(Op1("is_empty", them, ty.BOOL), Const(0, IntT(0, 0)), Const(-1, IntT(-1, -1)), IntT(-1, 0))
        gain: Expr = Const(1, IntT(1, 1))
        if env.players.size > 1:  # a win that everybody shares is worth what a draw is
            everyone = Op2("eq", them, Const(env.players.full, t), ty.BOOL)
            gain = Cond(everyone, Const(0, IntT(0, 0)), gain, IntT(0, 1))
        out.append(Cond(won, gain, lost, IntT(-1, 1)))
    return tuple(out)
