"""Maintained conditions in scalar playouts: the data stored for them, and their update by a new element.

``transform/incremental_conditions.py`` finds the conditions. Lines: there is a word for every chain, the longest
straight row whose runs of k elements are lines. The new element sets its bit in each chain through it, and a run of k
bits there is a line. Reach: the set of reached elements is stored. Joins: nothing is stored; the component of the new
element is flooded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from llvmlite import ir

from gamedsl.compiler.emit.llvm_module import I1, I64, PTR, Fn, const, flag, set_const
from gamedsl.compiler.emit.memory import copy_bytes, load_slot
from gamedsl.compiler.emit.memory_layout import words_of
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.sets.images import flooded
from gamedsl.compiler.emit.sets.line_patterns import doublings, shapes, spacing
from gamedsl.compiler.emit.sets.set_loops import each_member
from gamedsl.compiler.transform.monitors import Joins, Lines, Monitor, Reach
from gamedsl.language.core import nodes as n

MOST_CHAIN = 64


@dataclass(frozen=True)
class Chains:
    """``through[s][c]``: the chain of shape s through element c, and c's bit in it (chain 0: none, bit 0). ``lengths``:
    for each shape, the number of adjacent elements that make a line."""

    number: int
    bits: int
    longest: int
    lengths: tuple[int, ...]
    through: tuple[tuple[tuple[int, int], ...], ...]


@lru_cache(maxsize=32)
def chains(lines: tuple[int, ...], size: int) -> Chains | None:
    """The chains of lines. Returns None if lines are not evenly spaced, or if a chain is too long."""
    lengths, through = [], []
    number, longest = 1, 0
    for shape, places in shapes(lines):
        step = spacing(shape)
        if step is None or len(shape) < 2:
            return None
        at = [(0, 0)] * size
        for first in range(size):
            if not places >> first & 1 or (first >= step and places >> (first - step) & 1):
                continue
            cells, base = [first + i * step for i in range(len(shape))], first
            while base + step < size and places >> (base + step) & 1:
                base += step
                cells.append(base + (len(shape) - 1) * step)
            for i, c in enumerate(cells):
                if at[c] != (0, 0):
                    return None
                at[c] = (number, 1 << i)
            number, longest = number + 1, max(longest, len(cells))
        lengths.append(len(shape))
        through.append(tuple(at))
    if longest > MOST_CHAIN:
        return None
    return Chains(number, next(b for b in (16, 32, 64) if longest <= b), longest, tuple(lengths), tuple(through))


@dataclass
class MaintainedCondition:
    """The storage of one monitor: at the start of a series of playouts (``first``) and in the current playout
    (``now``)."""

    monitor: Monitor
    var: n.Var
    keys: list[ir.Value]
    flag: ir.Value
    first: ir.Value
    now: ir.Value
    size: int  # bytes
    chains: Chains | None = None


@dataclass
class MaintainedConditions:
    """All monitors of a playout."""

    f: Fn
    all: list[MaintainedCondition] = field(default_factory=list)

    def of(self, monitor: Monitor) -> MaintainedCondition | None:
        return next((condition for condition in self.all if condition.monitor == monitor), None)

    def begin(self) -> None:
        """Starts a new playout."""
        for condition in self.all:
            copy_bytes(self.f, condition.now, condition.first, condition.size)
            self.f.builder.store(ir.Constant(I1, 0), condition.flag)


def worth_maintaining(monitor: Monitor) -> bool:
    """Whether a monitor is worth maintaining. On a small board, lines are tested just as fast from scratch."""
    if isinstance(monitor, Reach | Joins):
        return True
    return monitor.type.domain.size > 64 and chains(monitor.lines, monitor.type.domain.size) is not None


def maintain(f: Fn, monitor: Monitor, var: n.Var) -> MaintainedCondition:
    """Initializes a monitor from the state. Its ``flag`` says whether the condition already holds."""
    size = monitor.type.domain.size
    found = chains(monitor.lines, size) if isinstance(monitor, Lines) else None
    unit, count = (ir.IntType(found.bits), found.number) if found else (I64, words_of(size))
    first, now = (f.builder.bitcast(f.alloca(unit, max(2, count)), PTR) for _ in range(2))
    made = MaintainedCondition(
        monitor, var, [const(k) for k in monitor.slot[1]], f.alloca(I1), first, now, unit.width // 8 * count
    )
    made.chains = found
    f.builder.store(ir.Constant(I1, 0), made.flag)
    value = load_slot(f, var, made.keys)
    assert isinstance(value, tuple)
    if found:
        _clear(f, first, made.size)
        each_member(f, value, 0, lambda x: _or_into(f, made.flag, _chain_step(f, found, first, x)))
    elif isinstance(monitor, Joins):
        _clear(f, first, made.size)
        each_member(f, value, 0, lambda x: _or_into(f, made.flag, _joined(f, monitor, value, x)))
    else:
        assert isinstance(monitor, Reach)
        start = sets.both(f, set_const(monitor.start, len(value)), value)
        reached = flooded(f, start, value, monitor.table)
        _put(f, first, reached)
        f.builder.store(
            f.builder.not_(sets.is_empty(f, sets.both(f, reached, set_const(monitor.target, len(value))))), made.flag
        )
    return made


def _clear(f: Fn, at: ir.Value, size: int) -> None:
    from gamedsl.compiler.emit.memory import clear

    clear(f, at, size)


def _or_into(f: Fn, ptr: ir.Value, value: ir.Value) -> None:
    f.builder.store(f.builder.or_(f.builder.load(ptr), value), ptr)


def element_added(f: Fn, condition: MaintainedCondition, x: ir.Value) -> None:
    """Updates a monitor after an element was added. Its ``flag`` says whether the condition holds now."""
    if condition.chains is not None:
        f.builder.store(_chain_step(f, condition.chains, condition.now, x), condition.flag)
    elif isinstance(condition.monitor, Joins):
        value = load_slot(f, condition.var, condition.keys)
        assert isinstance(value, tuple)
        f.builder.store(_joined(f, condition.monitor, value, x), condition.flag)
    else:
        _reach_step(f, condition, x)


def _joined(f: Fn, monitor: Joins, value: sets.Words, x: ir.Value) -> ir.Value:
    """Whether the component of x meets all targets."""
    size = len(value)
    found = flooded(f, sets.single(f, x, size), value, monitor.table)
    met: ir.Value = flag(True)
    for target in monitor.targets:
        empty = sets.is_empty(f, sets.both(f, found, set_const(target, size)))
        met = f.builder.and_(met, f.builder.not_(empty))
    return met


def _chain_step(f: Fn, c: Chains, words: ir.Value, x: ir.Value) -> ir.Value:
    """Sets the element's bits. Returns whether there is a line through it now."""
    unit = ir.IntType(c.bits)
    typed = f.builder.bitcast(words, unit.as_pointer())
    shapes = len(c.through)
    numbers = [count for at in zip(*c.through, strict=True) for count, _ in at]
    bits = [b for at in zip(*c.through, strict=True) for _, b in at]
    number_table = f.unit.numbers(("chain", c.through), numbers, 16)
    bit_table = f.unit.numbers(("bit", c.through), bits, c.bits)
    base = f.builder.mul(x, const(shapes))
    packed = len(set(c.lengths)) == 1 and c.longest < c.bits and shapes * c.bits <= 64
    lined: ir.Value = const(0) if packed else ir.Constant(unit, 0)
    for s, length in enumerate(c.lengths):
        index = f.builder.add(base, const(s))
        number = f.builder.zext(f.builder.load(f.unit.at(f.builder, number_table, index)), I64)
        at = f.builder.gep(typed, [number], inbounds=True)
        word = f.builder.or_(f.builder.load(at), f.builder.load(f.unit.at(f.builder, bit_table, index)))
        f.builder.store(word, at)
        if packed:
            lined = f.builder.or_(lined, f.builder.shl(f.builder.zext(word, I64), const(s * c.bits)))
        else:
            lined = f.builder.or_(lined, _run(f, word, length))
    if packed:  # the highest bit of every word is free, so no run crosses from one word into the next
        lined = _run(f, lined, c.lengths[0])
    return f.builder.icmp_unsigned("!=", lined, ir.Constant(lined.type, 0))


def _run(f: Fn, word: ir.Value, length: int) -> ir.Value:
    """Nonzero if the word has a run of ``length`` bits."""
    found = word
    for more in doublings(length):
        found = f.builder.and_(found, f.builder.lshr(found, ir.Constant(word.type, more)))
    return found


def _reach_step(f: Fn, condition: MaintainedCondition, x: ir.Value) -> None:
    monitor = condition.monitor
    assert isinstance(monitor, Reach)
    size = words_of(monitor.type.domain.size)
    old = _get(f, condition.now, size)
    table, _, _ = f.unit.table(monitor.table)
    base = f.builder.mul(x, const(size))
    near = tuple(f.builder.load(f.unit.at(f.builder, table, f.builder.add(base, const(i)))) for i in range(size))
    start = sets.has(f, set_const(monitor.start, size), x)
    touches = f.builder.or_(start, f.builder.not_(sets.is_empty(f, sets.both(f, near, old))))
    more, done = f.block("touches"), f.block("reached")
    f.builder.cbranch(touches, more, done)
    f.at(more)
    value = load_slot(f, condition.var, condition.keys)
    assert isinstance(value, tuple)
    new = flooded(f, sets.single(f, x, size), sets.without(f, value, old), monitor.table)
    total = sets.either(f, old, new)
    _put(f, condition.now, total)
    met = sets.any_bit(f, sets.both(f, total, set_const(monitor.target, size)))
    f.builder.store(f.builder.icmp_unsigned("!=", met, const(0)), condition.flag)
    f.builder.branch(done)
    f.at(done)


def _get(f: Fn, at: ir.Value, size: int) -> sets.Words:
    words = f.builder.bitcast(at, I64.as_pointer())
    return tuple(f.builder.load(f.builder.gep(words, [const(i)], inbounds=True)) for i in range(size))


def _put(f: Fn, at: ir.Value, value: sets.Words) -> None:
    words = f.builder.bitcast(at, I64.as_pointer())
    for i, condition in enumerate(value):
        f.builder.store(condition, f.builder.gep(words, [const(i)], inbounds=True))
