"""Closures whose steps lie close to their element: each is read and written through one window of 64 bits.

reach of {d in near(c) - H: ...} for c from {a}
→
for each c in a queue that begins with a: the bits of H around c, by one look-up, give the new elements; they queue up

H and the elements found are arrays of words; the window of c is the 64 bits from the lowest place around c on. So an
element takes as long on a board of many words as on one of a single word.

Not done: steps that can end in a rules error, and those that are no pattern of one set that stays the same
(``analysis/local_patterns.py``).
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.compiler.analysis.local_patterns import Cases, local_patterns
from gamedsl.compiler.emit.expression_code import expr, set_words
from gamedsl.compiler.emit.llvm_module import I64, Fn, bind, const, flag
from gamedsl.compiler.emit.memory import plus
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.sets.set_loops import each_member
from gamedsl.language.core import can_fail, free_locals
from gamedsl.language.core import nodes as n

WORD = 64
AT_ONCE = 2  # new elements that are noted without a branch


def closure_by_windows(f: Fn, e: n.Closure, start: sets.Words) -> sets.Words | None:
    """Emits a closure from these elements. Returns None for other forms, and for sets of one word."""
    if not f.unit.has_deposit or len(start) < 2 or can_fail(e.step, f.unit.program.functions):
        return None
    step, lets = e.step, list[n.LetE]()
    while isinstance(step, n.LetE) and e.local.id not in free_locals(step.value):
        lets.append(step)
        step = step.body
    for one in local_patterns(step):
        lows = _lowest_places(one.cases)
        if one.element.id == e.local.id and e.local.id not in free_locals(one.changing) and lows is not None:
            for let in lets:
                bind(f, let.local, expr(f, let.value))
            return _Windows(f, one.cases, lows, set_words(f, one.changing)).closed(start)
    return None


def _lowest_places(cases: Cases) -> list[int] | None:
    """By element, the lowest place that it asks about or leads to. None if they do not fit into a window."""
    both = [around | result for around, result in zip(cases.around, cases.results, strict=True)]
    lows = [max(0, (places & -places).bit_length() - 1) for places in both]
    return lows if all(places >> low < 1 << WORD for places, low in zip(both, lows, strict=True)) else None


class _Windows:
    def __init__(self, f: Fn, cases: Cases, lows: Sequence[int], held: sets.Words) -> None:
        self.f, self.cases, self.lows = f, cases, lows
        self.held = self._array(held)

    def _array(self, s: sets.Words) -> ir.Value:
        """The words in memory, followed by an empty one."""
        found = self.f.alloca(I64, len(s) + 1)
        for i, word in enumerate((*s, const(0))):
            self.f.builder.store(word, self.f.builder.gep(found, [const(0), const(i)], inbounds=True))
        return found

    def closed(self, start: sets.Words) -> sets.Words:
        f, b = self.f, self.f.builder
        found, queue, end = self._array(start), f.alloca(I64, len(self.lows) + AT_ONCE), f.alloca(I64)
        b.store(const(0), end)

        def put(x: ir.Value, counts: ir.Value) -> None:
            number = b.load(end)
            b.store(x, b.gep(queue, [const(0), number], inbounds=True))
            b.store(b.add(number, counts), end)

        each_member(f, start, 0, lambda x: put(x, const(1)))
        before, head, inside, done = b.block, f.block("closure"), f.block("expand"), f.block("closed")
        b.branch(head)
        f.at(head)
        at = b.phi(I64)
        at.add_incoming(const(0), before)
        b.cbranch(b.icmp_unsigned("<", at, b.load(end)), inside, done)
        f.at(inside)
        x = b.load(b.gep(queue, [const(0), at], inbounds=True))
        low = self._number("lows", self.lows, 16, x)
        new = self._new(found, x, low)
        for _ in range(AT_ONCE):
            some = b.zext(b.icmp_unsigned("!=", new, const(0)), I64)
            put(b.add(low, b.cttz(new, flag(False))), some)
            new = b.and_(new, plus(f, new, -1))
        each_member(f, (new,), 0, lambda bit: put(b.add(low, bit), const(1)))
        at.add_incoming(plus(f, at, 1), b.block)
        b.branch(head)
        f.at(done)
        return tuple(b.load(b.gep(found, [const(0), const(i)], inbounds=True)) for i in range(len(start)))

    def _new(self, found: ir.Value, x: ir.Value, low: ir.Value) -> ir.Value:
        """Adds the elements that x leads to. Returns those that are new, as bits of its window."""
        f, b, cases = self.f, self.f.builder, self.cases
        extract, deposit = (f.unit.external(f"llvm.x86.bmi.{name}.64", I64, [I64, I64]) for name in ("pext", "pdep"))
        around, results = (
            self._number(name, [places >> by for places, by in zip(values, self.lows, strict=True)], WORD, x)
            for name, values in (("around", cases.around), ("results", cases.results))
        )
        asked = b.call(extract, [self._window(self.held, low), around])
        index = b.add(self._number("starts", cases.first, 32, x), asked)
        byte = b.zext(b.load(f.unit.at(b, f.unit.numbers(("cases", cases.table), cases.table, 8), index)), I64)
        new = b.and_(b.call(deposit, [byte, results]), b.not_(self._window(found, low)))
        above = f.unit.external("llvm.fshl.i64", I64, [I64, I64, I64])
        bits = b.and_(low, const(WORD - 1))
        for part, place in zip(
            (b.shl(new, bits), b.call(above, [const(0), new, bits])), self._places(found, low), strict=True
        ):
            b.store(b.or_(b.load(place), part), place)
        return new

    def _number(self, name: str, values: Sequence[int], bits: int, x: ir.Value) -> ir.Value:
        table = self.f.unit.numbers((name, tuple(values)), values, bits)
        found = self.f.builder.load(self.f.unit.at(self.f.builder, table, x))
        return found if bits == WORD else self.f.builder.zext(found, I64)

    def _places(self, array: ir.Value, low: ir.Value) -> tuple[ir.Value, ir.Value]:
        """The addresses of the two words in which a window lies."""
        word = self.f.builder.lshr(low, const(6))
        first, second = (self.f.builder.gep(array, [const(0), plus(self.f, word, i)], inbounds=True) for i in range(2))
        return first, second

    def _window(self, array: ir.Value, low: ir.Value) -> ir.Value:
        """The 64 bits from this one on."""
        first, second = (self.f.builder.load(place) for place in self._places(array, low))
        joined = self.f.unit.external("llvm.fshr.i64", I64, [I64, I64, I64])
        return self.f.builder.call(joined, [second, first, self.f.builder.and_(low, const(WORD - 1))])
