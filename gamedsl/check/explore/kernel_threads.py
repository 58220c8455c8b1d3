"""Taking in states by several threads at once, with the same numbers as by one.

The table has as many parts as threads, told apart by the hash, and each thread looks only after the rows of its own part. What
it meets for the first time gets a number for the time being; then all that is new is numbered in order, each thread's share
from a number on that is known by then.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gamedsl.check.explore.kernel import DONE, FULL, GROUP, UNLIKE, find, measure, mixed, note
from gamedsl.check.explore.kernel_records import Found, Level, Successors
from gamedsl.native.host.calling import fetch, kernel, peek_half, poke_half


@kernel
def claim(
    found: Found,
    tail: Any,  # the rows stand from this number on
    total: Any,  # rows
    part: Any,  # of the table
    skipped: Any,  # per row: does a rule go wrong on the way there? (or empty)
    fresh: Any,  # out, per row: is it met for the first time?
    places: Any,  # out, per row that is: where in the table
) -> None:
    """Looks up all rows that belong to a part of the table; the first of equal ones that are new stands in it then, by its
    number behind the states."""
    table, states, base = found.table, found.words, found.base
    words, mask, sub, entries = states.shape[1], table.size - 1, table.shape[1] - 1, table.ctypes.data
    size, own = 8 * words, part * table.shape[1]
    known, rows = states.ctypes.data + base * size, states.ctypes.data + tail * size
    mine = np.empty(GROUP, np.int64)
    row: Any = 0
    while row < total:
        some: Any = 0
        while row < total and some < GROUP:
            at = mixed(rows + row * size, words) & mask
            if at & ~sub == own:
                places[row] = at
                mine[some] = row
                some += 1
                fetch(entries + 4 * at)
            row += 1
        for k in range(some):
            fetch(known + (peek_half(entries + 4 * places[mine[k]]) - 1) * size)
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
def settle(
    found: Found,
    level: Level,
    begin: Any,
    end: Any,
    made: Successors,
    fresh: Any,  # of these rows
    places: Any,
    first: Any,  # the number that the first new one gets
) -> Any:
    """Gives the new states among those that follow on some states their numbers, in order, also in the table. A state that
    leads to one without the level's measure, or -1."""
    states, table, base, parent = found.words, found.table, found.base, found.parent
    rows, ways = made.rows, made.counts
    words, entries = states.shape[1], table.ctypes.data
    row, n = 0, first
    for i in range(begin, end):
        for _ in range(ways[i - begin]):
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
    found: Found, level: Level, begin: Any, end: Any, most: Any, tail: Any, fresh: Any, successors: Successors, bad: Any
) -> Any:
    """The same for all at once, where a rule goes wrong or there may be too many states, and not in the table. How many
    states were expanded, and why it stopped (as ``kernel.insert``). The
    rows stand behind the states, from number ``tail`` on."""
    states, parent, faults, counts = found.words, found.parent, found.faults, found.totals
    wrong, ways, stuck = successors.wrong, successors.counts, successors.stuck
    n, made, faulty, own = counts[0], counts[1], counts[2], 0
    for i in range(begin, end):
        for k in range(ways[i - begin]):
            if fresh[own + k]:
                if n >= most:
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
            faulty = note(faults, faulty, i, wrong, own, ways[i - begin], stuck[i - begin])
        own += ways[i - begin]
    counts[0], counts[1], counts[2] = n, made + own, faulty
    return end, DONE
