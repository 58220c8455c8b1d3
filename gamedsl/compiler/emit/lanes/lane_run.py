"""The memory of a run over the lanes: one word for each of these fields, mostly the address of an array with a row per
lane.

- CONTEXTS: addresses of contexts; STATES: blocks of memory with states; INITIAL: the block of the initial state;
- TASKS: bytes, what a lane is to do; ACTIONS: the caller's actions;
- OBSERVATIONS, MASKS, REWARDS, DONE, TRUNCATED, PLAYERS: the results for the caller;
- FINALS: observations of all players at the end of a game, or 0;
- LEGAL: legal actions, as words of bits or as a list; COUNTS: the number listed; CAPACITY: the number that fit;
- RANDOM: generators; STEPS: the steps of each game so far; LONGEST: the largest number of steps;
- CHANCE_INSIDE: whether the run plays chance itself; INSIDE: bytes, per player whether the run plays random moves for
  them;
- ARENA_FIRST: the words of an arena in use at the beginning of a game.
"""

from __future__ import annotations

from enum import IntEnum

from llvmlite import ir

from gamedsl.compiler.emit.llvm_module import I64, PTR, Fn, const

RUN = I64.as_pointer()
ANSWERS = 8  # a run answers -1, or lane * ANSWERS + answer
MOST_PLIES = 1_000_000  # without a decision

RunField = IntEnum(
    "RunField",
    "CONTEXTS STATES INITIAL TASKS ACTIONS OBSERVATIONS MASKS REWARDS DONE TRUNCATED PLAYERS FINALS LEGAL COUNTS CAPACITY "
    "RANDOM STEPS LONGEST CHANCE_INSIDE INSIDE ARENA_FIRST",
    start=0,
)


class Todo(IntEnum):
    """The task of a lane."""

    IDLE = 0
    STEP = 1
    BEGIN = 2  # a new game
    ACT = 3  # another action in the same step
    RESUME = 4  # write the results that did not fit


class Answer(IntEnum):
    """The answer of a lane."""

    READY = 0  # it waits for an action
    WRONG = 1  # the rules fail
    CRAMPED = 2  # there are too many legal actions
    FULL = 3  # there is hardly any memory left for noted positions
    ENDLESS = 4  # nobody decides anymore
    ILLEGAL = 5  # its action is illegal


def field(f: Fn, run: ir.Value, number: RunField) -> ir.Value:
    """A word of the run."""
    return f.builder.load(f.builder.gep(run, [const(int(number))], inbounds=True))


def lane_row(f: Fn, run: ir.Value, number: RunField, lane: ir.Value, size: int, t: ir.Type = PTR.pointee) -> ir.Value:
    """The address of a lane's row of ``size`` bytes."""
    offset = lane if size == 1 else f.builder.mul(lane, const(size))
    return f.builder.inttoptr(f.builder.add(field(f, run, number), offset), t.as_pointer())


def item(f: Fn, run: ir.Value, number: RunField, lane: ir.Value, t: ir.Type = I64) -> ir.Value:
    """The address of a lane's entry in an array of numbers."""
    return lane_row(f, run, number, lane, t.width // 8, t)
