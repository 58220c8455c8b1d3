"""Conversions of expressions between types."""

from __future__ import annotations

from dataclasses import replace

from gamedsl.language.boards import Domain, Family
from gamedsl.language.core import nodes as n
from gamedsl.language.rules.types import (
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


def is_never(e: n.Expr) -> bool:
    """Returns whether an expression is a failure whose type is still open."""
    return isinstance(e, n.Fail) and e.type == NEVER


def placed(e: n.Expr, t: n.ValueT) -> n.Expr:
    """Returns the expression; if it is a failure with an open type, with this type."""
    return replace(e, type=t) if isinstance(e, n.Fail) and is_never(e) else e


def first_never(*values: n.Expr) -> n.Fail | None:
    """Returns the first failure with an open type; None if there is none."""
    return next((e for e in values if isinstance(e, n.Fail) and is_never(e)), None)


def as_number(e: n.Expr) -> n.Expr | None:
    """Returns the expression as a number; None if it is not one. Elements of number ranges are numbers, and optional
    numbers are unwrapped.
    """
    match e.type:
        case n.IntT():
            return e
        case n.ElemT(RangeDomain() as d):
            if isinstance(e, n.Const):
                return n.Const(e.value + d.low, n.IntT(e.value + d.low, e.value + d.low), span=e.span)
            plain = n.Convert(e, n.IntT(0, d.size - 1), span=e.span)
            low = n.Const(d.low, n.IntT(d.low, d.low), span=e.span)
            return n.Op2("add", plain, low, n.IntT(d.low, d.high), span=e.span) if d.low else plain
        case n.OptT(n.IntT() | n.ElemT(RangeDomain()) as inner):
            return as_number(n.Op1("unwrap", e, inner, span=e.span))
    return None


def as_set(e: n.Expr) -> n.Expr | None:
    """Returns the expression as a set, if it is a set, an element of a family, a single element or an optional one;
    otherwise None.
    """
    match e.type:
        case n.SetT():
            return e
        case n.ElemT(Family() as family):
            if isinstance(e, n.Const):
                return n.Const(family.members[e.value], n.SetT(family.base), span=e.span)
            return n.Lookup(
                n.TableData(f"cells of {family.name}", (family,), n.SetT(family.base), family.members),
                (e,),
                span=e.span,
            )
        case n.ElemT():
            return single(e)
        case n.OptT(n.ElemT() as inner):
            return as_set(n.Op1("unwrap", e, inner, span=e.span))
        case n.IntT(low, high) if high - low < MOST_RANGE:
            as_elem = coerce(e, n.ElemT(range_domain(low, high)))
            return None if as_elem is None else as_set(as_elem)
    return None


def plain(e: n.Expr, want: n.ValueT) -> n.Expr:
    """Returns the expression, or its value if it is an optional of this type."""
    return n.Op1("unwrap", e, want, span=e.span) if e.type == n.OptT(want) else e  # type: ignore[arg-type]


def single(e: n.Expr) -> n.Expr:
    """Returns the set of one element."""
    assert isinstance(e.type, n.ElemT)
    if isinstance(e, n.Const):
        return n.Const(1 << e.value, n.SetT(e.type.domain), span=e.span)
    return n.Op1("single", e, n.SetT(e.type.domain), span=e.span)


def clip(value: n.Expr, want: n.IntT) -> n.Expr:
    """Returns the number converted to the range, checked at run time unless it always fits."""
    t = value.type
    assert isinstance(t, n.IntT)
    if want.low <= t.low and t.high <= want.high:
        return value
    return n.Convert(value, want, span=value.span)


def coerce(e: n.Expr, want: n.ValueT) -> n.Expr | None:
    """Converts ``e`` to type ``want``; returns None if that is impossible. Never changes the meaning: values that may
    not fit are checked at run time (a number out of range, none where a value is needed).
    """
    t = e.type
    if t == want:
        return e
    if is_never(e):
        return placed(e, want)
    match want:
        case n.SetT(domain):
            return _to_set(e, domain)
        case n.OptT(inner):
            return _to_optional(e, inner)
        case n.IntT():
            number = as_number(e)
            if number is None or not isinstance(number.type, n.IntT):
                return None
            if number.type.high < want.low or number.type.low > want.high:
                return None
            return clip(number, want)
        case n.ElemT(RangeDomain() as d):
            number = as_number(e)
            if number is None or not isinstance(number.type, n.IntT):
                return None
            if number.type.high < d.low or number.type.low > d.high:
                return None
            return _to_index(number, d)
        case n.ElemT() | n.BoolT():
            return _to_element(e, want)


def _to_element(e: n.Expr, want: n.ElemT | n.BoolT) -> n.Expr | None:
    """Converts to an element of a domain or a truth value; yes and no are also the elements of a domain, and convert
    both ways.
    """
    match e.type, want:
        case n.OptT(n.ElemT() | n.BoolT() as inner), _:
            return _to_element(n.Op1("unwrap", e, inner, span=e.span), want)
        case (n.BoolT(), n.BoolT()):
            return e
        case (n.ElemT(own), n.ElemT(domain)) if same_domain(domain, own):
            return e
        case (n.BoolT(), n.ElemT(domain)) | (n.ElemT(domain), n.BoolT()) if same_domain(domain, BOOL_DOMAIN):
            return n.Const(e.value, want, span=e.span) if isinstance(e, n.Const) else n.Convert(e, want, span=e.span)
    return None


def _to_set(e: n.Expr, domain: Domain) -> n.Expr | None:
    if e.type == EMPTY_SET:
        return n.Const(0, n.SetT(domain), span=e.span)
    if isinstance(domain, Family) and isinstance(e.type, n.ElemT) and same_domain(e.type.domain, domain):
        return single(e)  # a member of a set of its family, not the set that it is
    if isinstance(domain, RangeDomain):
        match e.type:
            case n.SetT(RangeDomain() as own) if (
                own.low >= domain.low and own.high <= domain.high and isinstance(e, n.Const)
            ):
                return n.Const(e.value << (own.low - domain.low), n.SetT(domain), span=e.span)
            case n.SetT(RangeDomain() as own) if (
                own.low >= domain.low and own.high <= domain.high and isinstance(e, n.Cond | n.Op2)
            ):
                return _widened(e, domain)
            case n.IntT() | n.ElemT(RangeDomain()):
                element = coerce(e, n.ElemT(domain))
                return None if element is None else as_set(element)
    if e.type == BOOL and same_domain(domain, BOOL_DOMAIN):
        e = _to_element(e, n.ElemT(domain)) or e
    as_one = as_set(e)
    if as_one is None or not isinstance(as_one.type, n.SetT) or not same_domain(as_one.type.domain, domain):
        return None
    return as_one


def _widened(e: n.Cond | n.Op2, domain: Domain) -> n.Expr | None:
    """Converts a choice, or a union, intersection or difference, of sets of numbers to sets over a wider range."""
    parts = (e.then, e.otherwise) if isinstance(e, n.Cond) else (e.left, e.right)
    a, b = (_to_set(part, domain) for part in parts)
    if a is None or b is None:
        return None
    if isinstance(e, n.Cond):
        return n.Cond(e.condition, a, b, n.SetT(domain), span=e.span)
    return n.Op2(e.op, a, b, n.SetT(domain), span=e.span)


def _to_optional(e: n.Expr, inner: n.ElemT | n.IntT | n.BoolT) -> n.Expr | None:
    if e.type == JUST_NONE:
        return n.Const(0, n.OptT(inner), span=e.span)
    if isinstance(e.type, n.OptT):
        return e if e.type.inner == inner else _to_other_optional(e, e.type.inner, inner)
    value = coerce(e, inner)
    if value is None:
        return None
    if isinstance(value, n.Const):
        low = inner.low if isinstance(inner, n.IntT) else 0
        return n.Const(value.value - low + 1, n.OptT(inner), span=e.span)
    return n.Op1("wrap", value, n.OptT(inner), span=e.span)


def _to_other_optional(e: n.Expr, have: n.ElemT | n.IntT | n.BoolT, inner: n.ElemT | n.IntT | n.BoolT) -> n.Expr | None:
    """Converts an optional: none stays none, a value is converted to the other type."""
    some = _to_optional(n.Op1("unwrap", e, have, span=e.span), inner)
    if some is None:
        return None
    nothing = n.Const(0, n.OptT(inner), span=e.span)
    return n.Cond(n.Op1("is_none", e, BOOL, span=e.span), nothing, some, n.OptT(inner), span=e.span)


def _to_index(number: n.Expr, domain: RangeDomain) -> n.Expr:
    t = number.type
    assert isinstance(t, n.IntT)
    if isinstance(number, n.Const) and domain.low <= number.value <= domain.high:
        return n.Const(number.value - domain.low, n.ElemT(domain), span=number.span)
    if domain.low:
        low = n.Const(domain.low, n.IntT(domain.low, domain.low), span=number.span)
        number = n.Op2("sub", number, low, n.IntT(t.low - domain.low, t.high - domain.low), span=number.span)
    return n.Convert(number, n.ElemT(domain), span=number.span)
