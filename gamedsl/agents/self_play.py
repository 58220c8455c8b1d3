"""Games that alpha-beta plays against itself on compiled rules, with a bounded effort on a move."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gamedsl.agents import alphabeta_memory as d
from gamedsl.agents import self_play_kernel as k
from gamedsl.agents.deepening import Search
from gamedsl.agents.position import ROOM, USED_AT, Position, Rules

if TYPE_CHECKING:
    from gamedsl.agents.leaf_value import LeafValue
    from gamedsl.compiler import Native, Words

MOST_OPENING = 10  # random moves begin a game: 0 to below so many
MOST_ACTIONS = 1 << 13  # of a position


class Habits(NamedTuple):
    """How games are played. ``effort``: on a move, in the unit of ``alphabeta_memory``; ``stray``: one of so many moves
    is random; ``most_plies``: a longer game is cut off, and its result is 0."""

    effort: int
    stray: int
    most_plies: int


class SelfPlay:
    """All memory that games with one leaf value need. The same seed and number give the same game."""

    def __init__(self, native: Native, seed: int, value: LeafValue, habits: Habits) -> None:
        self.seed, self.habits = seed, habits
        self.rules = Rules(native)
        self.rules.context.reserve(2 * ROOM)
        self.first = np.frombuffer(bytes(native.initial(self.rules.context)), dtype=np.int64).copy()
        self.search = Search(Position(self.rules, self.first.tobytes()), 0, habits.effort, value)
        self.room = np.zeros((habits.most_plies, self.rules.words), dtype=np.int64)
        self.actions = d.RootActions(*(np.zeros(MOST_ACTIONS, dtype=np.int64) for _ in range(4)))
        self.mark = ctypes.c_int64.from_address(self.rules.context.pointer + USED_AT).value

    def prepare(self) -> None:
        """Compiles the kernels, which may take a while."""
        self._play(0, 0)

    def play(self, game: int) -> tuple[Words, float]:
        """Plays the game of this number. Returns its positions, and the result for the first player as a share of the
        greatest utility. Raises the errors of the rules."""
        return self._play(game, self.habits.most_plies)

    def _play(self, game: int, most_plies: int) -> tuple[Words, float]:
        plan = np.array([game % MOST_OPENING, most_plies, self.habits.effort, self.habits.stray], dtype=np.int64)
        while True:
            draws, memory = np.array([_first_draw(self.seed, game)], dtype=np.uint64), self.search.memory
            kept = k.play_game(memory, self.actions, self.first, self.room, draws, plan, self.mark)
            if not self.search.widen():
                break
        if kept < 0:
            raise self.rules.mistake(kept)
        return self.room[:kept].copy(), float(self.search.memory.result[0]) / self.rules.most


def _first_draw(seed: int, game: int) -> int:
    """The state from which the random numbers of a game are drawn. Seeds of up to 63 bits give different ones."""
    return ((seed << 32) + game + (seed >> 32) * 0xD1B54A32D192ED03) % (1 << 64)
