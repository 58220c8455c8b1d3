"""Plays at random, for tests."""

from __future__ import annotations

import random
from collections.abc import Iterator

from gamedsl.engine import Game, InterpretedGame
from gamedsl.engine.moves import Move
from gamedsl.engine.state import State
from gamedsl.language.core.liveness import clear_dead
from tests.engine.coregames import ALL

GAMES = {name: InterpretedGame(clear_dead(make())) for name, make in ALL.items()}


def play(game: Game, seed: int, most: int = 60) -> Iterator[tuple[State, Move]]:
    """The states of a random play, each with the move made in it."""
    rng, state = random.Random(seed), game.initial_state()
    for _ in range(most):
        if state.is_terminal:
            return
        move = state.propose(rng)
        yield state, move
        state = state.apply(move)


def last(game: Game, seed: int) -> State:
    """The end of a random play."""
    state = game.initial_state()
    for before, move in play(game, seed, 10_000):
        state = before.apply(move)
    return state
