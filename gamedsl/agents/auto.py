"""The agent that searches as a self-test of the ruleset decides."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from gamedsl.agents.agent import Searcher
from gamedsl.agents.agent_fits import is_duel, must_be_searchable
from gamedsl.agents.kind import AgentKind, read_seconds
from gamedsl.agents.mcts import Mcts
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.agents.auto_choice import AutoChoice
    from gamedsl.agents.position import Position
    from gamedsl.agents.search_findings import Findings
    from gamedsl.engine import Game


@lazy_dataclass(frozen=True)
class Auto(Searcher):
    """Alpha-beta or tree search for a number of ``seconds``, whichever is stronger in a short match."""

    seconds: float = 1.0

    @property
    def text(self) -> str:
        """The agent's specification, such as ``auto:2s``."""
        return f"auto:{self.seconds:g}s"

    def check(self, game: Game) -> None:
        must_be_searchable(game, self.text)

    def smallest(self) -> Auto:
        return Auto(0.001)

    def prepare(self, game: Game) -> None:
        # imported here for a quick start: naming an agent needs no numba
        from gamedsl.agents.exact import compile_exact
        from gamedsl.agents.position import compiled

        super().prepare(game)
        if is_duel(game.program):
            compile_exact(compiled(game))

    def settings(self, game: Game) -> str:
        """Returns how this game is searched, and why."""
        # imported here for a quick start: naming an agent needs no numba
        from gamedsl.agents.auto_choice import auto_choice
        from gamedsl.agents.position import compiled

        if not is_duel(game.program):
            return "tree search with playouts, because alpha-beta cannot play these rules"
        return auto_choice(compiled(game)).text

    def find(self, position: Position, seed: int, whole: bool = False) -> Findings:
        # imported here for a quick start: naming an agent needs no numba
        from gamedsl.agents.auto_choice import auto_choice
        from gamedsl.agents.exact import Bound, search_exactly, seconds_left

        if not is_duel(position.rules.native.program):
            return Mcts(None, self.seconds).find(position, seed, whole)
        choice = auto_choice(position.rules.native)
        if whole:
            return self._search(position, seed, whole, choice, self.seconds)
        began = time.monotonic()
        exact = search_exactly(position, Bound.of(self.seconds), choice.guide)
        if exact is not None and exact.wins:
            return exact.findings()
        left = seconds_left(self.seconds, time.monotonic() - began, exact)
        found = self._search(position, seed, whole, choice, left)
        return found if exact is None else exact.best_of(found, seed)

    def _search(self, position: Position, seed: int, whole: bool, choice: AutoChoice, seconds: float) -> Findings:
        # imported here for a quick start: naming an agent needs no numba
        from gamedsl.agents import deepening, forest

        if choice.way.kind == "ab":
            return deepening.search(position, seed, deepening.Budget(seconds=seconds), whole, choice.value)
        return forest.search([position.beside()], seed, None, seconds, choice.style)


def _make(argument: str) -> Auto | None:
    """Returns the agent for ``2s`` or nothing; None if the argument is not a time."""
    if not argument:
        return Auto()
    seconds = read_seconds(argument)
    return Auto(seconds) if seconds else None


KIND = AgentKind(
    _make, (("auto:2s", "alpha-beta or tree search for two seconds a move, whichever is stronger in a self-test"),)
)
