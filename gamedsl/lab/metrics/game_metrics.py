"""All metrics of a game: for several players, and exactly where that is possible."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from itertools import count
from math import isfinite
from typing import Any

from gamedsl.engine import Game
from gamedsl.lab.base import Clock
from gamedsl.lab.metrics.exact_figures import ExactFigures, exact_figures
from gamedsl.lab.metrics.hidden_values import HiddenValues
from gamedsl.lab.metrics.limited_players import mirrored_scores, restricted_scores
from gamedsl.lab.metrics.player_figures import PlayerFigures, summarize_player
from gamedsl.lab.metrics.random_games import play_random_games
from gamedsl.lab.metrics.random_player import RandomPlayer
from gamedsl.lab.metrics.sampled_tree import TreeSize, chen_size
from gamedsl.lab.metrics.touched_places import place_sizes
from gamedsl.lab.metrics.traces import MeasuredPlayer, RecordedGames, Trace, TracePlan
from gamedsl.lab.shards import ShardRunner
from gamedsl.lab.symmetry import Symmetry, find
from gamedsl.language.source import lazy_dataclass

COUNTED = 100  # random games that are counted for every one that is recorded
# of the time that is left, if it is limited: for each of these, at most
SOLVING, STRATA, PLAYING, COUNTING, RECORDING, SYMMETRY = 0.1, 0.1, 0.8, 0.3, 0.7, 0.5
EXPANSIONS = 500  # positions of the estimate by strata for every recorded game


Stopped = Callable[[], bool]


@lazy_dataclass(frozen=True)
class MetricsPlan:
    """What is measured.

    ``games``: recorded for each player. ``limit``: the positions within which the game is solved. ``most``: a longer
    game is cut off. ``variants``: also games of players with fewer moves. ``seconds``: a limit of the whole time (None:
    none), within which fewer games are made; the figures then depend on the machine. ``runner``: who plays the recorded
    games.
    """

    game: Game
    players: Sequence[MeasuredPlayer]
    games: int = 100
    seed: int = 0
    runner: ShardRunner = field(default_factory=ShardRunner)
    most: int = 10_000
    limit: int = 100_000
    variants: bool = True
    seconds: float | None = None


class _Shares:
    """The time of a measurement, given out in shares of what is left."""

    def __init__(self, seconds: float | None, stopped: Stopped) -> None:
        self.clock, self.stopped, self.was_over = Clock().within(seconds), stopped, False

    def take(self, share: float) -> Clock:
        """Returns a clock that ends after this share of the time that is left."""
        return self.clock.within(self.clock.left * share)

    def stop_after(self, share: float) -> Stopped:
        """Returns a function that says when the share is over, or a stop was requested."""
        clock = self.take(share)

        def is_over() -> bool:
            self.was_over = self.was_over or clock.is_over
            return clock.is_over or self.stopped()

        return is_over


@lazy_dataclass()
class GameMetrics:
    """The metrics of a game. ``symmetries``: their number, with the identity (None: not known, for the reason
    ``asymmetry``); ``hidden``: the number of values that somebody may not see; ``places``: the size of the board, by
    kind of place; ``strata``: the size of the tree by Chen's method. ``traces``: the recorded games, per player.
    ``interrupted``: by a request; ``out_of_time``: there are fewer games than planned because the time was over.
    """

    plan: MetricsPlan
    exact: ExactFigures
    bits: int
    hidden: int
    places: dict[str, int]
    symmetries: int | None = None
    asymmetry: str = ""
    strata: TreeSize | None = None
    players: list[PlayerFigures] = field(default_factory=list)
    traces: list[list[Trace]] = field(default_factory=list)
    interrupted: bool = False
    out_of_time: bool = False

    def to_json(self) -> dict[str, Any]:
        """Returns the metrics as plain data; docs/reference/metrics.md describes its fields."""
        strata = None if self.strata is None else {**self.strata.log10.to_json(), "probes": self.strata.probes}
        return {
            "seed": self.plan.seed, "games": self.plan.games, "exact": self.exact.to_json(),
            "symmetries": self.symmetries, "bits": self.bits, "hidden_values": self.hidden, "places": self.places,
            "tree_by_strata": strata, "players": [p.to_json() for p in self.players], "interrupted": self.interrupted,
            "out_of_time": self.out_of_time,
        }  # fmt: skip


def measure(plan: MetricsPlan, stopped: Stopped, progress: Callable[[str], None]) -> GameMetrics:
    """Measures a game. The results depend on the seed, not on ``runner``, nor on the machine unless the time is limited.
    A stop keeps what was finished.
    """
    game, shares = plan.game, _Shares(plan.seconds, stopped)
    progress("solving")
    left = shares.take(SOLVING).left
    exact = exact_figures(game, plan.limit, left if isfinite(left) else None)
    metrics = GameMetrics(plan, exact, game.layout.total, HiddenValues(game).total, place_sizes(game.program))
    if exact.random is None:
        progress("estimating the size of the tree")
        metrics.strata = chen_size(game, plan.seed, EXPANSIONS * plan.games, shares.stop_after(STRATA))
    for done, player in enumerate(plan.players):
        share = (PLAYING if plan.variants else 1) / (len(plan.players) - done)
        for figures, traces in _measure_player(plan, player, (shares, share), progress):
            metrics.players.append(figures)
            metrics.traces.append(traces)
    progress("looking for symmetries")
    symmetries = find(game.program, clock=shares.take(SYMMETRY))
    metrics.symmetries = None if symmetries.why and symmetries.total == 1 else symmetries.total
    metrics.asymmetry = symmetries.why
    _measure_mirrors(metrics, symmetries.turns, shares, progress)
    metrics.interrupted, metrics.out_of_time = stopped(), shares.was_over
    return metrics


def _measure_player(
    plan: MetricsPlan,
    player: MeasuredPlayer,
    time: tuple[_Shares, float],
    progress: Callable[[str], None],
) -> Iterator[tuple[PlayerFigures, list[Trace]]]:
    """Yields the metrics of one player; nothing if it was stopped before the first game. ``time``: with the share that
    is for this player.
    """
    bulk, (shares, share) = None, time
    if isinstance(player, RandomPlayer):
        progress("random games")
        bulk = play_random_games(
            plan.game, range(COUNTED * plan.games), plan.seed, plan.most, shares.stop_after(share * COUNTING)
        )
    traces, done = list[Trace](), count(1)
    stop = shares.stop_after(share * (RECORDING if plan.variants else 1))
    question = RecordedGames(TracePlan(plan.game, player, plan.seed, plan.most))
    for trace in plan.runner.items(question, plan.games, stop):
        traces.append(trace)
        progress(f"{player.text}: game {next(done)} of {plan.games}")
    if not traces and bulk is None:
        return
    figures = summarize_player(plan.game, player.text, traces, plan.seed, bulk)
    if plan.variants and plan.game.num_players > 1:
        stop = shares.stop_after(share)
        plain = TracePlan(plan.game, player, plan.seed, plan.most, assess=False)
        progress(f"{player.text}: restricted play")
        figures.restricted = restricted_scores(plain, plan.games, stop, plan.runner)
    yield figures, traces


def _measure_mirrors(
    metrics: GameMetrics, turns: list[Symmetry], shares: _Shares, progress: Callable[[str], None]
) -> None:
    """Adds the scores of second seats that copy the first one."""
    plan = metrics.plan
    if not plan.variants or not turns:
        return
    for done, figures in enumerate(metrics.players):
        player = next(p for p in plan.players if p.text == figures.player)
        progress(f"{player.text}: mirrored play")
        stop = shares.stop_after(1 / (len(metrics.players) - done))
        plain = TracePlan(plan.game, player, plan.seed, plan.most, assess=False)
        figures.mirrored = mirrored_scores(plain, turns, plan.games, stop, plan.runner)
