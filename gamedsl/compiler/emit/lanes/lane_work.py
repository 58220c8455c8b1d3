"""The parts of a lane's work: games that begin, end or are cut off, and decisions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from llvmlite import ir

from gamedsl.compiler.emit.advance_code import status
from gamedsl.compiler.emit.entries.module_entries import seat
from gamedsl.compiler.emit.expression_code import number
from gamedsl.compiler.emit.lanes.lane_legal import LaneLegal
from gamedsl.compiler.emit.lanes.lane_observations import observe
from gamedsl.compiler.emit.lanes.lane_run import MOST_PLIES, Answer, RunField, field, item, lane_row
from gamedsl.compiler.emit.lanes.lane_tables import LaneTables
from gamedsl.compiler.emit.lanes.numbered_actions import act, draw
from gamedsl.compiler.emit.lanes.spread_bits import FLOAT
from gamedsl.compiler.emit.llvm_module import CTX_CAPACITY, CTX_ERROR, CTX_USED, I8, I64, PTR, Fn, Unit, const
from gamedsl.compiler.emit.memory import context_field, copy_bytes, plus
from gamedsl.compiler.emit.splitmix import GAMMA, mixing
from gamedsl.compiler.emit.stop_code import here, switch_on_stop
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

END, CHANCE = 0, 3  # kinds of stops
NO, YES = ir.Constant(I8, 0), ir.Constant(I8, 1)


@lazy_dataclass(frozen=True)
class LaneWork:
    """Emits the parts of a lane's work, in one function. ``row``: its legal actions."""

    f: Fn
    tables: LaneTables
    legal: LaneLegal
    memory: ir.Value
    lane: ir.Value
    row: ir.Value

    def item(self, number: RunField, t: ir.Type = I64) -> ir.Value:
        return item(self.f, self.memory, number, self.lane, t)

    def field(self, number: RunField) -> ir.Value:
        return field(self.f, self.memory, number)

    def answer(self, value: Answer) -> None:
        """Returns an answer. If the lane has not written its results, it forgets its legal actions."""
        if value not in (Answer.READY, Answer.CRAMPED):
            self.legal.forget(self.f, self.memory, self.lane, self.row)
        self.f.builder.ret(const(int(value)))

    def answer_if(self, condition: ir.Value, value: Answer) -> None:
        with self.f.builder.if_then(condition, likely=False):
            self.answer(value)

    def wrong_if(self, failed: ir.Value) -> None:
        """Answers that the rules fail, and clears the error."""
        with self.f.builder.if_then(failed, likely=False):
            self.f.builder.store(const(0), context_field(self.f, CTX_ERROR))
            self.answer(Answer.WRONG)

    # ------------------------------------------------------------------------------------------------- plays

    def quiet(self) -> None:
        """Clears the results of the last step."""
        f = self.f
        rewards = self._rewards()
        for p in range(self.tables.players):
            f.builder.store(ir.Constant(FLOAT, 0.0), f.builder.gep(rewards, [const(p)], inbounds=True))
        f.builder.store(NO, self.item(RunField.DONE, I8))
        f.builder.store(NO, self.item(RunField.TRUNCATED, I8))

    def _rewards(self) -> ir.Value:
        return lane_row(self.f, self.memory, RunField.REWARDS, self.lane, 4 * self.tables.players, FLOAT)

    def begin(self) -> None:
        """Begins a new game."""
        f = self.f
        copy_bytes(f, f.s, f.builder.inttoptr(self.field(RunField.INITIAL), PTR), f.unit.frame.size)
        f.builder.store(const(0), self.item(RunField.STEPS))
        if self._notes:
            f.builder.store(self.field(RunField.ARENA_FIRST), context_field(f, CTX_USED))

    @property
    def _notes(self) -> bool:
        """Whether positions are noted."""
        return any(isinstance(v.type, n.HistoryT) for v in self.f.unit.program.variables)

    def attempt(self, function: ir.Function, value: ir.Value, kept: bool = False) -> None:
        """Calls ``function(ctx, s, value)``. If the rules fail, restores the state and returns. ``kept``: the legal
        actions that the lane keeps remain valid in that case."""
        f = self.f
        before = f.scratch()
        copy_bytes(f, before, f.s, f.unit.frame.size)
        failed = f.builder.icmp_signed("<", f.builder.call(function, [f.ctx, f.s, value]), const(0))
        with f.builder.if_then(failed, likely=False):
            copy_bytes(f, f.s, before, f.unit.frame.size)
            f.builder.store(const(0), context_field(f, CTX_ERROR))
            if kept:
                f.builder.ret(const(int(Answer.WRONG)))
            else:
                self.answer(Answer.WRONG)

    def break_off(self) -> None:
        """Cuts the game off if it has had the largest number of steps and is not over."""
        f = self.f
        long = f.builder.icmp_signed(">=", f.builder.load(self.item(RunField.STEPS)), self.field(RunField.LONGEST))
        with f.builder.if_then(long, likely=False):
            on = f.builder.icmp_unsigned("!=", self._kind(), const(END))
            with f.builder.if_then(on):
                f.builder.store(YES, self.item(RunField.TRUNCATED, I8))
                self._tell_end()
                self.begin()

    def _kind(self) -> ir.Value:
        """The kind of the stop."""
        kinds = [b.end.kind for b in self.f.unit.program.blocks]
        table = self.f.unit.numbers(("kinds",), kinds, 8)
        return self.f.builder.zext(self.f.builder.load(self.f.unit.at(self.f.builder, table, here(self.f))), I64)

    def _end(self) -> None:
        """Ends a game, and begins the next one."""
        f = self.f
        failed = f.builder.call(_pay(f.unit), [f.ctx, f.s, self._rewards()])
        self.wrong_if(f.builder.icmp_signed("<", failed, const(0)))
        f.builder.store(YES, self.item(RunField.DONE, I8))
        self._tell_end()
        self.begin()

    def _tell_end(self) -> None:
        """Writes what every player sees of the last state of a game, if the caller wants it."""
        f, size = self.f, self.tables.observed
        wanted = f.builder.icmp_unsigned("!=", self.field(RunField.FINALS), const(0))
        with f.builder.if_then(wanted, likely=False):
            rows = lane_row(f, self.memory, RunField.FINALS, self.lane, 4 * size * self.tables.players, FLOAT)
            for p in range(self.tables.players):
                row = f.builder.gep(rows, [const(p * size)], inbounds=True)
                f.builder.call(observe(f.unit, self.tables), [f.ctx, f.s, row, const(p)])

    # ------------------------------------------------------------------------------------------------- decisions

    def go_on(self) -> None:
        """Plays on until the caller has to decide, and writes the data for that decision."""
        f = self.f
        before, head, again, over, chance, decision = (
            f.builder.block,
            *(f.block(count) for count in ("stop", "again", "over", "chance", "decision")),
        )
        f.builder.branch(head)
        f.at(head)
        plies = f.builder.phi(I64)
        plies.add_incoming(const(0), before)
        switch = f.builder.switch(self._kind(), decision)
        switch.add_case(const(END), over)
        switch.add_case(const(CHANCE), chance)
        f.at(over)
        self._end()
        f.builder.branch(again)
        f.at(chance)
        inside = f.block("inside")
        f.builder.cbranch(f.builder.icmp_unsigned("!=", self.field(RunField.CHANCE_INSIDE), const(0)), inside, decision)
        f.at(inside)
        self.attempt(draw(f.unit), self._random())
        f.builder.branch(again)
        f.at(decision)
        self._decide(again)
        f.at(again)
        following = plus(f, plies, 1)
        self.answer_if(f.builder.icmp_unsigned(">=", following, const(MOST_PLIES)), Answer.ENDLESS)
        plies.add_incoming(following, f.builder.block)
        f.builder.branch(head)

    def _decide(self, again: ir.Block) -> None:
        """Writes the data for the decision and returns, or makes a random move if the run plays this player."""
        f = self.f
        if self._notes:
            used, size = (f.builder.load(context_field(f, x)) for x in (CTX_USED, CTX_CAPACITY))
            full = f.builder.icmp_signed(">", f.builder.mul(used, const(4)), f.builder.mul(size, const(3)))
            self.answer_if(full, Answer.FULL)
        count = self.legal.find(f, self.memory, self.row)
        nothing = f.builder.icmp_unsigned("==", count, const(0))
        self.wrong_if(f.builder.or_(nothing, f.builder.icmp_signed("<", status(f), const(0))))
        if not self.tables.bit_words:
            self.answer_if(f.builder.icmp_unsigned(">", count, self.field(RunField.CAPACITY)), Answer.CRAMPED)
        player = f.builder.call(seat(f.unit), [f.ctx, f.s])
        plays = f.builder.and_(f.builder.icmp_signed(">=", player, const(0)), self._is_inside(player))
        with f.builder.if_then(plays, likely=False):
            action = self.legal.pick(f, self.row, count, self._random())
            self.attempt(act(f.unit, self.tables.numbers), action)
            f.builder.branch(again)
        f.builder.store(player, self.item(RunField.PLAYERS))
        self.legal.tell(f, self.memory, self.lane, self.row, count)
        out = lane_row(f, self.memory, RunField.OBSERVATIONS, self.lane, 4 * self.tables.observed, FLOAT)
        f.builder.call(observe(f.unit, self.tables), [f.ctx, f.s, out, player])
        self.answer(Answer.READY)

    def _is_inside(self, player: ir.Value) -> ir.Value:
        """Whether the run plays this player itself. The array begins with an entry for nobody."""
        flag = _byte(self.f, self.field(RunField.INSIDE), plus(self.f, player, 1))
        return self.f.builder.icmp_unsigned("!=", flag, NO)

    def _random(self) -> ir.Value:
        """Random bits from the lane's generator."""
        f, at = self.f, self.item(RunField.RANDOM)
        x = f.builder.add(f.builder.load(at), const(GAMMA))
        f.builder.store(x, at)
        return mixing(f.builder, x, const)


def _byte(f: Fn, base: ir.Value, index: ir.Value) -> ir.Value:
    """A byte of an array, given its address."""
    return f.builder.load(f.builder.inttoptr(f.builder.add(base, index), PTR))


def _pay(unit: Unit) -> ir.Function:
    """``pay(ctx, s, rewards) -> status``: adds the utilities at the end of a game to the rewards."""

    def one(f: Fn, rewards: ir.Value, block: n.Block) -> ir.Value | None:
        if not isinstance(block.end, n.End):
            return None
        for p, e in enumerate(block.end.payoff):
            at = f.builder.gep(rewards, [const(p)], inbounds=True)
            f.builder.store(f.builder.fadd(f.builder.load(at), f.builder.sitofp(number(f, e), FLOAT)), at)
        return status(f)

    def body(f: Fn, values: Sequence[ir.Value]) -> None:
        switch_on_stop(f, partial(one, f, values[0]), const(-1))

    return unit.function("pay", "pay", I64, [FLOAT.as_pointer()], body)
