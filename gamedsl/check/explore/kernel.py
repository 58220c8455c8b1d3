"""The explorer's inner loop over compiled entry points: states as rows of words, and a hash table of their numbers.

The table uses open addressing with four bytes per slot, is at most seven tenths full, and has one or several
parts (the array's rows; the upper bits of a slot select the part). States with equal hashes are compared word by
word. The table holds the states from number ``base`` on: all of them, or those of one level.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gamedsl.check.explore.kernel_histories import canonicalize_chains, short_of_room
from gamedsl.check.explore.kernel_records import Found, Level, NotedPositions, Rules, Successors
from gamedsl.check.symmetry import COPY, ELEMENT, SymmetrySteps
from gamedsl.native import (
    CTX_USED,
    GAMMA,
    M1,
    call2,
    call3,
    call4,
    fetch,
    finished,
    kernel,
    ones,
    peek,
    peek_half,
    poke,
    poke_half,
)

DONE, ROOM, BUFFER, TABLE, FULL, FAULTS, UNLIKE = range(7)  # why ``grow`` returned
ENTRIES = ("count", "step", "weight", "error", "expand", "pack", "unpack")  # entry points called, in this order
COUNT, STEP, WEIGHT, ERROR, EXPAND, PACK, UNPACK = range(len(ENTRIES))
AT_ONCE = 128  # states expanded before their successors are inserted
GROUP = 64  # rows whose table slots are prefetched together
FULLEST = 7  # tenths of the table
BITS, ANY = range(2)  # terms of a measure
FRAMES = 4  # frames of scratch: two for symmetries, a state, its successor

_M1, _GAMMA = np.uint64(M1), np.uint64(GAMMA)


# ------------------------------------------------------------------------------------------------------- the table


@kernel
def state_hash(states: Any, i: Any) -> Any:
    """Hashes the words of the i-th state (the splitmix64 finalizer after every word)."""
    h = _GAMMA
    for j in range(states.shape[1]):
        h = finished(h ^ np.uint64(states[i, j]))
    return h


@kernel
def mixed(row: Any, words: Any) -> Any:
    """Hashes the words at an address: faster, and good enough for a hash table."""
    h = _GAMMA
    for j in range(words):
        h = (h ^ np.uint64(peek(row + 8 * j))) * _M1
        h ^= h >> np.uint64(32)
    return np.int64(h & np.uint64(0x7FFFFFFFFFFFFFFF))


@kernel
def find(table: Any, sub: Any, states: Any, words: Any, row: Any, at: Any) -> Any:
    """Returns the slot of a state equal to the row, or the free slot where it belongs, probing from ``at``. A slot
    holds a number + 1, or 0. ``table``, ``states`` (of number 0) and ``row`` are addresses; ``sub`` + 1 is the
    size of a part of the table.
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
    return find(table.ctypes.data, mask, base, words, row, mixed(row, words) & mask)


@kernel
def fill(table: Any, states: Any, base: Any, n: Any) -> None:
    """Inserts the states from ``base`` to n, all distinct, into an empty table."""
    words, mask, sub, entries = states.shape[1], table.size - 1, table.shape[1] - 1, table.ctypes.data
    places = np.empty(GROUP, np.int64)
    for begin in range(base, n, GROUP):
        some = min(GROUP, n - begin)
        for k in range(some):
            places[k] = mixed(states.ctypes.data + (begin + k) * 8 * words, words) & mask
            fetch(entries + places[k] * 4)
        for k in range(some):
            at = places[k]
            while peek_half(entries + 4 * at) != 0:
                at = (at & ~sub) | ((at + 1) & sub)
            poke_half(entries + 4 * at, begin + k + 1 - base)


@kernel
def look_up(table: Any, states: Any, base: Any, rows: Any, n: Any, out: Any) -> None:
    """Sets ``out[k]`` to the number of the state equal to the k-th of n rows; -1 if it is not in the table."""
    words, mask, sub, entries = states.shape[1], table.size - 1, table.shape[1] - 1, table.ctypes.data
    known, row = states.ctypes.data + base * 8 * words, rows.ctypes.data
    places = np.empty(GROUP, np.int64)
    for begin in range(0, n, GROUP):
        some = min(GROUP, n - begin)
        fetched(entries, mask, known, words, row + begin * 8 * words, some, places.ctypes.data)
        for k in range(some):
            at = find(entries, sub, known, words, row + (begin + k) * 8 * words, places[k])
            number = peek_half(entries + 4 * at)
            out[begin + k] = base + number - 1 if number != 0 else -1


@kernel
def fetched(table: Any, mask: Any, states: Any, words: Any, row: Any, some: Any, places: Any) -> None:
    """Computes the first slots for some rows and prefetches the memory to probe them."""
    size = 8 * words
    for k in range(some):
        at = mixed(row + k * size, words) & mask
        poke(places + 8 * k, at)
        fetch(table + 4 * at)
    for k in range(some):
        fetch(states + (peek_half(table + 4 * peek(places + 8 * k)) - 1) * size)


# ------------------------------------------------------------------------------------------------------ symmetries


@kernel
def turned(source: Any, target: Any, steps: Any, begin: Any, end: Any, maps: Any) -> None:
    """Applies a symmetry to a state's bytes (see ``compiled``); ``target`` starts as a copy of them."""
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
def canonicalize(states: Any, n: Any, spare: Any, symmetries: SymmetrySteps) -> None:
    """Replaces state n by the least of its images under the symmetries. ``spare``: two rows."""
    steps, starts, maps = symmetries
    words = states.shape[1]
    best, other = states[n], spare[0]
    for w in range(words):
        spare[1, w] = states[n, w]
    whole = spare[1].view(np.uint8)
    block = states[n, 0] & np.int64(0xFFFFFFFF)
    for t in range(starts.shape[1] - 1):
        if starts[block, t] == starts[block, t + 1]:
            continue
        for w in range(words):
            other[w] = spare[1, w]
        turned(whole, other.view(np.uint8), steps, starts[block, t], starts[block, t + 1], maps)
        for w in range(words):
            if other[w] != best[w]:
                if other[w] < best[w]:
                    for v in range(words):
                        best[v] = other[v]
                break


@kernel
def canonicalize_row(rules: Rules, symmetries: SymmetrySteps, rows: Any, n: Any, frames: Any) -> None:
    """The same for a row."""
    frame, row = frames.ctypes.data + 3 * 8 * frames.shape[1], rows.ctypes.data + n * 8 * rows.shape[1]
    call3(rules.entries[UNPACK], rules.context, frame, row)
    canonicalize(frames, 3, frames, symmetries)
    call3(rules.entries[PACK], rules.context, frame, row)


# -------------------------------------------------------------------------------------------------------- successors


@kernel
def generate(
    rules: Rules, symmetries: SymmetrySteps, noted: NotedPositions, states: Any, frames: Any, begin: Any, end: Any,
    out: Successors,
) -> Any:  # fmt: skip
    """Generates the successors of the states (rows of words) from ``begin`` to ``end``. Returns the end of the
    states that fit, and an error flag; if it is not set, ``wrong`` and ``stuck`` are not written. ``frames``:
    scratch.
    """
    entries, ctx, stops = rules.entries, rules.context, rules.stops
    chains, kept, handles = noted.table, noted.kept, noted.handles
    rows, weights, wrong, counts, stuck = out.rows, out.weights, out.wrong, out.counts, out.stuck
    base, size = states.ctypes.data, 8 * states.shape[1]
    made, mask = rows.ctypes.data, block_mask(stops)
    n: Any = 0
    bad = False
    i = begin
    while i < end:
        count: Any = 0
        used: Any = peek(ctx + 8 * CTX_USED)
        if handles.shape[0] != 0 and short_of_room(ctx, chains, kept):
            break
        if stops[states[i, 0] & mask] != 0:
            count = call4(entries[EXPAND], ctx, base + i * size, made + n * size, rows.shape[0] - n)
        failed = peek(ctx) != 0
        if failed:
            call2(entries[ERROR], ctx, 0)
        if n + count > rows.shape[0]:
            poke(ctx + 8 * CTX_USED, used)
            break
        if failed and not bad:
            bad = True
            wrong[:n] = 0
            stuck[: i - begin] = 0
        if bad:
            stuck[i - begin] = 0
            wrong[n : n + count] = 0
        if failed:
            stuck[i - begin] = one_by_one(rules, states, i, frames, rows, n, wrong)
            count = 0 if stuck[i - begin] != 0 else count
        if handles.shape[0] != 0:
            canonicalize_chains(ctx, rows, n, count, used, chains, kept, handles)
        counts[i - begin] = count
        if symmetries.starts.size > 1:
            for k in range(count):
                if not bad or wrong[n + k] == 0:
                    canonicalize_row(rules, symmetries, rows, n + k, frames)
        if weights.size:
            frame = frames.ctypes.data + 2 * 8 * frames.shape[1]
            call3(entries[UNPACK], ctx, frame, base + i * size)
            for k in range(count):
                weights[n + k] = call3(entries[WEIGHT], ctx, frame, k)
        n += count
        i += 1
    return i, bad


@kernel
def block_mask(stops: Any) -> Any:
    """Returns the bits of the first word that hold a block's number."""
    mask = 1
    while mask + 1 < stops.size:
        mask = 2 * mask + 1
    return mask


@kernel
def one_by_one(rules: Rules, states: Any, i: Any, frames: Any, rows: Any, n: Any, wrong: Any) -> Any:
    """Generates the successors of a state in which some rule fails. Returns the place of the rule if it fails before
    they can be listed, else 0.
    """
    entries, ctx = rules.entries, rules.context
    size = 8 * frames.shape[1]
    frame, child = frames.ctypes.data + 2 * size, frames.ctypes.data + 3 * size
    call3(entries[UNPACK], ctx, frame, states.ctypes.data + i * 8 * states.shape[1])
    count: Any = call2(entries[COUNT], ctx, frame)
    error: Any = call2(entries[ERROR], ctx, 0)
    if error != 0:
        return error
    for k in range(count):
        for w in range(frames.shape[1]):
            frames[3, w] = frames[2, w]
        wrong[n + k] = 0
        if call3(entries[STEP], ctx, child, k) < 0:
            wrong[n + k] = call2(entries[ERROR], ctx, 0)
        call3(entries[PACK], ctx, child, rows.ctypes.data + (n + k) * 8 * rows.shape[1])
    return 0


# -------------------------------------------------------------------------------------------------------- insertion


@kernel
def measure(states: Any, i: Any, terms: Any) -> Any:
    """Returns the measure of the i-th state. A term: its kind, a word, a mask, a weight for each bit set under it
    (``BITS``), or for any (``ANY``).
    """
    total = 0
    for t in range(terms.shape[0]):
        found = states[i, terms[t, 1]] & terms[t, 2]
        total += terms[t, 3] * (ones(found) if terms[t, 0] == BITS else np.int64(found != 0))
    return total


@kernel
def insert(found: Found, level: Level, begin: Any, end: Any, most: Any, successors: Successors, bad: Any) -> Any:
    """Inserts the successors of the states from ``begin`` to ``end``, as ``generate`` made them: known states keep
    their numbers, new ones are numbered in order, up to ``most`` in all. There must be room for all. Returns how
    many states were expanded, and why it stopped.
    """
    states, table, base, parent = found.words, found.table, found.base, found.parent
    rows, wrong, degrees, stuck = successors.rows, successors.wrong, successors.counts, successors.stuck
    faults, counts = found.faults, found.totals
    words, mask, sub, entries = states.shape[1], table.size - 1, table.shape[1] - 1, table.ctypes.data
    known, row, size = states.ctypes.data + base * 8 * words, rows.ctypes.data, 8 * words
    places = np.empty(GROUP, np.int64)
    n, made, faulty = counts[0], counts[1], counts[2]
    i: Any = begin
    left: Any = 0  # rows of state i that are still to be inserted; its first is at row ``own``
    own: Any = 0
    total: Any = np.int64(0)
    for k in range(end - begin):
        total += degrees[k]
    if end > begin:
        left = degrees[0]
    for g in range(0, total, GROUP):
        some = min(GROUP, total - g)
        fetched(entries, mask, known, words, row, some, places.ctypes.data)
        for k in range(some):
            while left == 0:
                if bad:
                    faulty = note(faults, faulty, i, wrong, own, degrees[i - begin], stuck[i - begin])
                own += degrees[i - begin]
                i += 1
                left = degrees[i - begin]
            left -= 1
            if not bad or wrong[g + k] == 0:
                at = find(entries, sub, known, words, row, places[k])
                if peek_half(entries + 4 * at) == 0:
                    if n >= most:
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
            faulty = note(faults, faulty, i, wrong, own, degrees[i - begin], stuck[i - begin])
        own += degrees[i - begin]
        i += 1
    counts[0], counts[1], counts[2] = n, made + own, faulty
    return end, DONE


@kernel
def note(faults: Any, faulty: Any, i: Any, wrong: Any, own: Any, degree: Any, stuck: Any) -> Any:
    """Records the rules errors on the edges of state i. Returns the total number of errors."""
    if stuck != 0:
        faults[faulty, 0], faults[faulty, 1], faults[faulty, 2] = i, -1, stuck
        faulty += 1
    for k in range(degree):
        if wrong[own + k] != 0:
            faults[faulty, 0], faults[faulty, 1], faults[faulty, 2] = i, k, wrong[own + k]
            faulty += 1
    return faulty


@kernel
def grow(
    rules: Rules, symmetries: SymmetrySteps, noted: NotedPositions, frames: Any, found: Found, level: Level,
    begin: Any, end: Any, most: Any, out: Successors,
) -> Any:  # fmt: skip
    """Expands the states from ``begin`` to ``end``. Returns how far it got, and why it stopped."""
    totals = found.totals
    i = begin
    while i < end:
        upto, bad = generate(rules, symmetries, noted, found.words, frames, i, min(end, i + AT_ONCE), out)
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
        i, reason = insert(found, level, i, upto, most, out, bad)
        if reason != DONE:
            return i, reason
    return i, DONE


# -------------------------------------------------------------------------------------------------------- questions


@kernel
def ask(rules: Rules, entry: Any, states: Any, frame: Any, chosen: Any, number: Any, out: Any) -> Any:
    """Sets ``out[j]`` to the answer of an entry point to question ``number`` in the j-th chosen state. Stops at the
    first that fails and returns its index among those chosen, else -1. ``frame``: room for a state.
    """
    unpack, error, ctx = rules.entries[UNPACK], rules.entries[ERROR], rules.context
    base, size, s = states.ctypes.data, 8 * states.shape[1], frame.ctypes.data
    for j in range(chosen.size):
        call3(unpack, ctx, s, base + chosen[j] * size)
        out[j] = call3(entry, ctx, s, number)
        if peek(ctx) != 0:
            call2(error, ctx, 0)
            return j
    return -1


@kernel
def first_moves(rules: Rules, move: Any, states: Any, frame: Any, chosen: Any, record: Any, found: Any) -> None:
    """Sets ``found[k]`` to the first of the chosen states where a move of kind k is legal (it is -1 before). Moves
    of a kind are contiguous, so a binary search finds the next kind. ``move``: an entry point; ``record``: room
    for a move.
    """
    unpack, count, ctx = rules.entries[UNPACK], rules.entries[COUNT], rules.context
    base, size, out, s = states.ctypes.data, 8 * states.shape[1], record.ctypes.data, frame.ctypes.data
    for i in chosen:
        call3(unpack, ctx, s, base + i * size)
        n: Any = call2(count, ctx, s)
        k: Any = 0
        while k < n:
            call4(move, ctx, s, k, out)
            kind = record[0]
            if kind < 0:
                break
            if found[kind] < 0:
                found[kind] = i
            low, high = k + 1, n
            while low < high:
                middle = (low + high) // 2
                call4(move, ctx, s, middle, out)
                if record[0] == kind:
                    low = middle + 1
                else:
                    high = middle
            k = low
