"""The kernel of alpha-beta search: negamax with a transposition table.

Sources: Knuth and Moore, "An Analysis of Alpha-Beta Pruning", 1975; Breuker, Uiterwijk and van den Herik,
"Replacement Schemes for Transposition Tables", 1994.

Scores are integers from the mover's point of view: the utility in millionths of the maximum, times ``GRAIN``. A
terminal score moves toward 0 by one for each ply from the root, so quick wins and slow losses score higher. A
result is *solid* if nothing beyond the horizon could change it. (``check.solve.depth_kernel`` explains why that
search is separate.)
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from gamedsl.agents.position import DRAWING, END, NO_WAY, NOT_ZERO_SUM, UNSEARCHABLE
from gamedsl.native.host.calling import Reals, Words, call2, call3, call4, call5, kernel, peek, poke

# indices into ``entry``
CONTEXT, KIND_AT, SEAT_AT, COUNT_AT, WEIGHT_AT, STEP_AT, RETURNS_AT, PLAYOUT_AT, MOVE_AT = range(9)
# Indices into ``shape``: words of a block; words of its values; playouts at the horizon; whether the table may cut off
# (else it only orders moves); where the context keeps its memory use (0: nothing to release); the maximum utility.
SIZE, VALUES, PLAYOUTS, TRUSTED, MARK, MOST = range(6)
# indices into ``signal``: stop, error, nodes, whether the action buffer was too small
STOP, ERROR, NODES, CRAMPED = range(4)
# fields of a table entry: used, score, depth, bound, solid, best action
USED, SCORE, DEPTH, BOUND, SOLID, WAY = range(6)
TABLE_FIELDS = 6
EXACT, LOWER, UPPER = range(3)
# Fields of a frame (one per ply): mover, plies to the horizon, window, best bound so far; the best action, its score,
# whether it is solid, whether all actions are; the next action, their number, the first one's index; the position's
# hash.
MOVER, LEFT, ALPHA, BETA, LOW, BEST_WAY, BEST, BEST_SOLID, ALL_SOLID, NEXT, WAYS, TOP, HASH = range(13)
FRAME_FIELDS = 13

GRAIN = 1024
MILLION = 1_000_000
MOST_PLIES = 900  # less than GRAIN, so that counting plies never changes a utility
INFINITE = 1 << 60
SURE = (MILLION - 1) * GRAIN
UNFINISHED = -2  # status of a playout that was too long to finish

_MIX1, _MIX2, _SEED = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB), np.uint64(0x9E3779B97F4A7C15)
_S30, _S27, _S31, _S1 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(1)

Slots = npt.NDArray[np.int64]


@kernel
def hashed(blocks: Words, ply: int, words: int) -> int:
    """Hashes a block's values to a non-negative number."""
    h = _SEED
    for k in range(words):
        h = (h ^ np.uint64(blocks[ply, k])) * _MIX1
        h = (h ^ (h >> _S27)) * _MIX2
        h ^= h >> _S31
    return np.int64(h >> _S1)  # type: ignore[return-value]


@kernel
def found(keys: Words, table: Slots, blocks: Words, ply: int, words: int, h: int) -> int:
    """Returns the position's index in the table, compared word by word, or -1."""
    first = (h % (table.shape[0] // 2)) * 2
    for at in range(first, first + 2):
        same = table[at, USED] == 1
        for k in range(words):
            if not same:
                break
            same = keys[at, k] == blocks[ply, k]
        if same:
            return at
    return -1


@kernel
def keep(
    keys: Words, table: Slots, blocks: Words, ply: int, words: int, h: int,
    score: int, depth: int, bound: int, solid: int, way: int,
) -> None:  # fmt: skip
    """Stores a result in the table: in the first slot of its pair if it is at least as deep as the entry there, else
    in the second. Solid results count as deeper than all others.
    """
    worth = depth + (1 << 20) * solid
    at = found(keys, table, blocks, ply, words, h)
    if at < 0:
        at = (h % (table.shape[0] // 2)) * 2
        if table[at, USED] == 1 and table[at, DEPTH] + (1 << 20) * table[at, SOLID] > worth:
            at += 1
    elif table[at, DEPTH] + (1 << 20) * table[at, SOLID] > worth:
        return
    for k in range(words):
        keys[at, k] = blocks[ply, k]
    table[at, USED] = 1
    table[at, SCORE] = moved(score, -ply)
    table[at, DEPTH] = depth
    table[at, BOUND] = bound
    table[at, SOLID] = solid
    table[at, WAY] = way


@kernel
def moved(score: int, plies: int) -> int:
    """Shifts a score that counts plies by this many plies."""
    if score % GRAIN == 0:
        return score
    return score - plies if score > 0 else score + plies


@kernel
def judged(entry: Words, shape: Words, blocks: Words, result: Reals, signal: Words, ply: int, seat: int, h: int) -> int:
    """Returns the score at the horizon: the mean of a few random playouts, seeded by the position's hash."""
    s = blocks.ctypes.data + ply * shape[SIZE] * 8
    total = 0.0
    for index in range(shape[PLAYOUTS]):
        status = call5(entry[PLAYOUT_AT], entry[CONTEXT], s, h, index, result.ctypes.data)
        if status >= 0:
            total += result[seat]
        elif status != UNFINISHED:
            signal[ERROR] = status
            return 0
    return int(0.999 * MILLION * total / (shape[PLAYOUTS] * shape[MOST])) * GRAIN


@kernel
def ended(entry: Words, shape: Words, blocks: Words, result: Reals, signal: Words, ply: int, seat: int) -> int:
    """Returns a terminal score for a player."""
    s = blocks.ctypes.data + ply * shape[SIZE] * 8
    status = call3(entry[RETURNS_AT], entry[CONTEXT], s, result.ctypes.data)
    if status < 0:
        signal[ERROR] = status
    elif abs(result[0] + result[1]) > 1e-9:
        signal[ERROR] = NOT_ZERO_SUM
    score = round(result[seat] / shape[MOST] * MILLION) * GRAIN
    return score - ply if score > 0 else score + ply if score < 0 else 0


@kernel
def ranked(
    entry: Words, shape: Words, blocks: Words, record: Words, order: Words, past: Words,
    ply: int, top: int, ways: int, first: int, sort: bool, seat: int,
) -> None:  # fmt: skip
    """Writes the actions to ``order[top:]``: number, history score, and index into ``past``."""
    s = blocks.ctypes.data + ply * shape[SIZE] * 8
    for k in range(ways):
        order[top + k, 0] = k
        order[top + k, 1] = INFINITE if k == first else 0
        order[top + k, 2] = -1
        if sort:
            n = call4(entry[MOVE_AT], entry[CONTEXT], s, k, record.ctypes.data)
            h = record[0] + 7
            for j in range(n):
                h = (h * 1000003) ^ record[2 + j]
            at = (h % (past.shape[0] // 2)) * 2 + seat
            order[top + k, 2] = at
            if k != first:
                order[top + k, 1] = past[at]


@kernel
def next_best(order: Words, at: int, end: int) -> int:
    """Selects the best remaining action, swaps it to ``at``, and returns its number."""
    best = at
    for k in range(at + 1, end):
        if order[k, 1] > order[best, 1]:
            best = k
    if best != at:
        for j in range(3):
            order[at, j], order[best, j] = order[best, j], order[at, j]
    return int(order[at, 0])


@kernel
def stepped(entry: Words, shape: Words, blocks: Words, signal: Words, ply: int, seat: int, way: int) -> int:
    """Writes the successor by an action to the next ply. Returns -1 if the play is over there, 0 if the same player
    moves again, 1 if the opponent does.
    """
    for k in range(shape[SIZE]):
        blocks[ply + 1, k] = blocks[ply, k]
    s = blocks.ctypes.data + (ply + 1) * shape[SIZE] * 8
    status = call3(entry[STEP_AT], entry[CONTEXT], s, way)
    if status < 0:
        signal[ERROR] = status
        return -1
    kind = call2(entry[KIND_AT], entry[CONTEXT], s)
    if kind == DRAWING:
        signal[ERROR] = UNSEARCHABLE
    if kind in (END, DRAWING):
        return -1
    return 0 if call2(entry[SEAT_AT], entry[CONTEXT], s) == seat else 1


@kernel
def answered(shape: Words, table: Slots, at: int, ply: int, depth: int, alpha: int, beta: int) -> bool:
    """Does a table entry settle the search of its position?"""
    if shape[TRUSTED] == 0 or (table[at, SOLID] == 0 and table[at, DEPTH] < depth):
        return False
    score = moved(table[at, SCORE], ply)
    if table[at, BOUND] == LOWER:
        return score >= beta
    return table[at, BOUND] == EXACT or score <= alpha


@kernel
def entered(
    entry: Words, shape: Words, blocks: Words, solid: Words, keys: Words, table: Slots, past: Words, order: Words,
    record: Words, result: Reals, signal: Words, frame: Words, ply: int,
) -> bool:  # fmt: skip
    """Enters the position of a ply; its frame holds mover, horizon, window and TOP. Returns whether the score is
    known at once (in BEST, and ``solid[ply]``).
    """
    signal[NODES] += 1
    words, seat, depth = shape[VALUES], frame[ply, MOVER], frame[ply, LEFT]
    h = hashed(blocks, ply, words)
    frame[ply, HASH] = h
    solid[ply] = 0
    if depth <= 0 or ply >= MOST_PLIES or ply + 2 >= blocks.shape[0]:
        frame[ply, BEST] = judged(entry, shape, blocks, result, signal, ply, seat, h)
        return True
    at, first = found(keys, table, blocks, ply, words, h), -1
    if at >= 0:
        if answered(shape, table, at, ply, depth, frame[ply, ALPHA], frame[ply, BETA]):
            solid[ply] = table[at, SOLID]
            frame[ply, BEST] = moved(table[at, SCORE], ply)
            return True
        first = table[at, WAY]
    top = frame[ply, TOP]
    ways = call2(entry[COUNT_AT], entry[CONTEXT], blocks.ctypes.data + ply * shape[SIZE] * 8)
    if ways <= 0 or top + ways > order.shape[0]:
        signal[ERROR] = ways if ways < 0 else NO_WAY
        signal[CRAMPED] = max(0, ways)
        return True
    ranked(entry, shape, blocks, record, order, past, ply, top, ways, first, depth > 1, seat)
    frame[ply, LOW] = frame[ply, ALPHA]
    frame[ply, BEST_WAY], frame[ply, BEST], frame[ply, BEST_SOLID] = 0, -INFINITE, 0
    frame[ply, ALL_SOLID], frame[ply, NEXT], frame[ply, WAYS] = 1, 0, ways
    return False


@kernel
def scored(
    shape: Words, blocks: Words, solid: Words, keys: Words, table: Slots, past: Words, order: Words, frame: Words,
    ply: int, score: int,
) -> bool:  # fmt: skip
    """Takes the score of the action last tried at a ply, from its mover's view; ``solid[ply + 1]`` tells whether it
    is solid. Returns whether the position is finished.
    """
    sure = solid[ply + 1]
    n = frame[ply, TOP] + frame[ply, NEXT] - 1
    frame[ply, ALL_SOLID] &= sure
    if score > frame[ply, BEST]:
        frame[ply, BEST_WAY], frame[ply, BEST], frame[ply, BEST_SOLID] = order[n, 0], score, sure
    frame[ply, LOW] = max(frame[ply, LOW], score)
    cut = frame[ply, LOW] >= frame[ply, BETA]
    if not cut and frame[ply, NEXT] < frame[ply, WAYS]:
        return False
    if cut:
        frame[ply, ALL_SOLID] = sure
        if order[n, 2] >= 0:
            past[order[n, 2]] += frame[ply, LEFT] * frame[ply, LEFT]
    best = frame[ply, BEST]
    solid[ply] = 1 if frame[ply, ALL_SOLID] == 1 or (frame[ply, BEST_SOLID] == 1 and best > SURE) else 0
    bound = UPPER if best <= frame[ply, ALPHA] else LOWER if cut else EXACT
    keep(
        keys, table, blocks, ply, shape[VALUES], frame[ply, HASH],
        best, frame[ply, LEFT], bound, solid[ply], frame[ply, BEST_WAY],
    )  # fmt: skip
    return True


@kernel
def deepen(
    entry: Words, shape: Words, blocks: Words, solid: Words, keys: Words, table: Slots, past: Words, order: Words,
    record: Words, result: Reals, signal: Words, frame: Words, marks: Words,
) -> int:  # fmt: skip
    """Searches ``blocks[1]`` and returns its fail-soft score for the mover in ``frame[1]``. ``solid[1]`` receives
    whether it is solid. The result is void if ``signal`` reports a stop or an error.
    """
    ply = 1
    done = entered(entry, shape, blocks, solid, keys, table, past, order, record, result, signal, frame, ply)
    while signal[ERROR] == 0 and signal[STOP] == 0:
        if done:
            score = int(frame[ply, BEST])
            if ply == 1:
                return score
            if frame[ply, MOVER] != frame[ply - 1, MOVER]:
                score = -score
            ply -= 1
            if shape[MARK] != 0:
                poke(shape[MARK], marks[ply])
            done = scored(shape, blocks, solid, keys, table, past, order, frame, ply, score)
            continue
        if shape[MARK] != 0:
            marks[ply] = peek(shape[MARK])
        top, seat = frame[ply, TOP], frame[ply, MOVER]
        way = next_best(order, top + frame[ply, NEXT], top + frame[ply, WAYS])
        frame[ply, NEXT] += 1
        after = stepped(entry, shape, blocks, signal, ply, seat, way)
        if after < 0:
            solid[ply + 1] = 1
            score = ended(entry, shape, blocks, result, signal, ply + 1, seat)
            if shape[MARK] != 0:
                poke(shape[MARK], marks[ply])
            done = scored(shape, blocks, solid, keys, table, past, order, frame, ply, score)
            continue
        low, high = frame[ply, LOW], frame[ply, BETA]
        ply += 1
        frame[ply, MOVER] = seat if after == 0 else 1 - seat
        frame[ply, LEFT] = frame[ply - 1, LEFT] - 1
        frame[ply, ALPHA] = low if after == 0 else -high
        frame[ply, BETA] = high if after == 0 else -low
        frame[ply, TOP] = top + frame[ply - 1, WAYS]
        done = entered(entry, shape, blocks, solid, keys, table, past, order, record, result, signal, frame, ply)
    return 0


@kernel
def at_root(
    entry: Words, shape: Words, blocks: Words, solid: Words, keys: Words, table: Slots, past: Words, order: Words,
    record: Words, result: Reals, signal: Words, frame: Words, marks: Words, depth: int, seat: int,
    ways: Words, scores: Words, sure: Words, spent: Words, whole: bool,
) -> int:  # fmt: skip
    """Searches the position in ``blocks[0]`` to a depth, trying actions in the order of ``ways``.

    ``scores`` and ``sure`` receive their scores (upper bounds only below the best, unless ``whole``) and solid
    flags; ``spent`` receives node counts. Returns how many actions were completed.
    """
    best = -INFINITE
    mark = peek(shape[MARK]) if shape[MARK] != 0 else 0
    for n in range(ways.shape[0]):
        low, before = -INFINITE if whole else best, signal[NODES]
        after = stepped(entry, shape, blocks, signal, 0, seat, ways[n])
        if after < 0:
            solid[1] = 1
            score = ended(entry, shape, blocks, result, signal, 1, seat)
        else:
            frame[1, MOVER], frame[1, LEFT], frame[1, TOP] = seat if after == 0 else 1 - seat, depth - 1, 0
            frame[1, ALPHA], frame[1, BETA] = (low, INFINITE) if after == 0 else (-INFINITE, -low)
            score = deepen(
                entry, shape, blocks, solid, keys, table, past, order, record, result, signal, frame, marks
            )  # fmt: skip
            if after == 1:
                score = -score
        if shape[MARK] != 0:
            poke(shape[MARK], mark)
        if signal[ERROR] != 0 or signal[STOP] != 0:
            return n
        scores[n], sure[n], spent[n] = score, solid[1], signal[NODES] - before
        best = max(best, score)
    return int(ways.shape[0])
