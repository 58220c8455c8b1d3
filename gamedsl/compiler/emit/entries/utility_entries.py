"""Entry points for utilities: scores of finished games, and bounds on the outcome of others."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.compiler.analysis.outcome_bounds import outcome_bounds
from gamedsl.compiler.emit.advance_code import status
from gamedsl.compiler.emit.expression_code import number
from gamedsl.compiler.emit.known_values import same_state
from gamedsl.compiler.emit.llvm_module import I64, PTR, Fn, Unit, const
from gamedsl.compiler.emit.stop_code import switch_on_stop
from gamedsl.language.core import nodes as n


def scores(unit: Unit) -> ir.Function:
    """``scores(ctx, s, out) -> status``: one score per player. Writes nothing before the end, or if scores do not
    decide it."""

    def one(f: Fn, block: n.Block, out: ir.Value) -> ir.Value | None:
        if not isinstance(block.end, n.End) or not block.end.scores:
            return None
        for i, e in enumerate(block.end.scores):
            f.builder.store(number(f, e), f.builder.gep(out, [const(i)], inbounds=True))
        return status(f)

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        out = f.builder.bitcast(values[0], I64.as_pointer())
        switch_on_stop(f, lambda block: one(f, block, out), const(0))

    return unit.function("scores", "scores", I64, [PTR], body, public=True)


def outcome_bounds_entry(unit: Unit) -> ir.Function:
    """``outcome_bounds(ctx, s, by, out) -> known``: bounds on the outcome (``analysis/outcome_bounds.py``), by results
    (``by`` 0) or by scores (``by`` 1).

    Writes the most and the least that the first of two players can still get, then the numbers of ways in which the
    best and the worst end are still possible. Returns 0, and writes nothing, if there are no such bounds.
    """

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        out = f.builder.bitcast(values[1], I64.as_pointer())
        for by in (0, 1):
            found = outcome_bounds(unit.program, by == 1)
            if found is None:
                continue
            asked, other = f.block("by"), f.block("other")
            f.builder.cbranch(f.builder.icmp_unsigned("==", values[0], const(by)), asked, other)
            f.at(asked)
            with same_state(f):
                for i, e in enumerate((found.upper, found.lower, found.best_lines, found.worst_lines)):
                    f.builder.store(number(f, e), f.builder.gep(out, [const(i)], inbounds=True))
            f.builder.ret(const(1))
            f.at(other)
        f.builder.ret(const(0))

    return unit.function("outcome_bounds", "outcome_bounds", I64, [I64, PTR], body, public=True)
