"""A hash table of the numbers of states, which are rows of words.

The table uses open addressing with four bytes per slot, is at most seven tenths full, and has one or several
parts (the array's rows; the upper bits of a slot select the part). States with equal hashes are compared word by
word. The table holds the states from number ``base`` on: all of them, or those of one level.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gamedsl.compiler import GAMMA, M1, allocating_kernel, kernel, mix64, peek, peek_half, poke, poke_half, prefetch

GROUP = 64  # rows whose table slots are prefetched together
FULLEST = 7  # tenths of the table that may be used
_M1, _GAMMA = np.uint64(M1), np.uint64(GAMMA)


@kernel
def state_hash(states: Any, i: Any) -> Any:
    """Hashes the words of the i-th state (the splitmix64 finalizer after every word)."""
    h = _GAMMA
    for j in range(states.shape[1]):
        h = mix64(h ^ np.uint64(states[i, j]))
    return h


@kernel
def row_hash(row: Any, words: Any) -> Any:
    """Hashes the words at an address: faster than ``state_hash``, and good enough for a hash table."""
    h = _GAMMA
    for j in range(words):
        h = (h ^ np.uint64(peek(row + 8 * j))) * _M1
        h ^= h >> np.uint64(32)
    return np.int64(h & np.uint64(0x7FFFFFFFFFFFFFFF))


@kernel
def find(table: Any, sub: Any, states: Any, words: Any, row: Any, at: Any) -> Any:
    """Returns the slot of a state equal to the row, or the free slot where it belongs, probing from ``at``.

    A slot holds a number + 1, or 0. ``table``, ``states`` (of number 0) and ``row`` are addresses; ``sub`` + 1 is
    the number of slots in a part of the table.
    """
    size = 8 * words
    while True:
        known = peek_half(table + 4 * at)
        if known == 0:
            return at
        other = states + (known - 1) * size
        j: Any = 0
        while j < words and peek(other + 8 * j) == peek(row + 8 * j):
            j += 1
        if j == words:
            return at
        at = (at & ~sub) | ((at + 1) & sub)


@kernel
def place(table: Any, states: Any, i: Any) -> Any:
    """Returns the slot of a state equal to the i-th in a table of one dimension, or the free slot where it belongs."""
    words, mask, base = states.shape[1], table.size - 1, states.ctypes.data
    row = base + 8 * words * i
    return find(table.ctypes.data, mask, base, words, row, row_hash(row, words) & mask)


@allocating_kernel
def fill(table: Any, states: Any, base: Any, n: Any) -> None:
    """Inserts the states from ``base`` to n, which are all distinct, into an empty table."""
    words, mask, sub, entries = states.shape[1], table.size - 1, table.shape[1] - 1, table.ctypes.data
    places = np.empty(GROUP, np.int64)
    for begin in range(base, n, GROUP):
        some = min(GROUP, n - begin)
        for k in range(some):
            places[k] = row_hash(states.ctypes.data + (begin + k) * 8 * words, words) & mask
            prefetch(entries + places[k] * 4)
        for k in range(some):
            at = places[k]
            while peek_half(entries + 4 * at) != 0:
                at = (at & ~sub) | ((at + 1) & sub)
            poke_half(entries + 4 * at, begin + k + 1 - base)


@allocating_kernel
def look_up(table: Any, states: Any, base: Any, rows: Any, n: Any, out: Any) -> None:
    """Sets ``out[k]`` to the number of the state equal to the k-th of n rows; -1 if it is not in the table."""
    words, mask, sub, entries = states.shape[1], table.size - 1, table.shape[1] - 1, table.ctypes.data
    known, row = states.ctypes.data + base * 8 * words, rows.ctypes.data
    places = np.empty(GROUP, np.int64)
    for begin in range(0, n, GROUP):
        some = min(GROUP, n - begin)
        prefetch_slots(entries, mask, known, words, row + begin * 8 * words, some, places.ctypes.data)
        for k in range(some):
            at = find(entries, sub, known, words, row + (begin + k) * 8 * words, places[k])
            number = peek_half(entries + 4 * at)
            out[begin + k] = base + number - 1 if number != 0 else -1


@kernel
def prefetch_slots(table: Any, mask: Any, states: Any, words: Any, row: Any, some: Any, places: Any) -> None:
    """Computes the first slots for some rows and prefetches the memory to probe them."""
    size = 8 * words
    for k in range(some):
        at = row_hash(row + k * size, words) & mask
        poke(places + 8 * k, at)
        prefetch(table + 4 * at)
    for k in range(some):
        prefetch(states + (peek_half(table + 4 * peek(places + 8 * k)) - 1) * size)
