"""The entry points that implement ``State``: each answers a question of the Python API in one call.

A move is given by its code (``move_codes.py``). After a rules error the answer is negative and the error is cleared;
the interpreter then reports it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from gamedsl.compiler.emit.apply import apply
from gamedsl.compiler.emit.entries.move_codes import CodeField, MoveCodes
from gamedsl.compiler.emit.expression_code import number, set_words
from gamedsl.compiler.emit.llvm_module import CTX_ERROR, I1, I64, PTR, Fn, Unit, const
from gamedsl.compiler.emit.memory import alloca_record, context_field, copy_bytes, plus
from gamedsl.compiler.emit.move_code import Args, moves_key, visit
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.sets.set_loops import each_member
from gamedsl.compiler.emit.stop_code import (
    CHANCE,
    CHOOSE,
    PASS,
    here,
    movers,
    offered,
    outcome_weight,
    pending,
    put,
    switch_on_stop,
)
from gamedsl.language.core import nodes as n

ANYBODY = -1  # in place of a player: the first one who is to act


def answer(f: Fn, value: ir.Value) -> ir.Value:
    """The value, or -1 after a rules error, which is cleared."""
    at = context_field(f, CTX_ERROR)
    wrong = f.builder.icmp_unsigned("!=", f.builder.load(at), const(0))
    f.builder.store(const(0), at)
    return f.builder.select(wrong, const(-1), value)


# ------------------------------------------------------------------------------------------------------- who acts


def _actor(f: Fn, end: n.DecideTogether, wanted: ir.Value) -> tuple[ir.Value, ir.Value]:
    """The first of the part's players who still has to choose and is played by the wanted player of the program, and
    that player of the program. Both are -1 if there is none."""
    mover, seat = const(-1), const(-1)
    for m, one, is_open in reversed(_open(f, end)):
        mine = f.builder.and_(is_open, _asked(f, wanted, one))
        mover, seat = f.builder.select(mine, const(m), mover), f.builder.select(mine, one, seat)
    return mover, seat


def _open(f: Fn, end: n.DecideTogether) -> list[tuple[int, ir.Value, ir.Value]]:
    """For each player of the part: the index, the program's player, and whether a choice is still open."""
    who, found = movers(f, end), []
    for m, e in enumerate(end.seats):
        waits = f.builder.icmp_unsigned("==", f.builder.load(pending(f, const(m))), const(0))
        found.append((m, number(f, e), f.builder.and_(sets.has(f, who, const(m)), waits)))
    return found


def actors(unit: Unit) -> ir.Function:
    """``actors(ctx, s, out) -> n``: the program's players who are to act, in the order of the part's players. A player
    may occur more than once."""

    def one(f: Fn, block: n.Block, out: ir.Value) -> ir.Value | None:
        match block.end:
            case n.SoloDecision():
                put(f, out, 0, number(f, block.end.seat))
                return answer(f, const(1))
            case n.DecideTogether():
                count: ir.Value = const(0)
                for _, seat, is_open in _open(f, block.end):
                    f.builder.store(seat, f.builder.gep(out, [count], inbounds=True))
                    count = f.builder.add(count, f.builder.zext(is_open, I64))
                return answer(f, count)
            case _:
                return None

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        out = f.builder.bitcast(values[0], I64.as_pointer())
        switch_on_stop(f, lambda block: one(f, block, out), const(0))

    return unit.function("actors", "actors", I64, [PTR], body, public=True)


# -------------------------------------------------------------------------------------------------------- moves


class _Codes:
    """Consecutive codes. Those beyond the capacity are only counted."""

    def __init__(self, f: Fn, out: ir.Value, most: ir.Value, first: ir.Value) -> None:
        self.f, self.out, self.most = f, out, most
        self.used = f.alloca(I64)
        f.builder.store(first, self.used)

    def add(self, kind: int, seat: ir.Value, args: Sequence[ir.Value]) -> None:
        f = self.f
        at = f.builder.load(self.used)
        with f.builder.if_then(f.builder.icmp_signed("<", at, self.most)):
            codes = MoveCodes(f.unit.program)
            words: list[ir.Value] = [const(0)] * codes.words
            for field, value in zip(codes.fields, (const(kind), seat, *args), strict=False):
                wide = f.builder.zext(value, I64) if value.type == I1 else value
                bits = f.builder.shl(plus(f, wide, -field.low), const(field.shift))
                words[field.word] = f.builder.or_(words[field.word], bits)
            target = f.builder.gep(self.out, [f.builder.mul(at, const(codes.words))], inbounds=True)
            for i, word in enumerate(words):
                put(f, target, i, word)
        f.builder.store(plus(f, at, 1), self.used)

    @property
    def count(self) -> ir.Value:
        return self.f.builder.load(self.used)


def legal(unit: Unit) -> ir.Function:
    """``legal(ctx, s, player, out, most) -> n``: writes the codes of the first ``most`` moves of a player who is to act
    (-1: the first such player), or of the outcomes of chance. n is their total number."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        wanted, raw, most = values
        out = f.builder.bitcast(raw, I64.as_pointer())
        switch_on_stop(f, lambda block: _legal(f, block, wanted, out, most), const(0))

    return unit.function("legal", "legal", I64, [I64, PTR, I64], body, public=True)


def _legal(f: Fn, block: n.Block, wanted: ir.Value, out: ir.Value, most: ir.Value) -> ir.Value | None:
    end = block.end
    match end:
        case n.Decide():
            seat = number(f, end.seat)
            _go_on_if(f, _asked(f, wanted, seat))
            return answer(f, _moves(f, end, number(f, end.mover), seat, out, most))
        case n.DecideTogether():
            mover, seat = _actor(f, end, wanted)
            _go_on_if(f, f.builder.icmp_signed("!=", mover, const(-1)))
            return answer(f, _moves(f, end, mover, seat, out, most))
        case n.Choose():
            seat = number(f, end.seat)
            _go_on_if(f, _asked(f, wanted, seat))
            records = _Codes(f, out, most, const(0))
            each_member(f, set_words(f, end.source), 0, lambda x: records.add(CHOOSE, seat, [x]))
            return answer(f, records.count)
        case n.Chance():
            _go_on_if(f, f.builder.icmp_signed("==", wanted, const(ANYBODY)))
            records = _Codes(f, out, most, const(0))
            each_member(f, set_words(f, end.over), 0, _possible(f, end, lambda x: records.add(CHANCE, const(-1), [x])))
            return answer(f, records.count)
        case _:
            return None


def _asked(f: Fn, wanted: ir.Value, seat: ir.Value) -> ir.Value:
    """Whether this is the wanted player."""
    return f.builder.or_(f.builder.icmp_signed("==", wanted, const(ANYBODY)), f.builder.icmp_signed("==", wanted, seat))


def _go_on_if(f: Fn, condition: ir.Value) -> None:
    """Continues if the condition holds, else returns 0."""
    inside, other = f.block("asked"), f.block("nobody")
    f.builder.cbranch(condition, inside, other)
    f.at(other)
    f.builder.ret(const(0))
    f.at(inside)


def _possible(f: Fn, end: n.Chance, body: Callable[[ir.Value], None]) -> Callable[[ir.Value], None]:
    """Restricts ``body`` to the outcomes that are possible."""

    def one(x: ir.Value) -> None:
        with f.builder.if_then(f.builder.icmp_signed(">", outcome_weight(f, end, x), const(0))):
            body(x)

    return one


def _moves(
    f: Fn, end: n.Decide | n.DecideTogether, mover: ir.Value, seat: ir.Value, out: ir.Value, most: ir.Value
) -> ir.Value:
    """Writes the moves of all schemas, and passing. Returns their number."""
    total: ir.Value = const(0)
    for _, alt in offered(f, end):
        total = f.builder.call(_of_kind(f, alt.schema, end.tick), [f.ctx, f.s, mover, seat, out, most, total])
    if isinstance(end, n.Decide) and end.may_pass is not None:
        records = _Codes(f, out, most, total)
        records.add(PASS, seat, [])
        total = records.count
    return total


def _of_kind(f: Fn, index: int, tick: tuple[n.CoreStmt, ...]) -> ir.Function:
    """``codes(ctx, s, mover, player, out, most, n) -> n``: appends the moves of one schema to n codes."""
    schema = f.unit.program.schemas[index]

    def body(g: Fn, values: Sequence[ir.Value]) -> None:
        mover, seat, out, most, first = values
        records = _Codes(g, out, most, first)

        def leaf(args: Args) -> None:
            records.add(index, seat, [a for a in args if isinstance(a, ir.Value)])

        visit(g, index, mover, leaf, tick, True)
        g.builder.ret(records.count)

    types = [I64, I64, I64.as_pointer(), I64, I64]
    return f.unit.function(moves_key(f, "codes", schema, tick), f"codes{index}", I64, types, body)


# ------------------------------------------------------------------------------------------------------- applying


def after(unit: Unit) -> ir.Function:
    """``after(ctx, s, out, code) -> block``: writes the state after a legal move to ``out`` and returns the number of
    its block. The code is passed as one argument per word."""
    codes = MoveCodes(unit.program)

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        out, *words = values
        copy_bytes(f, out, f.s, f.unit.frame.size)
        f.s = out
        own = alloca_record(f)
        record = f.builder.bitcast(own, I64.as_pointer())
        kind, seat, *args = (_field(f, words, field) for field in codes.fields)

        def one(block: n.Block) -> ir.Value | None:
            end = block.end
            if isinstance(end, n.End | n.DecideDrawing):
                return None
            given = args[: f.unit.frame.record - 2]
            match end:
                case n.Decide():
                    given = [number(f, end.mover), *given]
                case n.DecideTogether():
                    given = [_actor(f, end, seat)[0], *given]
                case _:
                    given = args[:1]
            for i, value in enumerate((kind, *given)):
                put(f, record, i, value)
            f.builder.call(apply(unit), [f.ctx, f.s, own])
            return answer(f, here(f))

        switch_on_stop(f, one, const(-1))

    return unit.function("after", "after", I64, [PTR, *[I64] * codes.words], body, public=True)


def _field(f: Fn, words: Sequence[ir.Value], field: CodeField) -> ir.Value:
    """Extracts a field of a code."""
    return plus(f, f.builder.and_(f.builder.lshr(words[field.word], const(field.shift)), const(field.mask)), field.low)


def payoffs(unit: Unit) -> ir.Function:
    """``payoffs(ctx, s, out) -> status``: one integer utility per player. Writes nothing before the end."""

    def one(f: Fn, block: n.Block, out: ir.Value) -> ir.Value | None:
        if not isinstance(block.end, n.End):
            return None
        for i, e in enumerate(block.end.payoff):
            put(f, out, i, number(f, e))
        return answer(f, const(0))

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        out = f.builder.bitcast(values[0], I64.as_pointer())
        switch_on_stop(f, lambda block: one(f, block, out), const(0))

    return unit.function("payoffs", "payoffs", I64, [PTR], body, public=True)
