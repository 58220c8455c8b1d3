"""The uniformly random player, which values positions by compiled playouts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import TYPE_CHECKING

from gamedsl.compiler import compile_program
from gamedsl.lab.metrics.traces import ActionValues, Assessment, Decision
from gamedsl.lab.statistics import Z95
from gamedsl.language.core import greatest_utility

if TYPE_CHECKING:
    from gamedsl.compiler import Native
    from gamedsl.engine import Game, State

ACTION_SHARE = 4  # an action gets this fraction of the playouts of a position, twice


@dataclass(frozen=True)
class RandomPlayer:
    """Plays every legal move with equal probability. ``playouts``: made from each position to value it."""

    native: Native
    most: int
    playouts: int = 100
    plies: int = 10_000
    text: str = "random"
    details: int = 8

    @classmethod
    def of(cls, game: Game, playouts: int, plies: int) -> RandomPlayer:
        """Returns the player for a game. Raises ``NativeError`` if its rules cannot be compiled."""
        return cls(compile_program(game.program), greatest_utility(game.program), playouts, plies)

    def decide(
        self, state: State, seat: int, allowed: Sequence[int], rng: Random, *, assess: bool, detailed: bool
    ) -> Decision:
        action = allowed[rng.randrange(len(allowed))]
        assessment = self.value(state, self.playouts, rng) if assess else None
        return Decision(action, None, assessment, self._actions(state, seat, rng) if detailed else None)

    def value(self, state: State, playouts: int, rng: Random) -> Assessment:
        """Returns the mean utilities of playouts from a position. The margin is 1.96 standard errors of the difference
        between two seats, at most.
        """
        if state.is_terminal:
            return Assessment(tuple(u / self.most for u in state.returns), 0.0)
        found = self.native.playouts(playouts, rng.getrandbits(62), start=state, plies=self.plies)
        means = tuple(total / playouts / self.most for total in found.sums)
        spreads = [
            sqrt(max(0.0, squares / playouts / self.most**2 - mean * mean) / playouts)
            for squares, mean in zip(found.squares, means, strict=True)
        ]
        return Assessment(means, Z95 * sum(sorted(spreads)[-2:]))

    def _actions(self, state: State, seat: int, rng: Random) -> ActionValues:
        number = max(1, self.playouts // ACTION_SHARE)
        after = [state.apply(move) for move in state.legal_moves(seat)]
        halves = [[self.value(s, number, rng) for s in after] for _ in range(2)]
        selecting, valuing = (tuple(a.values[seat] for a in half) for half in halves)
        # the mean over all actions hardly adds to the error of the best one
        return ActionValues(
            selecting, valuing, max(a.margin for a in halves[1]) / (2 if len(halves[1][0].values) > 1 else 1)
        )
