"""Necessary conditions over all candidates: they do not read the candidate, and hold whenever some candidate satisfies
a condition.

Take a function that more elements can only make false, called with a set that depends on the candidate. It holds for
some candidate only if it holds for the empty set (``monotonicity.py``).
"""

from __future__ import annotations

from gamedsl.compiler.analysis.monotonicity import Monotonicity
from gamedsl.language.core import fold, free_locals
from gamedsl.language.core import nodes as n


class _Open(Exception):
    """There is no such condition, or only one that is nearly always true."""


def upper_bound(e: n.Expr, p: n.Local, monotonicity: Monotonicity) -> n.Expr | None:
    """A condition without ``p`` that holds whenever ``e`` holds for some value of ``p``. Returns None if none is
    found."""
    try:
        return fold(_Bounds(p, monotonicity).weaker(e))
    except _Open:
        return None


class _Bounds:
    def __init__(self, p: n.Local, monotonicity: Monotonicity) -> None:
        self.p = p
        self.monotonicity = monotonicity

    def free(self, e: n.Expr) -> bool:
        return self.p.id not in free_locals(e)

    def weaker(self, e: n.Expr) -> n.Expr:
        """A condition that holds whenever ``e`` holds for some candidate."""
        if self.free(e):
            return e
        match e:
            case n.Op1(op="not", operand=inner):
                return self._not(inner)
            case n.Op2(op="and", left=a, right=b):
                return self._some_of(e, a, b)
            case n.Op2(op="or", left=a, right=b):
                return n.Op2("or", self.weaker(a), self.weaker(b), e.type)
            case n.Op2(op="eq", left=a, right=b) if isinstance(a.type, n.SetT):
                return self._same(e, a, b)
            case n.CallF(function=index):
                args = tuple(
                    self._less(a) if not self.free(a) and w == -1 else self._fixed(a)
                    for a, w in zip(e.args, self.monotonicity.of(index), strict=True)
                )
                return n.CallF(index, args, e.type, span=e.span)
            case _:
                raise _Open

    def _not(self, e: n.Expr) -> n.Expr:
        match e:
            case n.Op1(op="not", operand=inner):
                return self.weaker(inner)
            case n.Op2(op="or", left=a, right=b):
                return self._some_of(e, n.Op1("not", a, e.type), n.Op1("not", b, e.type))
            case n.Op2(op="and", left=a, right=b):
                return n.Op2("or", self.weaker(n.Op1("not", a, e.type)), self.weaker(n.Op1("not", b, e.type)), e.type)
            case _:
                raise _Open

    def _some_of(self, e: n.Op2, a: n.Expr, b: n.Expr) -> n.Expr:
        """Bounds a conjunction: at least one operand must have a bound."""
        found = []
        for one in (a, b):
            try:
                found.append(self.weaker(one))
            except _Open:
                continue
        if not found:
            raise _Open
        return found[0] if len(found) == 1 else n.Op2("and", found[0], found[1], e.type)

    def _same(self, e: n.Op2, a: n.Expr, b: n.Expr) -> n.Expr:
        """Bounds ``S = T(p)``: if no entry of T is empty, S is not empty."""
        for s, t in ((a, b), (b, a)):
            if self.free(s) and isinstance(t, n.Lookup) and all(t.table.values):
                assert isinstance(s.type, n.SetT)
                return n.Op2("ne", s, n.Const(0, s.type), e.type)
        raise _Open

    def _fixed(self, e: n.Expr) -> n.Expr:
        if not self.free(e):
            raise _Open
        return e

    def _less(self, e: n.Expr) -> n.Expr:
        """A set contained in this one for every candidate."""
        if self.free(e):
            return e
        match e:
            case n.Op2(op="union", left=a, right=b):
                return fold(n.Op2("union", self._less(a), self._less(b), e.type))
            case n.Op2(op="meet", left=a, right=b):
                return fold(n.Op2("meet", self._less(a), self._less(b), e.type))
            case n.Cond(then=a, otherwise=b):
                return fold(n.Op2("meet", self._less(a), self._less(b), e.type))
            case _:
                return n.Const(0, e.type)
