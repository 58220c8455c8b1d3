"""The loop of the depth-first solver over compiled entry points: alpha-beta with an explicit stack and a table of
bounds.

``search`` returns when memory runs short and can be resumed: its whole state is in its arrays. The table uses
open addressing by the hash of a state's words, which are compared word by word; an entry is a row of ``known``
with a lower and an upper bound. Moves are ordered by how often they have caused cutoffs elsewhere (the history
heuristic, Schaeffer 1983). Where points already won are left out of the key (``score_offsets``), the bounds
concern the points from there on.

``agents.deepen`` is a separate search: under time pressure it looks a fixed number of plies ahead, evaluates the
horizon by playouts, counts plies, and replaces entries in a table of fixed size. Here nothing is estimated or
replaced, symmetric positions share an entry, and a repeated position ends the search. A shared loop would have to
distinguish the two at every step.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gamedsl.check.explore.kernel import canonicalize, place
from gamedsl.check.symmetry.score_offsets import canonicalize_scores
from gamedsl.native.host.calling import call2, call3, call4, kernel

ENTRIES = ("kind", "seat", "count", "step", "returns", "move", "scores")
KIND, SEAT, COUNT, STEP, RETURNS, MOVE, SCORES = range(7)
DONE, ROOM, ENOUGH, AGAIN, DEEP, WIDE, OTHER, FAULT = range(8)  # why ``search`` returned
WIDEST, HISTORY = 512, 1 << 12
# fields of a stack level
NUMBER, ACTIONS, LEFT, FIRST, ALPHA, BETA, A, B, BEST, TRIED, WON = range(11)
FIELDS = 11
# The totals: table entries, positions expanded, current depth, limit of positions, whether scores count.
ENTRIES_USED, POSITIONS, DEPTH, LIMIT, BY_SCORE = range(5)


@kernel
def number_of(table: Any, known: Any, low: Any, high: Any, totals: Any, widest: Any) -> Any:
    """Returns the entry of the state in the first free row of ``known``, adding it if it is new."""
    new = totals[ENTRIES_USED]
    at = place(table, known, new)
    if table[at] == 0:
        table[at] = new + 1
        low[new], high[new] = -widest, widest
        totals[ENTRIES_USED] = new + 1
    return np.int64(table[at]) - 1


@kernel
def refill(table: Any, known: Any, used: Any) -> None:
    """Inserts the numbers of all entries into an empty table."""
    for i in range(used):
        table[place(table, known, i)] = i + 1


@kernel
def _key(entries: Any, ctx: Any, at: Any, k: Any, record: Any) -> Any:
    """Returns the history slot of the k-th move."""
    size = call4(entries[MOVE], ctx, at, k, record.ctypes.data)
    h = np.uint64(record[0] + 17)
    for j in range(2, 2 + size):
        h = (h ^ np.uint64(record[j] + 3)) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(29)
    return np.int64(h & np.uint64(HISTORY - 1))


@kernel
def enter(
    entries: Any, ctx: Any, boards: Any, low: Any, high: Any, stack: Any, keys: Any, record: Any, on_path: Any,
    totals: Any, number: Any, alpha: Any, beta: Any, won: Any,
) -> Any:  # fmt: skip
    """Pushes an unsolved entry onto the stack; the state itself is in the next row of ``boards``. ``won``: the first
    player's lead in points that the entry leaves out.
    """
    deep = totals[DEPTH]
    if deep >= stack.shape[0]:
        return DEEP
    if on_path[number]:
        return AGAIN
    if totals[POSITIONS] >= totals[LIMIT]:
        return ENOUGH
    at = boards.ctypes.data + deep * 8 * boards.shape[1]
    kind = call2(entries[KIND], ctx, at)
    if kind != 1 and kind != 2:
        return OTHER
    actions = call2(entries[COUNT], ctx, at)
    if actions < 0:
        return FAULT
    if actions > WIDEST:
        return WIDE
    first = 1 if call2(entries[SEAT], ctx, at) == 0 else 0
    for k in range(actions):
        keys[deep, k] = _key(entries, ctx, at, k, record) + first * HISTORY
    row = stack[deep]
    row[NUMBER], row[ACTIONS], row[LEFT], row[FIRST] = number, actions, actions, first
    row[ALPHA], row[BETA], row[WON] = max(alpha, low[number] + won), min(beta, high[number] + won), won
    row[A], row[B] = row[ALPHA], row[BETA]
    row[BEST] = -(1 << 40) if first else 1 << 40
    on_path[number] = True
    totals[POSITIONS] += 1
    totals[DEPTH] = deep + 1
    return DONE


@kernel
def _take(row: Any, value: Any) -> None:
    """Updates a stack level with the value of one successor."""
    if row[FIRST]:
        row[BEST] = max(row[BEST], value)
        row[A] = max(row[A], value)
    else:
        row[BEST] = min(row[BEST], value)
        row[B] = min(row[B], value)


@kernel
def _leave(row: Any, keys: Any, history: Any, low: Any, high: Any, on_path: Any) -> None:
    """Stores the result for the topmost position."""
    number, best = row[NUMBER], row[BEST]
    if best > row[ALPHA]:
        low[number] = max(low[number], best - row[WON])
    if best < row[BETA]:
        high[number] = min(high[number], best - row[WON])
    on_path[number] = False
    if row[A] >= row[B] and row[TRIED] >= 0:
        history[row[TRIED]] += 1 + row[LEFT]


@kernel
def search(
    entries: Any, ctx: Any, table: Any, known: Any, boards: Any, low: Any, high: Any, stack: Any, keys: Any,
    history: Any, record: Any, utilities: Any, on_path: Any, totals: Any, patience: Any, spare: Any, steps: Any, starts: Any, maps: Any,
    exchanged: Any, rows: Any, marks: Any,
) -> Any:  # fmt: skip
    """Runs until the stack is empty, memory runs short, or this many positions have been expanded.

    ``boards`` has one row more than the stack: the positions on it as they were reached. The table holds the
    representative of each class of equivalent positions: results are shared, and successors keep their order.

    ``spare``, ``steps``, ``starts`` and ``maps`` are symmetries, as in ``explore.kernel.canonicalize``;
    ``exchanged``, ``rows`` and ``marks`` are ``score_offsets.ScoreOffsets``.
    """
    width = known.shape[1]
    until = totals[POSITIONS] + patience
    while totals[DEPTH] > 0:
        deep = totals[DEPTH] - 1
        row = stack[deep]
        if row[A] >= row[B] or row[LEFT] == 0:
            _leave(row, keys[deep], history, low, high, on_path)
            totals[DEPTH] = deep
            if deep:
                _take(stack[deep - 1], row[BEST])
            continue
        if totals[ENTRIES_USED] + 2 >= known.shape[0] or 10 * (totals[ENTRIES_USED] + 2) >= 7 * table.size:
            return ROOM
        if totals[POSITIONS] >= until:
            return DONE
        best = -1
        for k in range(row[ACTIONS]):
            if keys[deep, k] >= 0 and (best < 0 or history[keys[deep, k]] > history[keys[deep, best]]):
                best = k
        row[TRIED] = keys[deep, best]
        keys[deep, best] = -1
        row[LEFT] -= 1
        at = boards.ctypes.data + (deep + 1) * 8 * width
        for j in range(width):
            boards[deep + 1, j] = boards[deep, j]
        if call3(entries[STEP], ctx, at, best) < 0:
            return FAULT
        if call2(entries[KIND], ctx, at) == 0:
            if totals[BY_SCORE]:
                points = utilities.view(np.int64)
                call3(entries[SCORES], ctx, at, utilities.ctypes.data)
                _take(row, points[0] - points[1])
                continue
            call3(entries[RETURNS], ctx, at, utilities.ctypes.data)
            if utilities[0] != -utilities[1]:
                return OTHER
            _take(row, np.int64(np.rint(utilities[0])))
            continue
        new = totals[ENTRIES_USED]
        for j in range(width):
            known[new, j] = boards[deep + 1, j]
        won = canonicalize_scores(known[new].view(np.uint8), exchanged, rows, marks)
        if starts.size > 1:
            canonicalize(known, new, spare, steps, starts, maps)
        child = number_of(table, known, low, high, totals, 1 << 40)
        if low[child] + won >= row[B] or low[child] == high[child]:
            _take(row, low[child] + won)
        elif high[child] + won <= row[A]:
            _take(row, high[child] + won)
        else:
            reason = enter(
                entries, ctx, boards, low, high, stack, keys, record, on_path, totals, child, row[A], row[B], won
            )
            if reason != DONE:
                return reason
    return DONE
