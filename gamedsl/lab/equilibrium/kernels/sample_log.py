"""The log of samples, and how it is applied: the common parts of ``sampling_kernel`` and ``graph_sampling``.

These do not depend on what is walked. A parameter ``sets`` has ``sets.first`` and ``sets.actions``: int32, shape
(sets,): the first of a set's sequences, and their number.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gamedsl.compiler import GAMMA, Reals, kernel, mix64
from gamedsl.lab.base import Bytes, Ints, Numbers

EXPLORE = 0.6  # outcome sampling: the share of the learning seat's decisions made at random
SLOWER = 32  # batches after which their size grows by one

_GAMMA = np.uint64(GAMMA)
_SHIFT = np.uint64(11)
_BATCH, _BOUNDARY = 1, 2
_TOTALS, _SETS, _DELTAS = 0, 1, 2


class Sums(NamedTuple):
    """The sums of a sampler.

    Float64, shape (sequences,): ``regret``: cumulative; ``strategy``: of this batch; ``total``: summed strategies,
    weighted by the probability that the seat's own actions lead there. ``changed``: int32, shape (sets,): the sets
    with new regrets, ``changes[0]`` of them; ``mark``: int8, shape (sets,): whether a set is among them. ``clock``:
    int64: iterations, number of this batch, the iterations after which it ends.
    """

    regret: Reals
    strategy: Reals
    total: Reals
    changed: Numbers
    mark: Bytes
    changes: Ints
    clock: Ints


class Log(NamedTuple):
    """The working memory of one thread.

    The path from the start, one row per ply: ``at``: int32, shape (plies, 3 or 4); ``reals``: float64, shape
    (plies, 3); ``values``: float64: room for the values of all actions on the path.

    The additions: strategies of ``total_sets`` (int32) times ``weights`` to the totals, and ``deltas``, one per
    action, to the regrets of ``sets`` (int32). ``counts``: int64: how many of each. ``random``: uint64, shape (1,).
    """

    at: Numbers
    reals: Reals
    values: Reals
    total_sets: Numbers
    weights: Reals
    sets: Numbers
    deltas: Reals
    counts: Ints
    random: Any


@kernel
def uniform(random: Any) -> Any:
    """Returns the next random number, at least 0 and below 1."""
    random[0] += _GAMMA
    return np.float64(mix64(random[0]) >> _SHIFT) * 2.0**-53


@kernel
def picked(odds: Reals, first: Any, count: Any, random: Any) -> Any:
    """Draws one of ``count`` indices by the odds from ``first`` on, which add up to 1."""
    u, last = uniform(random), 0
    for k in range(count):
        p = odds[first + k]
        if p > 0.0:
            last = k
            u -= p
            if u < 0.0:
                break
    return last


@kernel
def explored(strategy: Reals, first: Any, actions: Any, random: Any) -> Any:
    """Draws an action from the strategy, or, with probability ``EXPLORE``, uniformly."""
    if uniform(random) < EXPLORE:
        return np.int64(uniform(random) * actions)
    return picked(strategy, first, actions, random)


@kernel
def log_total(log: Log, number: Any, weight: Any) -> Any:
    """Logs a strategy for the totals. Returns whether there was room."""
    n = log.counts[_TOTALS]
    if n == log.total_sets.size:
        return False
    log.total_sets[n], log.weights[n] = number, weight
    log.counts[_TOTALS] = n + 1
    return True


@kernel
def log_regrets(log: Log, number: Any, actions: Any) -> Any:
    """Takes room for the deltas of a set. Returns where they begin; -1 if there is none."""
    n, begin = log.counts[_SETS], log.counts[_DELTAS]
    if n == log.sets.size or begin + actions > log.deltas.size:
        return -1
    log.sets[n] = number
    log.counts[_SETS], log.counts[_DELTAS] = n + 1, begin + actions
    return begin


@kernel
def log_lesson(sets: Any, value: Any, depth: Any, strategy: Reals, log: Log) -> Any:
    """Logs what a seat learns from one game with ``depth`` actions of its own. Returns whether there was room."""
    for d in range(depth - 1, -1, -1):
        number, taken = log.at[d, 0], log.at[d, 1]
        first, actions = sets.first[number], sets.actions[number]
        begin = log_regrets(log, number, actions)
        if begin < 0 or not log_total(log, number, log.reals[d, 2]):
            return False
        there = value / log.reals[d, 0]
        value = strategy[first + taken] * there
        weight = log.reals[d, 1]
        for k in range(actions):
            log.deltas[begin + k] = weight * ((there if k == taken else 0.0) - value)
    return True


@kernel
def mark_iteration(log: Log, seed: Any, t: Any) -> Any:
    """Seeds the random numbers of an iteration. Returns the log's counts before it."""
    log.random[0] = mix64(np.uint64(seed) * _GAMMA + mix64(np.uint64(t) + _GAMMA))
    return log.counts[_TOTALS], log.counts[_SETS], log.counts[_DELTAS]


@kernel
def rewind(log: Log, kept: Any) -> None:
    """Discards what was logged since the counts ``kept``."""
    log.counts[_TOTALS], log.counts[_SETS], log.counts[_DELTAS] = kept


@kernel
def apply(sets: Any, sums: Sums, log: Log) -> None:
    """Adds the logged values to the sums, and empties the log."""
    d = 0
    for i in range(log.counts[_SETS]):
        number = log.sets[i]
        first = sets.first[number]
        for k in range(sets.actions[number]):
            sums.regret[first + k] += log.deltas[d + k]
        d += sets.actions[number]
        if sums.mark[number] == 0:
            sums.mark[number] = 1
            sums.changed[sums.changes[0]] = number
            sums.changes[0] += 1
    for i in range(log.counts[_TOTALS]):
        number = log.total_sets[i]
        first = sets.first[number]
        for s in range(first, first + sets.actions[number]):
            sums.total[s] += log.weights[i] * sums.strategy[s]
    log.counts[:] = 0


@kernel
def batch_of(iterations: Any) -> Any:
    """Returns the number of the batch after this many iterations, and the iterations after which it ends."""
    batch, boundary = 0, 1
    while boundary <= iterations:
        batch += 1
        boundary += 1 + batch // SLOWER
    return batch, boundary


@kernel
def next_batch(sets: Any, sums: Sums) -> None:
    """Applies regret matching in the sets with new regrets, and begins the next batch."""
    regret, strategy = sums.regret, sums.strategy
    for i in range(sums.changes[0]):
        number = sums.changed[i]
        sums.mark[number] = 0
        begin, end = sets.first[number], sets.first[number] + sets.actions[number]
        whole = 0.0
        for s in range(begin, end):
            whole += max(0.0, regret[s])
        for s in range(begin, end):
            strategy[s] = max(0.0, regret[s]) / whole if whole > 0.0 else 1.0 / (end - begin)
    sums.changes[0] = 0
    sums.clock[_BATCH] += 1
    sums.clock[_BOUNDARY] += 1 + sums.clock[_BATCH] // SLOWER
