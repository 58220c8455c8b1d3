"""Playouts with all their statistics, and records of single playouts: entry points of modules of their own.

``counted(ctx, s, n, seed, first, out) -> status`` makes the playouts first .. first+n-1 from s, the same as ``batch``,
and leaves their counts in ``out`` (``counts_layout.py``), which must be zero. A specialized program runs in lockstep or
as scalar code; the status is ``UNKNOWN`` at a state from which neither can start. ``counted_generic`` plays from
anywhere. ``recorded(ctx, s, seed, index, out, log) -> status`` and ``recorded_generic`` write down one playout.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.compiler.emit.action_code import count
from gamedsl.compiler.emit.entries.module_entries import returns
from gamedsl.compiler.emit.history_code import begin_play, end_play
from gamedsl.compiler.emit.llvm_module import CTX_USED, F64, I64, PTR, Fn, Unit, const
from gamedsl.compiler.emit.memory import context_field, copy_state, plus
from gamedsl.compiler.emit.random_action_code import lists_candidates
from gamedsl.compiler.emit.random_numbers import seeded
from gamedsl.compiler.emit.stop_code import PASS, get, switch_on_stop
from gamedsl.compiler.playouts.counts_layout import (
    LENGTHS,
    NO_RESULT,
    CountsLayout,
    Origins,
)
from gamedsl.compiler.playouts.generic import walked
from gamedsl.compiler.playouts.lockstep import lockstep
from gamedsl.compiler.playouts.observers import Counter, Drawn, Recorder, count_choices, sample_choices
from gamedsl.compiler.playouts.results import UNFINISHED, add, tally_player
from gamedsl.compiler.playouts.scalar import scalar_playouts
from gamedsl.compiler.playouts.scalar_context import Observer, Play
from gamedsl.language.core import nodes as n

COUNTED, COUNTED_GENERIC = "counted", "counted_generic"
RECORDED, RECORDED_GENERIC = "recorded", "recorded_generic"


def _origins(unit: Unit) -> Origins:
    assert unit.special is not None
    return Origins(unit.source, tuple(old for old, _ in unit.special.places))


def counted(unit: Unit) -> ir.Function:
    """Emits ``counted``."""
    layout = CountsLayout(unit.source)

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        if unit.special is None:
            _count_generic(f, layout, values)
            return
        origins, bins = _origins(unit), const(LENGTHS)
        if unit.in_lockstep and not layout.points:
            play = lockstep(unit, unit.special, (layout, origins))
        else:
            play = scalar_playouts(unit, unit.special, lambda play: Counter(play, layout, origins))
        f.builder.ret(f.builder.call(play, [f.ctx, f.s, *values, bins]))

    return unit.function(COUNTED, COUNTED, I64, [I64, I64, I64, PTR], body, public=True)


def counted_generic(unit: Unit) -> ir.Function:
    """Emits ``counted_generic``, in a module without a specialized program."""
    layout = CountsLayout(unit.source)

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        _count_generic(f, layout, values)

    return unit.function(COUNTED_GENERIC, COUNTED_GENERIC, I64, [I64, I64, I64, PTR], body, public=True)


def recorded(unit: Unit) -> ir.Function:
    """Emits ``recorded``. ``out`` takes a tally."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        if unit.special is None:
            _record_generic(f, values)
            return
        seed, index, out, log = values
        special, origins = unit.special, _origins(unit)
        f.builder.store(log, _log_of(f, out))

        def observe(play: Play) -> Observer:
            words = play.f.builder.load(_log_of(play.f, play.tally))
            return Recorder(play.f, play.f.builder.bitcast(words, I64.as_pointer()), unit.frame.record, origins)

        played = scalar_playouts(unit, special, observe)
        f.builder.ret(f.builder.call(played, [f.ctx, f.s, const(1), seed, index, out, const(1)]))

    return unit.function(RECORDED, RECORDED, I64, [I64, I64, PTR, PTR], body, public=True)


def recorded_generic(unit: Unit) -> ir.Function:
    """Emits ``recorded_generic``, in a module without a specialized program."""
    return unit.function(RECORDED_GENERIC, RECORDED_GENERIC, I64, [I64, I64, PTR, PTR], _record_generic, public=True)


def _log_of(f: Fn, out: ir.Value) -> ir.Value:
    """The place of the address of the log: after a tally of one bin."""
    at = f.builder.gep(out, [const(8 * (4 + 5 * f.unit.program.players.size))], inbounds=True)
    return f.builder.bitcast(at, PTR.as_pointer())


# ------------------------------------------------------------------------------------------------- generic plays


def _count_generic(f: Fn, layout: CountsLayout, values: Sequence[ir.Value]) -> None:
    number, seed, first, out = values
    tally = f.builder.bitcast(out, I64.as_pointer())
    sampled = any(isinstance(b.end, n.Decide) and lists_candidates(f, b.end) for b in f.unit.program.blocks)
    f.builder.store(const(int(sampled)), f.builder.gep(tally, [const(layout.sampled)], inbounds=True))
    total = f.builder.gep(tally, [const(1)], inbounds=True)
    there, origin, i = f.scratch(), f.s, f.alloca(I64)
    ply = f.alloca(I64)
    f.builder.store(const(0), i)
    head, begin, done = f.block("play"), f.block("begin"), f.block("done")
    f.builder.branch(head)
    f.at(head)
    f.builder.cbranch(f.builder.icmp_signed("<", f.builder.load(i), number), begin, done)
    f.at(begin)
    used = f.builder.load(context_field(f, CTX_USED))
    copy_state(f, there, origin)
    f.builder.store(const(0), ply)
    begin_play(f)
    f.s = there
    index = f.builder.add(first, f.builder.load(i))

    def on_choice(x: ir.Value, number: ir.Value, record: ir.Value) -> None:
        f.builder.call(_counting(f.unit, layout, sampled), [f.ctx, f.s, index, x, number, record, tally, ply])

    plies, long = walked(f, seeded(f.builder, seed, index), lambda: end_play(f), on_choice)
    end_play(f)
    length = f.builder.load(ply) if layout.decisive else plies
    f.builder.store(f.builder.add(f.builder.load(total), length), total)
    last = const(LENGTHS - 1)
    bin = f.builder.select(f.builder.icmp_unsigned("<", length, last), length, last)
    place = f.builder.select(long, const(layout.cut), const(layout.lengths))
    add(f, tally, f.builder.add(place, bin), const(1))
    add(f, tally, const(0), const(1))
    add(f, tally, const(2), f.builder.zext(long, I64))
    _count_result(f, layout, tally, f.builder.load(i), long)
    f.builder.store(used, context_field(f, CTX_USED))
    f.builder.store(plus(f, f.builder.load(i), 1), i)
    f.builder.branch(head)
    f.at(done)
    f.builder.ret(const(0))


def _count_result(f: Fn, layout: CountsLayout, tally: ir.Value, i: ir.Value, long: ir.Value) -> None:
    """Counts the utilities of a playout that is not too long."""
    players = layout.players
    utilities = f.builder.bitcast(f.alloca(F64, max(2, players)), PTR)
    f.builder.call(returns(f.unit), [f.ctx, f.s, utilities])
    at = f.builder.bitcast(utilities, F64.as_pointer())
    found = [f.builder.load(f.builder.gep(at, [const(p)], inbounds=True)) for p in range(players)]
    if layout.points:
        base = plus(f, f.builder.mul(i, const(players)), layout.utilities)
        for p, value in enumerate(found):
            told = f.builder.select(long, const(NO_RESULT), f.builder.fptosi(value, I64))
            f.builder.store(told, f.builder.gep(tally, [plus(f, base, p)], inbounds=True))
        return
    with f.builder.if_then(f.builder.not_(long)):
        for p, value in enumerate(found):
            tally_player(f, tally, p, value)


def _counting(unit: Unit, layout: CountsLayout, sampled: bool) -> ir.Function:
    """``counting(ctx, s, play, x, n, record, tally, ply)``: counts an action of the playout ``play``, drawn from n by
    the random number x."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        play, x, number, record, tally, ply = values

        def one(block: n.Block) -> ir.Value | None:
            if isinstance(block.end, n.End):
                return None
            _use(f, layout, block, tally, record)
            if not isinstance(block.end, n.Chance):
                at = f.builder.load(ply)
                f.builder.store(plus(f, at, 1), ply)
                if sampled:
                    sample_choices(
                        f, layout, tally, Drawn(play, at, x), lambda: f.builder.call(count(f.unit), [f.ctx, f.s])
                    )
                else:
                    count_choices(f, tally, layout, at, number)
            return const(0)

        switch_on_stop(f, one, const(0))

    words = I64.as_pointer()
    return unit.function("counting", "counting", I64, [I64, I64, I64, words, words, words], body)


def _use(f: Fn, layout: CountsLayout, block: n.Block, tally: ir.Value, record: ir.Value) -> None:
    """Counts the kind of the action."""
    keys, first = layout.keys, layout.kinds
    match block.end:
        case n.Decide(may_pass=may_pass):
            number = plus(f, get(f, record, 0), first)
            if may_pass is not None:
                passed = f.builder.icmp_signed("==", get(f, record, 0), const(PASS))
                number = f.builder.select(passed, const(first + keys["pass", block.index, 0]), number)
        case n.DecideTogether():
            number = plus(f, get(f, record, 0), first)
        case n.Choose():
            number = const(first + keys["choose", block.index, 0])
        case n.Chance():
            number = plus(f, get(f, record, 1), first + keys["chance", block.index, 0])
        case _:
            return
    add(f, tally, number, const(1))


def _record_generic(f: Fn, values: Sequence[ir.Value]) -> None:
    seed, index, _, raw = values
    log = f.builder.bitcast(raw, I64.as_pointer())
    there = f.scratch()
    copy_state(f, there, f.s)
    f.s = there
    begin_play(f)
    size = f.unit.frame.record

    def on_choice(_x: ir.Value, _n: ir.Value, record: ir.Value) -> None:
        Recorder(f, log, size, None).write([get(f, record, i) for i in range(size)])

    plies, long = walked(f, seeded(f.builder, seed, index), lambda: end_play(f), on_choice)
    end_play(f)
    f.builder.ret(f.builder.select(long, const(UNFINISHED), plies))
