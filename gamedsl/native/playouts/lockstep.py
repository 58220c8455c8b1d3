"""Playouts in lockstep (SIMT with predication): one play per lane. Every block runs once per round for its lanes.

A block has a mask of lanes. Its assignments are selected by the mask, and its end passes the mask on. Lanes whose play
is over are counted and begin the next play. ``lockstep(ctx, s, n, seed, first, tally, bins)`` gives the same results
for the same numbers of plays as scalar playouts, because both draw one random number per decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from llvmlite import ir

from gamedsl.core import is_stop, targets
from gamedsl.core.nodes import (
    Alt,
    Assign,
    Bind,
    Block,
    BranchT,
    Check,
    CoreStmt,
    Decide,
    DrawingT,
    ElemT,
    End,
    Get,
    Goto,
    HistoryT,
    IfS,
    LetS,
    Reset,
    Schema,
    SetT,
)
from gamedsl.native.analysis.pointwise import Slot
from gamedsl.native.emit.memory import context_field, failing, load_cell
from gamedsl.native.emit.module_builder import CTX_PLIES, I64, PTR, Fn, Unit, const, in_all_lanes
from gamedsl.native.emit.moves import at_entry
from gamedsl.native.emit.random_numbers import INCREMENT, MULTIPLIER, seeded
from gamedsl.native.emit.stops import NO_MOVE, here, nothing_pending, steered
from gamedsl.native.playouts.counts_layout import CountsLayout, Origins
from gamedsl.native.playouts.lanes import FLAGS, LANES, VEC, Lanes, NotLockstep, all_lanes, splat
from gamedsl.native.playouts.lockstep_counts import LockstepCounter
from gamedsl.native.playouts.lockstep_tally import histogram, tally_worked_out, unfinished
from gamedsl.native.playouts.lockstep_tally import tally as add_tally
from gamedsl.native.playouts.results import UNKNOWN, constant_result, constant_results
from gamedsl.native.transform.hop_masks import hop_masks
from gamedsl.native.transform.pipeline import SpecializedProgram, why_not_specialized
from gamedsl.source import Span


@dataclass
class Round:
    """The function being emitted. ``at``: for each block, the stack slot with the mask of the lanes that are about to
    execute it (at a stop: its end)."""

    f: Fn
    special: SpecializedProgram
    lanes: Lanes
    x: ir.Value
    plies: ir.Value
    over: ir.Value
    long: ir.Value  # lanes whose play has reached the most plies
    most: ir.Value
    at: dict[int, ir.Value] = field(default_factory=dict)
    classes: dict[tuple[float, ...], ir.Value] = field(default_factory=dict)
    # computed results, per player: sums and sums of squares by lane, and counts of positive, zero and negative ones
    sums: list[tuple[ir.Value, ir.Value, ir.Value, ir.Value, ir.Value]] = field(default_factory=list)
    n: ir.Value | None = None
    remaining: ir.Value | None = None
    first_n: ir.Value | None = None  # the size of the remaining set at the start of a play
    counter: LockstepCounter | None = None


def lockstep(
    unit: Unit, special: SpecializedProgram, counts: tuple[CountsLayout, Origins] | None = None
) -> ir.Function:
    """Emits the function, with all statistics (a module has either) if ``counts`` says where they go. Raises
    ``NotLockstep`` during emission."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        with unit.instead(special.program):
            _write(f, special, values, counts)

    return unit.function("lockstep", "lockstep", I64, [I64, I64, I64, PTR, I64], body)


def why_not(special: SpecializedProgram | None, unit: Unit) -> str | None:
    """Why the program cannot be played in lockstep, or None if it can. Tries to emit it into a separate module."""
    if special is None:
        return why_not_specialized(unit.program) or "playouts are not specialized"
    trial = Unit(special.program, unit.frame, unit.lowerings)
    try:
        lockstep(trial, special)
        trial.write_all()
    except NotLockstep as reason:
        return str(reason)
    return None


def order(special: SpecializedProgram) -> list[int]:
    """The blocks in reverse postorder: each before its successors, except for back edges."""
    blocks = special.program.blocks
    seen: set[int] = set()
    out: list[int] = []

    def visit(i: int) -> None:
        if i in seen:
            return
        seen.add(i)
        for t in reversed(targets(blocks[i].end)):
            visit(t)
        out.append(i)

    visit(0)
    for i, block in enumerate(blocks):
        if is_stop(block):
            visit(i)
    return out[::-1]


def _write(
    f: Fn,
    special: SpecializedProgram,
    values: Sequence[ir.Value],
    counts: tuple[CountsLayout, Origins] | None,
) -> None:
    n, seed, first, tally_pointer, bins = values
    tally = f.builder.bitcast(tally_pointer, I64.as_pointer())
    starts = _start_values(f, special)
    lanes = Lanes(f, {slot: f.alloca(VEC) for slot in starts})
    most = _spread(f, f.builder.load(context_field(f, CTX_PLIES)))
    r = Round(f, special, lanes, f.alloca(VEC), f.alloca(VEC), f.alloca(FLAGS), f.alloca(FLAGS), most)
    if special.incremental.remaining is not None:
        r.n, r.remaining, r.first_n = f.alloca(VEC), f.alloca(VEC), f.alloca(I64)
    r.counter = None if counts is None else LockstepCounter(r, tally, *counts)
    for i in order(special):
        r.at[i] = f.alloca(FLAGS)
        f.builder.store(all_lanes(False), r.at[i])
    index, begun = f.alloca(VEC), f.alloca(I64)
    done_plays = f.alloca(I64)
    r.classes.update({result: f.alloca(I64) for result in constant_results(special.program)})
    for ptr in r.classes.values():
        f.builder.store(const(0), ptr)
    f.builder.store(const(0), done_plays)
    f.builder.store(const(0), begun)
    unknown, known = f.block("unknown"), f.block("known")
    stop = _place(f, special, unknown, known)
    f.at(unknown)
    f.builder.ret(const(UNKNOWN))
    f.at(known)
    f.builder.store(all_lanes(True), r.over)
    f.builder.store(splat(0), index)
    head, body, refill, go, done = (f.block(x) for x in ("round", "lanes", "refill", "go", "done"))
    f.builder.branch(head)
    f.at(head)
    f.builder.cbranch(lanes.any_lane(f.builder.load(r.over)), refill, go)
    f.at(refill)
    _refill(r, starts, stop, index, begun, n, seed, first)
    f.builder.branch(go)
    f.at(go)
    f.builder.cbranch(f.builder.icmp_signed("<", f.builder.load(done_plays), n), body, done)
    f.at(body)
    f.builder.store(all_lanes(False), r.over)
    f.builder.store(all_lanes(False), r.long)
    for i in order(special):
        _block(r, special.program.blocks[i])
    ended = f.builder.or_(f.builder.load(r.over), f.builder.load(r.long))
    f.builder.store(ended, r.over)
    live = f.builder.icmp_signed("<", f.builder.load(index), _spread(f, n))
    counted = f.builder.and_(ended, live)
    f.builder.store(f.builder.add(f.builder.load(done_plays), lanes.number_of(counted)), done_plays)
    if r.counter is None:
        histogram(r, counted, tally, bins)
        unfinished(r, f.builder.and_(f.builder.load(r.long), live), tally)
    else:
        r.counter.finish(r, counted)
    f.builder.branch(head)
    f.at(done)
    add_tally(r, tally)
    tally_worked_out(r, tally)
    if r.counter is not None:
        r.counter.done(r)
    f.builder.ret(const(0))


def _spread(f: Fn, x: ir.Value) -> ir.Value:
    return in_all_lanes(f.builder, x, LANES)


def _start_values(f: Fn, special: SpecializedProgram) -> dict[Slot, ir.Value]:
    """The value of every slot in the state, in all lanes. Supports only plain values and small sets."""
    out: dict[Slot, ir.Value] = {}
    control = {index for _, env in special.places for index, _ in env}
    for v in special.program.variables:
        if v.index in control:
            continue
        place = f.unit.frame.place(v)
        if place.height_bits or place.cell.count > 1 or v.slots > 16 or isinstance(v.type, HistoryT | DrawingT):
            raise NotLockstep(f"the variable `{v.name}` is more than a few numbers and sets of up to 64 elements")
        for i in range(v.slots):
            at = f.builder.gep(f.s, [const(place.offset + i * place.stride)], inbounds=True)
            value = load_cell(f, at, place.cell, v.type)
            one = value[0] if isinstance(value, tuple) else value
            one = f.builder.zext(one, I64) if one.type == ir.IntType(1) else one
            keys, rest = [], i
            for k in reversed(v.keys):
                rest, key = divmod(rest, k.size)
                keys.append(key)
            out[v.index, tuple(reversed(keys))] = _spread(f, one)
    return out


def _place(f: Fn, special: SpecializedProgram, unknown: ir.Block, known: ir.Block) -> dict[int, ir.Value]:
    """For each stop: do the plays start there?"""
    found: dict[int, ir.Value] = {}
    total: ir.Value = ir.Constant(ir.IntType(1), 0)
    at = here(f)
    for new, (old, env) in enumerate(special.places):
        if not is_stop(special.program.blocks[new]) or old >= len(f.unit.source.blocks):
            continue
        there = f.builder.and_(f.builder.icmp_unsigned("==", at, const(old)), nothing_pending(f, old))
        same = f.builder.and_(there, steered(f, env))
        found[new] = same
        total = f.builder.or_(total, same)
    f.builder.cbranch(total, known, unknown)
    return found


# ------------------------------------------------------------------------------------------------------- plays


def _refill(
    r: Round, starts: dict[Slot, ir.Value], stop: dict[int, ir.Value], index: ir.Value, begun: ir.Value, n: ir.Value,
    seed: ir.Value, first: ir.Value,
) -> None:  # fmt: skip
    """Starts the next plays in lanes whose play is over. Lanes without a next play stay idle."""
    f, lanes = r.f, r.lanes
    over = f.builder.load(r.over)
    byte = f.builder.zext(f.builder.bitcast(over, ir.IntType(LANES)), I64)
    ranks = ir.Constant(VEC, [(1 << i) - 1 for i in range(LANES)])
    before = lanes.count(f.builder.and_(_spread(f, byte), ranks))
    number = f.builder.add(_spread(f, f.builder.load(begun)), before)
    f.builder.store(f.builder.select(over, number, f.builder.load(index)), index)
    f.builder.store(f.builder.add(f.builder.load(begun), lanes.number_of(over)), begun)
    seeds = seeded(f.builder, _spread(f, seed), f.builder.add(number, _spread(f, first)), splat)
    f.builder.store(f.builder.select(over, seeds, f.builder.load(r.x)), r.x)
    f.builder.store(f.builder.select(over, splat(0), f.builder.load(r.plies)), r.plies)
    for slot, value in starts.items():
        ptr = lanes.slots[slot]
        f.builder.store(f.builder.select(over, value, f.builder.load(ptr)), ptr)
    if r.remaining is not None and r.special.incremental.remaining is not None:
        fresh = lanes.expr(r.special.incremental.remaining)
        f.builder.store(f.builder.select(over, fresh, f.builder.load(r.remaining)), r.remaining)
        size = lanes.count(fresh)
        f.builder.store(f.builder.select(over, size, f.builder.load(r.n)), r.n)
        if r.counter is not None:
            f.builder.store(r.lanes.most(f.builder.select(over, size, splat(0))), r.first_n)
        lanes.empties = [(r.special.incremental.remaining, r.n)] if r.n is not None else []
    starting = f.builder.and_(over, f.builder.icmp_signed("<", f.builder.load(index), _spread(f, n)))
    for block, here_ in stop.items():
        mine = f.builder.select(here_, starting, all_lanes(False))
        f.builder.store(f.builder.or_(f.builder.load(r.at[block]), mine), r.at[block])


def _block(r: Round, block: Block) -> None:
    f = r.f
    mask = f.builder.load(r.at[block.index])
    f.builder.store(all_lanes(False), r.at[block.index])
    _statements(r, block.statements, mask)
    match block.end:
        case Goto(target):
            _hand_on(r, target, mask)
        case BranchT(condition, yes, no):
            holds = r.lanes.boolean(condition)
            _hand_on(r, yes, f.builder.and_(mask, holds))
            _hand_on(r, no, f.builder.and_(mask, f.builder.xor(holds, all_lanes(True))))
        case Decide():
            _decide(r, block.index, block.end, mask)
        case End():
            _end(r, block.end, mask)
        case _:
            raise NotLockstep(f"a stop of the kind {type(block.end).__name__}")


def _hand_on(r: Round, target: int, mask: ir.Value) -> None:
    ptr = r.at[target]
    r.f.builder.store(r.f.builder.or_(r.f.builder.load(ptr), mask), ptr)


def _end(r: Round, end: End, mask: ir.Value) -> None:
    f = r.f
    result = constant_result(end)
    if result is not None:
        ptr = r.classes[result]
        f.builder.store(f.builder.add(f.builder.load(ptr), r.lanes.number_of(mask)), ptr)
    else:
        _worked_out(r, end, mask)
    f.builder.store(f.builder.or_(f.builder.load(r.over), mask), r.over)


def _worked_out(r: Round, end: End, mask: ir.Value) -> None:
    """Adds results that are not constant to the sums."""
    f = r.f
    while len(r.sums) < len(end.payoff):
        r.sums.append((_zeroed(f, VEC), _zeroed(f, VEC), _zeroed(f, I64), _zeroed(f, I64), _zeroed(f, I64)))
    for (total, squares, *signs), e in zip(r.sums, end.payoff, strict=True):
        value = f.builder.select(mask, r.lanes.number(e), splat(0))
        f.builder.store(f.builder.add(f.builder.load(total), value), total)
        f.builder.store(f.builder.add(f.builder.load(squares), f.builder.mul(value, value)), squares)
        for ptr, sign in zip(signs, (">", "==", "<"), strict=True):
            flags = f.builder.and_(mask, f.builder.icmp_signed(sign, value, splat(0)))
            f.builder.store(f.builder.add(f.builder.load(ptr), r.lanes.number_of(flags)), ptr)


def _zeroed(f: Fn, t: ir.Type) -> ir.Value:
    """A stack slot that is zeroed on entry to the function."""
    ptr = f.alloca(t)
    at_entry(f, ptr, splat(0) if t == VEC else const(0))
    return ptr


def _statements(r: Round, stmts: tuple[CoreStmt, ...], mask: ir.Value) -> None:
    f = r.f
    for s in stmts:
        match s:
            case Assign(var=var, keys=keys, value=value):
                ptr = r.lanes.slot(Get(var, keys, value.type))
                new = r.lanes.number(value)
                f.builder.store(f.builder.select(mask, new, f.builder.load(ptr)), ptr)
            case Reset(var=var):
                for slot, ptr in r.lanes.slots.items():
                    if slot[0] == var.index:
                        if len(var.initial) != 1:
                            raise NotLockstep("a map put back to its first values")
                        f.builder.store(f.builder.select(mask, splat(var.initial[0]), f.builder.load(ptr)), ptr)
            case LetS(local=local, value=value):
                r.lanes.names[local.id] = r.lanes.expr(value)
            case IfS(condition=condition, then=then, otherwise=otherwise):
                holds = r.lanes.boolean(condition)
                _statements(r, then, f.builder.and_(mask, holds))
                _statements(r, otherwise, f.builder.and_(mask, f.builder.xor(holds, all_lanes(True))))
            case Check(condition=condition, message=message):
                broken = f.builder.xor(r.lanes.boolean(condition), all_lanes(True))
                _fail_if_any(r, f.builder.and_(mask, broken), s.span, message)
            case _:
                raise NotLockstep(f"a statement of the kind {type(s).__name__}")


# --------------------------------------------------------------------------------------------------- decisions


def _decide(r: Round, block: int, end: Decide, mask: ir.Value) -> None:
    f, lanes = r.f, r.lanes
    if len(end.alternatives) > 1 or end.tick or any(a.registers for a in end.alternatives):
        raise NotLockstep("several kinds of move at once")
    if not end.alternatives:
        if end.may_pass is None:
            raise NotLockstep("a stop without moves")
        mask, _ = next_random(r, mask)
        if r.counter is not None:
            r.counter.decided(r, mask, splat(1))
            r.counter.passed(r, mask, block)
        _hand_on(r, end.may_pass, mask)
        return
    alt = end.alternatives[0]
    schema = r.special.program.schemas[alt.schema]
    if end.may_pass is not None:
        raise NotLockstep("passing at will")
    if r.remaining is not None:
        _take(r, alt, schema, mask)
        return
    words, steps = _choices(r, schema)
    counts = [lanes.count(w) for w in words]
    n = counts[0]
    before: list[ir.Value] = [splat(0)]
    for c in counts[1:]:
        before.append(n)
        n = f.builder.add(n, c)
    none = f.builder.icmp_unsigned("==", n, splat(0))
    if end.stuck is None:
        _fail_if_any(r, f.builder.and_(mask, none), end.span, NO_MOVE)
    else:
        _hand_on(r, end.stuck, f.builder.and_(mask, none))
        mask = f.builder.and_(mask, f.builder.xor(none, all_lanes(True)))
    mask, x = next_random(r, mask)
    if r.counter is not None:
        r.counter.decided(r, mask, n)
        r.counter.moved(r, mask, schema)
    k = _below(r, x, n)
    word, remaining, by = words[0], k, splat(steps[0])
    for w, s, b in zip(words[1:], steps[1:], before[1:], strict=True):
        mine = f.builder.icmp_unsigned(">=", k, b)
        word, remaining = f.builder.select(mine, w, word), f.builder.select(mine, f.builder.sub(k, b), remaining)
        by = f.builder.select(mine, splat(s), by)
    place = lanes.pick(word, remaining, _size(schema))
    lanes.names[schema.params[0].local.id] = place
    if len(schema.params) == 2:
        lanes.names[schema.params[1].local.id] = f.builder.add(place, by)
    _statements(r, schema.effect, mask)
    _hand_on(r, alt.target, mask)


def _fail_if_any(r: Round, lanes: ir.Value, span: Span, message: str) -> None:
    """Ends all plays with a rules error if any of these lanes is set."""
    f = r.f
    wrong, fine = f.block("wrong"), f.block("fine")
    f.builder.cbranch(r.lanes.any_lane(lanes), wrong, fine)
    f.at(wrong)
    f.builder.call(failing(f.unit), [f.ctx, f.unit.place(span, message), const(0)])
    f.builder.ret(const(-1))
    f.at(fine)


def _choices(r: Round, schema: Schema) -> tuple[list[ir.Value], list[int]]:
    """The masks to choose from, and the distance from the first to the second parameter for each."""
    if len(schema.plan) == 1 and isinstance(schema.plan[0], Bind) and len(schema.params) == 1:
        if not isinstance(schema.plan[0].over.type, SetT):
            raise NotLockstep("moves that are numbers")
        return [r.lanes.expr(schema.plan[0].over)], [0]
    found = hop_masks(schema)
    if found is None:
        raise NotLockstep("moves that are gone through one by one")
    if not found:
        raise NotLockstep("a kind of move that there never is")
    return [r.lanes.expr(m.over) for m in found], [m.by for m in found]


def _take(r: Round, alt: Alt, schema: Schema, mask: ir.Value) -> None:
    f, lanes = r.f, r.lanes
    assert r.n is not None and r.remaining is not None
    n, word = f.builder.load(r.n), f.builder.load(r.remaining)
    mask, x = next_random(r, mask)
    if r.counter is not None:
        r.counter.moved(r, mask, schema)
    place = lanes.pick(word, _below(r, x, n), _size(schema))
    bit = f.builder.shl(splat(1), place)
    f.builder.store(f.builder.select(mask, f.builder.xor(word, bit), word), r.remaining)
    f.builder.store(f.builder.select(mask, f.builder.sub(n, splat(1)), n), r.n)
    lanes.names[schema.params[0].local.id] = place
    _statements(r, schema.effect, mask)
    _hand_on(r, alt.target, mask)


def _size(schema: Schema) -> int:
    t = schema.params[0].local.type
    if not isinstance(t, ElemT):
        raise NotLockstep("moves that are numbers")
    return t.domain.size


def next_random(r: Round, mask: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The lanes that begin a ply, and the next value of each lane's generator. The lanes are those of the mask, except
    for plays that have reached the most plies."""
    f = r.f
    old, plies = f.builder.load(r.x), f.builder.load(r.plies)
    more = f.builder.icmp_signed("<", plies, r.most)
    f.builder.store(
        f.builder.or_(f.builder.load(r.long), f.builder.and_(mask, f.builder.xor(more, all_lanes(True)))), r.long
    )
    mask = f.builder.and_(mask, more)
    x = f.builder.add(f.builder.mul(old, splat(MULTIPLIER)), splat(INCREMENT))
    f.builder.store(f.builder.select(mask, x, old), r.x)
    f.builder.store(f.builder.select(mask, f.builder.add(plies, splat(1)), plies), r.plies)
    return mask, x


def _below(r: Round, x: ir.Value, n: ir.Value) -> ir.Value:
    b = r.f.builder
    return b.lshr(b.mul(b.lshr(x, splat(32)), n), splat(32))
