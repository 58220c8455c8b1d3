"""Environments of Gymnasium: a learner plays one seat, and the environment plays the others."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar, Literal, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from gamedsl.engine import Game, InterpretedGame
from gamedsl.envs.environment_play import Play, game_of, listed
from gamedsl.envs.fits import check_fits, why_not_adapted
from gamedsl.envs.lane_arguments import action_of, no_options
from gamedsl.envs.opponents import Opponents, Policies
from gamedsl.language.rules import load_program, shipped
from gamedsl.language.source import UsageError, missing_library

try:
    import gymnasium

    from gamedsl.envs.spaces import observation_box
except ImportError as error:
    raise (missing_library(error) or error) from None

MOST_PLAYS = 1000  # games that end before the learner acts
Info = dict[str, Any]


class GymnasiumEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """A seat of a game as an environment of Gymnasium; see ``gymnasium_env``."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi", "human"], "render_fps": 4}  # type: ignore[misc]

    def __init__(
        self, game: Game, seat: int, opponents: Policies, longest: int | None, illegal: str, render_mode: str | None
    ) -> None:
        check_fits(game, "gymnasium_env")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise UsageError(f'`render_mode` is "ansi", "human" or None, not {render_mode!r}')
        self.game, self.seat, self.render_mode = game, seat, render_mode
        self.observation_space = observation_box(game)
        self.action_space = gymnasium.spaces.Discrete(game.num_player_actions)
        self.play = Play(game, longest, illegal)
        self._opponents = Opponents(game, seat, opponents)
        self._lost = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], Info]:
        """Begins a game, and plays until the learner is to act. Raises ``UsageError`` for any ``options``, or if the
        learner never acts.
        """
        no_options(options)
        super().reset(seed=seed)
        self._lost = False
        for _ in range(MOST_PLAYS):
            self.play.begin(self.np_random)
            self._proceed()
            if not self._ended:
                return self._observation(), self._info()
        raise UsageError(f"{self.game.players[self.seat]} never acts")

    def step(self, action: SupportsIndex) -> tuple[NDArray[np.float32], float, bool, bool, Info]:
        """Makes the learner's action; then the others act until the learner is to act again or the game is over. Raises
        ``UsageError`` after the end.
        """
        if self._ended:
            raise UsageError("the game is over: call `reset`")
        number = action_of(action)
        if not self.play.is_legal(number, self.seat):
            reason = self.play.why_illegal(number, self.seat)
            self._lost = True
            return self._observation(), float(self.game.min_utility), True, False, {**self._info(), "illegal": reason}
        self.play.act(number, self.seat)
        self._proceed()
        if self.render_mode == "human":
            self.render()
        reward = float(self.play.state.returns[self.seat])
        return self._observation(), reward, self.play.is_over, self.play.is_truncated, self._info()

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns, for every action, whether it is legal for the learner: bool, shape (actions,)."""
        return self.play.mask(self.seat, self.game.num_player_actions).astype(np.bool_)

    def render(self) -> str | None:
        """Returns the learner's view as text; prints it and returns None if the mode is "human"."""
        text = self.play.state.position_text(for_seat=self.seat)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    @property
    def _ended(self) -> bool:
        return self._lost or self.play.is_over or self.play.is_truncated

    def _proceed(self) -> None:
        """Lets the others act until the learner is to act or the game has ended."""
        while not self._ended and self.seat not in self.play.state.to_act:
            self._opponents.act(self.play, self.play.state.to_act[0])

    def _observation(self) -> NDArray[np.float32]:
        return self.play.state.observation_tensor(self.seat)

    def _info(self) -> Info:
        return {"action_mask": self.play.mask(self.seat, self.game.num_player_actions)}


def gymnasium_env(
    game: Game | str | Path,
    *,
    seat: int = 0,
    opponents: Policies = "random",
    longest: int | None = None,
    illegal: Literal["lose", "raise"] = "lose",
    render_mode: str | None = None,
    **options: str | int | bool,
) -> GymnasiumEnv:
    """Returns a seat of a game as an environment of Gymnasium. ``game``: a game, or a ruleset (a path or the name of a
    shipped one) with its ``options``.

    Actions are the numbers of ``State.legal_actions``, without those of chance; observations are
    ``State.observation_tensor(seat)``. ``info["action_mask"]`` (int8, shape (actions,)) and ``action_masks()`` (bool)
    mark the legal actions. The reward is the utility at the end, otherwise 0.

    ``opponents``: one policy for all other seats, or a policy by seat. A policy is "random", the specification of an
    agent such as "mcts:1000", or a callable that takes the state and the seat and returns the number of an action.
    ``longest``: games are truncated after this many actions of all players. ``illegal``: an illegal action ends the
    game with the game's least utility, and ``info["illegal"]`` says why ("lose"), or raises ``GameDSLError``
    ("raise").

    Raises ``UsageError`` with the reason for games that do not fit.
    """
    return GymnasiumEnv(game_of(game, options), seat, opponents, longest, illegal, render_mode)


def register_gymnasium(rulesets: str | Path | Iterable[str | Path] | None = None) -> list[str]:
    """Registers rulesets for ``gymnasium.make`` and ``make_vec`` as "gamedsl/NAME-v0": a path or the name of a shipped
    one, or several; by default all shipped ones that fit. Returns the names of the environments. Keyword arguments of
    ``make`` are those of ``gymnasium_env`` and the options of the ruleset.

    Raises ``UsageError`` with the reason for a ruleset that does not fit.
    """
    if rulesets is None:
        return [_register(name) for name in shipped() if why_not_adapted(InterpretedGame(load_program(name))) is None]
    for name in (given := listed(rulesets)):
        check_fits(InterpretedGame(load_program(name)), "gymnasium_env")
    return [_register(name) for name in given]


def _register(name: str | Path) -> str:
    known = f"gamedsl/{Path(name).stem}-v0"
    gymnasium.register(
        known,
        entry_point="gamedsl.envs:gymnasium_env",
        vector_entry_point="gamedsl.envs:gymnasium_vector_env",
        kwargs={"game": str(name)},
    )
    return known
