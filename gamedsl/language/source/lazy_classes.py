"""Dataclasses that are cheap to create at start-up.

``dataclass`` compiles up to six methods per class; for the four hundred classes that read and check a ruleset, that costs
more than reading one. Here ``__init__`` is compiled when the first object of the class is made, what ``fields`` and
``match`` ask for is computed when they first ask, and equality, hash and repr are shared functions. The type checker
enforces immutability; nothing does at run time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, dataclass, field, fields
from inspect import get_annotations
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")
ABSENT = object()


@dataclass_transform(field_specifiers=(field,))
def lazy_dataclass(
    *, frozen: bool = False, eq: bool = True, slots: bool = False, kw_only: bool = False
) -> Callable[[type[T]], type[T]]:
    """Returns a decorator like ``dataclass`` with these options, except that ``frozen`` is for the type checker alone.
    Annotations are texts (``from __future__ import annotations``).
    """

    def make(cls: Any) -> Any:
        notes = get_annotations(cls)
        own = {name: cls.__dict__.get(name, ABSENT) for name in notes}
        held = [name for name in own if not _is_shared(notes[name])]
        made = _slotted(cls, held) if slots else cls
        if not slots:
            for name in held:
                _leave_default(made, name, own[name])
        made.__doc__ = made.__doc__ or made.__name__
        made.__dataclass_params__ = _EXAMPLE.__dataclass_params__
        for name, find in _LATER.items():
            setattr(made, name, _Later(made, name, find))
        made.__dataclass_fields__ = _Later(made, "__dataclass_fields__", lambda it: _all_fields(it, own, kw_only))
        given: dict[str, Any] = {"__init__": _compiling_init(made), "__repr__": _text}
        if eq:
            given |= {"__eq__": _equal, "__hash__": _hash if frozen else None}
        for name, method in given.items():
            if cls.__dict__.get(name) is None:
                setattr(made, name, method)
        return made

    return make


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(*, slots: bool = False, kw_only: bool = False) -> Callable[[type[T]], type[T]]:
    """Returns the decorator of tree nodes: two nodes of one class are equal when all their fields are, except those with
    ``compare=False``.
    """
    return lazy_dataclass(frozen=True, slots=slots, kw_only=kw_only)


class _Later:
    """An attribute of a class, found when it is first asked for."""

    def __init__(self, cls: Any, name: str, find: Callable[[Any], Any]) -> None:
        self.cls, self.name, self.find = cls, name, find

    def __get__(self, _instance: object, _asked: object) -> Any:
        found = self.find(self.cls)
        setattr(self.cls, self.name, found)
        return found


def _is_shared(annotation: str) -> bool:
    """Returns whether an attribute belongs to the class."""
    return annotation.startswith(("ClassVar", "typing.ClassVar"))


def _slotted(cls: Any, names: list[str]) -> Any:
    """Returns the class with slots for its fields; their defaults are known to ``__init__`` alone."""
    inherited = {slot for base in cls.__mro__[1:-1] for slot in base.__dict__.get("__slots__", ())}
    space = {name: value for name, value in cls.__dict__.items() if name not in {*names, "__dict__", "__weakref__"}}
    space["__slots__"] = tuple(name for name in names if name not in inherited)
    made = type(cls)(cls.__name__, cls.__bases__, space)
    made.__qualname__ = cls.__qualname__
    return made


def _leave_default(cls: Any, name: str, value: Any) -> None:
    """Leaves the default of a field as an attribute of its class, as ``dataclass`` does."""
    if not isinstance(value, Field):
        return
    if value.default is MISSING:
        delattr(cls, name)
    else:
        setattr(cls, name, value.default)


def _all_fields(cls: Any, own: dict[str, Any], kw_only: bool) -> dict[str, Field[Any]]:
    """Returns the fields that a class inherits, and its own as ``dataclass`` finds them in ``own``: defaults by name."""
    space = {name: value for name, value in own.items() if value is not ABSENT}
    space |= {"__annotations__": {name: cls.__annotations__[name] for name in own}}
    space |= {"__module__": cls.__module__, "__doc__": cls.__doc__}
    found: Any = dataclass(init=False, eq=False, repr=False, match_args=False, kw_only=kw_only)(
        type(cls.__name__, (), space)
    )
    inherited = [getattr(base, "__dataclass_fields__", {}) for base in reversed(cls.__mro__[1:])]
    return {name: one for some in [*inherited, found.__dataclass_fields__] for name, one in some.items()}


def _compared(cls: Any) -> Any:
    names = [f.name for f in fields(cls) if f.compare]
    return attrgetter(*names) if names else staticmethod(_nothing)


def _match_args(cls: Any) -> tuple[str, ...]:
    return tuple(f.name for f in fields(cls) if f.init and not f.kw_only)


_LATER: dict[str, Callable[[Any], Any]] = {"__compared__": _compared, "__match_args__": _match_args}


@dataclass(init=False, eq=False, repr=False)
class _Example:
    pass


_EXAMPLE: Any = _Example


def _compiling_init(cls: Any) -> Callable[..., None]:
    """Returns an ``__init__`` that replaces itself with a compiled one when it is first called."""

    def init(self: Any, *values: Any, **named: Any) -> None:
        compiled = _compiled_init(fields(cls), hasattr(cls, "__post_init__"))
        if cls.__init__ is init:
            cls.__init__ = compiled
        compiled(self, *values, **named)

    return init


def _compiled_init(all_fields: tuple[Field[Any], ...], has_more: bool) -> Callable[..., None]:
    """Returns the ``__init__`` of a class with these fields; with ``has_more``, ``__post_init__`` follows."""
    values = {f"_{f.name}": f.default for f in all_fields if f.default is not MISSING}
    makers = {f"_{f.name}": f.default_factory for f in all_fields if f.default_factory is not MISSING}
    given = [f for f in all_fields if f.init]
    parameters = ", ".join(["self", *_parameters(given)])
    lines = [f" self.{f.name} = {_value_of(f)}" for f in all_fields if f.init or f"_{f.name}" in values | makers]
    lines += [" self.__post_init__()"] * has_more
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
