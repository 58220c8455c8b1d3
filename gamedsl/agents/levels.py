"""Agents by levels: the same names and strengths at the command line, at tables of the server and in the page.

A level is a number of iterations of tree search. The numbers belong to the ruleset: each level beats the one below it about as
often in every game. Those of the shipped rulesets are in ``rulesets/levels.json``; others are found by a self-test.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from gamedsl.agents.agent import Searcher
from gamedsl.agents.agent_fits import must_be_searchable
from gamedsl.agents.kind import AgentKind
from gamedsl.agents.mcts import Mcts, search_with_trees
from gamedsl.language.source import lazy_dataclass, resource_path

if TYPE_CHECKING:
    from gamedsl.agents.position import Position
    from gamedsl.agents.search_findings import Findings
    from gamedsl.compiler import Native
    from gamedsl.engine import Game

LEVELS = ("beginner", "easy", "medium", "strong", "expert")
USUAL = (250, 750, 2_200, 6_700, 20_000)  # iterations of the levels where nothing is known about the ruleset
FILE = "levels.json"
LEARNED = "learned"  # a further level of pages and tables, which judges positions by a learned value
TIMES = 3  # its iterations for each of the highest level: to judge a position takes less time than a playout


@lazy_dataclass(frozen=True)
class Level(Searcher):
    """Searches with the iterations of a level (one of ``LEVELS``). ``seconds``: the longest time of a move, for a level that
    plays at once, with the expected iterations where no self-test was made (None: a self-test, and no limit)."""

    name: str
    seconds: float | None = None

    @property
    def text(self) -> str:
        """The agent's specification: the name of the level."""
        return self.name

    def check(self, game: Game) -> None:
        must_be_searchable(game, self.text)

    def smallest(self) -> Mcts:
        return Mcts(1, None)

    def settings(self, game: Game) -> str:
        """Returns the number of iterations, in words."""
        return f"{self._iterations(game)} iterations a move"

    def prepare(self, game: Game) -> None:
        super().prepare(game)
        self._iterations(game)

    def find(self, position: Position, seed: int, whole: bool = False) -> Findings:
        iterations = self._iterations(position.rules.native.game)
        return search_with_trees(position, seed, iterations, self.seconds)

    def _iterations(self, game: Game) -> int:
        found = level_iterations(game) if self.seconds is None else expected_levels(game)
        return found[LEVELS.index(self.name)]


def known_levels(game: Game) -> tuple[int, ...]:
    """Returns the iterations of the levels of a shipped ruleset; for others, ``USUAL``."""
    return _shipped().get(game.digest, USUAL)


def learned_iterations(levels: Sequence[int]) -> int:
    """Returns the iterations of the level ``LEARNED``. ``levels``: those of the other levels."""
    return TIMES * levels[-1]


def expected_levels(game: Game) -> tuple[int, ...]:
    """Returns the iterations of the levels of a shipped ruleset; for others, those of most games with such long games."""
    # imported here for a quick start: naming an agent needs no numba
    from gamedsl.agents.level_calibration import expected
    from gamedsl.agents.position import once

    return _shipped().get(game.digest) or once(game, "expected_levels", partial(expected, game, USUAL))


def level_iterations(game: Game) -> tuple[int, ...]:
    """Returns the iterations of the levels. Those of a ruleset that is not shipped are found by a self-test, once, and kept in
    the code cache."""
    # imported here for a quick start: naming an agent needs no numba
    from gamedsl.agents.position import compiled, once

    return _shipped().get(game.digest) or once(game, "levels", lambda: _tested(compiled(game)))


def _tested(native: Native) -> tuple[int, ...]:
    # imported here for a quick start: naming an agent needs no numba
    from gamedsl.agents.kept_data import kept_data
    from gamedsl.agents.level_calibration import calibrated

    return kept_data(native, "levels", partial(calibrated, native.game, USUAL), read_levels)


def read_levels(found: Any) -> tuple[int, ...]:
    """Returns the iterations in plain data. Raises ``ValueError`` if they cannot be those of the levels."""
    levels = tuple(int(number) for number in found)
    if len(levels) != len(LEVELS) or levels != tuple(sorted(levels)) or not 1 <= levels[0] <= levels[-1] <= USUAL[-1]:
        raise ValueError("these are not the iterations of levels")
    return levels


@cache
def _shipped() -> dict[str, tuple[int, ...]]:
    """The iterations of the shipped rulesets, by the digests of their rules."""
    found = json.loads(resource_path("rulesets", FILE).read_text("utf-8"))
    return {ruleset["digest"]: read_levels(ruleset["iterations"]) for ruleset in found.values()}


def _kind(name: str, what: str) -> AgentKind:
    return AgentKind(lambda argument: None if argument else Level(name), ((name, what),))


BEGINNER = _kind(
    "beginner", "the lowest of five levels, each of which wins about two games in three against the one below"
)
EASY = _kind("easy", "the second level")
MEDIUM = _kind("medium", "the third level")
STRONG = _kind("strong", "the fourth level")
EXPERT = _kind("expert", "the highest level")
