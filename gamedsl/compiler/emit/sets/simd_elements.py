"""SIMD over elements: a condition evaluated for all elements of a small domain at once, one per lane.

``filter b in B: F(own | (T(b) & empty))`` takes hardly longer than F for a single b, if every set that depends on b
fits into a word. Values that depend on b are vectors; others are computed once and broadcast. Tests for lines of a
changing set L within a set that depends on b work by shapes (``line_places.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import prod

from llvmlite import ir

from gamedsl.compiler import cutoffs
from gamedsl.compiler.emit.expression_code import boolean, number, set_words
from gamedsl.compiler.emit.llvm_module import I64, Fn, Value, const, in_all_lanes
from gamedsl.compiler.emit.memory import times
from gamedsl.compiler.emit.memory_layout import WORD
from gamedsl.compiler.emit.sets import line_places as places
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.sets.line_patterns import Shape
from gamedsl.language.core import can_fail, conjuncts, free_locals, limits, offset, substitute
from gamedsl.language.core import nodes as n

HALF, BITS = 32, 512  # a lane holds a word or half of one; bits of a vector
Lanes = Callable[[int], ir.Value]  # emits the values of the elements from this one on


def simd_elements(f: Fn, e: n.Loop) -> Value | None:
    """Emits a quantifier, a count or a filter of this form. Returns None for other forms."""
    t = e.local.type
    if not f.unit.has_lanes or e.condition is not None or e.kind not in ("some", "every", "count", "filter"):
        return None
    if (
        not isinstance(t, n.ElemT)
        or not cutoffs.SIMD_LEAST <= t.domain.size <= WORD
        or can_fail(e.body, f.unit.program.functions)
    ):
        return None
    asked = [c for c in conjuncts(e.body) if e.local.id in free_locals(c)]
    once = [c for c in conjuncts(e.body) if e.local.id not in free_locals(c)]
    try:
        work = SimdElements(f, e.local, t)
        holds = [work.boolean(c) for c in asked]
        work.check()
    except NotVector:
        return None
    over = set_words(f, e.over)
    found = sets.both(f, over, (work.set_of(holds),)) if holds else over
    if once:
        found = _where(f, once, found)
    return sets.quantified(f, e.kind, over, found)


def _where(f: Fn, conditions: Sequence[n.Expr], found: sets.Words) -> sets.Words:
    """The set if these conditions hold, else the empty set. They are evaluated only if the set is not empty."""
    done, incoming = f.block("asked"), [(const(0), f.builder.block)]
    following = f.block("some")
    f.builder.cbranch(sets.is_empty(f, found), done, following)
    for c in conditions:
        f.at(following)
        holds, following = boolean(f, c), f.block("holds")
        incoming.append((const(0), f.builder.block))
        f.builder.cbranch(holds, following, done)
    f.at(following)
    incoming.append((found[0], following))
    f.builder.branch(done)
    f.at(done)
    joined = f.builder.phi(I64)
    for value, block in incoming:
        joined.add_incoming(value, block)
    return (joined,)


def _mixed(f: Fn, e: n.Lookup, own: int) -> ir.Value:
    """The number of the row that the other keys of a table give."""
    index: ir.Value = const(0)
    for i, (domain, key) in enumerate(zip(e.table.keys, e.keys, strict=True)):
        if i != own:
            index = f.builder.add(times(f, index, domain.size), number(f, key))
    return index


def _rows(table: n.TableData, own: int, padded: int, bits: int) -> list[int]:
    """The table with this key as the last one, each row padded with zeros."""
    sizes = [d.size for d in table.keys]
    strides = [prod(sizes[i + 1 :]) for i in range(len(sizes))]
    others = [
        range(0, size * stride, stride) for i, (size, stride) in enumerate(zip(sizes, strides, strict=True)) if i != own
    ]
    mask, padding = (1 << bits) - 1, [0] * (padded - sizes[own])
    found: list[int] = []
    for starts in product(*others):
        first = sum(starts)
        found += [table.values[first + i * strides[own]] & mask for i in range(sizes[own])] + padding
    return found


class NotVector(Exception):
    """The condition has another form."""


class SimdElements:
    """Analyzes the conditions first (``boolean``) and emits them afterward (``set_of``), so that nothing is emitted for
    a condition of another form."""

    least = HALF  # the initial width of a lane

    def __init__(self, f: Fn, local: n.Local, t: n.ElemT) -> None:
        self.f = f
        self.size = t.domain.size
        self.width = self.least
        self.nodes = 0
        self.own: Lanes = lambda at: self.constant(range(at, at + self.lanes))
        self.vectors = {local.id: self.own}
        self._everywhere: dict[n.Expr, ir.Value] = {}

    @property
    def lanes(self) -> int:
        return min(BITS // self.width, 1 << (self.size - 1).bit_length())

    @property
    def type(self) -> ir.VectorType:
        return ir.VectorType(ir.IntType(self.width), self.lanes)

    def count_node(self) -> None:
        """Counts a node to be written. Raises ``NotVector`` beyond the cut-off, before called functions are looked at:
        functions that call others twice multiply."""
        self.nodes += 1
        if self.nodes > cutoffs.COPIED_NODES:
            raise NotVector

    def check(self) -> None:
        """Raises ``NotVector`` if all vectors together have too many nodes."""
        if self.nodes * -(-self.size // self.lanes) > cutoffs.COPIED_NODES:
            raise NotVector

    def set_of(self, conditions: Sequence[Lanes]) -> ir.Value:
        """The elements that satisfy all conditions. Bits beyond the domain are undefined."""
        b, total = self.f.builder, const(0)
        for at in range(0, self.size, self.lanes):
            found = [c(at) for c in conditions]
            holds = found[0]
            for one in found[1:]:
                holds = b.and_(holds, one)
            bits = b.zext(b.bitcast(holds, ir.IntType(self.lanes)), I64) if self.lanes < WORD else holds
            total = b.or_(total, b.shl(bits, const(at))) if at else bits
        return total

    # -------------------------------------------------------------------------------------------------- kinds of nodes

    def free(self, e: n.Expr) -> bool:
        return free_locals(e).keys().isdisjoint(self.vectors)

    def boolean(self, e: n.Expr) -> Lanes:
        """A condition as a vector of bits."""
        self.count_node()
        if self.free(e):
            return lambda at: self.everywhere(e, lambda: boolean(self.f, e))
        match e:
            case n.Load(local=local):
                return self.vectors[local.id]
            case n.Op1(op="not", operand=x):
                inner = self.boolean(x)
                return lambda at: self.f.builder.not_(inner(at))
            case n.Op1(op="is_empty", operand=x):
                return self.empty(self.word(x))
            case n.Op2(op="and" | "or"):
                return self.joined(e.op, self.boolean(e.left), self.boolean(e.right))
            case n.Op2(op="disjoint"):
                return self.lines(e) or self.empty(self.joined("and", self.word(e.left), self.word(e.right)))
            case n.Op2(op="within"):
                return self.empty(self.without(self.word(e.left), self.word(e.right)))
            case n.Op2(op="in"):
                return self.filled(self.joined("and", self.bit(e.left), self.word(e.right)))
            case n.Op2(op="eq" | "ne") if not isinstance(e.left.type, n.BoolT):
                return self.compared("==" if e.op == "eq" else "!=", self.word(e.left), self.word(e.right))
            case n.Lookup():
                if len(e.keys) > 1:
                    row = self.row(e, 8)
                    return lambda at: self.f.builder.icmp_unsigned("!=", row(at), self.constant([0] * self.lanes, 8))
                bits = self.looked_up(e)
                return lambda at: self.constant(bits[at : at + self.lanes], 1)
            case _:
                return self.opened(e, self.boolean)

    def word(self, e: n.Expr) -> Lanes:
        """A set or a number as a vector of words."""
        self.count_node()
        self.fit(e)
        if self.free(e):
            return lambda at: self.everywhere(e, lambda: self.cut(e))
        match e:
            case n.Load(local=local):
                return self.vectors[local.id]
            case n.Lookup():
                if len(e.keys) > 1:
                    return self.row(e)
                values = self.looked_up(e)
                return lambda at: self.constant(values[at : at + self.lanes])
            case n.Op1(op="complement", operand=x) if isinstance(e.type, n.SetT):
                inner, full = self.word(x), e.type.domain.full
                return lambda at: self.f.builder.xor(inner(at), self.constant([full] * self.lanes))
            case n.Op1(op="single", operand=x):
                return self.bit(x)
            case n.Op2(op="union" | "meet"):
                return self.joined("or" if e.op == "union" else "and", self.word(e.left), self.word(e.right))
            case n.Op2(op="minus"):
                return self.without(self.word(e.left), self.word(e.right))
            case _:
                return self.opened(e, self.word)

    def opened(self, e: n.Expr, plan: Callable[[n.Expr], Lanes]) -> Lanes:
        """Conditionals, lets and calls, as vectors. Raises ``NotVector`` for others."""
        match e:
            case n.Cond(condition=c, then=x, otherwise=y):
                asked, one, other = self.boolean(c), plan(x), plan(y)
                return lambda at: self.f.builder.select(asked(at), one(at), other(at))
            case n.LetE(local=local, value=value, body=body):
                return plan(self.bound([(local.id, value)], body))
            case n.CallF(function=index, args=args):
                called = self.f.unit.program.functions[index]
                return plan(self.bound([(p.id, a) for p, a in zip(called.params, args, strict=True)], called.body))
            case _:
                raise NotVector

    def bound(self, named: Sequence[tuple[int, n.Expr]], body: n.Expr) -> n.Expr:
        """Substitutes values that do not depend on the element. The other names stand for vectors."""
        once = {i: value for i, value in named if self.free(value)}
        plans = {
            i: self.boolean(value) if isinstance(value.type, n.BoolT) else self.word(value)
            for i, value in named
            if i not in once
        }
        self.vectors |= plans
        return substitute(body, once)

    def lines(self, e: n.Op2) -> Lanes | None:
        """``L disjoint complement(union x in complement(S): lines of x)``, where only S depends on the element. Returns
        None for other forms."""
        found = places.asked(e)
        if found is None or not self.free(found.lines):
            return None
        inside = self.word(found.inside)
        where: list[ir.Value] = []

        def written(at: int) -> ir.Value:
            if not where:
                where.extend(in_all_lanes(self.f.builder, x, self.lanes) for x in places.of(self.f, found, self.width))
            s, total = inside(at), None
            for shape, place in zip(found.shapes, where, strict=True):
                one = self.f.builder.and_(self.run(s, shape), place)
                total = one if total is None else self.f.builder.or_(total, one)
            return self.f.builder.icmp_unsigned("==", total, self.constant([0] * self.lanes))

        self.nodes += 4 * len(found.shapes)
        return written

    def run(self, s: ir.Value, shape: Shape) -> ir.Value:
        """The elements at which the whole shape occurs in the set, in each lane."""
        b, found = self.f.builder, s
        for by, doubled in places.moves(shape):
            moved = b.lshr(found if doubled else s, self.constant([by] * self.lanes))
            found = b.and_(found, moved)
        return found

    # ------------------------------------------------------------------------------------------------------- emission

    def fit(self, e: n.Expr) -> None:
        """Widens the lanes to fit the value."""
        match e.type:
            case n.SetT(domain) if domain.size <= WORD:
                self.fit_bits(domain.size)
            case n.ElemT() | n.IntT():
                low, high = limits(e.type)
                if not -(1 << HALF - 1) <= low <= high < 1 << HALF - 1:
                    raise NotVector
                if not -(1 << self.least - 1) <= low <= high < 1 << self.least - 1:
                    self.width = max(self.width, HALF)
            case _:
                raise NotVector

    def fit_bits(self, count: int) -> None:
        """Widens the lanes to at least ``count`` bits."""
        if count > self.width:
            self.width = HALF if count <= HALF else WORD

    def looked_up(self, e: n.Lookup) -> tuple[int, ...]:
        """The table's values, by element."""
        key = e.keys[0]
        if len(e.keys) != 1 or not isinstance(key, n.Load) or self.vectors.get(key.local.id) is not self.own:
            raise NotVector
        return e.table.values

    def row(self, e: n.Lookup, width: int = 0) -> Lanes:
        """The values of a table of several keys, of which one is the element and the others do not depend on it.
        ``width``: bits of an entry, as many as a lane if 0."""
        own = [i for i, k in enumerate(e.keys) if isinstance(k, n.Load) and self.vectors.get(k.local.id) is self.own]
        others = [k for i, k in enumerate(e.keys) if i not in own]
        if len(own) != 1 or not all(self.free(k) for k in others):
            raise NotVector
        rows = len(e.table.values) // max(1, self.size)
        if rows * self.size * (width or WORD) > cutoffs.TABLE_WORDS * WORD:
            raise NotVector
        index: list[ir.Value] = []

        def written(at: int) -> ir.Value:
            f, bits = self.f, width or self.width
            padded = -(-self.size // self.lanes) * self.lanes
            if not index:
                index.append(times(f, _mixed(f, e, own[0]), padded))
            key = ("rows", e.table, own[0], bits, padded)
            table = f.unit.numbers(key, _rows(e.table, own[0], padded, bits), bits)
            place = f.unit.at(f.builder, table, f.builder.add(index[0], const(at)))
            vector = ir.VectorType(ir.IntType(bits), self.lanes)
            found = f.builder.load(f.builder.bitcast(place, vector.as_pointer()))
            found.align = bits // 8
            return found

        return written

    def constant(self, values: Sequence[int], width: int | None = None) -> ir.Constant:
        """A vector of these numbers, padded with zeros."""
        width = width or self.width
        t, top = ir.VectorType(ir.IntType(width), self.lanes), 1 << width
        padded = [*values, *(0 for _ in range(self.lanes - len(values)))]
        return ir.Constant(t, [count - top if count >= top >> 1 and width > 1 else count for count in padded])

    def everywhere(self, e: n.Expr, value: Callable[[], ir.Value]) -> ir.Value:
        """Broadcasts a value that does not depend on the element."""
        if e not in self._everywhere:
            self._everywhere[e] = in_all_lanes(self.f.builder, value(), self.lanes)
        return self._everywhere[e]

    def cut(self, e: n.Expr) -> ir.Value:
        """Truncates a value to the width of a lane."""
        value = set_words(self.f, e)[0] if isinstance(e.type, n.SetT) else number(self.f, e)
        return self.f.builder.trunc(value, ir.IntType(self.width)) if self.width < WORD else value

    def bit(self, e: n.Expr) -> Lanes:
        """The singleton of an element."""
        x, low = self.word(e), offset(e.type)
        if isinstance(e.type, n.ElemT):
            self.fit_bits(e.type.domain.size)

        def written(at: int) -> ir.Value:
            place = x(at) if low == 0 else self.f.builder.sub(x(at), self.constant([low] * self.lanes))
            return self.f.builder.shl(self.constant([1] * self.lanes), place)

        return written

    def joined(self, op: str, a: Lanes, b: Lanes) -> Lanes:
        if op == "and":
            return lambda at: self.f.builder.and_(a(at), b(at))
        return lambda at: self.f.builder.or_(a(at), b(at))

    def without(self, a: Lanes, b: Lanes) -> Lanes:
        return lambda at: self.f.builder.and_(a(at), self.f.builder.xor(b(at), self.constant([-1] * self.lanes)))

    def compared(self, sign: str, a: Lanes, b: Lanes) -> Lanes:
        return lambda at: self.f.builder.icmp_unsigned(sign, a(at), b(at))

    def empty(self, a: Lanes) -> Lanes:
        return lambda at: self.f.builder.icmp_unsigned("==", a(at), self.constant([0] * self.lanes))

    def filled(self, a: Lanes) -> Lanes:
        return lambda at: self.f.builder.icmp_unsigned("!=", a(at), self.constant([0] * self.lanes))
