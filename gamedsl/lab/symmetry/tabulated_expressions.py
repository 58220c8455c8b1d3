"""Tabulates expressions that read no state over all values of their names, so that ``row(d) = column(c)`` is compared
by meaning, not by form.
"""

from __future__ import annotations

from dataclasses import field
from functools import reduce
from itertools import product

from gamedsl.compiler import is_pure
from gamedsl.language.core import (
    NotConstant,
    RangeProblem,
    children,
    evaluate,
    free_locals,
    limits,
    map_children,
    substitute,
)
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

MOST_NAMES = 3
MOST_ENTRIES = 50_000
MOST_WORK = 400_000


@lazy_dataclass()
class Plain:
    """Replaces calls of functions that read no state with their bodies."""

    program: n.Program
    _bodies: dict[int, n.Expr | None] = field(default_factory=dict)

    def __call__(self, e: n.Expr) -> n.Expr:
        e = map_children(e, self)
        if isinstance(e, n.CallF):
            body = self._body(e.function)
            if body is not None:
                names = self.program.functions[e.function].params
                return substitute(body, {p.id: a for p, a in zip(names, e.args, strict=True)})
        return e

    def _body(self, index: int) -> n.Expr | None:
        if index not in self._bodies:
            body = self(self.program.functions[index].body)
            self._bodies[index] = body if is_pure(body) else None
        return self._bodies[index]


@lazy_dataclass()
class Values:
    """A cache of ``values_of``."""

    _known: dict[int, tuple[n.Expr, tuple[list[n.Local], tuple[int, ...]] | None]] = field(default_factory=dict)

    def __call__(self, e: n.Expr) -> tuple[list[n.Local], tuple[int, ...]] | None:
        found = self._known.get(id(e))
        if found is None:
            found = self._known[id(e)] = e, values_of(e)
        return found[1]


def values_of(e: n.Expr) -> tuple[list[n.Local], tuple[int, ...]] | None:
    """Returns the names in an expression and its values for all their combinations, the last name varying fastest.

    None if it reads the state, fails somewhere, or there are too many combinations.
    """
    if not is_pure(e) or (isinstance(e, n.Lookup) and not children(e)):
        return None
    names = list(free_locals(e).values())
    if len(names) > MOST_NAMES or any(isinstance(x.type, n.SetT | n.OptT) for x in names):
        return None
    entries = reduce(lambda number, x: number * len(codes(x)), names, 1)
    if entries > MOST_ENTRIES or entries * _work(e) > MOST_WORK:
        return None
    try:
        rows = product(*(codes(x) for x in names))
        return names, tuple(int(evaluate(e, {x.id: v for x, v in zip(names, row, strict=True)})) for row in rows)
    except (NotConstant, RangeProblem):
        return None


def codes(x: n.Local) -> range:
    """Returns the possible values of a name."""
    assert isinstance(x.type, n.ScalarT)
    low, high = limits(x.type)
    return range(low, high + 1)


def _work(e: n.Expr) -> int:
    """Estimates the steps of one evaluation."""
    total = 1 + sum(_work(c) for c in children(e))
    if isinstance(e, n.Loop) and isinstance(e.over.type, n.SetT):
        total *= e.over.type.domain.size
    if isinstance(e, n.Closure) and isinstance(e.type, n.SetT):
        total *= e.type.domain.size
    return total


def joined(parts: list[n.Expr], e: n.Op2) -> n.Expr:
    """Rebuilds ``a and b and c`` from its operands."""
    return reduce(lambda a, b: n.Op2(e.op, a, b, e.type, span=e.span), parts)
