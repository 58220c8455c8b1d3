"""Packed states: rows of 64-bit words without padding, for tables of very many states.

``pack(ctx, s, row) -> 0`` writes the row of the state at s, ``unpack(ctx, s, row) -> 0`` the state of a row. Equal
states have equal rows, and unused bits are zero. Noted positions are represented by their number in the arena, so their
rows are equal only if the numbers are. Drawings are not stored in rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from llvmlite import ir

from gamedsl.compiler import cutoffs
from gamedsl.compiler.emit.llvm_module import I64, PTR, Fn, Unit, const
from gamedsl.compiler.emit.memory import clear, copy_bytes, pointer
from gamedsl.compiler.emit.memory_layout import WORD, Frame
from gamedsl.language.core import Layout, limits, value_bits
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

BLOCK, CHOICE, HANDLE = -1, -2, -3  # in place of the variable of a field
HANDLE_BITS = 32


@lazy_dataclass(frozen=True)
class Field:
    """A field of a row: the lowest ``width`` bits of the unit of ``unit`` bits at ``offset`` in the state, stored from
    bit ``shift`` of a word.

    ``variable``: the variable's index, or ``BLOCK`` for the number of the block, ``CHOICE`` for a pending choice,
    ``HANDLE`` for noted positions. ``most``: the largest number that the bits may hold.
    """

    variable: int
    offset: int
    unit: int
    width: int
    most: int
    word: int = 0
    shift: int = 0

    @property
    def mask(self) -> int:
        """The field's bits in the word."""
        return (1 << self.width) - 1 << self.shift


@lazy_dataclass(frozen=True)
class Rows:
    """The layout of rows for a frame: ``words`` per row. ``fields`` is empty if states are copied unpacked. Otherwise
    the first field is the number of the block, in the lowest bits of the first word."""

    words: int
    fields: tuple[Field, ...]
    block_bits: int

    @staticmethod
    def of(frame: Frame) -> Rows:
        """Places each value in the first word with enough free bits."""
        wanted = [f for f in _fields(frame) if f.width]
        if len(wanted) > cutoffs.PACKED_FIELDS:
            return Rows(frame.size // 8, (), 32)
        free: list[int] = []
        placed = []
        for f in wanted:
            word = next((w for w, left in enumerate(free) if left >= f.width), len(free))
            if word == len(free):
                free.append(WORD)
            placed.append(replace(f, word=word, shift=WORD - free[word]))
            free[word] -= f.width
        return Rows(len(free), tuple(placed), placed[0].width)

    @staticmethod
    def every_field(frame: Frame) -> tuple[Field, ...]:
        """The fields of a frame's rows. If states are copied unpacked, each field fills its unit."""
        found = Rows.of(frame).fields
        if found:
            return found
        return tuple(
            replace(f, width=f.unit, word=f.offset // 8, shift=8 * (f.offset % 8)) for f in _fields(frame) if f.width
        )

    def handle(self, frame: Frame, var: n.Var) -> tuple[int, int]:
        """The word, and the lowest bit in it, of the handle of a variable's noted positions."""
        offset = frame.place(var).offset
        found = ((f.word, f.shift) for f in self.fields if f.variable == HANDLE and f.offset == offset)
        return next(found, (offset // 8, 0))


def _fields(frame: Frame) -> Iterator[Field]:
    layout = frame.layout
    yield Field(BLOCK, 0, 32, layout.block_bits, len(frame.program.blocks) - 1)
    for var in frame.program.variables:
        if not isinstance(var.type, n.HistoryT | n.DrawingT):
            for slot in range(var.slots):
                yield from _slot(frame, layout, var, slot)
    for mover in range(frame.movers):
        yield Field(CHOICE, frame.pending + 8 * mover, WORD, layout.choice_bits, (1 << layout.choice_bits) - 1)
    for var in frame.program.variables:
        if isinstance(var.type, n.HistoryT):
            yield Field(HANDLE, frame.place(var).offset, WORD, HANDLE_BITS, (1 << HANDLE_BITS) - 1)


def _slot(frame: Frame, layout: Layout, var: n.Var, slot: int) -> Iterator[Field]:
    place = frame.place(var)
    at = place.offset + slot * place.stride
    if isinstance(var.type, n.StackT):
        low, high = limits(var.type.inner)
        yield Field(var.index, at, place.height_bits, var.type.limit.bit_length(), var.type.limit)
        for i in range(var.type.limit):
            item = at + place.items + i * place.cell.size
            yield Field(var.index, item, place.cell.bits, value_bits(var.type.inner), high - low)
        return
    low, high = limits(var.type)
    left, most = layout.widths[var.index], high - low
    for unit in range(place.cell.count):  # more than one unit: a set, in which every bit may be set
        width = min(left, place.cell.bits)
        yield Field(var.index, at + unit * place.cell.bits // 8, place.cell.bits, width, most & (1 << width) - 1)
        left, most = left - width, most >> width


# -------------------------------------------------------------------------------------------------- emission


def pack(unit: Unit) -> ir.Function:
    """Emits ``pack``."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        rows = Rows.of(unit.frame)
        if not rows.fields:
            copy_bytes(f, values[0], f.s, 8 * rows.words)
        for word in range(rows.words if rows.fields else 0):
            found: ir.Value = const(0)
            for field in rows.fields:
                if field.word == word:
                    value = _unit(f, f.s, field)
                    found = f.builder.or_(found, f.builder.shl(value, const(field.shift)) if field.shift else value)
            f.builder.store(found, pointer(f, values[0], 8 * word, I64))
        f.builder.ret(const(0))

    return unit.function("pack", "pack", I64, [PTR], body, public=True)


def unpack(unit: Unit) -> ir.Function:
    """Emits ``unpack``."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        rows = Rows.of(unit.frame)
        clear(f, f.s, unit.frame.size)
        if not rows.fields:
            copy_bytes(f, f.s, values[0], 8 * rows.words)
        words = [f.builder.load(pointer(f, values[0], 8 * w, I64)) for w in range(rows.words if rows.fields else 0)]
        for field in rows.fields:
            value = words[field.word]
            value = f.builder.lshr(value, const(field.shift)) if field.shift else value
            if field.width < WORD:
                value = f.builder.and_(value, const((1 << field.width) - 1))
            raw = value if field.unit == WORD else f.builder.trunc(value, ir.IntType(field.unit))
            f.builder.store(raw, pointer(f, f.s, field.offset, raw.type))
        f.builder.ret(const(0))

    return unit.function("unpack", "unpack", I64, [PTR], body, public=True)


def _unit(f: Fn, s: ir.Value, field: Field) -> ir.Value:
    raw = f.builder.load(pointer(f, s, field.offset, ir.IntType(field.unit)))
    return raw if field.unit == WORD else f.builder.zext(raw, I64)
