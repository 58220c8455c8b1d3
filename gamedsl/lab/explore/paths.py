"""Paths through a state graph: longest games, cycles, inevitable states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from gamedsl.lab.base import CHANCE, TOGETHER, Clock, Ints, Numbers, is_half
from gamedsl.lab.explore.kernels.path_kernel import Rows, settle_back, spread, turn_round
from gamedsl.lab.explore.native_store import NativeStore
from gamedsl.lab.explore.state_graph import Graph
from gamedsl.language.source import lazy_dataclass

Mask = npt.NDArray[np.bool_]
MOST_EDGES = 1 << 20  # followed between two checks of the clock
FEW_EDGES = 1 << 15  # below this many edges Python follows them, since loading the compiled loops costs more
MOST_STARTS = 32  # states from which a shortest cycle is sought, at most


def costs(graph: Graph, clock: Clock | None = None) -> Ints:
    """Returns the cost of each state's actions in plies: 0 for chance, and if others still choose in the same ply;
    else 1.
    """
    kinds = graph.kinds()
    cost = np.ones(len(graph), dtype=np.int64)
    cost[kinds == CHANCE] = 0
    if isinstance(graph.store, NativeStore) and TOGETHER in kinds:
        cost[graph.store.still_open() > 1] = 0
        return cost
    for i in np.flatnonzero(kinds == TOGETHER):
        (clock or Clock()).check()
        cost[i] = 0 if is_half(graph.state(int(i))) else 1
    return cost


@lazy_dataclass(frozen=True)
class Edges:
    """The edges between states. Raises ``OutOfTime`` if an operation takes longer than ``clock`` allows."""

    rows: Rows
    clock: Clock = field(default_factory=Clock)

    @staticmethod
    def of(graph: Graph, within: Mask | None = None, clock: Clock | None = None, leaving: bool = False) -> Edges:
        """Returns all edges of a graph, or those within a set of states, with those ``leaving`` it if wanted."""
        clock = clock or Clock()
        first, targets = np.asarray(graph.first), np.asarray(graph.target, dtype=np.int32)
        clock.check()
        last = np.full(len(graph) - graph.expanded, first[-1], dtype=np.int64)
        whole = Edges(Rows(np.concatenate((first, last)).astype(np.int64), targets), clock)
        kept = targets >= 0
        if within is not None:
            kept &= np.repeat(within, np.diff(whole.rows.begins)) & (within[targets] | leaving)
        return whole.those(kept)

    @property
    def size(self) -> int:
        """The number of states."""
        return len(self.rows.begins) - 1

    @property
    def sources(self) -> Ints:
        """The state that each edge leaves."""
        return np.repeat(np.arange(self.size, dtype=np.int64), np.diff(self.rows.begins))

    def those(self, kept: Mask) -> Edges:
        """Returns a subset of the edges."""
        if kept.all():
            return self
        self.clock.check()
        before = np.concatenate(([0], np.cumsum(kept)))
        return Edges(Rows(before[self.rows.begins], self.rows.targets[kept]), self.clock)

    @cached_property
    def back(self) -> Edges:
        """The reversed edges."""
        rows, clock = self.rows, self.clock
        clock.check()
        counts = np.bincount(rows.targets, minlength=self.size)
        begins = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
        free, sources = begins[:-1].copy(), np.empty(len(rows.targets), dtype=np.int32)
        ends = np.searchsorted(rows.begins, np.arange(MOST_EDGES, len(sources) + MOST_EDGES, MOST_EDGES), "right") - 1
        begin = 0
        for end in [*np.unique(ends).tolist(), self.size]:
            clock.check()
            _loop(turn_round, self)(rows, begin, end, free, sources)
            begin = end
        return Edges(Rows(begins, sources), clock)


NO_COST: Ints = np.zeros(0, dtype=np.int64)


def peel(edges: Edges, cost: Ints | None = None) -> tuple[Ints, Mask]:
    """Repeatedly removes states without successors.

    Returns, for each state, the cost of its longest path (if it was removed), and a mask of the states that remain:
    from these a game can continue forever.
    """
    gone = np.diff(edges.rows.begins) == 0
    height = _settle(edges, gone, NO_COST if cost is None else cost)
    return height, ~gone


def _settle(edges: Edges, found: Mask, cost: Ints = NO_COST) -> Ints:
    """Adds to ``found`` all states whose edges all lead to found ones, repeatedly. Returns the costs of their longest
    paths.
    """
    height, left = np.zeros(edges.size, dtype=np.int64), np.diff(edges.rows.begins)
    queue, at = _queue(edges.size, np.flatnonzero(found))
    while at[0] < at[1]:
        edges.clock.check()
        _loop(settle_back, edges)(edges.back.rows, cost, left, found, height, queue, at, MOST_EDGES)
    return height


def _loop(kernel: Callable[..., Any], edges: Edges) -> Callable[..., Any]:
    """Returns a compiled loop, or its Python version if there are few edges."""
    plain: Callable[..., Any] = kernel.py_func  # type: ignore[attr-defined]
    return plain if len(edges.rows.targets) < FEW_EDGES else kernel


def _queue(size: int, states: Ints) -> tuple[Numbers, Ints]:
    queue = np.empty(size, dtype=np.int32)
    queue[: len(states)] = states
    return queue, np.array([0, len(states)], dtype=np.int64)


def reaches(edges: Edges, goals: Mask) -> Mask:
    """Returns a mask of the states from which a goal is reachable (including the goals)."""
    parent: Numbers = np.where(goals, 0, -1).astype(np.int32)
    queue, at = _queue(edges.size, np.flatnonzero(goals))
    while at[0] < at[1]:
        edges.clock.check()
        _loop(spread, edges)(edges.back.rows, parent, -1, queue, at, MOST_EDGES)
    return np.asarray(parent >= 0)


def must_come(graph: Graph, goals: Mask, edges: Edges) -> Mask:
    """Returns a mask of the states from which every game reaches a goal.

    If the search was cut short, this is optimistic: states that are not expanded count as goals.
    """
    good = goals.copy()
    good[graph.expanded :] = True
    _settle(edges, good)
    return good


def cycle(edges: Edges, stays: Mask) -> list[int]:
    """Returns a cycle among the states that ``peel`` leaves, as its states in order.

    A shortest one through some state, if that is found soon. ``stays`` must not be empty.
    """
    inner = edges.those(stays[edges.sources] & stays[edges.rows.targets])
    both = peel(inner.back)[1] & stays
    for start in np.flatnonzero(both)[:MOST_STARTS]:
        found = _round(inner, int(start))
        if found:
            return found
    return _some_round(inner, int(np.argmax(both)))


def _round(edges: Edges, start: int) -> list[int]:
    """Returns a shortest cycle through a state; empty if there is none."""
    parent = np.full(edges.size, -1, dtype=np.int32)
    queue, at = _queue(edges.size, np.array([start]))
    last = -1
    while at[0] < at[1] and last < 0:
        edges.clock.check()
        last = int(_loop(spread, edges)(edges.rows, parent, start, queue, at, MOST_EDGES))
    if last < 0:
        return []
    found = [last]
    while found[-1] != start:
        found.append(int(parent[found[-1]]))
    return found[::-1]


def _some_round(edges: Edges, start: int) -> list[int]:
    """Follows the first edge of every state until a cycle closes. Every state must have an edge."""
    begins, targets = edges.rows
    met: dict[int, int] = {}
    while start not in met:
        if len(met) % MOST_EDGES == 0:
            edges.clock.check()
        met[start] = len(met)
        start = int(targets[begins[start]])
    return list(met)[met[start] :]
