"""The alpha-beta agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.agents.agent import Searcher
from gamedsl.agents.agent_fits import must_be_a_duel
from gamedsl.agents.kind import AgentKind, read_number, read_seconds
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.agents.position import Position
    from gamedsl.agents.search_findings import Findings
    from gamedsl.engine import Game


MOST_DEPTH = 200
LEAVES = ("linear", "playouts")


@lazy_dataclass(frozen=True)
class AlphaBeta(Searcher):
    """Iterative deepening to a ``depth`` in plies or for a number of ``seconds``. ``leaf``: how positions at the
    horizon are judged, ``linear`` or ``playouts`` (None: by the self-test of the ruleset)."""

    depth: int | None = None
    seconds: float | None = 1.0
    leaf: str | None = None

    @property
    def text(self) -> str:
        """The agent's specification, such as ``ab:d6`` or ``ab:2s:leaf=linear``."""
        budget = f"d{self.depth}" if self.depth is not None else f"{self.seconds:g}s"
        return f"ab:{budget}" + (f":leaf={self.leaf}" if self.leaf else "")

    def check(self, game: Game) -> None:
        must_be_a_duel(game.program, self.text)

    def smallest(self) -> AlphaBeta:
        return AlphaBeta(1, None, self.leaf)

    def settings(self, game: Game) -> str:
        """Returns how positions at the horizon are judged in this game, and why."""
        # imported here for a quick start: naming an agent needs no numba
        from gamedsl.agents.leaf_choice import leaf_choice
        from gamedsl.agents.position import compiled

        return leaf_choice(compiled(game), self.leaf).text

    def find(self, position: Position, seed: int, whole: bool = False) -> Findings:
        # imported here for a quick start: naming an agent needs no numba
        from gamedsl.agents.deepening import Budget, search
        from gamedsl.agents.leaf_choice import leaf_choice

        budget = Budget(self.depth, self.seconds if self.depth is None else None)
        return search(position, seed, budget, whole, leaf_choice(position.rules.native, self.leaf).value)


def _make(argument: str) -> AlphaBeta | None:
    """Returns the agent for an argument such as ``d6``, ``2s`` or ``2s:leaf=linear``; None if it is not valid."""
    *budget, last = argument.split(":")
    leaf = last.removeprefix("leaf=") if last.startswith("leaf=") else None
    if leaf is None and last:
        budget.append(last)
    if leaf not in (None, *LEAVES) or len(budget) > 1:
        return None
    if not budget:
        return AlphaBeta(leaf=leaf)
    depth = read_number(budget[0].removeprefix("d"), MOST_DEPTH) if budget[0].startswith("d") else None
    seconds = read_seconds(budget[0])
    return AlphaBeta(depth, seconds, leaf) if depth or seconds else None


KIND = AgentKind(
    _make,
    (
        ("ab:2s", "alpha-beta for two seconds a move"),
        ("ab:d6", "the same, six plies deep (:leaf=linear or :leaf=playouts judges its leaves without a self-test)"),
    ),
)
