"""Playouts by generic code, from any stop.

Each playout has its own generator, seeded by the seed and the number of the playout, so that its result does not depend
on others. It is a linear congruential generator x -> x * MULTIPLIER + INCREMENT modulo 2^64 (multiplier from Steele and
Vigna, "Computationally easy, spectrally good multipliers", 2022). A number below n is the upper half of (upper half of
x) times n (Lemire 2019, without rejection: the probability of a value is off by less than n / 2^32).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from llvmlite import ir

from gamedsl.compiler.emit.advance_code import ENDLESS, leave_if_stuck
from gamedsl.compiler.emit.apply import apply
from gamedsl.compiler.emit.entries.module_entries import kind, returns
from gamedsl.compiler.emit.history_code import begin_play, end_play
from gamedsl.compiler.emit.llvm_module import CTX_PLAYOUT, CTX_PLIES, CTX_USED, F64, I64, PTR, Fn, Unit, const, flag
from gamedsl.compiler.emit.memory import alloca_record, clear, context_field, copy_state, fail_if, plus
from gamedsl.compiler.emit.random_action_code import pick, ply
from gamedsl.compiler.emit.random_numbers import following, seeded
from gamedsl.compiler.emit.stop_code import MOST_BLOCKS
from gamedsl.compiler.playouts.lockstep import lockstep
from gamedsl.compiler.playouts.results import BINS, NOBODY, UNFINISHED, UNKNOWN, add, tally_player
from gamedsl.compiler.playouts.scalar import scalar_playouts
from gamedsl.language.source import NOWHERE

QUICK = "quick"
GENERIC_PLAYOUT = "generic_playout"


# What is emitted before an action is applied, given the random number that drew it, the number of actions it was drawn
# from (candidates, in some programs), and the record
Chosen: TypeAlias = Callable[[ir.Value, ir.Value, ir.Value], None]


def walk(unit: Unit) -> ir.Function:
    """``walk(ctx, s, x) -> plies``: plays at random, in place, to the end. Returns a negative status on failure."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        plies, long = walked(f, values[0], lambda: None)
        f.builder.ret(f.builder.select(long, const(UNFINISHED), plies))

    return unit.function("walk", "walk", I64, [I64], body)


def walked(f: Fn, x: ir.Value, failed: Callable[[], None], chosen: Chosen | None = None) -> tuple[ir.Value, ir.Value]:
    """Plays at random from the state at s, in place. Returns the plies and whether the playout is unfinished. On failure,
    emits ``failed`` and returns from the function."""
    unit, record = f.unit, alloca_record(f)
    together = unit.special is None and chosen is None
    head, ask, act, some, none, wrong, fine, done = (
        f.block(name) for name in ("ply", "ask", "act", "some", "none", "wrong", "fine", "over")
    )
    most = f.builder.load(context_field(f, CTX_PLIES))
    state, plies, stuck = f.alloca(I64), f.alloca(I64), f.alloca(I64)
    f.builder.store(x, state)
    for counter in (plies, stuck):
        f.builder.store(const(0), counter)
    f.builder.branch(head)
    f.at(head)
    what = f.builder.call(kind(unit), [f.ctx, f.s])
    f.builder.cbranch(f.builder.icmp_unsigned("==", what, const(0)), done, ask)
    f.at(ask)
    long = f.block("long")
    f.builder.cbranch(f.builder.icmp_unsigned(">=", f.builder.load(plies), most), long, act)
    f.at(long)
    _unless_stuck(f, stuck, head, done, wrong)
    f.at(act)
    y = following(f.builder, f.builder.load(state))
    if together:
        status = f.builder.call(ply(unit), [f.ctx, f.s, y])
        f.builder.cbranch(f.builder.icmp_signed(">", status, const(0)), none, some)
    else:
        number = f.builder.call(pick(unit), [f.ctx, f.s, y, record])
        f.builder.cbranch(f.builder.icmp_unsigned("==", number, const(0)), none, some)
    f.at(none)
    nobody = f.block("nobody")
    _unless_stuck(f, stuck, head, nobody, wrong)
    f.at(nobody)
    fail_if(f, flag(True), NOWHERE, NOBODY)
    f.builder.branch(wrong)
    f.at(some)
    f.builder.store(y, state)
    if chosen is not None:
        chosen(y, number, f.builder.bitcast(record, I64.as_pointer()))
    if not together:
        status = f.builder.call(apply(unit), [f.ctx, f.s, record])
    f.builder.cbranch(f.builder.icmp_signed("<", status, const(0)), wrong, fine)
    f.at(wrong)
    failed()
    f.builder.ret(const(-1))
    f.at(fine)
    f.builder.store(plus(f, f.builder.load(plies), 1), plies)
    f.builder.store(const(0), stuck)
    f.builder.branch(head)
    f.at(done)
    return f.builder.load(plies), f.builder.icmp_unsigned("!=", what, const(0))


def _unless_stuck(f: Fn, times: ir.Value, again: ir.Block, stays: ir.Block, wrong: ir.Block) -> None:
    """Continues at ``stays`` unless the player to move is stuck. What follows then is played ``again``; ``times`` counts
    how often that has happened since the last action."""
    if not f.unit.picks:
        f.builder.branch(stays)
        return
    left = f.builder.call(leave_if_stuck(f.unit), [f.ctx, f.s])
    stuck, fine = f.block("stuck"), f.block("left")
    switch = f.builder.switch(left, wrong)
    switch.add_case(const(0), stays)
    switch.add_case(const(1), stuck)
    f.at(stuck)
    number = plus(f, f.builder.load(times), 1)
    f.builder.store(number, times)
    endless = f.builder.icmp_unsigned(">", number, const(MOST_BLOCKS))
    fail_if(f, endless, NOWHERE, ENDLESS)
    f.builder.cbranch(endless, wrong, fine)
    f.at(fine)
    f.builder.branch(again)


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
