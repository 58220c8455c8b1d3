"""The games of the lanes with their whole histories, on which the choices of agents depend."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from random import Random

from gamedsl.agents import parse_agent
from gamedsl.compiler import GAMMA, mix
from gamedsl.engine import Game, State
from gamedsl.envs.lanes import Lanes

CHANCE = -1
WORD = (1 << 64) - 1
Chooser = Callable[[State, int], int]  # a state and a seed: an action


class LanePlays:
    """A state for every lane, updated by the same actions, from which agents and chance choose.

    ``agents``: specifications by player. Raises ``UsageError`` for an agent that does not fit the game.
    """

    def __init__(self, lanes: Lanes, agents: Mapping[int, str], chance: bool) -> None:
        self._lanes = lanes
        self.choosers = {p: _chooser(lanes.game, text, p) for p, text in agents.items()}
        if chance:
            self.choosers[CHANCE] = _outcome
        self._states: list[State] = [lanes.game.initial_state()] * lanes.n
        self._choices = [0] * lanes.n
        self._seeds = [0] * lanes.n

    def begin(self, rows: Iterable[int]) -> None:
        """Restarts the games of these lanes."""
        for lane in rows:
            self._states[lane], self._choices[lane] = self._lanes.game.initial_state(), 0
            self._seeds[lane] = int(self._lanes.random[lane])

    def choose(self, player: int, rows: Iterable[int]) -> list[int]:
        """Returns the actions of an agent, or of chance, in these lanes. They depend on the state, the lane's seed and
        its number of choices.
        """
        found = []
        for lane in rows:
            self._choices[lane] += 1
            seed = mix(self._seeds[lane] + self._choices[lane] * GAMMA & WORD) >> 2
            found.append(self.choosers[player](self._states[lane], seed))
        return found

    def follow(self, rows: Iterable[int], cut: Iterable[int]) -> None:
        """Updates the states after actions in these lanes; the games of the lanes ``cut`` were then truncated."""
        for lane in rows:
            after = self._states[lane].apply_action(int(self._lanes.actions[lane]))
            self._states[lane] = self._lanes.game.initial_state() if after.is_terminal else after
        for lane in cut:
            self._states[lane] = self._lanes.game.initial_state()


def _chooser(game: Game, text: str, player: int) -> Chooser:
    agent = parse_agent(text)
    agent.check(game)
    agent.prepare(game)
    return lambda state, seed: game.action(agent.choose(state, seed, player))


def _outcome(state: State, seed: int) -> int:
    return state.game.action(state.propose(Random(seed)))
