"""The alpha-beta agent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gamedsl.agents.agent import Searcher
from gamedsl.agents.agent_fits import must_be_a_duel
from gamedsl.agents.kind import AgentKind, read_number, read_seconds

if TYPE_CHECKING:
    from gamedsl.agents.position import Position
    from gamedsl.agents.search_findings import Findings
    from gamedsl.engine import Game


MOST_DEPTH = 200


@dataclass(frozen=True)
class AlphaBeta(Searcher):
    """Iterative deepening to a ``depth`` in plies or for a number of ``seconds``."""

    depth: int | None = None
    seconds: float | None = 1.0

    @property
    def text(self) -> str:
        return f"ab:d{self.depth}" if self.depth is not None else f"ab:{self.seconds:g}s"

    def check(self, game: Game) -> None:
        must_be_a_duel(game.program, self.text)

    def smallest(self) -> AlphaBeta:
        return AlphaBeta(1, None)

    def find(self, position: Position, seed: int, whole: bool = False) -> Findings:
        # imported here for a quick start: naming an agent needs no numba
        from gamedsl.agents.deepening import search

        return search(position, seed, self.depth, None if self.depth is not None else self.seconds, whole)


def _make(argument: str) -> AlphaBeta | None:
    """Returns the agent for an argument such as ``d6`` or ``2s``; None if it is not valid."""
    if not argument:
        return AlphaBeta()
    depth = read_number(argument.removeprefix("d"), MOST_DEPTH) if argument.startswith("d") else None
    seconds = read_seconds(argument)
    return AlphaBeta(depth, seconds) if depth or seconds else None


KIND = AgentKind(_make, (("ab:2s", "alpha-beta for two seconds a move"), ("ab:d6", "the same, six plies deep")))
