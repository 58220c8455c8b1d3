"""The decorator of tree nodes: a frozen dataclass to the type checker, and cheap to create at start-up.

``dataclass(frozen=True)`` compiles six methods per class; for two hundred node types that costs more than reading a
ruleset. Here only ``__init__`` is compiled, when the first node of the class is made; equality, hash and repr are
shared functions. The type checker enforces immutability; nothing does at run time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(*, slots: bool = False, kw_only: bool = False) -> Callable[[type[T]], type[T]]:
    """Returns a decorator like ``dataclass(frozen=True, slots=slots, kw_only=kw_only)``: two nodes of one class are
    equal when all their fields are, except those with ``compare=False``.
    """

    def make(cls: type[T]) -> type[T]:
        assert not hasattr(cls, "__post_init__"), "a node holds what it is given"
        cls.__doc__ = cls.__doc__ or cls.__name__  # otherwise ``dataclass`` slowly derives one from the signature
        made: Any = dataclass(init=False, eq=False, repr=False, slots=slots, kw_only=kw_only)(cls)
        names = tuple(f.name for f in fields(made) if f.compare)
        made.__compared__ = staticmethod(attrgetter(*names) if names else _nothing)
        made.__init__ = _compiling_init(made)
        made.__eq__, made.__hash__, made.__repr__ = _equal, _hash, _text
        return made  # type: ignore[no-any-return]

    return make


def _compiling_init(cls: Any) -> Callable[..., None]:
    """Returns an ``__init__`` that replaces itself with a compiled one when it is first called."""

    def init(self: Any, *values: Any, **named: Any) -> None:
        compiled = _compiled_init(fields(cls))
        if cls.__init__ is init:
            cls.__init__ = compiled
        compiled(self, *values, **named)

    return init


def _compiled_init(all_fields: tuple[Field[Any], ...]) -> Callable[..., None]:
    values = {f"_{f.name}": f.default for f in all_fields if f.default is not MISSING}
    makers = {f"_{f.name}": f.default_factory for f in all_fields if f.default_factory is not MISSING}
    given = [f for f in all_fields if f.init]
    parameters = ", ".join(["self", *_parameters(given)])
    lines = [f" self.{f.name} = {_value_of(f)}" for f in all_fields if f.init or f"_{f.name}" in values | makers]
    space: dict[str, Any] = {**values, **makers, "_absent": MISSING}
    exec(f"def __init__({parameters}):\n" + ("\n".join(lines) or " pass"), space)
    return space["__init__"]  # type: ignore[no-any-return]


def _parameters(given: list[Field[Any]]) -> Iterator[str]:
    """Yields the parameters of the compiled ``__init__``; keyword-only ones come last, after ``*``."""
    for f in given:
        if not f.kw_only:
            yield f.name + _default_of(f)
    named = [f.name + _default_of(f) for f in given if f.kw_only]
    yield from (["*", *named] if named else [])


def _default_of(f: Field[Any]) -> str:
    if f.default_factory is not MISSING:
        return "=_absent"
    return "" if f.default is MISSING else f"=_{f.name}"


def _value_of(f: Field[Any]) -> str:
    if f.default_factory is MISSING:
        return f.name if f.init else f"_{f.name}"
    return f"_{f.name}() if {f.name} is _absent else {f.name}" if f.init else f"_{f.name}()"


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
