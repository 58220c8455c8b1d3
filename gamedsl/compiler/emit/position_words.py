"""The words of a noted position in compiled code, and their hash. Their layout is in ``noted_positions.py``."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from gamedsl.compiler.emit.expression_code import expr, number, set_words
from gamedsl.compiler.emit.llvm_module import I1, I32, I64, Fn, const, spread
from gamedsl.compiler.emit.memory import further, memory_words, plus, pointer, slot_address
from gamedsl.compiler.emit.memory_layout import WORD
from gamedsl.compiler.emit.noted_positions import Piece, layout
from gamedsl.compiler.emit.splitmix import GAMMA, M1, mix
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

I128 = ir.IntType(128)
GROUP = 4  # words that are hashed and stored together, if they are contiguous in memory
GROUP_BYTES = 8 * GROUP
VECTOR = ir.VectorType(I64, GROUP)
HALF = WORD // 2
MASK = (1 << WORD) - 1


@lazy_dataclass(frozen=True)
class Words:
    """Words of a position from number ``first`` on: one of type i64, or ``GROUP`` of them as a vector. ``run``: they
    hold a run of small values."""

    first: int
    value: ir.Value
    run: bool

    @property
    def grouped(self) -> bool:
        return bool(self.value.type == VECTOR)


def position_words(f: Fn, position: tuple[n.Expr, ...]) -> list[Words]:
    """The position as words; see ``noted_positions.py``."""
    found: list[Words] = []
    at = 0
    for piece in layout(tuple(e.type for e in position)):
        values = position[piece.first : piece.first + piece.count]
        if piece.cell is None:
            plain = [f.builder.zext(w, I64) if w.type == I1 else w for w in spread(expr(f, values[0]))]
        else:
            start, size = _lying(f, values), piece.count * piece.cell.size
            groups = size // GROUP_BYTES if start is not None else 0
            found += [Words(at + GROUP * i, _group(f, start, i), True) for i in range(groups)]
            if start is None:
                plain = _packed(f, values, piece)
            else:
                rest = further(f, start, const(GROUP_BYTES * groups))
                plain = memory_words(f, rest, size - GROUP_BYTES * groups)
        found += [Words(at + piece.words - len(plain) + i, w, piece.cell is not None) for i, w in enumerate(plain)]
        at += piece.words
    return found


def _group(f: Fn, start: ir.Value, i: int) -> ir.Value:
    group = f.builder.load(pointer(f, start, GROUP_BYTES * i, VECTOR))
    group.align = 1
    return group


def store_words(f: Fn, words: list[Words], at: ir.Value) -> None:
    """Stores the words of a position at this address."""
    for w in words:
        place = f.builder.gep(at, [const(w.first)], inbounds=True)
        if w.grouped:
            f.builder.store(w.value, f.builder.bitcast(place, VECTOR.as_pointer())).align = 8
        else:
            f.builder.store(w.value, place)


def size_of(words: list[Words]) -> int:
    """The number of words of a position."""
    return sum(GROUP if w.grouped else 1 for w in words)


def _lying(f: Fn, values: Sequence[n.Expr]) -> ir.Value | None:
    """The address of contiguous slots. Returns None if the values are anything else."""
    first = values[0]
    slots = [_slot(e) for e in values]
    if not isinstance(first, n.Get) or slots[0] is None:
        return None
    if slots != [(first.var.index, slots[0][1] + i) for i in range(len(values))]:
        return None
    keys = [const(k.value) for k in first.keys if isinstance(k, n.Const)]
    return slot_address(f, first.var, keys)


def _slot(e: n.Expr) -> tuple[int, int] | None:
    """The variable and the slot that the expression reads, as (index, slot). Returns None for other expressions."""
    if not isinstance(e, n.Get):
        return None
    at = 0
    for domain, key in zip(e.var.keys, e.keys, strict=True):
        if not isinstance(key, n.Const):
            return None
        at = at * domain.size + key.value
    return e.var.index, at


def _packed(f: Fn, values: Sequence[n.Expr], piece: Piece) -> list[ir.Value]:
    """The words of a run, packed value by value."""
    assert piece.cell is not None
    items = WORD // piece.cell.bits
    found: list[ir.Value] = []
    for i, e in enumerate(values):
        value = set_words(f, e)[0] if isinstance(e.type, n.SetT) else plus(f, number(f, e), -piece.cell.low)
        if i % items == 0:
            found.append(value)
        else:
            found[-1] = f.builder.or_(found[-1], f.builder.shl(value, const(i % items * piece.cell.bits)))
    return found


def _factor(i: int) -> int:
    """The key that is mixed into the i-th word."""
    return mix((i + 1) * GAMMA & MASK)


def hash_of(f: Fn, words: list[Words]) -> ir.Value:
    """The hash of a position: a sum of independent products. ``hash_words`` is the same for integers.

    Words of runs, of which there may be many, are hashed one by one: the product of the lower and the upper half, each
    mixed with a key (the NH hash of UMAC). A final multiplication makes the highest bits depend on all others. The
    other words are hashed in pairs: their product, folded by XOR of its upper and lower half.
    """
    total: ir.Value = const(GAMMA)
    plain = [w for w in words if not w.run]
    for i in range(0, len(plain), 2):
        total = f.builder.add(total, _folded(f, plain[i : i + 2]))
    if len(plain) == len(words):
        return total
    sums: ir.Value = ir.Constant(VECTOR, [0] * GROUP)
    for w in words:
        if w.grouped:
            keys = ir.Constant(VECTOR, [const(_factor(w.first + i)).constant for i in range(GROUP)])
            one = _halves(f, f.builder.xor(w.value, keys), lambda count: ir.Constant(VECTOR, [count] * GROUP))
            sums = f.builder.add(sums, one)
        elif w.run:
            total = f.builder.add(total, _halves(f, f.builder.xor(w.value, const(_factor(w.first))), const))
    if any(w.grouped for w in words):
        for i in range(GROUP):
            total = f.builder.add(total, f.builder.extract_element(sums, ir.Constant(I32, i)))
    return f.builder.mul(f.builder.xor(total, f.builder.lshr(total, const(HALF))), const(M1))


def _folded(f: Fn, pair: list[Words]) -> ir.Value:
    """The hash of one word or two."""
    a, b = [f.builder.xor(w.value, const(_factor(w.first))) for w in pair] + [const(GAMMA)] * (2 - len(pair))
    product = f.builder.mul(f.builder.zext(a, I128), f.builder.zext(b, I128))
    high = f.builder.trunc(f.builder.lshr(product, ir.Constant(I128, WORD)), I64)
    return f.builder.xor(high, f.builder.trunc(product, I64))


def _halves(f: Fn, mixed: ir.Value, number: Callable[[int], ir.Value]) -> ir.Value:
    low = f.builder.and_(mixed, number((1 << HALF) - 1))
    return f.builder.mul(low, f.builder.lshr(mixed, number(HALF)))


def hash_words(words: Sequence[int], types: tuple[n.VarT, ...]) -> int:
    """The same hash for Python integers: the words of a position with values of these types."""
    mixed = [w ^ _factor(i) for i, w in enumerate(words)]
    run = [p.cell is not None for p in layout(types) for _ in range(p.words)]
    plain = [m for m, r in zip(mixed, run, strict=True) if not r]
    total = GAMMA
    for a, b in zip(plain[::2], [*plain[1::2], GAMMA][: len(plain[::2])], strict=True):
        total += a * b >> WORD ^ a * b & MASK
    if not any(run):
        return total & MASK
    total += sum((m & (1 << HALF) - 1) * (m >> HALF) for m, r in zip(mixed, run, strict=True) if r)
    total &= MASK
    return (total ^ total >> HALF) * M1 & MASK
