"""The match that decides whether a page or a table has the level that judges positions by a learned value.

A sequential test asks whether tree search with the value is stronger than tree search with playouts, by as much as one level is
stronger than the next. Only a value of which the test accepts that gives a level: a match that stays undecided does not show that
the value is worth more than the levels that are there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gamedsl.agents import forest
from gamedsl.agents.contender import TreeContender, play_tested
from gamedsl.agents.kept_data import kept_data
from gamedsl.agents.learned_file import read_learned, refused, value_file
from gamedsl.agents.levels import LEARNED, expected_levels, learned_iterations
from gamedsl.agents.net import Net
from gamedsl.agents.position import compiled
from gamedsl.lab.statistics import PairCounts, SequentialTest
from gamedsl.language.source import GameDSLError, lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.agents.learned_file import LearnedValue
    from gamedsl.compiler import Native
    from gamedsl.engine import Game

TEST = SequentialTest(0.0, 100.0)  # 100 Elo are 0.64 of the points, as between two levels
MOST_PAIRS = 100  # of mirrored games,
MOST_PLIES = 6_000  # and of their plies: then the match ends undecided
PART = 16  # both sides have a sixteenth of the iterations of their level
VERDICTS = {"H1": "it is stronger", "H0": "it is not stronger", None: "undecided"}


@lazy_dataclass(frozen=True)
class LearnedMatch:
    """A match of tree search with a learned value (``learned``) against tree search with playouts. ``counts``: the outcomes of its
    pairs for the value."""

    learned: LearnedValue
    counts: PairCounts

    @property
    def is_won(self) -> bool:
        """Whether the value was found to be stronger."""
        return TEST.decide(self.counts) == "H1"

    @property
    def verdict(self) -> str:
        """What the test says of the value, in words."""
        return VERDICTS[TEST.decide(self.counts)]

    @property
    def text(self) -> str:
        """The result, in words."""
        pairs = self.counts.pairs
        points = f"{2 * pairs * self.counts.mean:g} of {2 * pairs} points against tree search with playouts"
        follows = " and plays as the" if self.is_won else "; there is no"
        return f"{points}; {self.verdict}{follows} level `{LEARNED}`"


def play_learned(game: Game, path: str) -> LearnedMatch:
    """Reads a learned value and plays its match, in mirrored pairs with a sixteenth of the iterations of both levels at tables. The
    match is played once and kept in the code cache. Raises ``UsageError`` or ``GameDSLError`` as ``net:FILE`` does."""
    agent = Net(path)
    agent.check(game)
    native, learned = compiled(game), agent.learned

    def play() -> list[int]:
        return list(match_counts(native, learned, max(1, expected_levels(game)[-1] // PART)).counts)

    return LearnedMatch(learned, kept_data(native, f"learned match, {learned.content}", play, _read_counts))


def match_counts(native: Native, learned: LearnedValue, iterations: int) -> PairCounts:
    """Plays the match with so many ``iterations`` for the side with playouts. Returns the outcomes of its pairs for the value."""
    judged = TreeContender(forest.judged(learned.learner(native).value), learned_iterations((iterations,)))
    scores = play_tested(native, [judged, TreeContender(forest.PLAIN, iterations)], TEST, MOST_PAIRS, MOST_PLIES)
    return scores.counts.get((0, 1), PairCounts())


def _read_counts(found: Any) -> PairCounts:
    a, b, c, d, e = map(int, found)
    counts = PairCounts((a, b, c, d, e))
    if min(counts.counts) < 0 or counts.pairs > MOST_PAIRS:
        raise ValueError
    return counts


def level_from_file(game: Game, path: str, says: Callable[[str], None]) -> LearnedValue | None:
    """Returns the value in a file, or None if its match does not show that it is stronger than playouts. ``says`` is called with
    the result of the match. Raises as ``play_learned``."""
    match = play_learned(game, path)
    says(f"{path}: {match.text}")
    return match.learned if match.is_won else None


def level_beside(
    ruleset: str, load: Callable[[Mapping[str, str]], Game], says: Callable[[str], None]
) -> LearnedValue | None:
    """Returns the value that ``train`` has left for a ruleset, given as for ``load_program``; None if there is none, if it cannot
    be used, and if it is not shown to be stronger than playouts. ``load``: returns the game that is to be played with the value,
    given the options for which it was learned; ``says`` is called with the result of the match, or the reason why the value cannot
    be used."""
    path = value_file(ruleset)
    if not path.is_file():
        return None
    try:
        return level_from_file(_loaded(path, load), str(path), says)
    except GameDSLError as error:
        says(f"{error.diagnostics[0].message}; there is no level `{LEARNED}`")
        return None


def _loaded(path: Path, load: Callable[[Mapping[str, str]], Game]) -> Game:
    options = dict(read_learned(path).options)
    try:
        return load(options)
    except GameDSLError as error:
        raise refused(str(path), f"the rules do not take its options: {error.diagnostics[0].message}") from error
