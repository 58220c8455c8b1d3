"""The decorator of tree nodes: a frozen dataclass to the type checker, and cheap to create at start-up.

``dataclass(frozen=True)`` compiles six methods per class; for two hundred node types that costs more than reading
a ruleset. Here only ``__init__`` is compiled; equality, hash and repr are shared functions. The type checker
enforces immutability; nothing does at run time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(*, slots: bool = False, kw_only: bool = False) -> Callable[[type[T]], type[T]]:
    """Like ``dataclass(frozen=True, slots=slots, kw_only=kw_only)``: two nodes of one class are equal when all their
    fields are, except those with ``compare=False``.
    """

    def make(cls: type[T]) -> type[T]:
        made: Any = dataclass(eq=False, repr=False, slots=slots, kw_only=kw_only)(cls)
        names = tuple(f.name for f in fields(made) if f.compare)
        made.__compared__ = staticmethod(attrgetter(*names) if names else _nothing)
        made.__eq__, made.__hash__, made.__repr__ = _equal, _hash, _text
        return made  # type: ignore[no-any-return]

    return make


def _nothing(_: Any) -> tuple[()]:
    return ()


def _equal(self: Any, other: Any) -> Any:
    if self.__class__ is not other.__class__:
        return NotImplemented
    return self is other or self.__compared__(self) == self.__compared__(other)


def _hash(self: Any) -> int:
    return hash((self.__class__, self.__compared__(self)))


def _text(self: Any) -> str:
    shown = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.repr)
    return f"{self.__class__.__qualname__}({shown})"
