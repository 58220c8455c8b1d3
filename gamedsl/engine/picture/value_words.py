"""Values of the Core as a person reads them."""

from __future__ import annotations

from collections.abc import Mapping

from gamedsl.language.boards import Domain, Family, elements
from gamedsl.language.core import nodes as n


def said(type: n.ValueT, value: int) -> str:
    """A value in words: ``yes``, ``12``, ``b3``, ``none``, ``a1, a2``."""
    match type:
        case n.BoolT():
            return "yes" if value else "no"
        case n.IntT():
            return str(value)
        case n.ElemT(domain):
            return domain.words[value]
        case n.OptT(inner):
            return "none" if not value else said(inner, inside(inner, value))
        case n.SetT(domain):
            return ", ".join(domain.set_words(value)) or "none"


def listed(type: n.ValueT, value: int) -> tuple[str, ...]:
    """A value in words, with one string for each member of a set."""
    if isinstance(type, n.SetT):
        return type.domain.set_words(value) or ("none",)
    return (said(type, value),)


def inside(inner: n.ValueT, value: int) -> int:
    """The value in an optional that is not none."""
    return value - 1 + (inner.low if isinstance(inner, n.IntT) else 0)


def filled(template: tuple[str | n.Local, ...], locals: Mapping[int, int]) -> str:
    """A text with the values of its locals filled in."""
    return "".join(p if isinstance(p, str) else said(p.type, locals[p.id]) for p in template)


def members_of(type: n.ValueT, value: int) -> tuple[Domain, tuple[int, ...]] | None:
    """The domain and the elements that a value names: the element itself, those of a set, or those of a family's
    member. None for a value that names no elements."""
    match type:
        case n.ElemT(Family() as family):
            return family.base, tuple(elements(family.members[value]))
        case n.ElemT(domain):
            return domain, (value,)
        case n.OptT(inner):
            return members_of(inner, inside(inner, value)) if value else None
        case n.SetT(domain):
            return domain, tuple(elements(value))
        case _:
            return None
