"""The legal actions of a state by their numbers: as bits, or as a list if there are many actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from llvmlite import ir

from gamedsl.compiler.emit.expression_code import number, set_words
from gamedsl.compiler.emit.lanes.lane_tables import ActionNumbers
from gamedsl.compiler.emit.llvm_module import I1, I32, I64, PTR, Fn, Unit, const
from gamedsl.compiler.emit.memory import plus, times
from gamedsl.compiler.emit.move_code import Args, moves_key, visit
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.sets.set_loops import each_member
from gamedsl.compiler.emit.stop_code import offered, open_mover, outcome_weight, switch_on_stop
from gamedsl.language.core import limits, offset
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass


class Found(Protocol):
    """The destination of the numbers."""

    def add(self, number: ir.Value) -> None:
        """Adds a number."""

    def add_all(self, base: ir.Value, members: sets.Words) -> None:
        """Adds the members of a set, counted from ``base``."""


@lazy_dataclass()
class Bits:
    """Sets bits of the words at ``out``. May touch, but does not change, one more word than the bits need."""

    f: Fn
    out: ir.Value

    def add(self, number: ir.Value) -> None:
        f = self.f
        self._or(f.builder.lshr(number, const(6)), f.builder.shl(const(1), f.builder.and_(number, const(63))))

    def add_all(self, base: ir.Value, members: sets.Words) -> None:
        f = self.f
        word, shift = f.builder.lshr(base, const(6)), f.builder.and_(base, const(63))
        aligned = isinstance(base, ir.Constant) and base.constant % 64 == 0
        for i, w in enumerate(members):
            self._or(plus(f, word, i), w if aligned else f.builder.shl(w, shift))
            if not aligned:
                rest = f.builder.lshr(f.builder.lshr(w, const(1)), f.builder.xor(shift, const(63)))
                self._or(plus(f, word, i + 1), rest)

    def _or(self, index: ir.Value, bits: ir.Value) -> None:
        at = self.f.builder.gep(self.out, [index], inbounds=True)
        self.f.builder.store(self.f.builder.or_(self.f.builder.load(at), bits), at)


@lazy_dataclass()
class Listed:
    """Writes consecutive numbers at ``out``, and their count at ``used``. Those beyond the capacity ``most`` are only
    counted."""

    f: Fn
    out: ir.Value
    used: ir.Value
    most: ir.Value

    def add(self, number: ir.Value) -> None:
        f = self.f
        at = f.builder.load(self.used)
        with f.builder.if_then(f.builder.icmp_unsigned("<", at, self.most), likely=True):
            f.builder.store(f.builder.trunc(number, I32), f.builder.gep(self.out, [at], inbounds=True))
        f.builder.store(plus(f, at, 1), self.used)

    def add_all(self, base: ir.Value, members: sets.Words) -> None:
        each_member(self.f, members, 0, lambda x: self.add(self.f.builder.add(base, x)))


def legal_numbers(unit: Unit, tables: ActionNumbers) -> ir.Function:
    """``numbers(ctx, s, out, used, most) -> 0``: writes the legal actions of the first player who is to act, or the
    outcomes of chance. ``out`` holds bits, which are zero beforehand, or 32-bit numbers."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        switch_on_stop(f, lambda block: _at(f, tables, block, values), const(0))

    return unit.function("numbers", "numbers", I64, _TYPES, body)


_TYPES = [PTR, I64.as_pointer(), I64]  # out, used, most


def _found(f: Fn, tables: ActionNumbers, values: Sequence[ir.Value]) -> Found:
    out, used, most = values
    if tables.bit_words:
        return Bits(f, f.builder.bitcast(out, I64.as_pointer()))
    return Listed(f, f.builder.bitcast(out, I32.as_pointer()), used, most)


def _at(f: Fn, tables: ActionNumbers, block: n.Block, values: Sequence[ir.Value]) -> ir.Value | None:
    end = block.end
    match end:
        case n.Decide() | n.DecideTogether():
            mover = number(f, end.mover) if isinstance(end, n.Decide) else open_mover(f, end)
            for _, alt in offered(f, end):
                f.builder.call(_of_kind(f, tables, alt.schema, end.tick), [f.ctx, f.s, mover, *values])
            if isinstance(end, n.Decide) and end.may_pass is not None:
                _found(f, tables, values).add(const(tables.passing))
        case n.Choose(source=source):
            _write_names(f, tables.named[block.index], set_words(f, source), _found(f, tables, values))
        case n.Chance():
            _outcomes(f, tables, block, end, _found(f, tables, values))
        case _:
            return None
    return const(0)


def _write_names(f: Fn, names: tuple[int, ...], members: sets.Words, found: Found) -> None:
    """Adds the numbers of the actions for a set of values."""
    if is_consecutive(names):
        found.add_all(const(names[0]), members)
    else:
        each_member(f, members, 0, lambda x: found.add(action_of_name(f, names, x)))


def _outcomes(f: Fn, tables: ActionNumbers, block: n.Block, end: n.Chance, found: Found) -> None:
    def one(x: ir.Value) -> None:
        with f.builder.if_then(f.builder.icmp_signed(">", outcome_weight(f, end, x), const(0))):
            found.add(action_of_name(f, tables.named[block.index], x))

    each_member(f, set_words(f, end.over), 0, one)


def is_consecutive(names: tuple[int, ...]) -> bool:
    """Whether values have consecutive numbers."""
    return bool(names) and names == tuple(range(names[0], names[0] + len(names)))


def action_of_name(f: Fn, names: tuple[int, ...], index: ir.Value) -> ir.Value:
    """The number of the action for a value or an outcome."""
    if is_consecutive(names):
        return plus(f, index, names[0])
    table = f.unit.numbers(("names", names), names, 32)
    return f.builder.sext(f.builder.load(f.unit.at(f.builder, table, index)), I64)


# ---------------------------------------------------------------------------------------------------------- moves


def _of_kind(f: Fn, tables: ActionNumbers, index: int, tick: tuple[n.CoreStmt, ...]) -> ir.Function:
    """``moves(ctx, s, mover, out, used, most)``: adds the moves of one schema."""
    schema = f.unit.program.schemas[index]

    def body(g: Fn, values: Sequence[ir.Value]) -> None:
        mover, *rest = values
        found = _found(g, tables, rest)
        numbers = _Numbers(g, tables, schema)

        def last(members: Callable[[], sets.Words], local: n.Local, args: Args) -> None:
            numbers.add_set(found, members(), local, args)

        visit(g, index, mover, lambda args: found.add(numbers.of(args)), tick, True, last)
        g.builder.ret(const(0))

    return f.unit.function(moves_key(f, "moves", schema, tick), f"moves{index}", I64, [I64, *_TYPES], body)


@lazy_dataclass()
class _Numbers:
    """The numbers of the moves of a schema."""

    f: Fn
    tables: ActionNumbers
    schema: n.Schema

    def of(self, args: Args) -> ir.Value:
        return self._sum(range(len(self.schema.params)), args)

    def add_set(self, found: Found, members: sets.Words, local: n.Local, args: Args) -> None:
        """Adds the moves whose parameter ``local`` is in the set; ``args`` are the others."""
        f, kind = self.f, self.tables.kinds[self.schema.index]
        assert kind is not None
        places = [i for i, p in enumerate(self.schema.params) if p.local.id != local.id]
        (own,) = (i for i, p in enumerate(self.schema.params) if p.local.id == local.id)
        stride = kind.digits[own].stride
        base = plus(f, self._sum(places, args), (offset(local.type) - limits(local.type)[0]) * stride)
        if stride == 1:
            found.add_all(base, members)
        else:
            each_member(f, members, 0, lambda x: found.add(f.builder.add(base, times(f, x, stride))))

    def _sum(self, places: Sequence[int], args: Args) -> ir.Value:
        f, kind = self.f, self.tables.kinds[self.schema.index]
        assert kind is not None
        total: ir.Value = const(kind.first)
        for i, a in zip(places, args, strict=True):
            assert isinstance(a, ir.Value)
            digit = kind.digits[i]
            wide = f.builder.zext(a, I64) if a.type == I1 else a
            total = f.builder.add(total, times(f, plus(f, wide, -digit.low), digit.stride))
        return total
