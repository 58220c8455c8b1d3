"""Quantifiers, comprehensions, and looking ahead."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

from gamedsl.boards import Family
from gamedsl.core import fold
from gamedsl.core.nodes import (
    AfterE,
    Cond,
    Const,
    ElemT,
    Expr,
    IntT,
    LetE,
    Load,
    Local,
    Lookup,
    Loop,
    MoveBranch,
    Op1,
    Op2,
    OptT,
    SetT,
    SomeMove,
    TableData,
)
from gamedsl.rules import types as ty
from gamedsl.rules.expressions.lowering import lower, lower_bool, lower_number, lower_set
from gamedsl.rules.report import Bail, near_names
from gamedsl.rules.scope import Ctx, Env, MoveSym, MoveValue
from gamedsl.source import Span
from gamedsl.syntax import ast

DEEPEST = 3  # moves tried after moves tried after moves


@dataclass(frozen=True)
class Range:
    """One loop variable and the set it ranges over."""

    local: Local
    over: Expr


@dataclass(frozen=True)
class MoveRange:
    """A loop over moves: per kind of move, what the name stands for."""

    name: str
    source: ast.MovesOf
    syms: tuple[MoveSym, ...]
    mover: Expr


def bind(env: Env, ctx: Ctx, binder: ast.Binder) -> tuple[list[Range | MoveRange], Ctx]:
    """The loops of one binder (several names are several loops) and the context inside them."""
    if isinstance(binder.source, ast.MovesOf):
        return _bind_moves(env, ctx, binder)
    over = lower_set(env, ctx, binder.source)
    assert isinstance(over.type, SetT)
    domain = over.type.domain
    if binder.is_tuple:
        if not domain.components:
            env.report.fail("E0317", binder.span, domain=domain.name)
        if len(domain.components) != len(binder.names):
            env.report.fail("E0316", binder.span, count=len(domain.components), domain=domain.name)
        local = env.program.local("+".join(n.id for n in binder.names), ElemT(domain))
        for name, (factor, values) in zip(binder.names, domain.components, strict=True):
            check_name(env, ctx, name)
            table = TableData(f"{name.id} of {domain.name}", (domain,), ElemT(factor), values)
            ctx = ctx.bind(**{name.id: Lookup(table, (Load(local, span=name.span),), span=name.span)})
        return [Range(local, over)], ctx
    ranges: list[Range | MoveRange] = []
    for name in binder.names:
        check_name(env, ctx, name)
        local = env.program.local(name.id, ElemT(domain))
        ranges.append(Range(local, without(over, ranges) if binder.distinct else over))
        ctx = ctx.bind(**{name.id: Load(local, span=name.span)})
    return ranges, ctx


def without(over: Expr, others: Sequence[Range | MoveRange]) -> Expr:
    """A set without the elements that other loops are at."""
    for one in others:
        assert isinstance(one, Range)
        over = Op2("minus", over, Op1("single", Load(one.local), over.type, span=over.span), over.type, span=over.span)
    return over


def check_name(env: Env, ctx: Ctx, name: ast.Name) -> None:
    """A bound name must not shadow one of the ruleset's: a reader would confuse them."""
    if (
        name.id in env.symbols
        or name.id in ctx.scope
        or name.id in ("me", "rival", "players", "empty", "occupied", "turn")
    ):
        env.report.fail("E0205", name.span, name=name.id)


def _bind_moves(env: Env, ctx: Ctx, binder: ast.Binder) -> tuple[list[Range | MoveRange], Ctx]:
    source = binder.source
    assert isinstance(source, ast.MovesOf)
    if binder.is_tuple or len(binder.names) != 1:
        env.report.fail("E0345", binder.span)
    mover = lower(env, ctx, source.player, ElemT(env.players))
    syms = []
    for name in source.moves:
        sym = find_move(env, name)
        if sym.has_chance:
            env.report.fail("E0346", name.span, name=name.id)
        syms.append(sym)
    check_name(env, ctx, binder.names[0])
    return [MoveRange(binder.names[0].id, source, tuple(syms), mover)], ctx


def find_move(env: Env, name: ast.Name) -> MoveSym:
    symbol = env.symbols.get(name.id)
    if not isinstance(symbol, MoveSym):
        moves = [n for n, s in env.symbols.items() if isinstance(s, MoveSym)]
        env.report.fail("E0206", name.span, near=near_names(name.id, moves), name=name.id)
    env.used.add(name.id)
    if symbol.broken:
        raise Bail
    return symbol


Maker = Callable[[Ctx], Expr]


def nest(
    env: Env, ctx: Ctx, binders: tuple[ast.Binder, ...], make: Callable[[Range, Expr], Expr], kind: str, body: Maker
) -> Expr:
    """The loops of the binders around the body; ``make`` builds one loop around what is inside it."""
    if not binders:
        return body(ctx)
    ranges, inner = bind(env, ctx, binders[0])
    if isinstance(ranges[0], MoveRange):
        return _over_moves(env, inner, ranges[0], kind, lambda c: nest(env, c, binders[1:], make, kind, body))
    value = nest(env, inner, binders[1:], make, kind, body)
    for one in reversed(ranges):
        assert isinstance(one, Range)
        value = make(one, value)
    return value


def _over_moves(env: Env, ctx: Ctx, one: MoveRange, kind: str, body: Maker) -> Expr:
    if kind not in ("some", "every", "count"):
        env.report.fail("E0347", one.source.span)
    if ctx.depth >= DEEPEST:
        env.report.fail("E0357", one.source.span, most=DEEPEST)
    branches = []
    for sym in one.syms:
        me = env.program.local("me", ElemT(env.players))
        params = tuple(env.program.local(p.name, p.type) for p in sym.params)
        loads: tuple[Expr, ...] = (Load(me), *(Load(p) for p in params))
        inner = ctx.deeper().bind(**{one.name: MoveValue(sym, loads)})
        answer = fold(body(inner))
        if answer.type != ty.BOOL:
            env.report.fail("E0335", one.source.span)
        branches.append(MoveBranch(sym.index, me, params, answer))
    t = IntT(0, min(sum(map(_most_moves, one.syms)), ty.MOST_NUMBER)) if kind == "count" else ty.BOOL
    ticks = env.program.tick(env)
    return SomeMove(kind, one.mover, tuple(branches), one.source.kind == "moves", ticks, t, span=one.source.span)  # type: ignore[arg-type]


def _most_moves(sym: MoveSym) -> int:
    """An upper bound on the number of moves of a kind: the product of its parameters' ranges."""
    return prod(_size(Range(p, over)) for p, over in zip(sym.params, sym.overs, strict=True))


def lower_quantified(env: Env, ctx: Ctx, e: ast.Quantified) -> Expr:
    match e.kind:
        case "some" | "every":
            return _truth(env, ctx, e, e.kind)
        case "no":
            return Op1("not", _truth(env, ctx, e, "some"), ty.BOOL, span=e.span)
        case "count":
            return _count(env, ctx, e)


def _truth(env: Env, ctx: Ctx, e: ast.Quantified, kind: str) -> Expr:
    def make(one: Range, inner: Expr) -> Expr:
        return fold(Loop(kind, one.local, one.over, None, inner, ty.BOOL, span=e.span))  # type: ignore[arg-type]

    return nest(env, ctx, e.binders, make, kind, lambda c: lower_bool(env, c, e.body))


def _count(env: Env, ctx: Ctx, e: ast.Quantified) -> Expr:
    def make(one: Range, inner: Expr) -> Expr:
        size = _size(one)
        if inner.type == ty.BOOL:
            return fold(Loop("count", one.local, one.over, None, inner, IntT(0, size), span=e.span))
        assert isinstance(inner.type, IntT)
        return fold(Loop("sum", one.local, one.over, None, inner, IntT(0, size * inner.type.high), span=e.span))

    return nest(env, ctx, e.binders, make, "count", lambda c: lower_bool(env, c, e.body))


def _size(one: Range) -> int:
    assert isinstance(one.over.type, SetT)
    return one.over.value.bit_count() if isinstance(one.over, Const) else one.over.type.domain.size


def lower_filter(env: Env, ctx: Ctx, e: ast.Filter) -> Expr:
    if isinstance(e.binder.source, ast.MovesOf):
        env.report.fail("E0347", e.binder.span)
    if len(e.binder.names) != 1 and not e.binder.is_tuple:
        env.report.fail("E0348", e.binder.span)
    ranges, inner = bind(env, ctx, e.binder)
    one = ranges[0]
    assert isinstance(one, Range) and isinstance(one.over.type, SetT)
    return Loop("filter", one.local, one.over, None, lower_bool(env, inner, e.condition), one.over.type, span=e.span)


def lower_fold(env: Env, ctx: Ctx, e: ast.Fold) -> Expr:
    match e.kind:
        case "set" | "union":
            return _union(env, ctx, e)
        case "sum" | "max" | "min":
            return _number_fold(env, ctx, e)


def _union(env: Env, ctx: Ctx, e: ast.Fold) -> Expr:
    def body(c: Ctx) -> Expr:
        value = lower(env, c, e.value)
        inner = as_part(env, value, e.kind == "set", e.value.span)
        return _guarded(env, c, e, inner, Const(0, inner.type))

    def make(one: Range, inner: Expr) -> Expr:
        return fold(Loop("union", one.local, one.over, None, inner, inner.type, span=e.span))

    return nest(env, ctx, e.binders, make, "union", body)


def as_part(env: Env, value: Expr, elements: bool, span: Span) -> Expr:
    """One contribution to a union: a set; in ``{E for ...}`` one element, and nothing for none."""
    if isinstance(value.type, OptT) and isinstance(value.type.inner, ElemT):
        inner_type = value.type.inner
        one = Op1("single", Op1("unwrap", value, inner_type, span=span), SetT(inner_type.domain), span=span)
        nothing = Const(0, SetT(inner_type.domain), span=span)
        return fold(Cond(Op1("is_none", value, ty.BOOL, span=span), nothing, one, one.type, span=span))
    if elements and isinstance(value.type, ElemT) and isinstance(value.type.domain, Family):
        return Op1("single", value, SetT(value.type.domain), span=span)
    as_set = ty.as_set(value)
    if as_set is None:
        env.report.fail("E0301", span, wanted="a set or an element of one", got=ty.describe(value.type))
    return as_set


def _guarded(env: Env, ctx: Ctx, e: ast.Fold, value: Expr, otherwise: Expr) -> Expr:
    if e.condition is None:
        return value
    return fold(Cond(lower_bool(env, ctx, e.condition), value, otherwise, value.type, span=e.span))


def _has_one_name(e: ast.Fold | ast.FoldOr) -> bool:
    """Does it range over one thing (a name, or names for the parts of a tuple)?"""
    return len(e.binders) == 1 and (e.binders[0].is_tuple or len(e.binders[0].names) == 1)


def _only_range(env: Env, ctx: Ctx, e: ast.Fold | ast.FoldOr) -> tuple[Range, Ctx]:
    """The one thing that it ranges over, with the names inside."""
    if not _has_one_name(e):
        env.report.fail("E0348", e.span)
    if isinstance(e.binders[0].source, ast.MovesOf):
        env.report.fail("E0347", e.span)
    ranges, inner = bind(env, ctx, e.binders[0])
    one = ranges[0]
    assert isinstance(one, Range)
    return one, inner


def _number_fold(env: Env, ctx: Ctx, e: ast.Fold) -> Expr:
    if e.kind == "sum" and not _has_one_name(e):
        return _nested_sum(env, ctx, e)
    one, inner = _only_range(env, ctx, e)
    value = _number(env, inner, e)
    condition = None if e.condition is None else lower_bool(env, inner, e.condition)
    assert isinstance(value.type, IntT)
    t = value.type
    if e.kind == "sum":
        size = _size(one)
        t = IntT(min(0, t.low * size), max(0, t.high * size))
    return Loop(e.kind, one.local, one.over, condition, value, t, span=e.span)  # type: ignore[arg-type]


def _nested_sum(env: Env, ctx: Ctx, e: ast.Fold) -> Expr:
    def body(c: Ctx) -> Expr:
        value = _number(env, c, e)
        assert isinstance(value.type, IntT)
        wide = IntT(min(0, value.type.low), max(0, value.type.high))
        return _guarded(env, c, e, ty.clip(value, wide), Const(0, wide))

    def make(one: Range, inner: Expr) -> Expr:
        assert isinstance(inner.type, IntT)
        size = _size(one)
        t = IntT(min(0, inner.type.low * size), max(0, inner.type.high * size))
        return fold(Loop("sum", one.local, one.over, None, inner, t, span=e.span))

    return nest(env, ctx, e.binders, make, "sum", body)


def lower_fold_or(env: Env, ctx: Ctx, e: ast.FoldOr) -> Expr:
    """``max of E for x in S: F or V``: the set of those x is made once; V when it is empty."""
    one, inner = _only_range(env, ctx, e)
    over = one.over
    if e.condition is not None:
        condition = lower_bool(env, inner, e.condition)
        over = fold(Loop("filter", one.local, over, None, condition, over.type, span=e.condition.span))
        one, inner = _only_range(env, ctx, e)
    value = lower_number(env, inner, e.value)
    otherwise = None if _asks(e.otherwise) else ty.as_number(lower(env, ctx, e.otherwise))
    if otherwise is None:
        env.report.fail("E0334", e.otherwise.span, kind=e.kind)
    members = env.program.local("members", over.type)
    loop = Loop(e.kind, one.local, Load(members), None, value, value.type, span=e.span)
    t = ty.join_types(value.type, otherwise.type)
    assert t is not None
    nothing = Op1("is_empty", Load(members), ty.BOOL, span=e.span)
    return fold(LetE(members, over, Cond(nothing, otherwise, loop, t, span=e.span), span=e.span))


def _asks(e: ast.Expr) -> bool:
    """Whether an expression is a condition by its form (and then no number, whatever its names mean)."""
    match e:
        case ast.Unary(op) | ast.Binary(op):
            return op not in ("-", "+", "*", "div", "mod", "|", "&")
        case ast.Quantified(kind):
            return kind != "count"
    return isinstance(e, ast.Bool | ast.IsNone | ast.After)


def _number(env: Env, ctx: Ctx, e: ast.Fold) -> Expr:
    return lower_number(env, ctx, e.value)


# ------------------------------------------------------------------------------------------------- looking ahead


def lower_after(env: Env, ctx: Ctx, e: ast.After) -> Expr:
    """``after m: F``. Inside F the locals keep their values, the state is that after the ply."""
    body = lower_bool(env, ctx, e.body)
    ticks, passed = env.program.tick(env), env.program.passed(env)
    if e.move == "waiting":
        return AfterE(None, (), ticks, body, passed, span=e.span)
    if e.move == "this":
        if ctx.this is None:
            env.report.fail("E0349", e.span)
        value: object = ctx.this
    else:
        value = ctx.scope.get(e.move)
    if not isinstance(value, MoveValue):
        env.report.fail("E0350", e.span, name=e.move)
    if value.sym.has_chance:
        env.report.fail("E0346", e.span, name=value.sym.decl.name.id)
    return AfterE(value.sym.index, value.args, ticks, body, passed, span=e.span)
