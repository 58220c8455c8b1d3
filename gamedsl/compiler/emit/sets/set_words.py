"""Set operations on words of 64 bits."""

from __future__ import annotations

from dataclasses import field

from llvmlite import ir

from gamedsl.compiler.emit.llvm_module import I1, I64, Fn, Unit, Value, const, flag, is_const
from gamedsl.language.source import lazy_dataclass

Words = tuple[ir.Value, ...]


def both(f: Fn, a: Words, b: Words) -> Words:
    return tuple(f.builder.and_(x, y) for x, y in zip(a, b, strict=True))


def either(f: Fn, a: Words, b: Words) -> Words:
    return tuple(f.builder.or_(x, y) for x, y in zip(a, b, strict=True))


def without(f: Fn, a: Words, b: Words) -> Words:
    return tuple(f.builder.and_(x, f.builder.not_(y)) for x, y in zip(a, b, strict=True))


def any_bit(f: Fn, a: Words) -> ir.Value:
    """The OR of all words: zero if and only if the set is empty."""
    total = a[0]
    for x in a[1:]:
        total = f.builder.or_(total, x)
    return total


def is_empty(f: Fn, a: Words) -> ir.Value:
    return f.builder.icmp_unsigned("==", any_bit(f, a), const(0))


def equal(f: Fn, a: Words, b: Words) -> ir.Value:
    return is_empty(f, tuple(f.builder.xor(x, y) for x, y in zip(a, b, strict=True)))


def count(f: Fn, a: Words) -> ir.Value:
    total: ir.Value = const(0)
    for x in a:
        n = f.builder.ctpop(x)
        total = n if is_const(total) else f.builder.add(total, n)
    return total


def quantified(f: Fn, kind: str, over: Words, found: Words) -> Value:
    """The value of a quantifier ("some", "every"), a count or a filter, given the elements that satisfy the body."""
    match kind:
        case "some":
            return f.builder.not_(is_empty(f, found))
        case "every":
            return equal(f, over, found)
        case "count":
            return count(f, found)
        case _:
            return found


@lazy_dataclass()
class KnownBits:
    """The bits of known elements, by identity."""

    bits: dict[int, tuple[ir.Value, ir.Value]] = field(default_factory=dict)


def single(f: Fn, x: ir.Value, size: int) -> Words:
    """The singleton of an element, in ``size`` words."""
    if is_const(x):
        return tuple(const(1 << x.constant - 64 * i if 0 <= x.constant - 64 * i < 64 else 0) for i in range(size))
    if size == 1:
        known = f.features.of(KnownBits).bits
        return (known[id(x)][1] if id(x) in known else f.builder.shl(const(1), x),)
    word, bit = f.builder.lshr(x, const(6)), f.builder.shl(const(1), f.builder.and_(x, const(63)))
    return tuple(f.builder.select(f.builder.icmp_unsigned("==", word, const(i)), bit, const(0)) for i in range(size))


def choose_word(f: Fn, a: Words, number: ir.Value) -> ir.Value:
    found = a[0]
    for i, x in enumerate(a[1:], 1):
        found = f.builder.select(f.builder.icmp_unsigned("==", number, const(i)), x, found)
    return found


def has(f: Fn, a: Words, x: ir.Value) -> ir.Value:
    """Whether the element is in the set."""
    if is_const(x):
        word = a[x.constant >> 6]
        return f.builder.trunc(f.builder.lshr(word, const(x.constant & 63)), I1)
    if len(a) == 1:
        return f.builder.trunc(f.builder.lshr(a[0], x), I1)
    return f.builder.trunc(
        f.builder.lshr(choose_word(f, a, f.builder.lshr(x, const(6))), f.builder.and_(x, const(63))), I1
    )


def lowest(f: Fn, a: Words) -> ir.Value:
    """The lowest index in a non-empty set (64 or more if it is empty)."""
    found = f.builder.add(f.builder.cttz(a[-1], flag(False)), const(64 * (len(a) - 1)))
    for i in range(len(a) - 2, -1, -1):
        here = f.builder.add(f.builder.cttz(a[i], flag(False)), const(64 * i))
        found = f.builder.select(f.builder.icmp_unsigned("!=", a[i], const(0)), here, found)
    return found


def highest(f: Fn, a: Words) -> ir.Value:
    """The highest index in a non-empty set (negative if it is empty)."""
    found = f.builder.sub(const(63), f.builder.ctlz(a[0], flag(False)))
    for i, word in enumerate(a[1:], 1):
        here = f.builder.sub(const(64 * i + 63), f.builder.ctlz(word, flag(False)))
        found = f.builder.select(f.builder.icmp_unsigned("!=", word, const(0)), here, found)
    return found


def shifted(f: Fn, a: Words, by: int) -> Words:
    """Moves every element up by ``by`` (down if negative). Bits shifted out are lost."""
    n = len(a)
    out: list[ir.Value] = []
    jump, bits = divmod(abs(by), 64)
    for i in range(n):
        near, far = (i - jump, i - jump - 1) if by >= 0 else (i + jump, i + jump + 1)
        main = a[near] if 0 <= near < n else None
        rest = a[far] if 0 <= far < n and bits else None
        out.append(_word(f, main, rest, bits, by >= 0))
    return tuple(out)


def _word(f: Fn, main: ir.Value | None, rest: ir.Value | None, bits: int, up: bool) -> ir.Value:
    if main is None:
        return const(0) if rest is None else _moved(f, rest, 64 - bits, not up)
    moved = _moved(f, main, bits, up)
    return moved if rest is None else f.builder.or_(moved, _moved(f, rest, 64 - bits, not up))


def _moved(f: Fn, x: ir.Value, bits: int, up: bool) -> ir.Value:
    if bits == 0:
        return x
    return f.builder.shl(x, const(bits)) if up else f.builder.lshr(x, const(bits))


def pick(f: Fn, a: Words, k: ir.Value) -> ir.Value:
    """The k-th element, from 0. Requires k < number of elements."""
    if len(a) == 1:
        return pick_word(f, a[0], k)
    word, left, base = a[-1], k, const(64 * (len(a) - 1))
    before: list[ir.Value] = [const(0)]
    for x in a[:-1]:
        before.append(f.builder.add(before[-1], f.builder.ctpop(x)))
    left = f.builder.sub(k, before[-1])
    for i in range(len(a) - 2, -1, -1):
        here = f.builder.icmp_unsigned("<", k, before[i + 1])
        word = f.builder.select(here, a[i], word)
        left = f.builder.select(here, f.builder.sub(k, before[i]), left)
        base = f.builder.select(here, const(64 * i), base)
    return f.builder.add(base, pick_word(f, word, left))


def pick_constant(f: Fn, bits: int, k: ir.Value) -> ir.Value:
    """The k-th element of a constant set. Requires k < number of elements."""
    n, first = bits.bit_count(), (bits & -bits).bit_length() - 1
    if bits >> first == (1 << n) - 1:
        return f.builder.add(k, const(first)) if first else k
    members = [i for i in range(bits.bit_length()) if bits >> i & 1]
    table = f.unit.numbers(("members", bits), members, 16 if bits.bit_length() < 1 << 15 else 64)
    return f.builder.zext(f.builder.load(f.unit.at(f.builder, table, k)), I64)


def pick_word(f: Fn, word: ir.Value, k: ir.Value, size: int = 64) -> ir.Value:
    """The index of the k-th bit of a word in which only the first ``size`` bits can be set. Deposits one bit through
    the mask (PDEP), or bisects by popcounts down to a byte and looks that up."""
    return f.builder.call(_select(f, max(3, (size - 1).bit_length())), [word, k])


def pick_bit(f: Fn, word: ir.Value, k: ir.Value, size: int = 64) -> tuple[ir.Value, ir.Value]:
    """The index of the k-th bit of a word, and the bit as a word, which ``single`` reuses for that index. ``size``: see
    ``pick_word``."""
    if f.unit.has_deposit:
        bit = f.builder.call(
            f.unit.external("llvm.x86.bmi.pdep.64", I64, [I64, I64]), [f.builder.shl(const(1), k), word]
        )
        x = f.builder.cttz(bit, flag(False))
    else:
        x = pick_word(f, word, k, size)
        bit = f.builder.shl(const(1), x)
    f.features.of(KnownBits).bits[id(x)] = x, bit
    return x, bit


def _select(f: Fn, bits: int) -> ir.Function:
    """The function for words of ``2 ** bits`` bits."""
    unit = f.unit
    name = "select" if unit.has_deposit else f"select{1 << bits}"
    known = unit.made.get(name)
    if known is None:
        known = unit.declare(name, I64, [I64, I64])
        known.attributes.add("alwaysinline")
        unit.made[name] = known
        b = ir.IRBuilder(known.append_basic_block("entry"))
        word, k = known.args
        if unit.has_deposit:
            deposit = unit.external("llvm.x86.bmi.pdep.64", I64, [I64, I64])
            b.ret(b.cttz(b.call(deposit, [b.shl(const(1), k), word]), flag(False)))
        else:
            b.ret(_halving(unit, b, word, k, bits))
    return known


def _halving(unit: Unit, b: ir.IRBuilder, word: ir.Value, k: ir.Value, bits: int) -> ir.Value:
    """Bisects down to the byte that contains the k-th bit, and looks the rest up in a table."""
    place: ir.Value = const(0)
    for half in (1 << step for step in range(bits - 1, 2, -1)):
        low = b.and_(word, const((1 << half) - 1))
        inside = b.ctpop(low)
        below = b.icmp_unsigned("<", k, inside)
        word = b.select(below, low, b.lshr(word, const(half)))
        k = b.select(below, k, b.sub(k, inside))
        place = b.select(below, place, b.or_(place, const(half)))
    table = unit.numbers("bits of bytes", [_bit_of_byte(byte, i) for byte in range(256) for i in range(8)], 8)
    index = b.or_(b.shl(word, const(3)), k)
    return b.or_(place, b.zext(b.load(unit.at(b, table, index)), I64))


def _bit_of_byte(byte: int, k: int) -> int:
    """The index of the k-th bit of a byte; 0 if there is none."""
    found = [i for i in range(8) if byte >> i & 1]
    return found[k] if k < len(found) else 0
