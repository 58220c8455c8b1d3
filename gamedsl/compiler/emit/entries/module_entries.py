"""The basic entry points: the initial state, the player to act, utilities, one step."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.compiler.emit.action_code import move
from gamedsl.compiler.emit.advance_code import advance, status
from gamedsl.compiler.emit.apply import apply
from gamedsl.compiler.emit.expression_code import number, set_words
from gamedsl.compiler.emit.llvm_module import CTX_ERROR, F64, I64, PTR, Fn, Unit, const
from gamedsl.compiler.emit.memory import alloca_record, clear, context_field
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.statement_code import reset
from gamedsl.compiler.emit.stop_code import here, open_mover, pending, switch_on_stop
from gamedsl.language.core import nodes as n


def initial(unit: Unit) -> ir.Function:
    """``initial(ctx, s) -> status``: the initial state, at its first stop."""

    def body(f: Fn, _: Sequence[ir.Value]) -> None:
        clear(f, f.s, unit.frame.size)
        for var in unit.program.variables:
            reset(f, var)
        f.builder.call(advance(unit), [f.ctx, f.s, const(unit.program.entry)])
        f.builder.ret(status(f))

    return unit.function("initial", "initial", I64, [], body, public=True)


def kind(unit: Unit) -> ir.Function:
    """``kind(ctx, s)``: 0 end, 1 move, 2 choose, 3 chance, 4 together, 5 drawing."""

    def body(f: Fn, _: Sequence[ir.Value]) -> None:
        kinds = [b.end.kind for b in unit.program.blocks]
        table = unit.numbers(("kinds",), kinds, 8)
        f.builder.ret(f.builder.sext(f.builder.load(unit.at(f.builder, table, here(f))), I64))

    return unit.function("kind", "kind", I64, [], body, public=True)


def seat(unit: Unit) -> ir.Function:
    """``seat(ctx, s)``: the player to act, or -1."""

    def one(f: Fn, block: n.Block) -> ir.Value | None:
        end = block.end
        match end:
            case n.SoloDecision():
                return number(f, end.seat)
            case n.DecideTogether():
                mover = open_mover(f, end)
                found: ir.Value = const(-1)
                for m, e in enumerate(end.seats):
                    found = f.builder.select(f.builder.icmp_unsigned("==", mover, const(m)), number(f, e), found)
                return found
            case _:
                return None

    def body(f: Fn, _: Sequence[ir.Value]) -> None:
        switch_on_stop(f, lambda block: one(f, block), const(-1))

    return unit.function("seat", "seat", I64, [], body, public=True)


def returns(unit: Unit) -> ir.Function:
    """``returns(ctx, s, out) -> status``: one utility per player, zeros before the end."""

    def one(f: Fn, block: n.Block, out: ir.Value) -> ir.Value | None:
        if not isinstance(block.end, n.End):
            return None
        for i, e in enumerate(block.end.payoff):
            f.builder.store(f.builder.sitofp(number(f, e), F64), f.builder.gep(out, [const(i)], inbounds=True))
        return status(f)

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        out = f.builder.bitcast(values[0], F64.as_pointer())
        for i in range(unit.program.players.size):
            f.builder.store(ir.Constant(F64, 0.0), f.builder.gep(out, [const(i)], inbounds=True))
        switch_on_stop(f, lambda block: one(f, block, out), const(0))

    return unit.function("returns", "returns", I64, [PTR], body, public=True)


def step(unit: Unit) -> ir.Function:
    """``step(ctx, s, k) -> status``: applies the k-th action and advances to the next stop."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        record = alloca_record(f)
        f.builder.call(move(unit), [f.ctx, f.s, values[0], record])
        f.builder.ret(f.builder.call(apply(unit), [f.ctx, f.s, record]))

    return unit.function("step", "step", I64, [I64], body, public=True)


def block(unit: Unit) -> ir.Function:
    """``block(ctx, s)``: the number of the current block."""
    return unit.function("block", "block", I64, [], lambda f, _: f.builder.ret(here(f)), public=True)


def still(unit: Unit) -> ir.Function:
    """``open(ctx, s) -> n``: the number of players who still have to choose at a simultaneous stop; 0 at other
    stops."""

    def one(f: Fn, stop: n.Block) -> ir.Value | None:
        if not isinstance(stop.end, n.DecideTogether):
            return None
        left = sets.count(f, set_words(f, stop.end.movers))
        for m in range(unit.program.parts[stop.end.part].players.size):
            chosen = f.builder.icmp_unsigned("!=", f.builder.load(pending(f, const(m))), const(0))
            left = f.builder.sub(left, f.builder.zext(chosen, I64))
        return left

    def body(f: Fn, _: Sequence[ir.Value]) -> None:
        switch_on_stop(f, lambda stop: one(f, stop), const(0))

    return unit.function("open", "open", I64, [], body, public=True)


def errors(unit: Unit) -> ir.Function:
    """``error(ctx, _) -> place``: the place of the first rules error, counted from 1 (0: none). Clears the error."""

    def body(f: Fn, _: Sequence[ir.Value]) -> None:
        at = context_field(f, CTX_ERROR)
        place = f.builder.load(at)
        f.builder.store(const(0), at)
        f.builder.ret(place)

    return unit.function("error", "error", I64, [], body, public=True)
