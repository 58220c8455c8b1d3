"""The step of all lanes: carries out actions, plays on to the caller's next decision, and writes the data for it.

See ``lane_run.py`` for the memory, the tasks and the answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

from llvmlite import ir

from gamedsl.compiler.emit.lanes.lane_legal import LaneLegal
from gamedsl.compiler.emit.lanes.lane_run import ANSWERS, RUN, Answer, RunField, Todo, item, lane_row
from gamedsl.compiler.emit.lanes.lane_tables import LaneTables
from gamedsl.compiler.emit.lanes.lane_work import LaneWork
from gamedsl.compiler.emit.lanes.numbered_actions import act
from gamedsl.compiler.emit.llvm_module import I8, I64, PTR, Fn, Unit, const
from gamedsl.compiler.emit.memory import plus
from gamedsl.language.source import lazy_dataclass


def lanes(unit: Unit, tables: LaneTables) -> ir.Function:
    """``lanes(run, first, last, check) -> answer``: carries out the tasks of the lanes ``first`` to ``last`` - 1, up to
    the first lane that cannot go on. ``check``: 1 if all actions are checked first, 2 if they are only checked."""
    made = unit.declare("lanes", I64, [RUN, I64, I64, I64], public=True)
    memory, first, last, check = made.args
    f = Fn(unit, ir.IRBuilder(made.append_basic_block("entry")), made, memory, memory)
    one, is_legal = _Lane(unit, tables), LaneLegal(unit, tables).is_legal()

    def checked(lane: ir.Value) -> ir.Value:
        action = f.builder.load(item(f, memory, RunField.ACTIONS, lane))
        return f.builder.select(
            f.builder.call(is_legal, [memory, lane, action]), const(int(Answer.READY)), const(int(Answer.ILLEGAL))
        )

    def stepped(lane: ir.Value) -> ir.Value:
        context = f.builder.inttoptr(f.builder.load(item(f, memory, RunField.CONTEXTS, lane)), PTR)
        state = lane_row(f, memory, RunField.STATES, lane, block_stride(unit))
        todo = f.builder.load(item(f, memory, RunField.TASKS, lane, I8))
        following = plus(f, lane, 1)
        one.legal.fetch(f, memory, f.builder.select(f.builder.icmp_unsigned("<", following, last), following, lane))
        return f.builder.call(one.function(), [context, state, memory, lane, todo])

    with f.builder.if_then(f.builder.icmp_unsigned("!=", check, const(0))):
        _each(f, memory, first, last, checked)
    with f.builder.if_then(f.builder.icmp_unsigned("!=", check, const(2))):
        _each(f, memory, first, last, stepped)
    f.builder.ret(const(-1))
    return made


def block_stride(unit: Unit) -> int:
    """The number of bytes from one lane's block to the next."""
    return unit.frame.size + -unit.frame.size % 8


def _each(f: Fn, memory: ir.Value, first: ir.Value, last: ir.Value, body: Callable[[ir.Value], ir.Value]) -> None:
    """Emits ``body`` for every lane that has a task. Returns from the function unless it answers READY."""
    before, head, look, work = f.builder.block, f.block("lanes"), f.block("lane"), f.block("work")
    failed, following, done = f.block("failed"), f.block("next"), f.block("done")
    f.builder.branch(head)
    f.at(head)
    lane = f.builder.phi(I64)
    lane.add_incoming(first, before)
    f.builder.cbranch(f.builder.icmp_unsigned("<", lane, last), look, done)
    f.at(look)
    todo = f.builder.load(item(f, memory, RunField.TASKS, lane, I8))
    f.builder.cbranch(f.builder.icmp_unsigned("==", todo, ir.Constant(I8, int(Todo.IDLE))), following, work)
    f.at(work)
    answer = body(lane)
    f.builder.cbranch(f.builder.icmp_unsigned("==", answer, const(int(Answer.READY))), following, failed)
    f.at(failed)
    f.builder.ret(f.builder.add(f.builder.mul(lane, const(ANSWERS)), answer))
    f.at(following)
    lane.add_incoming(plus(f, lane, 1), following)
    f.builder.branch(head)
    f.at(done)


@lazy_dataclass(frozen=True)
class _Lane:
    """Emits the work of one lane."""

    unit: Unit
    tables: LaneTables

    @cached_property
    def legal(self) -> LaneLegal:
        return LaneLegal(self.unit, self.tables)

    def function(self) -> ir.Function:
        """``lane(ctx, s, run, lane, todo) -> answer``"""
        return self.unit.function("lane", "lane", I64, [RUN, I64, I8], self._emit)

    def _emit(self, f: Fn, values: Sequence[ir.Value]) -> None:
        memory, lane, todo = values
        work = LaneWork(f, self.tables, self.legal, memory, lane, self.legal.row(f, memory, lane))
        acting, beginning, step, on = (f.block(n) for n in ("act", "begin", "step", "on"))
        switch = f.builder.switch(todo, on)
        for what, block in ((Todo.STEP, step), (Todo.BEGIN, beginning), (Todo.ACT, acting)):
            switch.add_case(ir.Constant(I8, int(what)), block)
        f.at(beginning)
        work.quiet()
        self.legal.untell(f, memory, lane, work.row)
        work.begin()
        f.builder.branch(on)
        f.at(step)
        work.quiet()
        steps = work.item(RunField.STEPS)
        f.builder.store(plus(f, f.builder.load(steps), 1), steps)
        f.builder.branch(acting)
        f.at(acting)
        work.attempt(act(self.unit, self.tables.numbers), f.builder.load(work.item(RunField.ACTIONS)), kept=True)
        self.legal.untell(f, memory, lane, work.row)
        work.break_off()
        f.builder.branch(on)
        f.at(on)
        work.go_on()
