"""The agents that judge positions by a learned value."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from gamedsl.agents.agent import Searcher
from gamedsl.agents.agent_fits import must_be_a_duel
from gamedsl.agents.alphabeta import MOST_DEPTH
from gamedsl.agents.kind import MOST_ITERATIONS, AgentKind, read_number, read_seconds
from gamedsl.agents.levels import LEARNED, expected_levels, learned_iterations
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.agents.leaf_value import LeafValue
    from gamedsl.agents.learned_file import LearnedValue
    from gamedsl.agents.position import Position
    from gamedsl.agents.search_findings import Findings
    from gamedsl.compiler import Native
    from gamedsl.engine import Game


@lazy_dataclass(frozen=True)
class Net(Searcher):
    """Alpha-beta to a ``depth`` in plies or for a number of ``seconds``, or tree search with so many ``iterations``, with the value
    in a file that ``gamedsl train`` wrote."""

    path: str
    depth: int | None = None
    seconds: float | None = 1.0
    iterations: int | None = None

    @property
    def text(self) -> str:
        """The agent's specification, such as ``net:FILE:2s``."""
        if self.iterations is not None:
            return f"net:{self.path}:{self.iterations}"
        return f"net:{self.path}:" + (f"d{self.depth}" if self.depth is not None else f"{self.seconds:g}s")

    @cached_property
    def learned(self) -> LearnedValue:
        """The value in the file, read once."""
        # imported here for a quick start: naming an agent needs no numba
        from gamedsl.agents.learned_file import read_learned

        return read_learned(self.path)

    @property
    def content(self) -> str:
        return self.learned.content

    def check(self, game: Game) -> None:
        """Raises ``UsageError`` if alpha-beta does not support the rules, and ``GameDSLError`` (E0527) if the file is
        damaged or for other rules."""
        must_be_a_duel(game.program, self.text)
        self.learned.check(game)

    def smallest(self) -> Net:
        return Net(self.path, 1, None)

    def find(self, position: Position, seed: int, whole: bool = False) -> Findings:
        # imported here for a quick start: naming an agent needs no numba
        from gamedsl.agents import deepening

        if self.iterations is not None:
            return _search_tree(self.learned, position, seed, self.iterations)
        budget = deepening.Budget(self.depth, self.seconds if self.depth is None else None)
        return deepening.search(position, seed, budget, whole, _value_for(self.learned, position.rules.native))


@lazy_dataclass(frozen=True)
class LearnedLevel(Searcher):
    """The level ``LEARNED`` at tables: tree search with a learned value, which a match has found to be stronger than playouts.
    ``seconds``: the longest time of a move."""

    learned: LearnedValue
    seconds: float

    @property
    def text(self) -> str:
        """The agent's specification: the name of the level."""
        return LEARNED

    @property
    def content(self) -> str:
        return self.learned.content

    def check(self, game: Game) -> None:
        """Raises ``GameDSLError`` (E0527) if the value is for other rules."""
        self.learned.check(game)

    def smallest(self) -> LearnedLevel:
        return self

    def find(self, position: Position, seed: int, whole: bool = False) -> Findings:
        iterations = learned_iterations(expected_levels(position.rules.native.game))
        return _search_tree(self.learned, position, seed, iterations, self.seconds)


def _search_tree(
    learned: LearnedValue, position: Position, seed: int, iterations: int, seconds: float | None = None
) -> Findings:
    # imported here for a quick start: naming an agent needs no numba
    from gamedsl.agents import forest

    style = forest.judged(_value_for(learned, position.rules.native))
    return forest.search([position.beside()], seed, iterations, seconds, style)


def _value_for(learned: LearnedValue, native: Native) -> LeafValue:
    # imported here for a quick start: naming an agent needs no numba
    from gamedsl.agents.position import once

    return once(native, f"value {hash(learned)}", lambda: learned.learner(native).value)


def _make(argument: str) -> Net | None:
    """Returns the agent for ``FILE``, ``FILE:2s``, ``FILE:d6`` or ``FILE:5000``; None if there is no file."""
    path, colon, budget = argument.rpartition(":")
    depth = read_number(budget.removeprefix("d"), MOST_DEPTH) if budget.startswith("d") else None
    seconds = read_seconds(budget)
    if colon and path and (depth or seconds):
        return Net(path, depth, seconds)
    iterations = read_number(budget, MOST_ITERATIONS)
    if colon and path and iterations:
        return Net(path, None, None, iterations)
    return Net(argument) if argument else None


KIND = AgentKind(
    _make,
    (
        ("net:FILE:2s", "alpha-beta with the value that `gamedsl train GAME -o FILE` learned (also net:FILE:d6)"),
        ("net:FILE:5000", "tree search with that value instead of playouts, with 5000 iterations"),
    ),
)
