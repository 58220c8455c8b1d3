"""The kernel of alpha-beta search: negamax with a transposition table.

Sources: Knuth and Moore, "An Analysis of Alpha-Beta Pruning", 1975; Breuker, Uiterwijk and van den Herik,
"Replacement Schemes for Transposition Tables", 1994.

Scores are integers from the mover's point of view: the utility in millionths of the maximum, times ``GRAIN``. A
terminal score moves toward 0 by one for each ply from the root, so quick wins and slow losses score higher. A
result is *solid* if nothing beyond the horizon could change it. (``lab.solve.depth_kernel`` explains why that
search is separate.)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gamedsl.agents.leaf_kernel import ONE, linear
from gamedsl.agents.position import DRAWING, END, NO_ACTION, NOT_ZERO_SUM, UNSEARCHABLE
from gamedsl.compiler import Reals, Words, call2, call3, call4, call5, kernel, peek, poke

# indices into ``entry``
CONTEXT, KIND_AT, SEAT_AT, COUNT_AT, WEIGHT_AT, STEP_AT, RETURNS_AT, PLAYOUT_AT, MOVE_AT = range(9)
# Indices into ``shape``: words of a block; words of its values; playouts at the horizon (0: the leaf value); whether
# the table may cut off (else it only orders moves); where the context keeps its memory use (0: nothing to release); the
# maximum utility.
SIZE, VALUES, PLAYOUTS, TRUSTED, MARK, MOST = range(6)
# Indices into ``signal``: stop, error, nodes, whether the action buffer was too small; the effort spent, and the effort
# after which to stop. A ply of a playout counts 1, a node ``NODE``, which is about what they take.
STOP, ERROR, NODES, CRAMPED, SPENT, LIMIT = range(6)
SIGNALS, NODE = 6, 8
# fields of a table entry: used, score, depth, bound, solid, best action
USED, SCORE, DEPTH, BOUND, SOLID, ACTION = range(6)
TABLE_FIELDS = 6
EXACT, LOWER, UPPER = range(3)
# Fields of a frame (one per ply): mover, plies to the horizon, window, best bound so far; the best action, its score,
# whether it is solid, whether all actions are; the next action, their number, the first one's index; the position's
# hash.
MOVER, LEFT, ALPHA, BETA, LOW, BEST_ACTION, BEST, BEST_SOLID, ALL_SOLID, NEXT, ACTION_COUNT, TOP, HASH = range(13)
FRAME_FIELDS = 13

GRAIN = 1024
MILLION = 1_000_000
MOST_PLIES = 900  # less than GRAIN, so that counting plies never changes a utility
INFINITE = 1 << 60
SURE = (MILLION - 1) * GRAIN
UNFINISHED = -2  # status of a playout that was too long to finish

_MIX1, _MIX2, _SEED = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB), np.uint64(0x9E3779B97F4A7C15)
_S30, _S27, _S31, _S1 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(1)


class Rules(NamedTuple):
    """Compiled rules. ``entry``: the context and the addresses of the entry points; ``shape``: see ``SIZE``;
    ``segments`` and ``weights``: see ``leaf_kernel``."""

    entry: Words
    shape: Words
    segments: Words
    weights: Words


class Table(NamedTuple):
    """The transposition table, in pairs of slots.

    ``keys``: shape (slots, words); ``slots``: shape (slots, TABLE_FIELDS).
    """

    keys: Words
    slots: Words


class Path(NamedTuple):
    """The path from the root (ply 0) on.

    ``blocks``: shape (plies, words): states; ``frame``: shape (plies, FRAME_FIELDS); ``solid``: shape (plies,):
    whether a ply's score is solid; ``marks``: shape (plies,): the memory of the context in use at each ply.
    """

    blocks: Words
    frame: Words
    solid: Words
    marks: Words


class Moves(NamedTuple):
    """The actions of all plies, and their ordering.

    ``order``: shape (room, 3): the actions of all plies, with their history scores and indices into ``past``;
    ``past``: the history heuristic, by move and player; ``record``: room for a move.
    """

    order: Words
    past: Words
    record: Words


class Search(NamedTuple):
    """All memory of a search. ``result``: room for two utilities; ``signal``: shape (SIGNALS,)."""

    rules: Rules
    table: Table
    path: Path
    moves: Moves
    result: Reals
    signal: Words


class RootActions(NamedTuple):
    """The actions at the root, in the order in which they are tried.

    ``scores``: their scores (only upper bounds for all but the best, unless all are wanted); ``sure``: whether
    these are solid; ``spent``: node counts.
    """

    order: Words
    scores: Words
    sure: Words
    spent: Words


@kernel
def hashed(blocks: Words, ply: int, words: int) -> int:
    """Hashes a block's values to a nonnegative number."""
    h = _SEED
    for k in range(words):
        h = (h ^ np.uint64(blocks[ply, k])) * _MIX1
        h = (h ^ (h >> _S27)) * _MIX2
        h ^= h >> _S31
    return np.int64(h >> _S1)  # type: ignore[return-value]


@kernel
def found(table: Table, blocks: Words, ply: int, words: int, h: int) -> int:
    """Returns the position's index in the table, compared word by word, or -1."""
    keys, slots = table.keys, table.slots
    first = (h % (slots.shape[0] // 2)) * 2
    for at in range(first, first + 2):
        same = slots[at, USED] == 1
        for k in range(words):
            if not same:
                break
            same = keys[at, k] == blocks[ply, k]
        if same:
            return at
    return -1


@kernel
def keep(table: Table, path: Path, ply: int, words: int, bound: int) -> None:
    """Stores the result of a ply in the table.

    It goes to the first slot of its pair if it is at least as deep as the entry there, else to the second. Solid
    results count as deeper than all others.
    """
    slots, blocks, frame, solid = table.slots, path.blocks, path.frame, path.solid[ply]
    h, depth = frame[ply, HASH], frame[ply, LEFT]
    priority = depth + (1 << 20) * solid
    at = found(table, blocks, ply, words, h)
    if at < 0:
        at = (h % (slots.shape[0] // 2)) * 2
        if slots[at, USED] == 1 and slots[at, DEPTH] + (1 << 20) * slots[at, SOLID] > priority:
            at += 1
    elif slots[at, DEPTH] + (1 << 20) * slots[at, SOLID] > priority:
        return
    for k in range(words):
        table.keys[at, k] = blocks[ply, k]
    slots[at, USED] = 1
    slots[at, SCORE] = moved(frame[ply, BEST], -ply)
    slots[at, DEPTH] = depth
    slots[at, BOUND] = bound
    slots[at, SOLID] = solid
    slots[at, ACTION] = frame[ply, BEST_ACTION]


@kernel
def moved(score: int, plies: int) -> int:
    """Shifts a score that counts plies by this many plies."""
    if score % GRAIN == 0:
        return score
    return score - plies if score > 0 else score + plies


@kernel
def judged(search: Search, ply: int, seat: int, h: int) -> int:
    """Returns the score at the horizon: the leaf value, or the mean of a few playouts, seeded by the position's hash."""
    entry, shape, result, signal = search.rules.entry, search.rules.shape, search.result, search.signal
    if shape[PLAYOUTS] == 0:
        value = linear(search.rules.segments, search.rules.weights, search.path.blocks, ply)
        value = (MILLION - MILLION // 1000) * value // (abs(value) + ONE) * GRAIN
        return int(value if seat == 0 else -value)
    s = search.path.blocks.ctypes.data + ply * shape[SIZE] * 8
    total = 0.0
    for index in range(shape[PLAYOUTS]):
        status = call5(entry[PLAYOUT_AT], entry[CONTEXT], s, h, index, result.ctypes.data)
        if status >= 0:
            total += result[seat]
            signal[SPENT] += status
        elif status != UNFINISHED:
            signal[ERROR] = status
            return 0
    return int(0.999 * MILLION * total / (shape[PLAYOUTS] * shape[MOST])) * GRAIN


@kernel
def ended(search: Search, ply: int, seat: int) -> int:
    """Returns a terminal score for a player."""
    entry, shape, result, signal = search.rules.entry, search.rules.shape, search.result, search.signal
    s = search.path.blocks.ctypes.data + ply * shape[SIZE] * 8
    status = call3(entry[RETURNS_AT], entry[CONTEXT], s, result.ctypes.data)
    if status < 0:
        signal[ERROR] = status
    elif abs(result[0] + result[1]) > 1e-9:
        signal[ERROR] = NOT_ZERO_SUM
    score = round(result[seat] / shape[MOST] * MILLION) * GRAIN
    return score - ply if score > 0 else score + ply if score < 0 else 0


@kernel
def rank_moves(search: Search, ply: int, action_count: int, first: int) -> None:
    """Writes the actions of a ply to ``order``: number, history score, and index into ``past``. Action ``first`` comes
    first.
    """
    entry, shape, frame = search.rules.entry, search.rules.shape, search.path.frame
    record, order, past = search.moves.record, search.moves.order, search.moves.past
    top, seat, sort = frame[ply, TOP], frame[ply, MOVER], frame[ply, LEFT] > 1
    s = search.path.blocks.ctypes.data + ply * shape[SIZE] * 8
    for k in range(action_count):
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
def stepped(search: Search, ply: int, seat: int, action: int) -> int:
    """Writes the successor by an action to the next ply.

    Returns -1 if the game is over there, 0 if the same player moves again, 1 if the opponent does.
    """
    entry, shape, blocks, signal = search.rules.entry, search.rules.shape, search.path.blocks, search.signal
    for k in range(shape[SIZE]):
        blocks[ply + 1, k] = blocks[ply, k]
    s = blocks.ctypes.data + (ply + 1) * shape[SIZE] * 8
    status = call3(entry[STEP_AT], entry[CONTEXT], s, action)
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
def answered(shape: Words, slots: Words, at: int, frame: Words, ply: int) -> bool:
    """Whether a table entry settles the search of its position."""
    if shape[TRUSTED] == 0 or (slots[at, SOLID] == 0 and slots[at, DEPTH] < frame[ply, LEFT]):
        return False
    score = moved(slots[at, SCORE], ply)
    if slots[at, BOUND] == LOWER:
        return bool(score >= frame[ply, BETA])
    return bool(slots[at, BOUND] == EXACT or score <= frame[ply, ALPHA])


@kernel
def entered(search: Search, ply: int) -> bool:
    """Enters the position of a ply; its frame holds mover, horizon, window and TOP.

    Returns whether the score is known at once (in BEST, and ``solid[ply]``).
    """
    entry, shape, table, signal = search.rules.entry, search.rules.shape, search.table, search.signal
    blocks, frame, solid = search.path.blocks, search.path.frame, search.path.solid
    signal[NODES] += 1
    signal[SPENT] += NODE
    if signal[SPENT] >= signal[LIMIT]:
        signal[STOP] = 1
    words, seat, depth = shape[VALUES], frame[ply, MOVER], frame[ply, LEFT]
    h = hashed(blocks, ply, words)
    frame[ply, HASH] = h
    solid[ply] = 0
    if depth <= 0 or ply >= MOST_PLIES or ply + 2 >= blocks.shape[0]:
        frame[ply, BEST] = judged(search, ply, seat, h)
        return True
    at, first = found(table, blocks, ply, words, h), -1
    if at >= 0:
        if answered(shape, table.slots, at, frame, ply):
            solid[ply] = table.slots[at, SOLID]
            frame[ply, BEST] = moved(table.slots[at, SCORE], ply)
            return True
        first = table.slots[at, ACTION]
    action_count = call2(entry[COUNT_AT], entry[CONTEXT], blocks.ctypes.data + ply * shape[SIZE] * 8)
    if action_count <= 0 or frame[ply, TOP] + action_count > search.moves.order.shape[0]:
        signal[ERROR] = action_count if action_count < 0 else NO_ACTION
        signal[CRAMPED] = max(0, action_count)
        return True
    rank_moves(search, ply, action_count, first)
    frame[ply, LOW] = frame[ply, ALPHA]
    frame[ply, BEST_ACTION], frame[ply, BEST], frame[ply, BEST_SOLID] = 0, -INFINITE, 0
    frame[ply, ALL_SOLID], frame[ply, NEXT], frame[ply, ACTION_COUNT] = 1, 0, action_count
    return False


@kernel
def scored(search: Search, ply: int, score: int) -> bool:
    """Takes the score of the action last tried at a ply, from its mover's point of view.

    ``solid[ply + 1]`` holds whether it is solid. Returns whether the position is finished.
    """
    solid, frame, order, past = search.path.solid, search.path.frame, search.moves.order, search.moves.past
    sure = solid[ply + 1]
    n = frame[ply, TOP] + frame[ply, NEXT] - 1
    frame[ply, ALL_SOLID] &= sure
    if score > frame[ply, BEST]:
        frame[ply, BEST_ACTION], frame[ply, BEST], frame[ply, BEST_SOLID] = order[n, 0], score, sure
    frame[ply, LOW] = max(frame[ply, LOW], score)
    cut = frame[ply, LOW] >= frame[ply, BETA]
    if not cut and frame[ply, NEXT] < frame[ply, ACTION_COUNT]:
        return False
    if cut:
        frame[ply, ALL_SOLID] = sure
        if order[n, 2] >= 0:
            past[order[n, 2]] += frame[ply, LEFT] * frame[ply, LEFT]
    best = frame[ply, BEST]
    solid[ply] = 1 if frame[ply, ALL_SOLID] == 1 or (frame[ply, BEST_SOLID] == 1 and best > SURE) else 0
    bound = UPPER if best <= frame[ply, ALPHA] else LOWER if cut else EXACT
    keep(search.table, search.path, ply, search.rules.shape[VALUES], bound)
    return True


@kernel
def deepen(search: Search) -> int:
    """Searches ``blocks[1]`` and returns its fail-soft score for the mover in ``frame[1]``.

    ``solid[1]`` receives whether it is solid. The result is void if ``signal`` reports a stop or an error.
    """
    shape, signal, order = search.rules.shape, search.signal, search.moves.order
    frame, solid, marks = search.path.frame, search.path.solid, search.path.marks
    ply = 1
    done = entered(search, ply)
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
            done = scored(search, ply, score)
            continue
        if shape[MARK] != 0:
            marks[ply] = peek(shape[MARK])
        top, seat = frame[ply, TOP], frame[ply, MOVER]
        action = next_best(order, top + frame[ply, NEXT], top + frame[ply, ACTION_COUNT])
        frame[ply, NEXT] += 1
        after = stepped(search, ply, seat, action)
        if after < 0:
            solid[ply + 1] = 1
            score = ended(search, ply + 1, seat)
            if shape[MARK] != 0:
                poke(shape[MARK], marks[ply])
            done = scored(search, ply, score)
            continue
        low, high = frame[ply, LOW], frame[ply, BETA]
        ply += 1
        frame[ply, MOVER] = seat if after == 0 else 1 - seat
        frame[ply, LEFT] = frame[ply - 1, LEFT] - 1
        frame[ply, ALPHA] = low if after == 0 else -high
        frame[ply, BETA] = high if after == 0 else -low
        frame[ply, TOP] = top + frame[ply - 1, ACTION_COUNT]
        done = entered(search, ply)
    return 0


@kernel
def at_root(search: Search, actions: RootActions, depth: int, seat: int, whole: bool) -> int:
    """Searches the position in ``blocks[0]`` to a depth and fills in ``actions``.

    ``whole``: every score is wanted. Returns how many actions were completed.
    """
    shape, signal, frame, solid = search.rules.shape, search.signal, search.path.frame, search.path.solid
    order = actions.order
    best = -INFINITE
    mark = peek(shape[MARK]) if shape[MARK] != 0 else 0
    for n in range(order.shape[0]):
        low, before = -INFINITE if whole else best, signal[NODES]
        after = stepped(search, 0, seat, order[n])
        if after < 0:
            solid[1] = 1
            score = ended(search, 1, seat)
        else:
            frame[1, MOVER], frame[1, LEFT], frame[1, TOP] = seat if after == 0 else 1 - seat, depth - 1, 0
            frame[1, ALPHA], frame[1, BETA] = (low, INFINITE) if after == 0 else (-INFINITE, -low)
            score = deepen(search)
            if after == 1:
                score = -score
        if shape[MARK] != 0:
            poke(shape[MARK], mark)
        if signal[ERROR] != 0 or signal[STOP] != 0:
            return n
        actions.scores[n], actions.sure[n], actions.spent[n] = score, solid[1], signal[NODES] - before
        best = max(best, score)
    return int(order.shape[0])
