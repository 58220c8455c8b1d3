"""Counters of noted positions: a table that counts by hash, a lossy one as in a counting Bloom filter with one hash.

A counter is never too low for the positions of its game; if hashes share a counter, it is too high. So a count below n
proves that a position has not been noted n times, and the list of positions is searched only from n on
(``history_code.py``).

A counter of 16 bits holds the *stamp* of its game and a count up to ``MOST``, which means "``MOST`` or more". A counter
with another stamp counts as zero. So a new game takes a new stamp, and nothing is cleared until the stamps are used up.
The tables are in the context (``host/context.py``), which also has their size.
"""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from gamedsl.compiler.emit.llvm_module import (
    CTX_COUNTERS,
    CTX_LAST_STAMP,
    CTX_MARKS,
    CTX_PLAY_COUNTERS,
    CTX_SHIFT,
    CTX_STAMP,
    I1,
    I8,
    I64,
    PTR,
    Fn,
    const,
)
from gamedsl.compiler.emit.memory import context_field, plus
from gamedsl.language.source import lazy_dataclass

I16 = ir.IntType(16)
COUNT_BITS = 4
MOST = (1 << COUNT_BITS) - 1  # a count of this may be higher
STEP = 1 << COUNT_BITS  # the distance between stamps, and the first stamp
STAMPS = 1 << 16  # stamps are below this


@lazy_dataclass()
class Counting:
    """``begun``: this function begins the games in which it counts, so there are counters."""

    begun: bool = False


@lazy_dataclass(frozen=True)
class Counters:
    """The counters in use: their address, the shift from a hash to the number of its counter, and the stamp."""

    table: ir.Value
    shift: ir.Value
    stamp: ir.Value


def begin_counting(f: Fn) -> None:
    """Takes a new stamp for a game. From here on the context's counters are those of the game."""
    last, stamp = context_field(f, CTX_LAST_STAMP), f.alloca(I64)
    f.builder.store(plus(f, f.builder.load(last), STEP), stamp)
    table = f.builder.load(context_field(f, CTX_PLAY_COUNTERS))
    used_up = f.builder.icmp_unsigned(">=", f.builder.load(stamp), const(STAMPS))
    with f.builder.if_then(used_up, likely=False):
        f.builder.store(const(STEP), stamp)
        bits = f.builder.sub(const(64), f.builder.load(context_field(f, CTX_SHIFT)))
        memset = f.unit.module.declare_intrinsic("llvm.memset", [PTR, I64])
        size = f.builder.shl(const(2), bits)
        f.builder.call(memset, [f.builder.inttoptr(table, PTR), ir.Constant(I8, 0), size, ir.Constant(I1, 0)])
    f.builder.store(f.builder.load(stamp), last)
    f.builder.store(f.builder.load(stamp), context_field(f, CTX_STAMP))
    f.builder.store(table, context_field(f, CTX_COUNTERS))
    f.features.of(Counting).begun = True


def end_counting(f: Fn) -> None:
    """Restores the counters of all positions noted in the context, if it has them."""
    f.builder.store(const(STEP), context_field(f, CTX_STAMP))
    f.builder.store(f.builder.load(context_field(f, CTX_MARKS)), context_field(f, CTX_COUNTERS))


def counted_once_more(f: Fn, hashed: ir.Value) -> ir.Value:
    """Counts a position that is noted. Returns its count, including this time; ``MOST`` if the context has no
    counters."""

    def there(found: Counters) -> ir.Value:
        at, old = _counter(f, found, hashed)
        new = plus(f, old, 1)
        new = f.builder.select(f.builder.icmp_unsigned("<", new, const(MOST)), new, const(MOST))
        f.builder.store(f.builder.trunc(f.builder.or_(new, found.stamp), I16), at)
        return new

    return _if_counted(f, there)


def counted(f: Fn, hashed: ir.Value) -> ir.Value:
    """The count of a position, which is an upper bound on the number of times it has been noted (``MOST``: no bound).
    ``MOST`` if the context has no counters."""
    return _if_counted(f, lambda found: _counter(f, found, hashed)[1])


def _if_counted(f: Fn, there: Callable[[Counters], ir.Value]) -> ir.Value:
    """The value that ``there`` emits, or ``MOST`` if the context has no counters in use."""
    table = f.builder.load(context_field(f, CTX_COUNTERS))
    shift, stamp = (f.builder.load(context_field(f, x)) for x in (CTX_SHIFT, CTX_STAMP))
    found = Counters(f.builder.inttoptr(table, I16.as_pointer()), shift, stamp)
    if f.features.of(Counting).begun:
        return there(found)
    before, some, after = f.builder.block, f.block("counters"), f.block("counted")
    f.builder.cbranch(f.builder.icmp_unsigned("!=", table, const(0)), some, after)
    f.at(some)
    value = there(found)
    f.builder.branch(after)
    f.at(after)
    count = f.builder.phi(I64)
    count.add_incoming(const(MOST), before)
    count.add_incoming(value, some)
    return count


def _counter(f: Fn, c: Counters, hashed: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The address of a hash's counter, and its count."""
    at = f.builder.gep(c.table, [f.builder.lshr(hashed, c.shift)], inbounds=True)
    raw = f.builder.zext(f.builder.load(at), I64)
    # Another stamp differs above the bits of the count.
    count = f.builder.xor(raw, c.stamp)
    ours = f.builder.icmp_unsigned("<=", count, const(MOST))
    return at, f.builder.select(ours, count, const(0))
