"""Random games of two versions, made until they decide whether a figure differs.

They are tested after a 64th of them, a 32nd, a 16th, an eighth, a quarter, a half, and all. Each of the first six tests may be
wrong once in 1,250, and the last one once in 200, so all together at most once in a hundred. (That early tests must be far
stricter than the last one is from J. L. Haybittle, "Repeated assessment of results in clinical trials of cancer treatment",
British Journal of Radiology 44, 1971; the shares are ours.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gamedsl.lab.variants.figure_tests import ALPHA, FigureTest, figure_tests_of
from gamedsl.lab.variants.version_games import VersionGames, joined

PARTS = (64, 32, 16, 8, 4, 2)
FEWEST = 30  # games that are tested
ALIKE = 16  # after this part of the games no more are made if they were all the same
LISTED = 1000  # moves that are listed for each game that is wanted; after more of them, no more games are made
EARLY, LAST = 0.08, 0.5  # of the error rate: of each early test, and of the last one

Played = Callable[[range], VersionGames | None]


def steps_of(games: int) -> list[int]:
    """Returns after how many games they are tested."""
    return [*(games // part for part in PARTS if games // part >= FEWEST), games]


def corrected_for_steps(tests: list[FigureTest], is_last: bool) -> list[FigureTest]:
    """Returns the tests with probabilities that are corrected for the number of steps, too."""
    share = LAST if is_last else EARLY
    return [replace(test, corrected=min(1.0, test.corrected / share)) for test in tests]


class SeriesOfGames:
    """The random games of a version from number 0, made when they are needed."""

    def __init__(self, play: Played) -> None:
        self._play = play
        self._known: dict[int, VersionGames] = {}

    def first(self, number: int) -> VersionGames | None:
        """Returns the first games, fewer if stopped; None if one of them cannot be made. ``number``: one of the steps."""
        if number in self._known:
            return self._known[number]
        before = max((size for size in self._known if size < number), default=0)
        more = self._play(range(before, number))
        if more is None:
            return None
        games = joined([self._known[before], more]) if before else more
        if len(games) == number:
            self._known[number] = games
        return games


def play_until_decided(
    old: SeriesOfGames, new: SeriesOfGames, games: int, players: tuple[str, ...]
) -> tuple[list[FigureTest], VersionGames | None, VersionGames | None]:
    """Returns the tests and the games of both versions. No tests if the games of one cannot be made (None)."""
    steps = steps_of(games)
    tests: list[FigureTest] = []
    mine = others = None
    for number in steps:
        mine = old.first(number)
        others = None if mine is None else new.first(number)
        if mine is None or others is None:
            return [], mine, others
        is_last = number == games or mine.listed + others.listed > 2 * LISTED * games
        tests = corrected_for_steps(figure_tests_of(mine, others, players), is_last)
        is_decided = any(test.corrected < ALPHA for test in tests)
        if is_last or is_decided or (number * ALIKE >= games and mine.is_equal(others)):
            break
    return tests, mine, others
