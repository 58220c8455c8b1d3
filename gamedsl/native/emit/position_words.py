"""The words of a noted position in compiled code, and their hash. ``noted_positions.py`` says what the words hold."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.core.nodes import Const, Expr, Get, SetT
from gamedsl.native.emit.expressions import expr, number, set_words
from gamedsl.native.emit.memory import memory_words, plus, slot_address
from gamedsl.native.emit.module_builder import I1, I64, Fn, const, spread
from gamedsl.native.emit.noted_positions import Piece, layout
from gamedsl.native.emit.splitmix import GAMMA, mix
from gamedsl.native.emit.state_layout import WORD

I128 = ir.IntType(128)
MASK = (1 << WORD) - 1


def position_words(f: Fn, position: tuple[Expr, ...]) -> list[ir.Value]:
    """The position as words; see ``noted_positions.py``."""
    found: list[ir.Value] = []
    for piece in layout(tuple(e.type for e in position)):
        values = position[piece.first : piece.first + piece.count]
        if piece.cell is None:
            found += [f.builder.zext(w, I64) if w.type == I1 else w for w in spread(expr(f, values[0]))]
        else:
            found += _lying(f, values, piece) or _packed(f, values, piece)
    return found


def _lying(f: Fn, values: Sequence[Expr], piece: Piece) -> list[ir.Value] | None:
    """The words of contiguous slots. Returns None if the values are anything else."""
    first = values[0]
    slots = [_slot(e) for e in values]
    if not isinstance(first, Get) or slots[0] is None or piece.cell is None:
        return None
    if slots != [(first.var.index, slots[0][1] + i) for i in range(len(values))]:
        return None
    keys = [const(k.value) for k in first.keys if isinstance(k, Const)]
    return memory_words(f, slot_address(f, first.var, keys), piece.count * piece.cell.size)


def _slot(e: Expr) -> tuple[int, int] | None:
    """The variable and the slot that the expression reads, as (index, slot). Returns None for other expressions."""
    if not isinstance(e, Get):
        return None
    at = 0
    for domain, key in zip(e.var.keys, e.keys, strict=True):
        if not isinstance(key, Const):
            return None
        at = at * domain.size + key.value
    return e.var.index, at


def _packed(f: Fn, values: Sequence[Expr], piece: Piece) -> list[ir.Value]:
    """The same words, packed value by value."""
    assert piece.cell is not None
    items = WORD // piece.cell.bits
    found: list[ir.Value] = []
    for i, e in enumerate(values):
        value = set_words(f, e)[0] if isinstance(e.type, SetT) else plus(f, number(f, e), -piece.cell.low)
        if i % items == 0:
            found.append(value)
        else:
            found[-1] = f.builder.or_(found[-1], f.builder.shl(value, const(i % items * piece.cell.bits)))
    return found


def _factor(i: int) -> int:
    """The key that is mixed into the i-th word."""
    return mix((i + 1) * GAMMA & MASK)


def hash_of(f: Fn, words: list[ir.Value]) -> ir.Value:
    """Hashes words in pairs: the sum of their products, each folded by XOR of its upper and lower half. The products
    are independent of each other."""
    total: ir.Value = const(GAMMA)
    for i in range(0, len(words), 2):
        pair = words[i : i + 2] + [const(0)] * (2 - len(words[i : i + 2]))
        a, b = (f.builder.zext(f.builder.xor(w, const(_factor(i + k))), I128) for k, w in enumerate(pair))
        product = f.builder.mul(a, b)
        high = f.builder.trunc(f.builder.lshr(product, ir.Constant(I128, WORD)), I64)
        total = f.builder.add(total, f.builder.xor(high, f.builder.trunc(product, I64)))
    return total


def hash_words(words: list[int]) -> int:
    """The same hash for Python integers."""
    total = GAMMA
    padded = words + [0] * (len(words) % 2)
    for i in range(0, len(padded), 2):
        product = (padded[i] ^ _factor(i)) * (padded[i + 1] ^ _factor(i + 1))
        total += product >> WORD ^ product & MASK
    return total & MASK
