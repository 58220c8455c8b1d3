"""The tally of lockstep playouts: lengths, results, unfinished playouts."""

from __future__ import annotations

from llvmlite import ir

from gamedsl.compiler.emit.llvm_module import F64, I64, const
from gamedsl.compiler.emit.memory import plus
from gamedsl.compiler.emit.sets.set_loops import each_member
from gamedsl.compiler.playouts.lockstep_round import Round
from gamedsl.compiler.playouts.results import add, add_results
from gamedsl.compiler.playouts.simd_lanes import LANES


def histogram(r: Round, ended: ir.Value, tally: ir.Value, bins: ir.Value) -> None:
    """Counts the lengths of finished playouts."""
    f = r.f
    some, none = f.block("ended"), f.block("counted")
    f.builder.cbranch(r.lanes.any_lane(ended), some, none)
    f.at(some)
    players = r.special.program.players.size
    plies, last = f.builder.load(r.plies), plus(f, bins, -1)

    def one(lane: ir.Value) -> None:
        length = f.builder.extract_element(plies, lane)
        bin = f.builder.select(f.builder.icmp_unsigned("<", length, last), length, last)
        add(f, tally, plus(f, bin, 3 + 5 * players), const(1))
        add(f, tally, const(1), length)

    each_member(f, (f.builder.zext(f.builder.bitcast(ended, ir.IntType(LANES)), I64),), 0, one)
    f.builder.branch(none)
    f.at(none)


def count_unfinished(r: Round, long: ir.Value, tally: ir.Value) -> None:
    """Counts playouts that reached the largest number of plies as unfinished, with utility 0 for all players."""
    f = r.f
    number = r.lanes.number_of(long)
    add(f, tally, const(0), number)
    add(f, tally, const(2), number)
    for p in range(r.special.program.players.size):
        add(f, tally, const(6 + 5 * p), number)


def tally(r: Round, tally: ir.Value) -> None:
    for ptr in r.classes.values():
        add(r.f, tally, const(0), r.f.builder.load(ptr))
    add_results(r.f, tally, r.classes)


def tally_worked_out(r: Round, tally: ir.Value) -> None:
    f = r.f
    floats = f.builder.bitcast(tally, F64.as_pointer())
    for p, (total, squares, *signs) in enumerate(r.sums):
        for i, ptr in ((3 + 5 * p, total), (4 + 5 * p, squares)):
            at = f.builder.gep(floats, [const(i)], inbounds=True)
            amount = f.builder.sitofp(r.lanes.total(f.builder.load(ptr)), F64)
            f.builder.store(f.builder.fadd(f.builder.load(at), amount), at)
        for i, ptr in enumerate(signs):
            add(f, tally, const(5 + 5 * p + i), f.builder.load(ptr))
            if p == 0:
                add(f, tally, const(0), f.builder.load(ptr))
