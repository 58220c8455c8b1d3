"""Set displays ``{a, b}`` and sets of tuples → sets of the Core."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from math import prod

from gamedsl.boards import Domain, Family
from gamedsl.core import fold
from gamedsl.core.nodes import (
    Cond,
    Const,
    ElemT,
    Expr,
    IntT,
    Lookup,
    Op1,
    Op2,
    OptT,
    SetT,
    TableData,
    ValueT,
)
from gamedsl.rules import conversions
from gamedsl.rules import types as ty
from gamedsl.rules.expressions.lowering import lower, require
from gamedsl.rules.expressions.primitives import is_ambiguous
from gamedsl.rules.scope import Ctx, Env
from gamedsl.source import Span
from gamedsl.syntax import ast

MOST_TUPLES = 100_000


def lower_display(env: Env, ctx: Ctx, e: ast.SetDisplay, want: ValueT | None) -> Expr:
    if not e.items:
        return Const(0, ty.EMPTY_SET, span=e.span)
    if any(isinstance(i, ast.TupleDisplay) for i in e.items):
        return _tuple_display(env, ctx, e, want)
    inner: ValueT | None = ElemT(want.domain) if isinstance(want, SetT) else None
    values = [None if is_ambiguous(env, ctx, i) else _item(env, ctx, i, inner) for i in e.items]
    if inner is None:
        inner = _common_element(env, e, e.items, values)
    total: Expr | None = None
    for item, known in zip(e.items, values, strict=True):
        value = lower(env, ctx, item, inner) if known is None else known
        as_set = _contribution(env, value, inner, item.span)
        total = as_set if total is None else fold(Op2("union", total, as_set, as_set.type, span=e.span))
    assert total is not None
    return total


def _contribution(env: Env, value: Expr, inner: ValueT | None, span: Span) -> Expr:
    """The set of one item: empty for none."""
    if isinstance(value.type, OptT) and value.type != ty.JUST_NONE:
        some = Op1("unwrap", value, value.type.inner, span=span)
        one = _contribution(env, some, inner, span)
        nothing = Const(0, one.type, span=span)
        return fold(Cond(Op1("is_none", value, ty.BOOL, span=span), nothing, one, one.type, span=span))
    known = value if inner is None else require(env, value, inner, span)
    is_line = isinstance(known.type, ElemT) and isinstance(known.type.domain, Family)
    as_set = conversions.single(known) if is_line else conversions.as_set(known)
    if as_set is None:
        env.report.fail("E0301", span, wanted="a value that a set can hold", got=ty.describe(known.type))
    return as_set


def _item(env: Env, ctx: Ctx, e: ast.Expr, want: ValueT | None) -> Expr:
    """An item of a set; what may be none stays so."""
    value = lower(env, ctx, e) if want is None or isinstance(e, ast.Ref | ast.Call | ast.Index | ast.FieldOf) else None
    if value is not None and (want is None or isinstance(value.type, OptT)):
        return value
    return lower(env, ctx, e, want)


def _common_element(
    env: Env, e: ast.SetDisplay, items: Sequence[ast.Expr], values: Sequence[Expr | None]
) -> ValueT | None:
    """The type of the items: numbers become elements of the range they span, the rest must agree."""
    common: ValueT | None = None
    for item, value in zip(items, values, strict=True):
        if value is None:
            continue
        t = value.type.inner if isinstance(value.type, OptT) else value.type
        joined = t if common is None else ty.join_types(common, t)
        if joined is None or isinstance(joined, SetT):
            wanted = "a value that a set can hold" if common is None else ty.describe(common)
            env.report.fail("E0301", item.span, wanted=wanted, got=ty.describe(value.type))
        common = joined
    if isinstance(common, IntT):
        if common.high - common.low >= ty.MOST_RANGE:
            env.report.fail("E0343", e.span, most=ty.MOST_RANGE)
        return ElemT(ty.range_domain(common.low, common.high))
    return ElemT(ty.BOOL_DOMAIN) if common == ty.BOOL else common


def _tuple_display(env: Env, ctx: Ctx, e: ast.SetDisplay, want: ValueT | None) -> Expr:
    domain = want.domain if isinstance(want, SetT) and want.domain.components else _tuples_of(env, ctx, e)
    total: Expr = Const(0, SetT(domain), span=e.span)
    for item in e.items:
        one = require(env, lower(env, ctx, item, ElemT(domain)), ElemT(domain), item.span)
        total = fold(Op2("union", total, conversions.single(one), SetT(domain), span=e.span))
    return total


def _tuples_of(env: Env, ctx: Ctx, e: ast.SetDisplay) -> Domain:
    """The type of the tuples of a set: numbers become elements of the range they span, the rest must agree."""
    rows: list[tuple[ast.Expr, ...]] = []
    for item in e.items:
        if not isinstance(item, ast.TupleDisplay) or (rows and len(item.items) != len(rows[0])):
            env.report.fail("E0315", item.span, first=e.items[0].span.text, other=item.span.text)
        rows.append(item.items)
    factors = []
    for parts in zip(*rows, strict=True):
        values = [None if is_ambiguous(env, ctx, x) else lower(env, ctx, x) for x in parts]
        common = _common_element(env, e, parts, values)
        if not isinstance(common, ElemT):
            env.report.fail("E0301", parts[0].span, wanted="a part of a tuple", got="several things")
        factors.append(common.domain)
    if prod(f.size for f in factors) > MOST_TUPLES:
        env.report.fail("E0343", e.span, most=MOST_TUPLES)
    return ty.tuple_domain(*factors)


def lower_tuple(env: Env, ctx: Ctx, e: ast.TupleDisplay, want: ValueT | None) -> Expr:
    """A tuple where one is expected."""
    domain = _tuple_type(want)
    if domain is None:
        env.report.fail("E0308", e.span)
    if len(e.items) != len(domain.components):
        env.report.fail("E0316", e.span, count=len(domain.components), domain=domain.name)
    hints = [ElemT(d) for d, _ in domain.components]
    items = tuple(lower(env, ctx, x, h) for x, h in zip(e.items, hints, strict=True))
    return tuple_element(env, items, domain, e.span)


def _tuple_type(want: ValueT | None) -> Domain | None:
    inner = want.inner if isinstance(want, OptT) else want
    return inner.domain if isinstance(inner, ElemT | SetT) and inner.domain.components else None


def tuple_element(env: Env, items: tuple[Expr, ...], domain: Domain, span: Span) -> Expr:
    """The element of a domain of tuples with these components: a value, or an optional where not all tuples exist."""
    keys = tuple(require(env, x, ElemT(d), span) for x, (d, _) in zip(items, domain.components, strict=True))
    table = _tuple_table(domain)
    return fold(Lookup(table, keys, span=span))


@lru_cache(maxsize=8)
def _tuple_table(domain: Domain) -> TableData:
    """Per combination of components, the last varying fastest, its element; as an optional where some are missing."""
    factors = tuple(d for d, _ in domain.components)
    place = {key: i for i, key in enumerate(zip(*(values for _, values in domain.components), strict=True))}
    found = [place.get(key) for key in product(*(range(f.size) for f in factors))]
    if None in found:
        optional = tuple(0 if i is None else i + 1 for i in found)
        return TableData(f"tuple of {domain.name}", factors, OptT(ElemT(domain)), optional)
    return TableData(f"tuple of {domain.name}", factors, ElemT(domain), tuple(i for i in found if i is not None))
