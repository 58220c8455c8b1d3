"""Two versions of a game: which figures differ, what best play yields, and a game in which they part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from functools import cached_property

from gamedsl.engine import Game
from gamedsl.lab.mutation import WHOLE_STATES, Comparer, CountedEffort, Difference, Played, Start
from gamedsl.lab.shards import never
from gamedsl.lab.solve import Solved
from gamedsl.lab.variants.figure_tests import FigureTest, figure_tests_of
from gamedsl.lab.variants.games_in_steps import SeriesOfGames, play_until_decided, steps_of
from gamedsl.lab.variants.version_games import (
    Stopped,
    VersionGames,
    VersionPlan,
    code_of,
    compile_states,
    has_more,
    play_searched,
    play_version,
    solve_version,
)
from gamedsl.language.source import lazy_dataclass

# to look for a game in which the versions part, of an imagined machine: of two versions, and of one with all its changes
SECONDS, FEW_SECONDS = 1.0, 0.25
WIDE, SPARSELY = 50_000, 61  # moves listed in a game; where there are more, choices are counted in every 61st ply
SHORTENING = 0.1  # of the usual effort to shorten such a game, for each of many changes


@lazy_dataclass(frozen=True)
class VersionComparison:
    """Two versions side by side.

    ``random``, ``searched``: the tests of their figures; empty if there are no games. ``old_value``, ``new_value``: the
    first seat's utility with best play, if it is known. ``line``: best play of the new version. ``difference``: a game
    in which they part. ``is_same``: they part in no game (proved). ``is_alike``: all random games were the same.
    ``games``: the number of random games of each version; ``unfinished``: which share of them was cut off, in the old
    version and in the new one.
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
    games: int = 0
    unfinished: tuple[float, float] = (0.0, 0.0)

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
        self.games = self._series(game)
        self.solved = solve_version(game, plan.limit, plan.in_steps)
        self._searched: VersionGames | None = None
        self._comparer: Comparer | None = None
        self._states_of: Callable[[Game], Game] = lambda game: game

    def search(self) -> VersionGames | None:
        """Makes the searched games, once."""
        if self._searched is None:
            self._searched = play_searched(self.game, self.plan, self.stopped)
        return self._searched

    def compare(self, other: Game) -> VersionComparison:
        """Compares the version with another one: by random games, by search where those show no difference, and
        exactly where both can be solved.
        """
        random, mine, others = self._random(other)
        fails = mine is not None and others is None
        played = None if mine is None or others is None else Played(mine.shortest_difference(others), self.every)
        difference, is_same = self._parting(other, played)
        searched: list[FigureTest] = []
        if not is_same and not fails and not any(t.is_significant for t in random):
            my_search, other_search = self.search(), play_searched(other, self.plan, self.stopped)
            if my_search is not None and other_search is not None:
                searched = figure_tests_of(my_search, other_search, self.game.players)
        cut = (0.0, 0.0) if mine is None or others is None else (mine.cut_off, others.cut_off)
        solved = (
            None if fails else self.solved if is_same else solve_version(other, self.plan.limit, self.plan.in_steps)
        )
        return VersionComparison(
            random, searched, _value(self.solved), _value(solved), () if solved is None else solved.line, difference,
            is_same, played is not None and played.number is None, fails, 0 if others is None else len(others), cut,
        )  # fmt: skip

    def _series(self, game: Game) -> SeriesOfGames:
        return SeriesOfGames(lambda numbers: play_version(game, self.plan, self.stopped, numbers, self.every))

    @cached_property
    def every(self) -> int:
        """In how many plies choices are counted once: if a game would list too many moves, not in every one."""
        first = play_version(self.game, self.plan, never, range(1))
        return SPARSELY if first is not None and first.listed > WIDE else 1

    def _random(self, other: Game) -> tuple[list[FigureTest], VersionGames | None, VersionGames | None]:
        """Makes random games of both versions. Returns the tests and the games (None: they cannot be made)."""
        games, series = self.plan.games, self._series(other)
        if self.plan.in_steps:
            return play_until_decided(self.games, series, games, self.game.players)
        for number in steps_of(games):
            mine = self.games.first(number)
            others = None if mine is None else series.first(number)
        if mine is None or others is None:
            return [], mine, others
        return figure_tests_of(mine, others, self.game.players), mine, others

    def _parting(self, other: Game, played: Played | None) -> tuple[Difference | None, bool]:
        """Returns a game in which the versions part, the shortest one where all positions are compared; and whether
        they part in none. ``played``: the random games of both, if they were made.
        """
        start, in_steps = Start(()), self.plan.in_steps
        if self._comparer is None:
            is_large = has_more(self.game, WHOLE_STATES, in_steps)
            if in_steps:
                self._states_of = compile_states
            old = self._states_of(self.game)
            self._comparer = Comparer(
                lambda start: old.initial_state(), [start], self.plan.seed,
                FEW_SECONDS if in_steps else SECONDS, CountedEffort(),
                large={start} if is_large else (), shortening=SHORTENING if in_steps else 1.0,
                code_of=lambda game: code_of(game, in_steps),
            )  # fmt: skip
        new = self._states_of(other)
        found = self._comparer.compare(lambda start: new.initial_state(), [start], played)
        return found.difference, found.proved


def compare_versions(old: Game, new: Game, plan: VersionPlan, stopped: Stopped) -> VersionComparison:
    """Compares two versions of a game."""
    return Original(old, plan, stopped).compare(new)


def _value(solved: Solved | None) -> float | None:
    return None if solved is None else float(solved.bounds[0][0])
