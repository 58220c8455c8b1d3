"""Conversions of expressions between types."""

from __future__ import annotations

from dataclasses import replace

from gamedsl.boards import Domain, Family
from gamedsl.core.nodes import (
    BoolT,
    Cond,
    Const,
    Convert,
    ElemT,
    Expr,
    Fail,
    IntT,
    Lookup,
    Op1,
    Op2,
    OptT,
    SetT,
    TableData,
    ValueT,
)
from gamedsl.rules.types import (
    BOOL,
    BOOL_DOMAIN,
    EMPTY_SET,
    JUST_NONE,
    MOST_RANGE,
    NEVER,
    RangeDomain,
    range_domain,
    same_domain,
)


def is_never(e: Expr) -> bool:
    """Is it a failure whose type nothing says yet?"""
    return isinstance(e, Fail) and e.type == NEVER


def placed(e: Expr, t: ValueT) -> Expr:
    """The expression; such a failure with the type of its place."""
    return replace(e, type=t) if isinstance(e, Fail) and is_never(e) else e


def first_never(*values: Expr) -> Fail | None:
    """The first of these that is such a failure."""
    return next((e for e in values if isinstance(e, Fail) and is_never(e)), None)


def as_number(e: Expr) -> Expr | None:
    """The expression as a number, if it is one (elements of number ranges are numbers too)."""
    match e.type:
        case IntT():
            return e
        case ElemT(RangeDomain() as d):
            if isinstance(e, Const):
                return Const(e.value + d.low, IntT(e.value + d.low, e.value + d.low), span=e.span)
            plain = Convert(e, IntT(0, d.size - 1), span=e.span)
            low = Const(d.low, IntT(d.low, d.low), span=e.span)
            return Op2("add", plain, low, IntT(d.low, d.high), span=e.span) if d.low else plain
        case OptT(IntT() | ElemT(RangeDomain()) as inner):
            return as_number(Op1("unwrap", e, inner, span=e.span))
    return None


def as_set(e: Expr) -> Expr | None:
    """The expression as a set: sets, elements of families, single elements."""
    match e.type:
        case SetT():
            return e
        case ElemT(Family() as family):
            if isinstance(e, Const):
                return Const(family.members[e.value], SetT(family.base), span=e.span)
            return Lookup(
                TableData(f"cells of {family.name}", (family,), SetT(family.base), family.members), (e,), span=e.span
            )
        case ElemT():
            return single(e)
        case OptT(ElemT() as inner):
            return as_set(Op1("unwrap", e, inner, span=e.span))
        case IntT(low, high) if high - low < MOST_RANGE:
            as_elem = coerce(e, ElemT(range_domain(low, high)))
            return None if as_elem is None else as_set(as_elem)
    return None


def plain(e: Expr, want: ValueT) -> Expr:
    """The expression, or its value if it is an optional one of this type."""
    return Op1("unwrap", e, want, span=e.span) if e.type == OptT(want) else e  # type: ignore[arg-type]


def single(e: Expr) -> Expr:
    """The set of one element."""
    assert isinstance(e.type, ElemT)
    if isinstance(e, Const):
        return Const(1 << e.value, SetT(e.type.domain), span=e.span)
    return Op1("single", e, SetT(e.type.domain), span=e.span)


def clip(value: Expr, want: IntT) -> Expr:
    """The number converted to the range, checked at run time unless it always fits."""
    t = value.type
    assert isinstance(t, IntT)
    if want.low <= t.low and t.high <= want.high:
        return value
    return Convert(value, want, span=value.span)


def coerce(e: Expr, want: ValueT) -> Expr | None:
    """``e`` converted to type ``want``; None if impossible. Never changes the meaning: what may fail is checked at run
    time (a number out of range, none where a value is needed)."""
    t = e.type
    if t == want:
        return e
    if is_never(e):
        return placed(e, want)
    match want:
        case SetT(domain):
            return _to_set(e, domain)
        case OptT(inner):
            return _to_optional(e, inner)
        case IntT():
            number = as_number(e)
            if number is None or not isinstance(number.type, IntT):
                return None
            if number.type.high < want.low or number.type.low > want.high:
                return None
            return clip(number, want)
        case ElemT(RangeDomain() as d):
            number = as_number(e)
            if number is None or not isinstance(number.type, IntT):
                return None
            if number.type.high < d.low or number.type.low > d.high:
                return None
            return _to_index(number, d)
        case ElemT() | BoolT():
            return _to_element(e, want)


def _to_element(e: Expr, want: ElemT | BoolT) -> Expr | None:
    """One of a domain; yes and no are elements of theirs where a key or a member is asked for, and the other way."""
    match e.type, want:
        case OptT(ElemT() | BoolT() as inner), _:
            return _to_element(Op1("unwrap", e, inner, span=e.span), want)
        case (BoolT(), BoolT()):
            return e
        case (ElemT(own), ElemT(domain)) if same_domain(domain, own):
            return e
        case (BoolT(), ElemT(domain)) | (ElemT(domain), BoolT()) if same_domain(domain, BOOL_DOMAIN):
            return Const(e.value, want, span=e.span) if isinstance(e, Const) else Convert(e, want, span=e.span)
    return None


def _to_set(e: Expr, domain: Domain) -> Expr | None:
    if e.type == EMPTY_SET:
        return Const(0, SetT(domain), span=e.span)
    if isinstance(domain, Family) and isinstance(e.type, ElemT) and same_domain(e.type.domain, domain):
        return single(e)  # among others of its family, not the set that it stands for
    if isinstance(domain, RangeDomain):
        match e.type:
            case SetT(RangeDomain() as own) if (
                own.low >= domain.low and own.high <= domain.high and isinstance(e, Const)
            ):
                return Const(e.value << (own.low - domain.low), SetT(domain), span=e.span)
            case SetT(RangeDomain() as own) if (
                own.low >= domain.low and own.high <= domain.high and isinstance(e, Cond | Op2)
            ):
                return _widened(e, domain)
            case IntT() | ElemT(RangeDomain()):
                element = coerce(e, ElemT(domain))
                return None if element is None else as_set(element)
    if e.type == BOOL and same_domain(domain, BOOL_DOMAIN):
        e = _to_element(e, ElemT(domain)) or e
    as_one = as_set(e)
    if as_one is None or not isinstance(as_one.type, SetT) or not same_domain(as_one.type.domain, domain):
        return None
    return as_one


def _widened(e: Cond | Op2, domain: Domain) -> Expr | None:
    """A choice or a union, meet or difference of sets of numbers as one of sets over a wider range."""
    parts = (e.then, e.otherwise) if isinstance(e, Cond) else (e.left, e.right)
    a, b = (_to_set(part, domain) for part in parts)
    if a is None or b is None:
        return None
    if isinstance(e, Cond):
        return Cond(e.condition, a, b, SetT(domain), span=e.span)
    return Op2(e.op, a, b, SetT(domain), span=e.span)


def _to_optional(e: Expr, inner: ElemT | IntT | BoolT) -> Expr | None:
    if e.type == JUST_NONE:
        return Const(0, OptT(inner), span=e.span)
    if isinstance(e.type, OptT):
        return e if e.type.inner == inner else _to_other_optional(e, e.type.inner, inner)
    value = coerce(e, inner)
    if value is None:
        return None
    if isinstance(value, Const):
        low = inner.low if isinstance(inner, IntT) else 0
        return Const(value.value - low + 1, OptT(inner), span=e.span)
    return Op1("wrap", value, OptT(inner), span=e.span)


def _to_other_optional(e: Expr, have: ElemT | IntT | BoolT, inner: ElemT | IntT | BoolT) -> Expr | None:
    """Converts an optional: none stays none, a value is converted to the other type."""
    some = _to_optional(Op1("unwrap", e, have, span=e.span), inner)
    if some is None:
        return None
    nothing = Const(0, OptT(inner), span=e.span)
    return Cond(Op1("is_none", e, BOOL, span=e.span), nothing, some, OptT(inner), span=e.span)


def _to_index(number: Expr, domain: RangeDomain) -> Expr:
    t = number.type
    assert isinstance(t, IntT)
    if isinstance(number, Const) and domain.low <= number.value <= domain.high:
        return Const(number.value - domain.low, ElemT(domain), span=number.span)
    if domain.low:
        low = Const(domain.low, IntT(domain.low, domain.low), span=number.span)
        number = Op2("sub", number, low, IntT(t.low - domain.low, t.high - domain.low), span=number.span)
    return Convert(number, ElemT(domain), span=number.span)
