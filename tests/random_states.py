"""States of random plays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from gamedsl import Game, State
from gamedsl.testing.strategies import nth_action


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


def states_by_numbers(start: State, numbers: Iterable[int]) -> list[State]:
    """The states of the game whose actions have these numbers (see ``nth_action``), up to its end."""
    states = [start]
    for number in numbers:
        if (move := nth_action(states[-1], number)) is None:
            break
        states.append(states[-1].apply(move))
    return states
