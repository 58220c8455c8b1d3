"""The memory of alpha-beta search: layouts of its arrays, and the transposition table.

Sources: Breuker, Uiterwijk and van den Herik, "Replacement Schemes for Transposition Tables", 1994.

Scores are integers from the mover's point of view: the utility in millionths of the maximum, times ``GRAIN``. A
terminal score moves toward 0 by one for each ply from the root, so quick wins and slow losses score higher. A
result is *solid* if nothing beyond the horizon could change it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gamedsl.compiler import Reals, Words, kernel

# indices into ``entry``
CONTEXT, KIND_AT, SEAT_AT, COUNT_AT, STEP_AT, RETURNS_AT, PLAYOUT_AT, MOVE_AT, LEGAL_AT, AFTER_AT = range(10)
ENTRIES = ("kind", "seat", "count", "step", "returns", "playout", "move", "legal", "after")
# Indices into ``shape``: words of a block; words of its values; playouts at the horizon (0: the leaf value); whether
# results in the table may be solid (else the past of a position matters); where the context keeps its memory use (0:
# nothing to release); the maximum utility; whether a move has a code of one word; how captures are recognized (see
# ``captures``); whether actions may be searched less deep than others.
SIZE, VALUES, PLAYOUTS, TRUSTED, MARK, MOST, CODED, CAPTURES, SELECTIVE = range(9)
# Indices into ``signal``: stop, error, nodes, whether the action buffer was too small; the effort spent, and the effort
# after which to stop. A ply of a playout counts 1, a node ``NODE``, which is about what they take. Table entries in use.
STOP, ERROR, NODES, CRAMPED, SPENT, LIMIT, FILLED = range(7)
SIGNALS, NODE = 7, 8
# fields of a table entry: used, score, depth, bound, solid, best action
USED, SCORE, DEPTH, BOUND, SOLID, ACTION = range(6)
TABLE_FIELDS = 6
EXACT, LOWER, UPPER = range(3)
# Fields of a frame (one per ply): mover, plies to the horizon, window, best bound so far; the best action, its score,
# whether it is solid, whether all actions are; the next action, their number, the first one's index; the position's
# hash; how the action last tried was searched: by how many plies less (-1: with the whole window), and whether it is
# to be searched again.
MOVER, LEFT, ALPHA, BETA, LOW, BEST_ACTION, BEST, BEST_SOLID, ALL_SOLID, NEXT, ACTION_COUNT, TOP, HASH = range(13)
TRIAL, AGAIN = 13, 14
FRAME_FIELDS = 15
# fields of an action in ``order``: its number, its rank, its code, its index into ``past`` (-1: none), whether it captures
NUMBER, RANK, CODE, PAST, NOISY = range(5)
ORDER_FIELDS = 5

GRAIN = 1024
MILLION = 1_000_000
MOST_PLIES = 900  # less than GRAIN, so that counting plies never changes a utility
INFINITE = 1 << 60
SURE = (MILLION - 1) * GRAIN

_MIX1, _MIX2, _SEED = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB), np.uint64(0x9E3779B97F4A7C15)
_S30, _S27, _S31, _S1 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(1)


class Rules(NamedTuple):
    """Compiled rules. ``entry``: the context and the addresses of the entry points; ``shape``: see ``SIZE``;
    ``segments`` and ``weights``: see ``leaf_kernel``; ``named`` and ``owned``: see ``captures_kernel``."""

    entry: Words
    shape: Words
    segments: Words
    weights: Words
    named: Words
    owned: Words


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

    ``order``: shape (room, ORDER_FIELDS): the actions of all plies; ``codes``: room for the codes of a position's moves;
    ``past``: the history heuristic, by move and player; ``killers``: shape (plies, 2): codes of moves that have caused
    cutoffs at a ply; ``record``: room for a move; ``rival``: what the rival has, see ``captures_kernel``.
    """

    order: Words
    codes: Words
    past: Words
    killers: Words
    record: Words
    rival: Words


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
def keep(table: Table, path: Path, ply: int, words: int, bound: int, signal: Words) -> None:
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
    if slots[at, USED] == 0:
        signal[FILLED] += 1
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
def rehash(table: Table, wider: Table, words: int) -> int:
    """Copies all entries to a wider table. Returns their number there."""
    count = 0
    for at in range(table.slots.shape[0]):
        if table.slots[at, USED] == 0:
            continue
        to = (hashed(table.keys, at, words) % (wider.slots.shape[0] // 2)) * 2
        if wider.slots[to, USED] == 1:
            to += 1
        if wider.slots[to, USED] == 0:
            count += 1
        for k in range(words):
            wider.keys[to, k] = table.keys[at, k]
        for k in range(TABLE_FIELDS):
            wider.slots[to, k] = table.slots[at, k]
    return count
