"""Random plays of a program that has been taken apart (``passes/apart.py``): one function without calls.

Every variable has a place of its own in the function, every block is a label, a decision draws from masks. The function
``fast(ctx, s, n, seed, first, tally, bins) -> status`` plays ``n`` times from ``s`` and adds to the tally; -3 for a
state whose place the parts do not know.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from llvmlite import ir

from gamedsl.core.fold import offset
from gamedsl.core.nodes import (
    Alt,
    Block,
    BranchT,
    Chance,
    Choose,
    Const,
    Decide,
    End,
    Expr,
    Goto,
    HistoryT,
    Program,
    Schema,
    SetT,
    Var,
)
from gamedsl.core.traverse import is_stop
from gamedsl.native import sets
from gamedsl.native.expr import as_type, members, number, numbers, truth
from gamedsl.native.left import Left
from gamedsl.native.loops import each_member
from gamedsl.native.memory import copy_bytes, fail_if, plus, store_slot
from gamedsl.native.memory import field as context_field
from gamedsl.native.monitors import Watches, grown, watch, watchable
from gamedsl.native.moves import visit
from gamedsl.native.passes.apart import Apart
from gamedsl.native.passes.masks import Mask, masks
from gamedsl.native.playouts import add, below, following, seeded, tally_player
from gamedsl.native.stmt import statements
from gamedsl.native.stops import NO_MOVE, NO_OUTCOME, NO_VALUE, here, outcome_weight, weighed
from gamedsl.native.unit import CTX_ERROR, CTX_PLIES, CTX_USED, F64, I1, I64, PTR, Fn, Unit, Value, bind, const

UNKNOWN = -3
WRITTEN_OUT = 12  # a shrinking set over so few elements has its code written out for every number that is left


@dataclass
class Play:
    """The function while it is written. ``starts`` and ``stops``: per level and block the labels of its statements and
    its end. ``level``: how many elements are left to choose from, where the code is written out for each number."""

    f: Fn
    special: Apart
    x: ir.Value  # the generator
    plies: ir.Value
    most: ir.Value
    tally: ir.Value
    starts: dict[tuple[int, int], ir.Block] = field(default_factory=dict)
    stops: dict[tuple[int, int], ir.Block] = field(default_factory=dict)
    level: int = 0
    over: ir.Block | None = None  # where a play that is over is counted
    long: ir.Block | None = None
    payoff: list[ir.Value] = field(default_factory=list)
    classes: dict[tuple[float, ...], ir.Value] = field(default_factory=dict)  # how often each constant result came
    counted: ir.Block | None = None
    total: ir.Value | None = None  # plies of all plays
    watches: Watches | None = None
    left: Left | None = None


def fast(u: Unit, special: Apart) -> ir.Function:
    """The function; see above."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        program, u.program = u.program, special.program
        try:
            _write(f, special, values)
        finally:
            u.program = program

    return u.function("fast", "fast", I64, [I64, I64, I64, PTR, I64], body)


def _write(f: Fn, special: Apart, values: Sequence[ir.Value]) -> None:
    n, seed, first, tally, bins = values
    variables = special.program.variables
    f.rooms = {v.index: _room(f, v) for v in variables}
    _load_all(f, variables)
    play = Play(f, special, f.room(I64), f.room(I64), f.b.load(context_field(f, CTX_PLIES)), tally)
    play.payoff = [f.room(F64) for _ in range(special.program.players.size)]
    _track(play)
    i, used = f.room(I64), f.b.load(context_field(f, CTX_USED))
    f.b.store(const(0), i)
    coming = f.room(I64)
    f.b.store(seeded(f.b, seed, first), coming)
    head, begin, done = f.block("next"), f.block("begin"), f.block("done")
    play.over, play.long, play.counted = f.block("over"), f.block("long"), f.block("count")
    play.classes = {result: f.room(I64) for result in _classes(special.program)}
    play.total = f.room(I64)
    for room in (play.total, *play.classes.values()):
        f.b.store(const(0), room)
    placed = len(f.u.places)
    for block in special.program.blocks:
        for level in levels(special):
            play.starts[level, block.index] = f.block(f"block{block.index}")
            play.stops[level, block.index] = f.block(f"stop{block.index}")
    f.b.branch(head)
    f.at(head)
    f.b.cbranch(f.b.icmp_signed("<", f.b.load(i), n), begin, done)
    f.at(begin)
    _load_all(f, variables)
    assert play.watches is not None
    play.watches.begin()
    if play.left is not None:
        play.left.begin(f)
    # The next play's generator is made ready while this one is played.
    f.b.store(f.b.load(coming), play.x)
    f.b.store(seeded(f.b, seed, plus(f, f.b.add(first, f.b.load(i)), 1)), coming)
    f.b.store(const(0), play.plies)
    _enter(play)
    for play.level in levels(special):
        for block in special.program.blocks:
            _block(play, block)
    _over(play, bins, i, used, head, len(f.u.places) > placed)
    f.at(done)
    add(f, _words(f, play), const(0), f.b.load(i))
    add(f, _words(f, play), const(1), f.b.load(play.total))
    _add_classes(play)
    f.b.ret(const(0))


def _load_all(f: Fn, variables: Sequence[Var]) -> None:
    """All variables as in the state."""
    assert f.rooms is not None
    for v in variables:
        place = f.u.frame.place(v)
        source = f.b.gep(f.s, [const(place.offset)], inbounds=True)
        copy_bytes(f, f.rooms[v.index], source, place.stride * v.slots)


def _track(play: Play) -> None:
    """Makes ready what is kept from ply to ply; a state in which a monitored condition holds is not for this function."""
    f, tracked = play.f, play.special.tracked
    play.watches = Watches(f)
    for monitor, _ in tracked.monitors.values():
        if watchable(monitor) and play.watches.of(monitor) is None:
            made = watch(f, monitor, f.u.program.variables[monitor.slot[0]])
            play.watches.all.append(made)
            holds, fine = f.block("holds"), f.block("none")
            f.b.cbranch(f.b.load(made.flag), holds, fine)
            f.at(holds)
            f.b.ret(const(UNKNOWN))
            f.at(fine)
    if tracked.shrinking is not None:
        play.left = Left(f, tracked.shrinking)
        f.empties.append((tracked.shrinking, play.left.n))
        short, long = f.block("short"), f.block("limited")
        f.b.cbranch(f.b.icmp_unsigned("<=", f.b.load(play.left.first_n), play.most), short, long)
        f.at(long)
        f.b.ret(const(UNKNOWN))
        f.at(short)


def _room(f: Fn, v: Var) -> ir.Value:
    place = f.u.frame.place(v)
    units = max(1, place.stride * v.slots * 8 // place.cell.bits)
    return f.b.bitcast(f.room(ir.IntType(place.cell.bits), units), PTR)


def _enter(play: Play) -> None:
    """To the stop at which the state is."""
    f, special = play.f, play.special
    unknown = f.block("unknown")
    switch = f.b.switch(here(f), unknown)
    ways: dict[int, list[int]] = {}
    for new, (old, _) in enumerate(special.places):
        if is_stop(special.program.blocks[new]):
            ways.setdefault(old, []).append(new)
    for old, news in ways.items():
        at = f.block(f"from{old}")
        switch.add_case(const(old), at)
        f.at(at)
        for new in news:
            otherwise = f.block("or")
            mine = f.block("mine")
            f.b.cbranch(_stands(play, new), mine, otherwise)
            f.at(mine)
            _to_level(play, new, unknown)
            f.at(otherwise)
        f.b.branch(unknown)
    f.at(unknown)
    f.b.ret(const(UNKNOWN))


def levels(special: Apart) -> range:
    """The numbers of elements for which the code is written out: from a small set down to the empty one."""
    over = special.tracked.shrinking
    if over is None or not isinstance(over.type, SetT) or over.type.domain.size > WRITTEN_OUT:
        return range(1)
    return range(over.type.domain.size + 1)


def _to_level(play: Play, new: int, unknown: ir.Block) -> None:
    f, all_levels = play.f, levels(play.special)
    if len(all_levels) == 1:
        f.b.branch(play.stops[0, new])
        return
    assert play.left is not None
    switch = f.b.switch(f.b.load(play.left.n), unknown)
    for level in all_levels:
        switch.add_case(const(level), play.stops[level, new])


def _number_known(play: Play) -> None:
    """Where the code is written out for a number of elements left, it is that."""
    if len(levels(play.special)) > 1:
        assert play.left is not None
        play.f.b.store(const(play.level), play.left.n)


def _stands(play: Play, new: int) -> ir.Value:
    """Have the control variables the values of this block?"""
    f = play.f
    same: ir.Value = ir.Constant(I1, 1)
    for index, value in play.special.places[new][1]:
        var = f.u.program.variables[index]
        cell = f.u.frame.place(var).cell
        assert f.rooms is not None
        raw = f.b.load(f.b.bitcast(f.rooms[index], ir.IntType(cell.bits).as_pointer()))
        same = f.b.and_(same, f.b.icmp_unsigned("==", raw, ir.Constant(raw.type, value - cell.low)))
    return same


def _block(play: Play, block: Block) -> None:
    f = play.f
    f.at(play.starts[play.level, block.index])
    _number_known(play)
    f.stop = f.block("ran")
    statements(f, block.statements)
    f.goto(f.stop)
    f.at(f.stop)
    f.b.branch(play.stops[play.level, block.index])
    f.at(play.stops[play.level, block.index])
    _number_known(play)
    match block.end:
        case Goto(target):
            f.b.branch(play.starts[play.level, target])
        case BranchT(condition, yes, no):
            f.b.cbranch(_asked(play, block, condition), play.starts[play.level, yes], play.starts[play.level, no])
        case Decide():
            _decide(play, block.end)
        case Choose():
            _choose(play, block.end)
        case Chance():
            _chance(play, block.end)
        case End():
            _end(play, block.end)
        case _:
            raise AssertionError(type(block.end).__name__)


def _end(play: Play, end: End) -> None:
    """A result that is constant is only counted; another is added to the tally at once."""
    f = play.f
    assert play.over is not None and play.counted is not None
    if all(isinstance(e, Const) for e in end.payoff):
        result = tuple(e.value / end.unit for e in end.payoff if isinstance(e, Const))
        room = play.classes[result]
        f.b.store(plus(f, f.b.load(room), 1), room)
        f.b.branch(play.counted)
        return
    for room, e in zip(play.payoff, end.payoff, strict=True):
        f.b.store(_share(f, e, end.unit), room)
    f.b.branch(play.over)


def _classes(program: Program) -> list[tuple[float, ...]]:
    """The results that are constant."""
    found: dict[tuple[float, ...], None] = {}
    for b in program.blocks:
        if isinstance(b.end, End) and all(isinstance(e, Const) for e in b.end.payoff):
            found[tuple(e.value / b.end.unit for e in b.end.payoff if isinstance(e, Const))] = None
    return list(found)


def _add_classes(play: Play) -> None:
    """The results counted go into the tally."""
    f = play.f
    tally = _words(f, play)
    for result, room in play.classes.items():
        times = f.b.load(room)
        for p, value in enumerate(result):
            many = f.b.sitofp(times, F64)
            floats = f.b.bitcast(tally, F64.as_pointer())
            for i, amount in ((3 + 5 * p, value), (4 + 5 * p, value * value)):
                at = f.b.gep(floats, [const(i)], inbounds=True)
                f.b.store(f.b.fadd(f.b.load(at), f.b.fmul(many, ir.Constant(F64, amount))), at)
            add(f, tally, const(5 + 5 * p + (0 if value > 0 else 1 if value == 0 else 2)), times)


def _asked(play: Play, block: Block, condition: Expr) -> ir.Value:
    """A branch's condition, from what is kept if it is monitored."""
    assert play.watches is not None
    monitor, negated = play.special.tracked.monitors.get(block.index, (None, False))
    watched = play.watches.of(monitor) if monitor is not None else None
    if watched is None:
        return truth(play.f, condition)
    holds = play.f.b.load(watched.flag)
    return play.f.b.not_(holds) if negated else holds


def _share(f: Fn, e: Expr, unit: int) -> ir.Value:
    if isinstance(e, Const):
        return ir.Constant(F64, e.value / unit)
    return f.b.fdiv(f.b.sitofp(number(f, e), F64), ir.Constant(F64, float(unit)))


def draw(play: Play) -> ir.Value:
    """The generator's next value; a ply has begun."""
    f = play.f
    if play.left is None:
        plies = plus(f, f.b.load(play.plies), 1)
        f.b.store(plies, play.plies)
        go = f.block("go")
        assert play.long is not None
        f.b.cbranch(f.b.icmp_unsigned("<=", plies, play.most), go, play.long)
        f.at(go)
    y = following(f.b, f.b.load(play.x))
    f.b.store(y, play.x)
    return y


# ----------------------------------------------------------------------------------------------------- decisions


def _decide(play: Play, end: Decide) -> None:
    f = play.f
    if play.left is not None:
        _decide_left(play, end)
        return
    if end.may_pass is None and len(end.alternatives) == 1:
        found = masks(f.u.program.schemas[end.alternatives[0].schema])
        if found is not None:
            _decide_masks(play, end, found)
            return
    total = f.room(I64)
    f.b.store(const(0), total)
    schemas = [(a, f.u.program.schemas[a.schema]) for a in end.alternatives]
    for _, schema in schemas:
        _count(f, schema, end, total)
    n = f.b.load(total)
    if end.stuck is not None or end.may_pass is None:
        _when_stuck(play, end, n)
    if end.may_pass is not None:
        n = plus(f, n, 1)
    left = f.room(I64)
    f.b.store(below(f.b, draw(play), n), left)
    done = f.block("passed")
    for alt, schema in schemas:
        _take(play, schema, end, left, lambda alt=alt, schema=schema: _do(play, end, alt, schema))  # type: ignore[misc]
    f.goto(done)
    f.at(done)
    if end.may_pass is None:
        f.b.unreachable()
    else:
        statements(f, end.tick)
        f.b.branch(play.starts[play.level, end.may_pass])


def _decide_left(play: Play, end: Decide) -> None:
    """From the set that is left: its number is known, what is chosen is gone."""
    f, left = play.f, play.left
    assert left is not None
    alt = end.alternatives[0]
    schema = f.u.program.schemas[alt.schema]
    n = f.b.load(left.n)
    _when_stuck(play, end, n)
    left.take(f, below(f.b, draw(play), n), n, schema.params[0].local)
    _do(play, end, alt, schema)


def _decide_masks(play: Play, end: Decide, found: tuple[Mask, ...]) -> None:
    """The mask is chosen by the numbers of the masks, without branches; then a bit of it."""
    f = play.f
    alt = end.alternatives[0]
    schema = f.u.program.schemas[alt.schema]
    values = [members(f, m.over)[0] for m in found]
    counts = [f.b.ctpop(v) for v in values]
    n: ir.Value = const(0)
    before = []
    for c in counts:
        before.append(n)
        n = f.b.add(n, c)
    _when_stuck(play, end, n)
    k = below(f.b, draw(play), n)
    word, left, by = values[0], k, const(found[0].by)
    for m, v, b in zip(found[1:], values[1:], before[1:], strict=True):
        mine = f.b.icmp_unsigned(">=", k, b)
        word = f.b.select(mine, v, word)
        left = f.b.select(mine, f.b.sub(k, b), left)
        by = f.b.select(mine, const(m.by), by)
    x = sets.pick_word(f, word, left)
    for p, value in zip(schema.params, (x, f.b.add(x, by)), strict=True):
        bind(f, p.local, value)
    _do(play, end, alt, schema)


def _when_stuck(play: Play, end: Decide, n: ir.Value) -> None:
    f = play.f
    stuck, can = f.block("stuck"), f.block("can")
    f.b.cbranch(f.b.icmp_unsigned("==", n, const(0)), stuck, can)
    f.at(stuck)
    if end.stuck is not None:
        f.b.branch(play.starts[play.level, end.stuck])
    else:
        fail_if(f, ir.Constant(I1, 1), end.span, NO_MOVE)
        f.b.ret(const(-1))
    f.at(can)


def _count(f: Fn, schema: Schema, end: Decide, total: ir.Value) -> None:
    def more(n: ir.Value) -> None:
        f.b.store(f.b.add(f.b.load(total), n), total)

    assert isinstance(end.mover, Const)
    me = const(end.mover.value)
    visit(f, schema.index, me, lambda _: more(const(1)), (), False, lambda s, _p, _a: more(sets.count(f, s)))


def _take(play: Play, schema: Schema, end: Decide, left: ir.Value, do: Callable[[], None]) -> None:
    """Does the move when it is one of this schema's; ``left`` counts down to it."""
    f = play.f
    chosen = f.block("chosen")
    rooms = {p.local.id: [f.room(t) for t in f.u.type_of(p.local.type)] for p in schema.params}

    def keep(values: list[Value]) -> None:
        for p, v in zip(schema.params, values, strict=True):
            assert isinstance(v, ir.Value)
            f.b.store(v, rooms[p.local.id][0])
        f.b.branch(chosen)

    def leaf(args: list[Value]) -> None:
        here, other = f.block("here"), f.block("other")
        k = f.b.load(left)
        f.b.cbranch(f.b.icmp_unsigned("==", k, const(0)), here, other)
        f.at(here)
        keep(args)
        f.at(other)
        f.b.store(plus(f, k, -1), left)

    def last(s: sets.Words, local: object, args: list[Value]) -> None:
        here, other = f.block("here"), f.block("other")
        k, n = f.b.load(left), sets.count(f, s)
        f.b.cbranch(f.b.icmp_unsigned("<", k, n), here, other)
        f.at(here)
        t = schema.params[len(args)].local.type
        keep([*args, as_type(f, plus(f, sets.pick(f, s, k), offset(t)), t)])
        f.at(other)
        f.b.store(f.b.sub(k, n), left)

    assert isinstance(end.mover, Const)
    visit(f, schema.index, const(end.mover.value), leaf, (), False, last)
    after = f.b.block
    f.at(chosen)
    for p in schema.params:
        bind(f, p.local, f.b.load(rooms[p.local.id][0]))
    do()
    f.at(after)


def _do(play: Play, end: Decide, alt: object, schema: Schema) -> None:
    f = play.f
    assert isinstance(alt, Alt) and isinstance(end.mover, Const)
    statements(f, end.tick)
    if alt.registers:
        values: list[Value] = [const(end.mover.value), *(f.env[p.local.id] for p in schema.params)]
        for var, value in zip(alt.registers, values, strict=True):
            store_slot(f, var, [], as_type(f, value, var.type))
    else:
        f.stop = f.block("effected")
        empties, f.empties = f.empties, []
        statements(f, schema.effect)
        f.empties = empties
        f.goto(f.stop)
        f.at(f.stop)
        _grown(play, schema)
    f.b.branch(play.starts[_after(play), alt.target])


def _grown(play: Play, schema: Schema) -> None:
    """Tells the monitors of the set that this kind of move has added to."""
    slot = play.special.tracked.grown.get(schema.index)
    assert play.watches is not None
    for w in play.watches.all:
        if slot is not None and w.monitor.slot == slot:
            x = play.f.env[schema.params[0].local.id]
            assert isinstance(x, ir.Value)
            grown(play.f, w, x)


def _after(play: Play) -> int:
    """The level after a move."""
    return max(0, play.level - 1)


def _choose(play: Play, end: Choose) -> None:
    f = play.f
    source, keys = members(f, end.source), numbers(f, end.keys)
    n = sets.count(f, source)
    fail_if(f, f.b.icmp_unsigned("==", n, const(0)), end.span, NO_VALUE)
    k = below(f.b, draw(play), n)
    value = plus(f, sets.pick(f, source, k), offset(end.var.type))
    statements(f, end.tick)
    store_slot(f, end.var, keys, as_type(f, value, end.var.type))
    f.b.branch(play.starts[play.level, end.target])


def _chance(play: Play, end: Chance) -> None:
    f = play.f
    over = members(f, end.over)
    total, negative = weighed(f, end)
    fail_if(f, f.b.or_(negative, f.b.icmp_signed("==", total, const(0))), end.span, NO_OUTCOME)
    left, found = f.room(I64), f.room(I64)
    f.b.store(below(f.b, draw(play), total), left)
    f.b.store(const(-1), found)

    def one(index: ir.Value) -> None:
        w, n, old = outcome_weight(f, end, index), f.b.load(left), f.b.load(found)
        mine = f.b.and_(f.b.icmp_signed("<", n, w), f.b.icmp_signed("<", old, const(0)))
        f.b.store(f.b.select(mine, index, old), found)
        f.b.store(f.b.sub(n, w), left)

    each_member(f, over, 0, one)
    outcome = f.b.load(found)
    outcome = f.b.select(f.b.icmp_signed("<", outcome, const(0)), const(0), outcome)
    store_slot(f, end.result, [], as_type(f, plus(f, outcome, offset(end.result.type)), end.result.type))
    f.b.branch(play.starts[play.level, end.target])


# -------------------------------------------------------------------------------------------------------- the end


def _over(play: Play, bins: ir.Value, i: ir.Value, used: ir.Value, head: ir.Block, can_fail: bool) -> None:
    """Counts a play that is over, or was too long, and goes on to the next."""
    f, players = play.f, play.special.program.players.size
    assert play.over is not None and play.long is not None and play.counted is not None
    fine, tally = f.block("fine"), _words
    f.at(play.long)
    for room in play.payoff:
        f.b.store(ir.Constant(F64, 0.0), room)
    add(f, tally(f, play), const(2), const(1))
    f.b.store(play.most, play.plies)
    f.b.branch(play.over)
    f.at(play.over)
    words = tally(f, play)
    for p, room in enumerate(play.payoff):
        tally_player(f, words, p, f.b.load(room))
    f.b.branch(play.counted)
    f.at(play.counted)
    if can_fail:
        wrong = f.block("wrong")
        f.b.cbranch(f.b.icmp_unsigned("==", f.b.load(context_field(f, CTX_ERROR)), const(0)), fine, wrong)
        f.at(wrong)
        f.b.ret(const(-1))
    else:
        f.b.branch(fine)
    f.at(fine)
    words, plies = tally(f, play), f.b.load(play.plies)
    if play.left is not None:
        plies = f.b.sub(f.b.load(play.left.first_n), f.b.load(play.left.n))
    assert play.total is not None
    f.b.store(f.b.add(f.b.load(play.total), plies), play.total)
    last = plus(f, bins, -1)
    bin = f.b.select(f.b.icmp_unsigned("<", plies, last), plies, last)
    add(f, words, plus(f, bin, 3 + 5 * players), const(1))
    if any(isinstance(v.type, HistoryT) for v in play.special.program.variables):
        f.b.store(used, context_field(f, CTX_USED))
    f.b.store(plus(f, f.b.load(i), 1), i)
    f.b.branch(head)


def _words(f: Fn, play: Play) -> ir.Value:
    return f.b.bitcast(play.tally, I64.as_pointer())
