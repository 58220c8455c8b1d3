"""Writes what a player sees of a state, with the same entries as ``State.observation_tensor``."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from llvmlite import ir

from gamedsl.compiler.emit.expression_code import number, set_words
from gamedsl.compiler.emit.lanes.lane_tables import NOBODY, LaneTables, Slots
from gamedsl.compiler.emit.lanes.spread_bits import FLOAT, spread_bits, words_at
from gamedsl.compiler.emit.llvm_module import I1, I8, I64, PTR, VOID, Fn, Unit, const
from gamedsl.compiler.emit.memory import plus, times
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.sets.set_loops import each_below
from gamedsl.compiler.emit.stop_code import here, movers, switch_on_stop
from gamedsl.language.core import nodes as n

UNROLLED = 6  # slots that are written without a loop
ONE = ir.Constant(FLOAT, 1.0)


def observe(unit: Unit, tables: LaneTables) -> ir.Function:
    """``observe(ctx, s, row, seat)``: what the seat (-1: a spectator) sees. Its own open choices are left out."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        row, seat = values
        _clear(f, tables, row)
        _stop(f, tables, row)
        for slots in tables.slots:
            _variable(f, slots, row, seat)
        f.builder.ret_void()

    return unit.function("observe", "observe", VOID, [FLOAT.as_pointer(), I64], body)


def _clear(f: Fn, tables: LaneTables, row: ir.Value) -> None:
    """Zeros all entries except those that are always written."""
    kept = {i for s in tables.slots if not s.owners for i in _always(s)}
    at = 0
    intrinsic = f.unit.module.declare_intrinsic("llvm.memset", [PTR, I64])
    while at < tables.observed:
        end = at
        while end < tables.observed and end not in kept:
            end += 1
        if end > at:
            target = f.builder.bitcast(f.builder.gep(row, [const(at)], inbounds=True), PTR)
            f.builder.call(intrinsic, [target, ir.Constant(I8, 0), const(4 * (end - at)), ir.Constant(I1, 0)])
        at = end + 1


def _always(s: Slots) -> list[int]:
    """The entries that are written in every state."""
    width = {"members": s.size, "number": 1, "known": 1}.get(s.coding, 0)
    return [s.first + i * s.first_step + j for i in range(s.count) for j in range(width)]


# ------------------------------------------------------------------------------------------------------- the stop


def _put(f: Fn, row: ir.Value, index: ir.Value, value: ir.Value = ONE) -> None:
    f.builder.store(value, f.builder.gep(row, [index], inbounds=True))


def _stop(f: Fn, tables: LaneTables, row: ir.Value) -> None:
    """Writes the features of the stop, including the result at the end of a game."""
    at = here(f)
    _put(f, row, plus(f, _of_block(f, at, [kind for kind, _ in tables.stops]), tables.kind))
    if tables.phase >= 0:
        _put(f, row, plus(f, _of_block(f, at, [phase for _, phase in tables.stops]), tables.phase))
    f.builder.call(_actors(f.unit, tables), [f.ctx, f.s, row])


def _of_block(f: Fn, at: ir.Value, numbers: list[int]) -> ir.Value:
    if len(set(numbers)) == 1:
        return const(numbers[0])
    table = f.unit.numbers(("of blocks", tuple(numbers)), numbers, 16)
    return f.builder.zext(f.builder.load(f.unit.at(f.builder, table, at)), I64)


def _actors(unit: Unit, tables: LaneTables) -> ir.Function:
    """``who(ctx, s, row) -> 0``: writes the players to act, or the result."""

    def one(f: Fn, row: ir.Value, block: n.Block) -> ir.Value:
        match block.end:
            case n.Decide() | n.Choose():
                _put(f, row, plus(f, number(f, block.end.seat), tables.to_act))
            case n.DecideTogether():
                who = movers(f, block.end)
                for m, e in enumerate(block.end.seats):
                    with f.builder.if_then(sets.has(f, who, const(m))):
                        _put(f, row, plus(f, number(f, e), tables.to_act))
            case n.End():
                _result(f, tables, row, block.end)
            case _:
                pass
        return const(0)

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        switch_on_stop(f, partial(one, f, values[0]), const(0))

    return unit.function("who", "who", I64, [FLOAT.as_pointer()], body)


def _result(f: Fn, tables: LaneTables, row: ir.Value, end: n.End) -> None:
    won = set_words(f, end.winners)
    for p in range(tables.players):
        _put(f, row, const(tables.won + p), _float(f, f.builder.zext(sets.has(f, won, const(p)), I64)))
    for first, values in ((tables.returns, end.payoff), (tables.scores, end.scores)):
        for p, e in enumerate(values):
            _put(f, row, const(first + p), _float(f, number(f, e)))


def _float(f: Fn, value: ir.Value) -> ir.Value:
    return f.builder.sitofp(value, FLOAT)


# ------------------------------------------------------------------------------------------------------ variables


def _variable(f: Fn, s: Slots, row: ir.Value, seat: ir.Value) -> None:
    """Writes the slots of a variable that the seat may know."""

    def one(i: ir.Value) -> None:
        if not s.owners:
            _slot(f, s, row, i)
            return
        with f.builder.if_then(_is_seen(f, s, i, seat)):
            _slot(f, s, row, i)

    if s.count <= UNROLLED:
        for i in range(s.count):
            one(const(i))
    else:
        each_below(f, const(s.count), one)


def _of_slot(f: Fn, i: ir.Value, numbers: tuple[int, ...]) -> ir.Value:
    """The number of a slot, from a table."""
    if len(set(numbers)) == 1:
        return const(numbers[0])
    table = f.unit.numbers(("of slots", numbers), numbers, 32)
    return f.builder.sext(f.builder.load(f.unit.at(f.builder, table, i)), I64)


def _is_seen(f: Fn, s: Slots, i: ir.Value, seat: ir.Value) -> ir.Value:
    """Whether the seat (-1: a spectator) may know the slot."""
    seen: ir.Value = ir.Constant(I1, 0)
    if set(s.owners) != {NOBODY}:
        seen = f.builder.icmp_signed("==", _of_slot(f, i, s.owners), seat)
    if s.viewers[0] < 0:
        return seen
    viewers = _unit(f, f.builder.gep(f.s, [_of_slot(f, i, s.viewers)], inbounds=True), s.viewer_bits)
    spectator = f.builder.icmp_signed("<", seat, const(0))
    everybody = f.builder.icmp_unsigned("==", viewers, const(s.everybody))
    by = f.builder.select(spectator, const(0), seat)
    viewer = f.builder.select(spectator, everybody, f.builder.trunc(f.builder.lshr(viewers, by), I1))
    return f.builder.or_(seen, viewer)


def _unit(f: Fn, at: ir.Value, bits: int) -> ir.Value:
    raw = f.builder.load(f.builder.bitcast(at, ir.IntType(bits).as_pointer()))
    return raw if bits == 64 else f.builder.zext(raw, I64)


def _slot(f: Fn, s: Slots, row: ir.Value, i: ir.Value) -> None:
    first, offset = plus(f, times(f, i, s.first_step), s.first), plus(f, times(f, i, s.at_step), s.at)
    if s.coding == "known":
        _put(f, row, first)
        return
    if s.coding == "members":
        out = f.builder.gep(row, [first], inbounds=True)
        spread_bits(f, out, words_at(f, f.s, offset, s.bits, s.size), s.size)
        return
    at = f.builder.gep(f.s, [offset], inbounds=True)
    value = _unit(f, at, s.bits)
    if s.coding == "number":
        _put(f, row, first, _float(f, plus(f, value, s.low)))
    elif s.coding == "one-hot":
        _put(f, row, f.builder.add(first, times(f, value, s.stride)))
    else:
        each_below(f, value, lambda level: _item(f, s, row, first, at, level))


def _item(f: Fn, s: Slots, row: ir.Value, first: ir.Value, at: ir.Value, level: ir.Value) -> None:
    """Writes an item of a stack."""
    where = plus(f, times(f, level, s.item_bits // 8), s.items)
    value = _unit(f, f.builder.gep(at, [where], inbounds=True), s.item_bits)
    if s.coding == "items":
        entry = f.builder.add(times(f, level, s.size), value)
        _put(f, row, f.builder.add(first, times(f, entry, s.stride)))
    else:
        _put(f, row, f.builder.add(first, times(f, level, s.stride)), _float(f, plus(f, value, 1)))
