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

from gamedsl.compiler import call2, call3, call4, call5, kernel
from gamedsl.lab.base import Ints
from gamedsl.lab.explore import canonicalize, place
from gamedsl.lab.symmetry import ScoreOffsets, SymmetrySteps, canonicalize_scores

ENTRIES = ("kind", "seat", "count", "step", "returns", "move", "scores", "legal", "after")
KIND, SEAT, COUNT, STEP, RETURNS, MOVE, SCORES, LEGAL, AFTER = range(9)
# why ``search`` returned; DECIDED: ``enter`` has found the value without pushing the position
DONE, ROOM, ENOUGH, AGAIN, DEEP, WIDE, OTHER, FAULT, DECIDED = range(9)
UNKNOWN = -1  # number of a position that has no entry yet
WIDEST, HISTORY_BITS = 512, 12
HISTORY = 1 << HISTORY_BITS
# fields of a stack level
NUMBER, ACTIONS, LEFT, FIRST, ALPHA, BETA, A, B, BEST, TRIED, WON = range(11)
FIELDS = 11
# What a cutoff elsewhere counts, in units of the weights: of 0, 10, 100 and 1,000 the fastest in connect four.
PAST = 1000
# The totals: table entries, positions expanded, current depth, limit of positions, whether scores count, the bounds of
# all values.
ENTRIES_USED, POSITIONS, DEPTH, LIMIT, BY_SCORE, LEAST, MOST = range(7)


class Order(NamedTuple):
    """What positions seem to be worth to the first player, as a sum over bytes of the state.

    ``places``: int64, shape (parts,): the numbers of these bytes; ``weights``: int32, shape (parts, 256), by their values.
    """

    places: Ints
    weights: npt.NDArray[np.int32]


class Rules(NamedTuple):
    """Compiled rules. ``entries``: int64, the addresses of ``ENTRIES``; ``context``: its address; ``coded``: whether a
    move has a code of one word; ``order``: which moves are tried first."""

    entries: Ints
    context: int
    coded: bool
    order: Order


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
    ``codes``: int64, shape (depth, WIDEST): the codes of the moves; ``ranks``: int64, shape (depth, WIDEST): what they seem
    to be worth to their player; ``history``: int64, shape (2 * HISTORY,): how often a move has caused a cutoff, by player.
    """

    levels: Ints
    boards: Ints
    keys: npt.NDArray[np.int32]
    codes: Ints
    ranks: Ints
    history: Ints


class Entry(NamedTuple):
    """A position to search: its number (UNKNOWN: it has no entry), the slot for it, the window, and the first player's
    lead in points that the entry omits.
    """

    number: int
    slot: int
    alpha: int
    beta: int
    won: int


class Scratch(NamedTuple):
    """Room for a move, for the utilities (at least two), and for two states, int64, shape (2, words)."""

    move: Ints
    utilities: npt.NDArray[np.float64]
    states: Ints


@kernel
def number_of(bounds: Bounds, totals: Any) -> Any:
    """Returns the entry of the state in the first free row of ``known``, adding it if it is new."""
    at = place(bounds.numbers, bounds.known, totals[ENTRIES_USED])
    if bounds.numbers[at] == 0:
        return _add_entry(bounds, totals, at)
    return np.int64(bounds.numbers[at]) - 1


@kernel
def _add_entry(bounds: Bounds, totals: Any, at: Any) -> Any:
    """Makes an entry of the state in the first free row of ``known``, whose slot is ``at``. Returns its number."""
    new = totals[ENTRIES_USED]
    bounds.numbers[at] = new + 1
    bounds.low[new], bounds.high[new] = totals[LEAST], totals[MOST]
    totals[ENTRIES_USED] = new + 1
    return new


@kernel
def refill(bounds: Bounds, used: Any) -> None:
    """Inserts the numbers of all entries into an empty table."""
    for i in range(used):
        bounds.numbers[place(bounds.numbers, bounds.known, i)] = i + 1


@kernel
def _key(rules: Rules, at: Any, k: Any, code: Any, record: Any) -> Any:
    """Returns the history slot of the k-th move."""
    if rules.coded:
        h = np.uint64(code + 3) * np.uint64(0x9E3779B97F4A7C15)
        return np.int64(h >> np.uint64(64 - HISTORY_BITS))
    size = call4(rules.entries[MOVE], rules.context, at, k, record.ctypes.data)
    h = np.uint64(record[0] + 17)
    for j in range(2, 2 + size):
        h = (h ^ np.uint64(record[j] + 3)) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(29)
    return np.int64(h & np.uint64(HISTORY - 1))


@kernel
def _list_moves(rules: Rules, at: Any, codes: Any) -> Any:
    """Writes the codes of a position's moves, if they have any. Returns their number, or a status below 0."""
    if rules.coded:
        count = call5(rules.entries[LEGAL], rules.context, at, -1, codes.ctypes.data, codes.shape[0])
        if count > 0:
            return count
    return call2(rules.entries[COUNT], rules.context, at)


@kernel
def _make_move(rules: Rules, boards: Any, deep: Any, k: Any, code: Any) -> Any:
    """Writes the position after the k-th move to the next row of ``boards``. Returns a status, below 0 for an error."""
    width = boards.shape[1]
    at = boards.ctypes.data + deep * 8 * width
    if rules.coded and call4(rules.entries[AFTER], rules.context, at, at + 8 * width, code) >= 0:
        return 0
    for j in range(width):
        boards[deep + 1, j] = boards[deep, j]
    return call3(rules.entries[STEP], rules.context, at + 8 * width, k)


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
def _ended(rules: Rules, totals: Any, at: Any, utilities: Any, row: Any) -> Any:
    """Takes the value of the end at an address. Returns ``DONE``, or why it did not."""
    if totals[BY_SCORE]:
        points = utilities.view(np.int64)
        call3(rules.entries[SCORES], rules.context, at, utilities.ctypes.data)
        _take(row, points[0] - points[1])
        return DONE
    call3(rules.entries[RETURNS], rules.context, at, utilities.ctypes.data)
    if utilities[0] != -utilities[1]:
        return OTHER
    _take(row, np.int64(np.rint(utilities[0])))
    return DONE


@kernel
def _worth(order: Order, board: Any) -> Any:
    """Returns what a position seems to be worth to the first player."""
    values, total = board.view(np.uint8), 0
    for i in range(order.places.size):
        total += order.weights[i, values[order.places[i]]]
    return total


@kernel
def _scan(rules: Rules, stack: Stack, scratch: Scratch, totals: Any, deep: Any) -> Any:
    """Takes the values of the moves at a level that end the game, until one is enough, and writes the history slots and
    ranks of the others. Returns ``DONE``, or why it did not."""
    row, keys, codes = stack.levels[deep], stack.keys[deep], stack.codes[deep]
    boards = stack.boards
    at = boards.ctypes.data + deep * 8 * boards.shape[1]
    after = at + 8 * boards.shape[1]
    for k in range(row[ACTIONS]):
        if _make_move(rules, boards, deep, k, codes[k]) < 0:
            return FAULT
        if call2(rules.entries[KIND], rules.context, after) == 0:
            keys[k] = -1
            row[LEFT] -= 1
            reason = _ended(rules, totals, after, scratch.utilities, row)
            if reason != DONE or row[A] >= row[B]:
                return reason
        else:
            keys[k] = _key(rules, at, k, codes[k], scratch.move) + row[FIRST] * HISTORY
            worth = _worth(rules.order, boards[deep + 1])
            stack.ranks[deep, k] = worth if row[FIRST] else -worth
    return DONE


@kernel
def enter(rules: Rules, bounds: Bounds, stack: Stack, scratch: Scratch, totals: Any, entry: Entry) -> Any:
    """Pushes an unsolved position onto the stack; the state itself is in the next row of ``boards``.

    Returns ``DONE``, or why it did not. A position without an entry gets one (its canonical form is in the first free
    row of ``known``), unless moves that end the game decide it: then ``DECIDED``, and its value is in its level.
    """
    number, slot, alpha, beta, won = entry
    levels, boards = stack.levels, stack.boards
    deep = totals[DEPTH]
    if deep >= levels.shape[0]:
        return DEEP
    if number != UNKNOWN and bounds.on_path[number]:
        return AGAIN
    if totals[POSITIONS] >= totals[LIMIT]:
        return ENOUGH
    at = boards.ctypes.data + deep * 8 * boards.shape[1]
    kind = call2(rules.entries[KIND], rules.context, at)
    if kind != 1 and kind != 2:
        return OTHER
    actions = _list_moves(rules, at, stack.codes[deep])
    if actions < 0:
        return FAULT
    if actions > WIDEST:
        return WIDE
    first = 1 if call2(rules.entries[SEAT], rules.context, at) == 0 else 0
    row = levels[deep]
    row[ACTIONS], row[LEFT], row[FIRST], row[WON], row[TRIED] = actions, actions, first, won, -1
    row[ALPHA], row[BETA] = alpha, beta
    if number != UNKNOWN:
        row[ALPHA], row[BETA] = max(alpha, bounds.low[number] + won), min(beta, bounds.high[number] + won)
    row[A], row[B] = row[ALPHA], row[BETA]
    row[BEST] = -(1 << 40) if first else 1 << 40
    totals[POSITIONS] += 1
    reason = _scan(rules, stack, scratch, totals, deep)
    if reason != DONE:
        return reason
    if number == UNKNOWN:
        if row[A] >= row[B] or row[LEFT] == 0:
            return DECIDED
        number = _add_entry(bounds, totals, slot)
    row[NUMBER] = number
    bounds.on_path[number] = True
    totals[DEPTH] = deep + 1
    return DONE


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
        history[row[TRIED]] += row[ACTIONS] - row[LEFT]


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
    numbers, known, low, high, on_path = bounds
    levels, boards, keys, codes, ranks, history = stack
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
        best, most = -1, 0
        for k in range(row[ACTIONS]):
            if keys[deep, k] >= 0:
                rank = PAST * history[keys[deep, k]] + ranks[deep, k]
                if best < 0 or rank > most:
                    best, most = k, rank
        if row[TRIED] >= 0 and history[row[TRIED]] > 0:
            history[row[TRIED]] -= 1
        row[TRIED] = keys[deep, best]
        keys[deep, best] = -1
        row[LEFT] -= 1
        if _make_move(rules, boards, deep, best, codes[deep, best]) < 0:
            return FAULT
        new = totals[ENTRIES_USED]
        for j in range(width):
            known[new, j] = boards[deep + 1, j]
        won = canonicalize_scores(known[new].view(np.uint8), offsets)
        if symmetries.starts.size > 1:
            canonicalize(known, new, scratch.states, symmetries)
        slot = place(numbers, known, new)
        child = np.int64(numbers[slot]) - 1
        if child != UNKNOWN and (low[child] + won >= row[B] or low[child] == high[child]):
            _take(row, low[child] + won)
        elif child != UNKNOWN and high[child] + won <= row[A]:
            _take(row, high[child] + won)
        else:
            reason = enter(rules, bounds, stack, scratch, totals, Entry(int(child), slot, row[A], row[B], won))
            if reason == DECIDED:
                _take(row, levels[deep + 1, BEST])
            elif reason != DONE:
                return reason
    return DONE
