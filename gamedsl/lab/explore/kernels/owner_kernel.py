"""Exploration with states owned by hash: which owner a state has, and which of the states that an owner gets are new."""

from __future__ import annotations

from typing import Any

import numpy as np

from gamedsl.compiler import kernel, peek, peek_half, poke, poke_half
from gamedsl.lab.explore.kernels.hash_table import find, row_hash, state_hash
from gamedsl.lab.explore.kernels.records import OwnedStates, Successors

OWNERS = 64
_SHIFT = np.uint64(64 - 6)  # the upper bits of a hash name the owner


@kernel
def owner_of(states: Any, i: Any) -> Any:
    """Returns the owner of the i-th state."""
    return np.int64(state_hash(states, i) >> _SHIFT)


@kernel
def owners_of(states: Any, n: Any, out: Any) -> None:
    """Sets ``out[i]`` to the owner of the i-th of n states."""
    for i in range(n):
        out[i] = owner_of(states, i)


@kernel
def claim_rows(owned: OwnedStates, n: Any, rows: Any, order: Any, fresh: Any) -> Any:
    """Adds the rows that are new to the first n states of an owner, in this order; there must be room for all.

    Sets ``fresh`` to the places of these rows. Returns their number, and how many others were among the first n states.
    """
    states, table = owned.words, owned.table
    words, mask, entries, known = states.shape[1], table.size - 1, table.ctypes.data, states.ctypes.data
    size = 8 * words
    made: Any = 0
    old: Any = 0
    for k in order:
        row = rows.ctypes.data + k * size
        at = find(entries, mask, known, words, row, row_hash(row, words) & mask)
        number = peek_half(entries + 4 * at)
        if number == 0:
            new = known + (n + made) * size
            for w in range(words):
                poke(new + 8 * w, peek(row + 8 * w))
            fresh[made] = k
            made += 1
            poke_half(entries + 4 * at, n + made)
        elif number <= n:
            old += 1
    return made, old


@kernel
def send(successors: Successors, begin: Any, end: Any, bad: Any, n: Any, sent: Any, edges: Any) -> Any:
    """Appends the successors of the states from ``begin`` to ``end`` to n that were sent before, without rules errors.

    ``edges``: int32, shape (room, 3): the owner, the state and the action of each. Returns how many there are now.
    """
    rows, wrong, counts = successors.rows, successors.wrong, successors.counts
    row: Any = 0
    for i in range(begin, end):
        for k in range(counts[i - begin]):
            if not bad or wrong[row] == 0:
                for w in range(rows.shape[1]):
                    sent[n, w] = rows[row, w]
                edges[n, 0], edges[n, 1], edges[n, 2] = owner_of(rows, row), i, k
                n += 1
            row += 1
    return n
