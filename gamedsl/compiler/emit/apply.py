"""Applies an action at a stop."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from gamedsl.compiler.emit.advance_code import carry_out, go_on, status
from gamedsl.compiler.emit.expression_code import numbers
from gamedsl.compiler.emit.llvm_module import I64, Fn, Unit, const
from gamedsl.compiler.emit.memory import store_slot
from gamedsl.compiler.emit.simultaneous import apply_choice
from gamedsl.compiler.emit.statement_code import do_steps
from gamedsl.compiler.emit.stop_code import args_of, chosen_value, get, here
from gamedsl.language.core import is_stop
from gamedsl.language.core import nodes as n


def apply(unit: Unit) -> ir.Function:
    """``do(ctx, s, record) -> status``: applies the action in the record and advances to the next stop."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        record = f.builder.bitcast(values[0], I64.as_pointer())
        at_each_stop(f, lambda block: apply_at(f, block, record))

    return unit.function("do", "do", I64, [ir.IntType(8).as_pointer()], body, public=True)


def at_each_stop(f: Fn, write: Callable[[n.Block], None]) -> None:
    """Emits ``write``, which returns from the function, for the stop of the state. Elsewhere returns the status."""
    other = f.block("other")
    switch = f.builder.switch(here(f), other)
    for block in f.unit.program.blocks:
        if is_stop(block) and not isinstance(block.end, n.End):
            case = f.block(f"do{block.index}")
            switch.add_case(const(block.index), case)
            f.at(case)
            write(block)
    f.at(other)
    f.builder.ret(status(f))


def apply_at(f: Fn, block: n.Block, record: ir.Value) -> None:
    """Applies the action of a record at this stop, and returns the status."""
    end = block.end
    match end:
        case n.Decide():
            _apply_move(f, end, record)
        case n.DecideTogether():
            apply_choice(f, end, record)
        case n.Choose():
            keys = numbers(f, end.keys)
            do_steps(f, end.tick, f.s)
            store_slot(f, end.var, keys, chosen_value(f, end.var.type, get(f, record, 1)))
            go_on(f, end.target)
        case n.Chance():
            store_slot(f, end.result, [], chosen_value(f, end.result.type, get(f, record, 1)))
            go_on(f, end.target)
        case n.DecideDrawing():
            do_steps(f, end.tick, f.s)
            store_slot(f, end.var, [], get(f, record, 1))
            go_on(f, end.target)
        case _:
            raise AssertionError("nothing is done here")


def _apply_move(f: Fn, end: n.Decide, record: ir.Value) -> None:
    kind, mover = get(f, record, 0), get(f, record, 1)
    other = f.block("pass")
    switch = f.builder.switch(kind, other)
    done: set[int] = set()
    for alt in end.alternatives:
        if alt.schema in done:
            continue
        done.add(alt.schema)
        case = f.block(f"alt{alt.schema}")
        switch.add_case(const(alt.schema), case)
        f.at(case)
        do_steps(f, end.tick, f.s)
        carry_out(f, alt, mover, args_of(f, f.unit.program.schemas[alt.schema], record))
        go_on(f, alt.target)
    f.at(other)
    if end.may_pass is None:
        f.builder.ret(status(f))
    else:
        do_steps(f, end.tick, f.s)
        go_on(f, end.may_pass)
