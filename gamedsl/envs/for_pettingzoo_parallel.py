"""Environments of PettingZoo in which all agents act at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, SupportsIndex

import numpy as np

from gamedsl.engine import Game
from gamedsl.envs.environment_play import Play, game_of
from gamedsl.envs.fits import check_fits
from gamedsl.envs.lane_arguments import action_of, whole
from gamedsl.language.source import UsageError, missing_library

try:
    import gymnasium
    import pettingzoo

    from gamedsl.envs.for_pettingzoo import Observation, check_render_mode, metadata_of
    from gamedsl.envs.spaces import masked
except ImportError as error:
    raise (missing_library(error, "pettingzoo") or error) from None

Stepped = tuple[
    dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
]  # fmt: skip


class PettingZooParallelEnv(pettingzoo.ParallelEnv[str, Observation, int]):  # type: ignore[misc]
    """A game as a parallel environment of PettingZoo; see ``pettingzoo_parallel_env``."""

    def __init__(self, game: Game, longest: int | None, illegal: str, render_mode: str | None) -> None:
        check_fits(game, "pettingzoo_parallel_env")
        check_render_mode(render_mode)
        self.game, self.render_mode = game, render_mode
        self.metadata = metadata_of(game)
        self.play = Play(game, longest, illegal)
        self.wait = game.num_player_actions  # the action of agents who are not to act
        self.possible_agents = [f"player_{i}" for i in range(game.num_players)]
        self.agents: list[str] = []
        self.observation_spaces = {a: masked(game, self.wait + 1) for a in self.possible_agents}
        self.action_spaces = {a: gymnasium.spaces.Discrete(self.wait + 1) for a in self.possible_agents}
        self._rng = np.random.default_rng()

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        """Returns the observation space of an agent; the same object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        """Returns the action space of an agent; the same object at every call."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begins a new game. ``options`` are ignored, as PettingZoo's own tests require."""
        if seed is not None:
            self._rng = np.random.default_rng(whole(seed, "a seed", 0))
        self.agents = self.possible_agents[:]
        self.play.begin(self._rng)
        return self._observations(), {agent: {} for agent in self.agents}

    def step(self, actions: Mapping[str, SupportsIndex]) -> Stepped:
        """Makes an action of every agent; those who are not to act wait, or are omitted."""
        if unknown := [a for a in actions if a not in self.agents]:
            raise UsageError(f"there is no agent {unknown[0]!r} in this game")
        found = {i: action_of(actions[a]) for i, a in enumerate(self.possible_agents) if a in actions}
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        wrong = {i: reason for i in range(len(self.agents)) if (reason := self._why_wrong(i, found.get(i)))}
        if wrong:
            utilities = [self.game.min_utility if i in wrong else 0 for i in range(len(self.agents))]
            infos |= {self.agents[i]: {"illegal": reason} for i, reason in wrong.items()}
        else:
            self._act(found)
            utilities = list(self.play.state.returns)
        over, truncated = bool(wrong) or self.play.is_over, not wrong and self.play.is_truncated
        rewards = {agent: float(u) for agent, u in zip(self.agents, utilities, strict=True)}
        told = self._observations(), rewards, dict.fromkeys(rewards, over), dict.fromkeys(rewards, truncated), infos
        if over or truncated:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        return told

    def render(self) -> str | None:
        """Returns the spectator's view as text; prints it and returns None if the mode is "human"."""
        return self.play.shown(self.render_mode)

    def close(self) -> None:
        """Does nothing, as there is nothing to release."""

    def _act(self, found: Mapping[int, int]) -> None:
        """Makes the actions of all agents who are to act."""
        for seat in self.play.state.to_act:
            self.play.act(found[seat], seat)

    def _why_wrong(self, seat: int, action: int | None) -> str | None:
        """Returns why an action of an agent is wrong; None if it is legal. Raises ``UsageError`` if an action is
        missing, and ``GameDSLError`` instead if ``illegal`` is "raise".
        """
        if seat not in self.play.state.to_act:
            if action in (None, self.wait):
                return None
            reason = f"{self.game.players[seat]} is not to act: the only action is to wait, {self.wait}"
            if self.play.illegal == "raise":
                raise UsageError(reason)
            return reason
        if action is None:
            raise UsageError(f"{self.possible_agents[seat]} must act but has no action")
        return None if self.play.is_legal(action, seat) else self.play.why_illegal(action, seat)

    def _observations(self) -> dict[str, Observation]:
        return {agent: self._observation(seat) for seat, agent in enumerate(self.agents)}

    def _observation(self, seat: int) -> Observation:
        mask = self.play.mask(seat, self.wait + 1)
        mask[self.wait] = not mask.any()
        return {"observation": self.play.state.observation_tensor(seat), "action_mask": mask}


def pettingzoo_parallel_env(
    game: Game | str | Path,
    *,
    longest: int | None = None,
    illegal: Literal["lose", "raise"] = "lose",
    render_mode: str | None = None,
    **options: str | int | bool,
) -> PettingZooParallelEnv:
    """Returns a game as a parallel environment of PettingZoo; arguments, agents and observations as for
    ``pettingzoo_env``.

    All agents act in every step. There is one more action than the game has: the last one, to wait. It is the only
    action of agents who are not to act, so that games with turns fit too.

    Raises ``UsageError`` with the reason for games that do not fit.
    """
    return PettingZooParallelEnv(game_of(game, options), longest, illegal, render_mode)
