"""Noted positions as part of a state: equal collections of them get the same number.

Compiled rules store them as chains of entries in the context's arena (see ``compiler.emit.history_code``), newest
first; a state holds the number of the newest. Chains with the same entries in a different order are the same
collection. Therefore after each action the collection is looked up: if it is known, the state takes its number and
the new entries are dropped; if not, they are kept for good. A chain is found by a sum over its entries, and
compared word by word.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gamedsl.compiler import CTX_ARENA, CTX_CAPACITY, CTX_USED, kernel, peek, poke

FULLEST = 6  # tenths of the table that may be used
MANY = 1 << 12  # entries for which there must be room before a state is expanded
HALF = 0xFFFFFFFF

_M1, _M2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


@kernel
def summed(arena: Any, newest: Any) -> Any:
    """Returns a sum over the entries of a chain, independent of their order; never 0."""
    total = np.uint64(1)
    while newest != 0:
        x = np.uint64(peek(arena + 8 * (newest + 1)))
        x = (x ^ (x >> np.uint64(30))) * _M1
        x = (x ^ (x >> np.uint64(27))) * _M2
        total += x | np.uint64(1)
        newest = peek(arena + 8 * newest)
    return np.int64(total) if total != np.uint64(0) else np.int64(1)


@kernel
def alike(arena: Any, a: Any, b: Any, size: Any) -> Any:
    """Whether two entries of this many words record the same position."""
    w: Any = 1
    while w < size and peek(arena + 8 * (a + w)) == peek(arena + 8 * (b + w)):
        w += 1
    return w == size


@kernel
def times(arena: Any, newest: Any, most: Any, entry: Any, size: Any) -> Any:
    """Counts the occurrences of an entry's position among the newest ``most`` entries of a chain."""
    found = 0
    for _ in range(most):
        found += alike(arena, newest, entry, size)
        newest = peek(arena + 8 * newest)
    return found


@kernel
def same_collection(arena: Any, a: Any, b: Any, size: Any) -> Any:
    """Whether two chains have the same entries with the same multiplicities. A shared tail is not compared."""
    apart = 0
    x, y = a, b
    while x != y:
        if x == 0 or y == 0:
            return False
        x, y = peek(arena + 8 * x), peek(arena + 8 * y)
        apart += 1
    x = a
    for _ in range(apart):
        if times(arena, a, apart, x, size) != times(arena, b, apart, x, size):
            return False
        x = peek(arena + 8 * x)
    return True


@kernel
def known_as(arena: Any, newest: Any, size: Any, chains: Any) -> Any:
    """Returns the slot of a chain's collection in the table, or the free slot where it belongs, and its sum.

    A slot holds the sum and the chain's number; a sum of 0 marks a free slot.
    """
    total = summed(arena, newest)
    mask = chains.shape[0] - 1
    at = (total ^ (total >> 32)) & mask
    while chains[at, 0] != 0:
        if chains[at, 0] == total and same_collection(arena, chains[at, 1], newest, size):
            break
        at = (at + 1) & mask
    return at, total


@kernel
def canonicalize_chain(ctx: Any, newest: Any, mark: Any, size: Any, chains: Any, kept: Any) -> Any:
    """Returns the canonical number of a collection.

    Entries from ``mark`` on are new: starting with the oldest, each is looked up, or kept after those kept before.
    ``kept``: the number of chains in the table, and where the next entry may be kept (updated).
    """
    arena = peek(ctx + 8 * CTX_ARENA)
    below = newest
    while below >= mark:
        below = peek(arena + 8 * below)
    known = below
    while below != newest:
        entry = newest
        while peek(arena + 8 * entry) != below:
            entry = peek(arena + 8 * entry)
        below = entry
        poke(arena + 8 * entry, known)
        at, total = known_as(arena, entry, size, chains)
        if chains[at, 0] == 0:
            for w in range(size):
                poke(arena + 8 * (kept[1] + w), peek(arena + 8 * (entry + w)))
            chains[at, 0], chains[at, 1] = total, kept[1]
            kept[0] += 1
            kept[1] += size
        known = chains[at, 1]
    return known


@kernel
def canonicalize_chains(
    ctx: Any, rows: Any, n: Any, count: Any, mark: Any, chains: Any, kept: Any, handles: Any
) -> None:
    """Gives the rows from n on the canonical numbers of their collections; no other new entries stay in the arena.

    ``handles``: for each variable a word, the lowest bit in it, the words of an entry.
    """
    kept[1] = mark
    for r in range(n, n + count):
        for v in range(handles.shape[0]):
            word, shift, size = handles[v]
            newest = (rows[r, word] >> shift) & HALF
            known = canonicalize_chain(ctx, newest, mark, size, chains, kept)
            rows[r, word] = (rows[r, word] & ~(HALF << shift)) | (known << shift)
    poke(ctx + 8 * CTX_USED, kept[1])


@kernel
def short_of_room(ctx: Any, chains: Any, kept: Any) -> Any:
    """Whether the arena or the table has too little room to expand a state."""
    room = peek(ctx + 8 * CTX_CAPACITY) - peek(ctx + 8 * CTX_USED)
    return room < peek(ctx + 8 * CTX_CAPACITY) >> 2 or (kept[0] + MANY) * 10 > chains.shape[0] * FULLEST


@kernel
def refill(old: Any, new: Any) -> None:
    """Copies the chains of one table into a larger one."""
    mask = new.shape[0] - 1
    for i in range(old.shape[0]):
        if old[i, 0] != 0:
            at = (old[i, 0] ^ (old[i, 0] >> 32)) & mask
            while new[at, 0] != 0:
                at = (at + 1) & mask
            new[at, 0], new[at, 1] = old[i, 0], old[i, 1]
