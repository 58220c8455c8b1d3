"""One game for an environment, which plays chance itself and counts the actions of players."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from gamedsl.compiler import NativeGame
from gamedsl.engine import Game, State
from gamedsl.envs.lane_arguments import whole
from gamedsl.language.rules import load_program
from gamedsl.language.source import GameDSLError, UsageError

MOST_PLIES = 100_000  # of chance in a row
SEEDS = 1 << 62


def legal_actions(state: State, player: int) -> list[int]:
    """Returns the legal actions of a player; empty unless the player is to act."""
    if player not in state.to_act:
        return []
    return state.legal_actions(None if state.to_act[0] == player else player)  # fastest for the first


def listed(rulesets: str | Path | Iterable[str | Path]) -> list[str | Path]:
    """Returns a list of rulesets from one or several."""
    return [rulesets] if isinstance(rulesets, str | Path) else list(rulesets)


def game_of(game: Game | str | Path, options: dict[str, str | int | bool]) -> Game:
    """Returns the game itself, or the compiled game of a ruleset. Raises ``UsageError`` for a game with ``options``."""
    if isinstance(game, Game):
        if options:
            raise UsageError("options go with the name of a ruleset; this game is already loaded")
        return game
    return NativeGame(load_program(game, options))


class Play:
    """A game that starts with ``begin``. ``state`` is its current state, where chance never acts.

    ``longest``: the number of actions after which a game is truncated (None: never). ``illegal``: "lose" or "raise".
    """

    def __init__(self, game: Game, longest: int | None, illegal: str) -> None:
        if longest is not None:
            whole(longest, "`longest`", 1)
        if illegal not in ("lose", "raise"):
            raise UsageError(f'`illegal` is "lose" or "raise", not {illegal!r}')
        self.game, self.longest, self.illegal = game, longest, illegal
        self.rng = np.random.default_rng()
        self.state: State = game.initial_state()
        self.steps = 0

    def begin(self, rng: np.random.Generator) -> None:
        """Begins a new game, with these random numbers for chance."""
        self.rng, self.steps = rng, 0
        self.state = self._past_chance(self.game.initial_state())

    def seed(self) -> int:
        """Returns a random seed."""
        return int(self.rng.integers(SEEDS))

    @property
    def is_over(self) -> bool:
        return self.state.is_terminal

    @property
    def is_truncated(self) -> bool:
        """Whether the game is truncated here."""
        return self.longest is not None and self.steps >= self.longest and not self.is_over

    def act(self, action: int, player: int) -> None:
        """Makes a legal action of a player."""
        first = self.state.to_act[0] == player  # the player for whom the engine is fastest
        self.state = self._past_chance(self.state.apply_action(action, None if first else player))
        self.steps += 1

    def why_illegal(self, action: int, player: int) -> str | None:
        """Returns why an action is illegal for a player; None if it is legal. Raises ``GameDSLError`` instead if
        ``illegal`` is "raise".
        """
        try:
            if action < self.game.num_player_actions:  # then the error has the reasons
                self.state.apply_action(action, player)
                return None
            raise UsageError(f"there is no action {action}: players have 0 to {self.game.num_player_actions - 1}")
        except GameDSLError as e:
            if self.illegal == "raise":
                raise
            return str(e)

    def is_legal(self, action: int, player: int) -> bool:
        """Returns whether an action is legal for a player."""
        return action in self.legal_actions(player)

    def legal_actions(self, player: int) -> list[int]:
        """Returns the legal actions of a player; empty unless the player is to act."""
        return legal_actions(self.state, player)

    def mask(self, player: int, size: int) -> NDArray[np.int8]:
        """Returns a new array of this size: 1 for each legal action of a player, otherwise 0."""
        mask = np.zeros(size, np.int8)
        if player in self.state.to_act:
            told = self.state.action_mask(None if self.state.to_act[0] == player else player)[:size]
            mask[: len(told)] = told
        return mask

    def shown(self, mode: str | None) -> str | None:
        """Returns the spectator's view as text; prints it and returns None if the mode is "human"."""
        text = self.state.observation_text(None)
        if mode == "human":
            print(text)
            return None
        return text

    def _past_chance(self, state: State) -> State:
        for _ in range(MOST_PLIES):
            if state.kind != "chance":
                return state
            state = state.apply(state.propose(Random(self.seed())))
        raise UsageError(f"no player decides any longer: chance has decided {MOST_PLIES:,} plies")
