"""The memory of a run over the lanes: one word for each of these, mostly the address of an array with a row for each lane.

- CONTEXTS: addresses of contexts; STATES: blocks, INITIAL: the block of the initial state;
- TASKS: bytes, what a lane is to do; ACTIONS: the caller's actions;
- OBSERVATIONS, MASKS, REWARDS, DONE, TRUNCATED, PLAYERS: what the caller reads;
- FINALS: observations of all players at the end of a play, or 0;
- LEGAL: legal actions, as words of bits or as a list; COUNTS: how many are listed, CAPACITY: how many fit;
- RANDOM: generators; STEPS: steps of the plays; LONGEST: the most of them;
- CHANCE_INSIDE: is chance played inside; INSIDE: bytes, per player whether random moves are played inside;
- ARENA_FIRST: use of an arena at the beginning of a play.
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
    """What a lane is to do."""

    IDLE = 0
    STEP = 1
    BEGIN = 2  # a new play
    ACT = 3  # another action in the same step
    RESUME = 4  # tell what it could not tell


class Answer(IntEnum):
    """What a lane answers."""

    READY = 0  # it waits for an action
    WRONG = 1  # the rules fail
    CRAMPED = 2  # there are too many legal actions
    FULL = 3  # there is hardly any memory left for noted positions
    ENDLESS = 4  # nobody decides any more
    ILLEGAL = 5  # its action is illegal


def field(f: Fn, run: ir.Value, number: RunField) -> ir.Value:
    """A word of the run."""
    return f.builder.load(f.builder.gep(run, [const(int(number))], inbounds=True))


def lane_row(f: Fn, run: ir.Value, number: RunField, lane: ir.Value, size: int, t: ir.Type = PTR.pointee) -> ir.Value:
    """The address of a lane's row, of so many bytes."""
    offset = lane if size == 1 else f.builder.mul(lane, const(size))
    return f.builder.inttoptr(f.builder.add(field(f, run, number), offset), t.as_pointer())


def item(f: Fn, run: ir.Value, number: RunField, lane: ir.Value, t: ir.Type = I64) -> ir.Value:
    """The address of a lane's number."""
    return lane_row(f, run, number, lane, t.width // 8, t)
