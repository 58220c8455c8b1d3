"""Learning a value by self-play: alpha-beta plays both sides, and its leaf value is fitted to the results.

A generation is a number of games with the value of the generation before. A ridge regression finds the change of the
weights that fits its results best, and a part of this change is made, smaller from generation to generation: so the
weights are a mean over generations. (The fit of results of self-play is that of A. Samuel, "Some Studies in Machine Learning
Using the Game of Checkers", 1959, and of M. Buro, "From Simple Features to Sophisticated Evaluation Functions", 1999.)
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from gamedsl.agents import alphabeta_memory as d
from gamedsl.agents import self_play_kernel as k
from gamedsl.agents.deepening import Search
from gamedsl.agents.leaf_kernel import ONE
from gamedsl.agents.leaf_value import STEPS, Features, Fit, LeafValue, columns_of, leaf_value
from gamedsl.agents.position import ROOM, USED_AT, Position, Rules
from gamedsl.compiler import Reals, Words

if TYPE_CHECKING:
    from gamedsl.compiler import Native

GAMES = 40  # of a generation
EFFORT = 4_000  # on a move, in the unit of ``alphabeta_memory``
MOST_PLIES, MOST_OPENING = 300, 10
STRAY = 20  # one of so many moves is random
SINGLE = 60.0  # the penalty of the change of a weight, for each position of a game
SOONER = 4  # generations until each counts only a half, then a third, and so on
MOST_ACTIONS = 1 << 13  # of a position
LARGEST = 1e6  # of a weight


@dataclass
class Learner:
    """The weights of a value, the constant first. ``generations``: those learned from."""

    native: Native
    seed: int
    weights: Reals
    generations: int = 0

    @classmethod
    def new(cls, native: Native, seed: int) -> Learner:
        """Begins with the leaf value fitted to random games, or with zero if they teach nothing."""
        fitted, width = leaf_value(native), Features.of(native.frame, native.program).width
        return cls(native, seed, np.zeros(1 + width) if fitted is None else fitted.weights / ONE)

    @cached_property
    def features(self) -> Features:
        """The features of the rules."""
        return Features.of(self.native.frame, self.native.program)

    @property
    def games(self) -> int:
        """The number of games played."""
        return GAMES * self.generations

    @property
    def value(self) -> LeafValue:
        """The value as a search uses it."""
        return LeafValue(self.features.segments, np.rint(self.weights * ONE).astype(np.int64), 0.0, 0.0)

    def learn(self, is_over: Callable[[], bool]) -> bool:
        """Plays a generation and learns from it. The same seed and generation give the same weights. Returns False, and
        learns nothing, if ``is_over`` cuts it off between two games."""
        played = self._played(is_over)
        if played is None:
            return False
        blocks, results = played
        columns = columns_of(blocks, self.features)
        expected = columns @ self.weights[1:] + self.weights[0]
        fit = Fit.of(columns, self.features.sums, np.rint((results - expected) * STEPS))
        self.generations += 1
        if fit is None:
            return True
        length = len(blocks) / GAMES  # all positions of a game have one result, so they count as much as one
        change, constant = fit.solve(SINGLE * length, length)
        rate = 1 / (1 + self.generations / SOONER)
        self.weights = self.weights + np.concatenate([[constant], change]) * rate / STEPS
        self.weights = np.clip(self.weights, -LARGEST, LARGEST)
        return True

    def prepare(self) -> None:
        """Compiles the kernels, which may take a while."""
        _Table(self).play(0, 0)

    def _played(self, is_over: Callable[[], bool]) -> tuple[Words, Reals] | None:
        """The positions of the games of a generation, and the result of each for the first player; None if cut off."""
        table = _Table(self)
        blocks, results = [], []
        for game in range(self.games, self.games + GAMES):
            if is_over():
                return None
            found, result = table.play(game, MOST_PLIES)
            blocks.append(found)
            results.append(np.full(len(found), result))
        return np.concatenate(blocks), np.concatenate(results)


def _first_draw(seed: int, game: int) -> int:
    """The state from which the random numbers of a game are drawn. Seeds of up to 63 bits give different ones."""
    return ((seed << 32) + game + (seed >> 32) * 0xD1B54A32D192ED03) % (1 << 64)


class _Table:
    """Where games of a generation are played: all memory that they need."""

    def __init__(self, learner: Learner) -> None:
        self.native, self.seed = learner.native, learner.seed
        self.rules = Rules(self.native)
        self.rules.context.reserve(2 * ROOM)
        self.first = np.frombuffer(bytes(self.native.initial(self.rules.context)), dtype=np.int64).copy()
        self.search = Search(Position(self.rules, self.first.tobytes()), 0, EFFORT, learner.value)
        self.room = np.zeros((MOST_PLIES, self.rules.words), dtype=np.int64)
        self.actions = d.RootActions(*(np.zeros(MOST_ACTIONS, dtype=np.int64) for _ in range(4)))
        self.mark = ctypes.c_int64.from_address(self.rules.context.pointer + USED_AT).value

    def play(self, game: int, most_plies: int) -> tuple[Words, float]:
        """Plays a game of this number. Returns its positions, and the result for the first player as a share of the
        greatest utility. Raises the errors of the rules."""
        plan = np.array([game % MOST_OPENING, most_plies, EFFORT, STRAY], dtype=np.int64)
        while True:
            draws, memory = np.array([_first_draw(self.seed, game)], dtype=np.uint64), self.search.memory
            kept = k.play_game(memory, self.actions, self.first, self.room, draws, plan, self.mark)
            if not self.search.widen():
                break
        if kept < 0:
            raise self.rules.mistake(kept)
        return self.room[:kept].copy(), float(self.search.memory.result[0]) / self.rules.most
