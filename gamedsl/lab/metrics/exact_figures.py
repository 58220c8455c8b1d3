"""Figures of games whose positions can all be found: the value, the results of random games, their lengths and number."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from gamedsl.engine import Game
from gamedsl.lab.base import TOGETHER, Clock
from gamedsl.lab.explore import Edges, Graph, peel
from gamedsl.lab.metrics.counted_tree import TreeCounts, count_tree
from gamedsl.lab.solve import PlayGraph, Solved, explored, solve, utilities, values
from gamedsl.language.core import greatest_utility
from gamedsl.language.source import UsageError, lazy_dataclass


@lazy_dataclass(frozen=True)
class ExactFigures:
    """What is known without samples.

    ``value``: per seat the bounds of its utility with best play. ``plies``: the length of the game with best play.
    ``positions``: how many there are (``complete``), or how many were found. ``random``: the exact figures of random
    games; None if a game can return to a position, or not all positions are known. ``why``: why nothing is known.
    """

    value: tuple[tuple[float, float], ...] = ()
    plies: int | None = None
    positions: int = 0
    complete: bool = False
    random: TreeCounts | None = None
    blunder_cost: float | None = None
    why: str = ""

    @property
    def is_solved(self) -> bool:
        return bool(self.value) and all(high - low < 1e-9 for low, high in self.value)

    def to_json(self) -> dict[str, Any]:
        """Returns the figures as plain data."""
        data = asdict(self)
        if self.random is not None:
            data["random"]["games"] = str(self.random.games)  # it may exceed the integers of JSON readers
        return data


def exact_figures(game: Game, limit: int, seconds: float | None = None) -> ExactFigures:
    """Solves a game, as far as ``limit`` positions and ``seconds`` (of each method) allow, and counts its tree."""
    start = game.initial_state()
    try:
        found = solve(start, limit=limit, method="graph", seconds=seconds)
    except UsageError as problem:
        return ExactFigures(why=problem.diagnostics[0].message)
    if not found.complete:
        with suppress(UsageError):  # it does not suit all games
            deep = solve(start, limit=limit, method="depth", seconds=seconds)
            found = replace(found, bounds=deep.bounds) if deep.known else found
    bounds = tuple((float(low), float(high)) for low, high in found.bounds)
    counts = cost = None
    if found.complete and not found.repetition:
        graph = explored(start, limit)
        counts, cost = _counted(graph, found)
    return ExactFigures(bounds, found.plies, found.positions, found.complete, counts, cost)


def _counted(graph: PlayGraph, found: Solved) -> tuple[TreeCounts | None, float | None]:
    whole: Graph = graph.found
    height, stays = peel(Edges.of(whole, None, Clock()), np.ones(len(whole), dtype=np.int64))
    if stays.any():
        return None, None
    order = [int(i) for i in np.argsort(-height, kind="stable")]
    counts = count_tree(whole, order, utilities(graph, "result"))
    return counts, None if TOGETHER in whole.kinds() else _blunder_cost(graph, counts.reach, found)


def _blunder_cost(graph: PlayGraph, reach: Sequence[float], found: Solved) -> float | None:
    """Returns what a random action loses against best play, on average over the choices of random games."""
    most = greatest_utility(graph.found.game.program)
    known = utilities(graph, "result")
    lost = weight = 0.0
    tables = [values(graph, seat, known.of(seat).__getitem__, (-most, most)).low for seat in range(graph.players)]
    for i in range(len(graph)):
        after = graph.successors(i)
        seat = int(graph.seats[i])
        if seat >= 0 and len(after) > 1:
            worth = [float(tables[seat][t]) / most for t in after]
            lost += reach[i] * (max(worth) - sum(worth) / len(worth))
            weight += reach[i]
    return lost / weight if weight else None
