"""The actions at a stop: their number, the k-th, the weight of an outcome."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.compiler.emit.drawing_records import record
from gamedsl.compiler.emit.expression_code import number, set_words
from gamedsl.compiler.emit.llvm_module import I64, Fn, Unit, const
from gamedsl.compiler.emit.memory import load_slot, plus
from gamedsl.compiler.emit.move_code import count_moves, kth_move
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.sets.set_loops import each_member
from gamedsl.compiler.emit.stop_code import (
    CHANCE,
    CHOOSE,
    DRAW,
    PASS,
    drawn_outcome,
    equal_weight,
    offered,
    open_mover,
    outcome_weight,
    put,
    switch_on_stop,
)
from gamedsl.language.core import nodes as n


def count(unit: Unit) -> ir.Function:
    """``count(ctx, s) -> n``: the number of actions."""

    def body(f: Fn, _: Sequence[ir.Value]) -> None:
        switch_on_stop(f, lambda block: _count(f, block), const(0))

    return unit.function("count", "count", I64, [], body, public=True)


def _count(f: Fn, block: n.Block) -> ir.Value | None:
    end = block.end
    match end:
        case n.Decide():
            passing = 0 if end.may_pass is None else 1
            return plus(f, _moves_of(f, end, number(f, end.mover)), passing)
        case n.DecideTogether():
            return _moves_of(f, end, open_mover(f, end))
        case n.Choose(source=source):
            return sets.count(f, set_words(f, source))
        case n.Chance():
            return _outcomes(f, end)
        case n.DecideDrawing():
            return f.builder.load(f.builder.gep(record(f, _prepared_drawing(f, end)), [const(1)], inbounds=True))
        case _:
            return None


def _moves_of(f: Fn, end: n.Decide | n.DecideTogether, mover: ir.Value) -> ir.Value:
    total: ir.Value = const(0)
    for _, alt in offered(f, end):
        total = f.builder.add(total, count_moves(f, alt.schema, mover, end.tick))
    return total


def _outcomes(f: Fn, end: n.Chance) -> ir.Value:
    if equal_weight(end) is not None:
        return sets.count(f, set_words(f, end.over))
    total = f.alloca(I64)
    f.builder.store(const(0), total)

    def one(x: ir.Value) -> None:
        can = f.builder.icmp_signed(">", outcome_weight(f, end, x), const(0))
        f.builder.store(f.builder.add(f.builder.load(total), f.builder.zext(can, I64)), total)

    each_member(f, set_words(f, end.over), 0, one)
    return f.builder.load(total)


def _prepared_drawing(f: Fn, end: n.DecideDrawing) -> ir.Value:
    handle = load_slot(f, end.var, [])
    assert isinstance(handle, ir.Value)
    return handle


def move(unit: Unit) -> ir.Function:
    """``move(ctx, s, k, out) -> number of arguments``: the k-th action as a record."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        k, out = values
        target = f.builder.bitcast(out, I64.as_pointer())
        switch_on_stop(f, lambda block: _write(f, block, k, target), const(0))

    return unit.function("move", "move", I64, [I64, ir.IntType(8).as_pointer()], body, public=True)


def _write(f: Fn, block: n.Block, k: ir.Value, out: ir.Value) -> ir.Value | None:
    end = block.end
    match end:
        case n.Decide():
            _write_move(f, end, number(f, end.mover), k, out)
            put(f, out, 0, PASS)
            put(f, out, 1, number(f, end.mover))
            return const(0)
        case n.DecideTogether():
            _write_move(f, end, open_mover(f, end), k, out)
            return const(0)
        case n.Choose(source=source):
            put(f, out, 0, CHOOSE)
            put(f, out, 1, sets.pick(f, set_words(f, source), k))
            return const(0)
        case n.Chance():
            put(f, out, 0, CHANCE)
            put(f, out, 1, kth_outcome(f, end, k))
            return const(0)
        case n.DecideDrawing():
            put(f, out, 0, DRAW)
            first = f.builder.load(record(f, _prepared_drawing(f, end)))
            put(f, out, 1, f.builder.add(first, k))
            return const(0)
        case _:
            return None


def _write_move(f: Fn, end: n.Decide | n.DecideTogether, mover: ir.Value, k: ir.Value, out: ir.Value) -> None:
    """Returns from the function if the k-th action is a move."""
    args = f.builder.gep(out, [const(2)], inbounds=True)
    left = k
    for _, alt in offered(f, end):
        left = kth_move(f, alt.schema, mover, end.tick, left, args)
        found, following = f.block("found"), f.block("further")
        f.builder.cbranch(f.builder.icmp_signed("<", left, const(0)), found, following)
        f.at(found)
        put(f, out, 0, alt.schema)
        put(f, out, 1, mover)
        f.builder.ret(const(len(f.unit.program.schemas[alt.schema].params)))
        f.at(following)


def kth_outcome(f: Fn, end: n.Chance, k: ir.Value) -> ir.Value:
    if equal_weight(end) is not None:
        return drawn_outcome(f, end, k)
    left, found = f.alloca(I64), f.alloca(I64)
    f.builder.store(k, left)
    f.builder.store(const(0), found)

    def one(x: ir.Value) -> None:
        can = f.builder.icmp_signed(">", outcome_weight(f, end, x), const(0))
        size = f.builder.load(left)
        mine = f.builder.and_(can, f.builder.icmp_signed("==", size, const(0)))
        f.builder.store(f.builder.select(mine, x, f.builder.load(found)), found)
        f.builder.store(f.builder.sub(size, f.builder.zext(can, I64)), left)

    each_member(f, set_words(f, end.over), 0, one)
    return f.builder.load(found)


def weight(unit: Unit) -> ir.Function:
    """``weight(ctx, s, k) -> w``: the weight of the k-th outcome; 1 unless chance decides."""

    def one(f: Fn, block: n.Block, k: ir.Value) -> ir.Value | None:
        return outcome_weight(f, block.end, kth_outcome(f, block.end, k)) if isinstance(block.end, n.Chance) else None

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        switch_on_stop(f, lambda block: one(f, block, values[0]), const(1))

    return unit.function("weight", "weight", I64, [I64], body, public=True)
