"""Counting what plays in lockstep brought: lengths, results, plays that were too long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from llvmlite import ir

from gamedsl.native.emit.memory import plus
from gamedsl.native.emit.module_builder import F64, I64, const
from gamedsl.native.emit.sets.loops import each_member
from gamedsl.native.playouts.lanes import LANES
from gamedsl.native.playouts.results import add, add_results

if TYPE_CHECKING:
    from gamedsl.native.playouts.lockstep import Round


def histogram(r: Round, ended: ir.Value, tally: ir.Value, bins: ir.Value) -> None:
    """The lengths of plays that are over."""
    f = r.f
    some, none = f.block("ended"), f.block("counted")
    f.b.cbranch(r.lanes.any_lane(ended), some, none)
    f.at(some)
    players = r.special.program.players.size
    plies, last = f.b.load(r.plies), plus(f, bins, -1)

    def one(lane: ir.Value) -> None:
        length = f.b.extract_element(plies, lane)
        bin = f.b.select(f.b.icmp_unsigned("<", length, last), length, last)
        add(f, tally, plus(f, bin, 3 + 5 * players), const(1))
        add(f, tally, const(1), length)

    each_member(f, (f.b.zext(f.b.bitcast(ended, ir.IntType(LANES)), I64),), 0, one)
    f.b.branch(none)
    f.at(none)


def unfinished(r: Round, long: ir.Value, tally: ir.Value) -> None:
    """Plays that reached the most plies count as such, with a utility of 0 for all."""
    f = r.f
    number = r.lanes.number_of(long)
    add(f, tally, const(0), number)
    add(f, tally, const(2), number)
    for p in range(r.special.program.players.size):
        add(f, tally, const(6 + 5 * p), number)


def tally(r: Round, tally: ir.Value) -> None:
    for room in r.classes.values():
        add(r.f, tally, const(0), r.f.b.load(room))
    add_results(r.f, tally, r.classes)


def tally_worked_out(r: Round, tally: ir.Value) -> None:
    f = r.f
    floats = f.b.bitcast(tally, F64.as_pointer())
    for p, (total, squares, *signs) in enumerate(r.sums):
        for i, room in ((3 + 5 * p, total), (4 + 5 * p, squares)):
            at = f.b.gep(floats, [const(i)], inbounds=True)
            amount = f.b.sitofp(r.lanes.total(f.b.load(room)), F64)
            f.b.store(f.b.fadd(f.b.load(at), amount), at)
        for i, room in enumerate(signs):
            add(f, tally, const(5 + 5 * p + i), f.b.load(room))
            if p == 0:
                add(f, tally, const(0), f.b.load(room))
