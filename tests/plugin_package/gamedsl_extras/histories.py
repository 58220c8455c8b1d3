"""An adapter: a game as a function from lists of action numbers to the numbers that are legal next."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gamedsl import Game
from gamedsl.envs import Adapter


def why_not(game: Game) -> str | None:
    return "something is hidden" if game.secrets.hides else None


def make(game: Game) -> Callable[[Sequence[int]], list[int]]:
    def legal(history: Sequence[int]) -> list[int]:
        state = game.initial_state()
        for number in history:
            state = state.apply_action(number)
        return [int(action) for action in state.legal_actions()]

    return legal


ADAPTER = Adapter(why_not, make)
