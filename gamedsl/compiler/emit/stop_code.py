"""Stops: the current stop, the players who act there, records of actions, outcomes of chance."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from gamedsl.compiler.emit.expression_code import as_type, number, set_words
from gamedsl.compiler.emit.llvm_module import I1, I32, I64, Fn, Value, bind, const
from gamedsl.compiler.emit.memory import fail_if, plus, pointer, times
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.sets.set_loops import each_member
from gamedsl.language.core import is_stop, offset
from gamedsl.language.core import nodes as n

PASS, CHOOSE, CHANCE, DRAW = -1, -2, -3, -4
MOST_BLOCKS = 1_000_000
NO_MOVE = "{player} has no legal move, and no rule says what happens then"
NO_VALUE = "there is no value to choose for {}"
NO_OUTCOME = "no outcome is possible here"
BELOW_0 = "an outcome has a weight below 0"


def here(f: Fn) -> ir.Value:
    """The number of the current block."""
    return f.builder.zext(f.builder.load(pointer(f, f.s, 0, I32)), I64)


def steered(f: Fn, env: Sequence[tuple[int, int]]) -> ir.Value:
    """Whether these variables, given by index, have these values in the state."""
    same: ir.Value = ir.Constant(I1, 1)
    for index, value in env:
        place = f.unit.frame.place(f.unit.program.variables[index])
        raw = f.builder.load(pointer(f, f.s, place.offset, ir.IntType(place.cell.bits)))
        same = f.builder.and_(same, f.builder.icmp_unsigned("==", raw, ir.Constant(raw.type, value - place.cell.low)))
    return same


def stand(f: Fn, block: ir.Value) -> None:
    f.builder.store(f.builder.trunc(block, I32), pointer(f, f.s, 0, I32))


def switch_on_stop(f: Fn, write: Callable[[n.Block], ir.Value | None], default: ir.Value) -> None:
    """Switches on the current stop and returns what ``write`` gives for it, or the default for None."""
    other = f.block("other")
    switch = f.builder.switch(here(f), other)
    for block in f.unit.program.blocks:
        if not is_stop(block):
            continue
        at = f.block(f"stop{block.index}")
        f.at(at)
        value = write(block)
        if value is None:
            f.goto(other)
        elif not f.builder.block.is_terminated:
            f.builder.ret(value)
        switch.add_case(const(block.index), at)
    f.at(other)
    f.builder.ret(default)


def movers(f: Fn, end: n.DecideTogether) -> sets.Words:
    return set_words(f, end.movers)


def open_mover(f: Fn, end: n.DecideTogether) -> ir.Value:
    """The first mover at a simultaneous stop who has not chosen yet. There always is one."""
    left = movers(f, end)
    for m in range(f.unit.program.parts[end.part].players.size):
        chosen = f.builder.icmp_unsigned("!=", f.builder.load(pending(f, const(m))), const(0))
        one = sets.single(f, const(m), len(left))
        left = tuple(f.builder.select(chosen, y, x) for x, y in zip(left, sets.without(f, left, one), strict=True))
    return sets.lowest(f, left)


def pending(f: Fn, mover: ir.Value) -> ir.Value:
    """The address of a mover's pending choice: 0, or 1 + its index among all choices."""
    at = f.builder.gep(f.s, [plus(f, f.builder.mul(mover, const(8)), f.unit.frame.pending)], inbounds=True)
    return f.builder.bitcast(at, I64.as_pointer())


def nothing_pending(f: Fn, number: int) -> ir.Value:
    """Whether nobody has chosen yet in a state at this block of the source."""
    end = f.unit.source.blocks[number].end
    if not isinstance(end, n.DecideTogether):
        return ir.Constant(I1, 1)
    chosen: ir.Value = const(0)
    for m in range(f.unit.program.parts[end.part].players.size):
        chosen = f.builder.or_(chosen, f.builder.load(pending(f, const(m))))
    return f.builder.icmp_unsigned("==", chosen, const(0))


def offered(f: Fn, end: n.Decide | n.DecideTogether) -> list[tuple[int, n.Alt]]:
    """The alternatives without mistakes, each with its index."""
    return [(i, a) for i, a in enumerate(end.alternatives) if not f.unit.program.schemas[a.schema].mistake]


def outcome_possible(f: Fn, end: n.Chance) -> ir.Value:
    """The sum of the outcomes' weights. Reports a rules error if a weight is negative or all are 0."""
    total, negative = weighed(f, end)
    fail_if(f, negative, end.span, BELOW_0)
    fail_if(f, f.builder.icmp_signed("==", total, const(0)), end.span, NO_OUTCOME)
    return total


def weighed(f: Fn, end: n.Chance) -> tuple[ir.Value, ir.Value]:
    """The sum of the outcomes' weights, and whether one is negative."""
    equal = equal_weight(end)
    if equal is not None:
        count = (
            const(end.over.value.bit_count())
            if isinstance(end.over, n.Const)
            else sets.count(f, set_words(f, end.over))
        )
        return times(f, count, equal), ir.Constant(I1, 0)
    total, negative = f.alloca(I64), f.alloca(I1)
    f.builder.store(const(0), total)
    f.builder.store(ir.Constant(I1, 0), negative)

    def one(x: ir.Value) -> None:
        w = outcome_weight(f, end, x)
        f.builder.store(f.builder.add(f.builder.load(total), w), total)
        f.builder.store(f.builder.or_(f.builder.load(negative), f.builder.icmp_signed("<", w, const(0))), negative)

    each_member(f, set_words(f, end.over), 0, one)
    return f.builder.load(total), f.builder.load(negative)


def equal_weight(end: n.Chance) -> int | None:
    """The weight that all outcomes share, or None if they may differ."""
    return end.weight.value if isinstance(end.weight, n.Const) and end.weight.value > 0 else None


def drawn_outcome(f: Fn, end: n.Chance, k: ir.Value) -> ir.Value:
    """The k-th outcome, if all have the same weight; 0 if there is none."""
    if isinstance(end.over, n.Const) and end.over.value:
        return sets.pick_constant(f, end.over.value, k)
    over = set_words(f, end.over)
    return f.builder.select(sets.is_empty(f, over), const(0), sets.pick(f, over, k))


def outcome_weight(f: Fn, end: n.Chance, index: ir.Value) -> ir.Value:
    bind(f, end.local, as_type(f, plus(f, index, offset(end.local.type)), end.local.type))
    return number(f, end.weight)


def put(f: Fn, out: ir.Value, index: int, value: ir.Value | int) -> None:
    f.builder.store(
        value if isinstance(value, ir.Value) else const(value), f.builder.gep(out, [const(index)], inbounds=True)
    )


def put_args(f: Fn, out: ir.Value, args: Sequence[Value]) -> None:
    """Writes the arguments of a move as words."""
    for i, a in enumerate(args):
        assert isinstance(a, ir.Value)
        put(f, out, i, f.builder.zext(a, I64) if a.type == I1 else a)


def get(f: Fn, record: ir.Value, index: int) -> ir.Value:
    return f.builder.load(f.builder.gep(record, [const(index)], inbounds=True))


def chosen_value(f: Fn, t: object, index: ir.Value) -> Value:
    return as_type(f, plus(f, index, offset(t)), t)


def args_of(f: Fn, schema: n.Schema, words: ir.Value, first: int = 2) -> list[Value]:
    """The arguments of a move, from the words of a record or (``first`` 0) of a list."""
    return [as_type(f, get(f, words, first + i), p.local.type) for i, p in enumerate(schema.params)]
