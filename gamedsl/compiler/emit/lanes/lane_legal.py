"""The legal actions that a lane keeps: they are found, checked, and written into a mask.

If there are few actions, a lane keeps them as bits, and its mask is written anew at every step. If there are many, it
keeps a list, and only the entries of the mask that change are written.
"""

from __future__ import annotations

from llvmlite import ir

from gamedsl.compiler.emit.lanes.lane_run import RUN, RunField, field, item, lane_row
from gamedsl.compiler.emit.lanes.lane_tables import LaneTables
from gamedsl.compiler.emit.lanes.legal_numbers import legal_numbers
from gamedsl.compiler.emit.lanes.spread_bits import spread_bits
from gamedsl.compiler.emit.llvm_module import I1, I8, I32, I64, PTR, VOID, Fn, Unit, const
from gamedsl.compiler.emit.random_numbers import below
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.sets.set_loops import each_below
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class LaneLegal:
    """Emits code for the legal actions of a lane. ``memory`` is the run."""

    unit: Unit
    tables: LaneTables

    def is_legal(self) -> ir.Function:
        """``is_legal(run, lane, action)``: whether the action is among the legal ones of the lane."""
        made = self.unit.declare("is_legal", I1, [RUN, I64, I64])
        memory, lane, action = made.args
        f = Fn(self.unit, ir.IRBuilder(made.append_basic_block("entry")), made, memory, memory)
        row = self.row(f, memory, lane)
        if self.tables.bit_words:
            fits = f.builder.icmp_unsigned("<", action, const(self.tables.actions))
            at = f.builder.select(fits, action, const(0))
            word = f.builder.load(f.builder.gep(_words(f, row), [f.builder.lshr(at, const(6))], inbounds=True))
            bit = f.builder.trunc(f.builder.lshr(word, f.builder.and_(at, const(63))), I1)
            f.builder.ret(f.builder.and_(fits, bit))
            return made
        found = f.block("found")

        def one(i: ir.Value) -> None:
            following = f.block("other")
            f.builder.cbranch(f.builder.icmp_unsigned("==", _listed(f, row, i), action), found, following)
            f.at(following)

        each_below(f, f.builder.load(item(f, memory, RunField.COUNTS, lane)), one)
        f.builder.ret(ir.Constant(I1, 0))
        f.at(found)
        f.builder.ret(ir.Constant(I1, 1))
        return made

    def row(self, f: Fn, memory: ir.Value, lane: ir.Value) -> ir.Value:
        """The address of the legal actions of a lane."""
        words = self.tables.bit_words
        if words:
            return lane_row(f, memory, RunField.LEGAL, lane, 8 * (words + 1))
        size = f.builder.mul(f.builder.mul(field(f, memory, RunField.CAPACITY), const(4)), lane)
        return f.builder.inttoptr(f.builder.add(field(f, memory, RunField.LEGAL), size), PTR)

    def find(self, f: Fn, memory: ir.Value, row: ir.Value) -> ir.Value:
        """Finds and keeps the legal actions of the state. Returns their number; if they are kept as bits, a value that
        is zero only if there are none."""
        used = f.alloca(I64)
        f.builder.store(const(0), used)
        self._clear_bits(f, row)
        capacity = field(f, memory, RunField.CAPACITY)
        f.builder.call(legal_numbers(self.unit, self.tables.numbers), [f.ctx, f.s, row, used, capacity])
        return sets.any_bit(f, self._bits(f, row)) if self.tables.bit_words else f.builder.load(used)

    def pick(self, f: Fn, row: ir.Value, count: ir.Value, x: ir.Value) -> ir.Value:
        """One of the actions that were found, chosen by random bits."""
        if self.tables.bit_words:
            bits = self._bits(f, row)
            return sets.pick(f, bits, below(f.builder, x, sets.count(f, bits)))
        return _listed(f, row, below(f.builder, x, count))

    def tell(self, f: Fn, memory: ir.Value, lane: ir.Value, row: ir.Value, count: ir.Value) -> None:
        """Writes the actions that were found into the mask."""
        if self.tables.bit_words:
            mask = lane_row(f, memory, RunField.MASKS, lane, self.tables.actions)
            spread_bits(f, mask, self._bits(f, row), self.tables.actions)
        else:
            f.builder.store(count, item(f, memory, RunField.COUNTS, lane))
            self._mark(f, memory, lane, row, 1)

    def untell(self, f: Fn, memory: ir.Value, lane: ir.Value, row: ir.Value) -> None:
        """Clears the mask, if the legal actions are listed."""
        if not self.tables.bit_words:
            self._mark(f, memory, lane, row, 0)
            f.builder.store(const(0), item(f, memory, RunField.COUNTS, lane))

    def fetch(self, f: Fn, memory: ir.Value, lane: ir.Value) -> None:
        """Prefetches the entries of the mask that ``untell`` will write, because they are far apart."""
        if self.tables.bit_words:
            return
        mask, row = lane_row(f, memory, RunField.MASKS, lane, self.tables.actions), self.row(f, memory, lane)
        kind = ir.FunctionType(VOID, [PTR, I32, I32, I32])
        fetch = f.builder.module.declare_intrinsic("llvm.prefetch", [PTR], kind)
        write, near, data = (ir.Constant(I32, n) for n in (1, 3, 1))
        each_below(
            f,
            f.builder.load(item(f, memory, RunField.COUNTS, lane)),
            lambda i: f.builder.call(fetch, [f.builder.gep(mask, [_listed(f, row, i)]), write, near, data]),
        )

    def forget(self, f: Fn, memory: ir.Value, lane: ir.Value, row: ir.Value) -> None:
        """Makes the lane know of no legal action."""
        if self.tables.bit_words:
            self._clear_bits(f, row)
        else:
            f.builder.store(const(0), item(f, memory, RunField.COUNTS, lane))

    # ------------------------------------------------------------------------------------------------ inside

    def _bits(self, f: Fn, row: ir.Value) -> sets.Words:
        words = _words(f, row)
        return tuple(
            f.builder.load(f.builder.gep(words, [const(i)], inbounds=True)) for i in range(self.tables.bit_words)
        )

    def _clear_bits(self, f: Fn, row: ir.Value) -> None:
        for i in range(self.tables.bit_words):
            f.builder.store(const(0), f.builder.gep(_words(f, row), [const(i)], inbounds=True))

    def _mark(self, f: Fn, memory: ir.Value, lane: ir.Value, row: ir.Value, value: int) -> None:
        """Writes a value into the mask for all listed actions."""
        mask = lane_row(f, memory, RunField.MASKS, lane, self.tables.actions)

        def one(i: ir.Value) -> None:
            f.builder.store(ir.Constant(I8, value), f.builder.gep(mask, [_listed(f, row, i)], inbounds=True))

        each_below(f, f.builder.load(item(f, memory, RunField.COUNTS, lane)), one)


def _words(f: Fn, row: ir.Value) -> ir.Value:
    return f.builder.bitcast(row, I64.as_pointer())


def _listed(f: Fn, row: ir.Value, i: ir.Value) -> ir.Value:
    """The i-th action of a list."""
    numbers = f.builder.bitcast(row, I32.as_pointer())
    return f.builder.zext(f.builder.load(f.builder.gep(numbers, [i], inbounds=True)), I64)
