"""The explorer's inner loop over compiled entry points: states as rows of words, a table of their numbers by hash.

The table is open addressing with four bytes a place, at most seven tenths full, in one part or several (the rows of the array;
the upper bits of a place tell which); states that hash alike are told apart by all their words. It holds the states from a
number ``base`` on: all of them, or those of one level.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gamedsl.check.explore.kernel_histories import settle_chains, short_of_room
from gamedsl.check.explore.kernel_records import Found, Level, NotedPositions, Rules, Successors, SymmetrySteps
from gamedsl.check.symmetry.compiled import COPY, ELEMENT
from gamedsl.native.emit.module_builder import CTX_USED
from gamedsl.native.emit.splitmix import GAMMA, M1
from gamedsl.native.host.calling import (
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
ENTRIES = ("count", "step", "weight", "error", "expand", "pack", "unpack")  # what is called, in this order
COUNT, STEP, WEIGHT, ERROR, EXPAND, PACK, UNPACK = range(len(ENTRIES))
AT_ONCE = 128  # states whose ways on are made before they are taken in
GROUP = 64  # rows whose places in the table are fetched together
FULLEST = 7  # tenths of the table
BITS, ANY = range(2)  # terms of a measure
FRAMES = 4  # frames of scratch: two for symmetries, a state, what follows on it

_M1, _GAMMA = np.uint64(M1), np.uint64(GAMMA)


# ------------------------------------------------------------------------------------------------------- the table


@kernel
def hashed(states: Any, i: Any) -> Any:
    """A hash of the words of the i-th state (the finalizer of splitmix64 after every word)."""
    h = _GAMMA
    for j in range(states.shape[1]):
        h = finished(h ^ np.uint64(states[i, j]))
    return h


@kernel
def mixed(row: Any, words: Any) -> Any:
    """A hash of the words at an address that is good enough to find a place in a table, and quicker."""
    h = _GAMMA
    for j in range(words):
        h = (h ^ np.uint64(peek(row + 8 * j))) * _M1
        h ^= h >> np.uint64(32)
    return np.int64(h & np.uint64(0x7FFFFFFFFFFFFFFF))


@kernel
def find(table: Any, sub: Any, states: Any, words: Any, row: Any, at: Any) -> Any:
    """Where a state equal to the row stands in a table, or the free place where it belongs; from the first place on where
    it could stand. A place holds a number + 1, or 0. ``table``, ``states`` (of number 0) and ``row`` are addresses;
    ``sub`` + 1 is the size of a part of the table."""
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
    """Where a state equal to the i-th stands in a table of one dimension, or the free place where it belongs."""
    words, mask, base = states.shape[1], table.size - 1, states.ctypes.data
    row = base + 8 * words * i
    return find(table.ctypes.data, mask, base, words, row, mixed(row, words) & mask)


@kernel
def fill(table: Any, states: Any, base: Any, n: Any) -> None:
    """Puts the states from ``base`` to n, all different, into an empty table."""
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
    """``out[k]`` becomes the number of the state equal to the k-th of n rows; -1 when there is none in the table."""
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
    """The first places where some rows could stand; the memory needed to look there is on its way."""
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
    """A state's bytes turned by a symmetry (see ``compiled``); ``target`` is a copy of them before."""
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
def canonicalize(states: Any, n: Any, spare: Any, steps: Any, starts: Any, maps: Any) -> None:
    """State n becomes the least of those that symmetries make of it. ``spare``: two rows."""
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
    canonicalize(frames, 3, frames, symmetries.steps, symmetries.starts, symmetries.maps)
    call3(rules.entries[PACK], rules.context, frame, row)


# -------------------------------------------------------------------------------------------------------- ways on


@kernel
def generate(
    rules: Rules, symmetries: SymmetrySteps, noted: NotedPositions, states: Any, frames: Any, begin: Any, end: Any,
    out: Successors,
) -> Any:  # fmt: skip
    """The successors of the states (rows of words) from ``begin`` to ``end``: up to which state there was room, and whether any
    rule went wrong: if not, ``wrong`` and ``stuck`` are not written. ``frames``: scratch."""
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
            settle_chains(ctx, rows, n, count, used, chains, kept, handles)
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
    """The bits of the first word that tell a block's number."""
    mask = 1
    while mask + 1 < stops.size:
        mask = 2 * mask + 1
    return mask


@kernel
def one_by_one(rules: Rules, states: Any, i: Any, frames: Any, rows: Any, n: Any, wrong: Any) -> Any:
    """The successors of a state with which some rule goes wrong: where in the rules, if that is before they can be
    listed, else 0."""
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


# -------------------------------------------------------------------------------------------------------- taking in


@kernel
def measure(states: Any, i: Any, terms: Any) -> Any:
    """What a measure says of the i-th state. A term: its kind, a word, a mask, a weight for each bit that is set under it
    (``BITS``), or for there being one (``ANY``)."""
    total = 0
    for t in range(terms.shape[0]):
        found = states[i, terms[t, 1]] & terms[t, 2]
        total += terms[t, 3] * (ones(found) if terms[t, 0] == BITS else np.int64(found != 0))
    return total


@kernel
def insert(found: Found, level: Level, begin: Any, end: Any, most: Any, successors: Successors, bad: Any) -> Any:
    """Takes in the successors of the states from ``begin`` to ``end``, as ``generate`` made them: those met before have
    their numbers, the others get new ones, in order, ``most`` in all. There must be room for all. How many states were
    expanded, and why it stopped."""
    states, table, base, parent = found.words, found.table, found.base, found.parent
    rows, wrong, ways, stuck = successors.rows, successors.wrong, successors.counts, successors.stuck
    faults, counts = found.faults, found.totals
    words, mask, sub, entries = states.shape[1], table.size - 1, table.shape[1] - 1, table.ctypes.data
    known, row, size = states.ctypes.data + base * 8 * words, rows.ctypes.data, 8 * words
    places = np.empty(GROUP, np.int64)
    n, made, faulty = counts[0], counts[1], counts[2]
    i: Any = begin
    left: Any = 0  # rows of state i that are still to be taken in; its first is at row ``own``
    own: Any = 0
    total: Any = np.int64(0)
    for k in range(end - begin):
        total += ways[k]
    if end > begin:
        left = ways[0]
    for g in range(0, total, GROUP):
        some = min(GROUP, total - g)
        fetched(entries, mask, known, words, row, some, places.ctypes.data)
        for k in range(some):
            while left == 0:
                if bad:
                    faulty = note(faults, faulty, i, wrong, own, ways[i - begin], stuck[i - begin])
                own += ways[i - begin]
                i += 1
                left = ways[i - begin]
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
            faulty = note(faults, faulty, i, wrong, own, ways[i - begin], stuck[i - begin])
        own += ways[i - begin]
        i += 1
    counts[0], counts[1], counts[2] = n, made + own, faulty
    return end, DONE


@kernel
def note(faults: Any, faulty: Any, i: Any, wrong: Any, own: Any, ways: Any, stuck: Any) -> Any:
    """Writes down the rules errors on the ways on from state i; how many there are then in all."""
    if stuck != 0:
        faults[faulty, 0], faults[faulty, 1], faults[faulty, 2] = i, -1, stuck
        faulty += 1
    for k in range(ways):
        if wrong[own + k] != 0:
            faults[faulty, 0], faults[faulty, 1], faults[faulty, 2] = i, k, wrong[own + k]
            faulty += 1
    return faulty


@kernel
def grow(
    rules: Rules, symmetries: SymmetrySteps, noted: NotedPositions, frames: Any, found: Found, level: Level,
    begin: Any, end: Any, most: Any, out: Successors,
) -> Any:  # fmt: skip
    """Expands the states from ``begin`` to ``end``: up to which it came, and why it stopped there."""
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
    """``out[j]`` is what an entry point says about question ``number`` in the j-th chosen state. The first that can't be
    worked out ends it: its place among those chosen, else -1. ``frame``: room for a state."""
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
    """``found[k]`` becomes the first of the chosen states in which a move of kind k is legal (it is -1 before). Moves of a
    kind lie together, so the next kind is found by halving. ``move``: an entry point; ``record``: room for a move."""
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
