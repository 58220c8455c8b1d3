"""Conditions on an element as sets shifted by constant distances.

    some o in step(a) & taken: a + 2 in step(o) - full
    →
    (taken >> 1) & (all - full) >> 2

If a quantified element can only be at a few constant distances from ``a``, there is one case for each distance k, in
which ``a + k`` takes its place. Parts that then read no state are evaluated, and ``a + k in S`` is S shifted by k. All
conditions that need the same shift share it.

Not done: more than ``cutoffs.UNROLLED`` distances or values,
conditions that can end in a rules error, and conditions that take more than ``cutoffs.WORK`` to evaluate.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.constant_tables import is_pure
from gamedsl.compiler.analysis.set_bounds import SetBounds, TooMuchWork
from gamedsl.compiler.transform.ray_floods import image
from gamedsl.language.boards import Domain, elements
from gamedsl.language.core import (
    can_fail,
    fold,
    free_locals,
    map_children,
    substitute,
    walk,
)
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


class _No(Exception):
    """The condition has no such form."""


def shift_condition(p: n.Local, condition: n.Expr, within: int | None = None) -> n.Expr | None:
    """The set of ``p`` for which the condition holds, by shifts. Elements outside ``within`` (one bit each) may or may
    not be in it. Returns None if the condition has no such form."""
    if not isinstance(p.type, n.ElemT) or p.type.domain.size > 512 or can_fail(condition):
        return None
    try:
        return fold(_Shifts(p, p.type.domain).set(condition, p.type.domain.full if within is None else within))
    except (_No, TooMuchWork):
        return None


def shifted(s: n.Expr, by: int) -> n.Expr:
    """The set of x for which x + by is in ``s``."""
    assert isinstance(s.type, n.SetT)
    if by == 0:
        return s
    size = s.type.domain.size
    back = tuple(1 << y - by if 0 <= y - by < size else 0 for y in range(size))
    return image(n.TableData("back", (s.type.domain,), s.type, back), s)


def shift_quantifiers(e: n.Expr) -> n.Expr:
    """Rewrites quantifiers over sets of the state as set operations, if their bodies are shifts."""
    e = map_children(e, shift_quantifiers)
    match e:
        case n.Loop(kind="some" | "every", local=x, over=over, condition=None) if not isinstance(over, n.Const):
            found = shift_condition(x, e.body)
            if found is None or found.type != over.type or len(images(found)) > cutoffs.HOP_SHIFTS:
                return e
            if e.kind == "every":
                return n.Op2("within", over, found, n.BoolT(), span=e.span)
            return n.Op1("not", n.Op2("disjoint", over, found, n.BoolT()), n.BoolT(), span=e.span)
        case _:
            return e


def images(e: n.Expr) -> set[n.Expr]:
    """The images of sets in an expression."""
    return {x for x in walk(e) if isinstance(x, n.Loop) and isinstance(x.body, n.Lookup)}


def there(domain: Domain, by: int) -> n.TableData:
    """The table of the elements ``by`` further on (meaningless where there is none)."""
    size = domain.size
    return n.TableData("there", (domain,), n.ElemT(domain), tuple((x + by) % size for x in range(size)))


@lazy_dataclass()
class _Shifts:
    p: n.Local
    domain: Domain

    def __post_init__(self) -> None:
        self.bounds = SetBounds(self.p, self.domain)
        self.type = n.SetT(self.domain)
        self.none, self.all = n.Const(0, self.type), n.Const(self.domain.full, self.type)

    # ------------------------------------------------------------------------------------------ sets of the name

    def set(self, e: n.Expr, within: int) -> n.Expr:
        """The set of the name in ``within`` for which a condition holds; anything outside."""
        if not within:
            return self.none
        names = free_locals(e).keys()
        if self.p.id not in names:
            return self._told(e)
        if is_pure(e) and names == {self.p.id}:
            return self._const(self.bounds.where(e, within), within)
        match e:
            case n.Op1(op="not", operand=x):
                return self._complement(self.set(x, within))
            case n.Op2(op="and" | "or", left=x, right=y):
                return self._both(x, y, within, e.op == "and")
            case n.Op2(op="in", left=x, right=s):
                return self._member(x, s, within)
            case n.Op2(op="disjoint", left=s, right=t):
                return self._complement(self._some(s, t, within, False))
            case n.Op2(op="within", left=s, right=t):
                return self._complement(self._some(s, t, within, True))
            case n.Op1(op="is_empty", operand=s):
                return self._complement(self._filled(s, within))
            case n.Op2(op="eq" | "ne", left=s, right=n.Const(value=0)) if isinstance(s.type, n.SetT):
                found = self._filled(s, within)
                return found if e.op == "ne" else self._complement(found)
            case n.Op2(op="eq" | "ne", left=one, right=two) if one.type == two.type == n.ElemT(self.domain):
                found = self._equal(one, two, within)
                return found if e.op == "eq" else self._complement(found)
            case n.Op2(op="eq", left=n.Op1(op="count", operand=s), right=n.Const(value=1)) if self._single(s, within):
                return self._filled(s, within)
            case n.Cond(condition=c, then=yes, otherwise=no):
                return self._case(c, lambda part: self.set(yes, part), lambda part: self.set(no, part), within)
            case n.Loop(kind="some", local=local, over=s, condition=None, body=body):
                return self._quantified(local, s, body, within)
            case n.Loop(kind="every", local=local, over=s, condition=None, body=body):
                return self._complement(self._quantified(local, s, n.Op1("not", body, n.BoolT()), within))
            case _:
                raise _No

    def _single(self, s: n.Expr, within: int) -> bool:
        """Whether a set has at most one element, for every element in ``within``."""
        return all(self.bounds.row(s, a).bit_count() <= 1 for a in elements(within))

    def _const(self, bits: int, within: int) -> n.Const:
        return self.all if bits == within else self.none if bits == 0 else n.Const(bits, self.type)

    def _told(self, e: n.Expr) -> n.Expr:
        e = fold(e)
        if isinstance(e, n.Const):
            return self.all if e.value else self.none
        return n.Cond(e, self.all, self.none, self.type)

    def _both(self, x: n.Expr, y: n.Expr, within: int, both: bool) -> n.Expr:
        first = self.set(x, within)
        if isinstance(first, n.Const):
            within &= first.value if both else ~first.value
        second = self.set(y, within)
        return self._meet(first, second) if both else self._union(first, second)

    def _case(
        self, c: n.Expr, then: Callable[[int], n.Expr], otherwise: Callable[[int], n.Expr], within: int
    ) -> n.Expr:
        chosen = self.set(c, within)
        bits = chosen.value if isinstance(chosen, n.Const) else None
        yes = then(within if bits is None else within & bits)
        no = otherwise(within if bits is None else within & ~bits)
        if yes == no:
            return yes
        return self._union(self._meet(chosen, yes), self._meet(self._complement(chosen), no))

    # -------------------------------------------------------------------------------------------- membership

    def _member(self, x: n.Expr, s: n.Expr, within: int) -> n.Expr:
        """``x in s``, with an x that reads no state."""
        inside = n.Op2("in", x, s, n.BoolT())
        if self.p.id not in free_locals(inside) or (is_pure(inside) and free_locals(inside).keys() == {self.p.id}):
            return self.set(inside, within)
        match s:
            case n.Op1(op="complement", operand=a):
                return self._complement(self._member(x, a, within))
            case _ if self.p.id not in free_locals(s):
                return self._shifted(x, s, within)
            case n.Op2(op="meet" | "union" | "minus", left=a, right=b):
                other: n.Expr = n.Op2("in", x, b, n.BoolT())
                if s.op == "minus":
                    other = n.Op1("not", other, n.BoolT())
                return self._both(n.Op2("in", x, a, n.BoolT()), other, within, s.op != "union")
            case n.Op1(op="single", operand=y):
                return self._equal(x, y, within)
            case n.Cond(condition=c, then=a, otherwise=b):
                return self._case(
                    c, lambda part: self._member(x, a, part), lambda part: self._member(x, b, part), within
                )
            case n.Loop(kind="union", local=y, over=over, condition=c, body=body):
                asked = n.Op2("in", x, body, n.BoolT())
                return self._quantified(y, over, asked if c is None else n.Op2("and", c, asked, n.BoolT()), within)
            case n.Loop(kind="filter", local=y, over=over, condition=None, body=body):
                return self._both(n.Op2("in", x, over, n.BoolT()), substitute(body, {y.id: x}), within, True)
            case _:
                raise _No

    def _shifted(self, x: n.Expr, s: n.Expr, within: int) -> n.Expr:
        """``x in s`` for an s that does not depend on the name."""
        if s.type != self.type:
            raise _No
        total: n.Expr = self.none
        parts = self._distances({a: 1 << self.bounds.value(x, {self.p.id: a}) for a in elements(within)})
        for by, part in parts.items():
            total = self._union(total, self._meet(self._const(part, within), shifted(s, by)))
        return total

    def _equal(self, x: n.Expr, y: n.Expr, within: int) -> n.Expr:
        if self.p.id in free_locals(y):
            x, y = y, x
        if self.p.id in free_locals(y) or x.type != n.ElemT(self.domain):
            raise _No
        return self._shifted(x, n.Op1("single", y, self.type), within)

    # ------------------------------------------------------------------------------------------- quantifiers

    def _filled(self, s: n.Expr, within: int) -> n.Expr:
        match s:
            case n.Loop(kind="union", local=x, over=over, condition=c, body=body):
                some: n.Expr = n.Op2("ne", body, n.Const(0, body.type), n.BoolT())
                return self._quantified(x, over, some if c is None else n.Op2("and", c, some, n.BoolT()), within)
            case _:
                return self._quantified(self._fresh(s), s, n.Const(1, n.BoolT()), within)

    def _some(self, s: n.Expr, t: n.Expr, within: int, outside: bool) -> n.Expr:
        """The set of the name for which an element of s is in t (``outside``: is not in t)."""
        x = self._fresh(s)
        asked: n.Expr = n.Op2("in", n.Load(x), t, n.BoolT())
        return self._quantified(x, s, n.Op1("not", asked, n.BoolT()) if outside else asked, within)

    def _fresh(self, s: n.Expr) -> n.Local:
        assert isinstance(s.type, n.SetT)
        return n.Local(-1, "x", n.ElemT(s.type.domain))

    def _quantified(self, x: n.Local, s: n.Expr, body: n.Expr, within: int) -> n.Expr:
        """The set of the name for which the body holds for an element of s."""
        if not isinstance(x.type, n.ElemT):
            raise _No
        rows = {a: self.bounds.row(s, a) for a in elements(within)}
        total: n.Expr = self.none
        if x.type.domain == self.domain:
            cases: list[tuple[n.Expr, int]] = [
                (n.Lookup(there(self.domain, by), (n.Load(self.p),)) if by else n.Load(self.p), part)
                for by, part in self._distances(rows).items()
            ]
        else:
            cases = [(n.Const(v, x.type), part) for v, part in _columns(rows).items()]
        for at, part in cases:
            inside = self._member(at, s, part)
            if isinstance(inside, n.Const):
                part &= inside.value
            held = self._meet(inside, self.set(fold(substitute(body, {x.id: at})), part))
            total = self._union(total, self._meet(self._const(part, within), held))
        return total

    def _distances(self, rows: Mapping[int, int]) -> dict[int, int]:
        """For each distance from an element to one of its row, the elements with that distance."""
        return _columns({a: row << self.domain.size - a for a, row in rows.items()}, -self.domain.size)

    # ------------------------------------------------------------------------------------------------ algebra

    def _complement(self, s: n.Expr) -> n.Expr:
        match s:
            case n.Const(value=v):
                return n.Const(self.domain.full & ~v, self.type)
            case n.Op1(op="complement", operand=inner):
                return inner
            case _:
                return n.Op1("complement", s, self.type)

    def _meet(self, a: n.Expr, b: n.Expr) -> n.Expr:
        return fold(n.Op2("meet", a, b, self.type)) if a != b else a

    def _union(self, a: n.Expr, b: n.Expr) -> n.Expr:
        if self.all in (a, b):
            return self.all
        return fold(n.Op2("union", a, b, self.type)) if a != b else a


def _columns(rows: Mapping[int, int], plus: int = 0) -> dict[int, int]:
    """For each element of the rows (with ``plus`` added), the set of those whose rows contain it."""
    found: dict[int, int] = {}
    for a, row in rows.items():
        for v in elements(row):
            found[v + plus] = found.get(v + plus, 0) | 1 << a
        if len(found) > cutoffs.UNROLLED:
            raise _No
    return dict(sorted(found.items()))
