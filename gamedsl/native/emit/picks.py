"""Picks a random action in one enumeration: ``pick(ctx, s, x, out) -> n``.

Writes the action that the random number x selects, as a record, to ``out``; n is the number of actions. The action is
the one that ``count`` and ``move`` would give. Moves that are the members of one set are counted. Others are listed,
and enumerated again only if one beyond the list is selected.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.core.nodes import Alt, Bind, Block, Chance, CoreStmt, Decide
from gamedsl.native import cutoffs
from gamedsl.native.emit.actions import count, move
from gamedsl.native.emit.entries.entry_points import kind
from gamedsl.native.emit.expressions import number
from gamedsl.native.emit.memory import plus
from gamedsl.native.emit.module_builder import I1, I64, PTR, Fn, Unit, const
from gamedsl.native.emit.moves import Args, count_moves, kth_move, moves_key, plan_of, visit
from gamedsl.native.emit.random_numbers import below, sample_outcome
from gamedsl.native.emit.stops import KINDS, PASS, by_stop, offered, put


def pick(unit: Unit) -> ir.Function:
    """Emits ``pick``."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        if unit.special is None:
            by_stop(f, lambda block: _at(f, block, values[0], values[1]), const(0))
        else:
            f.builder.ret(_by_number(f, values[0], values[1]))

    return unit.function("pick", "pick", I64, [I64, PTR], body)


def _at(f: Fn, block: Block, x: ir.Value, out: ir.Value) -> ir.Value:
    if isinstance(block.end, Decide):
        return _move(f, block.end, x, f.builder.bitcast(out, I64.as_pointer()))
    return _by_number(f, x, out)


def _by_number(f: Fn, x: ir.Value, out: ir.Value) -> ir.Value:
    """Picks by ``count`` and ``move``. Specialized programs use this only for unknown start positions, where code size
    matters more."""
    n = f.builder.call(count(f.unit), [f.ctx, f.s])
    k = below(f.builder, x, n)
    if any(isinstance(b.end, Chance) for b in f.unit.program.blocks):
        by_chance = f.builder.icmp_unsigned("==", f.builder.call(kind(f.unit), [f.ctx, f.s]), const(KINDS[Chance]))
        k = f.builder.select(by_chance, f.builder.call(sample_outcome(f.unit), [f.ctx, f.s, x]), k)
    f.builder.call(move(f.unit), [f.ctx, f.s, k, out])
    return n


def _move(f: Fn, end: Decide, x: ir.Value, out: ir.Value) -> ir.Value:
    mover = number(f, end.mover)
    kinds = [(alt, _Kind(f, end, alt, mover)) for _, alt in offered(f, end)]
    n: ir.Value = const(0 if end.may_pass is None else 1)
    for _, one in kinds:
        n = f.builder.add(n, one.count)
    put(f, out, 0, PASS)
    put(f, out, 1, mover)
    done, k = f.block("picked"), below(f.builder, x, n)
    for alt, one in kinds:
        mine, following = f.block("mine"), f.block("further")
        f.builder.cbranch(f.builder.icmp_unsigned("<", k, one.count), mine, following)
        f.at(mine)
        put(f, out, 0, alt.schema)
        one.write(f, k, f.builder.gep(out, [const(2)], inbounds=True))
        f.builder.branch(done)
        f.at(following)
        k = f.builder.sub(k, one.count)
    f.builder.branch(done)
    f.at(done)
    return n


class _Kind:
    """The moves of a schema: their number, and the list of them."""

    def __init__(self, f: Fn, end: Decide, alt: Alt, mover: ir.Value) -> None:
        self.mover, self.tick, self.schema = mover, end.tick, alt.schema
        schema = f.unit.program.schemas[alt.schema]
        self.size = len(schema.params)
        plan = plan_of(f, schema)
        bindings = sum(isinstance(x, Bind) for x in plan)
        counted = not bindings or (bindings == 1 and isinstance(plan[-1], Bind) and not schema.forbids)
        self.buffer = None if counted else f.alloca(I64, (cutoffs.GENERIC_LIST + 1) * self.size)
        if self.buffer is None:
            self.count = count_moves(f, alt.schema, mover, end.tick)
        else:
            self.count = f.builder.call(_list(f, alt.schema, end.tick), [f.ctx, f.s, mover, self._at(f, const(0))])

    def _at(self, f: Fn, index: ir.Value) -> ir.Value:
        assert self.buffer is not None
        return f.builder.gep(self.buffer, [const(0), f.builder.mul(index, const(self.size))], inbounds=True)

    def write(self, f: Fn, k: ir.Value, out: ir.Value) -> None:
        """Writes the arguments of the k-th move."""
        if self.size == 0:
            return
        if self.buffer is None:
            kth_move(f, self.schema, self.mover, self.tick, k, out)
            return
        near, far, done = f.block("near"), f.block("far"), f.block("written")
        f.builder.cbranch(f.builder.icmp_unsigned("<", k, const(cutoffs.GENERIC_LIST)), near, far)
        f.at(near)
        kept = self._at(f, k)
        for i in range(self.size):
            put(f, out, i, f.builder.load(f.builder.gep(kept, [const(i)], inbounds=True)))
        f.builder.branch(done)
        f.at(far)
        kth_move(f, self.schema, self.mover, self.tick, k, out)
        f.builder.branch(done)
        f.at(done)


def _list(f: Fn, number: int, tick: tuple[CoreStmt, ...]) -> ir.Function:
    """``list(ctx, s, me, out) -> n``: lists the arguments of a schema's moves, up to the size of the list."""
    schema = f.unit.program.schemas[number]
    size = len(schema.params)

    def body(g: Fn, values: Sequence[ir.Value]) -> None:
        total = g.alloca(I64)
        g.builder.store(const(0), total)

        def leaf(args: Args) -> None:
            n = g.builder.load(total)
            last = g.builder.select(
                g.builder.icmp_unsigned("<", n, const(cutoffs.GENERIC_LIST)), n, const(cutoffs.GENERIC_LIST)
            )
            at = g.builder.gep(values[1], [g.builder.mul(last, const(size))], inbounds=True)
            for i, a in enumerate(args):
                assert isinstance(a, ir.Value)
                put(g, at, i, g.builder.zext(a, I64) if a.type == I1 else a)
            g.builder.store(plus(g, n, 1), total)

        visit(g, number, values[0], leaf, tick, True)
        g.builder.ret(g.builder.load(total))

    return f.unit.function(moves_key(f, "list", schema, tick), f"list{number}", I64, [I64, I64.as_pointer()], body)
