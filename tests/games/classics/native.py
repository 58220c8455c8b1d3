"""Games in machine code, for numbers too deep for the engine; where the native backend is missing, a test is skipped."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import pytest

from gamedsl import Game, State

MOVE = 1  # a stop at which one seat moves


@cache
def native(game: Game) -> Any:
    """A game's program in machine code, compiled once for all tests."""
    return pytest.importorskip("gamedsl.compiler", reason="the native backend is not there").compile_program(
        game.program
    )


def native_perft(state: State, depth: int) -> int:
    """The number of sequences of so many plies from a state, counted by the native backend."""
    return int(native(state.game).perft(state, depth))


class Walker:
    """A game's positions as blocks of bytes, and the ways from one to the next."""

    def __init__(self, game: Game) -> None:
        self.native = native(game)
        self.context = self.native.context()

    def ask(self, entry: str, block: bytearray, *more: int) -> int:
        """What an entry point answers about a block."""
        address = ctypes.addressof((ctypes.c_char * len(block)).from_buffer(block))
        return int(self.native.entry(entry)(self.context.pointer, address, *more))

    def start(self, state: State) -> bytearray:
        """The block of a state."""
        return bytearray(self.native.pack(state, self.context))

    def state(self, block: bytearray) -> State:
        """The state of a block."""
        found: State = self.native.unpack(block, self.context)
        return found

    def value_of(self, state: State) -> bytes:
        """What tells a state from others, without the memory that its block would take."""
        used = self.context.used
        value = self.value(self.start(state))
        self.context.used = used
        return value

    def step(self, block: bytearray, way: int) -> bytearray:
        """The block that one of the ways on leads to."""
        after = bytearray(block)
        assert self.ask("step", after, way) == 0
        return after

    def value(self, block: bytearray) -> bytes:
        """What tells positions apart."""
        return bytes(block[: self.native.value_size])

    def returns(self, block: bytearray) -> list[float]:
        """The seats' utilities."""
        out = (ctypes.c_double * self.native.num_players)()
        assert self.ask("returns", block, ctypes.addressof(out)) == 0
        return list(out)

    def goes_on(self, seat: int, block: bytearray) -> bool:
        """Whether the seat that has just moved moves again."""
        return self.ask("kind", block) == MOVE and self.ask("seat", block) == seat

    def ends(self, block: bytearray) -> list[bytearray]:
        """Where one whole turn of the seat to move can lead, once for each way of making it."""
        seat, found = self.ask("seat", block), []
        for way in range(self.ask("count", block)):
            after = self.step(block, way)
            found += self.ends(after) if self.goes_on(seat, after) else [after]
        return found

    def turns(self, block: bytearray, depth: int, known: dict[tuple[bytes, int], int], merged: bool = False) -> int:
        """The number of sequences of so many turns; ``merged``: turns that lead to the same position count once."""
        key = (self.value(block), depth)
        if key not in known:
            used = self.context.used
            ends = self.ends(block)
            if merged:
                ends = list({self.value(end): end for end in ends}.values())
            known[key] = sum(self.turns(end, depth - 1, known, merged) for end in ends) if depth > 1 else len(ends)
            self.context.used = used  # what was noted on the way is not looked at again
        return known[key]

    def positions(self, block: bytearray, plies: int) -> list[int]:
        """How many different positions there are after 0, 1, 2 ... plies."""
        level, counts = {self.value(block): block}, [1]
        for _ in range(plies):
            after = [self.step(b, way) for b in level.values() for way in range(self.ask("count", b))]
            level = {self.value(b): b for b in after}
            counts.append(len(level))
        return counts


def native_turns(state: State, depth: int, merged: bool = False) -> int:
    """The number of sequences of so many whole turns from a state, a turn being all moves of a seat in a row."""
    walker = Walker(state.game)
    return walker.turns(walker.start(state), depth, {}, merged)


def native_positions(state: State, plies: int) -> list[int]:
    """The numbers of different positions after 0, 1, 2 ... plies from a state."""
    walker = Walker(state.game)
    return walker.positions(walker.start(state), plies)
