"""Playouts in lockstep (SIMT with predication): one playout per lane. Every block runs once per round for its lanes.

A block has a mask of lanes. Its assignments are selected by the mask, and its end passes the mask on. A lane whose
playout is over is counted and begins the next one. ``lockstep(ctx, s, n, seed, first, tally, bins)`` gives the same
results as scalar playouts with the same numbers, because both draw one random number per decision.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from gamedsl.compiler.analysis.pointwise import Slot
from gamedsl.compiler.emit.llvm_module import CTX_PLIES, I64, PTR, Fn, Unit, const, in_all_lanes
from gamedsl.compiler.emit.memory import context_field, load_cell
from gamedsl.compiler.emit.random_numbers import seeded
from gamedsl.compiler.emit.stop_code import here, nothing_pending, steered
from gamedsl.compiler.playouts.counts_layout import CountsLayout, Origins
from gamedsl.compiler.playouts.lockstep_blocks import block_of_round
from gamedsl.compiler.playouts.lockstep_counts import LockstepCounter
from gamedsl.compiler.playouts.lockstep_round import Round
from gamedsl.compiler.playouts.lockstep_tally import count_unfinished, histogram, tally_worked_out
from gamedsl.compiler.playouts.lockstep_tally import tally as add_tally
from gamedsl.compiler.playouts.results import UNKNOWN, constant_results
from gamedsl.compiler.playouts.simd_lanes import FLAGS, LANES, VEC, Lanes, NotLockstep, all_lanes, splat
from gamedsl.compiler.transform.pipeline import SpecializedProgram, why_not_specialized
from gamedsl.language.core import is_stop, targets
from gamedsl.language.core import nodes as n


def lockstep(
    unit: Unit, special: SpecializedProgram, counts: tuple[CountsLayout, Origins] | None = None
) -> ir.Function:
    """Emits the function, with all statistics if ``counts`` says where they go (a module has only one form). Raises
    ``NotLockstep`` during emission."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        with unit.instead(special.program):
            _write(f, special, values, counts)

    return unit.function("lockstep", "lockstep", I64, [I64, I64, I64, PTR, I64], body)


def why_not(special: SpecializedProgram | None, unit: Unit) -> str | None:
    """The reason why playouts cannot run in lockstep, or None if they can. Tries to emit the code into a separate
    module."""
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
    number, seed, first, tally_pointer, bins = values
    tally = f.builder.bitcast(tally_pointer, I64.as_pointer())
    starts = _start_values(f, special)
    lanes = Lanes(f, {slot: f.alloca(VEC) for slot in starts})
    most = _spread(f, f.builder.load(context_field(f, CTX_PLIES)))
    r = Round(f, special, lanes, f.alloca(VEC), f.alloca(VEC), f.alloca(FLAGS), f.alloca(FLAGS), most)
    if special.incremental.remaining is not None:
        r.left, r.remaining, r.first_n = f.alloca(VEC), f.alloca(VEC), f.alloca(I64)
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
    _refill(r, starts, stop, index, begun, number, seed, first)
    f.builder.branch(go)
    f.at(go)
    f.builder.cbranch(f.builder.icmp_signed("<", f.builder.load(done_plays), number), body, done)
    f.at(body)
    f.builder.store(all_lanes(False), r.over)
    f.builder.store(all_lanes(False), r.long)
    for i in order(special):
        block_of_round(r, special.program.blocks[i])
    ended = f.builder.or_(f.builder.load(r.over), f.builder.load(r.long))
    f.builder.store(ended, r.over)
    live = f.builder.icmp_signed("<", f.builder.load(index), _spread(f, number))
    counted = f.builder.and_(ended, live)
    f.builder.store(f.builder.add(f.builder.load(done_plays), lanes.number_of(counted)), done_plays)
    if r.counter is None:
        histogram(r, counted, tally, bins)
        count_unfinished(r, f.builder.and_(f.builder.load(r.long), live), tally)
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
    """The value of every slot in the state, in all lanes. Supports only plain values and small sets; raises
    ``NotLockstep`` for others."""
    out: dict[Slot, ir.Value] = {}
    control = {index for _, env in special.places for index, _ in env}
    for v in special.program.variables:
        if v.index in control:
            continue
        place = f.unit.frame.place(v)
        if place.height_bits or place.cell.count > 1 or v.slots > 16 or isinstance(v.type, n.HistoryT | n.DrawingT):
            raise NotLockstep(f"the variable `{v.name}` is more than a few numbers or sets of up to 64 elements")
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
    """For each stop, whether the playouts start there."""
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
    r: Round, starts: dict[Slot, ir.Value], stop: dict[int, ir.Value], index: ir.Value, begun: ir.Value, count: ir.Value,
    seed: ir.Value, first: ir.Value,
) -> None:  # fmt: skip
    """Starts the next playouts in lanes whose playout is over. Lanes without a next playout stay idle."""
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
        f.builder.store(f.builder.select(over, size, f.builder.load(r.left)), r.left)
        if r.counter is not None:
            f.builder.store(r.lanes.most(f.builder.select(over, size, splat(0))), r.first_n)
        lanes.empties = [(r.special.incremental.remaining, r.left)] if r.left is not None else []
    starting = f.builder.and_(over, f.builder.icmp_signed("<", f.builder.load(index), _spread(f, count)))
    for block, here_ in stop.items():
        mine = f.builder.select(here_, starting, all_lanes(False))
        f.builder.store(f.builder.or_(f.builder.load(r.at[block]), mine), r.at[block])
