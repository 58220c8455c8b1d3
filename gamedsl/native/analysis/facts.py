"""Simplifies conditions under facts that are known to hold.

Let a function of sets be one that more elements can only make true. If a call is known to be false, it is also false
for smaller sets: if there is no line within S, there is none within a subset of S.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from gamedsl.core import can_fail
from gamedsl.core.nodes import BoolT, CallF, Cond, Const, Expr, LetE, Loop, Op1, Op2, SetT
from gamedsl.native.analysis.canonical_names import canonical
from gamedsl.native.analysis.monotonicity import Monotonicity


@dataclass(frozen=True)
class Facts:
    """Conditions with their truth values, in canonical form."""

    values: frozenset[tuple[Expr, bool]] = frozenset()

    @staticmethod
    def of(true: Iterable[Expr], false: Iterable[Expr] = ()) -> Facts:
        """Facts from conditions that hold and conditions that do not. Leading negations are removed."""
        found = [*((e, True) for e in true), *((e, False) for e in false)]
        return Facts(frozenset(_plain(e, value) for e, value in found))

    def both(self, other: Facts) -> Facts:
        """The facts common to both."""
        return Facts(self.values & other.values)

    def more(self, other: Facts) -> Facts:
        """The facts of either."""
        return Facts(self.values | other.values)

    def conditions(self) -> list[Expr]:
        """The facts as conditions that hold."""
        ordered = sorted(self.values, key=repr)
        return [e if value else Op1("not", e, BoolT()) for e, value in ordered]


def _plain(e: Expr, value: bool) -> tuple[Expr, bool]:
    while isinstance(e, Op1) and e.op == "not":
        e, value = e.operand, not value
    return canonical(e), value


def assumed(e: Expr, facts: Facts, monotonicity: Monotonicity) -> Expr:
    """Simplifies the condition under the facts. Operands that can fail are still evaluated."""
    if not facts.values:
        return e
    match e:
        case Op2(op="and" | "or"):
            return _joined(e, assumed(e.left, facts, monotonicity), assumed(e.right, facts, monotonicity), monotonicity)
        case Op1(op="not"):
            return replace(e, operand=assumed(e.operand, facts, monotonicity))
        case LetE():
            return replace(e, body=assumed(e.body, facts, monotonicity))
        case Loop(kind="some" | "every"):
            return replace(e, body=assumed(e.body, facts, monotonicity))
        case CallF(type=BoolT()):
            return _called(e, facts, monotonicity)
        case _ if (canonical(e), True) in facts.values:
            return Const(1, BoolT(), span=e.span)
        case _ if (canonical(e), False) in facts.values:
            return Const(0, BoolT(), span=e.span)
        case _:
            return e


def _joined(e: Op2, left: Expr, right: Expr, monotonicity: Monotonicity) -> Expr:
    """Simplifies ``A and false`` to ``false`` if A cannot fail, and ``A or true`` likewise."""
    if isinstance(right, Const) and right.value == (e.op == "or") and not can_fail(left, monotonicity.functions):
        return right
    return replace(e, left=left, right=right)


def _called(e: CallF, facts: Facts, monotonicity: Monotonicity) -> Expr:
    for known, value in facts.values:
        if isinstance(known, CallF) and known.function == e.function and _implied(e, known, value, monotonicity):
            return Const(int(value), BoolT(), span=e.span)
    return e


def _implied(e: CallF, known: CallF, value: bool, monotonicity: Monotonicity) -> bool:
    """Does the call have the same value as the known one?"""
    for direction, a, b in zip(monotonicity.of(e.function), e.args, known.args, strict=True):
        if canonical(a) == b:
            continue
        more = direction if isinstance(a.type, SetT) else None
        less, great = (b, a) if value else (a, b)
        if (
            canonical(a) == canonical(b)
            or (more == 1 and part_of(less, great))
            or (more == -1 and part_of(great, less))
        ):
            continue
        return False
    return True


def part_of(a: Expr, b: Expr) -> bool:
    """Is one set always a subset of the other?"""
    if a == b:
        return True
    match a:
        case Op2(op="minus", left=x) if part_of(x, b):
            return True
        case Op2(op="meet", left=x, right=y) if part_of(x, b) or part_of(y, b):
            return True
        case Op2(op="union", left=x, right=y) if part_of(x, b) and part_of(y, b):
            return True
        case Cond(then=x, otherwise=y) if part_of(x, b) and part_of(y, b):
            return True
        case Const(value=0):
            return True
    match b:
        case Op2(op="union", left=x, right=y):
            return part_of(a, x) or part_of(a, y)
        case Op2(op="meet", left=x, right=y):
            return part_of(a, x) and part_of(a, y)
        case _:
            return False
