"""Maintained conditions in scalar playouts: the data stored for them, and their update by a new element.

``transform/incremental_conditions.py`` finds the conditions. Lines: there is a word for every chain, the longest
straight row whose runs of k elements are lines. The new element sets its bit in each chain through it, and a run of k
bits there is a line. Lines of other shapes count what they still miss. Reach: the set of reached elements is stored.
Components: see ``component_code.py``.
"""

from __future__ import annotations

from dataclasses import field
from functools import lru_cache

from llvmlite import ir

from gamedsl.compiler.emit.llvm_module import I1, I8, I64, PTR, Fn, const, set_const
from gamedsl.compiler.emit.memory import clear, copy_bytes, load_slot
from gamedsl.compiler.emit.memory_layout import words_of
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.sets.images import flooded, image_of
from gamedsl.compiler.emit.sets.line_patterns import doublings, shapes, spacing
from gamedsl.compiler.emit.sets.set_loops import each_member
from gamedsl.compiler.playouts.component_code import component_layout, join_element
from gamedsl.compiler.transform.monitors import Components, Lines, Monitor, Reach
from gamedsl.language.boards import elements
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

MOST_CHAIN = 64
MOST_THROUGH = 16  # lines through an element that are counted one by one


@lazy_dataclass(frozen=True)
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


@lazy_dataclass(frozen=True)
class Counters:
    """Lines of any shape. ``missing``: the elements of each line, and 1 for a line that is never met. ``through[c]``: the
    lines through element c, each with the 1 that it then misses less; as many for every element."""

    missing: tuple[int, ...]
    through: tuple[tuple[tuple[int, int], ...], ...]


@lru_cache(maxsize=32)
def counters(lines: tuple[int, ...], size: int) -> Counters | None:
    """The counters of lines. Returns None if lines are long, or too many of them share an element."""
    through: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for number, line in enumerate(lines):
        for c in elements(line):
            through[c].append((number, 1))
    most = max(map(len, through))
    if most > MOST_THROUGH or any(line.bit_count() > 255 for line in lines):
        return None
    padded = tuple((*at, *[(len(lines), 0)] * (most - len(at))) for at in through)
    return Counters((*(line.bit_count() for line in lines), 1), padded)


@lazy_dataclass()
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
    lines: Chains | Counters | None = None


@lazy_dataclass()
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
    return not isinstance(monitor, Lines) or (monitor.type.domain.size > 64 and _lines(monitor) is not None)


def _lines(monitor: Lines) -> Chains | Counters | None:
    size = monitor.type.domain.size
    return chains(monitor.lines, size) or counters(monitor.lines, size)


def maintain(f: Fn, monitor: Monitor, var: n.Var) -> MaintainedCondition:
    """Initializes a monitor from the state. Its ``flag`` says whether the condition already holds."""
    lines = _lines(monitor) if isinstance(monitor, Lines) else None
    size = _bytes(monitor, lines)
    first, now = (f.builder.bitcast(f.alloca(I64, max(2, -(-size // 8))), PTR) for _ in range(2))
    made = MaintainedCondition(monitor, var, [const(k) for k in monitor.slot[1]], f.alloca(I1), first, now, size, lines)
    f.builder.store(ir.Constant(I1, 0), made.flag)
    value = load_slot(f, var, made.keys)
    assert isinstance(value, tuple)
    if isinstance(monitor, Reach):
        start = sets.both(f, set_const(monitor.start, len(value)), value)
        reached = flooded(f, start, value, monitor.table)
        _put(f, first, reached)
        f.builder.store(
            f.builder.not_(sets.is_empty(f, sets.both(f, reached, set_const(monitor.target, len(value))))), made.flag
        )
        return made
    if isinstance(lines, Counters):
        missing = f.unit.numbers(("missing", lines), lines.missing, 8)
        copy_bytes(f, first, f.builder.bitcast(missing, PTR), size)
    else:
        clear(f, first, size)
    so_far = f.builder.bitcast(f.alloca(I64, max(2, len(value))), PTR)
    _put(f, so_far, set_const(0, len(value)))

    def add(x: ir.Value) -> None:
        _put(f, so_far, sets.either(f, _get(f, so_far, len(value)), sets.single(f, x, len(value))))
        holds = _added(f, made, first, _get(f, so_far, len(value)), x)
        f.builder.store(f.builder.or_(f.builder.load(made.flag), holds), made.flag)

    each_member(f, value, 0, add)
    return made


def _bytes(monitor: Monitor, lines: Chains | Counters | None) -> int:
    """The bytes that a monitor stores."""
    if isinstance(monitor, Components):
        return component_layout(monitor).bytes
    if lines is None:
        return 8 * words_of(monitor.type.domain.size)
    return lines.bits // 8 * lines.number if isinstance(lines, Chains) else len(lines.missing)


def element_added(f: Fn, condition: MaintainedCondition, x: ir.Value) -> None:
    """Updates a monitor after an element was added. Its ``flag`` says whether the condition holds now."""
    if isinstance(condition.monitor, Reach):
        _reach_step(f, condition, x)
        return
    value = load_slot(f, condition.var, condition.keys)
    assert isinstance(value, tuple)
    f.builder.store(_added(f, condition, condition.now, value, x), condition.flag)


def _added(f: Fn, condition: MaintainedCondition, data: ir.Value, value: sets.Words, x: ir.Value) -> ir.Value:
    """Updates the data of a monitor. Returns whether the condition holds through the new element."""
    match condition:
        case MaintainedCondition(lines=Chains() as found):
            return _chain_step(f, found, data, x)
        case MaintainedCondition(lines=Counters() as found):
            return _counter_step(f, found, data, x)
        case MaintainedCondition(monitor=Components() as monitor):
            return join_element(f, monitor, data, value, x)
        case _:
            raise AssertionError(condition.monitor)


def _counter_step(f: Fn, c: Counters, data: ir.Value, x: ir.Value) -> ir.Value:
    """Counts the element in each line through it. Returns whether one of them is whole now."""
    b, most = f.builder, len(c.through[0])
    numbers = f.unit.numbers(("lines", c), [number for at in c.through for number, _ in at], 16)
    ones = f.unit.numbers(("ones", c), [one for at in c.through for _, one in at], 8)
    base = b.mul(x, const(most))
    whole: ir.Value = ir.Constant(I1, 0)
    for i in range(most):
        index = f.builder.add(base, const(i))
        at = b.gep(data, [b.zext(b.load(f.unit.at(b, numbers, index)), I64)], inbounds=True)
        left = b.sub(b.load(at), b.load(f.unit.at(b, ones, index)))
        b.store(left, at)
        whole = b.or_(whole, b.icmp_unsigned("==", left, ir.Constant(I8, 0)))
    return whole


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
    near = image_of(f, x, monitor.table)
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
    for i, word in enumerate(value):
        f.builder.store(word, f.builder.gep(words, [const(i)], inbounds=True))
