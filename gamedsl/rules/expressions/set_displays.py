"""Set displays ``{a, b}`` and sets of tuples → sets of the Core."""

from __future__ import annotations

from functools import lru_cache
from itertools import product

from gamedsl.boards import domains
from gamedsl.boards.domains import Domain, Family
from gamedsl.core.fold import fold
from gamedsl.core.nodes import (
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
from gamedsl.rules import types as ty
from gamedsl.rules.expressions.lowering import lower, require
from gamedsl.rules.expressions.primitives import is_ambiguous
from gamedsl.rules.scope import Ctx, Env
from gamedsl.source.text import Span
from gamedsl.syntax import ast

MOST_TUPLES = 100_000


def lower_display(env: Env, ctx: Ctx, e: ast.SetDisplay, want: ValueT | None) -> Expr:
    if not e.items:
        return Const(0, ty.EMPTY_SET, span=e.span)
    if isinstance(e.items[0], ast.TupleDisplay):
        return _tuple_display(env, ctx, e, want)
    inner: ValueT | None = ElemT(want.domain) if isinstance(want, SetT) else None
    values = [None if is_ambiguous(env, ctx, i) else lower(env, ctx, i, inner) for i in e.items]
    if inner is None:
        inner = _common_element(env, e, values)
    total: Expr | None = None
    for item, known in zip(e.items, values, strict=True):
        value = (
            lower(env, ctx, item, inner)
            if known is None
            else known
            if inner is None
            else require(env, known, inner, item.span)
        )
        as_set = (
            ty.as_set(value)
            if not isinstance(value.type, ElemT) or not isinstance(value.type.domain, Family)
            else single(value)
        )
        if as_set is None:
            env.report.fail("E0301", item.span, wanted="a value that a set can hold", got=ty.describe(value.type))
        total = as_set if total is None else fold(Op2("union", total, as_set, as_set.type, span=e.span))
    assert total is not None
    return total


def single(value: Expr) -> Expr:
    assert isinstance(value.type, ElemT)
    if isinstance(value, Const):
        return Const(1 << value.value, SetT(value.type.domain), span=value.span)
    return Op1("single", value, SetT(value.type.domain), span=value.span)


def _common_element(env: Env, e: ast.SetDisplay, values: list[Expr | None]) -> ValueT | None:
    """The type of the items: numbers become elements of the range they span, the rest must agree."""
    common: ValueT | None = None
    for item, value in zip(e.items, values, strict=True):
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
    rows: list[list[Expr]] = []
    for item in e.items:
        if not isinstance(item, ast.TupleDisplay) or (rows and len(item.items) != len(rows[0])):
            env.report.fail("E0315", item.span)
        if isinstance(want, SetT) and want.domain.components:
            wants = [ElemT(d) for d, _ in want.domain.components]
            rows.append([lower(env, ctx, x, w) for x, w in zip(item.items, wants, strict=False)])
        else:
            rows.append([lower(env, ctx, x) for x in item.items])
    factors = []
    for row in zip(*rows, strict=True):
        first = row[0].type
        if not isinstance(first, ElemT) or any(x.type != first for x in row):
            env.report.fail("E0315", e.span)
        factors.append(first.domain)
    size = 1
    for f in factors:
        size *= f.size
    if size > MOST_TUPLES:
        env.report.fail("E0343", e.span, most=MOST_TUPLES)
    domain = domains.product(" x ".join(f.name for f in factors), *factors)
    total: Expr = Const(0, SetT(domain), span=e.span)
    for row_values in rows:
        one = tuple_element(env, tuple(row_values), domain, e.span)
        total = fold(Op2("union", total, single(one), SetT(domain), span=e.span))
    return total


def tuple_element(env: Env, items: tuple[Expr, ...], domain: Domain, span: Span) -> Expr:
    """The element of a domain of tuples with these components: a value, or an optional where not all tuples exist."""
    if len(items) != len(domain.components):
        env.report.fail("E0316", span, count=len(domain.components), domain=domain.name)
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
