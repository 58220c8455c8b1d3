"""The kernels that list the actions of a position and decide in which order they are tried.

Captures come first, the best by the leaf value after them first; then moves that have caused cutoffs at the same ply
(killer moves: Akl and Newborn, "The Principal Continuation and the Killer Heuristic", 1977); then by how often the same
move has caused a cutoff elsewhere (history: Schaeffer, "The History Heuristic", 1983).
"""

from __future__ import annotations

import numpy as np

from gamedsl.agents.alphabeta_memory import (
    AFTER_AT,
    CAPTURES,
    CODE,
    CODED,
    CONTEXT,
    COUNT_AT,
    ERROR,
    GRAIN,
    INFINITE,
    KIND_AT,
    LEFT,
    LEGAL_AT,
    MARK,
    MILLION,
    MOVE_AT,
    MOVER,
    NOISY,
    NUMBER,
    ORDER_FIELDS,
    PAST,
    RANK,
    SEAT_AT,
    SIZE,
    STEP_AT,
    TOP,
    Search,
)
from gamedsl.agents.captures_kernel import ALL_OR_NONE, BY_NAME, NEVER, look, names_any, pieces
from gamedsl.agents.leaf_kernel import ONE, linear
from gamedsl.agents.position import DRAWING, END, UNSEARCHABLE
from gamedsl.compiler import Words, call2, call3, call4, call5, kernel, peek, poke

CAPTURE, KILLER = 1 << 56, 1 << 50  # ranks; history counts less
MOST_PAST = 1 << 48
_GOLDEN, _S32 = np.uint64(0x9E3779B97F4A7C15), np.uint64(32)


@kernel
def after(search: Search, ply: int, action: int, code: int) -> int:
    """Writes the successor by an action to the next ply. Returns its kind, or a status below 0."""
    entry, shape, blocks = search.rules.entry, search.rules.shape, search.path.blocks
    size = shape[SIZE]
    s = blocks.ctypes.data + ply * size * 8
    made = call4(entry[AFTER_AT], entry[CONTEXT], s, s + size * 8, code) if shape[CODED] == 1 and code >= 0 else -1
    if made < 0:
        for k in range(size):
            blocks[ply + 1, k] = blocks[ply, k]
        status = call3(entry[STEP_AT], entry[CONTEXT], s + size * 8, action)
        if status < 0:
            return status
    return call2(entry[KIND_AT], entry[CONTEXT], s + size * 8)


@kernel
def stepped(search: Search, ply: int, seat: int, action: int, code: int) -> int:
    """Writes the successor by an action to the next ply.

    Returns -1 if the game is over there, 0 if the same player moves again, 1 if the opponent does.
    """
    entry, shape, blocks, signal = search.rules.entry, search.rules.shape, search.path.blocks, search.signal
    kind = after(search, ply, action, code)
    if kind < 0:
        signal[ERROR] = kind
        return -1
    if kind == DRAWING:
        signal[ERROR] = UNSEARCHABLE
    if kind in (END, DRAWING):
        return -1
    s = blocks.ctypes.data + (ply + 1) * shape[SIZE] * 8
    return 0 if call2(entry[SEAT_AT], entry[CONTEXT], s) == seat else 1


@kernel
def valued(search: Search, ply: int, seat: int) -> int:
    """Returns the score of a position by the leaf value."""
    value = linear(search.rules.segments, search.rules.weights, search.path.blocks, ply)
    value = (MILLION - MILLION // 1000) * value // (abs(value) + ONE) * GRAIN
    return int(value if seat == 0 else -value)


@kernel
def list_actions(search: Search, ply: int) -> int:
    """Writes the codes of the actions of a ply to ``codes``: those of moves, or hashes of them. Returns their number, or
    a status below 0; if there are more than there is room for, their number and nothing else."""
    entry, shape, codes, record = search.rules.entry, search.rules.shape, search.moves.codes, search.moves.record
    s = search.path.blocks.ctypes.data + ply * shape[SIZE] * 8
    if shape[CODED] == 1:
        count = call5(entry[LEGAL_AT], entry[CONTEXT], s, -1, codes.ctypes.data, codes.shape[0])
        if count > 0:
            return count
        return call2(entry[COUNT_AT], entry[CONTEXT], s)  # with the error
    count = call2(entry[COUNT_AT], entry[CONTEXT], s)
    for k in range(min(count, codes.shape[0])):
        n = call4(entry[MOVE_AT], entry[CONTEXT], s, k, record.ctypes.data)
        h = record[0] + 7
        for j in range(n):
            h = (h * 1000003) ^ record[2 + j]
        codes[k] = h & (INFINITE - 1)
    return count


@kernel
def past_of(past: Words, code: int, seat: int) -> int:
    """Returns the index of a move in the table of the history heuristic."""
    h = (np.uint64(code) * _GOLDEN) >> _S32
    return int(np.int64(h) % (past.shape[0] // 2)) * 2 + seat


@kernel
def gain(search: Search, ply: int, action: int, code: int) -> int:
    """Returns the score, for the mover, of the position after a capture by the leaf value; that of a win if the game is
    over or the mover moves again, so that nothing is concluded from it."""
    shape, seat = search.rules.shape, search.path.frame[ply, MOVER]
    mark = peek(shape[MARK]) if shape[MARK] != 0 else 0
    then = stepped(search, ply, seat, action, code)
    if shape[MARK] != 0:
        poke(shape[MARK], mark)
    return valued(search, ply + 1, seat) if then == 1 else MILLION * GRAIN


@kernel
def captures_at(search: Search, ply: int, count: int) -> int:
    """Marks the captures among the actions of a ply, whose ranks become their gains. Returns their number."""
    how, owned, order = search.rules.shape[CAPTURES], search.rules.owned, search.moves.order
    blocks, top, other = search.path.blocks, search.path.frame[ply, TOP], 1 - search.path.frame[ply, MOVER]
    if how == NEVER:
        return 0
    if how == BY_NAME:
        look(owned, blocks, ply, other, search.moves.rival)
    had, found = pieces(owned, blocks, ply, other) if how != BY_NAME else 0, 0
    for k in range(top, top + count):
        if how == BY_NAME and not names_any(search.rules.named, search.moves.rival, order[k, CODE]):
            continue
        rank = gain(search, ply, order[k, NUMBER], order[k, CODE])
        if how != BY_NAME and pieces(owned, blocks, ply + 1, other) >= had:
            if how == ALL_OR_NONE:
                break
            continue
        order[k, RANK], order[k, NOISY] = rank, 1
        found += 1
    return found


@kernel
def write_actions(search: Search, ply: int, count: int) -> None:
    """Writes the actions of a ply, whose codes are listed, to ``order``."""
    order, top = search.moves.order, search.path.frame[ply, TOP]
    for k in range(count):
        order[top + k, NUMBER], order[top + k, CODE] = k, search.moves.codes[k]
        order[top + k, RANK], order[top + k, NOISY], order[top + k, PAST] = 0, 0, -1


@kernel
def rank_actions(search: Search, ply: int, count: int, first: int) -> None:
    """Ranks the actions of a ply. Action ``first`` comes first."""
    frame, order, killers, past = search.path.frame, search.moves.order, search.moves.killers, search.moves.past
    top, seat = frame[ply, TOP], frame[ply, MOVER]
    captures_at(search, ply, count)
    for k in range(top, top + count):
        if order[k, NOISY] == 1:
            order[k, RANK] += CAPTURE
        elif frame[ply, LEFT] > 1:
            order[k, PAST] = past_of(past, order[k, CODE], seat)
            order[k, RANK] = past[order[k, PAST]]
            if order[k, CODE] == killers[ply, 0]:
                order[k, RANK] = KILLER + 1
            elif order[k, CODE] == killers[ply, 1]:
                order[k, RANK] = KILLER
    if first >= 0:
        order[top + first, RANK] = INFINITE


@kernel
def has_cut(search: Search, ply: int, at: int) -> None:
    """Remembers that the action ``at`` has caused a cutoff."""
    order, killers, past = search.moves.order, search.moves.killers, search.moves.past
    if order[at, NOISY] == 1 or order[at, PAST] < 0:
        return
    left = search.path.frame[ply, LEFT]
    past[order[at, PAST]] = min(past[order[at, PAST]] + left * left, MOST_PAST)
    if order[at, CODE] != killers[ply, 0]:
        killers[ply, 1] = killers[ply, 0]
        killers[ply, 0] = order[at, CODE]


@kernel
def next_best(order: Words, at: int, end: int) -> None:
    """Selects the best remaining action and swaps it to ``at``."""
    best = at
    for k in range(at + 1, end):
        if order[k, RANK] > order[best, RANK]:
            best = k
    if best != at:
        for j in range(ORDER_FIELDS):
            order[at, j], order[best, j] = order[best, j], order[at, j]
