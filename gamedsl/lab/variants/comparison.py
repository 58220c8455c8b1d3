"""Two versions of a game: which figures differ, what best play yields, and a game in which they part."""

from __future__ import annotations

from dataclasses import dataclass, field

from gamedsl.engine import Game
from gamedsl.lab.mutation import Comparer, CountedEffort, Difference, Start
from gamedsl.lab.solve import Solved
from gamedsl.lab.variants.figure_tests import FigureTest, figure_tests_of
from gamedsl.lab.variants.version_games import (
    Stopped,
    VersionGames,
    VersionPlan,
    play_searched,
    play_version,
    solve_version,
)

SECONDS = 1.0  # to look for a game in which the versions part, of an imagined machine


@dataclass(frozen=True)
class VersionComparison:
    """Two versions side by side.

    ``random``, ``searched``: the tests of their figures; empty if there are no games. ``old_value``, ``new_value``: the
    first seat's utility with best play, if it is known. ``line``: best play of the new version. ``difference``: a game
    in which they part. ``is_same``: they part in no game (proved). ``is_alike``: all random games were the same.
    """

    random: list[FigureTest] = field(default_factory=list)
    searched: list[FigureTest] = field(default_factory=list)
    old_value: float | None = None
    new_value: float | None = None
    line: tuple[str, ...] = ()
    difference: Difference | None = None
    is_same: bool = False
    is_alike: bool = False
    fails: bool = False

    @property
    def tests(self) -> list[FigureTest]:
        return [*self.random, *self.searched]

    @property
    def effect(self) -> float:
        """The greatest effect that is significant, or of a change of value."""
        found = [abs(t.effect) for t in self.tests if t.is_significant]
        if self.old_value is not None and self.new_value is not None:
            found.append(abs(self.new_value - self.old_value))
        return max(found, default=0.0)


class Original:
    """The old version, whose games and positions serve all comparisons with it."""

    def __init__(self, game: Game, plan: VersionPlan, stopped: Stopped) -> None:
        self.game, self.plan, self.stopped = game, plan, stopped
        self.games = play_version(game, plan, stopped)
        self.solved = solve_version(game, plan.limit)
        self._searched: VersionGames | None = None
        self._comparer: Comparer | None = None

    def search(self) -> VersionGames | None:
        """Makes the searched games, once."""
        if self._searched is None:
            self._searched = play_searched(self.game, self.plan, self.stopped)
        return self._searched

    def compare(self, other: Game) -> VersionComparison:
        """Compares the version with another one: by random games, by search where those show no difference, and
        exactly where both can be solved.
        """
        games = play_version(other, self.plan, self.stopped)
        fails = self.games is not None and games is None
        alike = self.games is not None and games is not None and self.games.is_equal(games)
        difference, is_same = self._parting(other)
        random = [] if self.games is None or games is None else figure_tests_of(self.games, games, self.game.players)
        searched: list[FigureTest] = []
        if not is_same and not fails and not any(t.is_significant for t in random):
            mine, others = self.search(), play_searched(other, self.plan, self.stopped)
            if mine is not None and others is not None:
                searched = figure_tests_of(mine, others, self.game.players)
        solved = None if fails else self.solved if is_same else solve_version(other, self.plan.limit)
        return VersionComparison(
            random, searched, _value(self.solved), _value(solved), () if solved is None else solved.line, difference,
            is_same, alike, fails,
        )  # fmt: skip

    def _parting(self, other: Game) -> tuple[Difference | None, bool]:
        """Returns a game in which the versions part, the shortest one where all positions are compared; and whether
        they part in none.
        """
        start = Start(())
        if self._comparer is None:
            self._comparer = Comparer(
                lambda start: self.game.initial_state(), [start], self.plan.seed, SECONDS, CountedEffort()
            )
        found = self._comparer.compare(lambda start: other.initial_state(), [start])
        return found.difference, found.proved


def compare_versions(old: Game, new: Game, plan: VersionPlan, stopped: Stopped) -> VersionComparison:
    """Compares two versions of a game."""
    return Original(old, plan, stopped).compare(new)


def _value(solved: Solved | None) -> float | None:
    return None if solved is None else float(solved.bounds[0][0])
