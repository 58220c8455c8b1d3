"""Abstract interpretation over time: the values an expression may have now or later, given the current position.

A set lies between two sets, a number between two numbers; a condition may hold, or surely holds. The resulting
expressions read only the current position and cannot fail. If nothing is known, the range is the widest: from no
element to all of them, possible but not sure, the limits of the type.
"""

from __future__ import annotations

from dataclasses import field, replace

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.call_expansion import CallExpander
from gamedsl.compiler.analysis.constant_tables import is_pure, tabulate
from gamedsl.compiler.analysis.set_growth import Grown, Growth
from gamedsl.language.boards import Domain
from gamedsl.language.core import can_fail, fold, free_locals, limits, substitute
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

YES, NO = n.Const(1, n.BoolT()), n.Const(0, n.BoolT())


class TooLarge(Exception):
    """The expressions have grown beyond the cut-off."""


@lazy_dataclass()
class ValueRanges:
    """The value ranges of one program's expressions. ``names`` gives, for each free name whose value is unknown, sets
    that contain it."""

    expander: CallExpander
    growth: Growth
    names: dict[int, tuple[n.Expr, ...]] = field(default_factory=dict)
    _within: set[int] = field(default_factory=set)
    _nodes: int = 0

    # ----------------------------------------------------------------------------------------------- conditions

    def can(self, e: n.Expr) -> n.Expr:
        """Whether a condition may hold, now or later."""
        return self.boolean(e, True)

    def sure(self, e: n.Expr) -> n.Expr:
        """Whether a condition holds now and at all later times."""
        return self.boolean(e, False)

    def boolean(self, e: n.Expr, may: bool) -> n.Expr:
        """``can`` if ``may``, else ``sure``."""
        known = self._count(e)
        if known is not None:
            return known
        match e:
            case n.Op1(op="not", operand=inner):
                return negated(self.boolean(inner, not may))
            case n.Op2(op="and" | "or", left=a, right=b):
                return fold(n.Op2(e.op, self.boolean(a, may), self.boolean(b, may), n.BoolT()))
            case n.Op1(op="is_empty", operand=s):
                return fold(n.Op1("is_empty", self.set(s, not may), n.BoolT()))
            case n.Op2(op="within", left=a, right=b):
                return fold(n.Op2("within", self.set(a, not may), self.set(b, may), n.BoolT()))
            case n.Op2(op="disjoint", left=a, right=b):
                return fold(n.Op2("disjoint", self.set(a, not may), self.set(b, not may), n.BoolT()))
            case n.Op2(op="in", left=x, right=s):
                known = self.fixed(x)
                return fold(n.Op2("in", known, self.set(s, may), n.BoolT())) if known is not None else self.open(may)
            case n.Op2(op="eq" | "ne" | "lt" | "le"):
                return self._compared(e, may)
            case n.Loop(kind="some" | "every"):
                return self._quantified(e, may)
            case n.Cond(condition=c, then=a, otherwise=b):
                return self._either(c, self.boolean(a, may), self.boolean(b, may), "or" if may else "and")
            case n.CallF() | n.LetE():
                return self.boolean(self.expander.expanded(e), may)
            case _:
                return self.open(may)

    def open(self, may: bool) -> n.Const:
        """The truth value if nothing is known."""
        return YES if may else NO

    def _either(self, c: n.Expr, a: n.Expr, b: n.Expr, op: str) -> n.Expr:
        """The range of a conditional: the first alternative counts if ``c`` can hold, the second unless ``c`` surely
        holds."""
        both = n.Op2(op, a, b, a.type)  # type: ignore[arg-type]
        return fold(n.Cond(self.can(c), n.Cond(self.sure(c), a, both, a.type), b, a.type))

    def _compared(self, e: n.Op2, may: bool) -> n.Expr:
        a, b = e.left, e.right
        if e.op == "ne":
            return negated(self.boolean(replace(e, op="eq"), not may))
        if isinstance(a.type, n.SetT):
            if not may:
                return NO
            first = n.Op2("within", self.set(a, False), self.set(b, True), n.BoolT())
            return fold(
                n.Op2("and", first, n.Op2("within", self.set(b, False), self.set(a, True), n.BoolT()), n.BoolT())
            )
        if not isinstance(a.type, n.IntT) or not isinstance(b.type, n.IntT):
            return self.open(may)
        if e.op == "eq":
            first = n.Op2("le", self.number(a, not may), self.number(b, may), n.BoolT())
            second = n.Op2("le", self.number(b, not may), self.number(a, may), n.BoolT())
            return fold(n.Op2("and", first, second, n.BoolT()))
        return fold(n.Op2(e.op, self.number(a, not may), self.number(b, may), n.BoolT()))

    def _quantified(self, e: n.Loop, may: bool) -> n.Expr:
        """The range of a quantifier. ``some`` ranges over the largest set to find whether it may hold, and over the
        smallest to find whether it surely holds; ``every`` the other way around."""
        over = self.set(e.over, may == (e.kind == "some"))
        body = self.boolean(e.body, may)
        if e.condition is not None:
            asked = self.boolean(e.condition, may == (e.kind == "some"))
            body = (
                n.Op2("and", asked, body, n.BoolT())
                if e.kind == "some"
                else n.Op2("or", negated(asked), body, n.BoolT())
            )
        return fold(n.Loop(e.kind, e.local, over, None, fold(body), n.BoolT()))

    # ------------------------------------------------------------------------------------------------------ sets

    def set(self, e: n.Expr, most: bool) -> n.Expr:
        """A superset of all values, now and later (``most``), or a subset of all of them."""
        assert isinstance(e.type, n.SetT)
        known = self._count(e)
        if known is not None:
            return known
        t = e.type
        match e:
            case n.Get():
                return self._variable(e, most)
            case n.Op2(op="union", left=a, right=b):
                return joined(self.set(a, most), self.set(b, most), t)
            case n.Op2(op="meet", left=a, right=b):
                return fold(n.Op2("meet", self.set(a, most), self.set(b, most), t))
            case n.Op2(op="minus", left=a, right=b):
                return fold(n.Op2("minus", self.set(a, most), self.set(b, not most), t))
            case n.Op1(op="complement", operand=a):
                return fold(n.Op1("complement", self.set(a, not most), t))
            case n.Op1(op="single", operand=n.Load(local=local)) if most and local.id in self.names:
                return self._named(local, t.domain)
            case n.Loop(kind="union" | "filter"):
                over = self.set(e.over, most)
                condition = None if e.condition is None else self.boolean(e.condition, most)
                body = self.set(e.body, most) if e.kind == "union" else self.boolean(e.body, most)
                return fold(n.Loop(e.kind, e.local, over, condition, body, t))
            case n.Flood():
                return fold(replace(e, start=self.set(e.start, most), within=self.set(e.within, most)))
            case n.Closure():
                return fold(replace(e, start=self.set(e.start, most), step=self.set(e.step, most)))
            case n.Cond(condition=c, then=a, otherwise=b):
                return self._either(c, self.set(a, most), self.set(b, most), "union" if most else "meet")
            case n.CallF() | n.LetE():
                return self.set(self.expander.expanded(e), most)
            case _:
                return whole(t, most)

    def _named(self, local: n.Local, domain: Domain) -> n.Expr:
        found: n.Expr = whole(n.SetT(domain), True)
        for over in self.names[local.id]:
            if isinstance(over.type, n.SetT) and over.type.domain == domain and not self._unknown(over):
                found = fold(n.Op2("meet", found, self.set(over, True), n.SetT(domain)))
        return found

    def _variable(self, e: n.Get, most: bool) -> n.Expr:
        """The range of a slot of a set variable."""
        assert isinstance(e.type, n.SetT)
        index = e.var.index
        if index in self.growth.wild or any(self.fixed(k) is None for k in e.keys):
            return whole(e.type, most)
        if not most:
            return whole(e.type, False) if index in self.growth.shrinks else e
        if index in self._within:
            return whole(e.type, True)
        self._within.add(index)
        found: n.Expr = e
        for site in self.growth.grown.get(index, ()):
            if _may_be_same(site.keys, e.keys):
                found = joined(found, self._add(site), e.type)
        self._within.discard(index)
        return found

    def _add(self, site: Grown) -> n.Expr:
        names = {name: tuple(self.expander.renamed(s) for s in sets) for name, sets in site.ranges.items()}
        before, self.names = self.names, {**self.names, **names}
        try:
            return self.set(self.expander.renamed(site.added), True)
        finally:
            self.names = before

    # --------------------------------------------------------------------------------------------------- numbers

    def number(self, e: n.Expr, most: bool) -> n.Expr:
        """An upper (``most``) or lower bound of a number, now and later."""
        known = self._count(e)
        if known is not None:
            return known
        t = e.type
        match e:
            case n.Op1(op="count", operand=s):
                return fold(n.Op1("count", self.set(s, most), t))
            case n.Op1(op="neg", operand=a):
                return fold(n.Op1("neg", self.number(a, not most), t))
            case n.Op2(op="add" | "min" | "max", left=a, right=b):
                return fold(n.Op2(e.op, self.number(a, most), self.number(b, most), t))
            case n.Op2(op="sub", left=a, right=b):
                return fold(n.Op2("sub", self.number(a, most), self.number(b, not most), t))
            case n.Convert(operand=a) if isinstance(a.type, n.IntT):
                return self.number(a, most)
            case n.Loop(kind="count"):
                over, body = self.set(e.over, most), self.boolean(e.body, most)
                condition = None if e.condition is None else self.boolean(e.condition, most)
                return fold(n.Loop("count", e.local, over, condition, body, t))
            case n.Loop(kind="sum" | "max" | "min", over=n.Const(), condition=None):
                return self._folded(e, most)
            case n.Cond(condition=c, then=a, otherwise=b):
                return self._either(c, self.number(a, most), self.number(b, most), "max" if most else "min")
            case n.CallF() | n.LetE():
                return self.number(self.expander.expanded(e), most)
            case _:
                low, high = limits(t)
                return n.Const(high if most else low, n.IntT(low, high))

    def _folded(self, e: n.Loop, most: bool) -> n.Expr:
        """Unrolls a loop over a constant set."""
        assert isinstance(e.over, n.Const)
        op = {"sum": "add", "max": "max", "min": "min"}[e.kind]
        total: n.Expr | None = None
        for i in range(e.over.value.bit_length()):
            if e.over.value >> i & 1:
                one = self.number(
                    fold(substitute(self.expander.renamed(e.body), {e.local.id: n.Const(i, e.local.type)})), most
                )
                total = one if total is None else n.Op2(op, total, one, e.type)  # type: ignore[arg-type]
        low, high = limits(e.type)
        return fold(total) if total is not None else n.Const(high if most else low, n.IntT(low, high))

    # ------------------------------------------------------------------------------------------------- expressions

    def _count(self, e: n.Expr) -> n.Expr | None:
        """``fixed``, counting one more node. Raises ``TooLarge`` beyond the cut-off."""
        self._nodes += 1
        if self._nodes > cutoffs.VISITED_NODES:
            raise TooLarge
        return self.fixed(e)

    def fixed(self, e: n.Expr) -> n.Expr | None:
        """The expression, tabulated, if it is independent of the position, reads no unknown name and cannot fail.
        Otherwise None."""
        if not is_pure(e) or self._unknown(e):
            return None
        e = tabulate(fold(e))
        return None if can_fail(e) else e

    def _unknown(self, e: n.Expr) -> bool:
        return any(name in self.names for name in free_locals(e))


def negated(e: n.Expr) -> n.Expr:
    return fold(n.Op1("not", e, n.BoolT()))


def whole(t: n.SetT, most: bool) -> n.Const:
    """The set of all elements (``most``), or the empty set."""
    return n.Const(t.domain.full if most else 0, t)


def joined(a: n.Expr, b: n.Expr, t: n.SetT) -> n.Expr:
    """The union of two sets: all elements if either has all."""
    everything = whole(t, True)
    return everything if everything in (a, b) else fold(n.Op2("union", a, b, t))


def _may_be_same(a: tuple[n.Expr, ...], b: tuple[n.Expr, ...]) -> bool:
    """Whether two lists of keys may be equal. They cannot be if two constants differ."""
    return not any(isinstance(x, n.Const) and isinstance(y, n.Const) and x != y for x, y in zip(a, b, strict=True))
