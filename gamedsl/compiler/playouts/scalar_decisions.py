"""Decisions in scalar playouts: from the remaining set, by masks, or along plans; chosen values and chance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from llvmlite import ir

from gamedsl.compiler.emit.drawing_records import record
from gamedsl.compiler.emit.expression_code import as_type, number, numbers, set_words
from gamedsl.compiler.emit.llvm_module import I1, I64, Value, bind, const, flag
from gamedsl.compiler.emit.memory import fail_if, load_slot, plus, store_slot
from gamedsl.compiler.emit.move_code import visit
from gamedsl.compiler.emit.move_lists import MoveList, worth_listing
from gamedsl.compiler.emit.random_numbers import below
from gamedsl.compiler.emit.set_listing import legal, take
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
from gamedsl.compiler.transform.hop_masks import DecisionMask, decision_masks
from gamedsl.compiler.transform.set_plans import worth_computing_once
from gamedsl.compiler.transform.tuple_sets import TupleSet, tuple_set
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
    kinds = [_counted(play, end, a, place) for place, a in enumerate(end.alternatives)]
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
        _take(play, end, kind, left)
    f.goto(done)
    f.at(done)
    if end.may_pass is None:
        f.builder.unreachable()
    else:
        assert play.cache is not None
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
    _do(play, end, alt, schema)


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
        _do(play, end, alt, schema)


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


@dataclass(frozen=True)
class _Kind:
    """One alternative of a decision with the number of its moves, and the moves as a list, as one set or as a set of
    tuples where available."""

    alt: n.Alt
    schema: n.Schema
    count: ir.Value
    listing: MoveList | None = None
    legal: sets.Words | None = None
    tuples: tuple[TupleSet, sets.Words] | None = None


def _counted(play: Play, end: n.Decide, alt: n.Alt, place: int) -> _Kind:
    f, schema = play.f, play.f.unit.program.schemas[alt.schema]
    assert isinstance(end.mover, n.Const) and play.cache is not None
    me = const(end.mover.value)
    if len(schema.params) == 1 and worth_computing_once(schema):
        with play.cache.available():
            found = legal(f, schema, end)
        return _Kind(alt, schema, sets.count(f, found), legal=found)
    tuples = tuple_set(schema)
    if tuples is not None:
        bind(f, schema.me, me)
        with play.cache.available():
            found = set_words(f, tuples.over)
        return _Kind(alt, schema, sets.count(f, found), tuples=(tuples, found))
    if worth_listing(schema):
        listing = MoveList(f, schema, me, play.buffers, place)
        return _Kind(alt, schema, listing.total, listing)
    total = f.alloca(I64)
    f.builder.store(const(0), total)

    def more(count: ir.Value) -> None:
        f.builder.store(f.builder.add(f.builder.load(total), count), total)

    visit(f, schema.index, me, lambda _: more(const(1)), (), False, lambda s, _p, _a: more(sets.count(f, s())))
    return _Kind(alt, schema, f.builder.load(total))


def _take(play: Play, end: n.Decide, kind: _Kind, left: ir.Value) -> None:
    """Applies the move if it is of this alternative. ``left`` counts down to it."""
    f = play.f
    if kind.legal is not None:
        take(f, kind.schema, kind.legal, left, lambda: _do(play, end, kind.alt, kind.schema))
        return
    if kind.tuples is not None:
        _take_tuple(play, end, kind, *kind.tuples, left)
        return
    if kind.listing is None:
        _search(play, end, kind, left)
        return
    mine, other = f.block("mine"), f.block("other")
    k = f.builder.load(left)
    f.builder.cbranch(f.builder.icmp_unsigned("<", k, kind.count), mine, other)
    f.at(mine)
    overflown = kind.listing.overflown()
    if overflown is not None:
        long, short = f.block("long"), f.block("short")
        f.builder.cbranch(overflown, long, short).set_weights([1, 2000])
        f.at(long)
        _search(play, end, kind, left)
        f.builder.unreachable()
        f.at(short)
    kind.listing.bind(k)
    _do(play, end, kind.alt, kind.schema)
    f.at(other)
    f.builder.store(f.builder.sub(k, kind.count), left)


def _take_tuple(play: Play, end: n.Decide, kind: _Kind, tuples: TupleSet, found: sets.Words, left: ir.Value) -> None:
    """Applies the move if its tuple is in this set. ``left`` counts down to it."""
    f = play.f
    mine, other = f.block("mine"), f.block("other")
    k = f.builder.load(left)
    f.builder.cbranch(f.builder.icmp_unsigned("<", k, kind.count), mine, other)
    f.at(mine)
    x = sets.pick(f, found, k)
    for p, size in reversed(list(zip(kind.schema.params, tuples.sizes, strict=True))):
        value = f.builder.urem(x, const(size))
        x = f.builder.udiv(x, const(size))
        bind(f, p.local, as_type(f, plus(f, value, offset(p.local.type)), p.local.type))
    _do(play, end, kind.alt, kind.schema)
    f.at(other)
    f.builder.store(f.builder.sub(k, kind.count), left)


def _search(play: Play, end: n.Decide, kind: _Kind, left: ir.Value) -> None:
    """Enumerates the moves again to find the chosen one."""
    f, schema = play.f, kind.schema
    chosen = f.block("chosen")
    buffers = {p.local.id: f.alloca(f.unit.type_of(p.local.type)[0]) for p in schema.params}

    def keep() -> None:
        for p in schema.params:
            value = f.env[p.local.id]
            assert isinstance(value, ir.Value)
            f.builder.store(value, buffers[p.local.id])
        f.builder.branch(chosen)

    def leaf(_args: list[Value]) -> None:
        here, other = f.block("here"), f.block("other")
        k = f.builder.load(left)
        f.builder.cbranch(f.builder.icmp_unsigned("==", k, const(0)), here, other)
        f.at(here)
        keep()
        f.at(other)
        f.builder.store(plus(f, k, -1), left)

    def last(words: Callable[[], sets.Words], local: n.Local, _args: list[Value]) -> None:
        s = words()
        here, other = f.block("here"), f.block("other")
        k, count = f.builder.load(left), sets.count(f, s)
        f.builder.cbranch(f.builder.icmp_unsigned("<", k, count), here, other)
        f.at(here)
        bind(f, local, as_type(f, plus(f, sets.pick(f, s, k), offset(local.type)), local.type))
        keep()
        f.at(other)
        f.builder.store(f.builder.sub(k, count), left)

    assert isinstance(end.mover, n.Const)
    visit(f, schema.index, const(end.mover.value), leaf, (), False, last)
    after = f.builder.block
    f.at(chosen)
    for p in schema.params:
        bind(f, p.local, f.builder.load(buffers[p.local.id]))
    _do(play, end, kind.alt, schema)
    f.at(after)


def _do(play: Play, end: n.Decide, alt: object, schema: n.Schema) -> None:
    f = play.f
    assert isinstance(alt, n.Alt) and isinstance(end.mover, n.Const) and play.cache is not None
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


# -------------------------------------------------------------------------------------------------------- the end
