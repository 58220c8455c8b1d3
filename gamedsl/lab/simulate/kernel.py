"""Counts playouts over compiled entry points without Python: the same playouts as ``reference_plays`` makes."""

from __future__ import annotations

from math import log
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import int64, uint64

from gamedsl.compiler import GAMMA, call2, call3, call4, kernel, mix64
from gamedsl.lab.base import Ints
from gamedsl.lab.simulate.rng import STRIDE

ENTRIES = ("kind", "count", "weight", "move", "do", "returns")  # the entry points that ``run`` calls, in this order
DRAW = "draw"  # the entry point that it calls besides if moves are drawn by the least number
KIND, COUNT, WEIGHT, MOVE, DO, RETURNS, LEAST = range(len(ENTRIES) + 1)
END, CHOOSES_MOVE, CHANCE, DRAWING = 0, 1, 3, 5  # kinds of stops

FINISHED, UNFINISHED, FAILED = 0, 1, 2  # the status of a playout
DECISIONS, CHOICES, WIDEST, FORCED = range(4)  # indices into the totals of ``run``
PASS, VALUE = -1, -2  # stand in for a schema in a move's record

_GAMMA, _STRIDE = np.uint64(GAMMA), np.uint64(STRIDE)


class Rules(NamedTuple):
    """Compiled rules.

    ``entries``: int64, the addresses of ``ENTRIES`` and of ``DRAW`` (0: it is not called); ``context``: the address of the context;
    ``used``: int64,
    shape (1,): the number of words in use for noted positions.
    """

    entries: Ints
    context: int
    used: Ints


class Plays(NamedTuple):
    """Which playouts to make.

    ``start``: int64, a state; ``seed``: uint64; ``first``: the number of the first playout; ``most``: maximum
    number of plies and chance outcomes per playout; ``has_decisions``: whether the length is counted in plies, not
    in chance outcomes. ``every``: see ``Plan``.
    """

    start: Ints
    seed: np.uint64
    first: int
    most: int
    has_decisions: bool
    every: int


class Scratch(NamedTuple):
    """Room for a state, a move, and the players' utilities."""

    state: Ints
    move: Ints
    utilities: npt.NDArray[np.float64]


class Counts(NamedTuple):
    """The counts, int64.

    ``status``, ``plies``: shape (plays,); ``results``: shape (plays, players): utilities; ``choices``: shape (plays, 2):
    the sum of the numbers of choices at decisions, and the number of decisions with one choice; ``widths``: float64,
    shape (plays,): the logarithms of the products of all numbers of choices and outcomes; ``schemas``: uses;
    ``others``: shape (blocks, 2): passes and values; ``outcomes``: shape (blocks, outcomes); ``profile``: shape
    (plies, 2): decisions and choices of the first plies; ``totals``: shape (4,).
    """

    status: Ints
    plies: Ints
    results: Ints
    choices: Ints
    widths: npt.NDArray[np.float64]
    schemas: Ints
    others: Ints
    outcomes: Ints
    profile: Ints
    totals: Ints


@kernel
def _below(key: Any, count: Any, n: Any) -> Any:
    """Draws like ``Draws.below``. Returns the number, and the stream position after it."""
    mask = uint64(n - 1)
    for shift in (1, 2, 4, 8, 16, 32):
        mask |= mask >> uint64(shift)
    if mask == uint64(0):
        return int64(0), count
    while True:
        count += 1
        drawn = mix64(key + uint64(count) * _GAMMA) & mask
        if drawn < uint64(n):
            return int64(drawn), count


@kernel
def _fall(rules: Rules, s: Any, key: Any, count: Any, choices: Any) -> Any:
    """Samples a chance outcome by its weight. Returns it and the stream position after it; -1 for a rules error."""
    weight, ctx = rules.entries[WEIGHT], rules.context
    total = int64(0)
    for k in range(choices):
        total += call3(weight, ctx, s, k)
    if total <= 0:
        return int64(-1), count
    left, count = _below(key, count, total)
    for k in range(choices):
        left -= call3(weight, ctx, s, k)
        if left < 0:
            return int64(k), count
    return int64(-1), count


@kernel
def run(rules: Rules, plays: Plays, scratch: Scratch, counts: Counts) -> None:
    """Makes ``len(counts.status)`` playouts.

    A playout that fails (a rules error, a drawing, no memory) ends the run: its status is FAILED, and the counts
    include part of it. A state's first four bytes hold its block number; see ``compiler.emit.memory_layout``.
    """
    entries, ctx, used = rules.entries, rules.context, rules.used
    state, record, utilities = scratch.state, scratch.move, scratch.utilities
    status, results, profile, totals = counts.status, counts.results, counts.profile, counts.totals
    s, out, gains = state.ctypes.data, record.ctypes.data, utilities.ctypes.data
    seeded, taken = mix64(plays.seed + _GAMMA), used[0]
    for play in range(status.size):
        key, count = mix64(seeded ^ (uint64(plays.first + play + 1) * _STRIDE)), int64(0)
        ply, done = int64(0), int64(0)
        for w in range(state.size):
            state[w] = plays.start[w]
        used[0] = taken
        status[play] = FINISHED
        while True:
            kind: Any = call2(entries[KIND], ctx, s)
            if kind == END:
                break
            if done >= plays.most:
                status[play] = UNFINISHED
                break
            is_drawn = plays.every > 1 and kind == CHOOSES_MOVE
            is_counted = kind != CHANCE and ply % plays.every == 0
            choices: Any = int64(1)
            if is_counted or not is_drawn:
                choices = call2(entries[COUNT], ctx, s)
            if kind < 0 or kind == DRAWING or choices <= 0:
                status[play] = FAILED
                break
            block = state[0] & 0xFFFFFFFF
            if is_counted or kind == CHANCE:
                counts.widths[play] += log(float(choices))
            if kind == CHANCE:
                k, count = _fall(rules, s, key, count, choices)
                if k < 0:
                    status[play] = FAILED
                    break
                call4(entries[MOVE], ctx, s, k, out)
                counts.outcomes[block, record[1]] += 1
            else:
                if is_counted:
                    counts.choices[play, 0] += choices
                    counts.choices[play, 1] += choices == 1
                    totals[DECISIONS] += 1
                    totals[CHOICES] += choices
                    totals[WIDEST] = max(totals[WIDEST], choices)
                    totals[FORCED] += choices == 1
                    if ply < profile.shape[0]:
                        profile[ply, 0] += 1
                        profile[ply, 1] += choices
                if is_drawn:
                    count += 1
                    if call4(entries[LEAST], ctx, s, mix64(key + uint64(count) * _GAMMA), out) <= 0:
                        status[play] = FAILED
                        break
                else:
                    k, count = _below(key, count, choices)
                    call4(entries[MOVE], ctx, s, k, out)
                if record[0] >= 0:
                    counts.schemas[record[0]] += 1
                else:
                    counts.others[block, -1 - record[0]] += 1
                ply += 1
            done += 1
            if call3(entries[DO], ctx, s, out) < 0:
                status[play] = FAILED
                break
        counts.plies[play] = ply if plays.has_decisions else done
        if status[play] == FAILED:
            return
        if status[play] == FINISHED:
            call3(entries[RETURNS], ctx, s, gains)
            for player in range(utilities.size):
                results[play, player] = int64(round(utilities[player]))
