"""All metrics of a game: for several players, and exactly where that is possible."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
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
from gamedsl.lab.metrics.traces import MeasuredPlayer, Trace, TracePlan, record_games
from gamedsl.lab.symmetry import Symmetry, find

COUNTED = 100  # random games that are counted for every one that is recorded
SYMMETRY_SECONDS = 30.0  # a ruleset whose symmetries take longer counts as one without any
EXPANSIONS = 500  # positions of the estimate by strata for every recorded game


@dataclass(frozen=True)
class MetricsPlan:
    """What is measured.

    ``games``: recorded for each player. ``limit``: the positions within which the game is solved. ``most``: a longer
    game is cut off. ``variants``: also games of players with fewer moves.
    """

    game: Game
    players: Sequence[MeasuredPlayer]
    games: int = 100
    seed: int = 0
    jobs: int = 1
    most: int = 10_000
    limit: int = 100_000
    variants: bool = True


@dataclass
class GameMetrics:
    """The metrics of a game. ``symmetries``: their number, with the identity; ``hidden``: the number of values that
    somebody may not see; ``places``: the size of the board, by kind of place; ``strata``: the size of the tree by Chen's
    method. ``traces``: the recorded games, per player.
    """

    plan: MetricsPlan
    exact: ExactFigures
    symmetries: int
    bits: int
    hidden: int
    places: dict[str, int]
    strata: TreeSize | None = None
    players: list[PlayerFigures] = field(default_factory=list)
    traces: list[list[Trace]] = field(default_factory=list)
    interrupted: bool = False

    def to_json(self) -> dict[str, Any]:
        """Returns the metrics as plain data; docs/reference/metrics.md describes its fields."""
        strata = None if self.strata is None else {**self.strata.log10.to_json(), "probes": self.strata.probes}
        return {
            "seed": self.plan.seed, "games": self.plan.games, "exact": self.exact.to_json(),
            "symmetries": self.symmetries, "bits": self.bits, "hidden_values": self.hidden, "places": self.places,
            "tree_by_strata": strata, "players": [p.to_json() for p in self.players], "interrupted": self.interrupted,
        }  # fmt: skip


def measure(plan: MetricsPlan, stopped: Callable[[], bool], progress: Callable[[str], None]) -> GameMetrics:
    """Measures a game. The results depend on the seed, not on ``jobs``. A stop keeps what was finished."""
    game = plan.game
    progress("solving")
    exact = exact_figures(game, plan.limit)
    progress("looking for symmetries")
    symmetries = find(game.program, clock=Clock().within(SYMMETRY_SECONDS))
    metrics = GameMetrics(
        plan, exact, symmetries.total, game.layout.total, HiddenValues(game).total, place_sizes(game.program)
    )
    if exact.random is None:
        progress("estimating the size of the tree")
        metrics.strata = chen_size(game, plan.seed, EXPANSIONS * plan.games, stopped)
    for player in plan.players:
        for figures, traces in _measure_player(plan, player, symmetries.turns, stopped, progress):
            metrics.players.append(figures)
            metrics.traces.append(traces)
    metrics.interrupted = stopped()
    return metrics


def _measure_player(
    plan: MetricsPlan,
    player: MeasuredPlayer,
    turns: list[Symmetry],
    stopped: Callable[[], bool],
    progress: Callable[[str], None],
) -> Iterator[tuple[PlayerFigures, list[Trace]]]:
    """Yields the metrics of one player; nothing if it was stopped before the first game."""
    bulk = None
    if isinstance(player, RandomPlayer):
        progress("random games")
        bulk = play_random_games(plan.game, COUNTED * plan.games, plan.seed, plan.most, stopped)
    traces, done = list[Trace](), count(1)
    for trace in record_games(TracePlan(plan.game, player, plan.seed, plan.most), plan.games, plan.jobs, stopped):
        traces.append(trace)
        progress(f"{player.text}: game {next(done)} of {plan.games}")
    if not traces:
        return
    figures = summarize_player(plan.game, player.text, traces, plan.seed, bulk)
    if plan.variants and plan.game.num_players > 1:
        plain = TracePlan(plan.game, player, plan.seed, plan.most, assess=False)
        progress(f"{player.text}: restricted play")
        figures.restricted = restricted_scores(plain, plan.games, stopped)
        figures.mirrored = mirrored_scores(plain, turns, plan.games, stopped)
    yield figures, traces
