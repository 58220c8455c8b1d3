"""Games between two players that count playouts, over compiled rules without Python."""

from __future__ import annotations

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
    """Memory for a game: its state, one to play out, the players' utilities, the stream of random numbers, and the steps so
    far, shape (1,)."""

    state: Ints
    trial: Ints
    utilities: npt.NDArray[np.float64]
    stream: npt.NDArray[np.uint64]
    spent: Ints


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
def _choose(duel: Duel, room: Room, seat: Any, choices: Any, playouts: Any) -> Any:
    """Returns the action with the greatest utility in its playouts; the first one of those that are equal, from a random
    place on. -1 if the rules fail, or the budget is spent."""
    trial, taken = room.trial.ctypes.data, duel.used[0]
    best, best_value, begin = int64(-1), 0.0, _below(room.stream, choices)
    for k in range(choices):
        action, value = (begin + k) % choices, 0.0
        for _ in range(playouts):
            for w in range(room.state.size):
                room.trial[w] = room.state[w]
            if call3(duel.entries[STEP], duel.context, trial, action) < 0:
                return int64(-1)
            ended = _play_out(duel, trial, duel.most, room.stream, room.spent)
            if ended < 0 or room.spent[0] > duel.budget:
                return int64(-1)
            if ended == 1:
                call3(duel.entries[RETURNS], duel.context, trial, room.utilities.ctypes.data)
                value += room.utilities[seat]
            duel.used[0] = taken
        if best < 0 or value > best_value:
            best, best_value = action, value
    return best


@kernel
def play(duel: Duel, room: Room, seeds: Any, playouts: Any, status: Any, plies: Any, results: Any) -> None:
    """Plays a game for each of ``seeds``. ``playouts``: shape (games, players), of each action when this player decides;
    0: plays at random. Fills ``status`` and ``plies``, shape (games,), and ``results``, shape (games, players).
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
                    number = playouts[game, seat]
                    if choices == 1:
                        action = int64(0)
                    elif number == 0 or plies[game] < duel.opening:
                        action = _below(room.stream, choices)
                    else:
                        action = _choose(duel, room, seat, choices, number)
                    plies[game] += 1
            if action < 0 or call3(duel.entries[STEP], duel.context, s, action) < 0:
                status[game] = COSTLY if room.spent[0] > duel.budget else FAILED
                break
            steps += 1
        if status[game] == FINISHED:
            call3(duel.entries[RETURNS], duel.context, s, room.utilities.ctypes.data)
            for p in range(room.utilities.size):
                results[game, p] = room.utilities[p]
