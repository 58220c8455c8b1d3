"""Draws a random move of a schema by rejection: costly conditions are asked of the drawn candidate only.

The conditions after the last binding of a plan are cut at the first costly one (a look-ahead, or a search along lines
and neighbors). The steps before the cut give candidates, which are listed. A candidate is drawn from all; the steps
from the cut on, and the prohibitions, are asked about it. If they refuse it, it is taken off the list, and another is
drawn from the rest. So every legal move is drawn with the same probability (rejection sampling without replacement),
mostly at the cost of one question.

A rules error in a costly condition is met only if its candidate is drawn. Listing moves meets all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from llvmlite import ir

from gamedsl.core import looks_ahead, walk
from gamedsl.core.nodes import Bind, CallF, Closure, CoreStmt, Decide, Expr, Flood, Function, Schema, SomeMove, Test
from gamedsl.native import cutoffs
from gamedsl.native.emit.expressions import as_type, truth
from gamedsl.native.emit.lazy_calls import LazyCalls
from gamedsl.native.emit.memory import plus
from gamedsl.native.emit.module_builder import I1, I64, Fn, bind, const, flag
from gamedsl.native.emit.moves import Args, moves_key, plan_of, unless_forbidden, visit

Steps = tuple[Bind | Test, ...]


@dataclass(frozen=True)
class Split:
    """A plan, cut: the steps that give candidates, and the tests of one candidate."""

    candidates: Steps
    tests: tuple[Test, ...]


def split(f: Fn, schema: Schema) -> Split | None:
    """The plan cut at its first costly test, or None if nothing is won by drawing first."""
    plan = plan_of(f, schema)
    bound = max((i for i, step in enumerate(plan) if isinstance(step, Bind)), default=-1)
    if bound < 0:
        return None
    functions = f.unit.program.functions
    for i in range(bound + 1, len(plan)):
        step = plan[i]
        if isinstance(step, Test) and costly(step.condition, functions):
            return Split(plan[:i], tuple(t for t in plan[i:] if isinstance(t, Test)))
    return Split(plan, ()) if schema.forbids else None


def costly(e: Expr, functions: Sequence[Function]) -> bool:
    """Does it look ahead, or search along a relation? Calls are followed."""
    return any(
        isinstance(x, Flood | Closure | SomeMove)
        or (isinstance(x, CallF) and costly(functions[x.function].body, functions))
        for x in walk(e)
    ) or looks_ahead(e)


class Candidates:
    """The listed candidates of a schema. ``count`` is the address of their number; refused ones are taken off."""

    def __init__(self, f: Fn, end: Decide, schema: Schema, mover: ir.Value, cut: Split) -> None:
        self.schema, self.mover, self.cut, self.tick = schema, mover, cut, end.tick
        self.size = len(schema.params)
        self.buffer = f.alloca(I64, (cutoffs.CANDIDATE_LIST + 2) * self.size)
        self.count = f.alloca(I64)
        f.builder.store(
            f.builder.call(self._list(f), [f.ctx, f.s, mover, self._at(f, const(0))]),
            self.count,
        )

    def _at(self, f: Fn, index: ir.Value) -> ir.Value:
        return f.builder.gep(self.buffer, [const(0), f.builder.mul(index, const(self.size))], inbounds=True)

    def _list(self, f: Fn) -> ir.Function:
        """``candidates(ctx, s, me, out) -> n``: lists the arguments of all candidates, up to the size of the list."""
        schema, size = self.schema, self.size

        def body(g: Fn, values: Sequence[ir.Value]) -> None:
            total = g.alloca(I64)
            g.builder.store(const(0), total)

            def leaf(args: Args) -> None:
                n = g.builder.load(total)
                fits = g.builder.icmp_unsigned("<", n, const(cutoffs.CANDIDATE_LIST))
                last = g.builder.select(fits, n, const(cutoffs.CANDIDATE_LIST))
                write_args(g, args, g.builder.gep(values[1], [g.builder.mul(last, const(size))], inbounds=True))
                g.builder.store(plus(g, n, 1), total)

            visit(g, schema.index, values[0], leaf, (), False, steps=self.cut.candidates)
            g.builder.ret(g.builder.load(total))

        key = moves_key(f, "candidates", schema, ())
        return f.unit.function(key, f"candidates{schema.index}", I64, [I64, I64.as_pointer()], body)

    def overflown(self, f: Fn) -> ir.Value:
        return f.builder.icmp_unsigned(">", f.builder.load(self.count), const(cutoffs.CANDIDATE_LIST))

    def accepts(self, f: Fn, k: ir.Value) -> ir.Value:
        """Is the k-th candidate a legal move?"""
        return f.builder.call(_accepts(f, self.schema, self.cut, self.tick), [f.ctx, f.s, self.mover, self._at(f, k)])

    def write(self, f: Fn, k: ir.Value, out: ir.Value) -> None:
        """Writes the arguments of the k-th candidate."""
        self._copy(f, self._at(f, k), out)

    def remove(self, f: Fn, k: ir.Value) -> None:
        """Takes the k-th candidate off the list. The last one takes its place."""
        last = plus(f, f.builder.load(self.count), -1)
        self._copy(f, self._at(f, last), self._at(f, k))
        f.builder.store(last, self.count)

    def _copy(self, f: Fn, source: ir.Value, target: ir.Value) -> None:
        for i in range(self.size):
            value = f.builder.load(f.builder.gep(source, [const(i)], inbounds=True))
            f.builder.store(value, f.builder.gep(target, [const(i)], inbounds=True))


def write_args(f: Fn, args: Args, out: ir.Value) -> None:
    """Writes the arguments of a move as words."""
    for i, a in enumerate(args):
        assert isinstance(a, ir.Value)
        raw = f.builder.zext(a, I64) if a.type == I1 else a
        f.builder.store(raw, f.builder.gep(out, [const(i)], inbounds=True))


def _accepts(f: Fn, schema: Schema, cut: Split, tick: tuple[CoreStmt, ...]) -> ir.Function:
    """``accepts(ctx, s, me, args) -> bool``: do the tests after the cut and the prohibitions allow the candidate?"""

    def body(g: Fn, values: Sequence[ir.Value]) -> None:
        me, given = values
        refused = g.block("refused")
        bind(g, schema.me, me)
        for i, p in enumerate(schema.params):
            raw = g.builder.load(g.builder.gep(given, [const(i)], inbounds=True))
            bind(g, p.local, as_type(g, raw, p.local.type))
        g.features.of(LazyCalls).once = {}
        for test in cut.tests:
            following = g.block("and")
            g.builder.cbranch(truth(g, test.condition), following, refused)
            g.at(following)
        if schema.forbids:
            args = [g.env[p.local.id] for p in schema.params]
            unless_forbidden(g, schema, me, args, tick, lambda _: g.builder.ret(flag(True)))
            g.goto(refused)
        else:
            g.builder.ret(flag(True))
        g.at(refused)
        g.builder.ret(flag(False))

    key = moves_key(f, "accepts", schema, tick)
    return f.unit.function(key, f"accepts{schema.index}", I1, [I64, I64.as_pointer()], body)
