"""Reads and writes the slots of a state; reports rules errors."""

from __future__ import annotations

from llvmlite import ir

from gamedsl.compiler.emit.llvm_module import (
    CTX_ERROR,
    CTX_NUMBER,
    I1,
    I8,
    I32,
    I64,
    PTR,
    VOID,
    Fn,
    Unit,
    Value,
    const,
    is_const,
)
from gamedsl.compiler.emit.memory_layout import Cell
from gamedsl.language.core import nodes as n
from gamedsl.language.source import Span


def pointer(f: Fn, base: ir.Value, offset: ir.Value | int, t: ir.Type) -> ir.Value:
    at = further(f, base, offset if isinstance(offset, ir.Value) else const(offset))
    return f.builder.bitcast(at, t.as_pointer())


def context_field(f: Fn, number: int) -> ir.Value:
    """The address of a field of the context."""
    return pointer(f, f.ctx, 8 * number, I64)


def times(f: Fn, x: ir.Value, count: int) -> ir.Value:
    if count == 1:
        return x
    return const(x.constant * count) if is_const(x) else f.builder.mul(x, const(count), flags=("nuw", "nsw"))


def plus(f: Fn, x: ir.Value, count: int) -> ir.Value:
    if count == 0:
        return x
    return const(x.constant + count) if is_const(x) else f.builder.add(x, const(count), flags=("nsw",))


def slot_address(f: Fn, var: n.Var, keys: list[ir.Value]) -> ir.Value:
    """The address of a variable's slot."""
    place = f.unit.frame.place(var)
    stride = var.slots
    base, offset = _first(f, var)
    for domain, key in zip(var.keys, keys, strict=True):
        stride //= max(1, domain.size)
        term = times(f, key, stride * place.stride)
        if is_const(term) and is_const(offset):
            offset = const(offset.constant + term.constant)
        else:
            offset = f.builder.add(offset, term, flags=("nuw", "nsw"))
    return further(f, base, offset)


def variable(f: Fn, var: n.Var) -> ir.Value:
    """The address of a variable's first slot."""
    return further(f, *_first(f, var))


def _first(f: Fn, var: n.Var) -> tuple[ir.Value, ir.Value]:
    """A variable's first slot, as a base address and an offset in bytes."""
    if f.slots is not None:
        return f.slots[var.index], const(0)
    return f.s, const(f.unit.frame.place(var).offset)


def further(f: Fn, base: ir.Value, offset: ir.Value) -> ir.Value:
    """The address at this offset, in elements of the pointer's type."""
    return base if is_const(offset) and not offset.constant else f.builder.gep(base, [offset], inbounds=True)


def load_cell(f: Fn, at: ir.Value, cell: Cell, t: n.VarT) -> Value:
    """Loads a value of this type."""
    if cell.count > 1:
        words = f.builder.bitcast(at, I64.as_pointer())
        return tuple(f.builder.load(further(f, words, const(i))) for i in range(cell.count))
    raw = f.builder.load(f.builder.bitcast(at, ir.IntType(cell.bits).as_pointer()))
    if isinstance(t, n.BoolT):
        return f.builder.trunc(raw, I1)
    wide = raw if cell.bits == 64 else f.builder.zext(raw, I64)
    return (wide,) if isinstance(t, n.SetT) else plus(f, wide, cell.low)


def store_cell(f: Fn, at: ir.Value, cell: Cell, t: n.VarT, value: Value) -> None:
    if isinstance(value, tuple) and cell.count > 1:
        words = f.builder.bitcast(at, I64.as_pointer())
        for i, w in enumerate(value):
            f.builder.store(w, further(f, words, const(i)))
        return
    one = value[0] if isinstance(value, tuple) else value
    unit = ir.IntType(cell.bits)
    if isinstance(t, n.BoolT):
        raw = f.builder.zext(one, unit)
    else:
        if not isinstance(t, n.SetT):
            one = plus(f, one, -cell.low)
        raw = one if cell.bits == 64 else f.builder.trunc(one, unit)
    f.builder.store(raw, f.builder.bitcast(at, unit.as_pointer()))


def inner_type(var: n.Var) -> n.VarT:
    return var.type.inner if isinstance(var.type, n.StackT) else var.type


def load_slot(f: Fn, var: n.Var, keys: list[ir.Value]) -> Value:
    return load_cell(f, slot_address(f, var, keys), f.unit.frame.place(var).cell, var.type)


def store_slot(f: Fn, var: n.Var, keys: list[ir.Value], value: Value) -> None:
    store_cell(f, slot_address(f, var, keys), f.unit.frame.place(var).cell, var.type, value)


def load_word(f: Fn, var: n.Var, keys: list[ir.Value], number: ir.Value) -> ir.Value:
    """Loads one word of a set that is stored in words."""
    words = f.builder.bitcast(slot_address(f, var, keys), I64.as_pointer())
    return f.builder.load(f.builder.gep(words, [number], inbounds=True))


def memory_words(f: Fn, at: ir.Value, size: int) -> list[ir.Value]:
    """Memory as words; the last one is padded with zeros."""
    found = [_bytes(f, at, i, I64) for i in range(0, size - 7, 8)]
    rest = size % 8
    if rest and size > 8:
        found.append(f.builder.lshr(_bytes(f, at, size - 8, I64), const(64 - 8 * rest)))
    elif rest:
        total: ir.Value = const(0)
        for number in (4, 2, 1):
            if rest & number:
                before = rest & ~(2 * number - 1)
                part = f.builder.zext(_bytes(f, at, before, ir.IntType(8 * number)), I64)
                total = f.builder.or_(total, f.builder.shl(part, const(8 * before)))
        found.append(total)
    return found


def _bytes(f: Fn, at: ir.Value, offset: int, t: ir.Type) -> ir.Value:
    """Loads a number that need not be aligned."""
    found = f.builder.load(pointer(f, at, offset, t))
    found.align = 1
    return found


# ------------------------------------------------------------------------------------------------------ stacks


def height(f: Fn, var: n.Var, keys: list[ir.Value]) -> tuple[ir.Value, ir.Value]:
    """The height of a stack, and the address where it is stored."""
    at = f.builder.bitcast(slot_address(f, var, keys), ir.IntType(f.unit.frame.place(var).height_bits).as_pointer())
    return f.builder.zext(f.builder.load(at), I64), at


def set_height(f: Fn, at: ir.Value, value: ir.Value) -> None:
    f.builder.store(f.builder.trunc(value, at.type.pointee), at)


def item_address(f: Fn, var: n.Var, keys: list[ir.Value], index: ir.Value) -> ir.Value:
    place = f.unit.frame.place(var)
    at = f.builder.gep(slot_address(f, var, keys), [const(place.items)], inbounds=True)
    return f.builder.gep(at, [times(f, index, place.cell.size)], inbounds=True)


# ------------------------------------------------------------------------------------------------------ copying


def copy_state(f: Fn, target: ir.Value, source: ir.Value) -> None:
    copy_bytes(f, target, source, f.unit.frame.size)


def copy_bytes(f: Fn, target: ir.Value, source: ir.Value, size: int) -> None:
    intrinsic = f.unit.module.declare_intrinsic("llvm.memcpy", [PTR, PTR, I64])
    f.builder.call(intrinsic, [target, source, const(size), ir.Constant(I1, 0)])


def alloca_record(f: Fn) -> ir.Value:
    """Allocates memory for the record of an action."""
    return f.builder.bitcast(f.alloca(I64, f.unit.frame.record), PTR)


def clear(f: Fn, target: ir.Value, size: int) -> None:
    intrinsic = f.unit.module.declare_intrinsic("llvm.memset", [PTR, I32])
    f.builder.call(intrinsic, [target, ir.Constant(I8, 0), ir.Constant(I32, size), ir.Constant(I1, 0)])


# ------------------------------------------------------------------------------------------------------ rules errors


def failing(unit: Unit) -> ir.Function:
    """``fail(ctx, place, number)``: stores the first rules error, and the number for its message. Later results have no
    meaning, but memory accesses stay in bounds."""
    known = unit.made.get("fail")
    if known is None:
        known = unit.declare("fail", VOID, [PTR, I64, I64])
        known.attributes.add("noinline")
        known.attributes.add("cold")
        unit.made["fail"] = known
        b = ir.IRBuilder(known.append_basic_block("entry"))
        at = b.bitcast(b.gep(known.args[0], [const(8 * CTX_ERROR)]), I64.as_pointer())
        with b.if_then(b.icmp_signed("==", b.load(at), const(0))):
            b.store(known.args[1], at)
            slot = b.gep(known.args[0], [const(8 * CTX_NUMBER)])
            b.store(known.args[2], b.bitcast(slot, I64.as_pointer()))
        b.ret_void()
    return known


def fail_if(f: Fn, bad: ir.Value, span: Span, message: str, argument: ir.Value | None = None) -> None:
    """Reports a rules error if ``bad``. ``argument`` is the number that replaces ``{number}`` in the message, or the seat
    that replaces ``{player}``."""
    if is_const(bad) and not bad.constant:
        return
    with f.builder.if_then(bad, likely=False):
        f.builder.call(
            failing(f.unit), [f.ctx, f.unit.place(span, message), const(0) if argument is None else argument]
        )
