"""The opponents: policies for the seats that the learner does not play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from gamedsl.agents import Agent, parse_agent
from gamedsl.engine import Game, State
from gamedsl.envs.environment_play import Play
from gamedsl.envs.lane_arguments import action_of
from gamedsl.language.source import UsageError, lazy_dataclass

# A policy returns the number of the action of a player in a state. Or it is "random", or the specification of an agent.
Policy: TypeAlias = Callable[[State, int], int] | str
Policies: TypeAlias = Policy | Mapping[int, Policy]


class Opponents:
    """The policies of all players but ``seat``. Raises ``UsageError`` for an agent that does not fit the game."""

    def __init__(self, game: Game, seat: int, policies: Policies) -> None:
        if seat not in range(game.num_players):
            raise UsageError(f"seats are 0 to {game.num_players - 1}, not {seat!r}")
        self._choose = {p: _chooser(game, _policy(policies, p)) for p in range(game.num_players) if p != seat}

    def act(self, play: Play, player: int) -> None:
        """Lets an opponent act."""
        play.act(action_of(self._choose[player](play, player)), player)


def _policy(policies: Policies, player: int) -> Policy:
    if not isinstance(policies, Mapping):
        return policies
    return policies.get(player, "random")


@lazy_dataclass(frozen=True)
class _ByPolicy:
    """A policy that is a function of the caller."""

    policy: Callable[[State, int], int]

    def __call__(self, play: Play, player: int) -> int:
        return self.policy(play.state, player)


@lazy_dataclass(frozen=True)
class _ByAgent:
    """A policy that is an agent."""

    agent: Agent

    def __call__(self, play: Play, player: int) -> int:
        return play.game.action(self.agent.choose(play.state, play.seed(), player))


def _chooser(game: Game, policy: Policy) -> Callable[[Play, int], int]:
    if not isinstance(policy, str):
        return _ByPolicy(policy)
    if policy == "random":
        return _any_action
    agent = parse_agent(policy)
    agent.check(game)
    return _ByAgent(agent)


def _any_action(play: Play, player: int) -> int:
    return int(play.rng.choice(play.legal_actions(player)))
