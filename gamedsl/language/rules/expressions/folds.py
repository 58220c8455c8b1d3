"""Sums, unions, minima and maxima over sets."""

from __future__ import annotations

from gamedsl.language.boards import Family
from gamedsl.language.core import fold
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import conversions
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.binders import Range, bind
from gamedsl.language.rules.expressions.lowering import as_operand, lower, lower_bool, lower_number, lower_open
from gamedsl.language.rules.expressions.quantifiers import nest, range_size
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast


def lower_fold(env: Env, ctx: Ctx, e: ast.Fold) -> n.Expr:
    match e.kind:
        case "set" | "union":
            return _union(env, ctx, e)
        case "sum" | "max" | "min":
            return _number_fold(env, ctx, e)


def _union(env: Env, ctx: Ctx, e: ast.Fold) -> n.Expr:
    def body(c: Ctx) -> n.Expr:
        is_tuple = isinstance(e.value, ast.TupleDisplay)
        value = lower(env, c, ast.SetDisplay((e.value,), span=e.value.span) if is_tuple else e.value)
        inner = as_part(env, value, e.kind == "set", e.value.span)
        return _guarded(env, c, e, inner, n.Const(0, inner.type))

    def make(one: Range, inner: n.Expr) -> n.Expr:
        return fold(n.Loop("union", one.local, one.over, None, inner, inner.type, span=e.span))

    return nest(env, ctx, e.binders, make, "union", body)


def as_part(env: Env, value: n.Expr, elements: bool, span: Span) -> n.Expr:
    """Returns one contribution to a union: a set; in ``{E for ...}`` one element, or nothing for none."""
    if isinstance(value.type, n.OptT) and isinstance(value.type.inner, n.ElemT):
        inner_type = value.type.inner
        one = n.Op1("single", n.Op1("unwrap", value, inner_type, span=span), n.SetT(inner_type.domain), span=span)
        nothing = n.Const(0, n.SetT(inner_type.domain), span=span)
        return fold(n.Cond(n.Op1("is_none", value, ty.BOOL, span=span), nothing, one, one.type, span=span))
    if elements and isinstance(value.type, n.ElemT) and isinstance(value.type.domain, Family):
        return n.Op1("single", value, n.SetT(value.type.domain), span=span)
    as_set = conversions.as_set(value)
    if as_set is None:
        env.report.fail("E0301", span, wanted="a set or an element of one", got=ty.describe(value.type))
    return as_set


def _guarded(env: Env, ctx: Ctx, e: ast.Fold, value: n.Expr, otherwise: n.Expr) -> n.Expr:
    if e.condition is None:
        return value
    return fold(n.Cond(lower_bool(env, ctx, e.condition), value, otherwise, value.type, span=e.span))


def _has_one_name(e: ast.Fold | ast.FoldOr) -> bool:
    """Returns whether a fold has a single range (one name, or names for the parts of a tuple)."""
    return len(e.binders) == 1 and (e.binders[0].is_tuple or len(e.binders[0].names) == 1)


def _only_range(env: Env, ctx: Ctx, e: ast.Fold | ast.FoldOr) -> tuple[Range, Ctx]:
    """Returns the single range of a fold, and the context inside it; reports a fold with several ranges."""
    if not _has_one_name(e):
        env.report.fail("E0348", e.span)
    if isinstance(e.binders[0].source, ast.MovesOf):
        env.report.fail("E0347", e.span)
    ranges, inner = bind(env, ctx, e.binders[0])
    one = ranges[0]
    assert isinstance(one, Range)
    return one, inner


def _number_fold(env: Env, ctx: Ctx, e: ast.Fold) -> n.Expr:
    if e.kind == "sum" and not _has_one_name(e):
        return _nested_sum(env, ctx, e)
    one, inner = _only_range(env, ctx, e)
    value = _number(env, inner, e)
    condition = None if e.condition is None else lower_bool(env, inner, e.condition)
    assert isinstance(value.type, n.IntT)
    t = value.type
    if e.kind == "sum":
        size = range_size(one)
        t = n.IntT(min(0, t.low * size), max(0, t.high * size))
    condition = None if condition is None else one.around(condition)
    return n.Loop(e.kind, one.local, one.over, condition, one.around(value), t, span=e.span)  # type: ignore[arg-type]


def _nested_sum(env: Env, ctx: Ctx, e: ast.Fold) -> n.Expr:
    def body(c: Ctx) -> n.Expr:
        value = _number(env, c, e)
        assert isinstance(value.type, n.IntT)
        wide = n.IntT(min(0, value.type.low), max(0, value.type.high))
        return _guarded(env, c, e, conversions.clip(value, wide), n.Const(0, wide))

    def make(one: Range, inner: n.Expr) -> n.Expr:
        assert isinstance(inner.type, n.IntT)
        size = range_size(one)
        t = n.IntT(min(0, inner.type.low * size), max(0, inner.type.high * size))
        return fold(n.Loop("sum", one.local, one.over, None, inner, t, span=e.span))

    return nest(env, ctx, e.binders, make, "sum", body)


def lower_fold_or(env: Env, ctx: Ctx, e: ast.FoldOr) -> n.Expr:
    """Lowers ``max of E for x in S: F or V``: the set of those x is computed once; the value is V if it is empty."""
    one, inner = _only_range(env, ctx, e)
    over = one.over
    if e.condition is not None:
        condition = lower_bool(env, inner, e.condition)
        over = fold(n.Loop("filter", one.local, over, None, one.around(condition), over.type, span=e.condition.span))
        one, inner = _only_range(env, ctx, e)
    value, otherwise = _number_or_never(env, inner, e.value), _otherwise(env, ctx, e)
    t = ty.join_types(value.type, otherwise.type)
    assert t is not None
    if t == ty.NEVER:
        return value
    members = env.program.local("members", over.type)
    if not conversions.is_never(value):
        value = n.Loop(e.kind, one.local, n.Load(members), None, one.around(value), value.type, span=e.span)
    value, otherwise = conversions.placed(value, t), conversions.placed(otherwise, t)
    nothing = n.Op1("is_empty", n.Load(members), ty.BOOL, span=e.span)
    return fold(n.LetE(members, over, n.Cond(nothing, otherwise, value, t, span=e.span), span=e.span))


def _number_or_never(env: Env, ctx: Ctx, e: ast.Expr) -> n.Expr:
    value = lower_open(env, ctx, e)
    return value if conversions.is_never(value) else as_operand(env, value, e)


def _otherwise(env: Env, ctx: Ctx, e: ast.FoldOr) -> n.Expr:
    """Returns the value after ``or``: a number, or a failure."""
    value = None if e.otherwise.is_condition() else lower_open(env, ctx, e.otherwise)
    number = value if value is None or conversions.is_never(value) else conversions.as_number(value)
    if number is None:
        env.report.fail("E0334", e.otherwise.span, kind=e.kind)
    return number


def _number(env: Env, ctx: Ctx, e: ast.Fold) -> n.Expr:
    return lower_number(env, ctx, e.value)
