"""The explorer's inner loop over compiled entry points: states as rows of words, a table of their numbers by hash.

The table is open addressing with four bytes a place, at most seven tenths full; states that hash alike are told apart by
all their words. numba keeps the compiled loop on disk, by this file only.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gamedsl.native.calling import call2, call3, call4, kernel

DONE, ROOM, EDGES, TABLE, FULL, FAULTS = range(6)  # why ``expand`` returned
ENTRIES = ("count", "step", "weight", "error", "expand")  # what it calls, in this order
STATES_AT_ONCE = 64
AT_ONCE = 64  # successors whose places in the table are fetched together
WRONG = 0x80000000  # set in the number of a block: the way there ends in a rules error
FULLEST = 7  # tenths of the table
COPY, ELEMENT, SET = range(3)  # steps of a symmetry

_M1, _M2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_GAMMA = np.uint64(0x9E3779B97F4A7C15)


@kernel
def hashed(states: Any, i: Any) -> Any:
    """A hash of the words of the i-th state (the finalizer of splitmix64 after every word)."""
    h = _GAMMA
    for j in range(states.shape[1]):
        h ^= np.uint64(states[i, j])
        h = (h ^ (h >> np.uint64(30))) * _M1
        h = (h ^ (h >> np.uint64(27))) * _M2
        h ^= h >> np.uint64(31)
    return h


@kernel
def find(table: Any, states: Any, row: Any, at: Any) -> Any:
    """As ``place``, from the first place on where it could stand."""
    mask = np.uint64(table.size - 1)
    while table[at] != 0:
        known = np.int64(table[at]) - 1
        same = True
        for j in range(states.shape[1]):
            if states[known, j] != states[row, j]:
                same = False
                break
        if same:
            break
        at = (at + np.uint64(1)) & mask
    return at


@kernel
def place(table: Any, states: Any, i: Any) -> Any:
    """Where a state equal to the i-th stands in the table, or the free place where it belongs. A place holds a number + 1,
    or 0."""
    return find(table, states, i, hashed(states, i) & np.uint64(table.size - 1))


@kernel
def fill(table: Any, states: Any, n: Any) -> Any:
    """Puts the first n states, all different, into an empty table. (A number without meaning comes back.)"""
    mask = np.uint64(table.size - 1)
    places = np.empty(AT_ONCE, np.uint64)
    touched = np.int64(0)
    for begin in range(0, n, AT_ONCE):
        some = min(AT_ONCE, n - begin)
        for k in range(some):
            places[k] = hashed(states, begin + k) & mask
            touched ^= np.int64(table[places[k]])
        for k in range(some):
            at = places[k]
            while table[at] != 0:
                at = (at + np.uint64(1)) & mask
            table[at] = begin + k + 1
    return touched


@kernel
def copy(states: Any, i: Any, j: Any) -> None:
    """State i becomes a copy of state j."""
    for w in range(states.shape[1]):
        states[i, w] = states[j, w]


@kernel
def turned(source: Any, target: Any, steps: Any, begin: Any, end: Any, maps: Any) -> None:
    """A state's bytes turned by a symmetry (see ``symmetry_native``); ``target`` is a copy of them before."""
    for s in range(begin, end):
        kind, to, at, size, table, members = steps[s]
        if kind == COPY:
            for b in range(size):
                target[to + b] = source[at + b]
        elif kind == ELEMENT:
            code = np.uint64(0)
            for b in range(size):
                code |= np.uint64(source[at + b]) << np.uint64(8 * b)
            code = maps[table + np.int64(code)]
            for b in range(size):
                target[to + b] = np.uint8((code >> np.uint64(8 * b)) & np.uint64(255))
        else:
            words = (size + 7) // 8
            for w in range(words):
                found = np.uint64(0)
                for b in range(members):
                    found |= maps[table + (b * 256 + source[at + b]) * words + w]
                for b in range(min(8, size - 8 * w)):
                    target[to + 8 * w + b] = np.uint8((found >> np.uint64(8 * b)) & np.uint64(255))


@kernel
def settle_on_one(states: Any, n: Any, spare: Any, steps: Any, starts: Any, maps: Any) -> None:
    """State n becomes the least of those that symmetries make of it. ``spare``: two rows."""
    words = states.shape[1]
    best, other = states[n], spare[0]
    for w in range(words):
        spare[1, w] = states[n, w]
    whole = spare[1].view(np.uint8)
    for t in range(starts.size - 1):
        for w in range(words):
            other[w] = spare[1, w]
        turned(whole, other.view(np.uint8), steps, starts[t], starts[t + 1], maps)
        for w in range(words):
            if other[w] != best[w]:
                if other[w] < best[w]:
                    for v in range(words):
                        best[v] = other[v]
                break


@kernel
def number_all(
    states: Any, table: Any, parent: Any, first: Any, target: Any, counts: Any, i: Any, some: Any, ways: Any, most: Any
) -> Any:
    """The states in the rows behind the last one, which follow on ``some`` states from i on (``ways[b]`` on each), get their
    numbers: those met before the ones they have, the others new ones, in order. How many of the states are expanded then;
    fewer than all when there are too many states (those that had room are in). The places in the table are fetched some
    at a time, so that waiting for memory overlaps."""
    mask = np.uint64(table.size - 1)
    places = np.empty(AT_ONCE, np.uint64)
    n, edges, touched = counts[0], counts[1], np.int64(0)
    new: Any = n
    total: Any = np.int64(0)
    b: Any = np.int64(0)
    left: Any = ways[0]
    for one in range(some):
        total += ways[one]
    for begin in range(0, total, AT_ONCE):
        fetched: Any = min(AT_ONCE, total - begin)
        for k in range(fetched):
            places[k] = hashed(states, n + begin + k) & mask
            touched ^= np.int64(table[places[k]])
        for k in range(fetched):
            known = np.int64(table[places[k]])
            if known != 0:
                touched ^= states[known - 1, 0]
        for k in range(fetched):
            while left == 0:
                first[i + b + 1] = edges + begin + k
                b += 1
                left = ways[b]
            row = n + begin + k
            there = find(table, states, row, places[k])
            if table[there] == 0:
                if new >= most:
                    counts[0], counts[1], counts[3] = new, first[i + b], touched
                    return b
                if new != row:
                    copy(states, new, row)
                parent[new] = i + b
                new += 1
                table[there] = new
            target[edges + begin + k] = np.int64(table[there]) - 1
            left -= 1
    while b < some:
        first[i + b + 1] = edges + total
        b += 1
    counts[0], counts[1], counts[3] = new, edges + total, touched
    return some


@kernel
def expand(
    entries: Any,  # addresses, as ENTRIES
    ctx: Any,
    kinds: Any,  # kind of stop per block; the number of a state's block is its first four bytes
    states: Any,  # rows of words
    table: Any,
    parent: Any,
    first: Any,
    target: Any,
    weight: Any,  # as long as target, or empty
    faults: Any,  # rows: state, way, place of the rule
    spare: Any,  # two rows
    steps: Any,  # of symmetries
    starts: Any,  # where each symmetry's steps begin, and the end
    maps: Any,
    counts: Any,  # in and out: states, edges, faults, and a number without meaning
    begin: Any,
    end: Any,
    most: Any,  # states
) -> Any:
    """Expands the states from ``begin`` to ``end``: how many were, and why it stopped there. States are made in the rows
    behind the last one, all that follow on a state at once; those met before are written over by the next."""
    base, size = states.ctypes.data, 8 * states.shape[1]
    ways = np.empty(STATES_AT_ONCE, np.int64)
    i = begin
    while i < end:
        n, edges, wrong = counts[0], counts[1], counts[2]
        some, made, bad, reason = 0, np.int64(0), False, DONE
        while some < STATES_AT_ONCE and i + some < end and made < AT_ONCE:
            s = base + (i + some) * size
            room = states.shape[0] - n - made - 1
            count: Any = 0
            if kinds[states[i + some, 0] & 0xFFFFFFFF] != 0:
                count = call4(entries[4], ctx, s, base + (n + made) * size, room)
            bad = call2(entries[3], ctx, 0) != 0
            if count > room:
                reason = ROOM
            elif edges + made + count > target.size:
                reason = EDGES
            elif (n + made + count) * 10 > table.size * FULLEST:
                reason = TABLE
            elif wrong + count + 1 >= faults.shape[0]:
                reason = FAULTS
            if reason != DONE:
                break
            for k in range(count):
                bad |= states[n + made + k, 0] & WRONG != 0
            if bad:
                break
            for k in range(count):
                if starts.size > 1:
                    settle_on_one(states, n + made + k, spare, steps, starts, maps)
                if weight.size:
                    weight[edges + made + k] = call3(entries[2], ctx, s, k)
            ways[some] = count
            made += count
            some += 1
        if some > 0:
            done = number_all(states, table, parent, first, target, counts, i, some, ways, most)
            i += done
            if done < some:
                return i, FULL
        elif reason != DONE:
            return i, reason
        else:
            if not expand_one(
                entries, ctx, states, table, parent, target, weight, faults, spare, steps, starts, maps, counts, i, most
            ):
                return i, FULL
            i += 1
            first[i] = counts[1]
    return end, DONE


@kernel
def expand_one(
    entries: Any,
    ctx: Any,
    states: Any,
    table: Any,
    parent: Any,
    target: Any,
    weight: Any,
    faults: Any,
    spare: Any,
    steps: Any,
    starts: Any,
    maps: Any,
    counts: Any,
    i: Any,
    most: Any,
) -> Any:
    """Expands a state way by way, as some rule goes wrong there. False: there are too many states."""
    n, edges, wrong = counts[0], counts[1], counts[2]
    base, size = states.ctypes.data, 8 * states.shape[1]
    ways: Any = call2(entries[0], ctx, base + i * size)
    error = call2(entries[3], ctx, 0)
    if error != 0:
        faults[wrong, 0], faults[wrong, 1], faults[wrong, 2] = i, -1, error
        counts[2] = wrong + 1
        return True
    for k in range(ways):
        copy(states, n, i)
        after: Any = -1
        if call3(entries[1], ctx, base + n * size, k) < 0:
            faults[wrong, 0], faults[wrong, 1], faults[wrong, 2] = i, k, call2(entries[3], ctx, 0)
            wrong += 1
        else:
            if starts.size > 1:
                settle_on_one(states, n, spare, steps, starts, maps)
            at = place(table, states, n)
            if table[at] == 0:
                if n >= most:
                    counts[0] = n
                    return False
                parent[n] = i
                n += 1
                table[at] = n
            after = np.int64(table[at]) - 1
        target[edges] = after
        if weight.size:
            weight[edges] = call3(entries[2], ctx, base + i * size, k)
        edges += 1
    counts[0], counts[1], counts[2] = n, edges, wrong
    return True


@kernel
def ask(entry: Any, error: Any, ctx: Any, states: Any, chosen: Any, number: Any, out: Any) -> Any:
    """``out[j]`` is what the entry point says about question ``number`` in the j-th chosen state. The first that can't be
    worked out ends it: its place among those chosen, else -1."""
    base, size = states.ctypes.data, 8 * states.shape[1]
    for j in range(chosen.size):
        out[j] = call3(entry, ctx, base + chosen[j] * size, number)
        if call2(error, ctx, 0) != 0:
            return j
    return -1


@kernel
def ask_two(entry: Any, ctx: Any, states: Any, chosen: Any, out: Any) -> Any:
    """``out[j]`` is what an entry point without arguments says about the j-th chosen state."""
    base, size = states.ctypes.data, 8 * states.shape[1]
    for j in range(chosen.size):
        out[j] = call2(entry, ctx, base + chosen[j] * size)


@kernel
def first_moves(entries: Any, ctx: Any, states: Any, chosen: Any, record: Any, found: Any) -> None:
    """``found[k]`` becomes the first of the chosen states in which a move of kind k is legal (it is -1 before). Moves of a
    kind lie together, so the next kind is found by halving. ``entries``: count, move; ``record``: room for a move."""
    base, size, out = states.ctypes.data, 8 * states.shape[1], record.ctypes.data
    for i in chosen:
        s = base + i * size
        n: Any = call2(entries[0], ctx, s)
        k: Any = 0
        while k < n:
            call4(entries[1], ctx, s, k, out)
            kind = record[0]
            if kind < 0:
                break
            if found[kind] < 0:
                found[kind] = i
            low, high = k + 1, n
            while low < high:
                middle = (low + high) // 2
                call4(entries[1], ctx, s, middle, out)
                if record[0] == kind:
                    low = middle + 1
                else:
                    high = middle
            k = low
