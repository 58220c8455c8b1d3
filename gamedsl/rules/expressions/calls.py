"""Calls ``f(a, b)``: definitions, what the board offers, and the builtins, declared once in ``BUILTINS``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce

from gamedsl.boards import Board, Domain, Family, steps_of
from gamedsl.core import fold
from gamedsl.core.nodes import (
    Arranged,
    Cond,
    Const,
    Convert,
    ElemT,
    Expr,
    Get,
    IntT,
    Load,
    Lookup,
    Loop,
    Noted,
    Op1,
    Op2,
    OptT,
    SetT,
    StackOp,
    StackT,
    TableData,
    ValueT,
    Var,
)
from gamedsl.rules import types as ty
from gamedsl.rules.expressions.board_relations import apply_relation, board_relation, table_of
from gamedsl.rules.expressions.definitions import call_define, ensure_defined, signature
from gamedsl.rules.expressions.legs import has_legs, lower_legs
from gamedsl.rules.expressions.lowering import constant, lower, lower_any, lower_number, lower_set, require
from gamedsl.rules.expressions.operators import arithmetic
from gamedsl.rules.expressions.placings import lower_neighbors, lower_placings
from gamedsl.rules.expressions.primitives import next_of, owner_keys, place_of, rival_of
from gamedsl.rules.expressions.reach import lower_component, lower_connected
from gamedsl.rules.report import Bail, near_names
from gamedsl.rules.scope import WORDS, Ctx, DefineSym, DomainSym, Env, MapValue, PieceSym, StrokeSym
from gamedsl.source import Span
from gamedsl.syntax import ast

MOST_NOTED = 1_000_000


@dataclass(frozen=True)
class Builtin:
    """One builtin function: the single declaration that the checker and the reference are fed from."""

    name: str
    signature: str
    text: str
    example: str
    lower: Callable[[Env, Ctx, ast.Call], Expr]
    least: int
    most: int


def lower_call(env: Env, ctx: Ctx, e: ast.Call, want: ValueT | None) -> Expr:
    symbol = env.symbols.get(e.name)
    if isinstance(symbol, DefineSym):
        env.used.add(e.name)
        return _call_define(env, ctx, e, symbol)
    builtin = BUILTINS.get(e.name)
    if builtin is not None and builtin.least <= len(e.args) <= builtin.most:
        return builtin.lower(env, ctx, e)
    board = env.board
    if has_legs(e):
        return lower_legs(env, ctx, e)
    if board is not None:
        if (e.name, len(e.args)) in board.families:
            return _family(env, ctx, e, board)
        if (e.name, len(e.args)) in board.relations:
            return apply_relation(env, ctx, e, board.relations[(e.name, len(e.args))])
    if env.drawing is not None and (e.name, len(e.args)) in DRAWN:
        return DRAWN[(e.name, len(e.args))](env, ctx, e)
    domain = _domain_called(env, e.name)
    if domain is not None and len(e.args) == 1:
        return _nth(env, ctx, e, domain)
    return _no_such_call(env, ctx, e)


def _domain_called(env: Env, name: str) -> Domain | None:
    symbol = env.symbols.get(name) or env.symbols.get(f"${name}")
    if name == "player":
        return env.players
    return symbol.domain if isinstance(symbol, DomainSym) else None


def _nth(env: Env, ctx: Ctx, e: ast.Call, domain: Domain) -> Expr:
    """``cell(n)``: the element of that number, from 1; the inverse of ``number``."""
    env.used.add(e.name)
    number = lower(env, ctx, e.args[0], IntT(1, domain.size))
    index = Op2("sub", number, ty.number(1, e.span), IntT(0, domain.size - 1), span=e.span)
    return fold(Convert(index, ElemT(domain), span=e.span))


def _board_calls(env: Env) -> set[tuple[str, int]]:
    return set(env.board.relations) | set(env.board.families) if env.board is not None else set()


def _forms(env: Env, name: str) -> str:
    """The ways to call what the board or the language offers."""
    relations = env.board.relations.values() if env.board is not None else ()
    forms = [f"{name}({', '.join(d.name for d in r.params)})" for r in relations if r.name == name]
    return "` or `".join(forms + ([BUILTINS[name].signature] if name in BUILTINS else [])) or f"{name}(k)"


def _no_such_call(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    counts = sorted(
        {k for n, k in _board_calls(env) if n == e.name} | ({BUILTINS[e.name].least} if e.name in BUILTINS else set())
    )
    if counts:
        wanted = " or ".join(str(c) for c in counts)
        env.report.fail("E0328", e.span, name=e.name, count=wanted, given=len(e.args), call=_forms(env, e.name))
    symbol = env.symbols.get(e.name)
    if symbol is not None or e.name in ctx.scope:
        what = WORDS[type(symbol)] if symbol is not None else "a value"
        env.report.fail("E0329", e.span, name=e.name, what=what)
    pool = [*BUILTINS, *(n for n, s in env.symbols.items() if isinstance(s, DefineSym))]
    if env.board is not None:
        pool += [n for n, _ in env.board.relations] + [n for n, _ in env.board.families]
    env.report.fail("E0207", e.span, near=near_names(e.name, pool), name=e.name)


def _call_define(env: Env, ctx: Ctx, e: ast.Call, symbol: DefineSym) -> Expr:
    ensure_defined(env, symbol, e.span)
    if len(symbol.params) != len(e.args):
        call = signature(e.name, symbol.decl.params)
        env.report.fail("E0328", e.span, name=e.name, count=len(symbol.params), given=len(e.args), call=call)
    args = tuple(lower(env, ctx, a, t) for a, (_, t) in zip(e.args, symbol.params, strict=True))  # type: ignore[arg-type]
    return call_define(env, ctx, symbol, args, e.span)


# ---------------------------------------------------------------------------------------------------- the board


def _family(env: Env, ctx: Ctx, e: ast.Call, board: Board) -> Expr:
    numbers = [constant(env, ctx, a, f"the argument of {e.name}") for a in e.args]
    try:
        family = board.families[(e.name, len(e.args))](*numbers)
    except ValueError as problem:
        env.report.fail("E0360", e.span, problem=str(problem))
    return Const(family.full, SetT(family), span=e.span)


def _steps(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    if len(e.args) == 2:
        return _steps_in(env, ctx, e)
    line = lower(env, ctx, e.args[0])
    if not (isinstance(line.type, ElemT) and isinstance(line.type.domain, Family)):
        env.report.fail("E0362", e.span, got=ty.describe(line.type))
    if env.board is None:
        env.report.fail("E0332", e.span)
    try:
        relation = steps_of(env.board, line.type.domain)
    except ValueError as problem:
        env.report.fail("E0360", e.span, problem=str(problem))
    return Lookup(table_of(env, relation), (line,), span=e.span)


def _steps_in(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    step = board_relation(env, "step", 2, e.span)
    place, direction = step.params
    c = lower(env, ctx, e.args[0], ElemT(place))
    ways = lower(env, ctx, e.args[1], SetT(direction))
    local = env.program.local("d", ElemT(direction))
    table = table_of(env, step)
    one_step = TableData("steps", table.keys, SetT(place), tuple(0 if v == 0 else 1 << (v - 1) for v in table.values))
    body = Lookup(one_step, (c, Load(local)), span=e.span)
    return Loop("union", local, ways, None, body, SetT(place), span=e.span)


# ------------------------------------------------------------------------------------------------- drawn boards


def _drawn_sides(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    assert env.drawing is not None
    border, space = env.elements_domain("border"), env.elements_domain("space")
    b = lower(env, ctx, e.args[0], ElemT(border))
    return Arranged(env.drawing, "sides", (b,), SetT(space), span=e.span)


def _drawn_neighbors(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    assert env.drawing is not None
    space = env.elements_domain("space")
    s = lower(env, ctx, e.args[0], ElemT(space))
    return Arranged(env.drawing, "neighbors", (s,), SetT(space), span=e.span)


def _drawn_crossings(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    assert env.drawing is not None
    arg = e.args[0]
    symbol = env.symbols.get(arg.name) if isinstance(arg, ast.Ref) else None
    if not isinstance(symbol, StrokeSym):
        strokes = [n for n, s in env.symbols.items() if isinstance(s, StrokeSym)]
        env.report.fail("E0363", arg.span, near=near_names(arg.span.text, strokes), strokes=", ".join(strokes))
    env.used.add(symbol.name)
    stroke = env.elements_domain("stroke")
    if symbol.name not in stroke.names:
        raise Bail  # a stroke of a board whose declaration is wrong
    index = Const(stroke.index(symbol.name), ElemT(stroke), span=arg.span)
    return Arranged(env.drawing, "crossings", (index,), IntT(0, 10_000), span=e.span)


DRAWN: dict[tuple[str, int], Callable[[Env, Ctx, ast.Call], Expr]] = {
    ("sides", 1): _drawn_sides,
    ("neighbors", 1): _drawn_neighbors,
    ("crossings", 1): _drawn_crossings,
}

# ----------------------------------------------------------------------------------------------------- builtins


def _count(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    members = lower_set(env, ctx, e.args[0])
    assert isinstance(members.type, SetT)
    return Op1("count", members, IntT(0, members.type.domain.size), span=e.span)


def _least_or_most(op: str) -> Callable[[Env, Ctx, ast.Call], Expr]:
    pick = min if op == "min" else max

    def make(a: Expr, b: Expr, span: Span) -> Expr:
        assert isinstance(a.type, IntT) and isinstance(b.type, IntT)
        t = IntT(pick(a.type.low, b.type.low), pick(a.type.high, b.type.high))
        return Op2(op, a, b, t, span=span)  # type: ignore[arg-type]

    def run(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
        numbers = [lower_number(env, ctx, a) for a in e.args]
        return reduce(lambda a, b: make(a, b, e.span), numbers)

    return run


def _abs(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    n = lower_number(env, ctx, e.args[0])
    assert isinstance(n.type, IntT)
    low, high = n.type.low, n.type.high
    minus = Op1("neg", n, IntT(-high, -low), span=e.span)
    greater = Op2("max", n, minus, IntT(max(low, -high), max(high, -low)), span=e.span)
    return ty.clip(greater, IntT(0, max(high, -low)))


def _other(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    value = lower(env, ctx, e.args[0])
    if isinstance(value.type, OptT):
        value = Op1("unwrap", value, value.type.inner, span=e.span)
    if not isinstance(value.type, ElemT) or value.type.domain.size != 2:
        env.report.fail("E0364", e.span, got=ty.describe(value.type))
    domain = value.type.domain
    return Lookup(TableData("other", (domain,), ElemT(domain), (1, 0)), (value,), span=e.span)


def _number(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    value = lower(env, ctx, e.args[0])
    if isinstance(value.type, OptT):
        value = Op1("unwrap", value, value.type.inner, span=e.span)
    if not isinstance(value.type, ElemT):
        env.report.fail("E0301", e.args[0].span, wanted="an element of a type", got=ty.describe(value.type))
    domain = value.type.domain
    table = TableData("number", (domain,), IntT(1, max(1, domain.size)), tuple(range(1, domain.size + 1)))
    return Lookup(table, (value,), span=e.span)


def _the(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    members = lower_set(env, ctx, e.args[0])
    assert isinstance(members.type, SetT)
    return Op1("first", members, ElemT(members.type.domain), span=e.span)


def _turned(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    """``turned(d, k)``: a table over the directions, which stand clockwise in their domain."""
    direction = env.board.domains.get("direction") if env.board is not None else None
    if direction is None:
        env.report.fail("E0361", e.span, name=e.name, board=env.board.title if env.board else "no board")
    d, k = lower(env, ctx, e.args[0], ElemT(direction)), lower_number(env, ctx, e.args[1])
    assert isinstance(k.type, IntT)
    if k.type.high - k.type.low >= ty.MOST_RANGE:
        env.report.fail("E0343", e.args[1].span, most=ty.MOST_RANGE)
    counts = ty.range_domain(k.type.low, k.type.high)
    values = tuple((i + n) % direction.size for i in range(direction.size) for n in range(counts.low, counts.high + 1))
    if counts.size == 1:
        return Lookup(TableData(f"turned {counts.low}", (direction,), ElemT(direction), values), (d,), span=e.span)
    table = TableData("turned", (direction, counts), ElemT(direction), values)
    return Lookup(table, (d, require(env, k, ElemT(counts), e.span)), span=e.span)


def _rival(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    return rival_of(env, lower(env, ctx, e.args[0], ElemT(env.players)), e.span)


def _next(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    return next_of(env, lower(env, ctx, e.args[0], ElemT(env.players)), e.span)


def piece_of(env: Env, ctx: Ctx, e: ast.Expr) -> tuple[PieceSym, tuple[Expr, ...]]:
    """``mark[me]`` or ``grey`` as the kind of piece and its owner."""
    base = e.base if isinstance(e, ast.Index) else e
    symbol = env.symbols.get(base.name) if isinstance(base, ast.Ref) else None
    if not isinstance(symbol, PieceSym):
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
    return ty.clip(left, IntT(0, piece.each))


def _supply(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    piece, keys = piece_of(env, ctx, e.args[0])
    if piece.each is None:
        env.report.fail("E0366", e.span, name=piece.name)
    return supply_left(env, piece, keys, e.span)


def _height(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    value = lower_any(env, ctx, e.args[0], None)
    if isinstance(value, MapValue) and isinstance(value.var, Var) and isinstance(value.var.type, StackT):
        return StackOp("height", value.var, value.keys, IntT(0, value.var.type.limit), span=e.span)
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


def _top(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    value = lower_any(env, ctx, e.args[0], None)
    if not isinstance(value, MapValue) or not isinstance(value.var, Var) or not isinstance(value.var.type, StackT):
        env.report.fail("E0367", e.span)
    return StackOp("top", value.var, value.keys, value.var.type.inner, span=e.span)


def _repetition(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    times = constant(env, ctx, e.args[0], "the argument of repetition")
    if env.history is None:
        env.report.fail("E0368", e.span)
    noted = Noted(env.history, position(env, ctx, e.span), IntT(0, MOST_NOTED), span=e.span)
    return Op2("le", ty.number(times, e.span), noted, ty.BOOL, span=e.span)


def position(env: Env, ctx: Ctx, span: Span) -> tuple[Expr, ...]:
    """What makes a position: all pieces on the board, the player whose turn it is, and what ``note position with`` adds."""
    with_mover = ctx.me is not None and env.noting == "position"
    env.positions.setdefault(with_mover, span)
    parts: list[Expr] = [ctx.me] if ctx.me is not None and with_mover else []
    for piece in env.pieces():
        for owner in owner_keys(env, piece, span):
            parts.append(Get(piece.var, owner, SetT(piece.place), span=span))
            if piece.extra is not None:
                assert isinstance(piece.extra.type, IntT)
                cells = (Const(c, ElemT(piece.place)) for c in range(piece.place.size))
                parts.extend(Get(piece.extra, (*owner, c), piece.extra.type, span=span) for c in cells)
    for carried in env.carried.values():
        places = (Const(c, ElemT(carried.var.keys[0])) for c in range(carried.var.slots))
        parts.extend(Get(carried.var, (c,), carried.stored, span=span) for c in places)
    for var in env.noted:
        keys: list[tuple[Expr, ...]] = [()]
        for domain in var.keys:
            keys = [(*k, Const(i, ElemT(domain))) for k in keys for i in range(domain.size)]
        parts.extend(Get(var, k, var.type, span=span) for k in keys)  # type: ignore[arg-type]
    return tuple(parts)


def _neighbors_towards(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    return lower_neighbors(env, ctx, e) if env.drawing is None else _drawn_neighbors(env, ctx, e)


def _all(env: Env, ctx: Ctx, e: ast.Call) -> Expr:
    arg = e.args[0]
    symbol = env.symbols.get(arg.name) if isinstance(arg, ast.Ref) else None
    if not isinstance(symbol, DomainSym):
        env.report.fail("E0341", arg.span, name=arg.span.text)
    return Const(symbol.domain.full, SetT(symbol.domain), span=e.span)


BUILTINS: dict[str, Builtin] = {
    b.name: b
    for b in (
        Builtin("count", "count(S: set) -> number", "How many elements a set has.", "count(mark[me]) = 3", _count, 1, 1),
        Builtin("min", "min(a, b, ...) -> number", "The smallest of some numbers.", "min(2, stock)", _least_or_most("min"), 2, 8),
        Builtin("max", "max(a, b, ...) -> number", "The largest of some numbers.", "max(2, stock)", _least_or_most("max"), 2, 8),
        Builtin("abs", "abs(n: number) -> number", "The absolute value.", "abs(row(a) - row(b))", _abs, 1, 1),
        Builtin("other", "other(x: T) -> T", "The other element of a type that has two.", "other(way)", _other, 1, 1),
        Builtin("number", "number(x: T) -> number", "The position of x in its type, counted from 1.", "number(p)", _number, 1, 1),
        Builtin(
            "the", "the(S: set of T) -> T",
            "The element of a set. If there are several, the first in the order of their type; if there is none, a rules error.",
            "the(crown)", _the, 1, 1,
        ),
        Builtin("rival", "rival(p: player) -> player", "The other player, in games for two.", "rival(starter)", _rival, 1, 1),
        Builtin("next", "next(p: player) -> player", "The player after p, in the order of seats.", "next(me)", _next, 1, 1),
        Builtin("supply", "supply(P: piece) -> number", "How many of a piece are not on the board.", "supply(grey)", _supply, 1, 1),
        Builtin("height", "height(c: cell) -> number", "How many pieces stand on a cell, or in a stack.", "height(c) >= 2", _height, 1, 1),
        Builtin("top", "top(s: stack of T) -> T", "The element pushed last on a stack.", "top(pile[c])", _top, 1, 1),
        Builtin(
            "repetition", "repetition(n) -> bool", "Whether the current position was noted at least n times.",
            "repetition(3)", _repetition, 1, 1,
        ),
        Builtin(
            "steps", "steps(l: line) -> pairs of cells; steps(c, D: set of direction) -> set of cell",
            "The pairs of adjacent cells along a line; the cells one step from c in some directions.",
            "every (a, b) in steps(l): a != b", _steps, 1, 2,
        ),
        Builtin(
            "neighbors", "neighbors(c: cell or set of cell) -> set of cell; neighbors(c, side | corner | any)",
            "The cells that share a side with c (or with one of a set); those that touch it at a corner only, or either way.",
            "neighbors(c) meets mark[me]", _neighbors_towards, 1, 2,
        ),
        Builtin(
            "placings", "placings(s: shape or set of shape) -> set of placing; placings(s, free | one_sided | fixed)",
            "The ways to lay shapes on the board: turned and reflected, turned only, or as they are drawn.",
            "p in placings(ell)", lower_placings, 1, 2,
        ),
        Builtin(
            "connected", "connected(S, A, B: set of cell, by) -> bool",
            "Whether a path inside S leads from A to B: over sides, or by an adjacency (`any`) or a relation.",
            "connected(mark[me], top_row, bottom_row)", lower_connected, 3, 4,
        ),
        Builtin(
            "component", "component(c: cell or set of cell, S: set of cell, by) -> set of cell",
            "What can be reached from c (or from a cell of a set) inside S: over sides, or by an adjacency (`any`) or a relation.",
            "component(c, mark[me], any)", lower_component, 2, 3,
        ),
        Builtin(
            "turned", "turned(d: direction, k: number) -> direction",
            "The direction k eighths of a turn (on hexagons sixths) clockwise from d; negative k turn the other way.",
            "turned(north, 2) = east", _turned, 2, 2,
        ),
        Builtin("all", "all(T) -> set of T", "All elements of a type.", "count(all(cell))", _all, 1, 1),
    )
}  # fmt: skip
