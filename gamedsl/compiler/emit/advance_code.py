"""Advances from stop to stop: runs blocks until a player has to choose, chance decides, or the game is over."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from gamedsl.compiler.emit.expression_code import as_type, boolean, number, set_words
from gamedsl.compiler.emit.history_code import Noting, asks_what_it_notes, noting
from gamedsl.compiler.emit.llvm_module import (
    CTX_ENDED,
    CTX_ENTERED,
    CTX_ERROR,
    CTX_LAST_STATES,
    I1,
    I64,
    MOST_ENDED,
    VOID,
    Fn,
    Unit,
    Value,
    const,
)
from gamedsl.compiler.emit.memory import context_field, fail_if, plus, store_slot
from gamedsl.compiler.emit.move_code import any_move
from gamedsl.compiler.emit.sets import set_words as sets
from gamedsl.compiler.emit.sets.set_loops import each_member
from gamedsl.compiler.emit.statement_code import do_effect, statements
from gamedsl.compiler.emit.stop_code import (
    MOST_BLOCKS,
    NO_MOVE,
    NO_VALUE,
    equal_weight,
    movers,
    offered,
    outcome_possible,
    stand,
    switch_on_stop,
)
from gamedsl.language.core import ending_blocks, parts_after, parts_played
from gamedsl.language.core import nodes as n
from gamedsl.language.source import NOWHERE

ENDLESS = "the game goes on forever without a decision"


def advance(unit: Unit) -> ir.Function:
    """``advance(ctx, s, block)``: runs from a block to the next stop, and stores that stop in the state."""
    return unit.function("advance", "advance", VOID, [I64], _advance)


class _Ways:
    """The ways between the blocks. One to a later block leads there directly; others are counted, since a game that goes on
    forever takes them again and again."""

    def __init__(self, f: Fn, first: ir.Value) -> None:
        self.f, self.stop = f, f.block("stop")
        self.cases = {b.index: f.block(f"block{b.index}") for b in f.unit.program.blocks}
        entry, head, self.back, wrong = f.builder.block, f.block("block"), f.block("go"), f.block("nowhere")
        rounds, self.before, self.following = f.alloca(I64), f.alloca(I64), f.alloca(I64)
        f.builder.store(const(0), rounds)
        f.builder.branch(head)
        f.at(head)
        at = f.builder.phi(I64)
        at.add_incoming(first, entry)
        switch = f.builder.switch(at, wrong)
        for index, case in self.cases.items():
            switch.add_case(const(index), case)
        f.at(self.stop)
        self.last = f.builder.phi(I64)
        f.at(wrong)
        self.stops(at)
        f.at(self.back)
        following, more = f.builder.load(self.following), plus(f, f.builder.load(rounds), 1)
        f.builder.store(more, rounds)
        endless = f.builder.icmp_unsigned(">", more, const(MOST_BLOCKS))
        fail_if(f, endless, NOWHERE, ENDLESS)
        if f.unit.tracks_parts:
            _note_entered(f, f.builder.load(self.before), following)
        at.add_incoming(following, f.builder.block)
        self.last.add_incoming(following, f.builder.block)
        f.builder.cbranch(endless, self.stop, head)

    def stops(self, number: ir.Value) -> None:
        """Stops at the block with this number."""
        self.last.add_incoming(number, self.f.builder.block)
        self.f.builder.branch(self.stop)

    def to(self, source: n.Block, target: int) -> ir.Block:
        """The block in which the way from one block to another begins."""
        f = self.f
        if target > source.index and not f.unit.tracks_parts:
            return self.cases[target]
        way, here = f.block("back"), f.builder.block
        f.at(way)
        f.builder.store(const(source.index), self.before)
        f.builder.store(const(target), self.following)
        f.builder.branch(self.back)
        f.at(here)
        return way


def _advance(f: Fn, values: Sequence[ir.Value]) -> None:
    ways = _Ways(f, values[0])
    endings = ending_blocks(f.unit.source) if f.unit.tracks_parts else {}
    for block in f.unit.program.blocks:
        f.at(ways.cases[block.index])
        if f.unit.tracks_parts and block.index in endings:
            _keep_last_state(f, block.index)
        _run_block(f, block)
        _leave_block(f, block, ways)
        f.features.of(Noting).just = None
    f.at(ways.stop)
    stand(f, ways.last)
    f.builder.ret_void()


def _note_entered(f: Fn, before: ir.Value, after: ir.Value) -> None:
    """Notes the parts that are played at the next block if their game did not go on after the last one."""
    b, source = f.builder, f.unit.source
    played = parts_played(source)
    there = [_bits(played[block.part]) for block in source.blocks]
    going_on = [_bits(parts) for parts in parts_after(source)]
    now = b.load(f.unit.at(b, f.unit.numbers(("parts played", tuple(there)), there, 64), after))
    was = b.load(f.unit.at(b, f.unit.numbers(("parts after", tuple(going_on)), going_on, 64), before))
    at = context_field(f, CTX_ENTERED)
    b.store(b.or_(b.load(at), b.and_(now, b.not_(was))), at)


def _bits(parts: frozenset[int]) -> int:
    """The parts as bits, as far as there is room."""
    return sum(1 << part for part in parts if part < 64)


def _keep_last_state(f: Fn, block: int) -> None:
    """Stores the number of a block that ends a part, followed by a copy of the state at its beginning; at most
    ``MOST_ENDED`` times."""
    b, size = f.builder, state_words(f.unit)
    count = b.load(context_field(f, CTX_ENDED))
    with b.if_then(b.icmp_unsigned("<", count, const(MOST_ENDED))):
        base = b.add(b.load(context_field(f, CTX_LAST_STATES)), b.mul(count, const(8 * (1 + size))))
        to = b.inttoptr(base, I64.as_pointer())
        b.store(const(block), to)
        source = b.bitcast(f.s, I64.as_pointer())
        for i in range(size):
            b.store(b.load(b.gep(source, [const(i)])), b.gep(to, [const(1 + i)]))
        b.store(b.add(count, const(1)), context_field(f, CTX_ENDED))


def state_words(unit: Unit) -> int:
    """The size of a state in words of 8 bytes."""
    return -(-unit.frame.size // 8)


def _run_block(f: Fn, block: n.Block) -> None:
    """Emits a block's statements inline. A position that is noted and then tested is hashed once."""
    f.stop = f.block("ran")
    if asks_what_it_notes(block):
        statements(f, block.statements[:-1])
        f.features.of(Noting).just = noting(f, block.statements[-1])
        return
    statements(f, block.statements)
    f.goto(f.stop)
    f.at(f.stop)


def _leave_block(f: Fn, block: n.Block, ways: _Ways) -> None:
    def go(target: int) -> None:
        f.builder.branch(ways.to(block, target))

    def stop() -> None:
        ways.stops(const(block.index))

    match block.end:
        case n.Goto(target):
            go(target)
        case n.BranchT(condition, yes, no):
            f.builder.cbranch(boolean(f, condition), ways.to(block, yes), ways.to(block, no))
        case n.Decide(stuck=stuck, may_pass=may_pass):
            if _asked_later(f, block):
                stop()
                return
            can = _can_move(f, block.end, number(f, block.end.mover))
            if stuck is None:
                if may_pass is None:
                    fail_if(f, f.builder.not_(can), block.end.span, NO_MOVE, number(f, block.end.seat))
                stop()
            else:
                stays = f.block("stays")
                f.builder.cbranch(can, stays, ways.to(block, stuck))
                f.at(stays)
                stop()
        case n.DecideTogether(target=target):
            _leave_together(f, block.end, lambda: go(target))
            stop()
        case n.Choose(source=source):
            fail_if(f, sets.is_empty(f, set_words(f, source)), block.end.span, NO_VALUE.format(block.end.var.name))
            stop()
        case n.Chance():
            outcome_possible(f, block.end)
            stop()
        case n.DecideDrawing() | n.End():
            stop()


def _asked_later(f: Fn, block: n.Block) -> bool:
    """Whether advancing leaves open if the player to move has a move. One who may pass can be stuck all the same."""
    return f.unit.picks and isinstance(block.end, n.Decide) and block.end.may_pass is None


def leave_if_stuck(unit: Unit) -> ir.Function:
    """``leave_if_stuck(ctx, s) -> left``: advances to the next stop if the player to move is stuck. Returns 1 if so, 0 if
    the player has a move or somebody else decides, and -1 after a rules error."""

    def one(f: Fn, block: n.Block) -> ir.Value | None:
        end = block.end
        if not _asked_later(f, block) or not isinstance(end, n.Decide):
            return None
        stays, leaves = f.block("stays"), f.block("stuck")
        f.builder.cbranch(_can_move(f, end, number(f, end.mover)), stays, leaves)
        f.at(leaves)
        if end.stuck is None:
            fail_if(f, ir.Constant(I1, 1), end.span, NO_MOVE, number(f, end.seat))
        else:
            f.builder.call(advance(f.unit), [f.ctx, f.s, const(end.stuck)])
        f.builder.ret(f.builder.or_(status(f), const(1)))
        f.at(stays)
        return status(f)

    def body(f: Fn, _: Sequence[ir.Value]) -> None:
        switch_on_stop(f, lambda block: one(f, block), const(0))

    return unit.function("leave_if_stuck", "leave_if_stuck", I64, [], body)


def _can_move(f: Fn, end: n.Decide | n.DecideTogether, mover: ir.Value) -> ir.Value:
    result: ir.Value | None = None
    incoming: list[tuple[ir.Value, ir.Block]] = []
    done = f.block("can")
    for _, alt in offered(f, end):
        result = any_move(f, alt.schema, mover, end.tick)
        following = f.block("or")
        incoming.append((ir.Constant(I1, 1), f.builder.block))
        f.builder.cbranch(result, done, following)
        f.at(following)
    incoming.append((ir.Constant(I1, 0), f.builder.block))
    f.builder.branch(done)
    f.at(done)
    can = f.builder.phi(I1)
    for value, block in incoming:
        can.add_incoming(value, block)
    return can


def _leave_together(f: Fn, end: n.DecideTogether, nobody: Callable[[], None]) -> None:
    who = movers(f, end)
    some, none = f.block("some"), f.block("nobody")
    f.builder.cbranch(sets.is_empty(f, who), none, some)
    f.at(none)
    nobody()
    f.at(some)

    def one(mover: ir.Value) -> None:
        seat = number(f, end.seats[0])
        for i, e in enumerate(end.seats[1:], 1):
            seat = f.builder.select(f.builder.icmp_signed("==", mover, const(i)), number(f, e), seat)
        fail_if(f, f.builder.not_(_can_move(f, end, mover)), end.span, NO_MOVE, seat)

    each_member(f, who, 0, one)


def status(f: Fn) -> ir.Value:
    """0, or -1 after a rules error."""
    wrong = f.builder.icmp_unsigned("!=", f.builder.load(context_field(f, CTX_ERROR)), const(0))
    return f.builder.sext(wrong, I64)


def go_on(f: Fn, target: int) -> None:
    if _stops_at_once(f.unit, f.unit.program.blocks[target]):
        stand(f, const(target))
    else:
        f.builder.call(advance(f.unit), [f.ctx, f.s, const(target)])
    f.builder.ret(status(f))


def _stops_at_once(unit: Unit, block: n.Block) -> bool:
    """Whether nothing happens at a block before one of its outcomes is drawn, as for the second of two dice."""
    end = block.end
    if unit.tracks_parts or block.statements or not isinstance(end, n.Chance) or not isinstance(end.over, n.Const):
        return False
    return end.over.value != 0 and equal_weight(end) is not None


def carry_out(f: Fn, alt: n.Alt, mover: ir.Value, args: list[Value]) -> None:
    """Runs the effect, or stores the arguments in the registers that later blocks read."""
    if not alt.registers:
        do_effect(f, alt.schema, [mover, *args], f.s)
        return
    for var, value in zip(alt.registers, [mover, *args], strict=True):
        store_slot(f, var, [], as_type(f, value, var.type))
