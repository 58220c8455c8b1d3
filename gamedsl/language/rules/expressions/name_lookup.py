"""A name in an expression → its value. The order: local names, the words of the language, the ruleset's
declarations, families of the board, elements of types, other names of the board.
"""

from __future__ import annotations

from typing import NoReturn

from gamedsl.language.core import nodes as n
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.error_report import Bail
from gamedsl.language.rules.expressions.builtins import BUILTINS
from gamedsl.language.rules.expressions.definitions import call_define
from gamedsl.language.rules.expressions.lowering import Value
from gamedsl.language.rules.expressions.primitives import drawn_set, find_occupied, place_of, read_map, rival_of
from gamedsl.language.rules.expressions.table_functions import table_of
from gamedsl.language.rules.expressions.type_expressions import domain_of_type
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.rules.symbols import (
    WORDS,
    ActionSym,
    DefineSym,
    DomainSym,
    GameSym,
    MoveSym,
    PieceSym,
    StrokeSym,
    Symbol,
    TableSym,
    TokenKindSym,
    TypeSym,
    ValueSym,
    VarSym,
)
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast

LANGUAGE_WORDS: dict[str, str] = {
    "me": "the player whose move or turn it is",
    "rival": "the other player, in games for two",
    "players": "the set of all players",
    "empty": "the cells without a piece",
    "occupied": "the cells with a piece",
    "turn": "the number of this turn in its run of `turns`, from 1 (compared with numbers, or `turn mod 3`); after it, the last one",
}
DRAWN_WORDS = {"space": "spaces", "spaces": "spaces", "border": "borders", "borders": "borders"}


def value_of_name(env: Env, ctx: Ctx, name: str, span: Span, want: n.ValueT | None) -> Value:
    if name in ctx.scope:
        return ctx.scope[name]
    if name in LANGUAGE_WORDS:
        return _language_word(env, ctx, name, span)
    symbol = env.symbols.get(name)
    if symbol is not None:
        env.used.add(name)
        return _of_symbol(env, ctx, name, symbol, span)
    if name in env.broken:
        raise Bail
    if env.drawing is not None and name in DRAWN_WORDS:
        return drawn_set(env, DRAWN_WORDS[name], span)
    board = env.board
    if board is not None and (name, 0) in board.families:
        family = board.families[(name, 0)]()
        return n.Const(family.full, n.SetT(family), span=span)
    element = _element(env, name, span, want)
    if element is not None:
        return element
    if board is not None and name in board.constants:
        domain, value, is_set = board.constants[name]
        return n.Const(value, n.SetT(domain) if is_set else n.ElemT(domain), span=span)
    _unknown(env, ctx, name, span)


def _unknown(env: Env, ctx: Ctx, name: str, span: Span) -> NoReturn:
    if name in env.broken:
        raise Bail
    if name in BUILTINS or (
        env.board is not None and any(name == one for one, k in env.board.relations | env.board.families)
    ):
        env.report.fail("E0203", span, name=name)
    env.report.fail("E0201", span, near=env.report.near_names(name, visible_names(env, ctx)), name=name)


def visible_names(env: Env, ctx: Ctx) -> list[str]:
    names = [*ctx.scope, *LANGUAGE_WORDS, *env.symbols, *env.elements, *BUILTINS]
    if env.board is not None:
        names += (
            [name for name, _ in env.board.families]
            + [name for name, _ in env.board.relations]
            + list(env.board.constants)
        )
    return names


def _element(env: Env, name: str, span: Span, want: n.ValueT | None) -> n.Expr | None:
    candidates = env.elements.get(name, [])
    if not candidates:
        return None
    if len(candidates) > 1:
        wanted = want.inner if want is not None and hasattr(want, "inner") else want
        fitting = [
            c for c in candidates if isinstance(wanted, n.ElemT | n.SetT) and ty.same_domain(c[0], wanted.domain)
        ]
        if len(fitting) != 1:
            env.report.fail("E0204", span, name=name, types=" and ".join(d.name for d, _ in candidates))
        candidates = fitting
    domain, index = candidates[0]
    return n.Const(index, n.ElemT(domain), span=span)


def _language_word(env: Env, ctx: Ctx, name: str, span: Span) -> n.Expr:
    match name:
        case "me":
            if ctx.me is None:
                env.report.fail("E0330", span, name="me")
            return ctx.me
        case "rival":
            if ctx.me is None:
                env.report.fail("E0330", span, name="rival")
            return rival_of(env, ctx.me, span)
        case "players":
            return n.Const(env.players.full, n.SetT(env.players), span=span)
        case "occupied":
            return find_occupied(env, span)
        case "empty":
            place = place_of(env, span)
            if env.drawing is not None:
                return n.Op2(
                    "minus", drawn_set(env, "spaces", span), find_occupied(env, span), n.SetT(place), span=span
                )
            return n.Op1("complement", find_occupied(env, span), n.SetT(place), span=span)
        case _:
            return _turn(env, ctx, span)


def _turn(env: Env, ctx: Ctx, span: Span) -> n.Expr:
    """Returns the number of the turn. It is counted only as far as comparisons and remainders need it, so other uses
    are reported.
    """
    if env.turn is None and not env.nodes_of(ast.Turns):
        env.report.fail("E0226", span)
    if env.turn is None or not ctx.comparing:
        env.report.fail("E0331", span, cure=_counted_instead(span))
    assert isinstance(env.turn.type, n.IntT)
    return n.Get(env.turn, (), env.turn.type, span=span)


def _counted_instead(span: Span) -> str:
    """Returns advice: the author's line with a variable in place of ``turn``."""
    line = span.source.line(span.line)
    at = span.column - 1
    if line[at : at + 4] != "turn":
        return ""
    rewritten = f"{line[:at]}turns_made{line[at + 4 :]}".partition("  #")[0].strip()
    return (
        f"If you need its value, count it yourself: `turns_made: 0..100` under `state`, `add 1 to turns_made` in `turns`, and "
        f"`{rewritten}`. "
    )


def _of_symbol(env: Env, ctx: Ctx, name: str, symbol: Symbol, span: Span) -> Value:
    match symbol:
        case ValueSym(expr):
            return expr
        case VarSym(var):
            return read_map(var, (), span)
        case PieceSym():
            if symbol.owned:
                env.report.fail("E0326", span, name=name)
            return n.Get(symbol.var, (), n.SetT(symbol.place), span=span)
        case DomainSym(domain):
            return n.Const(domain.full, n.SetT(domain), span=span)
        case TypeSym(tree):
            domain = domain_of_type(env, tree)
            return n.Const(domain.full, n.SetT(domain), span=span)
        case TokenKindSym(domain, first, key):
            if key is not None:
                env.report.fail("E0302", span, name=name, key=key.name)
            return n.Const(first, n.ElemT(domain), span=span)
        case TableSym():
            return read_map(table_of(env, symbol, span), (), span)
        case DefineSym():
            return call_define(env, ctx, symbol, (), span)
        case ActionSym() | MoveSym() | GameSym() | StrokeSym():
            env.report.fail("E0327", span, name=name, what=WORDS[type(symbol)])
