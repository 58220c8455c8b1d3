"""Environments of PettingZoo in which agents act one after another (AEC)."""

from __future__ import annotations

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

    from gamedsl.envs.spaces import masked
except ImportError as error:
    raise (missing_library(error, "pettingzoo") or error) from None

Observation = dict[str, Any]
RENDER_MODES = ("ansi", "human")


def metadata_of(game: Game) -> dict[str, Any]:
    """Returns the metadata of an environment of PettingZoo. ``players``: the names of the agents in the rules."""
    name = game.program.name.replace("-", "_")
    return {
        "name": f"gamedsl_{name}_v0",
        "players": game.players,
        "render_modes": [*RENDER_MODES],
        "render_fps": 4,
        "is_parallelizable": False,
    }


class PettingZooEnv(pettingzoo.AECEnv[str, Observation, int]):  # type: ignore[misc]
    """A game as an environment of PettingZoo (AEC); see ``pettingzoo_env``."""

    def __init__(self, game: Game, longest: int | None, illegal: str, render_mode: str | None) -> None:
        check_fits(game, "pettingzoo_env")
        check_render_mode(render_mode)
        super().__init__()
        self.game, self.render_mode = game, render_mode
        self.metadata = metadata_of(game)
        self.play = Play(game, longest, illegal)
        self.possible_agents = [f"player_{i}" for i in range(game.num_players)]
        self.agents: list[str] = []
        self.observation_spaces = {a: masked(game, game.num_player_actions) for a in self.possible_agents}
        self.action_spaces = {a: gymnasium.spaces.Discrete(game.num_player_actions) for a in self.possible_agents}
        self._rng = np.random.default_rng()

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        """Returns the observation space of an agent; the same object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        """Returns the action space of an agent; the same object at every call."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new game. ``options`` are ignored, as PettingZoo's own tests require."""
        if seed is not None:
            self._rng = np.random.default_rng(whole(seed, "a seed", 0))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.play.begin(self._rng)
        self._select()

    def observe(self, agent: str) -> Observation:
        """Returns a new dict of ``observation`` and ``action_mask``; the mask is all zeros if the agent is not to act."""
        seat = self.possible_agents.index(agent)
        tensor = self.play.state.observation_tensor(seat)
        return {"observation": tensor, "action_mask": self.play.mask(seat, self.game.num_player_actions)}

    def step(self, action: SupportsIndex | None) -> None:
        """Makes an action of the agent ``agent_selection``; ``None`` is for agents whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise UsageError(f"{agent} must act but has no action")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        seat, number = self.possible_agents.index(agent), action_of(action)
        if self.play.is_legal(number, seat):
            self.play.act(number, seat)
            self._settle()
        else:
            self._lose(agent, self.play.why_illegal(number, seat))
        self._select()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Returns the spectator's view as text; prints it and returns None if the mode is "human"."""
        return self.play.shown(self.render_mode)

    def close(self) -> None:
        """Does nothing, as there is nothing to release."""

    def _select(self) -> None:
        """Sets ``agent_selection`` to the agent to act; at the end of a game, to the first agent."""
        seats = self.play.state.to_act
        over = any(self.terminations.values()) or any(self.truncations.values())
        self.agent_selection = self.possible_agents[0 if over or not seats else seats[0]]

    def _settle(self) -> None:
        """Sets the rewards, terminations and truncations after a legal action."""
        for agent, utility in zip(self.possible_agents, self.play.state.returns, strict=True):
            self.rewards[agent] = float(utility)
            self.terminations[agent] = self.play.is_over
            self.truncations[agent] = self.play.is_truncated

    def _lose(self, agent: str, reason: str | None) -> None:
        """Ends the game because of an illegal action."""
        self.terminations = dict.fromkeys(self.agents, True)
        self.rewards[agent] = float(self.game.min_utility)
        self.infos[agent] = {"illegal": reason}


def check_render_mode(mode: str | None) -> None:
    """Raises ``UsageError`` for an unknown mode."""
    if mode not in (None, *RENDER_MODES):
        raise UsageError(f'`render_mode` is "ansi", "human" or None, not {mode!r}')


def pettingzoo_env(
    game: Game | str | Path,
    *,
    longest: int | None = None,
    illegal: Literal["lose", "raise"] = "lose",
    render_mode: str | None = None,
    **options: str | int | bool,
) -> PettingZooEnv:
    """Returns a game as an environment of PettingZoo (AEC). ``game``: a game, or a ruleset (a path or the name of a
    shipped one) with its ``options``.

    The agents are ``player_0``, ``player_1`` and so on. Each observes a dict: ``observation`` is
    ``State.observation_tensor``, ``action_mask`` (int8) marks the legal actions. The environment plays chance. Where
    several choose at once, they act one after another, and see nothing of each other's choices. Rewards are the
    utilities at the end.

    ``longest``: games are truncated after this many actions. ``illegal``: an illegal action ends the game, the agent
    gets the game's least utility, and its info says why ("lose"); or it raises ``GameDSLError`` ("raise").

    Raises ``UsageError`` with the reason for games that do not fit.
    """
    return PettingZooEnv(game_of(game, options), longest, illegal, render_mode)
