"""All successors of a state as rows: ``expand(ctx, row, out, most) -> n``.

Writes the states after the first ``most`` actions in the state of a row, in order, as consecutive rows at ``out``; n is
the number of actions. If an action ends in a rules error, its row is undefined, and the error stays in the context.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.compiler.emit.llvm_module import I64, PTR, Fn, Unit, const
from gamedsl.compiler.emit.successors.all_actions import Children, successors
from gamedsl.compiler.emit.successors.packed_states import Rows, pack, unpack


def expand(unit: Unit) -> ir.Function:
    """Emits ``expand``."""
    return unit.function("expand", "expand", I64, [PTR, I64], _expand, public=True)


def _expand(f: Fn, values: Sequence[ir.Value]) -> None:
    out, most = values
    row, state, child = f.s, f.scratch(), f.scratch()
    size = 8 * Rows.of(f.unit.frame).words

    def finish(i: ir.Value) -> None:
        f.builder.call(pack(f.unit), [f.ctx, child, f.builder.gep(out, [f.builder.mul(i, const(size))], inbounds=True)])

    f.builder.call(unpack(f.unit), [f.ctx, state, row])
    f.s = state
    f.builder.ret(successors(f, Children(most, lambda i: child, finish)))
