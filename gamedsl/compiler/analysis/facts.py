"""Simplifies conditions under facts that are known to hold.

Suppose that more elements can only make a function of sets true. If a call of it is known to be false, it is false for
smaller sets too: if there is no line within S, there is none within a subset of S.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gamedsl.compiler.analysis.canonical_names import canonical
from gamedsl.compiler.analysis.monotonicity import Monotonicity
from gamedsl.language.core import can_fail
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class Facts:
    """Conditions with their truth values, in canonical form."""

    values: frozenset[tuple[n.Expr, bool]] = frozenset()

    @staticmethod
    def of(true: Iterable[n.Expr], false: Iterable[n.Expr] = ()) -> Facts:
        """Facts from conditions that hold and conditions that do not. Leading negations are removed."""
        found = [*((e, True) for e in true), *((e, False) for e in false)]
        return Facts(frozenset(_plain(e, value) for e, value in found))

    def both(self, other: Facts) -> Facts:
        """The facts common to both."""
        return Facts(self.values & other.values)

    def more(self, other: Facts) -> Facts:
        """The facts of either."""
        return Facts(self.values | other.values)

    def conditions(self) -> list[n.Expr]:
        """The facts as conditions that hold."""
        ordered = sorted(self.values, key=repr)
        return [e if value else n.Op1("not", e, n.BoolT()) for e, value in ordered]


def _plain(e: n.Expr, value: bool) -> tuple[n.Expr, bool]:
    while isinstance(e, n.Op1) and e.op == "not":
        e, value = e.operand, not value
    return canonical(e), value


def assumed(e: n.Expr, facts: Facts, monotonicity: Monotonicity) -> n.Expr:
    """Simplifies the condition under the facts. Operands that can fail are still evaluated."""
    if not facts.values:
        return e
    match e:
        case n.Op2(op="and" | "or"):
            return _joined(e, assumed(e.left, facts, monotonicity), assumed(e.right, facts, monotonicity), monotonicity)
        case n.Op1(op="not"):
            return replace(e, operand=assumed(e.operand, facts, monotonicity))
        case n.LetE():
            return replace(e, body=assumed(e.body, facts, monotonicity))
        case n.Loop(kind="some" | "every"):
            return replace(e, body=assumed(e.body, facts, monotonicity))
        case n.CallF(type=n.BoolT()):
            return _called(e, facts, monotonicity)
        case _ if (canonical(e), True) in facts.values:
            return n.Const(1, n.BoolT(), span=e.span)
        case _ if (canonical(e), False) in facts.values:
            return n.Const(0, n.BoolT(), span=e.span)
        case _:
            return e


def _joined(e: n.Op2, left: n.Expr, right: n.Expr, monotonicity: Monotonicity) -> n.Expr:
    """Simplifies ``A and false`` to ``false`` if A cannot fail, and ``A or true`` likewise."""
    if isinstance(right, n.Const) and right.value == (e.op == "or") and not can_fail(left, monotonicity.functions):
        return right
    return replace(e, left=left, right=right)


def _called(e: n.CallF, facts: Facts, monotonicity: Monotonicity) -> n.Expr:
    for known, value in facts.values:
        if isinstance(known, n.CallF) and known.function == e.function and _implied(e, known, value, monotonicity):
            return n.Const(int(value), n.BoolT(), span=e.span)
    return e


def _implied(e: n.CallF, known: n.CallF, value: bool, monotonicity: Monotonicity) -> bool:
    """Whether the call has the same value as the known one."""
    for direction, a, b in zip(monotonicity.of(e.function), e.args, known.args, strict=True):
        if canonical(a) == b:
            continue
        more = direction if isinstance(a.type, n.SetT) else None
        less, great = (b, a) if value else (a, b)
        if (
            canonical(a) == canonical(b)
            or (more == 1 and part_of(less, great))
            or (more == -1 and part_of(great, less))
        ):
            continue
        return False
    return True


def part_of(a: n.Expr, b: n.Expr) -> bool:
    """Whether one set is always a subset of the other."""
    if a == b:
        return True
    match a:
        case n.Op2(op="minus", left=x) if part_of(x, b):
            return True
        case n.Op2(op="meet", left=x, right=y) if part_of(x, b) or part_of(y, b):
            return True
        case n.Op2(op="union", left=x, right=y) if part_of(x, b) and part_of(y, b):
            return True
        case n.Cond(then=x, otherwise=y) if part_of(x, b) and part_of(y, b):
            return True
        case n.Const(value=0):
            return True
    match b:
        case n.Op2(op="union", left=x, right=y):
            return part_of(a, x) or part_of(a, y)
        case n.Op2(op="meet", left=x, right=y):
            return part_of(a, x) and part_of(a, y)
        case _:
            return False
