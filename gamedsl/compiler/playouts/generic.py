"""Playouts by generic code, from any stop.

Each playout has its own generator, seeded by the seed and the number of the playout, so that its result does not depend
on others. It is a linear congruential generator x -> x * MULTIPLIER + INCREMENT modulo 2^64 (multiplier from Steele and
Vigna, "Computationally easy, spectrally good multipliers", 2022). A number below n is the upper half of (upper half of
x) times n (Lemire 2019, without rejection: the probability of a value is off by less than n / 2^32).
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.compiler.emit.apply import apply
from gamedsl.compiler.emit.entries.module_entries import kind, returns
from gamedsl.compiler.emit.history_code import begin_play, end_play
from gamedsl.compiler.emit.llvm_module import CTX_PLAYOUT, CTX_PLIES, CTX_USED, F64, I64, PTR, Fn, Unit, const
from gamedsl.compiler.emit.memory import alloca_record, clear, context_field, copy_state, fail_if, plus
from gamedsl.compiler.emit.random_action_code import pick
from gamedsl.compiler.emit.random_numbers import following, seeded
from gamedsl.compiler.playouts.lockstep import lockstep
from gamedsl.compiler.playouts.results import BINS, NOBODY, UNFINISHED, UNKNOWN, add, tally_player
from gamedsl.compiler.playouts.scalar import scalar_playouts
from gamedsl.language.source import NOWHERE

QUICK = "quick"
GENERIC_PLAYOUT = "generic_playout"


def walk(unit: Unit) -> ir.Function:
    """``walk(ctx, s, x) -> plies``: plays at random, in place, to the end. Returns a negative status on failure."""
    return unit.function("walk", "walk", I64, [I64], _walk)


def _walk(f: Fn, values: Sequence[ir.Value]) -> None:
    unit = f.unit
    entry, head, ask, act, done = f.builder.block, f.block("ply"), f.block("ask"), f.block("act"), f.block("done")
    most = f.builder.load(context_field(f, CTX_PLIES))
    record = alloca_record(f)
    f.builder.branch(head)
    f.at(head)
    x, plies = f.builder.phi(I64), f.builder.phi(I64)
    x.add_incoming(values[0], entry)
    plies.add_incoming(const(0), entry)
    what = f.builder.call(kind(unit), [f.ctx, f.s])
    f.builder.cbranch(f.builder.icmp_unsigned("==", what, const(0)), done, ask)
    f.at(ask)
    long = f.block("long")
    f.builder.cbranch(f.builder.icmp_unsigned(">=", plies, most), long, act)
    f.at(long)
    f.builder.ret(const(UNFINISHED))
    f.at(act)
    y = following(f.builder, x)
    n = f.builder.call(pick(unit), [f.ctx, f.s, y, record])
    state = f.builder.call(apply(unit), [f.ctx, f.s, record])
    wrong, fine = f.block("wrong"), f.block("fine")
    none = f.builder.icmp_unsigned("==", n, const(0))
    f.builder.cbranch(f.builder.or_(none, f.builder.icmp_signed("<", state, const(0))), wrong, fine)
    f.at(wrong)
    fail_if(f, none, NOWHERE, NOBODY)
    f.builder.ret(const(-1))
    f.at(fine)
    x.add_incoming(y, f.builder.block)
    plies.add_incoming(plus(f, plies, 1), f.builder.block)
    f.builder.branch(head)
    f.at(done)
    f.builder.ret(plies)


def playout(unit: Unit) -> ir.Function:
    """``playout(ctx, s, seed, index, out) -> plies``: plays from s, which does not change. Writes the utilities to
    ``out``."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        seed, index, out = values
        if unit.special is not None:
            _scalar_playout(f, seed, index, out)
        if unit.special is not None and unit.generic_apart:
            generic = ir.FunctionType(I64, [PTR, PTR, I64, I64, PTR]).as_pointer()
            called = f.builder.inttoptr(f.builder.load(context_field(f, CTX_PLAYOUT)), generic)
            f.builder.ret(f.builder.call(called, [f.ctx, f.s, *values]))
        else:
            _generic_playout(f, values)

    return unit.function("playout", "playout", I64, [I64, I64, PTR], body, public=True)


def generic_playout(unit: Unit) -> ir.Function:
    """``generic_playout``: the same as ``playout`` by generic code, in a module with nothing else. ``playout`` of a
    specialized program calls it at states that it does not know, by its address in the context."""
    return unit.function(GENERIC_PLAYOUT, GENERIC_PLAYOUT, I64, [I64, I64, PTR], _generic_playout, public=True)


def _generic_playout(f: Fn, values: Sequence[ir.Value]) -> None:
    seed, index, out = values
    there = f.scratch()
    used = f.builder.load(context_field(f, CTX_USED))
    copy_state(f, there, f.s)
    begin_play(f)
    plies = f.builder.call(walk(f.unit), [f.ctx, there, seeded(f.builder, seed, index)])
    end_play(f)
    f.builder.call(returns(f.unit), [f.ctx, there, out])
    f.builder.store(used, context_field(f, CTX_USED))
    f.builder.ret(plies)


def _scalar_playout(f: Fn, seed: ir.Value, index: ir.Value, out: ir.Value) -> None:
    """Plays with the function for specialized programs. Continues here if that does not know the start position."""
    assert f.unit.special is not None
    players = f.unit.program.players.size
    size = 4 + 5 * players
    tally = f.builder.bitcast(f.alloca(I64, size), PTR)
    clear(f, tally, 8 * size)
    found = f.builder.call(
        scalar_playouts(f.unit, f.unit.special), [f.ctx, f.s, const(1), seed, index, tally, const(1)]
    )
    known, unknown, fine = f.block("known"), f.block("unknown"), f.block("fine")
    f.builder.cbranch(f.builder.icmp_signed("==", found, const(UNKNOWN)), unknown, known)
    f.at(known)
    wrong, words = f.block("wrong"), f.builder.bitcast(tally, I64.as_pointer())
    f.builder.cbranch(f.builder.icmp_signed("<", found, const(0)), wrong, fine)
    f.at(wrong)
    f.builder.ret(found)
    f.at(fine)
    for p in range(players):
        share = f.builder.load(
            f.builder.bitcast(f.builder.gep(words, [const(3 + 5 * p)], inbounds=True), F64.as_pointer())
        )
        f.builder.store(share, f.builder.gep(f.builder.bitcast(out, F64.as_pointer()), [const(p)], inbounds=True))
    long = f.builder.icmp_signed(">", f.builder.load(f.builder.gep(words, [const(2)], inbounds=True)), const(0))
    plies = f.builder.load(f.builder.gep(words, [const(1)], inbounds=True))
    f.builder.ret(f.builder.select(long, const(UNFINISHED), plies))
    f.at(unknown)


def batch(unit: Unit) -> ir.Function:
    """``batch(ctx, s, n, seed, first, out) -> status``: adds the playouts first .. first+n-1 from s to the tally."""
    return unit.function("batch", "batch", I64, [I64, I64, I64, PTR], _batch, public=True)


def quick(unit: Unit) -> ir.Function:
    """``quick(ctx, s, n, seed, first, out) -> status``: as ``batch`` in the fastest form, in a module with nothing
    else. A specialized program is played from the states that it knows; the status is ``UNKNOWN`` at others."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        if unit.special is None:
            _batch(f, values)
            return
        form = lockstep if unit.in_lockstep else scalar_playouts
        f.builder.ret(f.builder.call(form(unit, unit.special), [f.ctx, f.s, *values, const(BINS)]))

    return unit.function(QUICK, QUICK, I64, [I64, I64, I64, PTR], body, public=True)


def _batch(f: Fn, values: Sequence[ir.Value]) -> None:
    n, seed, first, out = values
    if f.unit.special is not None:
        _scalar_batch(f, values)
    tally = f.builder.bitcast(out, I64.as_pointer())
    players = f.unit.program.players.size
    utilities = f.alloca(F64, players) if players > 1 else f.alloca(F64)
    share = f.builder.bitcast(utilities, PTR)
    entry, head, done = f.builder.block, f.block("play"), f.block("done")
    none = f.builder.icmp_signed("<=", n, const(0))
    f.builder.cbranch(none, done, head)
    f.at(head)
    i = f.builder.phi(I64)
    i.add_incoming(const(0), entry)
    plies = f.builder.call(playout(f.unit), [f.ctx, f.s, seed, f.builder.add(first, i), share])
    wrong, fine = f.block("wrong"), f.block("fine")
    f.builder.cbranch(f.builder.icmp_signed("==", plies, const(-1)), wrong, fine)
    f.at(wrong)
    f.builder.ret(const(-1))
    f.at(fine)
    unfinished = f.builder.icmp_signed("<", plies, const(0))
    length = f.builder.select(unfinished, f.builder.load(context_field(f, CTX_PLIES)), plies)
    add(f, tally, const(0), const(1))
    add(f, tally, const(1), length)
    add(f, tally, const(2), f.builder.zext(unfinished, I64))
    for p in range(players):
        at = f.builder.bitcast(share, F64.as_pointer())
        tally_player(f, tally, p, f.builder.load(f.builder.gep(at, [const(p)], inbounds=True)))
    last = const(BINS - 1)
    bin = f.builder.select(f.builder.icmp_unsigned("<", length, last), length, last)
    add(f, tally, plus(f, bin, 3 + 5 * players), const(1))
    more = plus(f, i, 1)
    i.add_incoming(more, f.builder.block)
    f.builder.cbranch(f.builder.icmp_signed("<", more, n), head, done)
    f.at(done)
    f.builder.ret(const(0))


def _scalar_batch(f: Fn, values: Sequence[ir.Value]) -> None:
    """Plays with the function for specialized programs. Continues here if that does not know the start position."""
    n, seed, first, out = values
    assert f.unit.special is not None
    found = f.builder.call(scalar_playouts(f.unit, f.unit.special), [f.ctx, f.s, n, seed, first, out, const(BINS)])
    known, unknown = f.block("known"), f.block("unknown")
    f.builder.cbranch(f.builder.icmp_signed("==", found, const(UNKNOWN)), unknown, known)
    f.at(known)
    f.builder.ret(found)
    f.at(unknown)
