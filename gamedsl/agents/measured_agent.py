"""Agents as players whose games are measured: their searches value positions and actions."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

from gamedsl.agents.agent import Agent, Searcher
from gamedsl.agents.agent_text import agent_identity, is_timed
from gamedsl.lab.metrics import ActionValues, Assessment, Decision
from gamedsl.language.core import greatest_utility
from gamedsl.language.source import UsageError, lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.agents.search_findings import Findings, Row
    from gamedsl.engine import State

DETAILS = 2  # decisions of a game at which every action is valued by a search of its own
MARGIN = 0.1  # differences between the values of a search that count as none


@lazy_dataclass(frozen=True)
class MeasuredAgent:
    """An agent that searches, as a ``MeasuredPlayer``. A position has the value that its search found for it."""

    agent: Searcher
    text: str
    details: int = DETAILS

    @property
    def identity(self) -> str:
        return agent_identity(self.text)

    @property
    def is_timed(self) -> bool:
        return is_timed(self.text)

    def begin(self) -> MeasuredAgent:
        return self

    def follow(self, action: int | None, after: State) -> None:
        """Searches begin at the states that they are given."""

    def decide(
        self, state: State, seat: int, allowed: Sequence[int], rng: Random, *, assess: bool, detailed: bool
    ) -> Decision:
        # imported here for a quick start: naming an agent needs no numba
        from gamedsl.agents.position import NoPosition

        seed = rng.getrandbits(62)
        if len(allowed) == 1 and not assess:
            return Decision(allowed[0])
        try:
            found = self.agent.study(state, seed, seat)
        except NoPosition:
            return Decision(allowed[rng.randrange(len(allowed))])
        chosen = _pick(found, allowed, seed)
        actions = self._actions(state, seat, found, seed) if detailed else None
        return Decision(chosen, _assessment(found) if assess else None, actions)

    def _actions(self, state: State, seat: int, found: Findings, seed: int) -> ActionValues:
        """Returns the actions with their shares in the search of the position, for selection, and with the values that
        searches of the positions after them find.
        """
        rows = sorted(found.rows, key=lambda r: r.action)
        moves = state.legal_moves(seat)
        valuing = tuple(self._value(state.apply(moves[r.action]), seat, r, seed + r.action + 1) for r in rows)
        return ActionValues(tuple(float(r.share) for r in rows), valuing, MARGIN)

    def _value(self, after: State, seat: int, row: Row, seed: int) -> float:
        if after.is_terminal:
            return after.returns[seat] / greatest_utility(after.game.program)
        if after.kind != "player" or after.game.secrets.hides:
            return float(row.value)
        return float(self.agent.study(after, seed).values[seat])


def measured(agent: Agent) -> MeasuredAgent:
    """Returns an agent as a measured player. Raises ``UsageError`` if it does not value positions."""
    if not isinstance(agent, Searcher):
        raise UsageError(
            f"the agent `{agent.text}` does not value positions, which metrics need", help="use `random` or `mcts:N`"
        )
    return MeasuredAgent(agent, agent.text)


def _pick(found: Findings, allowed: Sequence[int], seed: int) -> int:
    if len(allowed) == len(found.rows):
        return found.pick(seed)
    rows = [row for row in found.rows if row.action in set(allowed)]

    def rank(row: Row) -> tuple[float, float, int]:
        return row.share, row.value, -row.action

    return max(rows, key=rank).action


def _assessment(found: Findings) -> Assessment:
    return Assessment(found.values, 0.0 if found.exact else MARGIN)
