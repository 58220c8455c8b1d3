"""Games between two players that count playouts, over compiled rules without Python."""

from __future__ import annotations

from math import log, sqrt
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import int64, uint64

from gamedsl.compiler import GAMMA, call2, call3, kernel, mix64
from gamedsl.lab.base import Ints

ENTRIES = ("kind", "count", "weight", "step", "returns", "seat")  # the entry points that ``play`` calls, in this order
KIND, COUNT, WEIGHT, STEP, RETURNS, SEAT = range(len(ENTRIES))
END, MOVE, CHOICE, CHANCE = range(4)  # kinds of stops; others are not played
FINISHED, UNFINISHED, FAILED, COSTLY = range(4)  # the status of a game
MINE, THEIRS, UNKNOWN = 2, 3, 4  # who moves, if a game goes on
LOST = -1e300  # the value of an action that loses for certain
NONE, SEVERAL = -1, -2  # instead of an answer
FARTHEST = 12  # plies to look ahead
TRIALS = FARTHEST + 2  # states at the same time
LOOK = 200_000  # steps of looking ahead, once at a move
AIMED = 64  # playouts of an action; with as many, the answer to it is not chosen at random but the better, the more there are
DOUBTS = 4  # moves that a player who looks four plies ahead doubts, at most

_GAMMA = np.uint64(GAMMA)


class Duel(NamedTuple):
    """Compiled rules and how they are played. ``entries``: addresses of ``ENTRIES``; ``context``: its address; ``used``:
    shape (1,), the words in use for noted positions; ``start``: a state; ``most``: plies of a game; ``opening``: plies
    that are chosen at random; ``budget``: steps of a game and its playouts, after which it is given up.
    """

    entries: Ints
    context: int
    used: Ints
    start: Ints
    most: int
    opening: int
    budget: int


class Room(NamedTuple):
    """Memory for a game: its state, states to try, shape (``TRIALS``, words), the players' utilities, the stream of random
    numbers, the values of actions, the steps so far: of the game, and of looking ahead at this move; and for each pair of
    plies ahead the next move to try, and the words in use. Of the answers to an action: how many playouts began with
    each (``visits``), and the sums of their utilities, shape (``MOST_CHOICES``, 2): of the one who answers, and of the one
    who chooses the action."""

    state: Ints
    trials: Ints
    utilities: npt.NDArray[np.float64]
    stream: npt.NDArray[np.uint64]
    values: npt.NDArray[np.float64]
    spent: Ints
    nexts: Ints
    taken: Ints
    visits: Ints
    sums: npt.NDArray[np.float64]


@kernel
def _below(stream: Any, n: Any) -> Any:
    """Draws a number below ``n``, which is far below 2^32."""
    stream[0] += _GAMMA
    return int64(((mix64(stream[0]) >> uint64(32)) * uint64(n)) >> uint64(32))


@kernel
def _fallen(duel: Duel, s: Any, choices: Any, stream: Any) -> Any:
    """Draws an outcome of chance by its weight; -1 if the rules fail."""
    total = int64(0)
    for k in range(choices):
        total += call3(duel.entries[WEIGHT], duel.context, s, k)
    if total <= 0:
        return int64(-1)
    left = _below(stream, total)
    for k in range(choices):
        left -= call3(duel.entries[WEIGHT], duel.context, s, k)
        if left < 0:
            return int64(k)
    return int64(-1)


@kernel
def _play_out(duel: Duel, s: Any, plies: Any, stream: Any, spent: Any) -> Any:
    """Plays at random to the end. Returns whether it is reached; -1 if the rules fail."""
    for _ in range(plies):
        spent[0] += 1
        kind: Any = call2(duel.entries[KIND], duel.context, s)
        if kind == END:
            return int64(1)
        choices: Any = call2(duel.entries[COUNT], duel.context, s)
        if choices <= 0 or kind < 0 or kind > CHANCE:
            return int64(-1)
        action = _fallen(duel, s, choices, stream) if kind == CHANCE else _below(stream, choices)
        if action < 0 or call3(duel.entries[STEP], duel.context, s, action) < 0:
            return int64(-1)
    return int64(0)


@kernel
def _after(duel: Duel, room: Room, before: Any, row: Any, action: Any) -> Any:
    """Writes the state after an action to a row of trials. Returns whether it is there; -1 if the rules fail."""
    trial = room.trials[row]
    for w in range(trial.size):
        trial[w] = before[w]
    room.spent[0] += 1
    room.spent[1] += 1
    return call3(duel.entries[STEP], duel.context, trial.ctypes.data, action)


@kernel
def _result(duel: Duel, room: Room, row: Any, seat: Any) -> Any:
    """Returns 1 if the game has ended here and this seat has won it, -1 if it has lost it, 0 if it is a draw; ``MINE`` or
    ``THEIRS`` if it goes on, by who moves; ``UNKNOWN`` if that is nobody."""
    s = room.trials[row].ctypes.data
    kind: Any = call2(duel.entries[KIND], duel.context, s)
    if kind == END:
        call3(duel.entries[RETURNS], duel.context, s, room.utilities.ctypes.data)
        mine, other = room.utilities[seat], room.utilities[1 - seat]
        return int64(1) if mine > other else int64(-1) if mine < other else int64(0)
    if kind != MOVE:
        return int64(UNKNOWN)
    mover: Any = call2(duel.entries[SEAT], duel.context, s)
    return int64(MINE) if mover == seat else int64(THEIRS)


@kernel
def _wins_now(duel: Duel, room: Room, row: Any, seat: Any) -> Any:
    """Whether the seat to move wins by one of its moves."""
    choices: Any = call2(duel.entries[COUNT], duel.context, room.trials[row].ctypes.data)
    taken = duel.used[0]
    for k in range(choices):
        duel.used[0] = taken
        if _after(duel, room, room.trials[row], row + 1, k) < 0 or room.spent[1] > LOOK:
            return False
        if _result(duel, room, row + 1, seat) == 1:
            return True
    return False


@kernel
def _forces(duel: Duel, room: Room, first: Any, seat: Any, pairs: Any) -> Any:
    """Whether the seat to move wins at once, or with its next move whatever the other one does, or after at most so many
    pairs of a move and the only answer that does not lose at once. (A win found after any of these pairs is one.)"""
    level, row, nexts, taken = 0, int(first), room.nexts, room.taken
    nexts[0], taken[0] = 0, duel.used[0]
    while level >= 0:
        if nexts[level] == 0 and _wins_now(duel, room, row, seat):
            return True
        choices, goes_deeper = int64(call2(duel.entries[COUNT], duel.context, room.trials[row].ctypes.data)), False
        while nexts[level] < choices and not goes_deeper:
            duel.used[0] = taken[level]
            if room.spent[1] > LOOK or _after(duel, room, room.trials[row], row + 1, nexts[level]) < 0:
                return False
            nexts[level] += 1
            if _result(duel, room, row + 1, seat) != THEIRS:
                continue
            answer = _only_answer(duel, room, row + 1, seat)
            if answer == NONE:
                return True
            if answer >= 0 and level < pairs:
                if _after(duel, room, room.trials[row + 1], row + 2, answer) < 0:
                    return False
                goes_deeper = _result(duel, room, row + 2, seat) == MINE
        level += 1 if goes_deeper else -1
        row += 2 if goes_deeper else -2
        if goes_deeper:
            nexts[level], taken[level] = 0, duel.used[0]
    return False


@kernel
def _only_answer(duel: Duel, room: Room, row: Any, seat: Any) -> Any:
    """Returns the only move of the other seat, which is to move, after which this seat does not win at once; ``NONE`` if
    there is none, ``SEVERAL`` if there are more, or it is not known."""
    taken, choices = duel.used[0], int64(call2(duel.entries[COUNT], duel.context, room.trials[row].ctypes.data))
    found = int64(NONE if choices > 0 else SEVERAL)
    for k in range(choices):
        duel.used[0] = taken
        if room.spent[1] > LOOK or _after(duel, room, room.trials[row], row + 1, k) < 0:
            return int64(SEVERAL)
        result = _result(duel, room, row + 1, seat)
        if result != 1 and (result != MINE or not _wins_now(duel, room, row + 1, seat)):
            if found != NONE:
                return int64(SEVERAL)
            found = int64(k)
    return found


@kernel
def _look(duel: Duel, room: Room, seat: Any, choices: Any, plies: Any) -> Any:
    """Looks ahead: returns an action that wins for certain, -1 if the rules fail, or else ``choices``. Fills the values of
    actions: ``LOST`` for one that loses for certain, else 0."""
    room.values[:choices] = 0.0
    begin, taken = _below(room.stream, choices), duel.used[0]
    for depth in range(1, min(plies, 3) + 1):
        for k in range(choices):
            action = (begin + k) % choices
            if room.values[action] == LOST:
                continue
            duel.used[0] = taken
            if _after(duel, room, room.state, 0, action) < 0:
                return int64(-1)
            result = _result(duel, room, 0, seat)
            if result == 1 or (depth == 3 and result == THEIRS and _corners(duel, room, seat, (plies - 3) // 2)):
                return int64(action)
            if result == -1 or (depth == 2 and result == THEIRS and _wins_now(duel, room, 0, 1 - seat)):
                room.values[action] = LOST
            if room.spent[1] > LOOK:
                return int64(choices)
    return int64(choices)


@kernel
def _corners(duel: Duel, room: Room, seat: Any, pairs: Any) -> Any:
    """Whether this seat wins for certain after the move that has led to the first trial."""
    answer = _only_answer(duel, room, 0, seat)
    if answer < 0 or pairs <= 0:
        return answer == NONE
    if _after(duel, room, room.trials[0], 1, answer) < 0:
        return False
    return _result(duel, room, 1, seat) == MINE and _forces(duel, room, 1, seat, pairs - 1)


@kernel
def _choose(duel: Duel, room: Room, seat: Any, choices: Any, player: Any) -> Any:
    """Returns an action that wins for certain; else the one with the greatest utility in its playouts, of those that are
    not lost for certain (if there is only one, without playouts); the first one of those that are equal, from a random
    place on. -1 if the rules fail, or the budget is spent."""
    playouts, plies, taken = player[0], player[1], duel.used[0]
    trial, values = room.trials[0].ctypes.data, room.values
    room.spent[1] = 0
    won = _look(duel, room, seat, choices, plies)
    duel.used[0] = taken
    if won < choices:
        return won
    left = int64(0)
    for action in range(choices):
        left += values[action] != LOST
    for action in range(choices):
        if values[action] == LOST:
            continue
        if left > 1 and playouts >= AIMED:
            found = _aim(duel, room, seat, action, playouts)
            duel.used[0] = taken
            if found > 0:
                continue
            if found < 0:
                return int64(-1)
        for _ in range(playouts if left > 1 else 0):
            if _after(duel, room, room.state, 0, action) < 0:
                return int64(-1)
            ended = _play_out(duel, trial, duel.most, room.stream, room.spent)
            if ended < 0 or room.spent[0] > duel.budget:
                return int64(-1)
            if ended == 1:
                call3(duel.entries[RETURNS], duel.context, trial, room.utilities.ctypes.data)
                values[action] += room.utilities[seat]
            duel.used[0] = taken
    best = _best(room, choices)
    for _ in range(DOUBTS if plies > 3 and left > 1 else 0):
        room.spent[1] = 0
        if _after(duel, room, room.state, 0, best) < 0:
            return int64(-1)
        is_lost = _result(duel, room, 0, seat) == THEIRS and _forces(duel, room, 0, 1 - seat, (plies - 4) // 2)
        duel.used[0] = taken
        if not is_lost:
            break
        values[best] = LOST
        best = _best(room, choices)
    return best


@kernel
def _aim(duel: Duel, room: Room, seat: Any, action: Any, playouts: Any) -> Any:
    """Values an action by the best answer to it: which answer a playout begins with is chosen by its upper confidence
    bound (P. Auer, N. Cesa-Bianchi and P. Fischer, "Finite-time analysis of the multiarmed bandit problem", Machine Learning
    47, 2002). Returns 1; 0 if no player answers, or there are too many answers; -1 if the rules fail or the budget is spent.
    """
    if _after(duel, room, room.state, 1, action) < 0:
        return int64(-1)
    s, taken = room.trials[1].ctypes.data, duel.used[0]
    kind: Any = call2(duel.entries[KIND], duel.context, s)
    answers: Any = int64(0)
    if MOVE <= kind <= CHOICE:
        answers = call2(duel.entries[COUNT], duel.context, s)
    if answers <= 0 or 4 * answers > playouts:
        return int64(0)
    mover: Any = call2(duel.entries[SEAT], duel.context, s)
    visits, sums, greatest = room.visits, room.sums, 1.0
    visits[:answers] = 0
    sums[:answers] = 0.0
    for number in range(playouts):
        answer, bound = int64(0), -1e300
        for k in range(answers):
            value = 1e300
            if visits[k] > 0:
                value = sums[k, 0] / visits[k] + greatest * sqrt(2 * log(float(number)) / visits[k])
            if value > bound:
                answer, bound = int64(k), value
        duel.used[0] = taken
        if _after(duel, room, room.trials[1], 0, answer) < 0:
            return int64(-1)
        ended = _play_out(duel, room.trials[0].ctypes.data, duel.most, room.stream, room.spent)
        if ended < 0 or room.spent[0] > duel.budget:
            return int64(-1)
        visits[answer] += 1
        if ended == 1:
            call3(duel.entries[RETURNS], duel.context, room.trials[0].ctypes.data, room.utilities.ctypes.data)
            sums[answer, 0] += room.utilities[mover]
            sums[answer, 1] += room.utilities[seat]
            greatest = max(greatest, abs(room.utilities[mover]))
    best = int64(0)
    for k in range(answers):
        if visits[k] > visits[best]:
            best = int64(k)
    room.values[action] = sums[best, 1] / visits[best] * playouts
    return int64(1)


@kernel
def _best(room: Room, choices: Any) -> Any:
    """Returns the action with the greatest value; the first one of those that are equal, from a random place on."""
    begin = _below(room.stream, choices)
    best = int64(begin)
    for k in range(choices):
        action = (begin + k) % choices
        if room.values[action] > room.values[best]:
            best = int64(action)
    return best


@kernel
def play(duel: Duel, room: Room, seeds: Any, players: Any, status: Any, plies: Any, results: Any) -> None:
    """Plays a game for each of ``seeds``. ``players``: shape (games, seats, 2): how many playouts of each action a
    player makes (0: it plays at random), and how many plies it looks ahead. Fills ``status``
    and ``plies``, shape (games,), and ``results``, shape (games, players).
    """
    s, taken = room.state.ctypes.data, duel.used[0]
    for game in range(seeds.size):
        room.stream[0] = mix64(seeds[game] + _GAMMA)
        duel.used[0] = taken
        for w in range(room.state.size):
            room.state[w] = duel.start[w]
        status[game], steps, room.spent[0] = UNFINISHED, int64(0), 0
        while steps < duel.most:
            kind: Any = call2(duel.entries[KIND], duel.context, s)
            if kind == END:
                status[game] = FINISHED
                break
            choices: Any = call2(duel.entries[COUNT], duel.context, s)
            action: Any = int64(-1)
            if 0 <= kind <= CHANCE and choices > 0:
                if kind == CHANCE:
                    action = _fallen(duel, s, choices, room.stream)
                else:
                    seat: Any = call2(duel.entries[SEAT], duel.context, s)
                    if choices == 1:
                        action = int64(0)
                    elif choices > room.values.size:
                        room.spent[0] = duel.budget + 1
                    elif players[game, seat, 0] == 0 or plies[game] < duel.opening:
                        action = _below(room.stream, choices)
                    else:
                        action = _choose(duel, room, seat, choices, players[game, seat])
                    plies[game] += 1
            if action < 0 or call3(duel.entries[STEP], duel.context, s, action) < 0:
                status[game] = COSTLY if room.spent[0] > duel.budget else FAILED
                break
            steps += 1
        if status[game] == FINISHED:
            call3(duel.entries[RETURNS], duel.context, s, room.utilities.ctypes.data)
            for p in range(room.utilities.size):
                results[game, p] = room.utilities[p]
