"""Counts over the whole tree of a game without cycles, from the graph of its positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

import numpy as np

from gamedsl.lab.base import CHANCE
from gamedsl.lab.explore import Graph
from gamedsl.lab.simulate import outcome
from gamedsl.lab.solve import Utilities
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class TreeCounts:
    """Exact figures of random games, in which every action is equally likely.

    ``games``: the number of different games. ``results``: per seat the probabilities of a win, a draw and a loss.
    ``length``: mean plies; ``branching``: mean choices of a decision; ``forced``: the share of decisions with one
    choice. ``shortest``: per seat, the plies of the shortest game that it wins (None: it cannot win). ``reach``: the
    expected number of visits of each position.
    """

    games: int
    results: tuple[tuple[float, float, float], ...]
    length: float
    branching: float | None
    forced: float | None
    shortest: tuple[int | None, ...]
    reach: list[float] = field(repr=False)


def count_tree(graph: Graph, order: Sequence[int], ends: Utilities) -> TreeCounts:
    """Counts a graph without cycles. ``order``: its positions, each before its successors."""
    size, kinds = len(graph), graph.kinds().tolist()
    reach, ways, soonest = [0.0] * size, [0] * size, [size] * size
    reach[0], ways[0], soonest[0] = 1.0, 1, 0
    decisions = choices = single = 0.0
    for i in order:
        after = [int(t) for t in graph.successors(i)]
        if not after or not ways[i]:
            continue
        decided = kinds[i] != CHANCE
        shares = _shares(graph, i, len(after))
        if decided:
            decisions += reach[i]
            choices += reach[i] * len(after)
            single += reach[i] * (len(after) == 1)
        for t, share in zip(after, shares, strict=True):
            reach[t] += reach[i] * share
            ways[t] += ways[i]
            soonest[t] = min(soonest[t], soonest[i] + decided)
    players = graph.game.num_players
    results = np.zeros((players, 3))
    shortest: list[int | None] = [None] * players
    games = 0
    for k, i in enumerate(ends.ends.tolist()):
        games += ways[i]
        returns = tuple(int(u) for u in ends.values[:, k])
        for seat in range(players):
            won = outcome(returns, seat)
            results[seat, 1 - won] += reach[i]
            if won == 1 and ways[i] and (shortest[seat] is None or soonest[i] < (shortest[seat] or 0)):
                shortest[seat] = soonest[i]
    return TreeCounts(
        games, tuple((float(w), float(d), float(x)) for w, d, x in results), decisions,
        choices / decisions if decisions else None, single / decisions if decisions else None, tuple(shortest), reach,
    )  # fmt: skip


def _shares(graph: Graph, i: int, number: int) -> list[float]:
    """Returns the probabilities of the successors of a position."""
    if graph.weight is None:
        return [1 / number] * number
    weights = [int(w) for w in graph.weight[graph.first[i] : graph.first[i + 1]]]
    total = sum(weights)
    return [w / total for w in weights]
