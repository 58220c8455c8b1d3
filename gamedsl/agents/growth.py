"""Growing search trees, one for each thread, until a budget is used up."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Protocol

SLICE = 0.02  # seconds between checks of the clock
FIRST, FIRST_TIMED = 64, 4  # iterations before the first check
FASTER = 16  # the next check is at most this many times as far away


class GrowingTree(Protocol):
    """A search tree of one thread."""

    @property
    def iterations(self) -> int:
        """The number of iterations run."""
        ...

    def grow(self, iterations: int) -> bool:
        """Runs this many iterations. Returns False when the result is final."""
        ...


def grow_trees(trees: Sequence[GrowingTree], iterations: int | None, deadline: float | None) -> None:
    """Grows all trees at once until a time (``time.monotonic``), or until they have run ``iterations`` together.

    Raises the errors of the rules.
    """
    threads, stop = len(trees), Event()
    shares = [None if iterations is None else (iterations + k) // threads for k in range(threads)]
    if threads == 1:
        grow_until(trees[0], deadline, shares[0], stop)
        return
    with ThreadPoolExecutor(threads) as pool:
        runs = [pool.submit(grow_until, x, deadline, n, stop) for x, n in zip(trees, shares, strict=True)]
        try:
            for run in runs:
                run.result()
        finally:
            stop.set()


def grow_until(tree: GrowingTree, deadline: float | None, iterations: int | None, stop: Event) -> None:
    """Grows a tree until a time, an iteration count, a stop request or a final result, whichever comes first."""
    piece = FIRST_TIMED if deadline is not None else FIRST
    while not stop.is_set():
        left = piece if iterations is None else min(piece, iterations - tree.iterations)
        if left <= 0:
            return
        began = time.monotonic()
        if not tree.grow(left):
            return
        now = time.monotonic()
        if deadline is not None and now >= deadline:
            return
        wanted = SLICE if deadline is None else min(SLICE, deadline - now)
        piece = max(1, min(FASTER * piece, int(piece * wanted / max(now - began, 1e-6))))


def seed_of(seed: int, thread: int) -> int:
    """Returns the seed of a thread."""
    return (seed * 0x9E3779B97F4A7C15 + thread * 0xD1B54A32D192ED03) % (1 << 63)
