"""Measures a game for all combinations of values of its options, the promising ones with more games."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, field
from itertools import product
from typing import Any

from gamedsl.engine import Game, InterpretedGame
from gamedsl.lab.shards import ShardRunner, never
from gamedsl.lab.statistics import Z95, Estimate, bounded_mean, wilson
from gamedsl.lab.sweeps.combination_parts import (
    CombinationPart,
    Depth,
    DepthPart,
    GameRows,
    Levels,
    ValuePart,
    game_parts,
    joined,
)
from gamedsl.lab.sweeps.named_numbers import load_with_numbers
from gamedsl.lab.variants import VersionGames, VersionPlan
from gamedsl.language.source import GameDSLError, lazy_dataclass

# by name, whether more is better (1), less is better (-1), or neither (0)
METRICS = {"fairness": 1, "draws": -1, "length": -1, "choices": 0, "depth": 1}
FEW_GAMES = 50  # in the first round of successive halving, at least
NO_GAMES = "no games: players draw, or the rules go wrong"


@lazy_dataclass(frozen=True)
class SweepPlan:
    """What is measured.

    ``values``: of each option or named number that varies. ``fixed``: the others that are set. ``metrics``: names of
    ``METRICS``; the first one decides which combinations get more games. ``version``: the games of the last round, and
    how they are played. ``rounds``: with each, the worse half of the combinations is given up and the number of games
    doubles. ``player``: the name of the player. ``levels``: measures depth; ``ladder``: everything on which it depends
    besides the game.
    """

    file: str
    values: Mapping[str, Sequence[str]]
    fixed: Mapping[str, str]
    metrics: Sequence[str]
    version: VersionPlan
    rounds: int = 1
    player: str = "random"
    levels: Levels | None = None
    ladder: str = ""

    @property
    def combinations(self) -> list[dict[str, str]]:
        return [dict(zip(self.values, row, strict=True)) for row in product(*self.values.values())]


@lazy_dataclass()
class Measured:
    """One combination of values.

    ``figures``: by metric the value and the ends of its interval. ``games``: of the last measurement. ``value``: the
    first seat's utility with best play, if the game is solved. ``problem``: why there are no figures.
    """

    values: dict[str, str]
    figures: dict[str, tuple[float, float, float]] = field(default_factory=dict)
    games: int = 0
    value: float | None = None
    problem: str = ""

    def to_json(self) -> dict[str, Any]:
        """Returns the measurement as plain data."""
        data = asdict(self)
        data["figures"] = {
            name: {"value": v, "low": low, "high": high} for name, (v, low, high) in self.figures.items()
        }
        return data


def sweep(
    plan: SweepPlan, stopped: Callable[[], bool] = never, runner: ShardRunner | None = None
) -> Iterator[list[Measured]]:
    """Yields all combinations after every measurement. What the runner's file has is not measured again. Raises the
    first ``GameDSLError`` if no combination gives a game that the player can play."""
    rows = [Measured(values) for values in plan.combinations]
    todo, runner, kept = list(rows), runner or ShardRunner(), dict[int, _Kept]()
    for number in range(plan.rounds):
        games = max(min(FEW_GAMES, plan.version.games), plan.version.games >> (plan.rounds - 1 - number))
        for _ in _Round(plan, todo, games, number == plan.rounds - 1, kept).measure(runner, stopped):
            yield rows
        good = [row for row in todo if not row.problem]
        if stopped() or not good:
            return
        direction = METRICS[plan.metrics[0]] or 1
        good.sort(key=lambda row: -direction * row.figures[plan.metrics[0]][0])
        todo = good[: (len(good) + 1) // 2]


@lazy_dataclass()
class _Kept:
    """What a later round does not do again for a combination: reading its rules, best play, the ladder."""

    game: Game
    has_value: bool = False
    depth: Depth | None = None


class _Round:
    """The measurement of combinations with the same number of games. ``last``: in the last round. ``kept``: what earlier
    rounds found, by the identity of the combination."""

    def __init__(
        self, plan: SweepPlan, todo: Sequence[Measured], games: int, last: bool, kept: dict[int, _Kept]
    ) -> None:
        self.plan, self.todo, self.games, self.kept = plan, todo, games, kept
        self.has_depth = plan.levels is not None and "depth" in _names(plan, last)
        self.begun: deque[tuple[Measured, int]] = deque()  # combinations in question, with the number of parts of each
        self.problems: list[GameDSLError] = []

    def measure(self, runner: ShardRunner, stopped: Callable[[], bool]) -> Iterator[Measured]:
        """Yields the combinations that have figures, as soon as they have them. Raises the first ``GameDSLError`` if none
        gives a game."""
        answers = list[Any]()
        for answer in runner.each(self._parts(), stopped):
            answers.append(answer)
            row, parts = self.begun[0]
            if len(answers) == parts:
                self.begun.popleft()
                self._finish(row, answers)
                answers = []
                yield row
        if len(self.problems) == len(self.todo):
            raise self.problems[0]

    def _parts(self) -> Iterator[CombinationPart[Any]]:
        """Yields what is to be measured of all combinations, one after the other."""
        plan = self.plan
        for row in self.todo:
            try:
                kept = self._kept(row)
            except GameDSLError as problem:
                row.problem = problem.diagnostics[0].message
                self.problems.append(problem)
                continue
            parts: list[CombinationPart[Any]] = [*game_parts(kept.game, plan.version, self.games)]
            if not kept.has_value:
                parts.append(ValuePart(kept.game, plan.version.limit))
            if self.has_depth and plan.levels is not None and kept.depth is None:
                parts.append(DepthPart(kept.game, plan.levels, plan.ladder))
            self.begun.append((row, len(parts)))
            yield from parts

    def _kept(self, row: Measured) -> _Kept:
        """Returns what is known of a combination. Raises ``GameDSLError`` if it gives no game, or none for the player."""
        plan = self.plan
        if id(row) not in self.kept:
            game = InterpretedGame(load_with_numbers(plan.file, {**plan.fixed, **row.values}))
            if plan.version.player is not None:
                plan.version.player(game)  # its reason if it cannot play this game
            self.kept[id(row)] = _Kept(game)
        return self.kept[id(row)]

    def _finish(self, row: Measured, answers: list[Any]) -> None:
        """Computes the figures of a combination from the answers to its parts."""
        kept = self.kept[id(row)]
        if self.has_depth and kept.depth is None:
            kept.depth = answers.pop()
        depth = kept.depth if self.has_depth and kept.depth is not None else Depth()
        value: float | None = row.value if kept.has_value else answers.pop()
        kept.has_value = True
        blocks: list[GameRows] = answers
        played = joined(blocks)
        row.problem = NO_GAMES if played is None else depth.problem
        row.figures, row.games, row.value = {}, 0, None
        if played is not None and not row.problem:
            row.figures = {name: _figure(name, played) for name in self.plan.metrics if name != "depth"}
            row.games, row.value = len(played), value
            if self.has_depth:
                row.figures["depth"] = depth.levels


def _names(plan: SweepPlan, last: bool) -> list[str]:
    """The figures of a round: depth is only measured in the last one, unless it decides who stays."""
    return [name for name in plan.metrics if name != "depth" or last or plan.metrics[0] == "depth"]


def _figure(name: str, games: VersionGames) -> tuple[float, float, float]:
    if name == "fairness":
        return fairness(games)
    if name == "draws":
        drawn = (games.results == 0).all(axis=1)
        return _with_ends(wilson(int(drawn.sum()), len(drawn)))
    middle, low, high = _mean({"length": games.lengths, "choices": games.choices}[name])
    return middle, max(0.0, low), high


def fairness(games: VersionGames) -> tuple[float, float, float]:
    """Returns 1 minus the difference between the scores of the best and the worst seat, with its interval. A game's
    point is divided among the seats with the greatest utility.
    """
    best = games.points == games.points.max(axis=1, keepdims=True)
    scores = best / best.sum(axis=1, keepdims=True)
    if scores.shape[1] < 2:
        return 1.0, 1.0, 1.0
    means = scores.mean(axis=0)
    gap, low, high = _with_ends(bounded_mean(scores[:, means.argmax()] - scores[:, means.argmin()], -1, 1))
    return 1 - gap, max(0.0, 1 - high), min(1.0, 1 - low)


def _with_ends(found: Estimate | None) -> tuple[float, float, float]:
    assert found is not None and found.low is not None and found.high is not None  # there are games
    return found.value, found.low, found.high


def _mean(sample: Any) -> tuple[float, float, float]:
    middle = float(sample.mean())
    half = Z95 * float(sample.std(ddof=1)) / len(sample) ** 0.5 if len(sample) > 1 else 0.0
    return middle, middle - half, middle + half
