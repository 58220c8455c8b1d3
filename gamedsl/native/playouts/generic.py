"""Random plays to the end, from any stop.

The draw: a play has its own generator, started from the seed and the play's number, so that its result does not depend
on other plays. State x -> x * MULTIPLIER + INCREMENT modulo 2^64 (a linear congruential generator; multiplier from
Steele and Vigna, "Computationally easy, spectrally good multipliers", 2022); a number below n is the upper half of x
times n, upper half (Lemire 2019, without rejection: the chance of a value is off by less than n / 2^32).
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.native.emit.apply import apply
from gamedsl.native.emit.entries.entry_points import kind, returns
from gamedsl.native.emit.histories import begin_play, end_play
from gamedsl.native.emit.memory import clear, context_field, copy_state, fail_if, plus, record_room
from gamedsl.native.emit.module_builder import CTX_PLIES, CTX_USED, F64, I64, PTR, Fn, Unit, const
from gamedsl.native.emit.picks import pick
from gamedsl.native.emit.random_numbers import following, seeded
from gamedsl.native.playouts.lockstep import lockstep
from gamedsl.native.playouts.results import BINS, NOBODY, UNFINISHED, UNKNOWN, add, tally_player
from gamedsl.native.playouts.scalar import fast
from gamedsl.source.text import NOWHERE


def walk(u: Unit) -> ir.Function:
    """``walk(ctx, s, x) -> plies``: plays at random, in place, to the end; or a status below 0."""
    return u.function("walk", "walk", I64, [I64], _walk)


def _walk(f: Fn, values: Sequence[ir.Value]) -> None:
    u = f.u
    entry, head, ask, act, done = f.b.block, f.block("ply"), f.block("ask"), f.block("act"), f.block("done")
    most = f.b.load(context_field(f, CTX_PLIES))
    record = record_room(f)
    f.b.branch(head)
    f.at(head)
    x, plies = f.b.phi(I64), f.b.phi(I64)
    x.add_incoming(values[0], entry)
    plies.add_incoming(const(0), entry)
    what = f.b.call(kind(u), [f.ctx, f.s])
    f.b.cbranch(f.b.icmp_unsigned("==", what, const(0)), done, ask)
    f.at(ask)
    long = f.block("long")
    f.b.cbranch(f.b.icmp_unsigned(">=", plies, most), long, act)
    f.at(long)
    f.b.ret(const(UNFINISHED))
    f.at(act)
    y = following(f.b, x)
    n = f.b.call(pick(u), [f.ctx, f.s, y, record])
    state = f.b.call(apply(u), [f.ctx, f.s, record])
    wrong, fine = f.block("wrong"), f.block("fine")
    none = f.b.icmp_unsigned("==", n, const(0))
    f.b.cbranch(f.b.or_(none, f.b.icmp_signed("<", state, const(0))), wrong, fine)
    f.at(wrong)
    fail_if(f, none, NOWHERE, NOBODY)
    f.b.ret(const(-1))
    f.at(fine)
    x.add_incoming(y, f.b.block)
    plies.add_incoming(plus(f, plies, 1), f.b.block)
    f.b.branch(head)
    f.at(done)
    f.b.ret(plies)


def playout(u: Unit) -> ir.Function:
    """``playout(ctx, s, seed, index, out) -> plies``: from s, which stays; ``out`` takes the utilities."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        seed, index, out = values
        if u.special is not None:
            _fast_playout(f, seed, index, out)
        there = f.scratch()
        used = f.b.load(context_field(f, CTX_USED))
        copy_state(f, there, f.s)
        begin_play(f)
        plies = f.b.call(walk(u), [f.ctx, there, seeded(f.b, seed, index)])
        end_play(f)
        f.b.call(returns(u), [f.ctx, there, out])
        f.b.store(used, context_field(f, CTX_USED))
        f.b.ret(plies)

    return u.function("playout", "playout", I64, [I64, I64, PTR], body, public=True)


def _fast_playout(f: Fn, seed: ir.Value, index: ir.Value, out: ir.Value) -> None:
    """The same play by the function for specialized programs; goes on here when that does not know the place."""
    assert f.u.special is not None
    players = f.u.program.players.size
    size = 4 + 5 * players
    tally = f.b.bitcast(f.room(I64, size), PTR)
    clear(f, tally, 8 * size)
    found = f.b.call(fast(f.u, f.u.special), [f.ctx, f.s, const(1), seed, index, tally, const(1)])
    known, unknown, fine = f.block("known"), f.block("unknown"), f.block("fine")
    f.b.cbranch(f.b.icmp_signed("==", found, const(UNKNOWN)), unknown, known)
    f.at(known)
    wrong, words = f.block("wrong"), f.b.bitcast(tally, I64.as_pointer())
    f.b.cbranch(f.b.icmp_signed("<", found, const(0)), wrong, fine)
    f.at(wrong)
    f.b.ret(found)
    f.at(fine)
    for p in range(players):
        share = f.b.load(f.b.bitcast(f.b.gep(words, [const(3 + 5 * p)], inbounds=True), F64.as_pointer()))
        f.b.store(share, f.b.gep(f.b.bitcast(out, F64.as_pointer()), [const(p)], inbounds=True))
    long = f.b.icmp_signed(">", f.b.load(f.b.gep(words, [const(2)], inbounds=True)), const(0))
    plies = f.b.load(f.b.gep(words, [const(1)], inbounds=True))
    f.b.ret(f.b.select(long, const(UNFINISHED), plies))
    f.at(unknown)


def batch(u: Unit) -> ir.Function:
    """``batch(ctx, s, n, seed, first, out) -> status``: plays first..first+n-1 from s, added to the tally."""
    return u.function("batch", "batch", I64, [I64, I64, I64, PTR], _batch, public=True)


def together(u: Unit) -> ir.Function:
    """``lockstep(ctx, s, n, seed, first, out) -> status``: as ``batch``, several plays at once where that is possible."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        if u.in_lockstep and u.special is not None:
            found = f.b.call(lockstep(u, u.special), [f.ctx, f.s, *values, const(BINS)])
            known, unknown = f.block("known"), f.block("unknown")
            f.b.cbranch(f.b.icmp_signed("==", found, const(UNKNOWN)), unknown, known)
            f.at(known)
            f.b.ret(found)
            f.at(unknown)
        f.b.ret(f.b.call(batch(u), [f.ctx, f.s, *values]))

    return u.function("together", "lockstep", I64, [I64, I64, I64, PTR], body, public=True)


def _batch(f: Fn, values: Sequence[ir.Value]) -> None:
    n, seed, first, out = values
    if f.u.special is not None:
        _fast_batch(f, values)
    tally = f.b.bitcast(out, I64.as_pointer())
    players = f.u.program.players.size
    utilities = f.room(F64, players) if players > 1 else f.room(F64)
    share = f.b.bitcast(utilities, PTR)
    entry, head, done = f.b.block, f.block("play"), f.block("done")
    none = f.b.icmp_signed("<=", n, const(0))
    f.b.cbranch(none, done, head)
    f.at(head)
    i = f.b.phi(I64)
    i.add_incoming(const(0), entry)
    plies = f.b.call(playout(f.u), [f.ctx, f.s, seed, f.b.add(first, i), share])
    wrong, fine = f.block("wrong"), f.block("fine")
    f.b.cbranch(f.b.icmp_signed("==", plies, const(-1)), wrong, fine)
    f.at(wrong)
    f.b.ret(const(-1))
    f.at(fine)
    unfinished = f.b.icmp_signed("<", plies, const(0))
    length = f.b.select(unfinished, f.b.load(context_field(f, CTX_PLIES)), plies)
    add(f, tally, const(0), const(1))
    add(f, tally, const(1), length)
    add(f, tally, const(2), f.b.zext(unfinished, I64))
    for p in range(players):
        at = f.b.bitcast(share, F64.as_pointer())
        tally_player(f, tally, p, f.b.load(f.b.gep(at, [const(p)], inbounds=True)))
    last = const(BINS - 1)
    bin = f.b.select(f.b.icmp_unsigned("<", length, last), length, last)
    add(f, tally, plus(f, bin, 3 + 5 * players), const(1))
    more = plus(f, i, 1)
    i.add_incoming(more, f.b.block)
    f.b.cbranch(f.b.icmp_signed("<", more, n), head, done)
    f.at(done)
    f.b.ret(const(0))


def _fast_batch(f: Fn, values: Sequence[ir.Value]) -> None:
    """The same by the function for specialized programs; goes on here when that does not know the place."""
    n, seed, first, out = values
    assert f.u.special is not None
    found = f.b.call(fast(f.u, f.u.special), [f.ctx, f.s, n, seed, first, out, const(BINS)])
    known, unknown = f.block("known"), f.block("unknown")
    f.b.cbranch(f.b.icmp_signed("==", found, const(UNKNOWN)), unknown, known)
    f.at(known)
    f.b.ret(found)
    f.at(unknown)
