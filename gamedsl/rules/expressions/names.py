"""A name in an expression → its value. The order: what is bound here, the words of the language, the ruleset's own
declarations, what the board offers, elements of types."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from gamedsl.boards.domains import Domain
from gamedsl.core.nodes import (
    CallF,
    Const,
    ElemT,
    Expr,
    Get,
    IntT,
    Lookup,
    Op1,
    Op2,
    SetT,
    TableData,
    ValueT,
)
from gamedsl.rules import types as ty
from gamedsl.rules.report import Bail, near_names
from gamedsl.rules.scope import (
    WORDS,
    ActionSym,
    Ctx,
    DefineSym,
    DomainSym,
    Env,
    GameSym,
    MoveSym,
    PieceSym,
    StrokeSym,
    Symbol,
    TokenKindSym,
    TypeSym,
    ValueSym,
    VarSym,
)
from gamedsl.source.text import Span

if TYPE_CHECKING:
    from gamedsl.rules.expressions.expressions import Value

LANGUAGE_WORDS: dict[str, str] = {
    "me": "the player whose move or turn it is",
    "rival": "the other player, in games for two",
    "players": "the set of all players",
    "empty": "the cells on which no piece stands",
    "occupied": "the cells on which a piece stands",
    "turn": "the number of this turn in its run of `turns`, from 1 (compared with numbers only); outside, that of the last one",
}
DRAWN_WORDS = {"space": "spaces", "spaces": "spaces", "border": "borders", "borders": "borders"}


def value_of_name(env: Env, ctx: Ctx, name: str, span: Span, want: ValueT | None) -> Value:
    if name in ctx.scope:
        return ctx.scope[name]
    if name in LANGUAGE_WORDS:
        return _language_word(env, ctx, name, span)
    symbol = env.symbols.get(name)
    if symbol is not None:
        env.used.add(name)
        return _of_symbol(env, ctx, name, symbol, span)
    if env.drawing is not None and name in DRAWN_WORDS:
        from gamedsl.rules.expressions.calls import drawn_set

        return drawn_set(env, DRAWN_WORDS[name], span)
    board = env.board
    if board is not None and (name, 0) in board.families:
        family = board.families[(name, 0)]()
        return Const(family.full, SetT(family), span=span)
    element = _element(env, name, span, want)
    if element is not None:
        return element
    if board is not None and name in board.constants:
        domain, value, is_set = board.constants[name]
        return Const(value, SetT(domain) if is_set else ElemT(domain), span=span)
    _unknown(env, ctx, name, span)


def _unknown(env: Env, ctx: Ctx, name: str, span: Span) -> NoReturn:
    from gamedsl.rules.expressions.calls import BUILTINS

    if name in env.broken:
        raise Bail
    if name in BUILTINS or (
        env.board is not None and any(name == n for n, k in env.board.relations | env.board.families)
    ):
        env.report.fail("E0203", span, name=name)
    env.report.fail("E0201", span, near=near_names(name, visible_names(env, ctx)), name=name)


def visible_names(env: Env, ctx: Ctx) -> list[str]:
    from gamedsl.rules.expressions.calls import BUILTINS

    names = [*ctx.scope, *LANGUAGE_WORDS, *env.symbols, *env.elements, *BUILTINS]
    if env.board is not None:
        names += [n for n, _ in env.board.families] + [n for n, _ in env.board.relations] + list(env.board.constants)
    return names


def _element(env: Env, name: str, span: Span, want: ValueT | None) -> Expr | None:
    candidates = env.elements.get(name, [])
    if not candidates:
        return None
    if len(candidates) > 1:
        wanted = want.inner if want is not None and hasattr(want, "inner") else want
        fitting = [c for c in candidates if isinstance(wanted, ElemT | SetT) and ty.same_domain(c[0], wanted.domain)]
        if len(fitting) != 1:
            env.report.fail("E0204", span, name=name, types=" and ".join(d.name for d, _ in candidates))
        candidates = fitting
    domain, index = candidates[0]
    return Const(index, ElemT(domain), span=span)


def _language_word(env: Env, ctx: Ctx, name: str, span: Span) -> Expr:
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
            return Const(env.players.full, SetT(env.players), span=span)
        case "occupied":
            return occupied(env, span)
        case "empty":
            place = _place(env, span)
            if env.drawing is not None:
                from gamedsl.rules.expressions.calls import drawn_set

                return Op2("minus", drawn_set(env, "spaces", span), occupied(env, span), SetT(place), span=span)
            return Op1("complement", occupied(env, span), SetT(place), span=span)
        case _:
            return _turn(env, ctx, span)


def _turn(env: Env, ctx: Ctx, span: Span) -> Expr:
    """The ply's number. It is counted no further than anything asks, so only comparisons may ask."""
    if env.turn is None or not ctx.comparing:
        env.report.fail("E0331", span)
    assert isinstance(env.turn.type, IntT)
    return Get(env.turn, (), env.turn.type, span=span)


def _place(env: Env, span: Span) -> Domain:
    if env.place is None:
        env.report.fail("E0332", span)
    return env.place


def occupied(env: Env, span: Span, without: tuple[PieceSym, ...] = ()) -> Expr:
    """The cells on which some piece stands (pieces that stand elsewhere, on edges say, don't count)."""
    place = _place(env, span)
    total: Expr = Const(0, SetT(place), span=span)
    for piece in env.pieces():
        if piece.place is not place or piece in without:
            continue
        keys = [(Const(i, ElemT(env.players), span=span),) for i in range(env.players.size)] if piece.owned else [()]
        for key in keys:
            one = Get(piece.var, key, SetT(place), span=span)
            total = one if isinstance(total, Const) else Op2("union", total, one, SetT(place), span=span)
    return total


def rival_of(env: Env, player: Expr, span: Span) -> Expr:
    if env.players.size != 2:
        env.report.fail("E0333", span, count=env.players.size)
    return Lookup(TableData("rival", (env.players,), ElemT(env.players), (1, 0)), (player,), span=span)


def next_of(env: Env, player: Expr, span: Span) -> Expr:
    n = env.players.size
    values = tuple((i + 1) % n for i in range(n))
    return Lookup(TableData("next", (env.players,), ElemT(env.players), values), (player,), span=span)


def _of_symbol(env: Env, ctx: Ctx, name: str, symbol: Symbol, span: Span) -> Value:
    from gamedsl.rules.expressions.expressions import read_map
    from gamedsl.rules.expressions.type_expressions import domain_of_type

    match symbol:
        case ValueSym(expr):
            return expr
        case VarSym(var):
            return read_map(var, (), span)
        case PieceSym():
            if symbol.owned:
                env.report.fail("E0326", span, name=name)
            return Get(symbol.var, (), SetT(symbol.place), span=span)
        case DomainSym(domain):
            return Const(domain.full, SetT(domain), span=span)
        case TypeSym(tree):
            domain = domain_of_type(env, tree)
            return Const(domain.full, SetT(domain), span=span)
        case TokenKindSym(domain, first, key):
            if key is not None:
                env.report.fail("E0302", span, name=name, key=key.name)
            return Const(first, ElemT(domain), span=span)
        case DefineSym():
            return call_define(env, ctx, symbol, (), span)
        case ActionSym() | MoveSym() | GameSym() | StrokeSym():
            env.report.fail("E0327", span, name=name, what=WORDS[type(symbol)])


def call_define(env: Env, ctx: Ctx, symbol: DefineSym, args: tuple[Expr, ...], span: Span) -> Expr:
    from gamedsl.rules.expressions.definitions import ensure_defined

    ensure_defined(env, symbol, span)
    if symbol.constant is not None and not symbol.params:
        return symbol.constant
    function = symbol.function
    assert function is not None
    if len(args) != len(symbol.params):
        env.report.fail("E0328", span, name=symbol.decl.name.id, count=len(symbol.params), given=len(args))
    if symbol.needs_me:
        if ctx.me is None:
            env.report.fail("E0330", span, name=symbol.decl.name.id)
        args = (ctx.me, *args)
    return CallF(function.index, args, function.body.type, span=span)
