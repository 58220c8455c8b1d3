"""Applies an action given by its number."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from llvmlite import ir

from gamedsl.compiler.emit.action_code import kth_outcome
from gamedsl.compiler.emit.apply import apply_at
from gamedsl.compiler.emit.expression_code import number
from gamedsl.compiler.emit.lanes.lane_tables import ActionNumbers, KindNumbers
from gamedsl.compiler.emit.lanes.legal_numbers import is_consecutive
from gamedsl.compiler.emit.llvm_module import I64, Fn, Unit, const
from gamedsl.compiler.emit.memory import alloca_record, plus
from gamedsl.compiler.emit.random_numbers import sample_outcome
from gamedsl.compiler.emit.stop_code import CHANCE, CHOOSE, PASS, open_mover, put, switch_on_stop
from gamedsl.language.core import nodes as n


def act(unit: Unit, tables: ActionNumbers) -> ir.Function:
    """``act(ctx, s, action) -> status``: applies a legal action and advances to the next stop."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        switch_on_stop(f, partial(_act, f, tables, values[0]), const(-1))

    return unit.function("act", "act", I64, [I64], body)


def _act(f: Fn, tables: ActionNumbers, action: ir.Value, block: n.Block) -> None:
    end = block.end
    if isinstance(end, n.End | n.DecideDrawing):
        return
    record = f.builder.bitcast(alloca_record(f), I64.as_pointer())
    match end:
        case n.Decide() | n.DecideTogether():
            put(f, record, 0, PASS)
            for index in dict.fromkeys(a.schema for a in end.alternatives):
                kind = tables.kinds[index]
                if kind is not None:
                    _write_move(f, index, kind, action, record)
            put(f, record, 1, number(f, end.mover) if isinstance(end, n.Decide) else open_mover(f, end))
        case n.Choose() | n.Chance():
            put(f, record, 0, CHOOSE if isinstance(end, n.Choose) else CHANCE)
            put(f, record, 1, _name(f, tables.named[block.index], action))
        case _:
            pass
    apply_at(f, block, record)


def _write_move(f: Fn, index: int, kind: KindNumbers, action: ir.Value, record: ir.Value) -> None:
    """Writes the arguments if the action is of this kind."""
    rest = plus(f, action, -kind.first)
    with f.builder.if_then(f.builder.icmp_unsigned("<", rest, const(kind.size))):
        put(f, record, 0, index)
        for i, digit in reversed(list(enumerate(kind.digits))):
            value = f.builder.urem(rest, const(digit.size)) if i else rest
            put(f, record, 2 + i, plus(f, value, digit.low))
            rest = f.builder.udiv(rest, const(digit.size))


def _name(f: Fn, names: tuple[int, ...], action: ir.Value) -> ir.Value:
    """The index of the value or outcome for an action."""
    if is_consecutive(names):
        return plus(f, action, -names[0])
    first, last = min(names), max(names)
    of_action = {a: i for i, a in reversed(list(enumerate(names)))}
    table = f.unit.numbers(("indices", names), [of_action.get(a, 0) for a in range(first, last + 1)], 32)
    return f.builder.zext(f.builder.load(f.unit.at(f.builder, table, plus(f, action, -first))), I64)


def draw(unit: Unit) -> ir.Function:
    """``draw(ctx, s, x) -> status``: lets chance decide, by its weights, from random bits, and advances."""

    def one(f: Fn, x: ir.Value, block: n.Block) -> None:
        if isinstance(block.end, n.Chance):
            k = f.builder.call(sample_outcome(unit), [f.ctx, f.s, x])
            record = f.builder.bitcast(alloca_record(f), I64.as_pointer())
            put(f, record, 0, CHANCE)
            put(f, record, 1, kth_outcome(f, block.end, k))
            apply_at(f, block, record)

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        switch_on_stop(f, partial(one, f, values[0]), const(-1))

    return unit.function("draw", "draw", I64, [I64], body)
