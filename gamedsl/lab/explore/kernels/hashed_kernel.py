"""Inserts states by their hashes alone, for ``hashed``."""

from __future__ import annotations

from typing import Any

import numpy as np

from gamedsl.compiler import kernel
from gamedsl.lab.explore.kernels.hash_table import state_hash
from gamedsl.lab.explore.kernels.records import HashedStates, Successors


@kernel
def insert_hashed(found: HashedStates, begin: Any, end: Any, made: Successors, bad: Any, most: Any) -> Any:
    """Inserts the successors of the states numbered ``begin`` to ``end``, identifying states by their hashes alone.

    Returns False if there would be more than ``most`` states.
    """
    hashes, fresh, parent, action = found.hashes, found.fresh, found.parent, found.action
    faults, counts, rows = found.faults, found.totals, made.rows
    wrong, degrees, stuck = made.wrong, made.counts, made.stuck
    n, new, faulty, at_row = counts[0], counts[1], counts[2], 0
    mask = np.uint64(hashes.size - 1)
    room = True
    for i in range(end - begin):
        if bad and stuck[i] != 0:
            faults[faulty, 0], faults[faulty, 1], faults[faulty, 2] = begin + i, -1, stuck[i]
            faulty += 1
        for k in range(degrees[i]):
            if bad and wrong[at_row] != 0:
                faults[faulty, 0], faults[faulty, 1], faults[faulty, 2] = begin + i, k, wrong[at_row]
                faulty += 1
            else:
                h = state_hash(rows, at_row)
                if h == np.uint64(0):
                    h = np.uint64(1)
                at = (h ^ (h >> np.uint64(32))) & mask
                while hashes[at] != np.uint64(0) and hashes[at] != h:
                    at = (at + np.uint64(1)) & mask
                if hashes[at] == np.uint64(0):
                    if n >= most:
                        room = False
                        break
                    hashes[at] = h
                    for w in range(rows.shape[1]):
                        fresh[new, w] = rows[at_row, w]
                    parent[n] = begin + i
                    action[n] = k
                    n += 1
                    new += 1
            at_row += 1
        if not room:
            break
    counts[0], counts[1], counts[2] = n, new, faulty
    return room


@kernel
def rehash(old: Any, new: Any) -> None:
    """Copies the hashes of one table into a larger one."""
    mask = np.uint64(new.size - 1)
    for h in old:
        if h != np.uint64(0):
            at = (h ^ (h >> np.uint64(32))) & mask
            while new[at] != np.uint64(0):
                at = (at + np.uint64(1)) & mask
            new[at] = h
