"""Core values to and from the plain values that examples use: yes and no, numbers, names, lists of names."""

from __future__ import annotations

from typing import Any

from gamedsl.language.boards import Domain, bits_of, elements
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import RangeDomain, describe


class Misfit(ValueError):
    """A plain value does not belong to a type; the message says why."""


def value_text(t: n.ValueT, value: int) -> Any:
    """Returns the plain value: bool, int, an element's name, None for none, a list for a set (in domain order)."""
    match t:
        case n.BoolT():
            return bool(value)
        case n.IntT():
            return value
        case n.ElemT(domain):
            return _element(domain, value)
        case n.OptT(inner):
            low = inner.low if isinstance(inner, n.IntT) else 0
            return None if value == 0 else value_text(inner, value - 1 + low)
        case n.SetT(domain):
            return [_element(domain, i) for i in elements(value)]


def _element(domain: Domain, index: int) -> str | int:
    return index + domain.low if isinstance(domain, RangeDomain) else domain.names[index]


def encoded(t: n.ValueT, plain: Any) -> int:
    """Returns the Core value of a plain value. Raises ``Misfit`` if it does not belong to the type."""
    match t:
        case n.BoolT() if isinstance(plain, bool):
            return int(plain)
        case n.IntT(low, high) if isinstance(plain, int) and not isinstance(plain, bool):
            if low <= plain <= high:
                return plain
            raise Misfit(f"{plain} is outside {low} to {high}")
        case n.ElemT(domain) if isinstance(plain, str | int) and not isinstance(plain, bool):
            return _index(domain, plain)
        case n.OptT():
            return (
                0
                if plain is None
                else encoded(t.inner, plain) - (t.inner.low if isinstance(t.inner, n.IntT) else 0) + 1
            )
        case n.SetT(domain) if isinstance(plain, list):
            return bits_of(_index(domain, x) for x in plain)
    raise Misfit(f"{plain!r} is not {describe(t)}")


def _index(domain: Domain, plain: Any) -> int:
    if isinstance(domain, RangeDomain) and isinstance(plain, int) and domain.low <= plain <= domain.high:
        return plain - domain.low
    if str(plain) in domain.names:
        return domain.names.index(str(plain))
    raise Misfit(f"{plain!r} is not one of {domain.name}")


def same_value(found: Any, wanted: Any) -> bool:
    """Returns whether two plain values are equal. Lists are compared as sets: their order does not matter."""
    if isinstance(found, list) and isinstance(wanted, list):
        return sorted(map(str, found)) == sorted(map(str, wanted)) and len(found) == len(wanted)
    return type(found) is type(wanted) and bool(found == wanted)
