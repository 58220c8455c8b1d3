"""Pointwise reasoning about sets: how an effect changes a set expression, and what holds for one element.

Membership of an element in a set made by union, meet, minus and complement is a Boolean formula over its membership in
the parts. Formulas over few parts are compared by trying all cases.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import TypeAlias

from gamedsl.compiler import cutoffs
from gamedsl.language.core import fold, map_children
from gamedsl.language.core import nodes as n

Slot: TypeAlias = tuple[int, tuple[int, ...]]  # a variable and its keys
Case: TypeAlias = dict[object, bool]
Formula: TypeAlias = Callable[[Case], bool]


class Unknown(Exception):
    """The expression or statement cannot be followed."""


def slot_of(e: n.Get) -> Slot:
    """The slot that is read. Raises ``Unknown`` if a key is not constant."""
    keys = []
    for k in e.keys:
        if not isinstance(k, n.Const):
            raise Unknown
        keys.append(k.value)
    return e.var.index, tuple(keys)


class Values:
    """The values of slots and names in terms of the initial state, while statements are followed."""

    def __init__(self) -> None:
        self.slots: dict[Slot, n.Expr] = {}
        self.names: dict[int, n.Expr] = {}

    def now(self, e: n.Expr) -> n.Expr:
        """Rewrites an expression over the current state as one over the initial state."""
        if isinstance(e, n.Load):
            return self.names.get(e.local.id, e)
        if isinstance(e, n.Get):
            if all(isinstance(k, n.Const) for k in e.keys):
                return self.slots.get(slot_of(e), e)
            if any(var == e.var.index for var, _ in self.slots):
                raise Unknown
        return map_children(e, self.now)

    def follow(self, s: n.CoreStmt) -> None:
        """Follows a statement. Raises ``Unknown`` for anything but assignments, lets and checks."""
        match s:
            case n.Assign(var=var, keys=keys, value=value):
                self.slots[slot_of(n.Get(var, keys, value.type))] = fold(self.now(value))
            case n.LetS(local=local, value=value):
                self.names[local.id] = self.now(value)
            case n.Check():
                pass
            case _:
                raise Unknown


class At:
    """Formulas for ``x in S``, where x is the value of the name ``local``. ``parts`` are the unknowns."""

    def __init__(self, local: int) -> None:
        self.local = local
        self.parts: list[object] = []

    def part(self, key: object) -> Formula:
        if key not in self.parts:
            if len(self.parts) >= cutoffs.POINTWISE_PARTS:
                raise Unknown
            self.parts.append(key)
        return lambda case: case[key]

    def inside(self, s: n.Expr) -> Formula:
        match s:
            case n.Op2(op="union" | "meet" | "minus" as op, left=a, right=b):
                x, y = self.inside(a), self.inside(b)
                if op == "union":
                    return lambda case: x(case) or y(case)
                if op == "meet":
                    return lambda case: x(case) and y(case)
                return lambda case: x(case) and not y(case)
            case n.Op1(op="complement", operand=a):
                x = self.inside(a)
                return lambda case: not x(case)
            case n.Op1(op="single", operand=n.Load(local=local)) if local.id == self.local:
                return lambda case: True
            case n.Const(value=value, type=n.SetT(domain)) if value in (0, domain.full):
                return lambda case: value != 0
            case _:
                return self.part(s)

    def always(self, wanted: Formula, given: Sequence[Formula] = ()) -> bool:
        """Whether a formula holds in every case in which the given formulas hold."""
        for values in product((False, True), repeat=len(self.parts)):
            case: Mapping[object, bool] = dict(zip(self.parts, values, strict=True))
            known = dict(case)
            if all(g(known) for g in given) and not wanted(known):
                return False
        return True


def same_set(a: n.Expr, b: n.Expr) -> bool:
    """Whether two set expressions are equal for all values of their parts."""
    at = At(-1)
    try:
        x, y = at.inside(a), at.inside(b)
        return at.always(lambda case: x(case) == y(case))
    except Unknown:
        return False
