"""The parts of a Core node, found by the types of its fields, so that a new class of nodes needs no case here.

The operands are in the order of the fields, which is the order of evaluation.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache
from operator import attrgetter
from typing import Any, TypeAlias

ONE, OPTIONAL, SEVERAL, INSIDE = "Expr", "Expr | None", "tuple[Expr, ...]", "tuple[MoveBranch, ...]"
STATEMENTS = "tuple[CoreStmt, ...]"
Parts: TypeAlias = tuple[Any, ...]
Fields: TypeAlias = tuple[tuple[str, str], ...]


class _ByClass(dict[type, Callable[..., Any]]):
    """Functions on nodes by class, each created when it is first needed."""

    def __init__(self, make: Callable[[type], Callable[..., Any]]) -> None:
        self.make = make

    def __missing__(self, cls: type) -> Callable[..., Any]:
        self[cls] = self.make(cls)
        return self[cls]


def operand_fields(cls: Any) -> Fields:
    """Returns the fields of a class that contain operands, with their types."""
    declared = ((f.name, _written(f.type)) for f in fields(cls))
    return tuple((name, t) for name, t in declared if t in (ONE, OPTIONAL, SEVERAL, INSIDE))


def _written(t: object) -> str:
    """Returns a type as annotations in ``nodes`` write it: ``n.Expr`` becomes ``Expr``."""
    return re.sub(r"\b\w+\.(?=[A-Z])", "", str(t))


_READ = {
    ONE: "e.{0},",
    OPTIONAL: "*(() if e.{0} is None else (e.{0},)),",
    SEVERAL: "*e.{0},",
    INSIDE: "*[part.body for part in e.{0}],",
}


def _getter(cls: type) -> Callable[[Any], Parts]:
    """Returns a function written for the class: it is called for every node of a check several times."""
    found = operand_fields(cls)
    if [t for _, t in found] == [SEVERAL]:
        return attrgetter(found[0][0])
    return _written_getter("".join(_READ[t].format(name) for name, t in found))


@cache
def _written_getter(read: str) -> Callable[[Any], Parts]:
    return eval(f"lambda e: ({read})")  # type: ignore[no-any-return]  # names of fields of our own classes


def _rebuilder(cls: type) -> Callable[[Any, Parts], Any]:
    found = operand_fields(cls)
    names, types = [name for name, _ in found], {t for _, t in found}
    if types == {ONE}:
        return lambda e, new: replace(e, **dict(zip(names, new, strict=True)))
    return (lambda e, new: _rebuilt(e, new, found)) if names else lambda e, _: e


def _rebuilt(e: Any, new: Parts, found: Fields) -> Any:
    values: dict[str, Any] = {}
    rest = iter(new)
    for name, t in found:
        old = getattr(e, name)
        if t == SEVERAL:
            values[name] = tuple(next(rest) for _ in old)
        elif t == INSIDE:
            values[name] = tuple(replace(part, body=next(rest)) for part in old)
        elif old is not None:
            values[name] = next(rest)
    return replace(e, **values)


@cache
def statement_fields(cls: Any) -> tuple[str, ...]:
    """Returns the fields of a class that contain statements."""
    return tuple(f.name for f in fields(cls) if _written(f.type) == STATEMENTS)


def _statement_getter(cls: type) -> Callable[[Any], Parts]:
    names = statement_fields(cls)
    if len(names) == 1:
        return attrgetter(names[0])
    return (lambda s: tuple(x for name in names for x in getattr(s, name))) if names else lambda _: ()


_OPERANDS, _REBUILDERS, _STATEMENTS = _ByClass(_getter), _ByClass(_rebuilder), _ByClass(_statement_getter)


def operands(node: Any) -> Parts:
    """Returns the expressions directly inside a node, in evaluation order."""
    return _OPERANDS[node.__class__](node)  # type: ignore[no-any-return]


def with_operands(node: Any, new: Parts) -> Any:
    """Returns the node with new expressions, in the order of ``operands``."""
    return _REBUILDERS[node.__class__](node, new)


def inner_statements(node: Any) -> Parts:
    """Returns the statements directly inside a node."""
    return _STATEMENTS[node.__class__](node)  # type: ignore[no-any-return]
