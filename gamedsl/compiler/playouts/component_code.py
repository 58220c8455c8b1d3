"""Components of a growing set in scalar playouts, by union-find: every element points towards the root of its component,
whose entry has the sets that the component touches, as bits.

Where the relation triangulates a disc (``analysis/discs.py``), each element also keeps, as a byte, which of its ring are
in the set. Neighbors side by side are one component, so that one root is looked up for each row of them; and a component
that is met by two rows surrounds something.
"""

from __future__ import annotations

from llvmlite import ir

from gamedsl.compiler.analysis.discs import Disc, disc_of
from gamedsl.compiler.emit.llvm_module import I1, I8, I32, I64, Fn, const, flag
from gamedsl.compiler.emit.memory import plus
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.sets.images import image_of
from gamedsl.compiler.emit.sets.set_loops import each_member
from gamedsl.compiler.transform.monitors import Components, touched
from gamedsl.language.source import lazy_dataclass

I16 = ir.IntType(16)


@lazy_dataclass(frozen=True)
class ComponentLayout:
    """Where a component's data are, in bytes: what roots touch (32 bits an element), then the elements towards the
    roots (16 bits), then the rings (8 bits, and one more entry for what is missing at the border)."""

    size: int
    disc: Disc | None

    @property
    def towards(self) -> int:
        return 4 * self.size

    @property
    def rings(self) -> int:
        return 6 * self.size

    @property
    def bytes(self) -> int:
        return 8 * ((6 * self.size + (self.size + 1 if self.disc else 0) + 7) // 8)


def component_layout(monitor: Components) -> ComponentLayout:
    """The layout of a monitor's data."""
    return ComponentLayout(monitor.type.domain.size, disc_of(monitor.table))


def join_element(f: Fn, monitor: Components, data: ir.Value, value: sets.Words, x: ir.Value) -> ir.Value:
    """Adds x to the components of the set, of which it is an element already. Returns whether the condition holds for
    its component, or is made true by it."""
    return _Join(f, monitor, data, x).join(value)


class _Join:
    def __init__(self, f: Fn, monitor: Components, data: ir.Value, x: ir.Value) -> None:
        self.f, self.monitor, self.data, self.x = f, monitor, data, x
        self.layout = component_layout(monitor)
        self.sets = touched(monitor.touches)
        self.root, self.bits, self.meets = f.alloca(I64), f.alloca(I32), f.alloca(I1)

    def join(self, value: sets.Words) -> ir.Value:
        f, x = self.f, self.x
        of_each = [sum(1 << i for i, s in enumerate(self.sets) if s >> c & 1) for c in range(self.layout.size)]
        table = f.unit.numbers(("touched", self.sets), of_each, 32)
        f.builder.store(f.builder.load(f.unit.at(f.builder, table, x)), self.bits)
        f.builder.store(flag(False), self.meets)
        f.builder.store(x, self.root)
        f.builder.store(f.builder.trunc(x, I16), self._towards(x))
        if self.layout.disc is not None:
            self._each_row(self.layout.disc)
        else:
            beside = sets.both(f, image_of(f, x, self.monitor.table), value)
            each_member(f, sets.without(f, beside, sets.single(f, x, len(value))), 0, self._meet)
        bits = f.builder.load(self.bits)
        f.builder.store(bits, self._touches(f.builder.load(self.root)))
        found: ir.Value = f.builder.load(self.meets) if self.monitor.surrounds else flag(False)
        for one in self.monitor.touches:
            found = f.builder.or_(found, self._enough(bits, one.sets, one.weights, one.least))
        return found

    def _enough(self, bits: ir.Value, asked: tuple[int, ...], weights: tuple[int, ...], least: int) -> ir.Value:
        b = self.f.builder
        total: ir.Value = ir.Constant(I32, 0)
        by_weight: dict[int, int] = {}
        for s, weight in zip(asked, weights, strict=True):
            by_weight[weight] = by_weight.get(weight, 0) | 1 << self.sets.index(s)
        if len(by_weight) == 1 and least > 0:
            ((weight, mask),) = by_weight.items()
            by_weight, least = {1: mask}, -(-least // weight)
        for weight, mask in by_weight.items():
            number = b.ctpop(b.and_(bits, _bits32(mask)))
            total = b.add(total, number if weight == 1 else b.mul(number, ir.Constant(I32, weight)))
        return b.icmp_unsigned(">=", total, ir.Constant(I32, least))

    # ------------------------------------------------------------------------------------------------- neighbors

    def _each_row(self, disc: Disc) -> None:
        """Meets one neighbor of each row of neighbors that are in the set, and tells all neighbors of x."""
        f, b, x, most = self.f, self.f.builder, self.x, max(map(len, disc.rings))
        size = self.layout.size
        padded = [(*ring, *[size] * (most - len(ring))) for ring in disc.rings]
        back = [1 << disc.rings[y].index(c) if y < size else 0 for c, ring in enumerate(padded) for y in ring]
        last = [7 if disc.border >> c & 1 else len(ring) - 1 for c, ring in enumerate(disc.rings)]
        near = f.unit.numbers(("ring", padded[0], self.monitor.table.values), [y for r in padded for y in r], 16)
        bit = f.unit.numbers(("ring bits", self.monitor.table.values), back, 8)
        end = f.unit.numbers(("ring ends", self.monitor.table.values), last, 8)
        p = b.zext(b.load(self._ring(x)), I64)
        base = b.mul(x, const(most))
        for i in range(most):
            index = plus(f, base, i)
            at = self._ring(b.zext(b.load(f.unit.at(b, near, index)), I64))
            b.store(b.or_(b.load(at), b.load(f.unit.at(b, bit, index))), at)
        closing = b.lshr(p, b.zext(b.load(f.unit.at(b, end, x)), I64))
        firsts = b.and_(p, b.not_(b.or_(b.shl(p, const(1)), b.and_(closing, const(1)))))
        whole = b.and_(p, b.neg(p))  # all of the ring: it has no first one
        firsts = b.select(b.icmp_unsigned("==", firsts, const(0)), whole, firsts)
        each_member(
            f,
            (firsts,),
            0,
            lambda i: self._meet(b.zext(b.load(f.unit.at(b, near, b.add(base, i))), I64)),
        )

    def _meet(self, y: ir.Value) -> None:
        """Joins the component of y, an element of the set, with that of x."""
        b = self.f.builder
        other, root = self._root(y), b.load(self.root)
        b.store(b.or_(b.load(self.meets), b.icmp_unsigned("==", other, root)), self.meets)
        alone = b.icmp_unsigned("==", root, self.x)
        above, below = b.select(alone, other, root), b.select(alone, root, other)
        b.store(b.trunc(above, I16), self._towards(below))
        b.store(above, self.root)
        b.store(b.or_(b.load(self.bits), b.load(self._touches(other))), self.bits)

    def _root(self, y: ir.Value) -> ir.Value:
        """The root of y's component. Every second element on the way is led to the one after next."""
        f, b = self.f, self.f.builder
        before, head, higher, found = b.block, f.block("root"), f.block("higher"), f.block("found")
        b.branch(head)
        f.at(head)
        at = b.phi(I64)
        at.add_incoming(y, before)
        above = b.zext(b.load(self._towards(at)), I64)
        b.cbranch(b.icmp_unsigned("==", above, at), found, higher)
        f.at(higher)
        following = b.load(self._towards(above))
        b.store(following, self._towards(at))
        at.add_incoming(b.zext(following, I64), higher)
        b.branch(head)
        f.at(found)
        return at

    # ---------------------------------------------------------------------------------------------------- places

    def _touches(self, x: ir.Value) -> ir.Value:
        return self._place(0, I32, x)

    def _towards(self, x: ir.Value) -> ir.Value:
        return self._place(self.layout.towards, I16, x)

    def _ring(self, x: ir.Value) -> ir.Value:
        return self._place(self.layout.rings, I8, x)

    def _place(self, offset: int, unit: ir.IntType, x: ir.Value) -> ir.Value:
        start = self.f.builder.gep(self.data, [const(offset)], inbounds=True)
        return self.f.builder.gep(self.f.builder.bitcast(start, unit.as_pointer()), [x], inbounds=True)


def _bits32(mask: int) -> ir.Constant:
    return ir.Constant(I32, mask if mask < 1 << 31 else mask - (1 << 32))
