"""Scalar playouts of a specialized program (``transform/pipeline.py``): one function without calls for a whole series.

Every variable has a stack slot, which LLVM can keep in registers; every block is a label; a decision picks from masks.
``scalar_playouts(ctx, s, n, seed, first, tally, bins) -> status`` makes ``n`` playouts from ``s`` and adds them to the
tally. The status is -3 (``UNKNOWN``) for a state at which no specialized block begins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from gamedsl.compiler.emit.expression_code import boolean, number
from gamedsl.compiler.emit.history_code import Noting, asks_what_it_notes, begin_play, end_play, noting
from gamedsl.compiler.emit.llvm_module import CTX_ERROR, CTX_PLIES, CTX_USED, F64, I64, PTR, Fn, Unit, const, flag
from gamedsl.compiler.emit.memory import context_field, copy_bytes, plus
from gamedsl.compiler.emit.random_numbers import seeded
from gamedsl.compiler.emit.statement_code import statements
from gamedsl.compiler.emit.stop_code import here, nothing_pending, steered
from gamedsl.compiler.playouts.condition_code import MaintainedConditions, maintain, worth_maintaining
from gamedsl.compiler.playouts.ply_cache_code import PlyCache
from gamedsl.compiler.playouts.remaining_set import KnownSizes, RemainingSet
from gamedsl.compiler.playouts.results import UNKNOWN, add, add_results, constant_result, constant_results, tally_player
from gamedsl.compiler.playouts.scalar_context import (
    Ends,
    Observer,
    Play,
    drawing_blocks,
    fail,
    levels,
    number_known,
    words,
)
from gamedsl.compiler.playouts.scalar_decisions import chance, choose, decide, draw_on
from gamedsl.compiler.playouts.scalar_ends import branch, plays_on, told_by_place
from gamedsl.compiler.transform.pipeline import SpecializedProgram
from gamedsl.compiler.transform.specialize import Env
from gamedsl.language.core import is_stop
from gamedsl.language.core import nodes as n


def scalar_playouts(
    unit: Unit, special: SpecializedProgram, observe: Callable[[Play], Observer] | None = None
) -> ir.Function:
    """Emits ``scalar_playouts``; with the observer that ``observe`` makes, if it is given (one kind of observer per
    module)."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        with unit.instead(special.program):
            _write(f, special, values, observe)

    name = "scalar_playouts" if observe is None else "observed_playouts"
    return unit.function(name, name, I64, [I64, I64, I64, PTR, I64], body)


def _write(
    f: Fn,
    special: SpecializedProgram,
    values: Sequence[ir.Value],
    observe: Callable[[Play], Observer] | None,
) -> None:
    count, seed, first, tally, bins = values
    variables = special.program.variables
    f.slots = {v.index: _alloca(f, v) for v in variables}
    _load_all(f, variables)
    play = Play(f, special, f.alloca(I64), f.alloca(I64), f.builder.load(context_field(f, CTX_PLIES)), tally)
    play.payoff = [f.alloca(F64) for _ in range(special.program.players.size)]
    play.observer = observer = None if observe is None else observe(play)
    _make_incremental(play)
    i, used = f.alloca(I64), f.builder.load(context_field(f, CTX_USED))
    f.builder.store(const(0), i)
    play.index, play.first = i, first
    coming = f.alloca(I64)
    f.builder.store(seeded(f.builder, seed, first), coming)
    head, begin, done = f.block("next"), f.block("begin"), f.block("done")
    play.over, play.long, play.counted, play.tallied = (f.block(x) for x in ("over", "long", "count", "tallied"))
    told = observer is None or not observer.points
    play.classes = {result: f.alloca(I64) for result in constant_results(special.program)} if told else {}
    if told and told_by_place(special):
        play.ends = Ends(f, special, (observer is None or not observer.complete) and plays_on(special))
    play.total = f.alloca(I64)
    for ptr in (play.total, *play.classes.values()):
        f.builder.store(const(0), ptr)
    placed = len(f.unit.places)
    for block in special.program.blocks:
        for level in levels(special):
            play.starts[level, block.index] = f.block(f"block{block.index}")
            play.stops[level, block.index] = f.block(f"stop{block.index}")
    f.builder.branch(head)
    f.at(head)
    f.builder.cbranch(f.builder.icmp_signed("<", f.builder.load(i), count), begin, done)
    f.at(begin)
    _begin(play, seed, first, coming)
    _enter(play)
    for play.level in levels(special):
        for block in special.program.blocks:
            _block(play, block)
    _over(play, bins, i, used, head, len(f.unit.places) > placed)
    f.at(done)
    _finish(play, bins)


def _begin(play: Play, seed: ir.Value, first: ir.Value, coming: ir.Value) -> None:
    """Begins a playout with the generator in ``coming``, which then holds that of the next playout."""
    f = play.f
    _load_all(f, play.special.program.variables)
    assert play.conditions is not None and play.cache is not None and play.index is not None
    play.conditions.begin()
    play.cache.begin()
    begin_play(f)
    if play.remaining is not None:
        play.remaining.begin(f)
    # Seeds the generator of the next playout while this one runs.
    f.builder.store(f.builder.load(coming), play.x)
    f.builder.store(seeded(f.builder, seed, plus(f, f.builder.add(first, f.builder.load(play.index)), 1)), coming)
    f.builder.store(const(0), play.plies)
    if play.ends is not None:
        play.ends.begin(f)
    if play.observer is not None:
        play.observer.begin(play)


def _finish(play: Play, bins: ir.Value) -> None:
    """Adds what was counted to the tally."""
    f = play.f
    assert play.index is not None and play.total is not None
    end_play(f)
    if play.ends is not None:
        play.ends.tally(play, lambda plies, times: _add_plies(play, bins, plies, times))
    add(f, words(f, play), const(0), f.builder.load(play.index))
    add(f, words(f, play), const(1), f.builder.load(play.total))
    add_results(f, words(f, play), play.classes)
    if play.observer is not None:
        play.observer.done(play)
    f.builder.ret(const(0))


def _load_all(f: Fn, variables: Sequence[n.Var]) -> None:
    """Loads all variables from the state."""
    assert f.slots is not None
    for v in variables:
        place = f.unit.frame.place(v)
        source = f.builder.gep(f.s, [const(place.offset)], inbounds=True)
        copy_bytes(f, f.slots[v.index], source, place.stride * v.slots)


def _make_incremental(play: Play) -> None:
    """Initializes the data that is maintained from ply to ply. The code returns ``UNKNOWN`` for a state in which a
    monitored condition holds."""
    f, incremental = play.f, play.special.incremental
    play.conditions = MaintainedConditions(f)
    play.cache = PlyCache(f, play.special.cached_calls)
    for monitor in incremental.monitors:
        if worth_maintaining(monitor) and play.conditions.of(monitor) is None:
            made = maintain(f, monitor, f.unit.program.variables[monitor.slot[0]])
            play.conditions.all.append(made)
            holds, fine = f.block("holds"), f.block("none")
            f.builder.cbranch(f.builder.load(made.flag), holds, fine)
            f.at(holds)
            f.builder.ret(const(UNKNOWN))
            f.at(fine)
    if incremental.remaining is not None:
        play.remaining = RemainingSet(f, incremental.remaining)
        f.features.of(KnownSizes).counts.append((incremental.remaining, play.remaining.n))
        short, long = f.block("short"), f.block("limited")
        longest = f.builder.load(play.remaining.first_n)
        if (drawings := drawing_blocks(play.special)) and isinstance(incremental.remaining.type, n.SetT):
            longest = const(incremental.remaining.type.domain.size + drawings)
        f.builder.cbranch(f.builder.icmp_unsigned("<=", longest, play.most), short, long)
        f.at(long)
        f.builder.ret(const(UNKNOWN))
        f.at(short)


def _alloca(f: Fn, v: n.Var) -> ir.Value:
    place = f.unit.frame.place(v)
    units = max(1, place.stride * v.slots * 8 // place.cell.bits)
    return f.builder.bitcast(f.alloca(ir.IntType(place.cell.bits), units), PTR)


def _enter(play: Play) -> None:
    """Branches to the stop of the state."""
    f, special = play.f, play.special
    unknown = f.block("unknown")
    switch = f.builder.switch(here(f), unknown)
    decision_masks: dict[int, list[tuple[int, Env]]] = {}
    for new, old, env in (*((new, *place) for new, place in enumerate(special.places)), *special.also):
        if is_stop(special.program.blocks[new]) and old < len(f.unit.source.blocks):
            decision_masks.setdefault(old, []).append((new, env))
    for old, news in decision_masks.items():
        at = f.block(f"from{old}")
        switch.add_case(const(old), at)
        f.at(at)
        for new, env in news:
            otherwise = f.block("or")
            mine = f.block("mine")
            f.builder.cbranch(f.builder.and_(steered(f, env), nothing_pending(f, old)), mine, otherwise)
            f.at(mine)
            _only_sure(play, new, unknown)
            _to_level(play, new, unknown)
            f.at(otherwise)
        f.builder.branch(unknown)
    f.at(unknown)
    end_play(f)
    f.builder.ret(const(UNKNOWN))


def _only_sure(play: Play, new: int, unknown: ir.Block) -> None:
    """Continues only if the preconditions of this block hold."""
    for e in play.special.preconditions.get(new, ()):
        holds = play.f.block("sure")
        play.f.builder.cbranch(boolean(play.f, e), holds, unknown)
        play.f.at(holds)


def _to_level(play: Play, new: int, unknown: ir.Block) -> None:
    f, all_levels = play.f, levels(play.special)
    if len(all_levels) == 1:
        f.builder.branch(play.stops[0, new])
        return
    assert play.remaining is not None
    switch = f.builder.switch(f.builder.load(play.remaining.n), unknown)
    for level in all_levels:
        switch.add_case(const(level), play.stops[level, new])


def _block(play: Play, block: n.Block) -> None:
    f = play.f
    play.block = block.index
    f.at(play.starts[play.level, block.index])
    number_known(play)
    f.stop = f.block("ran")
    statements(f, block.statements[:-1] if asks_what_it_notes(block) else block.statements)
    f.goto(f.stop)
    f.at(f.stop)
    assert play.cache is not None
    play.cache.on_statements(block.statements)
    just = noting(f, block.statements[-1]) if asks_what_it_notes(block) else None
    f.features.of(Noting).just = just
    f.builder.branch(play.stops[play.level, block.index])
    f.at(play.stops[play.level, block.index])
    number_known(play)
    match block.end:
        case n.Goto(target):
            f.builder.branch(play.starts[play.level, target])
        case n.BranchT(condition):
            with play.cache.available():
                holds = _asked(play, block, condition)
            branch(play, block.index, block.end, holds)
        case n.Decide():
            decide(play, block.end)
        case n.Choose():
            choose(play, block.end)
        case n.Chance():
            chance(play, block.end)
        case n.DecideDrawing():
            draw_on(play, block.end)
        case n.End():
            _end(play, block.end)
        case _:
            raise AssertionError(type(block.end).__name__)
    f.features.of(Noting).just = None


def _end(play: Play, end: n.End) -> None:
    """Counts a constant result; adds any other result to the tally."""
    f, result = play.f, constant_result(end)
    assert play.over is not None and play.counted is not None
    if play.ends is not None and result is not None:
        play.ends.on_end(play, result)
        return
    if result is not None and play.classes:
        ptr = play.classes[result]
        f.builder.store(plus(f, f.builder.load(ptr), 1), ptr)
        f.builder.branch(play.counted)
        return
    for ptr, e in zip(play.payoff, end.payoff, strict=True):
        f.builder.store(_utility(f, e), ptr)
    f.builder.branch(play.over)


def _asked(play: Play, block: n.Block, condition: n.Expr) -> ir.Value:
    """A branch's condition, from its monitor if there is one."""
    assert play.conditions is not None
    watched, conditions = play.special.incremental.watched.get(block.index), play.conditions
    if watched is None or all(conditions.of(monitor) is None for monitor in watched.monitors):
        return boolean(play.f, condition)
    holds: ir.Value = flag(False)
    for part in watched.parts:
        own = None if part.monitor is None else conditions.of(part.monitor)
        asked = boolean(play.f, part.condition) if own is None else play.f.builder.load(own.flag)
        holds = play.f.builder.or_(holds, asked)
    return play.f.builder.not_(holds) if watched.negated else holds


def _utility(f: Fn, e: n.Expr) -> ir.Value:
    return ir.Constant(F64, float(e.value)) if isinstance(e, n.Const) else f.builder.sitofp(number(f, e), F64)


def _over(play: Play, bins: ir.Value, i: ir.Value, used: ir.Value, head: ir.Block, can_fail: bool) -> None:
    """Counts a playout that is over or too long, and continues with the next one."""
    f = play.f
    assert play.over is not None and play.long is not None and play.counted is not None and play.tallied is not None
    fine = f.block("fine")
    _too_long(play, play.long, play.over, play.tallied)
    f.at(play.over)
    if play.observer is not None and play.observer.points:
        play.observer.on_end(play, play.payoff)
    else:
        counts = words(f, play)
        for p, ptr in enumerate(play.payoff):
            tally_player(f, counts, p, f.builder.load(ptr))
    f.builder.branch(play.counted)
    f.at(play.counted)
    plies = f.builder.load(play.plies)
    if play.remaining is not None:
        plies = f.builder.add(plies, play.remaining.taken(f))
    if play.observer is not None:
        plies = play.observer.length(play, plies)
    _add_plies(play, bins, plies, const(1))
    f.builder.branch(play.tallied)
    f.at(play.tallied)
    if can_fail:
        wrong = f.block("wrong")
        f.builder.cbranch(
            f.builder.icmp_unsigned("==", f.builder.load(context_field(f, CTX_ERROR)), const(0)), fine, wrong
        )
        f.at(wrong)
        fail(f)
    else:
        f.builder.branch(fine)
    f.at(fine)
    if any(isinstance(v.type, n.HistoryT) for v in play.special.program.variables):
        f.builder.store(used, context_field(f, CTX_USED))
    f.builder.store(plus(f, f.builder.load(i), 1), i)
    f.builder.branch(head)


def _too_long(play: Play, long: ir.Block, over: ir.Block, tallied: ir.Block) -> None:
    """Counts a playout that has reached the largest number of plies: as a draw, or as the observer says."""
    f = play.f
    f.at(long)
    add(f, words(f, play), const(2), const(1))
    if play.observer is not None:
        play.observer.cut(play)
        f.builder.branch(tallied)
        return
    for ptr in play.payoff:
        f.builder.store(ir.Constant(F64, 0.0), ptr)
    f.builder.store(play.most, play.plies)
    f.builder.branch(over)


def _add_plies(play: Play, bins: ir.Value, plies: ir.Value, times: ir.Value) -> None:
    """Adds a length to the sum and to the histogram, ``times`` times."""
    f = play.f
    assert play.total is not None
    f.builder.store(f.builder.add(f.builder.load(play.total), f.builder.mul(plies, times)), play.total)
    last = plus(f, bins, -1)
    bin = f.builder.select(f.builder.icmp_unsigned("<", plies, last), plies, last)
    add(f, words(f, play), plus(f, bin, 3 + 5 * play.special.program.players.size), times)
