"""Set displays ``{a, b}`` and sets of tuples → sets of the Core."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from math import prod

from gamedsl.language.boards import Domain, Family
from gamedsl.language.core import fold
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import conversions
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.lowering import lower, require
from gamedsl.language.rules.expressions.primitives import is_ambiguous
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast

MOST_TUPLES = 100_000


def lower_display(env: Env, ctx: Ctx, e: ast.SetDisplay, want: n.ValueT | None) -> n.Expr:
    if not e.items:
        return n.Const(0, ty.EMPTY_SET, span=e.span)
    if any(isinstance(i, ast.TupleDisplay) for i in e.items):
        return _tuple_display(env, ctx, e, want)
    inner: n.ValueT | None = n.ElemT(want.domain) if isinstance(want, n.SetT) else None
    values = [None if is_ambiguous(env, ctx, i) else _item(env, ctx, i, inner) for i in e.items]
    if inner is None:
        inner = _common_element(env, e, e.items, values)
    total: n.Expr | None = None
    for item, known in zip(e.items, values, strict=True):
        value = lower(env, ctx, item, inner) if known is None else known
        as_set = _contribution(env, value, inner, item.span)
        total = as_set if total is None else fold(n.Op2("union", total, as_set, as_set.type, span=e.span))
    assert total is not None
    return total


def _contribution(env: Env, value: n.Expr, inner: n.ValueT | None, span: Span) -> n.Expr:
    """Returns the set of one item; empty for none."""
    if isinstance(value.type, n.OptT) and value.type != ty.JUST_NONE:
        some = n.Op1("unwrap", value, value.type.inner, span=span)
        one = _contribution(env, some, inner, span)
        nothing = n.Const(0, one.type, span=span)
        return fold(n.Cond(n.Op1("is_none", value, ty.BOOL, span=span), nothing, one, one.type, span=span))
    known = value if inner is None else require(env, value, inner, span)
    is_line = isinstance(known.type, n.ElemT) and isinstance(known.type.domain, Family)
    as_set = conversions.single(known) if is_line else conversions.as_set(known)
    if as_set is None:
        env.report.fail("E0301", span, wanted="a value that a set can hold", got=ty.describe(known.type))
    return as_set


def _item(env: Env, ctx: Ctx, e: ast.Expr, want: n.ValueT | None) -> n.Expr:
    """Returns an item of a set; an optional one stays optional."""
    value = lower(env, ctx, e) if want is None or e.has_own_type else None
    if value is not None and (want is None or isinstance(value.type, n.OptT)):
        return value
    return lower(env, ctx, e, want)


def _common_element(
    env: Env, e: ast.SetDisplay, items: Sequence[ast.Expr], values: Sequence[n.Expr | None]
) -> n.ValueT | None:
    """Returns the type of the items: numbers become elements of the range that they span; others must agree."""
    common: n.ValueT | None = None
    for item, value in zip(items, values, strict=True):
        if value is None:
            continue
        t = value.type.inner if isinstance(value.type, n.OptT) else value.type
        joined = t if common is None else ty.join_types(common, t)
        if joined is None or isinstance(joined, n.SetT):
            wanted = "a value that a set can hold" if common is None else ty.describe(common)
            env.report.fail("E0301", item.span, wanted=wanted, got=ty.describe(value.type))
        common = joined
    if isinstance(common, n.IntT):
        if common.high - common.low >= ty.MOST_RANGE:
            env.report.fail("E0343", e.span, most=ty.MOST_RANGE)
        return n.ElemT(ty.range_domain(common.low, common.high))
    return n.ElemT(ty.BOOL_DOMAIN) if common == ty.BOOL else common


def _tuple_display(env: Env, ctx: Ctx, e: ast.SetDisplay, want: n.ValueT | None) -> n.Expr:
    domain = want.domain if isinstance(want, n.SetT) and want.domain.components else _tuples_of(env, ctx, e)
    total: n.Expr = n.Const(0, n.SetT(domain), span=e.span)
    for item in e.items:
        one = require(env, lower(env, ctx, item, n.ElemT(domain)), n.ElemT(domain), item.span)
        total = fold(n.Op2("union", total, conversions.single(one), n.SetT(domain), span=e.span))
    return total


def _tuples_of(env: Env, ctx: Ctx, e: ast.SetDisplay) -> Domain:
    """Returns the type of the tuples of a set: numbers become elements of the range that they span; others must agree."""
    rows: list[tuple[ast.Expr, ...]] = []
    for item in e.items:
        if not isinstance(item, ast.TupleDisplay) or (rows and len(item.items) != len(rows[0])):
            env.report.fail("E0315", item.span, first=e.items[0].span.text, other=item.span.text)
        rows.append(item.items)
    factors = []
    for parts in zip(*rows, strict=True):
        values = [None if is_ambiguous(env, ctx, x) else lower(env, ctx, x) for x in parts]
        common = _common_element(env, e, parts, values)
        if not isinstance(common, n.ElemT):
            env.report.fail("E0301", parts[0].span, wanted="a part of a tuple", got="several things")
        factors.append(common.domain)
    if prod(f.size for f in factors) > MOST_TUPLES:
        env.report.fail("E0343", e.span, most=MOST_TUPLES)
    return ty.tuple_domain(*factors)


def lower_tuple(env: Env, ctx: Ctx, e: ast.TupleDisplay, want: n.ValueT | None) -> n.Expr:
    """Lowers a tuple; reports one where the expected type is not a tuple."""
    domain = _tuple_type(want)
    if domain is None:
        env.report.fail("E0308", e.span)
    if len(e.items) != len(domain.components):
        env.report.fail("E0316", e.span, count=len(domain.components), domain=domain.name)
    hints = [n.ElemT(d) for d, _ in domain.components]
    items = tuple(lower(env, ctx, x, h) for x, h in zip(e.items, hints, strict=True))
    return tuple_element(env, items, domain, e.span)


def _tuple_type(want: n.ValueT | None) -> Domain | None:
    inner = want.inner if isinstance(want, n.OptT) else want
    return inner.domain if isinstance(inner, n.ElemT | n.SetT) and inner.domain.components else None


def tuple_element(env: Env, items: tuple[n.Expr, ...], domain: Domain, span: Span) -> n.Expr:
    """Returns the element of a domain of tuples with these components: a value, or an optional if not all tuples
    exist.
    """
    keys = tuple(require(env, x, n.ElemT(d), span) for x, (d, _) in zip(items, domain.components, strict=True))
    table = _tuple_table(domain)
    return fold(n.Lookup(table, keys, span=span))


@lru_cache(maxsize=8)
def _tuple_table(domain: Domain) -> n.TableData:
    """Returns the table of elements by components, the last varying fastest; of optionals if some combinations are
    missing.
    """
    factors = tuple(d for d, _ in domain.components)
    place = {key: i for i, key in enumerate(zip(*(values for _, values in domain.components), strict=True))}
    found = [place.get(key) for key in product(*(range(f.size) for f in factors))]
    if None in found:
        optional = tuple(0 if i is None else i + 1 for i in found)
        return n.TableData(f"tuple of {domain.name}", factors, n.OptT(n.ElemT(domain)), optional)
    return n.TableData(f"tuple of {domain.name}", factors, n.ElemT(domain), tuple(i for i in found if i is not None))
