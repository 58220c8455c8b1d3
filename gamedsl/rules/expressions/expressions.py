"""Expressions of the language → typed expressions of the Core. One method a node; a mistake is recorded and bails out."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from gamedsl.core.fold import fold
from gamedsl.core.nodes import (
    BoolT,
    Cond,
    Const,
    ElemT,
    Expr,
    Get,
    IntT,
    Lookup,
    Op1,
    Op2,
    OptT,
    SetT,
    StackT,
    TableData,
    ValueT,
)
from gamedsl.rules import types as ty
from gamedsl.rules.expressions.names import value_of_name
from gamedsl.rules.report import Bail, near_names
from gamedsl.rules.scope import Ctx, Env, MapValue, MoveValue, OutcomeValue, PieceSym, TokenKindSym
from gamedsl.source.text import Span
from gamedsl.syntax import ast

if TYPE_CHECKING:
    from gamedsl.core.nodes import Var

Value = Expr | MapValue | OutcomeValue | MoveValue


def lower(env: Env, ctx: Ctx, e: ast.Expr, want: ValueT | None = None) -> Expr:
    """The expression as a Core expression; with ``want``, as a value of that type (or an error says why not)."""
    value = lower_any(env, ctx, e, want)
    plain = as_plain(env, value, e.span)
    if want is None:
        return fold(plain)
    return require(env, plain, want, e.span)


def require(env: Env, value: Expr, want: ValueT, span: Span) -> Expr:
    got = ty.coerce(value, want)
    if got is None:
        if isinstance(want, IntT) and isinstance(value.type, IntT):
            env.report.fail("E0306", span, value=ty.describe(value.type), low=want.low, high=want.high)
        env.report.fail("E0301", span, wanted=ty.describe(want), got=ty.describe(value.type))
    return fold(got)


def as_plain(env: Env, value: Value, span: Span) -> Expr:
    match value:
        case MapValue(var, keys):
            missing = var.keys[len(keys)]
            env.report.fail("E0302", span, name=var.name, key=missing.name)
        case OutcomeValue():
            env.report.fail("E0303", span)
        case MoveValue(sym):
            env.report.fail("E0304", span, name=sym.decl.name.id)
        case _:
            return value


def lower_bool(env: Env, ctx: Ctx, e: ast.Expr) -> Expr:
    return lower(env, ctx, e, ty.BOOL)


def lower_set(env: Env, ctx: Ctx, e: ast.Expr) -> Expr:
    """The expression as a set (of whatever domain)."""
    value = lower(env, ctx, e)
    as_set = ty.as_set(value)
    if as_set is None:
        env.report.fail("E0301", e.span, wanted="a set", got=ty.describe(value.type))
    return fold(as_set)


def lower_number(env: Env, ctx: Ctx, e: ast.Expr) -> Expr:
    value = lower(env, ctx, e)
    number = ty.as_number(value)
    if number is None:
        env.report.fail("E0301", e.span, wanted="a number", got=ty.describe(value.type))
    return fold(number)


def constant(env: Env, ctx: Ctx, e: ast.Expr, what: str) -> int:
    """A number that is known when the file is loaded."""
    value = lower_number(env, ctx, e)
    if not isinstance(value, Const):
        env.report.fail("E0307", e.span, what=what)
    return value.value


def lower_any(env: Env, ctx: Ctx, e: ast.Expr, want: ValueT | None) -> Value:
    from gamedsl.rules.expressions import calls, operators
    from gamedsl.rules.expressions import quantifiers as quantified
    from gamedsl.rules.expressions import set_displays as displays

    match e:
        case ast.Int(value):
            return ty.number(value, e.span)
        case ast.Bool(value):
            return Const(int(value), ty.BOOL, span=e.span)
        case ast.NoneValue():
            return Const(0, ty.JUST_NONE, span=e.span)
        case ast.Ref(name):
            return value_of_name(env, ctx, name, e.span, want)
        case ast.Call():
            return calls.lower_call(env, ctx, e, want)
        case ast.Index():
            return lower_index(env, ctx, e)
        case ast.FieldOf():
            return lower_field(env, ctx, e)
        case ast.SetDisplay():
            return displays.lower_display(env, ctx, e, want)
        case ast.TupleDisplay():
            env.report.fail("E0308", e.span)
        case ast.RangeSet(low, high):
            first, last = (
                constant(env, ctx, low, "the first number of a range"),
                constant(env, ctx, high, "the last number of a range"),
            )
            if last < first:
                env.report.fail("E0309", e.span, low=first, high=last)
            if last - first >= ty.MOST_RANGE:
                env.report.fail("E0343", e.span, most=ty.MOST_RANGE)
            domain = ty.range_domain(first, last)
            return Const(domain.full, SetT(domain), span=e.span)
        case ast.Unary():
            return operators.lower_unary(env, ctx, e)
        case ast.Binary():
            return operators.lower_binary(env, ctx, e)
        case ast.IsNone(operand, negated):
            return operators.lower_is_none(env, ctx, operand, negated, e.span)
        case ast.IfExpr():
            return operators.lower_if(env, ctx, e, want)
        case ast.Quantified():
            return quantified.lower_quantified(env, ctx, e)
        case ast.Filter():
            return quantified.lower_filter(env, ctx, e)
        case ast.Fold():
            return quantified.lower_fold(env, ctx, e)
        case ast.FoldOr():
            return quantified.lower_fold_or(env, ctx, e)
        case ast.After():
            return quantified.lower_after(env, ctx, e)
        case ast.MovesOf():
            env.report.fail("E0320", e.span, kind=e.kind)
        case _:
            assert_never(e)


# --------------------------------------------------------------------------------------- names with keys and fields


def lower_index(env: Env, ctx: Ctx, e: ast.Index) -> Value:
    if isinstance(e.base, ast.Ref) and e.base.name not in ctx.scope:
        symbol = env.symbols.get(e.base.name)
        if isinstance(symbol, PieceSym):
            env.used.add(e.base.name)
            return _piece_set(env, ctx, symbol, e)
        if isinstance(symbol, TokenKindSym):
            env.used.add(e.base.name)
            return _token(env, ctx, symbol, e.base.name, e)
    base = lower_any(env, ctx, e.base, None)
    if not isinstance(base, MapValue):
        env.report.fail("E0310", e.span, what=e.base.span.text or "this")
    given = base.keys
    for key in e.keys:
        if len(given) >= len(base.var.keys):
            env.report.fail("E0311", key.span, name=base.var.name, count=len(base.var.keys))
        given = (*given, lower(env, ctx, key, ElemT(base.var.keys[len(given)])))
    return read_map(base.var, given, e.span)


def _piece_set(env: Env, ctx: Ctx, piece: PieceSym, e: ast.Index) -> Expr:
    if not piece.owned or len(e.keys) != 1:
        code = "E0312" if not piece.owned else "E0311"
        env.report.fail(code, e.span, name=piece.name, count=1)
    key = lower(env, ctx, e.keys[0], ElemT(env.players))
    return Get(piece.var, (key,), SetT(piece.place), span=e.span)


def _token(env: Env, ctx: Ctx, kind: TokenKindSym, name: str, e: ast.Index) -> Expr:
    if kind.key is None or len(e.keys) != 1:
        env.report.fail("E0312" if kind.key is None else "E0311", e.span, name=name, count=1)
    key = lower(env, ctx, e.keys[0], ElemT(kind.key))
    values = tuple(kind.first + i for i in range(kind.key.size))
    return fold(Lookup(TableData(f"{name} of", (kind.key,), ElemT(kind.domain), values), (key,), span=e.span))


def read_map(var: Var, keys: tuple[Expr, ...], span: Span) -> Value:
    """A variable's value, or a map that still lacks keys (stacks stay maps: only their top or height is a value)."""
    if len(keys) < len(var.keys) or isinstance(var.type, StackT):
        return MapValue(var, keys, span)
    assert isinstance(var.type, BoolT | IntT | ElemT | OptT | SetT)
    return Get(var, keys, var.type, span=span)


def lower_field(env: Env, ctx: Ctx, e: ast.FieldOf) -> Value:
    base = lower_any(env, ctx, e.base, None)
    if isinstance(base, OutcomeValue):
        return _outcome_field(env, base, e)
    if isinstance(base, MapValue | MoveValue):
        as_plain(env, base, e.base.span)
    assert not isinstance(base, MapValue | MoveValue)
    if isinstance(base.type, OptT) and isinstance(base.type.inner, ElemT):
        base = Op1("unwrap", base, base.type.inner, span=base.span)
    if isinstance(base.type, ElemT):
        fields = env.program.fields.get((env.index, base.type.domain.name), {})
        if e.name in fields:
            return read_map(fields[e.name], (base,), e.span)
        if fields:
            env.report.fail(
                "E0314",
                e.span,
                near=near_names(e.name, fields),
                what=base.type.domain.name,
                name=e.name,
                fields=", ".join(fields),
            )
    if isinstance(base.type, ElemT) and base.type.domain.name in env.broken:
        raise Bail
    env.report.fail("E0313", e.span, what=ty.describe(base.type), name=e.name)


def _outcome_field(env: Env, outcome: OutcomeValue, e: ast.FieldOf) -> Expr:
    winners: Expr = Get(outcome.winners, (), SetT(env.players), span=e.span)
    player = ElemT(env.players)
    count = Op1("count", winners, IntT(0, env.players.size), span=e.span)
    match e.name:
        case "winners":
            return winners
        case "drawn":
            return Op1("is_empty", winners, ty.BOOL, span=e.span)
        case "winner":
            one = Op2("eq", count, ty.number(1, e.span), ty.BOOL, span=e.span)
            first = Op1("wrap", Op1("first", winners, player, span=e.span), OptT(player), span=e.span)
            return Cond(one, first, Const(0, OptT(player), span=e.span), OptT(player), span=e.span)
    known = ("winner", "winners", "drawn")
    env.report.fail(
        "E0314", e.span, near=near_names(e.name, known), what="result", name=e.name, fields=", ".join(known)
    )
