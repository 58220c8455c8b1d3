"""The explorer's inner loop: expands states, and numbers and inserts new successors."""

from __future__ import annotations

from typing import Any

import numpy as np

from gamedsl.compiler import allocating_kernel, kernel, peek, peek_half, poke, poke_half, popcount
from gamedsl.lab.explore.kernels.hash_table import FULLEST, GROUP, find, prefetch_slots
from gamedsl.lab.explore.kernels.records import Expander, Found, Level, Successors
from gamedsl.lab.explore.kernels.successors import AT_ONCE, generate

DONE, ROOM, BUFFER, TABLE, FULL, FAULTS, UNLIKE = range(7)  # why ``expand_states`` returned
BITS, ANY = range(2)  # terms of a measure


@kernel
def measure(states: Any, i: Any, terms: Any) -> Any:
    """Returns the measure of the i-th state.

    A term is a kind, a word, a mask, and a weight for each bit set under the mask (``BITS``) or for any such bit
    (``ANY``).
    """
    total = 0
    for t in range(terms.shape[0]):
        found = states[i, terms[t, 1]] & terms[t, 2]
        total += terms[t, 3] * (popcount(found) if terms[t, 0] == BITS else np.int64(found != 0))
    return total


@allocating_kernel
def insert(found: Found, level: Level, begin: Any, end: Any, successors: Successors, bad: Any) -> Any:
    """Inserts the successors of the states from ``begin`` to ``end``, as ``generate`` made them.

    Known states keep their numbers, new ones are numbered in order, up to ``level.most`` in all. There must be room
    for all. Returns how far it got, and why it stopped.
    """
    states, table, base, parent = found.words, found.table, found.base, found.parent
    rows, wrong, degrees, stuck = successors.rows, successors.wrong, successors.counts, successors.stuck
    faults, counts = found.faults, found.totals
    words, mask, sub, entries = states.shape[1], table.size - 1, table.shape[1] - 1, table.ctypes.data
    known, row, size = states.ctypes.data + base * 8 * words, rows.ctypes.data, 8 * words
    places = np.empty(GROUP, np.int64)
    n, made, faulty = counts[0], counts[1], counts[2]
    i: Any = begin
    left: Any = 0  # rows of state i still to be inserted; the first of all its rows is ``own``
    own: Any = 0
    total: Any = np.int64(0)
    for k in range(end - begin):
        total += degrees[k]
    if end > begin:
        left = degrees[0]
    for g in range(0, total, GROUP):
        some = min(GROUP, total - g)
        prefetch_slots(entries, mask, known, words, row, some, places.ctypes.data)
        for k in range(some):
            while left == 0:
                if bad:
                    faulty = record_faults(faults, faulty, i, wrong, own, degrees[i - begin], stuck[i - begin])
                own += degrees[i - begin]
                i += 1
                left = degrees[i - begin]
            left -= 1
            if not bad or wrong[g + k] == 0:
                at = find(entries, sub, known, words, row, places[k])
                if peek_half(entries + 4 * at) == 0:
                    if n >= level.most:
                        counts[0], counts[1], counts[2] = n, made + own, faulty
                        return i, FULL
                    new = known + (n - base) * size
                    for w in range(words):
                        poke(new + 8 * w, peek(row + 8 * w))
                    if level.terms.shape[0] != 0 and measure(states, n, level.terms) != level.value:
                        counts[3] = i
                        return begin, UNLIKE
                    parent[n] = i
                    n += 1
                    poke_half(entries + 4 * at, n - base)
            row += size
    while i < end:
        if bad:
            faulty = record_faults(faults, faulty, i, wrong, own, degrees[i - begin], stuck[i - begin])
        own += degrees[i - begin]
        i += 1
    counts[0], counts[1], counts[2] = n, made + own, faulty
    return end, DONE


@kernel
def record_faults(faults: Any, faulty: Any, i: Any, wrong: Any, own: Any, degree: Any, stuck: Any) -> Any:
    """Records the rules errors of state i and of its edges. Returns the total number of errors."""
    if stuck != 0:
        faults[faulty, 0], faults[faulty, 1], faults[faulty, 2] = i, -1, stuck
        faulty += 1
    for k in range(degree):
        if wrong[own + k] != 0:
            faults[faulty, 0], faults[faulty, 1], faults[faulty, 2] = i, k, wrong[own + k]
            faulty += 1
    return faulty


@kernel
def expand_states(expander: Expander, found: Found, level: Level, begin: Any, end: Any, out: Successors) -> Any:
    """Expands the states from ``begin`` to ``end``. Returns how far it got, and why it stopped."""
    totals = found.totals
    i = begin
    while i < end:
        upto, bad = generate(expander, found.words, i, min(end, i + AT_ONCE), out)
        if upto == i:
            return i, BUFFER
        new = 0
        for k in range(upto - i):
            new += out.counts[k]
        if totals[0] + new >= found.words.shape[0]:
            return i, ROOM
        if (totals[0] - found.base + new) * 10 > found.table.size * FULLEST:
            return i, TABLE
        if bad and totals[2] + new + upto - i > found.faults.shape[0]:
            return i, FAULTS
        i, reason = insert(found, level, i, upto, out, bad)
        if reason != DONE:
            return i, reason
    return i, DONE
