"""Bits of words as entries of an array, several at once."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.compiler.emit.llvm_module import I8, I32, I64, Fn, const

FLOAT = ir.FloatType()
AT_ONCE = {I8: (32, 16, 8), FLOAT: (8, 4)}  # entries of a vector


def spread_bits(f: Fn, out: ir.Value, words: Sequence[ir.Value], n: int) -> None:
    """Writes n bits as entries of ``out``: 0 or 1, bytes or floats. The last vectors may overlap."""
    t, at = out.type.pointee, 0
    while at < n:
        size = next((s for s in AT_ONCE[t] if s <= n - at), 0)
        if not size and n >= AT_ONCE[t][-1] and n - at > 1:
            at, size = n - AT_ONCE[t][-1], AT_ONCE[t][-1]
        if size:
            _vector(f, out, _bits(f, words, at, size), at, size)
        else:
            size = 1
            bit = f.builder.and_(f.builder.lshr(words[at >> 6], const(at & 63)), const(1))
            value = f.builder.trunc(bit, I8) if t is I8 else f.builder.uitofp(f.builder.trunc(bit, I32), FLOAT)
            f.builder.store(value, f.builder.gep(out, [const(at)], inbounds=True))
        at += size


def _bits(f: Fn, words: Sequence[ir.Value], at: int, size: int) -> ir.Value:
    """``size`` bits from bit ``at`` on, as the lowest bits of a word."""
    word, shift = divmod(at, 64)
    found = f.builder.lshr(words[word], const(shift)) if shift else words[word]
    if shift + size > 64:
        found = f.builder.or_(found, f.builder.shl(words[word + 1], const(64 - shift)))
    return found


def _vector(f: Fn, out: ir.Value, bits: ir.Value, at: int, size: int) -> None:
    t = out.type.pointee
    flags = f.builder.bitcast(f.builder.trunc(bits, ir.IntType(size)), ir.VectorType(ir.IntType(1), size))
    vector = ir.VectorType(t, size)
    one, zero = (ir.Constant(vector, [ir.Constant(t, x)] * size) for x in ((1, 0) if t is I8 else (1.0, 0.0)))
    target = f.builder.bitcast(f.builder.gep(out, [const(at)], inbounds=True), vector.as_pointer())
    f.builder.store(f.builder.select(flags, one, zero), target).align = 1 if t is I8 else 4


def words_at(f: Fn, base: ir.Value, offset: ir.Value, bits: int, n: int) -> list[ir.Value]:
    """The words of a set of n elements, which is stored ``offset`` bytes after ``base``, in units of ``bits`` bits."""
    at = f.builder.gep(base, [offset], inbounds=True)
    unit = ir.IntType(bits)
    if bits < 64:
        return [f.builder.zext(f.builder.load(f.builder.bitcast(at, unit.as_pointer())), I64)]
    first = f.builder.bitcast(at, I64.as_pointer())
    return [f.builder.load(f.builder.gep(first, [const(i)], inbounds=True)) for i in range(-(-n // 64))]
