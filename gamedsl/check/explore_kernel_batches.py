"""The explorer's inner loop in two halves: the ways on from many states, and taking in what they lead to.

numba keeps compiled loops on disk and looks only at the file a loop stands in: who changes ``explore_kernel`` must touch
this file too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gamedsl.check.explore_kernel import DONE, FULL, WRONG, hashed, place, settle_on_one
from gamedsl.native.calling import call2, call3, call4, kernel


@kernel
def generate(
    entries: Any,
    ctx: Any,
    kinds: Any,
    states: Any,
    spare: Any,
    steps: Any,
    starts: Any,
    maps: Any,
    begin: Any,
    end: Any,
    rows: Any,  # out: the states after all ways on, one after the other
    weights: Any,  # out, one a row, or empty
    wrong: Any,  # out, one a row: the place of the rule that goes wrong, or 0
    ways: Any,  # out, one a state
    stuck: Any,  # out, one a state: the place of the rule that goes wrong before the ways can be listed, or 0
) -> Any:
    """The first half of ``expand``, which several threads can do at once: up to which state it came, for lack of room."""
    base, size = states.ctypes.data, 8 * states.shape[1]
    made = rows.ctypes.data
    n = 0
    for i in range(begin, end):
        count: Any = 0
        if kinds[states[i, 0] & 0xFFFFFFFF] != 0:
            count = call4(entries[4], ctx, base + i * size, made + n * size, rows.shape[0] - n)
        if n + count > rows.shape[0]:
            call2(entries[3], ctx, 0)
            return i
        bad = call2(entries[3], ctx, 0) != 0
        for k in range(count):
            bad |= rows[n + k, 0] & WRONG != 0
            wrong[n + k] = 0
        stuck[i - begin] = 0
        if bad:
            stuck[i - begin] = one_by_one(entries, ctx, states, i, rows, n, wrong)
            count = 0 if stuck[i - begin] != 0 else count
        ways[i - begin] = count
        for k in range(count):
            if starts.size > 1 and wrong[n + k] == 0:
                settle_on_one(rows, n + k, spare, steps, starts, maps)
            if weights.size:
                weights[n + k] = call3(entries[2], ctx, base + i * size, k)
        n += count
    return end


@kernel
def one_by_one(entries: Any, ctx: Any, states: Any, i: Any, rows: Any, n: Any, wrong: Any) -> Any:
    """The states after all ways on from one, as some rule goes wrong there: where in the rules, if that is before the ways
    can be listed, else 0."""
    base, size, made = states.ctypes.data, 8 * states.shape[1], rows.ctypes.data
    count: Any = call2(entries[0], ctx, base + i * size)
    error: Any = call2(entries[3], ctx, 0)
    if error != 0:
        return error
    for k in range(count):
        for w in range(states.shape[1]):
            rows[n + k, w] = states[i, w]
        wrong[n + k] = 0
        if call3(entries[1], ctx, made + (n + k) * size, k) < 0:
            wrong[n + k] = call2(entries[3], ctx, 0)
    return 0


@kernel
def insert(
    states: Any,
    table: Any,
    parent: Any,
    first: Any,
    target: Any,
    weight: Any,
    faults: Any,
    counts: Any,
    begin: Any,
    end: Any,
    most: Any,
    rows: Any,
    weights: Any,
    wrong: Any,
    ways: Any,
    stuck: Any,
) -> Any:
    """The second half of ``expand``: there must be room for all rows. How many states were expanded, and why it stopped."""
    n, edges, bad, at_row = counts[0], counts[1], counts[2], 0
    reason = DONE
    i = begin
    while i < end:
        here, faulty = edges, bad
        if stuck[i - begin] != 0:
            faults[faulty, 0], faults[faulty, 1], faults[faulty, 2] = i, -1, stuck[i - begin]
            faulty += 1
        for k in range(ways[i - begin]):
            after: Any = -1
            if wrong[at_row] != 0:
                faults[faulty, 0], faults[faulty, 1], faults[faulty, 2] = i, k, wrong[at_row]
                faulty += 1
            else:
                for w in range(states.shape[1]):
                    states[n, w] = rows[at_row, w]
                at = place(table, states, n)
                if table[at] == 0:
                    if n >= most:
                        reason = FULL
                        break
                    parent[n] = i
                    n += 1
                    table[at] = n
                after = np.int64(table[at]) - 1
            target[here] = after
            if weight.size:
                weight[here] = weights[at_row]
            here += 1
            at_row += 1
        if reason != DONE:
            break
        edges, bad = here, faulty
        i += 1
        first[i] = edges
    counts[0], counts[1], counts[2] = n, edges, bad
    return i, reason


@kernel
def insert_hashed(
    hashes: Any,  # table: the hash of a state, or 0 for a free place
    fresh: Any,  # out: the states not met before
    parent: Any,
    way: Any,
    faults: Any,
    counts: Any,  # in and out: states ever, states in fresh, faults
    begin: Any,  # number of the first of these states
    rows: Any,
    wrong: Any,
    ways: Any,
    stuck: Any,
    most: Any,
) -> Any:
    """Takes in the ways on from some states, telling states by their hashes alone. False: there are too many states."""
    n, new, bad, at_row = counts[0], counts[1], counts[2], 0
    mask = np.uint64(hashes.size - 1)
    room = True
    for i in range(ways.size):
        if stuck[i] != 0:
            faults[bad, 0], faults[bad, 1] = begin + i, -1
            bad += 1
        for k in range(ways[i]):
            if wrong[at_row] != 0:
                faults[bad, 0], faults[bad, 1] = begin + i, k
                bad += 1
            else:
                h = hashed(rows, at_row)
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
                    way[n] = k
                    n += 1
                    new += 1
            at_row += 1
        if not room:
            break
    counts[0], counts[1], counts[2] = n, new, bad
    return room


@kernel
def rehash(old: Any, new: Any) -> None:
    """Puts the hashes of one table into a larger one."""
    mask = np.uint64(new.size - 1)
    for h in old:
        if h != np.uint64(0):
            at = (h ^ (h >> np.uint64(32))) & mask
            while new[at] != np.uint64(0):
                at = (at + np.uint64(1)) & mask
            new[at] = h
