"""What reads no state, worked out for all elements that it may be asked about: ``row(d) = column(c)`` as what it says, not
as it is written."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import reduce
from itertools import product

from gamedsl.core.fold import NotConstant, RangeProblem, always_fits, evaluate, limits
from gamedsl.core.nodes import (
    AfterE,
    BoolT,
    CallF,
    Const,
    Convert,
    ElemT,
    Expr,
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
from gamedsl.core.traverse import children, free_locals, map_children, substitute
from gamedsl.native.analysis.constant_tables import pure

MOST_NAMES = 3
MOST_ENTRIES = 50_000
MOST_WORK = 400_000


@dataclass
class Plain:
    """Calls of functions that read no state replaced by what they say."""

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
            self._bodies[index] = body if pure(body) else None
        return self._bodies[index]


@dataclass
class Values:
    """``values_of``, asked again without work."""

    _known: dict[int, tuple[Expr, tuple[list[Local], tuple[int, ...]] | None]] = field(default_factory=dict)

    def __call__(self, e: Expr) -> tuple[list[Local], tuple[int, ...]] | None:
        found = self._known.get(id(e))
        if found is None:
            found = self._known[id(e)] = e, values_of(e)
        return found[1]


def values_of(e: Expr) -> tuple[list[Local], tuple[int, ...]] | None:
    """The names that an expression uses and its values for all that these may stand for, the last one fastest; None when
    it reads the state, goes wrong somewhere, or there are too many."""
    if not pure(e) or (isinstance(e, Lookup) and not children(e)):
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
    """What a name may stand for."""
    assert isinstance(x.type, ElemT | IntT | BoolT)
    low, high = limits(x.type)
    return range(low, high + 1)


def _work(e: Expr) -> int:
    """About how many steps it takes to work it out once."""
    total = 1 + sum(_work(c) for c in children(e))
    if isinstance(e, Loop) and isinstance(e.over.type, SetT):
        total *= e.over.type.domain.size
    return total


def joined(parts: list[Expr], e: Op2) -> Expr:
    """``a and b and c`` again, of its members."""
    return reduce(lambda a, b: Op2(e.op, a, b, e.type, span=e.span), parts)


def can_fail_itself(e: Expr) -> bool:
    """May an expression go wrong of whose inside all is known to go well?"""
    match e:
        case Op1(op="unwrap" | "first") | StackOp(op="top") | Loop(kind="max" | "min") | AfterE() | SomeMove():
            return True
        case Op2(op="div" | "mod", right=right):
            return not (isinstance(right, Const) and right.value)
        case Convert():
            return not always_fits(e)
        case _:
            return False
