"""The loop of proof-number search over compiled entry points: whether the first player can secure at least a given
value.

Depth-first proof-number search (Nagai 2002): a position's proof (disproof) number is the minimum number of
positions still to be proved (disproved); the search expands a most-proving position. If all successors must be
answered, their numbers are not summed, because transpositions would be counted twice; the number is their maximum
plus one for each other successor (Ueda, Hashimoto, Hashimoto and Iida, "Weak Proof-Number Search", 2008). A new
position is evaluated one ply ahead.

``run`` returns when its patience is used up and can be resumed: its whole state is in its arrays.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gamedsl.compiler import call2, call3, call4, kernel
from gamedsl.lab.base import Ints
from gamedsl.lab.explore import Rules, canonicalize, state_hash
from gamedsl.lab.symmetry import SymmetrySteps, canonicalize_owners

ENTRIES = ("expand", "seat", "returns", "scores", "outcome_bounds", "pack", "unpack", "error")
EXPAND, SEAT, RETURNS, SCORES, OUTCOME_BOUNDS, PACK, UNPACK, ERROR = range(8)
DONE, ENOUGH, AGAIN, DEEP, WIDE, OTHER, FAULT = range(7)  # why ``run`` returned
BEGIN = -1  # the initial value of REASON
# Fields of a frame (one per ply): its row, its successors' rows, their number, whether the first player moves, the
# thresholds, the hash of its key, positions expanded until then, the chosen successor.
ROW, TOP, SUCCESSORS, FIRST, PROOF, DISPROOF, HASH, BEFORE, CHOSEN = range(9)
FIELDS = 9
# The totals: frames in use, positions expanded, their limit, the threshold asked for, whether scores count, why the
# search stopped, the root's proof and disproof numbers; whether the rules bound the reachable outcomes, and whether the
# question is about the best or the worst outcome, so that the number of lines to it initializes the numbers.
DEPTH, POSITIONS, LIMIT, WANTED, BY_SCORE, REASON, START_PROOF, START_DISPROOF, BOUNDED, ASKS_BEST, ASKS_WORST = range(
    11
)
TOTALS = 11
SURE = 1 << 30
BUCKET = 4


class Equal(NamedTuple):
    """The equivalences of positions.

    ``symmetries``: those of the board; ``exchanged``: exchangeable sets, see ``interchangeable_sets.exchanges``;
    ``spare``: int64, shape (2, words), scratch.
    """

    symmetries: SymmetrySteps
    exchanged: Ints
    spare: Ints


class Positions(NamedTuple):
    """The positions on the current path, with all their successors.

    ``raw``, ``keys``: int64, shape (rows, words): states, and the representatives of the positions equal to them;
    ``numbers``: int64, shape (rows, 2): proof and disproof numbers; ``hashes``: uint64, shape (rows,): of the keys.
    ``packed``: int64, shape (successors + 1, packed words): scratch.
    """

    raw: Ints
    keys: Ints
    numbers: Ints
    hashes: npt.NDArray[np.uint64]
    packed: Ints


class Search(NamedTuple):
    """The state of the search.

    ``frame``: int64, shape (depth, FIELDS); ``totals``: int64, shape (TOTALS,); ``utilities``: float64, at least
    four, scratch.
    """

    frame: Ints
    totals: Ints
    utilities: npt.NDArray[np.float64]


@kernel
def found(table: Any, keys: Any, row: Any, h: Any) -> Any:
    """Returns the index of a key in the table, or -1. The last three words of an entry are its proof number, disproof
    number, and work.
    """
    words = keys.shape[1]
    first = np.int64(h & np.uint64(table.shape[0] // BUCKET - 1)) * BUCKET
    for at in range(first, first + BUCKET):
        if table[at, words + 2] == 0:
            continue
        same = True
        for j in range(words):
            if table[at, j] != keys[row, j]:
                same = False
                break
        if same:
            return at
    return -1


@kernel
def keep(table: Any, keys: Any, row: Any, h: Any, proof: Any, disproof: Any, work: Any) -> None:
    """Stores the numbers of a key in the table; a new key replaces the entry of its bucket that took the least work."""
    words = keys.shape[1]
    at = found(table, keys, row, h)
    if at < 0:
        first = np.int64(h & np.uint64(table.shape[0] // BUCKET - 1)) * BUCKET
        at = first
        for other in range(first + 1, first + BUCKET):
            if table[other, words + 2] < table[at, words + 2]:
                at = other
        for j in range(words):
            table[at, j] = keys[row, j]
        table[at, words + 2] = 0
    table[at, words], table[at, words + 1] = proof, disproof
    table[at, words + 2] += work


@kernel
def terminal_value(rules: Rules, at: Any, search: Search) -> Any:
    """Returns the terminal value for the first player."""
    entries, ctx, totals, utilities = rules.entries, rules.context, search.totals, search.utilities
    if totals[BY_SCORE]:
        whole = utilities.view(np.int64)
        call3(entries[SCORES], ctx, at, utilities.ctypes.data)
        return whole[0] - whole[1]
    call3(entries[RETURNS], ctx, at, utilities.ctypes.data)
    if utilities[0] != -utilities[1]:
        totals[REASON] = OTHER
    return np.int64(np.rint(utilities[0]))


@kernel
def decided_by_bounds(rules: Rules, at: Any, search: Search) -> Any:
    """Returns 1 if the wanted value is already certain, -1 if it has become unreachable, else 0."""
    totals, whole = search.totals, search.utilities.view(np.int64)
    call4(rules.entries[OUTCOME_BOUNDS], rules.context, at, totals[BY_SCORE], search.utilities.ctypes.data)
    return 1 if whole[1] >= totals[WANTED] else -1 if whole[0] < totals[WANTED] else 0


@kernel
def follow(rules: Rules, positions: Positions, row: Any, top: Any, totals: Any) -> Any:
    """Writes the successors of a row to the rows from ``top`` on.

    Returns their number, or 0 if that is impossible; then REASON states why.
    """
    entries, ctx, raw, packed = rules.entries, rules.context, positions.raw, positions.packed
    base, size, to, wide = raw.ctypes.data, 8 * raw.shape[1], packed.ctypes.data, 8 * packed.shape[1]
    call3(entries[PACK], ctx, base + row * size, to)
    count: Any = call4(entries[EXPAND], ctx, to, to + wide, packed.shape[0] - 1)
    if call2(entries[ERROR], ctx, 0) != 0 or count <= 0:
        totals[REASON] = FAULT
        return 0
    if count >= packed.shape[0] or top + count > raw.shape[0]:
        totals[REASON] = WIDE
        return 0
    for k in range(count):
        call3(entries[UNPACK], ctx, base + (top + k) * size, to + (k + 1) * wide)
    return count


@kernel
def ahead(rules: Rules, positions: Positions, search: Search, row: Any, top: Any) -> Any:
    """Returns the proof and disproof numbers of a new position from its successors, written from ``top`` on."""
    raw, totals, utilities = positions.raw, search.totals, search.utilities
    base, size = raw.ctypes.data, 8 * raw.shape[1]
    at = base + row * size
    count = follow(rules, positions, row, top, totals)
    if count == 0:
        return np.int64(1), np.int64(1)
    first = call2(rules.entries[SEAT], rules.context, at) == 0
    left = np.int64(0)
    best_lines, worst_lines = np.int64(1), np.int64(1)
    if totals[BOUNDED]:
        whole = utilities.view(np.int64)
        call4(rules.entries[OUTCOME_BOUNDS], rules.context, at, totals[BY_SCORE], utilities.ctypes.data)
        best_lines, worst_lines = whole[2], whole[3]
    for k in range(top, top + count):
        block = raw[k, 0] & 0xFFFFFFFF
        if rules.stops[block] != 0:
            left += 1
        elif (terminal_value(rules, base + k * size, search) >= totals[WANTED]) == first:
            return (np.int64(0), np.int64(SURE)) if first else (np.int64(SURE), np.int64(0))
    if left == 0:
        return (np.int64(SURE), np.int64(0)) if first else (np.int64(0), np.int64(SURE))
    proof, disproof = (np.int64(1), left) if first else (left, np.int64(1))
    if totals[ASKS_BEST]:
        disproof = max(np.int64(1), best_lines)
    if totals[ASKS_WORST]:
        proof = max(np.int64(1), worst_lines)
    return proof, disproof


@kernel
def make_key(equal: Equal, positions: Positions, row: Any) -> None:
    """Makes the key of a row, and its hash."""
    keys = positions.keys
    for j in range(keys.shape[1]):
        keys[row, j] = positions.raw[row, j]
    if equal.exchanged.shape[0] > 0:
        canonicalize_owners(keys[row].view(np.uint8), equal.exchanged)
    if equal.symmetries.starts.size > 1:
        canonicalize(keys, row, equal.spare, equal.symmetries)
    positions.hashes[row] = state_hash(keys, row)


@kernel
def enter(rules: Rules, equal: Equal, positions: Positions, table: Any, search: Search) -> None:
    """Generates the successors of the topmost frame's position, with their numbers, until one decides it."""
    kinds, totals, raw, keys = rules.stops, search.totals, positions.raw, positions.keys
    numbers, hashes = positions.numbers, positions.hashes
    top_frame = search.frame[totals[DEPTH] - 1]
    base, size, row = raw.ctypes.data, 8 * raw.shape[1], top_frame[ROW]
    at, top = base + row * size, top_frame[TOP]
    kind = kinds[raw[row, 0] & 0xFFFFFFFF]
    if kind != 1 and kind != 2:
        totals[REASON] = OTHER
        return
    count = follow(rules, positions, row, top, totals)
    if count == 0:
        return
    first = call2(rules.entries[SEAT], rules.context, at) == 0
    top_frame[SUCCESSORS], top_frame[FIRST] = count, 1 if first else 0
    totals[POSITIONS] += 1
    top_frame[BEFORE] = totals[POSITIONS]
    good = np.int64(0 if first else 1)
    new, sure = np.int64(0), 0
    for k in range(top, top + count):
        block = raw[k, 0] & 0xFFFFFFFF
        if kinds[block] == 0:
            won = terminal_value(rules, base + k * size, search) >= totals[WANTED]
            numbers[k, 0], numbers[k, 1] = (0, SURE) if won else (SURE, 0)
            sure = 0
        elif totals[BOUNDED]:
            sure = decided_by_bounds(rules, base + k * size, search)
            if sure != 0:
                numbers[k, 0], numbers[k, 1] = (0, SURE) if sure > 0 else (SURE, 0)
        if kinds[block] != 0 and sure == 0:
            make_key(equal, positions, k)
            known = found(table, keys, k, hashes[k])
            if known < 0:
                numbers[k, 0] = numbers[k, 1] = -1
                new += 1
            else:
                numbers[k, 0], numbers[k, 1] = table[known, raw.shape[1]], table[known, raw.shape[1] + 1]
        if numbers[k, good] == 0:
            top_frame[TOP], top_frame[SUCCESSORS] = k, 1
            return
    if new == 0:
        return
    for k in range(top, top + count):
        if numbers[k, 0] == -1:
            numbers[k, 0], numbers[k, 1] = ahead(rules, positions, search, k, top + count)
            if totals[REASON] != DONE:
                return
            keep(table, keys, k, hashes[k], numbers[k, 0], numbers[k, 1], 1)
            if numbers[k, good] == 0:
                top_frame[TOP], top_frame[SUCCESSORS] = k, 1
                return


@kernel
def counted(numbers: Any, top: Any, count: Any, mine: Any) -> Any:
    """Returns five numbers about the successors of a position.

    These are the least number in column ``mine``, the second least, the row that has the least, the combined number
    of the other column (the maximum, plus one for each other open successor), and the number of open successors.
    """
    least: Any = np.int64(SURE)
    second: Any = np.int64(SURE)
    most: Any = np.int64(0)
    best: Any = np.int64(-1)
    still = np.int64(0)
    for k in range(top, top + count):
        a, b = numbers[k, mine], numbers[k, 1 - mine]
        if a < least:
            least, second, best = a, least, k
        elif a < second:
            second = a
        if b > 0:
            still += 1
            most = max(most, b)
    if least == 0:
        most = SURE
    elif still > 0:
        most = min(most + still - 1, SURE - 1)
    return least, second, best, most, still


@kernel
def again(keys: Any, frame: Any, depth: Any, row: Any, h: Any) -> Any:
    """Whether the position repeats one on its own path."""
    for d in range(depth):
        if frame[d, HASH] == h:
            same = True
            for j in range(keys.shape[1]):
                if keys[frame[d, ROW], j] != keys[row, j]:
                    same = False
                    break
            if same:
                return True
    return False


@kernel
def run(rules: Rules, equal: Equal, positions: Positions, table: Any, search: Search, patience: Any) -> None:
    """Continues from the current frames until the root is decided (no frame is left), or for this many positions.

    If REASON is BEGIN it starts with the position in row 0.
    """
    frame, totals, keys = search.frame, search.totals, positions.keys
    numbers, hashes = positions.numbers, positions.hashes
    if totals[REASON] == BEGIN:
        totals[REASON] = DONE
        make_key(equal, positions, 0)
        totals[DEPTH] = 1
        frame[0, ROW], frame[0, TOP], frame[0, PROOF], frame[0, DISPROOF] = 0, 1, SURE, SURE
        frame[0, HASH] = np.int64(hashes[0])
        enter(rules, equal, positions, table, search)
    until = totals[POSITIONS] + patience
    while totals[REASON] == DONE and totals[DEPTH] > 0 and totals[POSITIONS] < until:
        depth = totals[DEPTH] - 1
        f = frame[depth]
        mine = np.int64(0 if f[FIRST] else 1)
        least, second, best, most, still = counted(numbers, f[TOP], f[SUCCESSORS], mine)
        proof, disproof = (least, most) if f[FIRST] else (most, least)
        if proof >= f[PROOF] or disproof >= f[DISPROOF] or least == 0 or most == 0:
            keep(table, keys, f[ROW], np.uint64(f[HASH]), proof, disproof, totals[POSITIONS] - f[BEFORE] + 2)
            numbers[f[ROW], 0], numbers[f[ROW], 1] = proof, disproof
            if depth == 0:
                totals[START_PROOF], totals[START_DISPROOF] = proof, disproof
            totals[DEPTH] = depth
            continue
        if totals[POSITIONS] >= totals[LIMIT]:
            totals[REASON] = ENOUGH
            return
        if depth + 1 >= frame.shape[0]:
            totals[REASON] = DEEP
            return
        if again(keys, frame, depth + 1, best, np.int64(hashes[best])):
            totals[REASON] = AGAIN
            return
        own, other = (f[PROOF], f[DISPROOF]) if f[FIRST] else (f[DISPROOF], f[PROOF])
        own = min(own, second + 1 + second // 4)
        other = max(other - still + 1, numbers[best, 1 - mine] + 1)
        g = frame[depth + 1]
        g[ROW], g[TOP], g[HASH] = best, f[TOP] + f[SUCCESSORS], np.int64(hashes[best])
        g[PROOF], g[DISPROOF] = (own, other) if f[FIRST] else (other, own)
        totals[DEPTH] = depth + 2
        enter(rules, equal, positions, table, search)
