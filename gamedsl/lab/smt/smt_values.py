"""Values for z3 and operations on them: truth values, numbers, one-hot elements, sets with their sizes.

Python's True, False and numbers are constants, which keeps formulas small.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import z3

from gamedsl.language.core import limits
from gamedsl.language.core import nodes as n

Value: TypeAlias = Any  # bool | z3.BoolRef | int | z3.ArithRef | list of bools


class Unsupported(Exception):
    """A construct has no encoding, or the formula would be too large."""


class Members(list[Any]):
    """A set with a lazily computed size, so that sizes can be derived from sizes."""

    def __init__(self, members: list[Value], size: Callable[[], Value]) -> None:
        super().__init__(members)
        self._size = size
        self._known: Value = None

    @property
    def size(self) -> Value:
        if self._known is None:
            self._known = self._size()
        return self._known


def known_count(x: list[Value]) -> Value:
    """Returns a set's size if it is stored or constant; else None."""
    if isinstance(x, Members):
        return x.size
    return sum(x) if all(isinstance(b, bool) for b in x) else None


def has_count(x: list[Value]) -> bool:
    return isinstance(x, Members) or all(isinstance(b, bool) for b in x)


def not_(a: Value) -> Value:
    return not a if isinstance(a, bool) else z3.BoolRef(z3.Z3_mk_not(a.ctx.ref(), a.ast), a.ctx)


def and_(parts: list[Value]) -> Value:
    left = [p for p in parts if p is not True]
    if any(p is False for p in left):
        return False
    return True if not left else left[0] if len(left) == 1 else _joined(z3.Z3_mk_and, left)


def or_(parts: list[Value]) -> Value:
    left = [p for p in parts if p is not False]
    if any(p is True for p in left):
        return True
    return False if not left else left[0] if len(left) == 1 else _joined(z3.Z3_mk_or, left)


def _joined(make: Callable[..., Any], parts: list[Value]) -> Value:
    """Like ``z3.And`` and ``z3.Or``, without checking the sort of every part, which dominates their cost."""
    ctx = parts[0].ctx
    asts = (z3.Ast * len(parts))(*(p.as_ast() for p in parts))
    return z3.BoolRef(make(ctx.ref(), len(parts), asts), ctx)


def same(a: Value, b: Value) -> Value:
    """Returns the condition that two values of one type are equal."""
    if isinstance(a, list):
        return and_([same(x, y) for x, y in zip(a, b, strict=True)])
    if isinstance(a, bool) and isinstance(b, bool):
        return a == b
    if isinstance(a, bool) or isinstance(b, bool):
        fixed, other = (a, b) if isinstance(a, bool) else (b, a)
        return other if fixed else not_(other)
    return a == b


def choose(condition: Value, a: Value, b: Value) -> Value:
    """Returns the value ``a`` if the condition holds, else ``b``."""
    if isinstance(condition, bool):
        return a if condition else b
    if a is b:
        return a
    if isinstance(a, list):
        found = [choose(condition, x, y) for x, y in zip(a, b, strict=True)]
        if isinstance(a, Members) or isinstance(b, Members):
            if has_count(a) and has_count(b):
                return Members(found, lambda: choose(condition, known_count(a), known_count(b)))
        return found
    if isinstance(a, bool) and isinstance(b, bool):
        return a if a == b else condition if a else not_(condition)
    if isinstance(a, bool) or isinstance(b, bool):
        return or_([and_([condition, a]), and_([not_(condition), b])])
    if isinstance(a, int) and isinstance(b, int) and a == b:
        return a
    return _either(condition, a, b)


def _either(condition: Value, a: Value, b: Value) -> Value:
    """Like ``z3.If`` on operands of equal sort."""
    ctx = condition.ctx
    a, b = (z3.IntVal(x, ctx) if isinstance(x, int) else x for x in (a, b))
    made = z3.Z3_mk_ite(ctx.ref(), condition.ast, a.ast, b.ast)
    return z3.BoolRef(made, ctx) if isinstance(a, z3.BoolRef) else z3.ArithRef(made, ctx)


def equal(t: object, a: Value, b: Value) -> Value:
    """Like ``same``, but reuses the Bool that already represents whether an element is a certain one."""
    if isinstance(t, n.ElemT | n.OptT):
        for fixed, other in ((a, b), (b, a)):
            if all(isinstance(x, bool) for x in fixed) and True in fixed:
                return other[fixed.index(True)]
    return same(a, b)


def number(t: object, code: int) -> Value:
    """Returns a constant of a type."""
    match t:
        case n.BoolT():
            return bool(code)
        case n.SetT(domain):
            return [bool(code >> i & 1) for i in range(domain.size)]
        case n.ElemT(domain):
            return [i == code for i in range(domain.size)]
        case n.OptT(inner):
            low, high = limits(inner)
            return [i == code for i in range(high - low + 2)]
        case _:
            return code


def anything(t: n.VarT, name: str, given: list[Value]) -> Value:
    """Returns an arbitrary value of a type; appends its constraints to ``given``. Raises ``Unsupported`` for stored
    types.
    """
    match t:
        case n.BoolT():
            return z3.Bool(name)
        case n.IntT(low, high):
            found = z3.Int(name)
            given.extend((found >= low, found <= high))
            return found
        case n.SetT(domain):
            return [z3.Bool(f"{name} {i}") for i in range(domain.size)]
        case n.ElemT() | n.OptT():
            low, high = limits(t)
            found = [z3.Bool(f"{name} {i}") for i in range(high - low + 1)]
            given.append(z3.PbEq([(b, 1) for b in found], 1))
            return found
        case _:
            raise Unsupported("stacks, histories and drawings")
