"""Tabulates expressions that read no state over all values of their names, so that ``row(d) = column(c)`` is
compared by meaning, not by form.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from itertools import product

from gamedsl.core import (
    NotConstant,
    RangeProblem,
    always_fits,
    children,
    evaluate,
    free_locals,
    limits,
    map_children,
    substitute,
)
from gamedsl.core.nodes import (
    AfterE,
    BoolT,
    CallF,
    Closure,
    Const,
    Convert,
    ElemT,
    Expr,
    Fail,
    IntT,
    Local,
    Lookup,
    Loop,
    Op1,
    Op2,
    OptT,
    Program,
    SetT,
    SomeMove,
    StackOp,
)
from gamedsl.native import is_pure

MOST_NAMES = 3
MOST_ENTRIES = 50_000
MOST_WORK = 400_000


@dataclass
class Plain:
    """Replaces calls of functions that read no state by their bodies."""

    program: Program
    _bodies: dict[int, Expr | None] = field(default_factory=dict)

    def __call__(self, e: Expr) -> Expr:
        e = map_children(e, self)
        if isinstance(e, CallF):
            body = self._body(e.function)
            if body is not None:
                names = self.program.functions[e.function].params
                return substitute(body, {p.id: a for p, a in zip(names, e.args, strict=True)})
        return e

    def _body(self, index: int) -> Expr | None:
        if index not in self._bodies:
            body = self(self.program.functions[index].body)
            self._bodies[index] = body if is_pure(body) else None
        return self._bodies[index]


@dataclass
class Values:
    """Caches ``values_of``."""

    _known: dict[int, tuple[Expr, tuple[list[Local], tuple[int, ...]] | None]] = field(default_factory=dict)

    def __call__(self, e: Expr) -> tuple[list[Local], tuple[int, ...]] | None:
        found = self._known.get(id(e))
        if found is None:
            found = self._known[id(e)] = e, values_of(e)
        return found[1]


def values_of(e: Expr) -> tuple[list[Local], tuple[int, ...]] | None:
    """Returns the names in an expression and its values for all their combinations, the last name varying fastest;
    None if it reads the state, fails somewhere, or there are too many.
    """
    if not is_pure(e) or (isinstance(e, Lookup) and not children(e)):
        return None
    names = list(free_locals(e).values())
    if len(names) > MOST_NAMES or any(isinstance(x.type, SetT | OptT) for x in names):
        return None
    entries = reduce(lambda n, x: n * len(codes(x)), names, 1)
    if entries > MOST_ENTRIES or entries * _work(e) > MOST_WORK:
        return None
    try:
        rows = product(*(codes(x) for x in names))
        return names, tuple(int(evaluate(e, {x.id: v for x, v in zip(names, row, strict=True)})) for row in rows)
    except (NotConstant, RangeProblem):
        return None


def codes(x: Local) -> range:
    """Returns the possible values of a name."""
    assert isinstance(x.type, ElemT | IntT | BoolT)
    low, high = limits(x.type)
    return range(low, high + 1)


def _work(e: Expr) -> int:
    """Estimates the steps of one evaluation."""
    total = 1 + sum(_work(c) for c in children(e))
    if isinstance(e, Loop) and isinstance(e.over.type, SetT):
        total *= e.over.type.domain.size
    if isinstance(e, Closure) and isinstance(e.type, SetT):
        total *= e.type.domain.size
    return total


def joined(parts: list[Expr], e: Op2) -> Expr:
    """Rebuilds ``a and b and c`` from its operands."""
    return reduce(lambda a, b: Op2(e.op, a, b, e.type, span=e.span), parts)


def can_fail_itself(e: Expr) -> bool:
    """Can an expression itself fail, if its operands don't?"""
    match e:
        case (
            Op1(op="unwrap" | "first")
            | StackOp(op="top" | "item")
            | Loop(kind="max" | "min")
            | Fail()
            | AfterE()
            | SomeMove()
        ):
            return True
        case Op2(op="div" | "mod", right=right):
            return not (isinstance(right, Const) and right.value)
        case Convert():
            return not always_fits(e)
        case _:
            return False
