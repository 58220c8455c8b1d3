"""The builtin functions, declared once in ``BUILTINS`` for the checker and the reference."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

from gamedsl.language.core import nodes as n
from gamedsl.language.rules import conversions
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.geometry.geometry_calls import lower_drawn_neighbors, lower_steps
from gamedsl.language.rules.expressions.geometry.geometry_placings import lower_neighbors, lower_placings
from gamedsl.language.rules.expressions.geometry.reach import lower_component, lower_connected
from gamedsl.language.rules.expressions.lowering import lower, lower_number, lower_set, require
from gamedsl.language.rules.expressions.primitives import next_of, rival_of
from gamedsl.language.rules.expressions.repetition import lower_repetition
from gamedsl.language.rules.expressions.stacks import lower_top
from gamedsl.language.rules.expressions.supplies import lower_height, lower_supply
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.rules.symbols import DomainSym
from gamedsl.language.source import Span, lazy_dataclass
from gamedsl.language.syntax import ast


@lazy_dataclass(frozen=True)
class Builtin:
    """One builtin function, for the checker and the reference. ``least``, ``most``: the number of arguments."""

    name: str
    signature: str
    text: str
    example: str
    lower: Callable[[Env, Ctx, ast.Call], n.Expr]
    least: int
    most: int


def _count(env: Env, ctx: Ctx, e: ast.Call) -> n.Expr:
    members = lower_set(env, ctx, e.args[0])
    assert isinstance(members.type, n.SetT)
    return n.Op1("count", members, n.IntT(0, members.type.domain.size), span=e.span)


def _least_or_most(op: str) -> Callable[[Env, Ctx, ast.Call], n.Expr]:
    pick = min if op == "min" else max

    def make(a: n.Expr, b: n.Expr, span: Span) -> n.Expr:
        assert isinstance(a.type, n.IntT) and isinstance(b.type, n.IntT)
        t = n.IntT(pick(a.type.low, b.type.low), pick(a.type.high, b.type.high))
        return n.Op2(op, a, b, t, span=span)  # type: ignore[arg-type]

    def run(env: Env, ctx: Ctx, e: ast.Call) -> n.Expr:
        numbers = [lower_number(env, ctx, a) for a in e.args]
        return reduce(lambda a, b: make(a, b, e.span), numbers)

    return run


def _abs(env: Env, ctx: Ctx, e: ast.Call) -> n.Expr:
    number = lower_number(env, ctx, e.args[0])
    assert isinstance(number.type, n.IntT)
    low, high = number.type.low, number.type.high
    minus = n.Op1("neg", number, n.IntT(-high, -low), span=e.span)
    greater = n.Op2("max", number, minus, n.IntT(max(low, -high), max(high, -low)), span=e.span)
    return conversions.clip(greater, n.IntT(0, max(high, -low)))


def _other(env: Env, ctx: Ctx, e: ast.Call) -> n.Expr:
    value = lower(env, ctx, e.args[0])
    if isinstance(value.type, n.OptT):
        value = n.Op1("unwrap", value, value.type.inner, span=e.span)
    if not isinstance(value.type, n.ElemT) or value.type.domain.size != 2:
        env.report.fail("E0364", e.span, got=ty.describe(value.type))
    domain = value.type.domain
    return n.Lookup(n.TableData("other", (domain,), n.ElemT(domain), (1, 0)), (value,), span=e.span)


def _number(env: Env, ctx: Ctx, e: ast.Call) -> n.Expr:
    value = lower(env, ctx, e.args[0])
    if isinstance(value.type, n.OptT):
        value = n.Op1("unwrap", value, value.type.inner, span=e.span)
    if not isinstance(value.type, n.ElemT):
        env.report.fail("E0301", e.args[0].span, wanted="an element of a type", got=ty.describe(value.type))
    domain = value.type.domain
    table = n.TableData("number", (domain,), n.IntT(1, max(1, domain.size)), tuple(range(1, domain.size + 1)))
    return n.Lookup(table, (value,), span=e.span)


def _the(env: Env, ctx: Ctx, e: ast.Call) -> n.Expr:
    members = lower_set(env, ctx, e.args[0])
    assert isinstance(members.type, n.SetT)
    return n.Op1("first", members, n.ElemT(members.type.domain), span=e.span)


def _turned(env: Env, ctx: Ctx, e: ast.Call) -> n.Expr:
    """Lowers ``turned(d, k)`` to a table over the directions, which are clockwise in their domain."""
    direction = env.board.domains.get("direction") if env.board is not None else None
    if direction is None:
        env.report.fail("E0361", e.span, name=e.name, board=env.board.title if env.board else "no board")
    d, k = lower(env, ctx, e.args[0], n.ElemT(direction)), lower_number(env, ctx, e.args[1])
    assert isinstance(k.type, n.IntT)
    if k.type.high - k.type.low >= ty.MOST_RANGE:
        env.report.fail("E0343", e.args[1].span, most=ty.MOST_RANGE)
    counts = ty.range_domain(k.type.low, k.type.high)
    values = tuple(
        (i + number) % direction.size for i in range(direction.size) for number in range(counts.low, counts.high + 1)
    )
    if counts.size == 1:
        return n.Lookup(
            n.TableData(f"turned {counts.low}", (direction,), n.ElemT(direction), values), (d,), span=e.span
        )
    table = n.TableData("turned", (direction, counts), n.ElemT(direction), values)
    return n.Lookup(table, (d, require(env, k, n.ElemT(counts), e.span)), span=e.span)


def _rival(env: Env, ctx: Ctx, e: ast.Call) -> n.Expr:
    return rival_of(env, lower(env, ctx, e.args[0], n.ElemT(env.players)), e.span)


def _next(env: Env, ctx: Ctx, e: ast.Call) -> n.Expr:
    return next_of(env, lower(env, ctx, e.args[0], n.ElemT(env.players)), e.span)


def _neighbors(env: Env, ctx: Ctx, e: ast.Call) -> n.Expr:
    return lower_neighbors(env, ctx, e) if env.drawing is None else lower_drawn_neighbors(env, ctx, e)


def _all(env: Env, ctx: Ctx, e: ast.Call) -> n.Expr:
    arg = e.args[0]
    symbol = env.symbols.get(arg.name) if isinstance(arg, ast.Ref) else None
    if not isinstance(symbol, DomainSym):
        env.report.fail("E0341", arg.span, name=arg.span.text)
    return n.Const(symbol.domain.full, n.SetT(symbol.domain), span=e.span)


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
        Builtin("supply", "supply(P: piece) -> number", "How many of a piece are not on the board.", "supply(grey)", lower_supply, 1, 1),
        Builtin(
            "height", "height(c: cell) -> number", "How many pieces are on a cell, or in a stack.", "height(c) >= 2",
            lower_height, 1, 1,
        ),
        Builtin(
            "top", "top(s: stack of T) -> T", "The element pushed last on a stack. `s at k` is the k-th from below.",
            "top(pile[c])", lower_top, 1, 1,
        ),
        Builtin(
            "repetition", "repetition(n) -> bool", "Whether the current position was noted at least n times.",
            "repetition(3)", lower_repetition, 1, 1,
        ),
        Builtin(
            "steps", "steps(l: line) -> pairs of cells; steps(c, D: set of direction) -> set of cell",
            "The pairs of adjacent cells along a line; the cells one step from c in some directions.",
            "every (a, b) in steps(l): a != b", lower_steps, 1, 2,
        ),
        Builtin(
            "neighbors", "neighbors(c: cell or set of cell) -> set of cell; neighbors(c, side | corner | any)",
            "The cells that share a side with c (or with one of a set); those that touch it at a corner only, or either way.",
            "neighbors(c) meets mark[me]", _neighbors, 1, 2,
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
            "The cells reachable from c (or from a cell of a set) inside S: over sides, or by an adjacency (`any`) or a relation.",
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
