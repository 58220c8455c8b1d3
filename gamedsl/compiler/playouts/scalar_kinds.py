"""The moves of one alternative of a decision in scalar playouts: counted, and the k-th of them bound."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from gamedsl.compiler.emit.expression_code import as_type, boolean, set_words
from gamedsl.compiler.emit.llvm_module import I64, Fn, Value, bind, const
from gamedsl.compiler.emit.memory import plus
from gamedsl.compiler.emit.move_code import visit
from gamedsl.compiler.emit.move_lists import MoveList, worth_listing
from gamedsl.compiler.emit.set_listing import legal
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.playouts import scalar_hops as hops
from gamedsl.compiler.playouts.scalar_context import Play
from gamedsl.compiler.transform.hop_masks import HopMask, few_masks
from gamedsl.compiler.transform.set_plans import worth_computing_once
from gamedsl.compiler.transform.tuple_sets import TupleSet, tuple_set
from gamedsl.language.core import free_locals, offset
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class Kind:
    """One alternative of a decision with the number of its moves, and the moves as a list, as one set, as a set of
    tuples or as a product of sets where available. ``do`` emits what follows once a move is bound; it leaves the block."""

    schema: n.Schema
    do: Callable[[], None]
    count: ir.Value
    listing: MoveList | None = None
    legal: sets.Words | None = None
    tuples: tuple[TupleSet, sets.Words] | None = None
    product: tuple[tuple[n.Local, sets.Words, ir.Value], ...] = ()  # each with its size
    masks: Masks | None = None


@lazy_dataclass(frozen=True)
class Masks:
    """Moves as shifted masks: their values, and the number of moves before each."""

    all: tuple[HopMask, ...]
    values: list[sets.Words]
    before: list[ir.Value]


def independent(schema: n.Schema, plan: Sequence[n.Bind | n.Test]) -> bool:
    """Whether no step depends on a parameter, so that the moves are a product of sets."""
    own = {p.local.id for p in schema.params}
    steps = (step.over if isinstance(step, n.Bind) else step.condition for step in plan)
    plain = all(isinstance(p.local.type, n.ElemT) for p in schema.params)
    return plain and all(own.isdisjoint(free_locals(e)) for e in steps)


def counted(play: Play, end: n.Decide, schema: n.Schema, place: int, do: Callable[[], None]) -> Kind:
    """Counts the moves that the schema's plan gives. ``place``: the number of the list that holds them."""
    f = play.f
    assert isinstance(end.mover, n.Const) and play.cache is not None
    me = const(end.mover.value)
    if len(schema.params) == 1 and worth_computing_once(schema):
        with play.cache.available():
            found = legal(f, schema, end)
        return Kind(schema, do, sets.count(f, found), legal=found)
    masks = few_masks(schema)
    if masks is not None:
        values = hops.sets_of(f, masks)
        before, number = hops.numbered(f, values)
        return Kind(schema, do, number, masks=Masks(masks, values, before))
    tuples = tuple_set(schema)
    if tuples is not None:
        bind(f, schema.me, me)
        with play.cache.available():
            found = set_words(f, tuples.over)
        return Kind(schema, do, sets.count(f, found), tuples=(tuples, found))
    if len(schema.params) > 1 and independent(schema, schema.plan):
        bind(f, schema.me, me)
        return _product(f, schema, do)
    if worth_listing(schema):
        listing = MoveList(f, schema, me, play.buffers, place)
        return Kind(schema, do, listing.total, listing)
    total = f.alloca(I64)
    f.builder.store(const(0), total)

    def more(count: ir.Value) -> None:
        f.builder.store(f.builder.add(f.builder.load(total), count), total)

    visit(
        f,
        schema.index,
        me,
        lambda _: more(const(1)),
        (),
        False,
        lambda s, _p, _a: more(sets.count(f, s())),
        schema.plan,
    )
    return Kind(schema, do, f.builder.load(total))


def _product(f: Fn, schema: n.Schema, do: Callable[[], None]) -> Kind:
    total: ir.Value = const(1)
    found = []
    for step in schema.plan:
        if isinstance(step, n.Test):
            total = f.builder.mul(total, f.builder.zext(boolean(f, step.condition), I64))
            continue
        members = set_words(f, step.over)
        size = sets.count(f, members)
        found.append((schema.params[step.param].local, members, size))
        total = f.builder.mul(total, size)
    return Kind(schema, do, total, product=tuple(found))


def take_from(play: Play, end: n.Decide, kind: Kind, left: ir.Value) -> None:
    """Binds the move and does what follows, if it is of this alternative. ``left`` counts down to it."""
    f, schema = play.f, kind.schema
    if kind.legal is None and kind.tuples is None and not kind.product and kind.listing is None and kind.masks is None:
        _search(play, end, kind, left)
        return
    mine, other = f.block("mine"), f.block("other")
    k = f.builder.load(left)
    f.builder.cbranch(f.builder.icmp_unsigned("<", k, kind.count), mine, other)
    f.at(mine)
    if kind.legal is not None:
        _bind_element(f, schema.params[0].local, sets.pick(f, kind.legal, k))
    elif kind.tuples is not None:
        _bind_tuple(f, schema, *kind.tuples, k)
    elif kind.product:
        _bind_product(f, kind, k)
    elif kind.masks is not None:
        chosen, x = hops.pick(f, kind.masks.values, kind.masks.before, k)
        hops.bind_move(f, schema, kind.masks.all, chosen, x)
    else:
        assert kind.listing is not None
        overflown = kind.listing.overflown()
        if overflown is not None:
            long, short = f.block("long"), f.block("short")
            f.builder.cbranch(overflown, long, short).set_weights([1, 2000])
            f.at(long)
            _search(play, end, kind, left)
            f.builder.unreachable()
            f.at(short)
        kind.listing.bind(k)
    kind.do()
    f.at(other)
    f.builder.store(f.builder.sub(k, kind.count), left)


def _bind_element(f: Fn, local: n.Local, index: ir.Value) -> None:
    bind(f, local, as_type(f, plus(f, index, offset(local.type)), local.type))


def _bind_tuple(f: Fn, schema: n.Schema, tuples: TupleSet, found: sets.Words, k: ir.Value) -> None:
    x = sets.pick(f, found, k)
    for p, size in reversed(list(zip(schema.params, tuples.sizes, strict=True))):
        _bind_element(f, p.local, f.builder.urem(x, const(size)))
        x = f.builder.udiv(x, const(size))


def _bind_product(f: Fn, kind: Kind, k: ir.Value) -> None:
    for local, members, size in reversed(kind.product):
        _bind_element(f, local, sets.pick(f, members, f.builder.urem(k, size)))
        k = f.builder.udiv(k, size)


def _search(play: Play, end: n.Decide, kind: Kind, left: ir.Value) -> None:
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
        _bind_element(f, local, sets.pick(f, s, k))
        keep()
        f.at(other)
        f.builder.store(f.builder.sub(k, count), left)

    assert isinstance(end.mover, n.Const)
    visit(f, schema.index, const(end.mover.value), leaf, (), False, last, schema.plan)
    after = f.builder.block
    f.at(chosen)
    for p in schema.params:
        bind(f, p.local, f.builder.load(buffers[p.local.id]))
    kind.do()
    f.at(after)
