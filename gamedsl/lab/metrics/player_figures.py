"""The metrics of the games of one player, with intervals."""

from __future__ import annotations

from collections import Counter
from dataclasses import field
from typing import Any

import numpy as np
import numpy.typing as npt

from gamedsl.engine import Game
from gamedsl.lab.metrics.game_figures import blunder_cost, figures_of, lead_of, profile
from gamedsl.lab.metrics.hidden_values import HiddenValues
from gamedsl.lab.metrics.random_games import RandomGames
from gamedsl.lab.metrics.sampled_tree import TreeSize, size_from_logs
from gamedsl.lab.metrics.touched_places import place_sizes
from gamedsl.lab.metrics.traces import CHANCE, Trace
from gamedsl.lab.simulate import outcome
from gamedsl.lab.statistics import Estimate, bootstrap, mean, wilson
from gamedsl.language.core import greatest_utility
from gamedsl.language.source import lazy_dataclass

PLIES = 200  # plies for which the cost of a blunder is listed
TENTHS = 10


@lazy_dataclass(frozen=True)
class Figure:
    """A figure with its interval. ``n``: the number of observations; ``method``: of the interval."""

    estimate: Estimate
    n: int
    method: str

    def to_json(self) -> dict[str, Any]:
        """Returns the figure as plain data."""
        return {**self.estimate.to_json(), "n": self.n, "method": self.method}


@lazy_dataclass()
class PlayerFigures:
    """The metrics of one player.

    ``results``: per seat the shares of wins, draws and losses. ``figures``: by name (see docs/reference/metrics.md).
    ``coverage``: by kind of place. ``kinds``: the shares of the kinds of moves. ``uncertainty``, ``hidden``: by tenths
    of a game. ``costs``: per ply, the mean cost of a random action and the number of decisions. ``restricted``,
    ``mirrored``: the score of a player with fewer moves, and of one who copies the other. ``shortest``: per seat, the
    length of the shortest recorded game that it won.
    """

    player: str
    games: int
    unfinished: int
    counted: int  # games from which results, lengths and choices come
    results: list[dict[str, Figure]] = field(default_factory=list)
    figures: dict[str, Figure] = field(default_factory=dict)
    coverage: dict[str, Figure] = field(default_factory=dict)
    kinds: dict[str, float] = field(default_factory=dict)
    uncertainty: list[float | None] = field(default_factory=list)
    hidden: list[float | None] = field(default_factory=list)
    costs: list[tuple[int, float, int]] = field(default_factory=list)
    restricted: dict[str, Figure] = field(default_factory=dict)
    mirrored: dict[str, Figure] = field(default_factory=dict)
    shortest: list[int | None] = field(default_factory=list)
    tree: TreeSize | None = None

    def to_json(self) -> dict[str, Any]:
        """Returns the metrics as plain data."""

        def data(figures: dict[str, Figure]) -> dict[str, Any]:
            return {name: figure.to_json() for name, figure in figures.items()}

        return {
            "player": self.player, "games": self.games, "unfinished": self.unfinished, "counted": self.counted,
            "results": [data(row) for row in self.results], "figures": data(self.figures),
            "coverage": data(self.coverage), "kinds": self.kinds, "uncertainty_by_tenths": self.uncertainty,
            "hidden_by_tenths": self.hidden,
            "blunder_cost_by_ply": [{"ply": p, "cost": c, "decisions": k} for p, c, k in self.costs],
            "restricted": data(self.restricted), "mirrored": data(self.mirrored), "shortest_wins": self.shortest,
            "tree": None if self.tree is None else {**self.tree.log10.to_json(), "probes": self.tree.probes},
        }  # fmt: skip


def summarize_player(
    game: Game, player: str, traces: list[Trace], seed: int, bulk: RandomGames | None
) -> PlayerFigures:
    """Returns the metrics of recorded games. ``bulk``: many more games of the same player, without their moves."""
    done = [t for t in traces if t.finished]
    found = PlayerFigures(player, len(traces), len(traces) - len(done), len(done))
    most = greatest_utility(game.program)
    rows: npt.NDArray[Any] = np.array([[round(u * most) for u in t.returns] for t in done], dtype=np.int64)
    lengths = Counter(sum(seat != CHANCE for seat in t.seats) for t in done)
    if bulk is not None and bulk.finished.any():
        rows, found.counted = bulk.results[bulk.finished], int(bulk.finished.sum())
        lengths = Counter(bulk.lengths[bulk.finished].tolist())
        found.tree = size_from_logs(bulk.widths, seed) if bulk.finished.all() else None
    if len(rows):
        found.results, drawn = _results(rows)
        found.shortest = _shortest(done, game.num_players) if done else []
        if game.num_players > 1:
            found.figures["drawishness"] = _share(drawn, len(rows))
    found.figures |= _figures(done, seed)
    if bulk is not None and (length := mean(lengths)) is not None:
        found.figures["length"] = Figure(length, lengths.total(), "normal")
        _count_choices(found.figures, bulk, seed)
        _count_first_mover(found.figures, game, rows, seed)
    found.coverage = _coverage(game, done, seed)
    uses = Counter(kind for t in traces for kind, seat in zip(t.kinds, t.seats, strict=True) if seat != CHANCE)
    found.kinds = {kind: number / uses.total() for kind, number in sorted(uses.items())}
    found.uncertainty = profile(done, lambda values: 1 - lead_of(values)) if game.num_players > 1 else []
    found.hidden = _hidden(game, done)
    found.costs = _costs(done)
    return found


def _share(hits: int, number: int) -> Figure:
    estimate = wilson(hits, number)
    assert estimate is not None
    return Figure(estimate, number, "wilson")


def _results(rows: npt.NDArray[Any]) -> tuple[list[dict[str, Figure]], int]:
    """Returns the shares of results per seat, and the number of drawn games."""
    kinds, counts = np.unique(rows, axis=0, return_counts=True)
    players, total = rows.shape[1], len(rows)
    tallies = [Counter[int]() for _ in range(players)]
    for utilities, number in zip(kinds.tolist(), counts.tolist(), strict=True):
        for seat in range(players):
            tallies[seat][outcome(tuple(utilities), seat)] += number
    names = {"wins": 1, "draws": 0, "losses": -1}
    return [{name: _share(t[sign], total) for name, sign in names.items()} for t in tallies], tallies[0][0]


def ratio(parts: list[tuple[float, float]], seed: int) -> Figure | None:
    """Returns the sum of numerators by the sum of denominators, with an interval over games; None without games."""
    tops, bottoms = (
        (np.array(column, dtype=np.float64) for column in zip(*parts, strict=True))
        if parts
        else (np.zeros(0), np.zeros(0))
    )
    if not bottoms.sum():
        return None
    if (bottoms == 1).all():
        if np.isin(tops, (0.0, 1.0)).all():
            return _share(int(tops.sum()), len(tops))
        estimate = bootstrap([tops], np.mean, seed)
    else:
        estimate = bootstrap([tops, bottoms], _quotient, seed)
    return None if estimate is None else Figure(estimate, len(parts), "bootstrap")


def _quotient(tops: npt.NDArray[np.float64], bottoms: npt.NDArray[np.float64], axis: int) -> npt.NDArray[np.float64]:
    found: npt.NDArray[np.float64] = tops.sum(axis=axis) / np.maximum(bottoms.sum(axis=axis), 1e-300)
    return found


def _figures(done: list[Trace], seed: int) -> dict[str, Figure]:
    parts: dict[str, list[tuple[float, float]]] = {}
    for trace in done:
        for name, part in figures_of(trace).items():
            parts.setdefault(name, []).append(part)
    found = {name: ratio(rows, seed) for name, rows in parts.items()}
    return {name: figure for name, figure in found.items() if figure is not None}


def _count_choices(figures: dict[str, Figure], bulk: RandomGames, seed: int) -> None:
    """Takes the figures about choices from the counted games."""
    for name, column in (("branching", 0), ("forced", 1)):
        parts = zip(bulk.choices[:, column].tolist(), bulk.lengths.tolist(), strict=True)
        if (found := ratio(list(parts), seed)) is not None:
            figures[name] = found


def _count_first_mover(figures: dict[str, Figure], game: Game, rows: npt.NDArray[Any], seed: int) -> None:
    """Takes the advantage of the first mover from the counted games, if the rules say who that is."""
    start = game.initial_state()
    if game.num_players > 1 and start.kind in ("player", "drawing"):
        best = rows == rows.max(axis=1, keepdims=True)
        scores = best[:, start.to_act[0]] / best.sum(axis=1) - 1 / game.num_players
        if (found := ratio([(float(s), 1.0) for s in scores], seed)) is not None:
            figures["first_mover"] = found


def _coverage(game: Game, done: list[Trace], seed: int) -> dict[str, Figure]:
    sizes = place_sizes(game.program)
    found = {name: ratio([(t.covered[name], size) for t in done], seed) for name, size in sorted(sizes.items())}
    return {name: figure for name, figure in found.items() if figure is not None}


def _hidden(game: Game, done: list[Trace]) -> list[float | None]:
    total = HiddenValues(game).total
    if not total:
        return []
    sums, counts = [0.0] * TENTHS, [0] * TENTHS
    for trace in done:
        for tenth in range(TENTHS if trace.hidden else 0):
            row = trace.hidden[tenth * len(trace.hidden) // TENTHS]
            sums[tenth] += sum(row) / len(row) / total
            counts[tenth] += 1
    return [s / c if c else None for s, c in zip(sums, counts, strict=True)]


def _costs(done: list[Trace]) -> list[tuple[int, float, int]]:
    sums, counts = dict[int, float](), Counter[int]()
    for trace in done:
        for step, actions in trace.actions.items():
            ply = 1 + sum(seat != CHANCE for seat in trace.seats[:step])
            if ply <= PLIES:
                sums[ply] = sums.get(ply, 0.0) + blunder_cost(actions)
                counts[ply] += 1
    return [(ply, sums[ply] / counts[ply], counts[ply]) for ply in sorted(counts)]


def _shortest(done: list[Trace], players: int) -> list[int | None]:
    found: list[int | None] = [None] * players
    for trace in done:
        plies = sum(seat != CHANCE for seat in trace.seats)
        for seat in range(players):
            won = outcome(trace.returns, seat) == 1
            if won and plies < (found[seat] or plies + 1):
                found[seat] = plies
    return found
