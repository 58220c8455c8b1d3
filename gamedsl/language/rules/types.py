"""Types of the language as types of the Core, and their description in words."""

from __future__ import annotations

from dataclasses import field

from gamedsl.language.boards import Domain, Family, product_domain
from gamedsl.language.core import nodes as n
from gamedsl.language.source import Span, node


@node()
class RangeDomain(Domain):
    """A range of integers: element i is low + i."""

    low: int = 0

    __hash__ = Domain.__hash__

    @property
    def high(self) -> int:
        return self.low + self.size - 1


NOTHING = Domain("nothing", ())
EMPTY_SET = n.SetT(NOTHING)
JUST_NONE = n.OptT(n.ElemT(NOTHING))
NEVER = n.ElemT(NOTHING)  # of a failure with an open type, which takes the type of its context
BOOL = n.BoolT()
BOOL_DOMAIN = Domain("bool", ("no", "yes"))
YES = n.Const(1, BOOL)
NO = n.Const(0, BOOL)
WHAT = {"{": "one of", "(": "a tuple"}  # by the first character of the name of a type
MOST_NUMBER = 10**9
MOST_RANGE = 4096  # the size of ranges that are enumerated


def range_domain(low: int, high: int) -> RangeDomain:
    return RangeDomain(f"{low}..{high}", tuple(str(i) for i in range(low, high + 1)), low=low)


@node()
class TupleDomain(Domain):
    """All tuples with one element of each part. ``labels``: the names of the parts, empty where they have none."""

    labels: tuple[str, ...] = field(default=(), compare=False)


def tuple_domain(*factors: Domain, labels: tuple[str, ...] = ()) -> TupleDomain:
    """Returns the domain of the tuples over some domains; equal domains give the same type."""
    plain = product_domain(f"({', '.join(f.name for f in factors)})", *factors)
    return TupleDomain(plain.name, plain.names, plain.components, labels, spoken=plain.spoken)


def enum_domain(names: tuple[str, ...], spoken: tuple[str, ...] = ()) -> Domain:
    """Returns the domain of an enumeration; the same names give the same type."""
    return Domain("{" + ", ".join(names) + "}", names, spoken=spoken)


def describe(t: n.ValueT) -> str:
    """Describes a type in the words of the language."""
    match t:
        case n.BoolT():
            return "yes or no"
        case n.IntT(low, high):
            return f"a number ({low}..{high})" if low != high else f"the number {low}"
        case n.ElemT(domain) if domain is NOTHING:
            return "nothing"
        case n.ElemT(Family() as family):
            return f"one of {family.name} (a set of {family.base.name})"
        case n.ElemT(domain):
            return f"{WHAT.get(domain.name[:1], 'a')} {domain.name}"
        case n.OptT(inner) if inner == n.ElemT(NOTHING):
            return "none"
        case n.OptT(inner):
            return f"{describe(inner)} or none"
        case n.SetT(domain) if domain is NOTHING:
            return "the empty set"
        case n.SetT(domain):
            return f"a set of {domain.name}"


def domain_of(t: n.ValueT) -> Domain | None:
    """Returns the finite domain of a type of single values; None if it has none."""
    match t:
        case n.ElemT(domain):
            return domain
        case n.IntT(low, high) if high - low < MOST_RANGE:
            return range_domain(low, high)
        case n.BoolT():
            return BOOL_DOMAIN
    return None


def same_domain(a: Domain, b: Domain) -> bool:
    return a is b or a == b


def number(value: int, span: Span) -> n.Const:
    return n.Const(value, n.IntT(value, value), span=span)


def _as_range(t: n.ValueT) -> RangeDomain | n.IntT | None:
    """Returns the range of a number or of a set of numbers; None for other types."""
    if isinstance(t, n.SetT | n.ElemT):
        return t.domain if isinstance(t.domain, RangeDomain) else None
    return t if isinstance(t, n.IntT) else None


def _joined(a: Domain, b: RangeDomain | n.IntT) -> n.SetT | None:
    """Returns the type of sets of the numbers of both ranges; None if it is too large."""
    assert isinstance(a, RangeDomain)
    low, high = min(a.low, b.low), max(a.high, b.high)
    return n.SetT(range_domain(low, high)) if high - low < MOST_RANGE else None


def join_types(a: n.ValueT, b: n.ValueT) -> n.ValueT | None:
    """Returns the type for values of both types, such as the branches of an ``if``; None if there is none."""
    if a == b or b == NEVER:
        return a
    if a == NEVER:
        return b
    match a, b:
        case n.IntT(), n.IntT():
            return n.IntT(min(a.low, b.low), max(a.high, b.high))
        case n.SetT(), _ if b == EMPTY_SET:
            return a
        case _, n.SetT() if a == EMPTY_SET:
            return b
        case n.SetT(RangeDomain()), _ if (b_range := _as_range(b)) is not None:
            return _joined(a.domain, b_range)
        case _, n.SetT(RangeDomain()) if (a_range := _as_range(a)) is not None:
            return _joined(b.domain, a_range)
        case n.SetT(d), n.ElemT(Family(base=base)) if same_domain(d, base):
            return a
        case n.ElemT(Family(base=base)), n.SetT(d) if same_domain(d, base):
            return b
        case n.SetT(d), n.ElemT(o) if same_domain(d, o):
            return a
        case n.ElemT(o), n.SetT(d) if same_domain(d, o):
            return b
        case n.ElemT(Family(base=x)), n.ElemT(Family(base=y)) if same_domain(x, y):
            return n.SetT(x)
    if a == JUST_NONE:
        return b if isinstance(b, n.OptT) else n.OptT(b) if not isinstance(b, n.SetT) else None
    if b == JUST_NONE:
        return join_types(b, a)
    match a, b:
        case n.OptT(p), n.OptT(q):
            inner = join_types(p, q)
            return n.OptT(inner) if inner is not None and not isinstance(inner, n.OptT | n.SetT) else None
        case n.OptT(p), other:
            inner = None if isinstance(other, n.OptT | n.SetT) else join_types(p, other)
            return n.OptT(inner) if inner is not None and not isinstance(inner, n.OptT | n.SetT) else None
        case _, n.OptT():
            return join_types(b, a)
        case n.ElemT(RangeDomain() as d), n.IntT():
            return join_types(n.IntT(d.low, d.high), b)
        case ((n.IntT() | n.ElemT(RangeDomain())), n.ElemT(RangeDomain() as d)):
            return join_types(a, n.IntT(d.low, d.high))
        case (n.BoolT(), n.ElemT(d)) | (n.ElemT(d), n.BoolT()) if same_domain(d, BOOL_DOMAIN):
            return BOOL
    return None
