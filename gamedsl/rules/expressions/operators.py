"""Operators and ``if`` → expressions of the Core, with the types that each operator accepts."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from gamedsl.boards import Domain, Family
from gamedsl.core import fold
from gamedsl.core.nodes import (
    Cond,
    Const,
    ElemT,
    Expr,
    IntT,
    Op1,
    Op2,
    OptT,
    SetT,
    ValueT,
)
from gamedsl.rules import types as ty
from gamedsl.rules.expressions.lowering import (
    as_plain,
    constant,
    convert,
    lower,
    lower_any,
    lower_bool,
    lower_number,
    lower_set,
)
from gamedsl.rules.expressions.primitives import is_ambiguous, turn_offset
from gamedsl.rules.expressions.set_displays import tuple_element
from gamedsl.rules.scope import Ctx, Env
from gamedsl.source import Span
from gamedsl.syntax import ast, node_text


def lower_unary(env: Env, ctx: Ctx, e: ast.Unary) -> Expr:
    if e.op == "not":
        return Op1("not", lower_bool(env, ctx, e.operand), ty.BOOL, span=e.span)
    value = lower_number(env, ctx, e.operand)
    assert isinstance(value.type, IntT)
    return Op1("neg", value, IntT(-value.type.high, -value.type.low), span=e.span)


def lower_pair(env: Env, ctx: Ctx, left: ast.Expr, right: ast.Expr) -> tuple[Expr, Expr]:
    """Both sides of a comparison; each may resolve an ambiguous name on the other."""
    if is_ambiguous(env, ctx, left) or isinstance(left, ast.TupleDisplay):
        b = lower(env, ctx, right)
        return lower(env, ctx, left, _element_hint(b.type)), b
    a = lower(env, ctx, left)
    if is_ambiguous(env, ctx, right) or isinstance(right, ast.TupleDisplay):
        return a, lower(env, ctx, right, _element_hint(a.type))
    return a, lower_plain(env, ctx, right, a.type)


def lower_plain(env: Env, ctx: Ctx, e: ast.Expr, hint: ValueT) -> Expr:
    """The expression, with a hint for what empty or ambiguous parts of it mean; not coerced."""
    return fold(
        as_plain(env, lower_any(env, ctx, e, hint if isinstance(e, ast.SetDisplay) and _fits(hint) else None), e.span)
    )


def _fits(hint: ValueT) -> bool:
    return isinstance(hint, SetT) and not isinstance(hint.domain, ty.RangeDomain)


def _element_hint(t: ValueT) -> ValueT | None:
    match t:
        case OptT(inner):
            return inner
        case SetT(domain):
            return ElemT(domain)
    return t


COMPARISONS = {"=": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "lt", ">=": "le"}
ARITHMETIC = {"+": "add", "*": "mul", "div": "div", "mod": "mod"}


def lower_binary(env: Env, ctx: Ctx, e: ast.Binary) -> Expr:
    sides = (e.left, e.right)
    ctx = replace(
        ctx, comparing=e.op in COMPARISONS and any(isinstance(x, ast.Ref) and x.name == "turn" for x in sides)
    )
    match e.op:
        case "and" | "or":
            a, b = lower_bool(env, ctx, e.left), lower_bool(env, ctx, e.right)
            return Op2(e.op, a, b, ty.BOOL, span=e.span)
        case "=" | "!=":
            return _equal(env, ctx, e)
        case "<" | "<=" | ">" | ">=":
            return _ordered(env, ctx, e)
        case "in" | "not in":
            inside = _membership(env, ctx, e)
            return Op1("not", inside, ty.BOOL, span=e.span) if e.op == "not in" else inside
        case "within" | "disjoint" | "meets":
            return _set_relation(env, ctx, e)
        case "|" | "&":
            return _set_operation(env, ctx, e)
        case "-":
            left = lower(env, ctx, e.left)
            if ty.as_number(left) is not None:
                return _arithmetic(env, e, "sub", left, lower_number(env, ctx, e.right))
            return _set_operation(env, ctx, e)
        case "mod" if turn_offset(e.left) is not None:
            return _arithmetic(env, e, "mod", _shifted_turn(env, ctx, e.left), lower(env, ctx, e.right))
        case "+" | "*" | "div" | "mod":
            return _arithmetic(env, e, ARITHMETIC[e.op], lower(env, ctx, e.left), lower(env, ctx, e.right))
        case _:
            assert_never(e.op)


def _shifted_turn(env: Env, ctx: Ctx, e: ast.Expr) -> Expr:
    """The left side of ``turn mod 3`` or ``(turn + 1) mod 3``: the counter goes round in a multiple of 3, so that the rest
    is right for every turn."""
    counted = replace(ctx, comparing=True)
    if not isinstance(e, ast.Binary):
        return lower(env, counted, e)
    op = "add" if e.op == "+" else "sub"
    offset = constant(env, ctx, e.right, "what is added to `turn`")
    return _arithmetic(env, e, op, lower(env, counted, e.left), ty.number(offset, e.right.span))


def _equal(env: Env, ctx: Ctx, e: ast.Binary) -> Expr:
    a, b = lower_pair(env, ctx, e.left, e.right)
    op = "eq" if e.op == "=" else "ne"
    pair = unify(env, a, b)
    if pair is None:
        env.report.fail("E0305", e.span, left=ty.describe(a.type), right=ty.describe(b.type))
    return Op2(op, pair[0], pair[1], ty.BOOL, span=e.span)  # type: ignore[arg-type]


def unify(env: Env, a: Expr, b: Expr) -> tuple[Expr, Expr] | None:
    """Both values converted to a common type, for comparison."""
    na, nb = ty.as_number(a), ty.as_number(b)
    if na is not None and nb is not None and not isinstance(a.type, OptT) and not isinstance(b.type, OptT):
        return na, nb
    joined = ty.join_types(a.type, b.type)
    if joined is None:
        return None
    ca, cb = convert(env, a, joined), convert(env, b, joined)
    return (ca, cb) if ca is not None and cb is not None else None


def _ordered(env: Env, ctx: Ctx, e: ast.Binary) -> Expr:
    a, b = lower_number(env, ctx, e.left), lower_number(env, ctx, e.right)
    if e.op in (">", ">="):
        a, b = b, a
    return Op2(COMPARISONS[e.op], a, b, ty.BOOL, span=e.span)  # type: ignore[arg-type]


def _membership(env: Env, ctx: Ctx, e: ast.Binary) -> Expr:
    members = lower_set(env, ctx, e.right)
    assert isinstance(members.type, SetT)
    domain = members.type.domain
    if isinstance(e.left, ast.TupleDisplay):
        return _tuple_member(env, ctx, e.left, members, e.span)
    element = lower(env, ctx, e.left, ElemT(domain) if is_ambiguous(env, ctx, e.left) else None)
    return member(env, element, members, e.span)


def _is_part(value: Expr, domain: Domain, span: Span) -> Expr:
    """Whether a value can be a part of a tuple: it is not none, and a number is in its range."""
    if isinstance(value.type, OptT) and value.type != ty.JUST_NONE:
        some = Op1("not", Op1("is_none", value, ty.BOOL, span=span), ty.BOOL, span=span)
        inner = _is_part(Op1("unwrap", value, value.type.inner, span=span), domain, span)
        return fold(Op2("and", some, inner, ty.BOOL, span=span))
    n = ty.as_number(value)
    return _in_range(n, domain, span) if n is not None and isinstance(domain, ty.RangeDomain) else ty.YES


def _in_range(n: Expr, domain: ty.RangeDomain, span: Span) -> Expr:
    assert isinstance(n.type, IntT)
    if n.type.low >= domain.low and n.type.high <= domain.high:
        return ty.YES
    if n.type.high < domain.low or n.type.low > domain.high:
        return ty.NO
    above = Op2("le", ty.number(domain.low, span), n, ty.BOOL, span=span)
    below = Op2("le", n, ty.number(domain.high, span), ty.BOOL, span=span)
    return Op2("and", above, below, ty.BOOL, span=span)


def _tuple_member(env: Env, ctx: Ctx, e: ast.TupleDisplay, members: Expr, span: Span) -> Expr:
    """(a, b) in members. A tuple with a number outside its range is in no set, nor is one with none."""
    assert isinstance(members.type, SetT)
    domain = members.type.domain
    if not domain.components:
        env.report.fail("E0317", span, domain=domain.name)
    if len(domain.components) != len(e.items):
        env.report.fail("E0316", e.span, count=len(domain.components), domain=domain.name)
    items: list[Expr] = []
    fits: Expr = ty.YES
    for x, (d, _) in zip(e.items, domain.components, strict=True):
        value = lower(env, ctx, x, ElemT(d) if is_ambiguous(env, ctx, x) or isinstance(x, ast.TupleDisplay) else None)
        fits = fold(Op2("and", fits, _is_part(value, d, x.span), ty.BOOL, span=x.span))
        items.append(value)
    if fits == ty.NO:
        return ty.NO
    element = tuple_element(env, tuple(items), domain, e.span)
    return fold(Op2("and", fits, member(env, element, members, span), ty.BOOL, span=span))


def member(env: Env, element: Expr, members: Expr, span: Span) -> Expr:
    """element in members; none is in no set; a number outside the domain isn't either."""
    assert isinstance(members.type, SetT)
    domain = members.type.domain
    if members.type == ty.EMPTY_SET:
        return ty.NO
    if isinstance(element.type, OptT) and element.type != ty.JUST_NONE:
        some = Op1("not", Op1("is_none", element, ty.BOOL, span=span), ty.BOOL, span=span)
        inner = member(env, Op1("unwrap", element, element.type.inner, span=span), members, span)
        return Op2("and", some, inner, ty.BOOL, span=span)
    n = ty.as_number(element)
    if n is not None and isinstance(domain, ty.RangeDomain) and isinstance(n.type, IntT):
        inside = _in_range(n, domain, span)
        if inside == ty.NO:
            return ty.NO
        value = ty.coerce(n, ElemT(domain))
        assert value is not None
        one = Op2("in", value, members, ty.BOOL, span=span)
        return one if inside == ty.YES else Op2("and", inside, one, ty.BOOL, span=span)
    value = ty.coerce(element, ElemT(domain))
    if value is None:
        env.report.fail("E0318", span, left=ty.describe(element.type), right=ty.describe(members.type))
    return Op2("in", value, members, ty.BOOL, span=span)


def _both_sets(env: Env, ctx: Ctx, e: ast.Binary) -> tuple[Expr, Expr]:
    a = lower(env, ctx, e.left)
    b = lower_plain(env, ctx, e.right, a.type)
    sa, sb = ty.as_set(a), ty.as_set(b)
    if sa is None or sb is None:
        bad, side = (a, e.left) if sa is None else (b, e.right)
        env.report.fail("E0301", side.span, wanted="a set", got=ty.describe(bad.type))
    assert isinstance(sa.type, SetT) and isinstance(sb.type, SetT)
    if sa.type == ty.EMPTY_SET:
        sa = Const(0, sb.type, span=e.left.span)
    if sb.type == ty.EMPTY_SET:
        sb = Const(0, sa.type, span=e.right.span)
    if sa.type != sb.type:
        joined = _join_families(fold(sa), fold(sb)) or _join_ranges(env, sa, sb)
        if joined is None:
            env.report.fail("E0319", e.span, op=e.op, left=ty.describe(a.type), right=ty.describe(b.type))
        return joined
    return fold(sa), fold(sb)


def _join_ranges(env: Env, a: Expr, b: Expr) -> tuple[Expr, Expr] | None:
    match a.type, b.type:
        case SetT(ty.RangeDomain() as x), SetT(ty.RangeDomain() as y):
            both = SetT(ty.range_domain(min(x.low, y.low), max(x.high, y.high)))
            ca, cb = convert(env, a, both), convert(env, b, both)
            return (ca, cb) if ca is not None and cb is not None else None
    return None


def _join_families(a: Expr, b: Expr) -> tuple[Expr, Expr] | None:
    """Two constant collections of lines (blocks ...) over the same domain, as subsets of one joined family."""
    match a, b:
        case Const(x, SetT(Family() as f)), Const(y, SetT(Family() as g)) if ty.same_domain(f.base, g.base):
            names: dict[int, str] = {}
            for family in (f, g):
                for name, bits in zip(family.names, family.members, strict=True):
                    names.setdefault(bits, name)
            members = tuple(names)
            joined = Family(f"{f.name} | {g.name}", tuple(_unique(names.values())), base=f.base, members=members)
            place = {bits: i for i, bits in enumerate(members)}

            def moved(value: int, family: Family) -> int:
                return sum(1 << place[m] for i, m in enumerate(family.members) if value >> i & 1)

            return Const(moved(x, f), SetT(joined), span=a.span), Const(moved(y, g), SetT(joined), span=b.span)
    return None


def _unique(names: object) -> list[str]:
    seen: dict[str, int] = {}
    result = []
    for name in names:  # type: ignore[attr-defined]
        seen[name] = seen.get(name, 0) + 1
        result.append(name if seen[name] == 1 else f"{name}'{seen[name]}")
    return result


def _set_relation(env: Env, ctx: Ctx, e: ast.Binary) -> Expr:
    a, b = _both_sets(env, ctx, e)
    if e.op == "meets":
        return Op1("not", Op2("disjoint", a, b, ty.BOOL, span=e.span), ty.BOOL, span=e.span)
    return Op2("within" if e.op == "within" else "disjoint", a, b, ty.BOOL, span=e.span)


def _set_operation(env: Env, ctx: Ctx, e: ast.Binary) -> Expr:
    a, b = _both_sets(env, ctx, e)
    match e.op:
        case "|":
            return Op2("union", a, b, a.type, span=e.span)
        case "&":
            return Op2("meet", a, b, a.type, span=e.span)
        case _:
            return Op2("minus", a, b, a.type, span=e.span)


def _arithmetic(env: Env, e: ast.Binary, op: str, left: Expr, right: Expr) -> Expr:
    a, b = ty.as_number(left), ty.as_number(right)
    if a is None or b is None:
        bad, side = (left, e.left) if a is None else (right, e.right)
        env.report.fail("E0301", side.span, wanted="a number", got=ty.describe(bad.type))
    return arithmetic(env, op, a, b, e.span)


def arithmetic(env: Env, op: str, a: Expr, b: Expr, span: Span) -> Expr:
    assert isinstance(a.type, IntT) and isinstance(b.type, IntT)
    (al, ah), (bl, bh) = (a.type.low, a.type.high), (b.type.low, b.type.high)
    match op:
        case "add":
            low, high = al + bl, ah + bh
        case "sub":
            low, high = al - bh, ah - bl
        case "mul":
            corners = (al * bl, al * bh, ah * bl, ah * bh)
            low, high = min(corners), max(corners)
        case _:
            if bl <= 0 <= bh and bl == bh:
                env.report.fail("E0321", span)
            if bl <= 0:
                env.report.fail("E0322", span, low=bl, high=bh)
            if op == "div":
                low, high = min(al // bl, al // bh), max(ah // bl, ah // bh)
            else:
                low, high = 0, min(bh - 1, ah) if al >= 0 else bh - 1
    if max(abs(low), abs(high)) > ty.MOST_NUMBER:
        env.report.fail("E0323", span, most=ty.MOST_NUMBER)
    return Op2(op, a, b, IntT(low, high), span=span)  # type: ignore[arg-type]


def lower_is_none(env: Env, ctx: Ctx, operand: ast.Expr, negated: bool, span: Span) -> Expr:
    value = lower(env, ctx, operand)
    if not isinstance(value.type, OptT):
        env.report.fail("E0324", span, what=ty.describe(value.type))
    test: Expr = Op1("is_none", value, ty.BOOL, span=span)
    return Op1("not", test, ty.BOOL, span=span) if negated else test


def lower_if(env: Env, ctx: Ctx, e: ast.IfExpr, want: ValueT | None) -> Expr:
    condition = lower_bool(env, ctx, e.condition)
    then, other = lower(env, ctx, e.then, want), lower(env, ctx, e.otherwise, want)
    if isinstance(condition, Const) and want is None and (then.type != other.type):
        chosen = then if condition.value else other
        families = [x for x in (then, other) if isinstance(x.type, SetT) and isinstance(x.type.domain, Family)]
        if families and (len(families) == 2 or ty.EMPTY_SET in (then.type, other.type)):
            return chosen if chosen.type != ty.EMPTY_SET else Const(0, families[0].type, span=e.span)
    joined = ty.join_types(then.type, other.type)
    a = None if joined is None else convert(env, then, joined)
    b = None if joined is None else convert(env, other, joined)
    if joined is None or a is None or b is None:
        left, right = ty.describe(then.type), ty.describe(other.type)
        a_text, b_text = node_text(e.then), node_text(e.otherwise)
        env.report.fail("E0325", e.span, left=left, right=right, then=a_text, otherwise=b_text)
    return Cond(condition, a, b, joined, span=e.span)
