"""The random number generator of a playout, and outcomes of chance."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from gamedsl.compiler.emit.expression_code import set_words
from gamedsl.compiler.emit.llvm_module import I64, Fn, Unit, const
from gamedsl.compiler.emit.sets.set_loops import each_member
from gamedsl.compiler.emit.splitmix import GAMMA, mixing
from gamedsl.compiler.emit.stop_code import equal_weight, here, outcome_weight, weighed
from gamedsl.language.core import nodes as n

MULTIPLIER, INCREMENT = 0xD1342543DE82EF95, GAMMA


def following(b: ir.IRBuilder, x: ir.Value) -> ir.Value:
    return b.add(b.mul(x, const(MULTIPLIER)), const(INCREMENT))


def redrawn(b: ir.IRBuilder, x: ir.Value) -> ir.Value:
    """The number for the next draw of the same ply, after x has drawn a candidate that is refused."""
    return mixing(b, b.add(x, const(GAMMA)), const)


def below(b: ir.IRBuilder, x: ir.Value, count: ir.Value) -> ir.Value:
    """A number in 0 .. n - 1 from the upper half of x."""
    return b.lshr(b.mul(b.lshr(x, const(32)), count), const(32))


def sample_outcome(unit: Unit) -> ir.Function:
    """``sample_outcome(ctx, s, x) -> k``: a random outcome of chance, according to the weights."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        other = f.block("other")
        switch = f.builder.switch(here(f), other)
        for block in unit.program.blocks:
            if isinstance(block.end, n.Chance):
                case = f.block("chance")
                switch.add_case(const(block.index), case)
                f.at(case)
                f.builder.ret(_outcome(f, block.end, values[0]))
        f.at(other)
        f.builder.ret(const(0))

    return unit.function("sample_outcome", "sample_outcome", I64, [I64], body)


def _outcome(f: Fn, end: n.Chance, x: ir.Value) -> ir.Value:
    total, _ = weighed(f, end)
    if (equal := equal_weight(end)) is not None:
        return f.builder.udiv(below(f.builder, x, total), const(equal))
    left, k, found = f.alloca(I64), f.alloca(I64), f.alloca(I64)
    f.builder.store(below(f.builder, x, total), left)
    f.builder.store(const(0), k)
    f.builder.store(const(-1), found)

    def one(index: ir.Value) -> None:
        w, number, i, old = (
            outcome_weight(f, end, index),
            f.builder.load(left),
            f.builder.load(k),
            f.builder.load(found),
        )
        mine = f.builder.and_(f.builder.icmp_signed("<", number, w), f.builder.icmp_signed("<", old, const(0)))
        f.builder.store(f.builder.select(mine, i, old), found)
        f.builder.store(f.builder.sub(number, w), left)
        f.builder.store(f.builder.add(i, f.builder.zext(f.builder.icmp_signed(">", w, const(0)), I64)), k)

    each_member(f, set_words(f, end.over), 0, one)
    return f.builder.load(found)


def seeded(b: ir.IRBuilder, seed: ir.Value, index: ir.Value, const: Callable[[int], ir.Value] = const) -> ir.Value:
    """The initial generator of one playout, from the seed and the number of the playout. ``const`` makes constants of
    the right type."""
    x = b.add(b.mul(seed, const(MULTIPLIER)), b.mul(b.add(index, const(1)), const(INCREMENT)))
    return mixing(b, x, const)
