"""The loops of ``retrograde`` over large graphs, compiled by numba. Values are integers or floats.

``first`` and ``target`` are the edges in compressed rows, so ``first`` has one number more than there are
positions; ``into_first`` and ``into`` are the reversed graph.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gamedsl.compiler import allocating_kernel, kernel
from gamedsl.lab.base import Ints

END, CHANCE = 0, 3


@allocating_kernel
def turned(first: Any, target: Any) -> Any:
    """Returns the reversed graph."""
    size = first.size - 1
    into_first = np.zeros(size + 1, np.int64)
    for t in target:
        into_first[t + 1] += 1
    for i in range(size):
        into_first[i + 1] += into_first[i]
    at = into_first[:-1].copy()
    into = np.empty(target.size, np.int32)
    for i in range(size):
        for k in range(first[i], first[i + 1]):
            into[at[target[k]]] = i
            at[target[k]] += 1
    return into_first, into


@allocating_kernel
def last_first(first: Any, into_first: Any, into: Any) -> Any:
    """Returns the positions in reverse topological order; fewer than all if the graph has a cycle."""
    size = first.size - 1
    left = np.empty(size, np.int32)
    order = np.empty(size, np.int32)
    n = 0
    for i in range(size):
        left[i] = first[i + 1] - first[i]
        if left[i] == 0:
            order[n] = i
            n += 1
    done = 0
    while done < n:
        t = order[done]
        done += 1
        for k in range(into_first[t], into_first[t + 1]):
            i = into[k]
            left[i] -= 1
            if left[i] == 0:
                order[n] = i
                n += 1
    return order[:n]


@kernel
def best_by_turns(order: Any, first: Any, target: Any, mine: Any, value: Any) -> None:
    """Fills in the values of nonterminal positions in this order: the maximum if ``mine``, else the minimum."""
    for i in order:
        begin, end = first[i], first[i + 1]
        if begin == end:
            continue
        best = value[target[begin]]
        for k in range(begin + 1, end):
            v = value[target[k]]
            if (v > best) == mine[i] and v != best:
                best = v
        value[i] = best


@allocating_kernel
def spread_forced(first: Any, into_first: Any, into: Any, mine: Any, sure: Any) -> None:
    """Extends ``sure``, which holds the goals, to their attractor for the choosers in ``mine``."""
    size = first.size - 1
    todo = np.empty(size, np.int32)
    left = np.zeros(size, np.int32)
    n = 0
    for i in range(size):
        left[i] = first[i + 1] - first[i]
        if sure[i]:
            todo[n] = i
            n += 1
    while n:
        n -= 1
        t = todo[n]
        for k in range(into_first[t], into_first[t + 1]):
            i = into[k]
            if sure[i]:
                continue
            left[i] -= 1
            if mine[i] or left[i] == 0:
                sure[i] = True
                todo[n] = i
                n += 1


@allocating_kernel
def plies_to_end(first: Any, target: Any, into_first: Any, into: Any, mine: Any, value: Any, plies: Any) -> None:
    """Fills in the plies to the end while all keep to the value: the side that gains hurries, the other delays.

    ``plies`` is initially -1, and 0 at terminal positions with a nonzero value.
    """
    size = first.size - 1
    left = np.zeros(size, np.int32)
    todo = np.empty(size, np.int32)
    n = 0
    for i in range(size):
        if plies[i] == 0:
            todo[n] = i
            n += 1
        for k in range(first[i], first[i + 1]):
            if value[target[k]] == value[i]:
                left[i] += 1
    done = 0
    while done < n:
        t = todo[done]
        done += 1
        for k in range(into_first[t], into_first[t + 1]):
            i = into[k]
            if value[i] != value[t] or plies[i] >= 0:
                continue
            left[i] -= 1
            if left[i] == 0 or (value[i] > 0) == mine[i]:
                plies[i] = plies[t] + 1
                todo[n] = i
                n += 1


@allocating_kernel
def components(first: Any, target: Any) -> Any:
    """Returns the positions grouped by strongly connected component in reverse topological order, and the start of
    each component in that order, with the end (Tarjan 1972).
    """
    size = first.size - 1
    met = np.zeros(size, np.int64)
    lowest = np.zeros(size, np.int64)
    waiting = np.zeros(size, np.bool_)
    at = first[:-1].copy()
    stack, path = np.empty(size, np.int64), np.empty(size, np.int64)
    order, begins = np.empty(size, np.int64), np.empty(size + 1, np.int64)
    clock, high, found, done = 0, 0, 0, 0
    for root in range(size):
        if met[root]:
            continue
        path[0] = root
        deep = 1
        while deep:
            i = path[deep - 1]
            if met[i] == 0:
                clock += 1
                met[i] = lowest[i] = clock
                stack[high] = i
                high += 1
                waiting[i] = True
            if at[i] < first[i + 1]:
                t = target[at[i]]
                at[i] += 1
                if met[t] == 0:
                    path[deep] = t
                    deep += 1
                elif waiting[t]:
                    lowest[i] = min(lowest[i], met[t])
                continue
            deep -= 1
            if deep:
                lowest[path[deep - 1]] = min(lowest[path[deep - 1]], lowest[i])
            if lowest[i] == met[i]:
                begins[found] = done
                found += 1
                while True:
                    high -= 1
                    waiting[stack[high]] = False
                    order[done] = stack[high]
                    done += 1
                    if stack[high] == i:
                        break
    begins[found] = done
    return order, begins[: found + 1]


class Weighted(NamedTuple):
    """A graph with chance. ``first``, ``target``: the edges in compressed rows; ``weight``: int64, per edge;
    ``kinds``: int8, per position; ``mine``: bool, whether the seat in question moves there.
    """

    first: Ints
    target: npt.NDArray[Any]
    weight: Ints
    kinds: npt.NDArray[np.int8]
    mine: npt.NDArray[np.bool_]


class Components(NamedTuple):
    """Strongly connected components.

    ``order``: the positions; ``begins``: where each component begins in ``order``, and the end (see
    ``components``).
    """

    order: Ints
    begins: Ints


class Intervals(NamedTuple):
    """Lower and upper bounds of the value of every position."""

    low: npt.NDArray[np.float64]
    high: npt.NDArray[np.float64]


@kernel
def _expected_value(graph: Weighted, i: Any, value: Any) -> Any:
    first, target, weight, mine = graph.first, graph.target, graph.weight, graph.mine
    begin, end = first[i], first[i + 1]
    if graph.kinds[i] == CHANCE:
        total, sum_of_weights = 0.0, 0.0
        for k in range(begin, end):
            total += weight[k] * value[target[k]]
            sum_of_weights += weight[k]
        return total / sum_of_weights
    best = value[target[begin]]
    for k in range(begin + 1, end):
        v = value[target[k]]
        best = max(best, v) if mine[i] else min(best, v)
    return best


@allocating_kernel
def iterate_intervals(graph: Weighted, parts: Components, bounds: Intervals, enough: Any, rounds: Any) -> None:
    """Fills in bounds of the expected values by interval iteration.

    Iterates each component until its bounds are within ``enough``, for at most ``rounds`` rounds.
    """
    order, begins = parts
    low, high = bounds
    first, target = graph.first, graph.target
    size = first.size - 1
    home = np.empty(size, np.int64)
    for c in range(begins.size - 1):
        for j in range(begins[c], begins[c + 1]):
            home[order[j]] = c
    for c in range(begins.size - 1):
        members = order[begins[c] : begins[c + 1]]
        if first[members[0]] == first[members[0] + 1]:
            continue
        least, most = 0.0, 0.0
        looped = members.size > 1
        for i in members:
            for k in range(first[i], first[i + 1]):
                t = target[k]
                if home[t] == c:
                    looped = True
                else:
                    least, most = min(least, low[t]), max(most, high[t])
        for i in members:
            low[i], high[i] = least, most
        for _ in range(rounds if looped else 1):
            gap, moved = 0.0, 0.0
            for i in members:
                a = _expected_value(graph, i, low)
                b = _expected_value(graph, i, high)
                if looped:
                    a, b = max(a, low[i]), min(b, high[i])
                moved = max(moved, a - low[i], high[i] - b)
                low[i], high[i] = a, b
                gap = max(gap, b - a)
            if gap <= enough or moved < 1e-16:
                break
