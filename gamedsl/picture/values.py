"""Values of the Core as a person reads them."""

from __future__ import annotations

from collections.abc import Mapping

from gamedsl.boards import Domain, Family, elements
from gamedsl.core.nodes import BoolT, ElemT, IntT, Local, OptT, SetT, ValueT


def said(type: ValueT, value: int) -> str:
    """A value in words: ``yes``, ``12``, ``b3``, ``none``, ``a1, a2``."""
    match type:
        case BoolT():
            return "yes" if value else "no"
        case IntT():
            return str(value)
        case ElemT(domain):
            return domain.words[value]
        case OptT(inner):
            return "none" if not value else said(inner, inside(inner, value))
        case SetT(domain):
            return ", ".join(domain.set_words(value)) or "none"


def listed(type: ValueT, value: int) -> tuple[str, ...]:
    """The same, one text for each member of a set."""
    if isinstance(type, SetT):
        return type.domain.set_words(value) or ("none",)
    return (said(type, value),)


def inside(inner: ValueT, value: int) -> int:
    """The value in an optional that is not none."""
    return value - 1 + (inner.low if isinstance(inner, IntT) else 0)


def filled(template: tuple[str | Local, ...], locals: Mapping[int, int]) -> str:
    """A text with the values of its locals filled in."""
    return "".join(p if isinstance(p, str) else said(p.type, locals[p.id]) for p in template)


def members_of(type: ValueT, value: int) -> tuple[Domain, tuple[int, ...]] | None:
    """The domain and the elements that a value names: itself, those of a set, those of a family's member."""
    match type:
        case ElemT(Family() as family):
            return family.base, tuple(elements(family.members[value]))
        case ElemT(domain):
            return domain, (value,)
        case OptT(inner):
            return members_of(inner, inside(inner, value)) if value else None
        case SetT(domain):
            return domain, tuple(elements(value))
        case _:
            return None
