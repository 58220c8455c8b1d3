"""Dataclasses that are cheap to create at start-up.

``dataclass`` compiles up to six methods per class; for the four hundred classes that read and check a ruleset, that costs
more than reading one. Here ``__init__`` is compiled when the first object of the class is made, what ``fields`` and
``match`` ask for is computed when they first ask, and all other methods are shared functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field, fields
from inspect import Signature, get_annotations, signature
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar, dataclass_transform

T = TypeVar("T")


class _Part(NamedTuple):
    """A field of a class, as ``__init__``, equality and ``match`` use it."""

    name: str
    default: Any  # MISSING: none
    factory: Any  # makes the default; MISSING: nothing does
    init: bool
    compare: bool
    kw_only: bool


@dataclass_transform(field_specifiers=(field,))
def lazy_dataclass(
    *, frozen: bool = False, eq: bool = True, slots: bool = False, kw_only: bool = False
) -> Callable[[type[T]], type[T]]:
    """Returns a decorator like ``dataclass`` with these options. Annotations are texts (``from __future__ import
    annotations``).
    """
    return _maker(frozen, frozen, eq, slots, kw_only)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(*, slots: bool = False, kw_only: bool = False, weakref_slot: bool = False) -> Callable[[type[T]], type[T]]:
    """Returns the decorator of tree nodes: two nodes of one class are equal when all their fields are, except those with
    ``compare=False``. The type checker enforces that they do not change; at run time nothing does, so that they are
    created quickly. ``weakref_slot``: with slots, they can be referred to weakly.
    """
    return _maker(True, False, True, slots, kw_only, weakref_slot)


def _maker(
    has_hash: bool, frozen: bool, eq: bool, slots: bool, kw_only: bool, weakref_slot: bool = False
) -> Callable[[Any], Any]:
    """Returns a decorator; ``frozen``: of classes whose objects refuse changes."""

    def make(cls: Any) -> Any:
        notes = get_annotations(cls)
        defaults = {name: cls.__dict__.get(name, MISSING) for name in notes}
        own = {name: default for name, default in defaults.items() if not _is_shared(notes[name])}
        made = _slotted(cls, own, weakref_slot) if slots else cls
        if not slots:
            for name, default in own.items():
                _leave_default(made, name, default)
        made.__doc__ = made.__doc__ or made.__name__
        made.__own_parts__ = {name: _part(name, default, kw_only) for name, default in own.items()}
        made.__dataclass_params__ = _PARAMS[frozen]
        made.__dataclass_fields__ = _Later(made, "__dataclass_fields__", lambda it: _all_fields(it, defaults, kw_only))
        setattr(made, "__match_args__", _Later(made, "__match_args__", _match_args))  # noqa: B010  # mypy refuses to assign it
        made.__signature__ = _Later(made, "__signature__", lambda it: _signature(it, frozen))
        methods: dict[str, Any] = {"__init__": _compiling_init(made, frozen), "__repr__": _text}
        if eq:
            made.__compared__ = _Later(made, "__compared__", _compared)
            methods |= {"__eq__": _equal, "__hash__": _hash if has_hash else None}
        if frozen:
            methods |= {"__setattr__": _refuse_change, "__delattr__": _refuse_change}
            methods |= {"__getstate__": _values, "__setstate__": _set_values} if slots else {}
        for name, method in methods.items():
            if cls.__dict__.get(name) is None:
                setattr(made, name, method)
        return made

    return make


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


def _part(name: str, default: Any, kw_only: bool) -> _Part:
    if not isinstance(default, Field):
        return _Part(name, default, MISSING, True, True, kw_only)
    by_name = kw_only if default.kw_only is MISSING else default.kw_only
    return _Part(name, default.default, default.default_factory, default.init, default.compare, by_name)


def _parts(cls: Any) -> list[_Part]:
    """Returns the fields of a class, those that it inherits first."""
    classes = [base.__dict__.get("__own_parts__", {}) for base in reversed(cls.__mro__)]
    return list({name: part for own in classes for name, part in own.items()}.values())


def _slotted(cls: Any, own: dict[str, Any], weakref_slot: bool) -> Any:
    """Returns the class with slots for its fields; their defaults are known to ``__init__`` alone."""
    inherited = {slot for base in cls.__mro__[1:-1] for slot in base.__dict__.get("__slots__", ())}
    space = {name: value for name, value in cls.__dict__.items() if name not in {*own, "__dict__", "__weakref__"}}
    space["__slots__"] = (*(name for name in own if name not in inherited), *["__weakref__"] * weakref_slot)
    made = type(cls)(cls.__name__, cls.__bases__, space)
    made.__qualname__ = cls.__qualname__
    return made


def _leave_default(cls: Any, name: str, default: Any) -> None:
    """Leaves the default of a field as an attribute of its class, as ``dataclass`` does."""
    if not isinstance(default, Field):
        return
    if default.default is MISSING:
        delattr(cls, name)
    else:
        setattr(cls, name, default.default)


def _all_fields(cls: Any, defaults: dict[str, Any], kw_only: bool) -> dict[str, Field[Any]]:
    """Returns the fields that a class inherits, and its own as ``dataclass`` finds them."""
    space = {name: default for name, default in defaults.items() if default is not MISSING}
    space |= {"__annotations__": get_annotations(cls), "__module__": cls.__module__, "__doc__": cls.__doc__}
    make = dataclass(init=False, eq=False, repr=False, match_args=False, kw_only=kw_only)
    found: Any = make(type(cls.__name__, (), space))
    inherited = [getattr(base, "__dataclass_fields__", {}) for base in reversed(cls.__mro__[1:])]
    return {name: one for some in [*inherited, found.__dataclass_fields__] for name, one in some.items()}


def _compared(cls: Any) -> Any:
    names = [part.name for part in _parts(cls) if part.compare]
    return attrgetter(*names) if names else staticmethod(_nothing)


def _match_args(cls: Any) -> tuple[str, ...]:
    return tuple(part.name for part in _parts(cls) if part.init and not part.kw_only)


def _params(frozen: bool) -> Any:
    made: Any = dataclass(init=False, eq=False, repr=False, frozen=frozen)(type("Example", (), {}))
    return made.__dataclass_params__


_PARAMS = {frozen: _params(frozen) for frozen in (False, True)}  # what ``dataclass`` asks of the bases of a class


def _signature(cls: Any, frozen: bool) -> Signature:
    """Returns what ``help`` shows, as long as no object of the class exists."""
    init = signature(_compiled_init(cls, frozen))
    return init.replace(parameters=list(init.parameters.values())[1:])


def _compiling_init(cls: Any, frozen: bool) -> Callable[..., None]:
    """Returns an ``__init__`` that replaces itself with a compiled one when it is first called."""

    def init(self: Any, *values: Any, **named: Any) -> None:
        compiled = _compiled_init(cls, frozen)
        if cls.__init__ is init:
            cls.__init__ = compiled
        compiled(self, *values, **named)

    return init


def _compiled_init(cls: Any, frozen: bool) -> Callable[..., None]:
    parts = _parts(cls)
    space = {_kept(part): part.default for part in parts if part.default is not MISSING}
    space |= {_kept(part): part.factory for part in parts if part.factory is not MISSING}
    kept_by_class = {part.name for part in parts if getattr(cls, part.name, MISSING) is part.default}
    put = ' __put(self, "{}", {})' if frozen else " self.{} = {}"
    given = [part for part in parts if part.init or (_kept(part) in space and part.name not in kept_by_class)]
    lines = [put.format(part.name, _value_of(part)) for part in given]
    lines += [" self.__post_init__()"] * hasattr(cls, "__post_init__")
    parameters = ", ".join(["self", *_parameters([part for part in parts if part.init])])
    space |= {"__absent": MISSING, "__put": object.__setattr__}
    exec(f"def __init__({parameters}):\n" + ("\n".join(lines) or " pass"), space)
    return space["__init__"]  # type: ignore[no-any-return]


def _parameters(given: list[_Part]) -> Iterator[str]:
    """Yields the parameters of the compiled ``__init__``; keyword-only ones come last, after ``*``."""
    for part in given:
        if not part.kw_only:
            yield part.name + _default_of(part)
    named = [part.name + _default_of(part) for part in given if part.kw_only]
    yield from (["*", *named] if named else [])


def _default_of(part: _Part) -> str:
    if part.factory is not MISSING:
        return "=__absent"
    return "" if part.default is MISSING else f"={_kept(part)}"


def _value_of(part: _Part) -> str:
    if part.factory is MISSING:
        return part.name if part.init else _kept(part)
    return f"{_kept(part)}() if {part.name} is __absent else {part.name}" if part.init else f"{_kept(part)}()"


def _kept(part: _Part) -> str:
    """Returns the name by which ``__init__`` knows the default of a field, or what makes it."""
    return f"{part.name}__default"


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


def _refuse_change(self: Any, name: str, *_: object) -> None:
    raise FrozenInstanceError(f"{name!r} of {self.__class__.__qualname__} cannot change")


def _values(self: Any) -> list[Any]:
    return [getattr(self, f.name) for f in fields(self)]


def _set_values(self: Any, values: list[Any]) -> None:
    for f, value in zip(fields(self), values, strict=True):
        object.__setattr__(self, f.name, value)
