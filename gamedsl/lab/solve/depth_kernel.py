"""The loop of the depth-first solver over compiled entry points: alpha-beta with an explicit stack and a table of
bounds.

``search`` returns when memory runs short and can be resumed: its whole state is in its arrays. The table uses open
addressing by the hash of a state's words, which are compared word by word; an entry is a row of ``known`` with a
lower and an upper bound. Moves are ordered by how often they have caused cutoffs elsewhere (the history heuristic,
Schaeffer 1983). If points already won are omitted from the key (``score_offsets``), the bounds apply to the points
from there on.

``agents.deepen`` is a separate search: under time pressure it looks a fixed number of plies ahead, evaluates the
horizon by playouts, counts plies, and replaces entries in a table of fixed size. Here nothing is estimated or
replaced, symmetric positions share an entry, and a repeated position ends the search. A shared loop would have to
distinguish the two at every step.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gamedsl.compiler import call2, call3, call4, kernel
from gamedsl.lab.base import Ints
from gamedsl.lab.explore import canonicalize, place
from gamedsl.lab.symmetry import ScoreOffsets, SymmetrySteps, canonicalize_scores

ENTRIES = ("kind", "seat", "count", "step", "returns", "move", "scores")
KIND, SEAT, COUNT, STEP, RETURNS, MOVE, SCORES = range(7)
DONE, ROOM, ENOUGH, AGAIN, DEEP, WIDE, OTHER, FAULT = range(8)  # why ``search`` returned
WIDEST, HISTORY = 512, 1 << 12
# fields of a stack level
NUMBER, ACTIONS, LEFT, FIRST, ALPHA, BETA, A, B, BEST, TRIED, WON = range(11)
FIELDS = 11
# The totals: table entries, positions expanded, current depth, limit of positions, whether scores count.
ENTRIES_USED, POSITIONS, DEPTH, LIMIT, BY_SCORE = range(5)


class Rules(NamedTuple):
    """Compiled rules. ``entries``: int64, the addresses of ``ENTRIES``; ``context``: its address."""

    entries: Ints
    context: int


class Bounds(NamedTuple):
    """The table of bounds.

    ``numbers``: uint32, shape (slots,): hash table of the numbers of entries + 1, 0 for a free slot; ``known``:
    int64, shape (room, words): the state of every entry; ``low``, ``high``: int64, shape (room,); ``on_path``:
    bool, shape (room,): whether an entry is on the stack.
    """

    numbers: npt.NDArray[np.uint32]
    known: Ints
    low: Ints
    high: Ints
    on_path: npt.NDArray[np.bool_]


class Stack(NamedTuple):
    """The positions from the root to the current one.

    ``levels``: int64, shape (depth, FIELDS); ``boards``: int64, shape (depth + 1, words): the positions as they
    were reached; ``keys``: int32, shape (depth, WIDEST): the history slots of the moves, -1 for moves already tried;
    ``history``: int64, shape (2 * HISTORY,): how often a move has caused a cutoff, by player.
    """

    levels: Ints
    boards: Ints
    keys: npt.NDArray[np.int32]
    history: Ints


class Entry(NamedTuple):
    """A position to search: its number, the window, and the first player's lead in points that the number's entry
    omits.
    """

    number: int
    alpha: int
    beta: int
    won: int


class Scratch(NamedTuple):
    """Room for a move, for the utilities (at least two), and for two states, int64, shape (2, words)."""

    move: Ints
    utilities: npt.NDArray[np.float64]
    states: Ints


@kernel
def number_of(bounds: Bounds, totals: Any, widest: Any) -> Any:
    """Returns the entry of the state in the first free row of ``known``, adding it if it is new."""
    numbers, known, low, high, _ = bounds
    new = totals[ENTRIES_USED]
    at = place(numbers, known, new)
    if numbers[at] == 0:
        numbers[at] = new + 1
        low[new], high[new] = -widest, widest
        totals[ENTRIES_USED] = new + 1
    return np.int64(numbers[at]) - 1


@kernel
def refill(bounds: Bounds, used: Any) -> None:
    """Inserts the numbers of all entries into an empty table."""
    for i in range(used):
        bounds.numbers[place(bounds.numbers, bounds.known, i)] = i + 1


@kernel
def _key(rules: Rules, at: Any, k: Any, record: Any) -> Any:
    """Returns the history slot of the k-th move."""
    size = call4(rules.entries[MOVE], rules.context, at, k, record.ctypes.data)
    h = np.uint64(record[0] + 17)
    for j in range(2, 2 + size):
        h = (h ^ np.uint64(record[j] + 3)) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(29)
    return np.int64(h & np.uint64(HISTORY - 1))


@kernel
def enter(rules: Rules, bounds: Bounds, stack: Stack, move: Any, totals: Any, entry: Entry) -> Any:
    """Pushes an unsolved entry onto the stack; the state itself is in the next row of ``boards``.

    Returns ``DONE``, or why it did not. ``move``: room for a move.
    """
    number, alpha, beta, won = entry
    entries, ctx = rules
    levels, boards, keys, _ = stack
    _, _, low, high, on_path = bounds
    deep = totals[DEPTH]
    if deep >= levels.shape[0]:
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
        keys[deep, k] = _key(rules, at, k, move) + first * HISTORY
    row = levels[deep]
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
def _leave(row: Any, history: Any, low: Any, high: Any, on_path: Any) -> None:
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
    rules: Rules, symmetries: SymmetrySteps, offsets: ScoreOffsets, bounds: Bounds, stack: Stack, scratch: Scratch,
    totals: Any, patience: Any,
) -> Any:  # fmt: skip
    """Runs until the stack is empty, memory runs short, or ``patience`` positions have been expanded. Returns why it
    stopped.

    The table holds the representative of each class of equivalent positions, so that results are shared; successors
    keep their order.
    """
    entries, ctx = rules
    utilities = scratch.utilities
    numbers, known, low, high, on_path = bounds
    levels, boards, keys, history = stack
    width = known.shape[1]
    until = totals[POSITIONS] + patience
    while totals[DEPTH] > 0:
        deep = totals[DEPTH] - 1
        row = levels[deep]
        if row[A] >= row[B] or row[LEFT] == 0:
            _leave(row, history, low, high, on_path)
            totals[DEPTH] = deep
            if deep:
                _take(levels[deep - 1], row[BEST])
            continue
        if totals[ENTRIES_USED] + 2 >= known.shape[0] or 10 * (totals[ENTRIES_USED] + 2) >= 7 * numbers.size:
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
        won = canonicalize_scores(known[new].view(np.uint8), offsets)
        if symmetries.starts.size > 1:
            canonicalize(known, new, scratch.states, symmetries)
        child = number_of(bounds, totals, 1 << 40)
        if low[child] + won >= row[B] or low[child] == high[child]:
            _take(row, low[child] + won)
        elif high[child] + won <= row[A]:
            _take(row, high[child] + won)
        else:
            reason = enter(rules, bounds, stack, scratch.move, totals, Entry(child, row[A], row[B], won))
            if reason != DONE:
                return reason
    return DONE
