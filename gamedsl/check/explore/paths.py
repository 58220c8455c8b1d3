"""How plays can run through a graph of states: the longest, those that go round for ever, those that must come by."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gamedsl.check.base.arrays import Ints
from gamedsl.check.base.clock import Clock
from gamedsl.check.base.successors import CHANCE, TOGETHER, is_half
from gamedsl.check.explore.compiled import NativeStore
from gamedsl.check.explore.graph import Graph

Mask = npt.NDArray[np.bool_]


def costs(graph: Graph) -> Ints:
    """Per state how many plies a way on from it is: 0 where chance falls, and where others still choose in the same ply;
    else 1."""
    kinds = graph.kinds()
    cost = np.ones(len(graph), dtype=np.int64)
    cost[kinds == CHANCE] = 0
    if isinstance(graph.store, NativeStore) and TOGETHER in kinds:
        cost[graph.store.still_open() > 1] = 0
        return cost
    for i in np.flatnonzero(kinds == TOGETHER):
        cost[i] = 0 if is_half(graph.state(int(i))) else 1
    return cost


@dataclass(frozen=True)
class Edges:
    """Edges between states: ``sources[e]`` to ``targets[e]``. ``size`` is the number of states."""

    size: int
    sources: Ints
    targets: Ints

    @staticmethod
    def of(graph: Graph, within: Mask | None = None) -> Edges:
        """All edges of a graph, or those that stay within a set of states."""
        sources, targets = graph.edge_sources(), graph.target
        kept = targets >= 0
        if within is not None:
            kept &= within[sources] & within[targets]
        return Edges(len(graph), sources[kept], targets[kept])

    def turned(self) -> Edges:
        return Edges(self.size, self.targets, self.sources)

    def rows(self) -> tuple[Ints, Ints]:
        """Per state where its edges begin in the order of the sources; and the targets in that order."""
        order = np.argsort(self.sources, kind="stable")
        counts = np.bincount(self.sources, minlength=self.size)
        return np.concatenate(([0], np.cumsum(counts))).astype(np.int64), self.targets[order]


def peel(edges: Edges, cost: Ints | None = None, clock: Clock | None = None) -> tuple[Ints, Mask]:
    """Takes away the states without a way on, again and again. Per state the cost of its longest way (of those taken
    away), and those that stay: from these a play can go on for ever. OutOfTime when ``clock`` allows no more."""
    left = np.bincount(edges.sources, minlength=edges.size)
    begins, before = edges.turned().rows()
    height = np.zeros(edges.size, dtype=np.int64)
    stays = np.ones(edges.size, dtype=bool)
    ready = np.flatnonzero(left == 0)
    clock = clock or Clock()
    while len(ready):
        clock.check()
        stays[ready] = False
        sources, targets = gathered(begins, before, ready)
        if cost is not None:
            np.maximum.at(height, targets, height[sources] + cost[targets])
        np.subtract.at(left, targets, 1)
        touched = np.unique(targets)
        ready = touched[left[touched] == 0]
    return height, stays


def gathered(begins: Ints, targets: Ints, chosen: Ints) -> tuple[Ints, Ints]:
    """The edges of the chosen states: sources and targets."""
    counts = begins[chosen + 1] - begins[chosen]
    sources = np.repeat(chosen, counts)
    shift = np.repeat(begins[chosen] - np.concatenate(([0], np.cumsum(counts)[:-1])), counts)
    return sources, targets[np.arange(len(sources), dtype=np.int64) + shift]


def reaches(edges: Edges, goals: Mask) -> Mask:
    """The states from which a goal can be reached (goals included)."""
    begins, before = edges.turned().rows()
    found = goals.copy()
    new = np.flatnonzero(goals)
    while len(new):
        _, targets = gathered(begins, before, new)
        new = np.unique(targets[~found[targets]])
        found[new] = True
    return found


def cycle(edges: Edges, stays: Mask) -> list[int]:
    """A cycle as near to the first state as its nearest state allows, of the states that ``peel`` leaves: its states in
    order. ``stays`` must not be empty."""
    kept = stays[edges.sources] & stays[edges.targets]
    inner = Edges(edges.size, edges.sources[kept], edges.targets[kept])
    _, both = peel(inner.turned())
    begins, targets = inner.rows()
    for start in np.flatnonzero(both & stays):
        found = _round(begins, targets, int(start))
        if found:
            return found
    raise AssertionError("states that stay lead to a cycle")


def _round(begins: Ints, targets: Ints, start: int) -> list[int]:
    """A shortest cycle through a state; empty when there is none."""
    parent: dict[int, int] = {}
    todo = deque([start])
    while todo:
        i = todo.popleft()
        for j in map(int, targets[begins[i] : begins[i + 1]]):
            if j == start:
                found = [i]
                while found[-1] != start:
                    found.append(parent[found[-1]])
                return found[::-1]
            if j not in parent:
                parent[j] = i
                todo.append(j)
    return []


def must_come(graph: Graph, goals: Mask, edges: Edges) -> Mask:
    """The states from which every play comes to a goal, however it goes on. Where the search was cut short the best is
    assumed: states that are not expanded count as goals."""
    good = goals.copy()
    good[graph.expanded :] = True
    left = np.bincount(edges.sources, minlength=edges.size)
    ends = left == 0
    begins, before = edges.turned().rows()
    new = np.flatnonzero(good)
    while len(new):
        _, targets = gathered(begins, before, new)
        np.subtract.at(left, targets, 1)
        touched = np.unique(targets)
        new = touched[(left[touched] == 0) & ~good[touched] & ~ends[touched]]
        good[new] = True
    return good
