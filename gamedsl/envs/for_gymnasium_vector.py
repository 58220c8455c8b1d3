"""Vectorized environments of Gymnasium over ``VectorEnv``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gamedsl.engine import Game
from gamedsl.envs.environment_play import game_of
from gamedsl.envs.fits import check_fits
from gamedsl.envs.lane_arguments import no_options, whole
from gamedsl.envs.vector_env import VectorEnv, VectorPolicy
from gamedsl.language.source import UsageError, missing_library

try:
    import gymnasium
    from gymnasium.vector import AutoresetMode

    from gamedsl.envs.spaces import observation_box
except ImportError as error:
    raise (missing_library(error) or error) from None

SEEDS = 1 << 62
Observations = NDArray[np.float32]
Infos = dict[str, Any]


class GymnasiumVectorEnv(gymnasium.vector.VectorEnv[Observations, NDArray[np.int64], NDArray[Any]]):
    """Many games of a seat as a vectorized environment of Gymnasium; see ``gymnasium_vector_env``."""

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "autoreset_mode": AutoresetMode.SAME_STEP,
        "render_modes": [],
    }

    def __init__(self, lanes: VectorEnv, seat: int) -> None:
        self.lanes, self.seat, self.num_envs = lanes, seat, lanes.num_lanes
        self.single_observation_space: Any = observation_box(lanes.game)
        self.single_action_space: Any = gymnasium.spaces.Discrete(lanes.game.num_player_actions)
        self.observation_space: Any = gymnasium.vector.utils.batch_space(self.single_observation_space, self.num_envs)
        self.action_space: Any = gymnasium.vector.utils.batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, Infos]:
        """Restarts all games, or those in ``options["reset_mask"]`` (bools, shape (games,)), as Gymnasium's own vector
        environments do. ``seed``: one for all, or one for each game. Raises ``UsageError`` for other options.
        """
        no_options(options, ("reset_mask",))
        mask = (options or {}).get("reset_mask")
        if isinstance(seed, Sequence):
            self.lanes.reset([self._seed() if s is None else s for s in seed], mask)
        else:
            super().reset(seed=None if seed is None else whole(seed, "a seed", 0))
            self.lanes.reset(self._seed(), mask)
        return self.lanes.observations.copy(), self._infos()

    def step(
        self, actions: ArrayLike
    ) -> tuple[Observations, NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], Infos]:
        """Makes the learner's actions in all games; then the others act. A game that is over restarts in the same
        step; then ``infos["final_obs"]`` has the learner's observation at its end.
        """
        self.lanes.step(actions)
        lanes, infos = self.lanes, self._infos()
        over = lanes.done | lanes.truncated
        if over.any():
            infos |= self._finals(over)
        rewards = lanes.rewards[:, self.seat].copy()
        return lanes.observations.copy(), rewards, lanes.done.copy(), lanes.truncated.copy(), infos

    def _seed(self) -> int:
        return int(self.np_random.integers(SEEDS))

    def _infos(self) -> Infos:
        """Returns the masks of all games: int8, shape (games, actions)."""
        masks = self.lanes.masks[:, : self.single_action_space.n].astype(np.int8)
        return {"action_mask": masks, "_action_mask": np.ones(self.num_envs, np.bool_)}

    def _finals(self, over: NDArray[np.bool_]) -> Infos:
        """Returns the learner's observations at the end of the games that are over. No action is legal there."""
        assert self.lanes.finals is not None
        found = np.full(self.num_envs, None, dtype=object)
        for lane in np.flatnonzero(over):
            found[lane] = self.lanes.finals[lane, self.seat].copy()
        nothing = np.zeros((self.num_envs, int(self.single_action_space.n)), np.int8)
        info = {"action_mask": nothing, "_action_mask": over.copy()}
        return {"final_obs": found, "_final_obs": over.copy(), "final_info": info, "_final_info": over.copy()}


def gymnasium_vector_env(
    game: Game | str | Path,
    num_envs: int = 1,
    *,
    seat: int = 0,
    opponents: VectorPolicy | Mapping[int, VectorPolicy] = "random",
    longest: int | None = None,
    threads: int = 1,
    autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
    **options: str | int | bool,
) -> GymnasiumVectorEnv:
    """Returns ``num_envs`` games of a seat as a vectorized environment of Gymnasium, played by ``VectorEnv``. Actions,
    observations and rewards as for ``gymnasium_env``; ``infos["action_mask"]`` has the shape (num_envs, actions).

    ``opponents``: one policy for all other seats, or a policy by seat, as for ``VectorEnv``: "random", an agent's
    specification, or a function of the observations and masks of some games that returns their actions.
    An illegal action raises ``GameDSLError``.
    Games restart in the step in which they end: ``autoreset_mode`` must be ``AutoresetMode.SAME_STEP``.

    Raises ``UsageError`` with the reason for games that do not fit.
    """
    if autoreset_mode not in (AutoresetMode.SAME_STEP, AutoresetMode.SAME_STEP.value):
        raise UsageError(f"games restart in the step in which they end (SAME_STEP); {autoreset_mode} is not supported")
    rules = game_of(game, options)
    check_fits(rules, "gymnasium_vector_env")
    if seat not in range(rules.num_players):
        raise UsageError(f"seats are 0 to {rules.num_players - 1}, not {seat!r}")
    others = [p for p in range(rules.num_players) if p != seat]
    policies = {p: opponents.get(p, "random") if isinstance(opponents, Mapping) else opponents for p in others}
    lanes = VectorEnv(rules, num_envs, opponents=policies, longest=longest, threads=threads, finals=True)
    return GymnasiumVectorEnv(lanes, seat)
