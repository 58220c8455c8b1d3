"""Draws a move by the least of numbers that belong to the moves: ``draw(ctx, s, x, out) -> found``.

The number of a move is a hash of x and of its record (``SplitMix64``), so the move that is drawn depends on x and the set of
legal moves alone: not on their order, nor on how they are found. Costly conditions are asked only of the candidate with the
least number; if they refuse it, of the next one (compare ``rejection_sampling.py``). Versions of rules that allow nearly the
same moves mostly draw the same one from the same x.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.compiler.analysis.costly_conditions import Split
from gamedsl.compiler.emit.expression_code import number
from gamedsl.compiler.emit.llvm_module import I1, I64, PTR, Fn, Unit, const
from gamedsl.compiler.emit.move_code import Args, moves_key, plan_of, visit
from gamedsl.compiler.emit.rejection_sampling import accepting, split
from gamedsl.compiler.emit.splitmix import GAMMA, MASK, mixing
from gamedsl.compiler.emit.stop_code import PASS, get, offered, put, put_args, switch_on_stop
from gamedsl.language.core import nodes as n

NOTHING = MASK  # the number of no move


def draw(unit: Unit) -> ir.Function:
    """Emits ``draw``: where one player chooses a move. Returns 1 and writes the move's record, or 0 if there is none."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        x, raw = values
        out = f.builder.bitcast(raw, I64.as_pointer())
        switch_on_stop(
            f, lambda block: _at(f, block.end, x, out) if isinstance(block.end, n.Decide) else None, const(0)
        )

    return unit.function("draw", "draw", I64, [I64, PTR], body, public=True)


def _at(f: Fn, end: n.Decide, x: ir.Value, out: ir.Value) -> None:
    """Emits the draw at a stop, up to its ends."""
    b, mover, schemas = f.builder, number(f, end.mover), f.unit.program.schemas
    floor, least, which = f.alloca(I64), f.alloca(I64), f.alloca(I64)
    kinds = []
    for _, alt in offered(f, end):
        schema = schemas[alt.schema]
        kinds.append(
            (schema, split(f, schema) or Split(plan_of(f, schema), ()), f.alloca(I64, max(2, len(schema.params))))
        )
    b.store(const(0), floor)
    head, none = f.block("least"), f.block("none")
    b.branch(head)
    f.at(head)
    b.store(const(NOTHING), least)
    b.store(const(-1), which)
    for k, (schema, cut, buffer) in enumerate(kinds):
        args = b.gep(buffer, [const(0), const(0)], inbounds=True)
        _keep_less(f, b.call(_least(f, schema, cut), [f.ctx, f.s, mover, x, b.load(floor), args]), least, which, k)
    if end.may_pass is not None:
        passing = hashed(b, x, [const(PASS)])
        above = b.icmp_unsigned(">", passing, b.load(floor))
        _keep_less(f, b.select(above, passing, const(NOTHING)), least, which, len(kinds))
    switch = b.switch(b.load(which), none)
    put_first = [*(schema.index for schema, _, _ in kinds), PASS]
    for k, first in enumerate(put_first if end.may_pass is not None else put_first[:-1]):
        case = f.block("case")
        switch.add_case(const(k), case)
        f.at(case)
        put(f, out, 0, first)
        put(f, out, 1, mover)
        if k < len(kinds):
            schema, cut, buffer = kinds[k]
            args = b.gep(buffer, [const(0), const(0)], inbounds=True)
            accepted, refused = f.block("accepted"), f.block("refused")
            b.cbranch(b.call(accepting(f, schema, cut, end.tick), [f.ctx, f.s, mover, args]), accepted, refused)
            f.at(refused)
            b.store(b.load(least), floor)
            b.branch(head)
            f.at(accepted)
            for i in range(len(schema.params)):
                put(f, out, 2 + i, get(f, args, i))
        b.ret(const(1))
    f.at(none)
    b.ret(const(0))


def _keep_less(f: Fn, found: ir.Value, least: ir.Value, which: ir.Value, k: int) -> None:
    b = f.builder
    less = b.icmp_unsigned("<", found, b.load(least))
    b.store(b.select(less, found, b.load(least)), least)
    b.store(b.select(less, const(k), b.load(which)), which)


def hashed(b: ir.IRBuilder, x: ir.Value, words: Sequence[ir.Value]) -> ir.Value:
    """The number of a record (without its player) for x."""
    for word in words:
        x = mixing(b, b.add(b.xor(x, word), const(GAMMA)), const)
    return x


def _least(f: Fn, schema: n.Schema, cut: Split) -> ir.Function:
    """``least(ctx, s, me, x, floor, out) -> number``: the least number above ``floor`` of a candidate, whose arguments are
    written to ``out``; ``NOTHING`` if there is none."""

    def body(g: Fn, values: Sequence[ir.Value]) -> None:
        me, x, floor, out = values
        least = g.alloca(I64)
        g.builder.store(const(NOTHING), least)

        def leaf(args: Args) -> None:
            b = g.builder
            words = [b.zext(a, I64) if a.type == I1 else a for a in args]  # type: ignore[union-attr]
            found = hashed(b, x, [const(schema.index), *words])
            better = b.and_(b.icmp_unsigned(">", found, floor), b.icmp_unsigned("<", found, b.load(least)))
            with b.if_then(better):
                b.store(found, least)
                put_args(g, out, args)

        visit(g, schema.index, me, leaf, (), False, None, cut.candidates)
        g.builder.ret(g.builder.load(least))

    types = [I64, I64, I64, I64.as_pointer()]
    return f.unit.function(moves_key(f, "least", schema, ()), f"least{schema.index}", I64, types, body)
