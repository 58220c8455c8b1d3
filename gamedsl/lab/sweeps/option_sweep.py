"""Measures a game for all combinations of values of its options, the promising ones with more games."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import product
from typing import Any

from gamedsl.engine import Game, InterpretedGame
from gamedsl.lab.statistics import Z95, Estimate, bounded_mean, wilson
from gamedsl.lab.sweeps.named_numbers import load_with_numbers
from gamedsl.lab.sweeps.sweep_store import NO_GAMES, SweepStore
from gamedsl.lab.variants import VersionGames, VersionPlan, play_searched, play_version, solve_version
from gamedsl.language.source import GameDSLError

# by name, whether more is better (1), less is better (-1), or neither (0)
METRICS = {"fairness": 1, "draws": -1, "length": -1, "choices": 0, "depth": 1}
FEW_GAMES = 50  # in the first round of successive halving, at least

Levels = Callable[[Game], float]


@dataclass(frozen=True)
class SweepPlan:
    """What is measured.

    ``values``: of each option or named number that varies. ``fixed``: the others that are set. ``metrics``: names of
    ``METRICS``; the first one decides which combinations get more games. ``version``: the games of the last round, and
    how they are played. ``rounds``: with each, the worse half of the combinations is given up and the number of games
    doubles. ``player``: the name of the player; ``content``: a digest of the file by which it plays. ``levels``: measures depth.
    """

    file: str
    values: Mapping[str, Sequence[str]]
    fixed: Mapping[str, str]
    metrics: Sequence[str]
    version: VersionPlan
    rounds: int = 1
    player: str = "random"
    content: str = ""
    levels: Levels | None = None

    @property
    def combinations(self) -> list[dict[str, str]]:
        return [dict(zip(self.values, row, strict=True)) for row in product(*self.values.values())]


@dataclass
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


def sweep(plan: SweepPlan, store: SweepStore, stopped: Callable[[], bool]) -> Iterator[list[Measured]]:
    """Yields all combinations after every measurement. What the store has is not measured again. Raises the first
    ``GameDSLError`` if no combination gives a game that the player can play."""
    rows = [Measured(values) for values in plan.combinations]
    todo, problems = list(rows), list[GameDSLError]()
    for number in range(plan.rounds):
        games = max(min(FEW_GAMES, plan.version.games), plan.version.games >> (plan.rounds - 1 - number))
        for row in todo:
            if stopped():
                return
            try:
                _measure(plan, row, games, store, stopped, last=number == plan.rounds - 1)
            except GameDSLError as problem:
                row.problem = problem.diagnostics[0].message
                problems.append(problem)
                if len(problems) == len(rows):
                    raise problems[0] from None
            yield rows
        good = [row for row in todo if not row.problem]
        direction = METRICS[plan.metrics[0]] or 1
        good.sort(key=lambda row: -direction * row.figures[plan.metrics[0]][0])
        todo = good[: max(1, (len(good) + 1) // 2)]


def _measure(
    plan: SweepPlan, row: Measured, games: int, store: SweepStore, stopped: Callable[[], bool], last: bool
) -> None:
    game = InterpretedGame(load_with_numbers(plan.file, {**plan.fixed, **row.values}))
    if plan.version.player is not None:
        plan.version.player(game)  # its reason if it cannot play this game
    settings = f"{games} {plan.version.seed} {plan.version.limit} {plan.version.most} {plan.player} {plan.content}"
    key = f"{game.digest} {settings} {','.join(plan.metrics)} {last}"
    known = store.find(key, _names(plan, last))
    if known is None:
        known = _figures(plan, game, games, stopped, last)
        if stopped():
            return
        store.keep(key, known)
    row.figures = {name: (f[0], f[1], f[2]) for name, f in known["figures"].items()}
    row.games, row.value, row.problem = known["games"], known["value"], known["problem"]


def _figures(plan: SweepPlan, game: Game, games: int, stopped: Callable[[], bool], last: bool) -> dict[str, Any]:
    version = plan.version
    settings = VersionPlan(games, version.seed, version.limit, version.most, version.player, games)
    played = (play_version if version.player is None else play_searched)(game, settings, stopped)
    if played is None:
        return {"figures": {}, "games": 0, "value": None, "problem": NO_GAMES}
    figures = {name: _figure(name, played) for name in plan.metrics if name != "depth"}
    if plan.levels is not None and "depth" in _names(plan, last):
        depth = plan.levels(game)
        figures["depth"] = (depth, depth, depth)
    solved = solve_version(game, version.limit)
    value = None if solved is None else float(solved.bounds[0][0])
    return {"figures": figures, "games": len(played), "value": value, "problem": ""}


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
