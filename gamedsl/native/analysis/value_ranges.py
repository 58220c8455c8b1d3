"""Abstract interpretation over time: the values an expression may have now or later, given the current position.

A set lies between two sets, a number between two numbers; a condition may hold, or surely holds. The resulting
expressions read only the current position and cannot fail. Without knowledge the range is widest: from no element to
all, may hold but not surely, the limits of the type.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from gamedsl.boards import Domain
from gamedsl.core import can_fail, fold, free_locals, limits, substitute
from gamedsl.core.nodes import (
    BoolT,
    CallF,
    Closure,
    Cond,
    Const,
    Convert,
    Expr,
    Flood,
    Get,
    IntT,
    LetE,
    Load,
    Local,
    Loop,
    Op1,
    Op2,
    SetT,
)
from gamedsl.native import cutoffs
from gamedsl.native.analysis.call_expansion import CallExpander
from gamedsl.native.analysis.constant_tables import is_pure, tabulate
from gamedsl.native.analysis.set_growth import Grown, Growth

YES, NO = Const(1, BoolT()), Const(0, BoolT())


class TooLarge(Exception):
    """The expressions have grown beyond the cut-off."""


@dataclass
class ValueRanges:
    """The value ranges of one program's expressions. ``names`` gives, for each free name whose value is unknown, sets
    that contain it."""

    expander: CallExpander
    growth: Growth
    names: dict[int, tuple[Expr, ...]] = field(default_factory=dict)
    _within: set[int] = field(default_factory=set)
    _nodes: int = 0

    # ----------------------------------------------------------------------------------------------- conditions

    def can(self, e: Expr) -> Expr:
        """May it hold, now or later?"""
        return self.boolean(e, True)

    def sure(self, e: Expr) -> Expr:
        """Does it hold now and always?"""
        return self.boolean(e, False)

    def boolean(self, e: Expr, may: bool) -> Expr:
        """``can`` if ``may``, else ``sure``."""
        known = self._counted(e)
        if known is not None:
            return known
        match e:
            case Op1(op="not", operand=inner):
                return negated(self.boolean(inner, not may))
            case Op2(op="and" | "or", left=a, right=b):
                return fold(Op2(e.op, self.boolean(a, may), self.boolean(b, may), BoolT()))
            case Op1(op="is_empty", operand=s):
                return fold(Op1("is_empty", self.set(s, not may), BoolT()))
            case Op2(op="within", left=a, right=b):
                return fold(Op2("within", self.set(a, not may), self.set(b, may), BoolT()))
            case Op2(op="disjoint", left=a, right=b):
                return fold(Op2("disjoint", self.set(a, not may), self.set(b, not may), BoolT()))
            case Op2(op="in", left=x, right=s):
                known = self.fixed(x)
                return fold(Op2("in", known, self.set(s, may), BoolT())) if known is not None else self.open(may)
            case Op2(op="eq" | "ne" | "lt" | "le"):
                return self._compared(e, may)
            case Loop(kind="some" | "every"):
                return self._quantified(e, may)
            case Cond(condition=c, then=a, otherwise=b):
                return self._either(c, self.boolean(a, may), self.boolean(b, may), "or" if may else "and")
            case CallF() | LetE():
                return self.boolean(self.expander.expanded(e), may)
            case _:
                return self.open(may)

    def open(self, may: bool) -> Const:
        """The truth value when nothing is known."""
        return YES if may else NO

    def _either(self, c: Expr, a: Expr, b: Expr, op: str) -> Expr:
        """The range of a conditional: the first alternative counts if ``c`` can hold, the second unless ``c`` surely
        holds."""
        both = Op2(op, a, b, a.type)  # type: ignore[arg-type]
        return fold(Cond(self.can(c), Cond(self.sure(c), a, both, a.type), b, a.type))

    def _compared(self, e: Op2, may: bool) -> Expr:
        a, b = e.left, e.right
        if e.op == "ne":
            return negated(self.boolean(replace(e, op="eq"), not may))
        if isinstance(a.type, SetT):
            if not may:
                return NO
            first = Op2("within", self.set(a, False), self.set(b, True), BoolT())
            return fold(Op2("and", first, Op2("within", self.set(b, False), self.set(a, True), BoolT()), BoolT()))
        if not isinstance(a.type, IntT) or not isinstance(b.type, IntT):
            return self.open(may)
        if e.op == "eq":
            first = Op2("le", self.number(a, not may), self.number(b, may), BoolT())
            second = Op2("le", self.number(b, not may), self.number(a, may), BoolT())
            return fold(Op2("and", first, second, BoolT()))
        return fold(Op2(e.op, self.number(a, not may), self.number(b, may), BoolT()))

    def _quantified(self, e: Loop, may: bool) -> Expr:
        """``some`` ranges over the largest set if it may hold, over the smallest if it surely holds; ``every`` the
        other way round."""
        over = self.set(e.over, may == (e.kind == "some"))
        body = self.boolean(e.body, may)
        if e.condition is not None:
            asked = self.boolean(e.condition, may == (e.kind == "some"))
            body = Op2("and", asked, body, BoolT()) if e.kind == "some" else Op2("or", negated(asked), body, BoolT())
        return fold(Loop(e.kind, e.local, over, None, fold(body), BoolT()))

    # ------------------------------------------------------------------------------------------------------ sets

    def set(self, e: Expr, most: bool) -> Expr:
        """A superset of all values, now and later (``most``), or a subset of all of them."""
        assert isinstance(e.type, SetT)
        known = self._counted(e)
        if known is not None:
            return known
        t = e.type
        match e:
            case Get():
                return self._variable(e, most)
            case Op2(op="union", left=a, right=b):
                return joined(self.set(a, most), self.set(b, most), t)
            case Op2(op="meet", left=a, right=b):
                return fold(Op2("meet", self.set(a, most), self.set(b, most), t))
            case Op2(op="minus", left=a, right=b):
                return fold(Op2("minus", self.set(a, most), self.set(b, not most), t))
            case Op1(op="complement", operand=a):
                return fold(Op1("complement", self.set(a, not most), t))
            case Op1(op="single", operand=Load(local=local)) if most and local.id in self.names:
                return self._named(local, t.domain)
            case Loop(kind="union" | "filter"):
                over = self.set(e.over, most)
                condition = None if e.condition is None else self.boolean(e.condition, most)
                body = self.set(e.body, most) if e.kind == "union" else self.boolean(e.body, most)
                return fold(Loop(e.kind, e.local, over, condition, body, t))
            case Flood():
                return fold(replace(e, start=self.set(e.start, most), within=self.set(e.within, most)))
            case Closure():
                return fold(replace(e, start=self.set(e.start, most), step=self.set(e.step, most)))
            case Cond(condition=c, then=a, otherwise=b):
                return self._either(c, self.set(a, most), self.set(b, most), "union" if most else "meet")
            case CallF() | LetE():
                return self.set(self.expander.expanded(e), most)
            case _:
                return whole(t, most)

    def _named(self, local: Local, domain: Domain) -> Expr:
        found: Expr = whole(SetT(domain), True)
        for over in self.names[local.id]:
            if isinstance(over.type, SetT) and over.type.domain == domain and not self._unknown(over):
                found = fold(Op2("meet", found, self.set(over, True), SetT(domain)))
        return found

    def _variable(self, e: Get, most: bool) -> Expr:
        """The range of a slot of a set variable."""
        assert isinstance(e.type, SetT)
        index = e.var.index
        if index in self.growth.wild or any(self.fixed(k) is None for k in e.keys):
            return whole(e.type, most)
        if not most:
            return whole(e.type, False) if index in self.growth.shrinks else e
        if index in self._within:
            return whole(e.type, True)
        self._within.add(index)
        found: Expr = e
        for site in self.growth.grown.get(index, ()):
            if _may_be_same(site.keys, e.keys):
                found = joined(found, self._added(site), e.type)
        self._within.discard(index)
        return found

    def _added(self, site: Grown) -> Expr:
        names = {name: tuple(self.expander.renamed(s) for s in sets) for name, sets in site.ranges.items()}
        before, self.names = self.names, {**self.names, **names}
        try:
            return self.set(self.expander.renamed(site.added), True)
        finally:
            self.names = before

    # --------------------------------------------------------------------------------------------------- numbers

    def number(self, e: Expr, most: bool) -> Expr:
        """An upper (``most``) or lower bound, now and later."""
        known = self._counted(e)
        if known is not None:
            return known
        t = e.type
        match e:
            case Op1(op="count", operand=s):
                return fold(Op1("count", self.set(s, most), t))
            case Op1(op="neg", operand=a):
                return fold(Op1("neg", self.number(a, not most), t))
            case Op2(op="add" | "min" | "max", left=a, right=b):
                return fold(Op2(e.op, self.number(a, most), self.number(b, most), t))
            case Op2(op="sub", left=a, right=b):
                return fold(Op2("sub", self.number(a, most), self.number(b, not most), t))
            case Convert(operand=a) if isinstance(a.type, IntT):
                return self.number(a, most)
            case Loop(kind="count"):
                over, body = self.set(e.over, most), self.boolean(e.body, most)
                condition = None if e.condition is None else self.boolean(e.condition, most)
                return fold(Loop("count", e.local, over, condition, body, t))
            case Loop(kind="sum" | "max" | "min", over=Const(), condition=None):
                return self._folded(e, most)
            case Cond(condition=c, then=a, otherwise=b):
                return self._either(c, self.number(a, most), self.number(b, most), "max" if most else "min")
            case CallF() | LetE():
                return self.number(self.expander.expanded(e), most)
            case _:
                low, high = limits(t)
                return Const(high if most else low, IntT(low, high))

    def _folded(self, e: Loop, most: bool) -> Expr:
        """Unrolls a loop over a constant set."""
        assert isinstance(e.over, Const)
        op = {"sum": "add", "max": "max", "min": "min"}[e.kind]
        total: Expr | None = None
        for i in range(e.over.value.bit_length()):
            if e.over.value >> i & 1:
                one = self.number(
                    fold(substitute(self.expander.renamed(e.body), {e.local.id: Const(i, e.local.type)})), most
                )
                total = one if total is None else Op2(op, total, one, e.type)  # type: ignore[arg-type]
        low, high = limits(e.type)
        return fold(total) if total is not None else Const(high if most else low, IntT(low, high))

    # ------------------------------------------------------------------------------------------------- expressions

    def _counted(self, e: Expr) -> Expr | None:
        """``fixed``, counting one more node. Raises ``TooLarge`` beyond the cut-off."""
        self._nodes += 1
        if self._nodes > cutoffs.RANGE_NODES:
            raise TooLarge
        return self.fixed(e)

    def fixed(self, e: Expr) -> Expr | None:
        """The expression, tabulated, if it is independent of the position, reads no unknown name and cannot fail.
        Otherwise None."""
        if not is_pure(e) or self._unknown(e):
            return None
        e = tabulate(fold(e))
        return None if can_fail(e) else e

    def _unknown(self, e: Expr) -> bool:
        return any(name in self.names for name in free_locals(e))


def negated(e: Expr) -> Expr:
    return fold(Op1("not", e, BoolT()))


def whole(t: SetT, most: bool) -> Const:
    """All elements, or none."""
    return Const(t.domain.full if most else 0, t)


def joined(a: Expr, b: Expr, t: SetT) -> Expr:
    """The union of two sets: all elements if either has all."""
    everything = whole(t, True)
    return everything if everything in (a, b) else fold(Op2("union", a, b, t))


def _may_be_same(a: tuple[Expr, ...], b: tuple[Expr, ...]) -> bool:
    """May two lists of keys be equal? (Not if two constants differ.)"""
    return not any(isinstance(x, Const) and isinstance(y, Const) and x != y for x, y in zip(a, b, strict=True))
