"""The Monte Carlo tree search agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.agents.agent import Searcher
from gamedsl.agents.agent_fits import must_be_searchable
from gamedsl.agents.kind import MOST_ITERATIONS, AgentKind, read_number, read_seconds
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.agents.position import Position
    from gamedsl.agents.search_findings import Findings
    from gamedsl.engine import Game


MOST_THREADS = 64


@lazy_dataclass(frozen=True)
class Mcts(Searcher):
    """Searches for a number of ``iterations`` or ``seconds``, shared by ``threads`` that each grow their own tree."""

    iterations: int | None = None
    seconds: float | None = 1.0
    threads: int = 1

    @property
    def text(self) -> str:
        """The agent's specification, such as ``mcts:2000`` or ``mcts:2s:threads=2``."""
        budget = f"{self.seconds:g}s" if self.iterations is None else str(self.iterations)
        return f"mcts:{budget}" + (f":threads={self.threads}" if self.threads != 1 else "")

    def check(self, game: Game) -> None:
        must_be_searchable(game, self.text)

    def smallest(self) -> Mcts:
        return Mcts(1, None)

    def find(self, position: Position, seed: int, whole: bool = False) -> Findings:
        seconds = self.seconds if self.iterations is None else None
        return search_with_trees(position, seed, self.iterations, seconds, self.threads)


def search_with_trees(
    position: Position, seed: int, iterations: int | None, seconds: float | None, threads: int = 1
) -> Findings:
    """Searches until the iterations or the seconds are used up (None: no bound). With hidden information, by what the player
    has observed."""
    # imported here for a quick start: naming an agent needs no numba
    from gamedsl.agents.forest import search
    from gamedsl.agents.information_search import search_information

    if position.hides:
        return search_information(position, threads, seed, iterations, seconds)
    return search([position.beside() for _ in range(threads)], seed, iterations, seconds)


def _make(argument: str) -> Mcts | None:
    """Returns the agent for ``5000``, ``2s``, ``threads=2`` or ``2s:threads=2``; None if the argument is not valid."""
    *budget, last = argument.split(":")
    threads = 1
    if last.startswith("threads="):
        threads = read_number(last.removeprefix("threads="), MOST_THREADS) or 0
    elif last:
        budget.append(last)
    if not threads or len(budget) > 1:
        return None
    if not budget:
        return Mcts(threads=threads)
    iterations, seconds = read_number(budget[0], MOST_ITERATIONS), read_seconds(budget[0])
    return Mcts(iterations, seconds, threads) if iterations or seconds else None


KIND = AgentKind(
    _make,
    (
        ("mcts:2s", "Monte-Carlo tree search for two seconds a move (also 200ms, 0.5s, 1m)"),
        ("mcts:5000", "the same with 5000 iterations (:threads=2 shares them between two threads)"),
    ),
)
