"""Bounds of sets in all states: the most that an expression can contain, for each value of a name.

union of step(a, d) for d in (if a in king then all else forward)
→
for each a, everything one step away from it
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.constant_tables import is_pure, table_of
from gamedsl.language.boards import Domain, elements
from gamedsl.language.core import NotConstant, RangeProblem, can_fail, evaluate, free_locals, node_count
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


class TooMuchWork(Exception):
    """More than ``cutoffs.WORK`` nodes would be evaluated, or one has no value."""


def bounded_rows(p: n.Local, s: n.Expr) -> tuple[int, ...] | None:
    """For each ``p``, a set that contains the value of ``s``. Returns None if that takes too much work."""
    if not isinstance(p.type, n.ElemT) or can_fail(s):
        return None
    try:
        bounds = SetBounds(p, p.type.domain)
        return tuple(bounds.row(s, x) for x in range(p.type.domain.size))
    except TooMuchWork:
        return None


@lazy_dataclass()
class SetBounds:
    """Computes bounds for each value of the name ``p``, which is of this domain. All methods may raise
    ``TooMuchWork``."""

    p: n.Local
    domain: Domain
    work: int = 0
    rows: dict[tuple[int, int], tuple[n.Expr, int]] = field(default_factory=dict)

    def where(self, e: n.Expr, within: int) -> int:
        """The elements of ``within`` for which a condition on the name alone holds."""
        if self.domain.size * node_count(e) <= cutoffs.WORK:
            values = table_of(e, [self.p], [self.domain])  # cached: other moves need the same table
            if values is not None:
                self.work += node_count(e)
                return within & sum(1 << x for x, v in enumerate(values) if v)
        return sum(1 << x for x in elements(within) if self.value(e, {self.p.id: x}))

    def row(self, s: n.Expr, x: int) -> int:
        """A set that contains the value of ``s`` for this value of the name."""
        key = id(s), x
        if key not in self.rows:
            self.rows[key] = (s, self.bound(s, {self.p.id: x}))
        return self.rows[key][1]

    def bound(self, s: n.Expr, known: Mapping[int, int]) -> int:
        """A set that contains the value of ``s`` in every state."""
        assert isinstance(s.type, n.SetT)
        if is_pure(s) and free_locals(s).keys() <= known.keys():
            return self.value(s, known)
        match s:
            case n.Op2(op="meet", left=a, right=b):
                return self.bound(a, known) & self.bound(b, known)
            case n.Op2(op="union", left=a, right=b):
                return self.bound(a, known) | self.bound(b, known)
            case n.Op2(op="minus", left=a):
                return self.bound(a, known)
            case n.Cond(condition=c, then=a, otherwise=b):
                if is_pure(c) and free_locals(c).keys() <= known.keys():
                    return self.bound(a if self.value(c, known) else b, known)
                return self.bound(a, known) | self.bound(b, known)
            case n.Loop(kind="filter", over=over):
                return self.bound(over, known)
            case n.Loop(kind="union", local=x, over=over, body=body) if isinstance(x.type, n.ElemT):
                total = 0
                for v in elements(self.bound(over, known)):
                    if total == s.type.domain.full:
                        break
                    total |= self.bound(body, {**known, x.id: v})
                return total
            case _:
                return s.type.domain.full

    def value(self, e: n.Expr, known: Mapping[int, int]) -> int:
        """The value of an expression that reads no state."""
        self.work += node_count(e)
        if self.work > cutoffs.WORK:
            raise TooMuchWork
        try:
            return int(evaluate(e, known))
        except (NotConstant, RangeProblem):
            raise TooMuchWork from None


def factors(e: n.Expr) -> list[n.Expr]:
    """The sets whose intersection is the set."""
    match e:
        case n.Op2(op="meet", left=a, right=b):
            return [*factors(a), *factors(b)]
        case n.Op2(op="minus", left=a, right=b):
            return [*factors(a), n.Op1("complement", b, b.type)]
        case _:
            return [e]
