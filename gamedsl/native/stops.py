"""From stop to stop: what can be done at one, doing it, and going on to the next.

``settle(ctx, s, block)`` goes on from a block; ``count``, ``kth``, ``apply`` answer for the stop at which the state is.
A way on is written down as a record: what it is, who does it, its arguments (see ``binding.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from gamedsl.core.fold import offset
from gamedsl.core.nodes import (
    Alt,
    Block,
    BranchT,
    Chance,
    Choose,
    Decide,
    DecideDrawing,
    DecideTogether,
    End,
    Goto,
    Schema,
)
from gamedsl.core.traverse import is_stop
from gamedsl.native import sets
from gamedsl.native.drawings import record
from gamedsl.native.expr import as_type, members, number, numbers, truth
from gamedsl.native.histories import Noting, asks_what_it_notes, noting
from gamedsl.native.loops import each_member
from gamedsl.native.memory import context_field, fail_if, load_slot, plus, pointer, store_slot
from gamedsl.native.moves import any_move, count_moves, kth_move
from gamedsl.native.stmt import do_effect, do_steps, statements
from gamedsl.native.unit import CTX_ERROR, I1, I32, I64, VOID, Fn, Unit, Value, bind, const
from gamedsl.source.text import NOWHERE

PASS, CHOOSE, CHANCE, DRAW = -1, -2, -3, -4
KINDS = {End: 0, Decide: 1, Choose: 2, Chance: 3, DecideTogether: 4, DecideDrawing: 5}
MOST_BLOCKS = 1_000_000
NO_MOVE = "{player} has no legal move, and no rule says what then"
NO_VALUE = "there is no value to choose for {}"
NO_OUTCOME = "no outcome is possible here"
BELOW_0 = "an outcome has a weight below 0"


# ------------------------------------------------------------------------------------------------- by the block


def here(f: Fn) -> ir.Value:
    """The number of the block in which the play stands."""
    return f.b.zext(f.b.load(pointer(f, f.s, 0, I32)), I64)


def steered(f: Fn, env: Sequence[tuple[int, int]]) -> ir.Value:
    """Have these variables, by index, these values in the state?"""
    same: ir.Value = ir.Constant(I1, 1)
    for index, value in env:
        place = f.u.frame.place(f.u.program.variables[index])
        raw = f.b.load(pointer(f, f.s, place.offset, ir.IntType(place.cell.bits)))
        same = f.b.and_(same, f.b.icmp_unsigned("==", raw, ir.Constant(raw.type, value - place.cell.low)))
    return same


def stand(f: Fn, block: ir.Value) -> None:
    f.b.store(f.b.trunc(block, I32), pointer(f, f.s, 0, I32))


def by_stop(f: Fn, write: Callable[[Block], ir.Value | None], default: ir.Value) -> None:
    """Returns what ``write`` gives for the stop at which the state is (None: the default)."""
    other = f.block("other")
    switch = f.b.switch(here(f), other)
    for block in f.u.program.blocks:
        if not is_stop(block):
            continue
        at = f.block(f"stop{block.index}")
        f.at(at)
        value = write(block)
        if value is None:
            f.goto(other)
        elif not f.b.block.is_terminated:
            f.b.ret(value)
        switch.add_case(const(block.index), at)
    f.at(other)
    f.b.ret(default)


def movers(f: Fn, end: DecideTogether) -> sets.Words:
    return members(f, end.movers)


def open_mover(f: Fn, end: DecideTogether) -> ir.Value:
    """The first of those who choose at once that has not chosen; there is one at such a stop."""
    left = movers(f, end)
    for m in range(f.u.program.parts[end.part].players.size):
        chosen = f.b.icmp_unsigned("!=", f.b.load(pending(f, const(m))), const(0))
        one = sets.single(f, const(m), len(left))
        left = tuple(f.b.select(chosen, y, x) for x, y in zip(left, sets.without(f, left, one), strict=True))
    return sets.lowest(f, left)


def pending(f: Fn, mover: ir.Value) -> ir.Value:
    """Where the open choice of a mover is kept: 0, or 1 + its number among all choices."""
    at = f.b.gep(f.s, [plus(f, f.b.mul(mover, const(8)), f.u.frame.pending)], inbounds=True)
    return f.b.bitcast(at, I64.as_pointer())


def offered(f: Fn, end: Decide | DecideTogether) -> list[tuple[int, Alt]]:
    """The alternatives, with their numbers, whose moves count as legal."""
    return [(i, a) for i, a in enumerate(end.alternatives) if not f.u.program.schemas[a.schema].mistake]


# ------------------------------------------------------------------------------------------------------ settling


def settle(u: Unit) -> ir.Function:
    """``settle(ctx, s, block)``: from a block on to the first stop, where the state then stands."""
    return u.function("settle", "settle", VOID, [I64], _settle)


def _settle(f: Fn, values: Sequence[ir.Value]) -> None:
    entry, head, stop, wrong = f.b.block, f.block("block"), f.block("stop"), f.block("nowhere")
    f.b.branch(head)
    f.at(head)
    at, rounds = f.b.phi(I64), f.b.phi(I64)
    at.add_incoming(values[0], entry)
    rounds.add_incoming(const(0), entry)
    switch = f.b.switch(at, wrong)
    join = f.block("go")
    f.at(join)
    following = f.b.phi(I64)
    more = f.b.add(rounds, const(1))
    endless = f.b.icmp_unsigned(">", more, const(MOST_BLOCKS))
    fail_if(f, endless, NOWHERE, "the play goes on for ever without anybody acting")
    at.add_incoming(following, f.b.block)
    rounds.add_incoming(more, f.b.block)
    f.b.cbranch(endless, stop, head)
    for block in f.u.program.blocks:
        case = f.block(f"block{block.index}")
        switch.add_case(const(block.index), case)
        f.at(case)
        _run_block(f, block)
        _leave_block(f, block, following, join, stop)
        f.features.of(Noting).just = None
    f.at(wrong)
    f.b.branch(stop)
    f.at(stop)
    stand(f, at)
    f.b.ret_void()


def _run_block(f: Fn, block: Block) -> None:
    """A block's statements, written where they stand. A position noted and asked for at once is hashed once."""
    f.stop = f.block("ran")
    if asks_what_it_notes(block):
        statements(f, block.statements[:-1])
        f.features.of(Noting).just = noting(f, block.statements[-1])
        return
    statements(f, block.statements)
    f.goto(f.stop)
    f.at(f.stop)


def _leave_block(f: Fn, block: Block, following: ir.PhiInstr, join: ir.Block, stop: ir.Block) -> None:
    def go(target: ir.Value) -> None:
        following.add_incoming(target, f.b.block)
        f.b.branch(join)

    match block.end:
        case Goto(target):
            go(const(target))
        case BranchT(condition, yes, no):
            go(f.b.select(truth(f, condition), const(yes), const(no)))
        case Decide(stuck=stuck, may_pass=may_pass):
            can = _can_move(f, block.end, number(f, block.end.mover))
            if stuck is None:
                if may_pass is None:
                    fail_if(f, f.b.not_(can), block.end.span, NO_MOVE, number(f, block.end.seat))
                f.b.branch(stop)
            else:
                stays, leaves = f.block("stays"), f.block("stuck")
                f.b.cbranch(can, stays, leaves)
                f.at(leaves)
                go(const(stuck))
                f.at(stays)
                f.b.branch(stop)
        case DecideTogether(target=target):
            _leave_together(f, block.end, lambda: go(const(target)))
            f.b.branch(stop)
        case Choose(source=source):
            fail_if(f, sets.is_empty(f, members(f, source)), block.end.span, NO_VALUE.format(block.end.var.name))
            f.b.branch(stop)
        case Chance():
            outcome_possible(f, block.end)
            f.b.branch(stop)
        case DecideDrawing() | End():
            f.b.branch(stop)


def _can_move(f: Fn, end: Decide | DecideTogether, mover: ir.Value) -> ir.Value:
    result: ir.Value | None = None
    ways: list[tuple[ir.Value, ir.Block]] = []
    done = f.block("can")
    for _, alt in offered(f, end):
        result = any_move(f, alt.schema, mover, end.tick)
        following = f.block("or")
        ways.append((ir.Constant(I1, 1), f.b.block))
        f.b.cbranch(result, done, following)
        f.at(following)
    ways.append((ir.Constant(I1, 0), f.b.block))
    f.b.branch(done)
    f.at(done)
    can = f.b.phi(I1)
    for value, block in ways:
        can.add_incoming(value, block)
    return can


def _leave_together(f: Fn, end: DecideTogether, nobody: Callable[[], None]) -> None:
    who = movers(f, end)
    some, none = f.block("some"), f.block("nobody")
    f.b.cbranch(sets.is_empty(f, who), none, some)
    f.at(none)
    nobody()
    f.at(some)

    def one(mover: ir.Value) -> None:
        seat = number(f, end.seats[0])
        for i, e in enumerate(end.seats[1:], 1):
            seat = f.b.select(f.b.icmp_signed("==", mover, const(i)), number(f, e), seat)
        fail_if(f, f.b.not_(_can_move(f, end, mover)), end.span, NO_MOVE, seat)

    each_member(f, who, 0, one)


def outcome_possible(f: Fn, end: Chance) -> ir.Value:
    """The sum of the outcomes' weights; a rules error when one is below 0, or all are 0."""
    total, negative = weighed(f, end)
    fail_if(f, negative, end.span, BELOW_0)
    fail_if(f, f.b.icmp_signed("==", total, const(0)), end.span, NO_OUTCOME)
    return total


def weighed(f: Fn, end: Chance) -> tuple[ir.Value, ir.Value]:
    """The sum of the outcomes' weights; and whether one is below 0."""
    total, negative = f.room(I64), f.room(I1)
    f.b.store(const(0), total)
    f.b.store(ir.Constant(I1, 0), negative)

    def one(x: ir.Value) -> None:
        w = outcome_weight(f, end, x)
        f.b.store(f.b.add(f.b.load(total), w), total)
        f.b.store(f.b.or_(f.b.load(negative), f.b.icmp_signed("<", w, const(0))), negative)

    each_member(f, members(f, end.over), 0, one)
    return f.b.load(total), f.b.load(negative)


def outcome_weight(f: Fn, end: Chance, index: ir.Value) -> ir.Value:
    bind(f, end.local, as_type(f, plus(f, index, offset(end.local.type)), end.local.type))
    return number(f, end.weight)


# ------------------------------------------------------------------------------------------------ ways on


def count(u: Unit) -> ir.Function:
    """``count(ctx, s) -> n``: the ways on."""

    def body(f: Fn, _: Sequence[ir.Value]) -> None:
        by_stop(f, lambda block: _count(f, block), const(0))

    return u.function("count", "count", I64, [], body, public=True)


def _count(f: Fn, block: Block) -> ir.Value | None:
    end = block.end
    match end:
        case Decide():
            passing = 0 if end.may_pass is None else 1
            return plus(f, _moves_of(f, end, number(f, end.mover)), passing)
        case DecideTogether():
            return _moves_of(f, end, open_mover(f, end))
        case Choose(source=source):
            return sets.count(f, members(f, source))
        case Chance():
            return _outcomes(f, end)
        case DecideDrawing():
            return f.b.load(f.b.gep(record(f, _drawn(f, end)), [const(1)], inbounds=True))
        case _:
            return None


def _moves_of(f: Fn, end: Decide | DecideTogether, mover: ir.Value) -> ir.Value:
    total: ir.Value = const(0)
    for _, alt in offered(f, end):
        total = f.b.add(total, count_moves(f, alt.schema, mover, end.tick))
    return total


def _outcomes(f: Fn, end: Chance) -> ir.Value:
    total = f.room(I64)
    f.b.store(const(0), total)

    def one(x: ir.Value) -> None:
        can = f.b.icmp_signed(">", outcome_weight(f, end, x), const(0))
        f.b.store(f.b.add(f.b.load(total), f.b.zext(can, I64)), total)

    each_member(f, members(f, end.over), 0, one)
    return f.b.load(total)


def _drawn(f: Fn, end: DecideDrawing) -> ir.Value:
    handle = load_slot(f, end.var, [])
    assert isinstance(handle, ir.Value)
    return handle


def move(u: Unit) -> ir.Function:
    """``move(ctx, s, k, out) -> number of arguments``: the k-th way on as a record."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        k, out = values
        target = f.b.bitcast(out, I64.as_pointer())
        by_stop(f, lambda block: _write(f, block, k, target), const(0))

    return u.function("move", "move", I64, [I64, ir.IntType(8).as_pointer()], body, public=True)


def put(f: Fn, out: ir.Value, index: int, value: ir.Value | int) -> None:
    f.b.store(value if isinstance(value, ir.Value) else const(value), f.b.gep(out, [const(index)], inbounds=True))


def _write(f: Fn, block: Block, k: ir.Value, out: ir.Value) -> ir.Value | None:
    end = block.end
    match end:
        case Decide():
            _write_move(f, end, number(f, end.mover), k, out)
            put(f, out, 0, PASS)
            put(f, out, 1, number(f, end.mover))
            return const(0)
        case DecideTogether():
            _write_move(f, end, open_mover(f, end), k, out)
            return const(0)
        case Choose(source=source):
            put(f, out, 0, CHOOSE)
            put(f, out, 1, sets.pick(f, members(f, source), k))
            return const(0)
        case Chance():
            put(f, out, 0, CHANCE)
            put(f, out, 1, _kth_outcome(f, end, k))
            return const(0)
        case DecideDrawing():
            put(f, out, 0, DRAW)
            first = f.b.load(record(f, _drawn(f, end)))
            put(f, out, 1, f.b.add(first, k))
            return const(0)
        case _:
            return None


def _write_move(f: Fn, end: Decide | DecideTogether, mover: ir.Value, k: ir.Value, out: ir.Value) -> None:
    """Returns from the function when the k-th is a move."""
    args = f.b.gep(out, [const(2)], inbounds=True)
    left = k
    for _, alt in offered(f, end):
        left = kth_move(f, alt.schema, mover, end.tick, left, args)
        found, following = f.block("found"), f.block("further")
        f.b.cbranch(f.b.icmp_signed("<", left, const(0)), found, following)
        f.at(found)
        put(f, out, 0, alt.schema)
        put(f, out, 1, mover)
        f.b.ret(const(len(f.u.program.schemas[alt.schema].params)))
        f.at(following)


def _kth_outcome(f: Fn, end: Chance, k: ir.Value) -> ir.Value:
    left, found = f.room(I64), f.room(I64)
    f.b.store(k, left)
    f.b.store(const(0), found)

    def one(x: ir.Value) -> None:
        can = f.b.icmp_signed(">", outcome_weight(f, end, x), const(0))
        n = f.b.load(left)
        mine = f.b.and_(can, f.b.icmp_signed("==", n, const(0)))
        f.b.store(f.b.select(mine, x, f.b.load(found)), found)
        f.b.store(f.b.sub(n, f.b.zext(can, I64)), left)

    each_member(f, members(f, end.over), 0, one)
    return f.b.load(found)


def weight(u: Unit) -> ir.Function:
    """``weight(ctx, s, k) -> w``: of the k-th outcome of chance; 1 elsewhere."""

    def one(f: Fn, block: Block, k: ir.Value) -> ir.Value | None:
        return outcome_weight(f, block.end, _kth_outcome(f, block.end, k)) if isinstance(block.end, Chance) else None

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        by_stop(f, lambda block: one(f, block, values[0]), const(1))

    return u.function("weight", "weight", I64, [I64], body, public=True)


# ------------------------------------------------------------------------------------------------------- doing


def apply(u: Unit) -> ir.Function:
    """``do(ctx, s, record) -> status``: the way on that a record describes, and on to the next stop."""

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        record = f.b.bitcast(values[0], I64.as_pointer())
        other = f.block("other")
        switch = f.b.switch(here(f), other)
        for block in f.u.program.blocks:
            if is_stop(block) and not isinstance(block.end, End):
                case = f.block(f"do{block.index}")
                switch.add_case(const(block.index), case)
                f.at(case)
                _apply(f, block, record)
        f.at(other)
        f.b.ret(status(f))

    return u.function("do", "do", I64, [ir.IntType(8).as_pointer()], body, public=True)


def status(f: Fn) -> ir.Value:
    """0, or -1 after a rules error."""
    wrong = f.b.icmp_unsigned("!=", f.b.load(context_field(f, CTX_ERROR)), const(0))
    return f.b.sext(wrong, I64)


def go_on(f: Fn, target: int) -> None:
    f.b.call(settle(f.u), [f.ctx, f.s, const(target)])
    f.b.ret(status(f))


def get(f: Fn, record: ir.Value, index: int) -> ir.Value:
    return f.b.load(f.b.gep(record, [const(index)], inbounds=True))


def _apply(f: Fn, block: Block, record: ir.Value) -> None:
    end = block.end
    match end:
        case Decide():
            _apply_move(f, end, record)
        case DecideTogether():
            from gamedsl.native.together import apply_choice

            apply_choice(f, end, record)
        case Choose():
            keys = numbers(f, end.keys)
            do_steps(f, end.tick, f.s)
            store_slot(f, end.var, keys, _chosen(f, end.var.type, get(f, record, 1)))
            go_on(f, end.target)
        case Chance():
            store_slot(f, end.result, [], _chosen(f, end.result.type, get(f, record, 1)))
            go_on(f, end.target)
        case DecideDrawing():
            do_steps(f, end.tick, f.s)
            store_slot(f, end.var, [], get(f, record, 1))
            go_on(f, end.target)
        case _:
            raise AssertionError("nothing is done here")


def _chosen(f: Fn, t: object, index: ir.Value) -> Value:
    return as_type(f, plus(f, index, offset(t)), t)


def _apply_move(f: Fn, end: Decide, record: ir.Value) -> None:
    kind, mover = get(f, record, 0), get(f, record, 1)
    other = f.block("pass")
    switch = f.b.switch(kind, other)
    done: set[int] = set()
    for alt in end.alternatives:
        if alt.schema in done:
            continue
        done.add(alt.schema)
        case = f.block(f"alt{alt.schema}")
        switch.add_case(const(alt.schema), case)
        f.at(case)
        do_steps(f, end.tick, f.s)
        carry_out(f, alt, mover, args_of(f, f.u.program.schemas[alt.schema], record))
        go_on(f, alt.target)
    f.at(other)
    if end.may_pass is None:
        f.b.ret(status(f))
    else:
        do_steps(f, end.tick, f.s)
        go_on(f, end.may_pass)


def args_of(f: Fn, schema: Schema, record: ir.Value) -> list[Value]:
    return [as_type(f, get(f, record, 2 + i), p.local.type) for i, p in enumerate(schema.params)]


def carry_out(f: Fn, alt: Alt, mover: ir.Value, args: list[Value]) -> None:
    """The effect, or the registers that the blocks behind it read."""
    if not alt.registers:
        do_effect(f, alt.schema, [mover, *args], f.s)
        return
    for var, value in zip(alt.registers, [mover, *args], strict=True):
        store_slot(f, var, [], as_type(f, value, var.type))
