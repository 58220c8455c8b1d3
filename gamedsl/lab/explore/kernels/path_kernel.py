"""Traverses the edges of a state graph in steps, so that the caller can check the clock in between.

``queue`` holds the states to expand, and ``at`` its start and end (updated). A call runs until the queue is empty or
about ``most`` edges have been followed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gamedsl.compiler import kernel


class Rows(NamedTuple):
    """Adjacency lists (CSR): the edges of state i are ``targets[begins[i] : begins[i + 1]]``. ``begins``: int64,
    shape (states + 1,); ``targets``: int32, shape (edges,).
    """

    begins: npt.NDArray[np.int64]
    targets: npt.NDArray[np.int32]


@kernel
def turn_round(rows: Rows, first: Any, end: Any, free: Any, sources: Any) -> None:
    """Transposes the edges of the states from ``first`` to ``end``.

    ``free[j]`` is the next free slot of state j in ``sources`` (updated).
    """
    for i in range(first, end):
        for e in range(rows.begins[i], rows.begins[i + 1]):
            j = rows.targets[e]
            sources[free[j]] = i
            free[j] += 1


@kernel
def settle_back(
    back: Rows, cost: Any, left: Any, found: Any, height: Any, queue: Any, at: Any, most: Any
) -> None:  # fmt: skip
    """Propagates backward from found states.

    A state is found once all its edges lead to found ones; ``left`` counts those that do not yet. ``height``
    receives the cost of the longest path if there are costs.
    """
    head, tail, followed = at[0], at[1], 0
    while head < tail and followed < most:
        j = queue[head]
        head += 1
        followed += back.begins[j + 1] - back.begins[j] + 1
        for e in range(back.begins[j], back.begins[j + 1]):
            i = back.targets[e]
            if cost.size:
                height[i] = max(height[i], height[j] + cost[i])
            left[i] -= 1
            if left[i] == 0 and not found[i]:
                found[i] = True
                queue[tail] = i
                tail += 1
    at[0], at[1] = head, tail


@kernel
def spread(rows: Rows, parent: Any, goal: Any, queue: Any, at: Any, most: Any) -> Any:
    """Searches breadth first from the states in the queue; ``parent`` is -1 for states not met yet.

    Returns the state from which ``goal`` is first met, else -1.
    """
    head, tail, followed = at[0], at[1], 0
    while head < tail and followed < most:
        i = queue[head]
        head += 1
        followed += rows.begins[i + 1] - rows.begins[i] + 1
        for e in range(rows.begins[i], rows.begins[i + 1]):
            j = rows.targets[e]
            if j == goal:
                return i
            if parent[j] < 0:
                parent[j] = i
                queue[tail] = j
                tail += 1
    at[0], at[1] = head, tail
    return -1
