"""Decisions in scalar playouts: from the remaining set, by masks, or along plans; chosen values and chance."""

from __future__ import annotations

from functools import partial

from llvmlite import ir

from gamedsl.compiler.emit.drawing_records import record
from gamedsl.compiler.emit.expression_code import as_type, number, numbers, set_words
from gamedsl.compiler.emit.llvm_module import I1, I64, Value, const, flag
from gamedsl.compiler.emit.memory import fail_if, load_slot, plus, store_slot
from gamedsl.compiler.emit.random_numbers import below
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.sets.set_loops import each_member
from gamedsl.compiler.emit.statement_code import statements
from gamedsl.compiler.emit.stop_code import (
    NO_MOVE,
    NO_VALUE,
    drawn_outcome,
    equal_weight,
    outcome_possible,
    outcome_weight,
)
from gamedsl.compiler.playouts import scalar_hops as hops
from gamedsl.compiler.playouts.condition_code import element_added
from gamedsl.compiler.playouts.remaining_set import KnownSizes
from gamedsl.compiler.playouts.results import NOBODY
from gamedsl.compiler.playouts.scalar_context import Play, draw_choice, fail, next_random
from gamedsl.compiler.playouts.scalar_kinds import counted, take_from
from gamedsl.compiler.playouts.scalar_rejection import decide_first, draws_candidates
from gamedsl.compiler.transform.hop_masks import DecisionMask, decision_masks
from gamedsl.language.core import nodes as n
from gamedsl.language.core import offset
from gamedsl.language.source import NOWHERE


def decide(play: Play, end: n.Decide) -> None:
    f = play.f
    if play.remaining is not None:
        _decide_from_remaining(play, end)
        return
    masks = decision_masks(f.unit.program, end)
    if masks is not None:
        _decide_by_masks(play, end, masks)
        return
    if draws_candidates(play, end):
        decide_first(
            play,
            end,
            partial(_do, play, end),
            partial(_pass, play, end),
            partial(_when_stuck, play, end),
        )
        return
    schemas = f.unit.program.schemas
    kinds = [
        counted(play, end, schemas[alt.schema], place, partial(_do, play, end, alt))
        for place, alt in enumerate(end.alternatives)
    ]
    count: ir.Value = const(0)
    for kind in kinds:
        count = f.builder.add(count, kind.count)
    if end.stuck is not None or end.may_pass is None:
        _when_stuck(play, end, count)
    if end.may_pass is not None:
        count = plus(f, count, 1)
    left = f.alloca(I64)
    f.builder.store(draw_choice(play, count), left)
    done = f.block("passed")
    for kind in kinds:
        take_from(play, end, kind, left)
    f.goto(done)
    f.at(done)
    if end.may_pass is None:
        f.builder.unreachable()
    else:
        _pass(play, end)


def _pass(play: Play, end: n.Decide) -> None:
    f = play.f
    assert play.cache is not None and end.may_pass is not None
    if play.observer is not None:
        play.observer.on_block(play)
    statements(f, end.tick)
    play.cache.on_statements(end.tick)
    f.builder.branch(play.starts[play.level, end.may_pass])


def _decide_from_remaining(play: Play, end: n.Decide) -> None:
    """Chooses from the remaining set, whose size is known, and removes the choice."""
    f, left = play.f, play.remaining
    assert left is not None
    alt = end.alternatives[0]
    schema = f.unit.program.schemas[alt.schema]
    count = f.builder.load(left.n)
    _when_stuck(play, end, count)
    left.take(f, draw_choice(play, count), count, schema.params[0].local)
    _do(play, end, alt)


def _decide_by_masks(play: Play, end: n.Decide, found: tuple[DecisionMask, ...]) -> None:
    """Chooses a mask by its number of elements, without branches, and then an element of it."""
    f = play.f
    values = hops.sets_of(f, found)
    before, count = hops.numbered(f, values)
    _when_stuck(play, end, count)
    kind, x = hops.pick(f, values, before, draw_choice(play, count))
    for chosen, block in hops.by_alternative(f, found, kind):
        f.at(block)
        alt = end.alternatives[chosen]
        schema = f.unit.program.schemas[alt.schema]
        hops.bind_move(f, schema, found, kind, x)
        _do(play, end, alt)


def _when_stuck(play: Play, end: n.Decide, count: ir.Value) -> None:
    f = play.f
    stuck, can = f.block("stuck"), f.block("can")
    f.builder.cbranch(f.builder.icmp_unsigned("==", count, const(0)), stuck, can)
    f.at(stuck)
    if end.stuck is not None:
        f.builder.branch(play.starts[play.level, end.stuck])
    else:
        fail_if(f, ir.Constant(I1, 1), end.span, NO_MOVE, number(f, end.seat))
        fail(f)
    f.at(can)


def _do(play: Play, end: n.Decide, alt: n.Alt) -> None:
    f = play.f
    schema = f.unit.program.schemas[alt.schema]
    assert isinstance(end.mover, n.Const) and play.cache is not None
    if play.observer is not None:
        play.observer.on_move(play, schema, const(end.mover.value), [f.env[p.local.id] for p in schema.params])
    statements(f, end.tick)
    play.cache.on_statements(end.tick)
    play.cache.invalidate(v.index for v in alt.registers)
    if alt.registers:
        values: list[Value] = [const(end.mover.value), *(f.env[p.local.id] for p in schema.params)]
        for var, value in zip(alt.registers, values, strict=True):
            store_slot(f, var, [], as_type(f, value, var.type))
    else:
        f.stop = f.block("effected")
        sizes = f.features.of(KnownSizes)
        counts, sizes.counts = sizes.counts, []
        statements(f, schema.effect)
        sizes.counts = counts
        f.goto(f.stop)
        f.at(f.stop)
        play.cache.on_statements(schema.effect)
        _element_added(play, schema)
    f.builder.branch(play.starts[_after(play), alt.target])


def _element_added(play: Play, schema: n.Schema) -> None:
    """Updates the monitors of the set to which the move has added an element."""
    slot = play.special.incremental.added_to.get(schema.index)
    assert play.conditions is not None
    for w in play.conditions.all:
        if slot is not None and w.monitor.slot == slot:
            x = play.f.env[schema.params[0].local.id]
            assert isinstance(x, ir.Value)
            element_added(play.f, w, x)


def _after(play: Play) -> int:
    """The level after a move."""
    return max(0, play.level - 1)


def choose(play: Play, end: n.Choose) -> None:
    f = play.f
    source, keys = set_words(f, end.source), numbers(f, end.keys)
    count = sets.count(f, source)
    fail_if(f, f.builder.icmp_unsigned("==", count, const(0)), end.span, NO_VALUE.format(end.var.name))
    chosen = sets.pick(f, source, draw_choice(play, count))
    if play.observer is not None:
        play.observer.chose(play, chosen)
    value = plus(f, chosen, offset(end.var.type))
    statements(f, end.tick)
    store_slot(f, end.var, keys, as_type(f, value, end.var.type))
    assert play.cache is not None
    play.cache.on_statements(end.tick)
    play.cache.invalidate([end.var.index])
    f.builder.branch(play.starts[play.level, end.target])


def chance(play: Play, end: n.Chance) -> None:
    f = play.f
    total = outcome_possible(f, end)
    k = below(f.builder, next_random(play), total)
    equal = equal_weight(end)
    outcome = _weighted(play, end, k) if equal is None else drawn_outcome(f, end, f.builder.udiv(k, const(equal)))
    if play.observer is not None:
        play.observer.fell(play, outcome)
    store_slot(f, end.result, [], as_type(f, plus(f, outcome, offset(end.result.type)), end.result.type))
    assert play.cache is not None
    play.cache.invalidate([end.result.index])
    f.builder.branch(play.starts[play.level, end.target])


def _weighted(play: Play, end: n.Chance, k: ir.Value) -> ir.Value:
    """The outcome in whose share of the weights k lies."""
    f = play.f
    left, found = f.alloca(I64), f.alloca(I64)
    f.builder.store(k, left)
    f.builder.store(const(-1), found)

    def one(index: ir.Value) -> None:
        w, count, old = outcome_weight(f, end, index), f.builder.load(left), f.builder.load(found)
        mine = f.builder.and_(f.builder.icmp_signed("<", count, w), f.builder.icmp_signed("<", old, const(0)))
        f.builder.store(f.builder.select(mine, index, old), found)
        f.builder.store(f.builder.sub(count, w), left)

    each_member(f, set_words(f, end.over), 0, one)
    outcome = f.builder.load(found)
    return f.builder.select(f.builder.icmp_signed("<", outcome, const(0)), const(0), outcome)


def draw_on(play: Play, end: n.DecideDrawing) -> None:
    """Chooses one of the prepared drawings that extend the current one."""
    f = play.f
    handle = load_slot(f, end.var, [])
    assert isinstance(handle, ir.Value)
    first, count = (f.builder.load(f.builder.gep(record(f, handle), [const(i)], inbounds=True)) for i in range(2))
    none, some = f.block("nothing"), f.block("drawings")
    f.builder.cbranch(f.builder.icmp_unsigned("==", count, const(0)), none, some)
    f.at(none)
    fail_if(f, flag(True), NOWHERE, NOBODY)
    fail(f)
    f.at(some)
    k = below(f.builder, next_random(play, counted=True), count)
    statements(f, end.tick)
    store_slot(f, end.var, [], f.builder.add(first, k))
    assert play.cache is not None
    play.cache.on_statements(end.tick)
    play.cache.invalidate([end.var.index])
    if play.remaining is not None:
        play.remaining.renew(f)
    f.builder.branch(play.starts[play.level, end.target])
