"""Values and distances of large graphs by compiled loops.

The results are those of ``retrograde``, except that with chance the values are floats between bounds. Simultaneous
choices are not supported.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from gamedsl.lab.base import Ints
from gamedsl.lab.solve import retrograde_kernel as kernel
from gamedsl.lab.solve.game_graph import CHANCE, END, Number, PlayGraph, Utilities
from gamedsl.lab.solve.retrograde import MOST_ROUNDS, TOLERANCE, Values
from gamedsl.language.source import lazy_dataclass

Flags = npt.NDArray[np.bool_]


@lazy_dataclass(frozen=True)
class Large:
    """A graph in the form that the loops take, for one seat's values.

    ``most``: no terminal value exceeds this in magnitude.
    """

    graph: PlayGraph
    seat: int
    utilities: Utilities
    most: int

    @cached_property
    def first(self) -> Ints:
        return np.asarray(self.graph.starts, dtype=np.int64)

    @cached_property
    def target(self) -> npt.NDArray[Any]:
        return np.asarray(self.graph.targets, dtype=np.int32)

    @cached_property
    def into(self) -> tuple[Ints, npt.NDArray[Any]]:
        found: tuple[Ints, npt.NDArray[Any]] = kernel.turned(self.first, self.target)
        return found

    @cached_property
    def mine(self) -> Flags:
        mine: Flags = np.asarray(self.graph.seats) == self.seat
        return mine

    @cached_property
    def chance(self) -> bool:
        return bool((np.asarray(self.graph.kinds) == CHANCE).any())

    def bounds(self, sign: int) -> Ints:
        """Returns the terminal values; at unexpanded positions the maximum (sign 1) or the minimum (-1); else 0."""
        value = np.zeros(len(self.graph), dtype=np.int64)
        value[self.utilities.ends] = self.utilities.values[self.seat]
        value[self.graph.cut :] = sign * self.most
        return value

    # ------------------------------------------------------------------------------------------------------ values

    def values(self) -> Values:
        """Returns the bounds of every position's value."""
        if self.chance:
            least, greatest = self._expected()
            return Values(least.tolist(), greatest.tolist())
        order = kernel.last_first(self.first, *self.into)
        low, high = self.bounds(-1), self.bounds(1)
        for value in (low,) if self.graph.complete else (low, high):
            if len(order) == len(self.graph):
                kernel.best_by_turns(order, self.first, self.target, self.mine, value)
            else:
                self._by_levels(value)
        return Values(self._numbers(low), self._numbers(low if self.graph.complete else high))

    def _numbers(self, value: Ints) -> list[Number]:
        return list(value.tolist())

    def _by_levels(self, value: Ints) -> None:
        """Finds where the seat can force a terminal value of at least each level; an endless game is worth 0."""
        leaf = np.diff(self.first) == 0
        levels = sorted({0, *np.unique(value[leaf]).tolist()})
        found = np.full(len(value), levels[0], dtype=np.int64)
        for level in levels[1:]:
            if level > 0:
                sure = leaf & (value >= level)
                kernel.spread_forced(self.first, *self.into, self.mine, sure)
            else:
                lost = leaf & (value < level)
                kernel.spread_forced(self.first, *self.into, ~self.mine, lost)
                sure = ~lost
            found[sure] = level
        value[~leaf] = found[~leaf]

    def _expected(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        parts = kernel.Components(*kernel.components(self.first, self.target))
        low, high = (self.bounds(sign).astype(np.float64) for sign in (-1, 1))
        weight = np.asarray(self.graph.weights, dtype=np.int64)
        kinds = np.asarray(self.graph.kinds, dtype=np.int8)
        graph = kernel.Weighted(self.first, self.target, weight, kinds, self.mine)
        kernel.iterate_intervals(graph, parts, kernel.Intervals(low, high), TOLERANCE / 100, MOST_ROUNDS)
        return low, high

    # --------------------------------------------------------------------------------------------------- distances

    def distances(self, found: Values) -> list[int | None]:
        """Returns the plies to the end of each position; see ``retrograde.distances``."""
        if self.chance or not self.graph.complete:
            return [None] * len(self.graph)
        value = np.array([int(v) for v in found.low], dtype=np.int64)
        plies = np.full(len(value), -1, dtype=np.int32)
        plies[(np.asarray(self.graph.kinds) == END) & (value != 0)] = 0
        kernel.plies_to_end(self.first, self.target, *self.into, self.mine, value, plies)
        return [p if p >= 0 else None for p in plies.tolist()]
