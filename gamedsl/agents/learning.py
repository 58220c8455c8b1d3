"""Learning a value by self-play: alpha-beta plays both sides, and its leaf value is fitted to the results.

A generation is a number of games with the value of the generation before. A ridge regression finds the change of the
weights that fits its results best, and a part of this change is made, smaller from generation to generation: so the
weights are a mean over generations. (The fit of results of self-play is that of A. Samuel, "Some Studies in Machine Learning
Using the Game of Checkers", 1959, and of M. Buro, "From Simple Features to Sophisticated Evaluation Functions", 1999.)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from gamedsl.agents.leaf_kernel import ONE
from gamedsl.agents.leaf_value import STEPS, Features, Fit, LeafValue, columns_of, leaf_value
from gamedsl.agents.self_play import Habits, SelfPlay
from gamedsl.compiler import Reals, Words
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.compiler import Native

GAMES = 40  # of a generation
HABITS = Habits(effort=4_000, stray=20, most_plies=300)
SINGLE = 60.0  # the penalty of the change of a weight, for each position of a game
SOONER = 4  # generations until each counts only a half, then a third, and so on
LARGEST = 1e6  # of a weight


@lazy_dataclass()
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
        SelfPlay(self.native, self.seed, self.value, HABITS).prepare()

    def _played(self, is_over: Callable[[], bool]) -> tuple[Words, Reals] | None:
        """The positions of the games of a generation, and the result of each for the first player; None if cut off."""
        table = SelfPlay(self.native, self.seed, self.value, HABITS)
        blocks, results = [], []
        for game in range(self.games, self.games + GAMES):
            if is_over():
                return None
            found, result = table.play(game)
            blocks.append(found)
            results.append(np.full(len(found), result))
        return np.concatenate(blocks), np.concatenate(results)
