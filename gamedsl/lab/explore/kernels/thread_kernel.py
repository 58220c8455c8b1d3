"""Inserts states with several threads, with the same numbering as a single thread.

The table has one part per thread, selected by the hash, and each thread handles only the rows of its own part. A
new state gets a provisional number. Then all new states are numbered in order: each thread's share starts at a
number that is known by then.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gamedsl.compiler import allocating_kernel, kernel, peek_half, poke_half, prefetch
from gamedsl.lab.explore.kernels.expansion_kernel import DONE, FULL, UNLIKE, measure, record_faults
from gamedsl.lab.explore.kernels.hash_table import GROUP, find, row_hash
from gamedsl.lab.explore.kernels.records import Found, Level, Successors


@allocating_kernel
def claim(
    found: Found,
    tail: Any,  # the rows are stored from this number on
    total: Any,  # the number of rows
    part: Any,  # the part of the table
    skipped: Any,  # per row: whether a rule fails on the way to it (or empty)
    fresh: Any,  # out, per row: whether it is new
    places: Any,  # out, per new row: its slot in the table
) -> None:
    """Looks up all rows that belong to a part of the table.

    The first of equal new rows is entered, under its provisional number after the states.
    """
    table, states, base = found.table, found.words, found.base
    words, mask, sub, entries = states.shape[1], table.size - 1, table.shape[1] - 1, table.ctypes.data
    size, own = 8 * words, part * table.shape[1]
    known, rows = states.ctypes.data + base * size, states.ctypes.data + tail * size
    mine = np.empty(GROUP, np.int64)
    row: Any = 0
    while row < total:
        some: Any = 0
        while row < total and some < GROUP:
            at = row_hash(rows + row * size, words) & mask
            if at & ~sub == own:
                places[row] = at
                mine[some] = row
                some += 1
                prefetch(entries + 4 * at)
            row += 1
        for k in range(some):
            prefetch(known + (peek_half(entries + 4 * places[mine[k]]) - 1) * size)
        for k in range(some):
            r = mine[k]
            fresh[r] = False
            if skipped.size == 0 or not skipped[r]:
                at = find(entries, sub, known, words, rows + r * size, places[r])
                if peek_half(entries + 4 * at) == 0:
                    fresh[r] = True
                    places[r] = at
                    poke_half(entries + 4 * at, tail + r - base + 1)


@kernel
def number_rows(
    found: Found,
    level: Level,
    begin: Any,
    end: Any,
    made: Successors,
    fresh: Any,  # for these rows
    places: Any,
    first: Any,  # the number of the first new state
) -> Any:
    """Numbers the new successors of some states in order, and updates the table.

    Returns a state with a successor that lacks the level's measure, or -1.
    """
    states, table, base, parent = found.words, found.table, found.base, found.parent
    rows, degrees = made.rows, made.counts
    words, entries = states.shape[1], table.ctypes.data
    row, n = 0, first
    for i in range(begin, end):
        for _ in range(degrees[i - begin]):
            if fresh[row]:
                for w in range(words):
                    states[n, w] = rows[row, w]
                if level.terms.shape[0] != 0 and measure(states, n, level.terms) != level.value:
                    return i
                parent[n] = i
                n += 1
                poke_half(entries + 4 * places[row], n - base)
            row += 1
    return -1


@kernel
def number(
    found: Found, level: Level, begin: Any, end: Any, tail: Any, fresh: Any, successors: Successors, bad: Any
) -> Any:
    """Does the same for all rows at once if a rule fails or there may be too many states; does not update the table.

    Returns how far it got, and why it stopped (as ``expansion_kernel.insert``). The rows are stored after the
    states, from number ``tail`` on.
    """
    states, parent, faults, counts = found.words, found.parent, found.faults, found.totals
    wrong, degrees, stuck = successors.wrong, successors.counts, successors.stuck
    n, made, faulty, own = counts[0], counts[1], counts[2], 0
    for i in range(begin, end):
        for k in range(degrees[i - begin]):
            if fresh[own + k]:
                if n >= level.most:
                    counts[0], counts[1], counts[2] = n, made + own, faulty
                    return i, FULL
                for w in range(states.shape[1]):
                    states[n, w] = states[tail + own + k, w]
                if level.terms.shape[0] != 0 and measure(states, n, level.terms) != level.value:
                    counts[3] = i
                    return begin, UNLIKE
                parent[n] = i
                n += 1
        if bad:
            faulty = record_faults(faults, faulty, i, wrong, own, degrees[i - begin], stuck[i - begin])
        own += degrees[i - begin]
    counts[0], counts[1], counts[2] = n, made + own, faulty
    return end, DONE
