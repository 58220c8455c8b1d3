"""All successors of a state as states: ``fan(ctx, s, out, most) -> n``.

Writes the states after the first ``most`` actions, in order, consecutively at ``out``; n is the number of actions. For
an action that ends in a rules error, the number of the state's block is replaced by minus the error's place.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.compiler.emit.llvm_module import CTX_ERROR, I32, I64, PTR, Fn, Unit, const
from gamedsl.compiler.emit.memory import context_field, pointer
from gamedsl.compiler.emit.successors.all_actions import Children, successors


def fan(unit: Unit) -> ir.Function:
    """Emits ``fan``."""
    return unit.function("fan", "fan", I64, [PTR, I64], _fan, public=True)


def _fan(f: Fn, values: Sequence[ir.Value]) -> None:
    out, most = values

    def made_at(i: ir.Value) -> ir.Value:
        return f.builder.gep(out, [f.builder.mul(i, const(f.unit.frame.size))], inbounds=True)

    f.builder.ret(successors(f, Children(most, made_at, lambda i: _mark(f))))


def _mark(f: Fn) -> None:
    """Moves the place of a rules error from the context to the state's block."""
    at = context_field(f, CTX_ERROR)
    wrong = f.builder.load(at)
    with f.builder.if_then(f.builder.icmp_unsigned("!=", wrong, const(0)), likely=False):
        f.builder.store(f.builder.trunc(f.builder.neg(wrong), I32), pointer(f, f.s, 0, I32))
        f.builder.store(const(0), at)
