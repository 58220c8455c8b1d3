"""What a seat sees of one state, for calls from Python."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.compiler.emit.advance_code import status
from gamedsl.compiler.emit.expression_code import number
from gamedsl.compiler.emit.lanes.lane_observations import observe
from gamedsl.compiler.emit.lanes.lane_tables import LaneTables
from gamedsl.compiler.emit.lanes.spread_bits import FLOAT
from gamedsl.compiler.emit.llvm_module import CTX_ERROR, I1, I64, Fn, Unit, const
from gamedsl.compiler.emit.memory import context_field
from gamedsl.compiler.emit.stop_code import pending, switch_on_stop
from gamedsl.language.core import nodes as n

REFUSED = const(-1)


def observation(unit: Unit, tables: LaneTables) -> ir.Function:
    """``observation(ctx, s, row, seat) -> status``: writes what the seat (-1: a spectator) sees. The status is -1 if
    the seat has already chosen at this simultaneous stop, or if the rules fail."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        row, seat = values
        with f.builder.if_then(f.builder.call(_has_chosen(unit), [f.ctx, f.s, seat]), likely=False):
            f.builder.ret(REFUSED)
        f.builder.call(observe(unit, tables), [f.ctx, f.s, row, seat])
        found = status(f)
        f.builder.store(const(0), context_field(f, CTX_ERROR))
        f.builder.ret(found)

    return unit.function("observation", "observation", I64, [FLOAT.as_pointer(), I64], body, public=True)


def _has_chosen(unit: Unit) -> ir.Function:
    """``has_chosen(ctx, s, seat)``: whether the seat has made a choice at this simultaneous stop."""

    def one(f: Fn, seat: ir.Value, block: n.Block) -> ir.Value | None:
        if not isinstance(block.end, n.DecideTogether):
            return None
        found: ir.Value = ir.Constant(I1, 0)
        for m, e in enumerate(block.end.seats):
            chosen = f.builder.icmp_unsigned("!=", f.builder.load(pending(f, const(m))), const(0))
            mine = f.builder.icmp_signed("==", number(f, e), seat)
            found = f.builder.or_(found, f.builder.and_(chosen, mine))
        return found

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        switch_on_stop(f, lambda block: one(f, values[0], block), ir.Constant(I1, 0))

    return unit.function("has chosen", "has_chosen", I1, [I64], body)
