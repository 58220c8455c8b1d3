"""States of random plays."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from gamedsl import Game, State


def random_states(game: Game, seed: int, plays: int, most: int) -> Iterator[State]:
    """Every state of some random plays with up to ``most`` plies."""
    rng = Random(seed)
    for _ in range(plays):
        state = game.initial_state()
        yield state
        for _ in range(most):
            if state.is_terminal:
                break
            state = state.apply(state.propose(rng))
            yield state
