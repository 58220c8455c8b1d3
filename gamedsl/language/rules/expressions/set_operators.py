"""Operators of sets: membership, relations, union, intersection and difference."""

from __future__ import annotations

from dataclasses import replace

from gamedsl.language.boards import Domain, Family
from gamedsl.language.core import fold
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import conversions
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.lowering import as_set, convert, lower, lower_any, lower_open
from gamedsl.language.rules.expressions.operands import lower_plain, unify
from gamedsl.language.rules.expressions.primitives import is_ambiguous
from gamedsl.language.rules.expressions.set_displays import tuple_element
from gamedsl.language.rules.expressions.stacks import Stack, item_at, level_of, stack_of
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast


def lower_membership(env: Env, ctx: Ctx, e: ast.Binary) -> n.Expr:
    value = lower_any(env, ctx, e.right, None)
    stack = stack_of(env, value, e.right.span)
    if stack is not None:
        return _lies_in(env, ctx, e, stack)
    return _is_member(env, ctx, e, as_set(env, value, e.right.span))


def _is_member(env: Env, ctx: Ctx, e: ast.Binary, members: n.Expr) -> n.Expr:
    assert isinstance(members.type, n.SetT)
    domain = members.type.domain
    if isinstance(e.left, ast.TupleDisplay):
        return _tuple_member(env, ctx, e.left, members, e.span)
    element = lower(env, ctx, e.left, n.ElemT(domain) if is_ambiguous(env, ctx, e.left) else None)
    return member(env, element, members, e.span)


def _lies_in(env: Env, ctx: Ctx, e: ast.Binary, stack: Stack) -> n.Expr:
    """Returns the condition that an item of a stack is the element (or contains it)."""
    level, over = level_of(env, stack)
    one = item_at(env, stack, "one", level)
    there = n.Load(one.local, span=e.right.span)
    body = _same_number(env, ctx, e, there) or _is_member(env, ctx, e, as_set(env, there, e.right.span))
    return n.Loop("some", level, over, None, one.around(body), ty.BOOL, span=e.span)


def _same_number(env: Env, ctx: Ctx, e: ast.Binary, there: n.Expr) -> n.Expr | None:
    """Returns the condition that two numbers or truth values are equal; None if the stack holds neither."""
    if isinstance(there.type, n.ElemT):
        return None
    asked = lower(env, ctx, e.left)
    pair = unify(env, asked, there)
    if pair is None:
        right = f"a stack whose elements are {ty.describe(there.type)}"
        env.report.fail("E0318", e.span, left=ty.describe(asked.type), right=right)
    return n.Op2("eq", *pair, ty.BOOL, span=e.span)


def _is_part(value: n.Expr, domain: Domain, span: Span) -> n.Expr:
    """Returns the condition that a value can be a part of a tuple: it is not none, and a number is in the range."""
    if isinstance(value.type, n.OptT) and value.type != ty.JUST_NONE:
        some = n.Op1("not", n.Op1("is_none", value, ty.BOOL, span=span), ty.BOOL, span=span)
        inner = _is_part(n.Op1("unwrap", value, value.type.inner, span=span), domain, span)
        return fold(n.Op2("and", some, inner, ty.BOOL, span=span))
    number = conversions.as_number(value)
    return _in_range(number, domain, span) if number is not None and isinstance(domain, ty.RangeDomain) else ty.YES


def _in_range(node: n.Expr, domain: ty.RangeDomain, span: Span) -> n.Expr:
    assert isinstance(node.type, n.IntT)
    if node.type.low >= domain.low and node.type.high <= domain.high:
        return ty.YES
    if node.type.high < domain.low or node.type.low > domain.high:
        return ty.NO
    above = n.Op2("le", ty.number(domain.low, span), node, ty.BOOL, span=span)
    below = n.Op2("le", node, ty.number(domain.high, span), ty.BOOL, span=span)
    return n.Op2("and", above, below, ty.BOOL, span=span)


def _tuple_member(env: Env, ctx: Ctx, e: ast.TupleDisplay, members: n.Expr, span: Span) -> n.Expr:
    """Lowers ``(a, b) in members``. A tuple that contains none or a number outside its range is in no set."""
    assert isinstance(members.type, n.SetT)
    domain = members.type.domain
    if not domain.components:
        env.report.fail("E0317", span, domain=domain.name)
    if len(domain.components) != len(e.items):
        env.report.fail("E0316", e.span, count=len(domain.components), domain=domain.name)
    items: list[n.Expr] = []
    fits: n.Expr = ty.YES
    for x, (d, _) in zip(e.items, domain.components, strict=True):
        value = lower(env, ctx, x, n.ElemT(d) if is_ambiguous(env, ctx, x) or isinstance(x, ast.TupleDisplay) else None)
        fits = fold(n.Op2("and", fits, _is_part(value, d, x.span), ty.BOOL, span=x.span))
        items.append(value)
    if fits == ty.NO:
        return ty.NO
    element = tuple_element(env, tuple(items), domain, e.span)
    return fold(n.Op2("and", fits, member(env, element, members, span), ty.BOOL, span=span))


def member(env: Env, element: n.Expr, members: n.Expr, span: Span) -> n.Expr:
    """Returns the condition ``element in members``. None, and a number outside the domain, are in no set."""
    assert isinstance(members.type, n.SetT)
    domain = members.type.domain
    if members.type == ty.EMPTY_SET:
        return ty.NO
    if isinstance(element.type, n.OptT) and element.type != ty.JUST_NONE:
        some = n.Op1("not", n.Op1("is_none", element, ty.BOOL, span=span), ty.BOOL, span=span)
        inner = member(env, n.Op1("unwrap", element, element.type.inner, span=span), members, span)
        return n.Op2("and", some, inner, ty.BOOL, span=span)
    number = conversions.as_number(element)
    if number is not None and isinstance(domain, ty.RangeDomain) and isinstance(number.type, n.IntT):
        inside = _in_range(number, domain, span)
        if inside == ty.NO:
            return ty.NO
        value = conversions.coerce(number, n.ElemT(domain))
        assert value is not None
        one = n.Op2("in", value, members, ty.BOOL, span=span)
        return one if inside == ty.YES else n.Op2("and", inside, one, ty.BOOL, span=span)
    value = conversions.coerce(element, n.ElemT(domain))
    if value is None:
        env.report.fail("E0318", span, left=ty.describe(element.type), right=ty.describe(members.type))
    return n.Op2("in", value, members, ty.BOOL, span=span)


def _both_sets(env: Env, ctx: Ctx, e: ast.Binary) -> tuple[n.Expr, n.Expr]:
    a = lower_open(env, ctx, e.left)
    b = lower_plain(env, ctx, e.right, a.type)
    never = conversions.first_never(a, b)
    if never is not None:
        return never, never
    sa, sb = conversions.as_set(a), conversions.as_set(b)
    if sa is None or sb is None:
        bad, side = (a, e.left) if sa is None else (b, e.right)
        env.report.fail("E0301", side.span, wanted="a set", got=ty.describe(bad.type))
    assert isinstance(sa.type, n.SetT) and isinstance(sb.type, n.SetT)
    if sa.type == ty.EMPTY_SET:
        sa = n.Const(0, sb.type, span=e.left.span)
    if sb.type == ty.EMPTY_SET:
        sb = n.Const(0, sa.type, span=e.right.span)
    if sa.type != sb.type:
        joined = _join_families(fold(sa), fold(sb)) or _join_ranges(env, sa, sb)
        if joined is None:
            env.report.fail("E0319", e.span, op=e.op, left=ty.describe(a.type), right=ty.describe(b.type))
        return joined
    return fold(sa), fold(sb)


def _join_ranges(env: Env, a: n.Expr, b: n.Expr) -> tuple[n.Expr, n.Expr] | None:
    match a.type, b.type:
        case n.SetT(ty.RangeDomain() as x), n.SetT(ty.RangeDomain() as y):
            both = n.SetT(ty.range_domain(min(x.low, y.low), max(x.high, y.high)))
            ca, cb = convert(env, a, both), convert(env, b, both)
            return (ca, cb) if ca is not None and cb is not None else None
    return None


def _join_families(a: n.Expr, b: n.Expr) -> tuple[n.Expr, n.Expr] | None:
    """Returns two constant sets of lines (blocks ...) over the same domain as subsets of one joined family; None for
    other values.
    """
    match a, b:
        case n.Const(x, n.SetT(Family() as f)), n.Const(y, n.SetT(Family() as g)) if ty.same_domain(f.base, g.base):
            names: dict[int, tuple[str, str]] = {}
            for family in (f, g):
                for name, words, bits in zip(family.names, family.words, family.members, strict=True):
                    names.setdefault(bits, (name, words))
            members, own = tuple(names), tuple(_unique(name for name, _ in names.values()))
            spoken = tuple(words for _, words in names.values())
            joined = Family(f"{f.name} | {g.name}", own, base=f.base, members=members, spoken=spoken)
            place = {bits: i for i, bits in enumerate(members)}

            def moved(value: int, family: Family) -> int:
                return sum(1 << place[m] for i, m in enumerate(family.members) if value >> i & 1)

            return n.Const(moved(x, f), n.SetT(joined), span=a.span), n.Const(moved(y, g), n.SetT(joined), span=b.span)
    return None


def _unique(names: object) -> list[str]:
    seen: dict[str, int] = {}
    result = []
    for name in names:  # type: ignore[attr-defined]
        seen[name] = seen.get(name, 0) + 1
        result.append(name if seen[name] == 1 else f"{name}'{seen[name]}")
    return result


def lower_set_relation(env: Env, ctx: Ctx, e: ast.Binary) -> n.Expr:
    a, b = _both_sets(env, ctx, e)
    never = conversions.first_never(a)
    if never is not None:
        return replace(never, type=ty.BOOL)
    if e.op == "meets":
        return n.Op1("not", n.Op2("disjoint", a, b, ty.BOOL, span=e.span), ty.BOOL, span=e.span)
    return n.Op2("within" if e.op == "within" else "disjoint", a, b, ty.BOOL, span=e.span)


def lower_set_operation(env: Env, ctx: Ctx, e: ast.Binary) -> n.Expr:
    a, b = _both_sets(env, ctx, e)
    if conversions.is_never(a):
        return a
    match e.op:
        case "|":
            return n.Op2("union", a, b, a.type, span=e.span)
        case "&":
            return n.Op2("meet", a, b, a.type, span=e.span)
        case _:
            return n.Op2("minus", a, b, a.type, span=e.span)
