"""The other entry points: the first state, who is to act, what a play brought, one step."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.core.nodes import Block, Choose, Decide, DecideDrawing, DecideTogether, End
from gamedsl.core.traverse import is_stop
from gamedsl.native.emit.actions import move
from gamedsl.native.emit.advance import settle, status
from gamedsl.native.emit.apply import apply
from gamedsl.native.emit.expressions import members, number
from gamedsl.native.emit.memory import clear, context_field, record_room
from gamedsl.native.emit.module_builder import CTX_ERROR, F64, I64, PTR, Fn, Unit, const
from gamedsl.native.emit.sets import words as sets
from gamedsl.native.emit.statements import reset
from gamedsl.native.emit.stops import KINDS, by_stop, here, open_mover, pending


def initial(u: Unit) -> ir.Function:
    """``initial(ctx, s) -> status``: the first stop."""

    def body(f: Fn, _: Sequence[ir.Value]) -> None:
        clear(f, f.s, u.frame.size)
        for var in u.program.variables:
            reset(f, var)
        f.b.call(settle(u), [f.ctx, f.s, const(u.program.entry)])
        f.b.ret(status(f))

    return u.function("initial", "initial", I64, [], body, public=True)


def kind(u: Unit) -> ir.Function:
    """``kind(ctx, s)``: 0 end, 1 move, 2 choose, 3 chance, 4 together, 5 drawing."""

    def body(f: Fn, _: Sequence[ir.Value]) -> None:
        kinds = [KINDS[type(b.end)] if is_stop(b) else 0 for b in u.program.blocks]
        table = u.numbers(("kinds",), kinds, 8)
        f.b.ret(f.b.sext(f.b.load(u.at(f.b, table, here(f))), I64))

    return u.function("kind", "kind", I64, [], body, public=True)


def seat(u: Unit) -> ir.Function:
    """``seat(ctx, s)``: the player who is to act; -1 for nobody."""

    def one(f: Fn, block: Block) -> ir.Value | None:
        end = block.end
        match end:
            case Decide() | Choose() | DecideDrawing():
                return number(f, end.seat)
            case DecideTogether():
                mover = open_mover(f, end)
                found: ir.Value = const(-1)
                for m, e in enumerate(end.seats):
                    found = f.b.select(f.b.icmp_unsigned("==", mover, const(m)), number(f, e), found)
                return found
            case _:
                return None

    def body(f: Fn, _: Sequence[ir.Value]) -> None:
        by_stop(f, lambda block: one(f, block), const(-1))

    return u.function("seat", "seat", I64, [], body, public=True)


def returns(u: Unit) -> ir.Function:
    """``returns(ctx, s, out) -> status``: a utility a player; zeros while the play goes on."""

    def one(f: Fn, block: Block, out: ir.Value) -> ir.Value | None:
        if not isinstance(block.end, End):
            return None
        for i, e in enumerate(block.end.payoff):
            f.b.store(f.b.sitofp(number(f, e), F64), f.b.gep(out, [const(i)], inbounds=True))
        return status(f)

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        out = f.b.bitcast(values[0], F64.as_pointer())
        for i in range(u.program.players.size):
            f.b.store(ir.Constant(F64, 0.0), f.b.gep(out, [const(i)], inbounds=True))
        by_stop(f, lambda block: one(f, block, out), const(0))

    return u.function("returns", "returns", I64, [PTR], body, public=True)


def step(u: Unit) -> ir.Function:
    """``step(ctx, s, k) -> status``: does the k-th way on, and goes on to the next stop."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        record = record_room(f)
        f.b.call(move(u), [f.ctx, f.s, values[0], record])
        f.b.ret(f.b.call(apply(u), [f.ctx, f.s, record]))

    return u.function("step", "step", I64, [I64], body, public=True)


def block(u: Unit) -> ir.Function:
    """``block(ctx, s)``: the number of the block at whose end the state stands."""
    return u.function("block", "block", I64, [], lambda f, _: f.b.ret(here(f)), public=True)


def still(u: Unit) -> ir.Function:
    """``open(ctx, s) -> n``: how many of those who choose at once have still to choose; 0 at other stops."""

    def one(f: Fn, stop: Block) -> ir.Value | None:
        if not isinstance(stop.end, DecideTogether):
            return None
        left = sets.count(f, members(f, stop.end.movers))
        for m in range(u.program.parts[stop.end.part].players.size):
            chosen = f.b.icmp_unsigned("!=", f.b.load(pending(f, const(m))), const(0))
            left = f.b.sub(left, f.b.zext(chosen, I64))
        return left

    def body(f: Fn, _: Sequence[ir.Value]) -> None:
        by_stop(f, lambda stop: one(f, stop), const(0))

    return u.function("open", "open", I64, [], body, public=True)


def errors(u: Unit) -> ir.Function:
    """``error(ctx, _) -> place``: the place of the first rules error, from 1; forgets it."""

    def body(f: Fn, _: Sequence[ir.Value]) -> None:
        at = context_field(f, CTX_ERROR)
        place = f.b.load(at)
        f.b.store(const(0), at)
        f.b.ret(place)

    return u.function("error", "error", I64, [], body, public=True)
