"""Branch distance as a Core expression: 0 exactly when a condition holds, else roughly how much must change.

As in search-based testing (N. Tracey and others, "A search-based automated test-data generation framework for
safety-critical systems", 2002): the distances of a conjunction are added, a disjunction takes the nearer side,
numbers differ by their difference, sets by their surplus elements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from gamedsl.language.core import children, fold
from gamedsl.language.core import nodes as n

FAR = 9999  # the maximum distance
FAR_T = n.IntT(0, FAR)
LEVELS = (1, 2)  # distances distinguished for lookahead moves; few, because each needs another lookahead


def number(value: int) -> n.Const:
    return n.Const(value, FAR_T)


def either(condition: n.Expr, then: n.Expr, otherwise: n.Expr) -> n.Expr:
    return n.Cond(condition, then, otherwise, FAR_T)


def nearer(a: n.Expr, b: n.Expr) -> n.Expr:
    """Returns the smaller of two distances."""
    return n.Op2("min", a, b, FAR_T)


def both(a: n.Expr, b: n.Expr) -> n.Expr:
    """Returns the sum of two distances."""
    if isinstance(a, n.Const) and not a.value:
        return b
    if isinstance(b, n.Const) and not b.value:
        return a
    return nearer(n.Op2("add", a, b, n.IntT(0, 2 * FAR)), number(FAR))


def limited(e: n.Expr) -> n.Expr:
    """Clamps a number to the range of distances."""
    assert isinstance(e.type, n.IntT)
    low, high = min(e.type.low, 0), max(e.type.high, 0)
    raised = n.Op2("max", e, number(0), n.IntT(0, max(high, FAR))) if low < 0 else e
    return n.Op2("min", raised, number(FAR), FAR_T)


def least(loop: n.Loop, body: n.Expr) -> n.Expr:
    """Returns the minimum distance over a loop's range; the maximum distance if the range is empty."""
    inside = replace(loop, kind="min", condition=None, body=body, type=FAR_T)
    return either(n.Op1("is_empty", loop.over, n.BoolT()), number(FAR), inside)


def risky(e: n.Expr, functions: tuple[n.Function, ...]) -> bool:
    """Whether evaluation can raise a rules error (effects of lookahead moves are not examined)."""
    match e:
        case n.CallF(function=index) if index >= len(functions) or risky(functions[index].body, functions):
            return True
        case _ if e.may_fail() and not e.looks_ahead:
            return True
        case _:
            return any(risky(c, functions) for c in children(e))


class BranchDistances:
    """Builds branch distances for a program.

    ``functions``: the program's own functions and those generated on demand.
    """

    def __init__(self, program: n.Program) -> None:
        self.functions = list(program.functions)
        self._own = program.functions
        self._made: dict[tuple[int, bool], int] = {}

    def of(self, e: n.Expr, wanted: bool = True) -> n.Expr:
        """Returns a condition's distance from holding, or from not holding."""
        return fold(self._of(e, wanted))

    def _of(self, e: n.Expr, wanted: bool) -> n.Expr:
        match e:
            case n.Const():
                return number(0 if bool(e.value) == wanted else FAR)
            case n.Op1():
                return self._op1(e, wanted)
            case n.Op2():
                return self._op2(e, wanted)
            case n.Cond():
                return either(e.condition, self._of(e.then, wanted), self._of(e.otherwise, wanted))
            case n.LetE() | n.AfterE():
                return replace(e, body=self._of(e.body, wanted))
            case n.Loop(kind="some" | "every"):
                return self._loop(e, wanted)
            case n.CallF():
                return self._call(e, wanted)
            case n.SomeMove(kind="some" | "every"):
                return self._moves(e, wanted)
            case _:
                return _yes_or_no(e, wanted)

    def _op1(self, e: n.Op1, wanted: bool) -> n.Expr:
        if e.op == "not":
            return self._of(e.operand, not wanted)
        if e.op == "is_empty" and wanted:
            return _count(e.operand)
        return _yes_or_no(e, wanted)

    def _op2(self, e: n.Op2, wanted: bool) -> n.Expr:
        match e.op:
            case "and":
                return self._and(e, wanted)
            case "or":
                return self._or(e, wanted)
            case "eq":
                return self._equal(e, wanted)
            case "ne":
                return self._equal(e, not wanted)
            case "lt" | "le":
                return _ordered(e, wanted)
            case "within" if wanted:
                return _count(n.Op2("minus", e.left, e.right, e.left.type))
            case "disjoint" if wanted:
                return _count(n.Op2("meet", e.left, e.right, e.left.type))
            case _:
                return _yes_or_no(e, wanted)

    def _and(self, e: n.Op2, wanted: bool) -> n.Expr:
        left, right = self._of(e.left, wanted), self._of(e.right, wanted)
        if not wanted:
            return either(e.left, nearer(left, right), number(0))
        if risky(e.right, self._own):
            return either(e.left, right, both(left, number(1)))
        return both(left, right)

    def _or(self, e: n.Op2, wanted: bool) -> n.Expr:
        left, right = self._of(e.left, wanted), self._of(e.right, wanted)
        if wanted:
            return either(e.left, number(0), nearer(left, right))
        if risky(e.right, self._own):
            return either(e.left, both(left, number(1)), right)
        return both(left, right)

    def _equal(self, e: n.Op2, wanted: bool) -> n.Expr:
        a, b = e.left, e.right
        if isinstance(a.type, n.BoolT) and not isinstance(a, n.Const):
            return either(a, self._of(b, wanted), self._of(b, not wanted))
        if wanted and isinstance(a.type, n.IntT) and isinstance(b.type, n.IntT):
            return nearer(
                either(n.Op2("le", a, b, n.BoolT()), _apart(b, a), number(FAR)),
                either(n.Op2("le", b, a, n.BoolT()), _apart(a, b), number(FAR)),
            )
        if wanted and isinstance(a.type, n.SetT):
            return both(_count(n.Op2("minus", a, b, a.type)), _count(n.Op2("minus", b, a, a.type)))
        return _yes_or_no(replace(e, op="eq"), wanted)

    def _loop(self, e: n.Loop, wanted: bool) -> n.Expr:
        """Takes the minimum for existential loops, the sum for universal ones."""
        seeks = (e.kind == "some") == wanted
        condition, body = e.condition, self._of(e.body, wanted)
        if seeks:
            if condition is not None:
                body = both(self._of(condition, True), body) if not risky(e.body, self._own) else either(
                    condition, body, number(FAR)
                )  # fmt: skip
            return least(e, body)
        if condition is not None:
            body = either(condition, body, number(0))
        size = e.over.type.domain.size if isinstance(e.over.type, n.SetT) else 0
        return limited(replace(e, kind="sum", condition=None, body=body, type=n.IntT(0, FAR * max(1, size))))

    def _call(self, e: n.CallF, wanted: bool) -> n.Expr:
        key = e.function, wanted
        if key not in self._made:
            f = self._own[e.function]
            body = self.of(f.body, wanted)
            self._made[key] = len(self.functions)
            self.functions.append(replace(f, index=len(self.functions), name=f"far_{f.name}", body=body))
        return replace(e, function=self._made[key], type=FAR_T)

    def _moves(self, e: n.SomeMove, wanted: bool) -> n.Expr:
        """Returns the distance of a lookahead: the number of moves that are not as wanted, or the nearest move if one
        suffices.
        """
        if (e.kind == "every") == wanted:
            return limited(_moves_that(e, "count", FAR_T, [_as(b.body, not wanted) for b in e.branches]))
        found: n.Expr = number(LEVELS[-1] + 1)
        bodies = [self._of(b.body, wanted) for b in e.branches]
        for level in reversed(LEVELS):
            near = [n.Op2("le", body, number(level), n.BoolT()) for body in bodies]
            found = either(_moves_that(e, "some", n.BoolT(), near), number(level), found)
        return either(_as(e, wanted), number(0), found)


def _as(e: n.Expr, wanted: bool) -> n.Expr:
    return e if wanted else n.Op1("not", e, n.BoolT())


def _moves_that(
    e: n.SomeMove, kind: Literal["some", "count"], t: n.IntT | n.BoolT, bodies: Sequence[n.Expr]
) -> n.SomeMove:
    """Returns the same moves with other conditions."""
    branches = tuple(replace(b, body=fold(body)) for b, body in zip(e.branches, bodies, strict=True))
    return replace(e, kind=kind, branches=branches, type=t)


def _yes_or_no(e: n.Expr, wanted: bool) -> n.Expr:
    return either(e, number(0 if wanted else 1), number(1 if wanted else 0))


def _count(e: n.Expr) -> n.Expr:
    assert isinstance(e.type, n.SetT)
    return limited(n.Op1("count", e, n.IntT(0, e.type.domain.size)))


def _apart(larger: n.Expr, smaller: n.Expr, more: int = 0) -> n.Expr:
    """Returns the amount by which one number exceeds another, as a distance."""
    a, b = larger.type, smaller.type
    assert isinstance(a, n.IntT)
    assert isinstance(b, n.IntT)
    low, high = a.low - b.high, a.high - b.low
    found: n.Expr = n.Op2("sub", larger, smaller, n.IntT(low, high))
    if more:
        found = n.Op2("add", found, n.Const(more, n.IntT(more, more)), n.IntT(low + more, high + more))
    return limited(found)


def _ordered(e: n.Op2, wanted: bool) -> n.Expr:
    """Returns the distance of ``a < b``, which is ``a - b + 1``, or of ``a <= b``, ``a - b``; likewise for the
    negations.
    """
    strict = e.op == "lt"
    return _apart(e.left, e.right, int(strict)) if wanted else _apart(e.right, e.left, int(not strict))
