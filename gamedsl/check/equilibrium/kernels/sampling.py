"""Monte Carlo counterfactual regret minimization: external and outcome sampling over a tree in flat arrays.

M. Lanctot, K. Waugh, M. Zinkevich and M. Bowling, "Monte Carlo Sampling for Regret Minimization in Extensive Games", NIPS 2009.

Iterations are done in batches. All those of a batch sample from the strategies of its beginning. What they add is logged,
and applied in the order of the iterations, so that the results do not depend on who samples which of them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gamedsl.check.base import Bytes, Ints, Numbers
from gamedsl.native import GAMMA, Reals, kernel, mix64

CHANCE, END = -1, -2  # in place of a set
EXTERNAL, OUTCOME = 0, 1
EXPLORE = 0.6  # outcome sampling: the seat that learns plays so often at random
SLOWER = 32  # batches in which their size grows by one

_GAMMA = np.uint64(GAMMA)
_SHIFT = np.uint64(11)
_ITERATIONS, _BATCH, _BOUNDARY = 0, 1, 2
_TOTALS, _SETS, _DELTAS = 0, 1, 2


class Paths(NamedTuple):
    """A tree as the samplers take it.

    ``nodes``: int32, shape (nodes, 3): the number of the set in ``Forms`` (or ``CHANCE``, ``END``); the first child, at ends
    the state; the number of children. ``odds``: float64, shape (nodes,): of the move of chance that leads to a node.
    Shape (sets,): ``seat`` int8, ``first`` and ``actions`` int32 as in ``Forms``. ``results``: float64, shape (states, seats).
    """

    nodes: Numbers
    odds: Reals
    seat: Bytes
    first: Numbers
    actions: Numbers
    results: Reals


class Sums(NamedTuple):
    """Float64, shape (sequences,): cumulative ``regret``; the ``strategy`` of this batch; ``total``: summed strategies, weighted
    by how likely a seat itself comes there. ``changed``: int32, shape (sets,): the sets with new regrets, the first ``changes[0]``
    of them; ``mark``: int8, shape (sets,): whether a set is among them. ``clock``: int64: iterations, number of this batch,
    the iterations after which it ends."""

    regret: Reals
    strategy: Reals
    total: Reals
    changed: Numbers
    mark: Bytes
    changes: Ints
    clock: Ints


class Log(NamedTuple):
    """What one thread needs. The path from the start, one row a ply: ``at``: int32, shape (plies, 3); ``reals``: float64, shape
    (plies, 3); ``values``: float64: room for the values of all actions on the path.

    What it adds: strategies of ``total_sets`` (int32) times ``weights`` to the totals, and ``deltas``, one per action, to the
    regrets of ``sets`` (int32). ``counts``: int64: how many of each. ``random``: uint64, shape (1,)."""

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
    """The next random number, at least 0 and below 1."""
    random[0] += _GAMMA
    return np.float64(mix64(random[0]) >> _SHIFT) * 2.0**-53


@kernel
def picked(odds: Reals, first: Any, count: Any, random: Any) -> Any:
    """Draws from ``count`` numbers by their odds, which lie from ``first`` on and add up to 1."""
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
def log_total(log: Log, number: Any, weight: Any) -> Any:
    """Notes that a strategy counts; says whether there was room."""
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
def sampled(paths: Paths, node: Any, seat: Any, strategy: Reals, log: Log) -> Any:
    """Goes down from a node by sampled moves to one where a seat acts, or to an end. Strategies of the seat before it in turn
    are counted on the way. Returns the node; -1 if the log is full."""
    seats = paths.results.shape[1]
    while True:
        number, child = paths.nodes[node, 0], paths.nodes[node, 1]
        if number == CHANCE:
            node = child + picked(paths.odds, child, paths.nodes[node, 2], log.random)
        elif number == END or paths.seat[number] == seat:
            return node
        else:
            if paths.seat[number] == (seat + 1) % seats and not log_total(log, number, 1.0):
                return -1
            node = child + picked(strategy, paths.first[number], paths.actions[number], log.random)


@kernel
def finish(paths: Paths, depth: Any, strategy: Reals, log: Log) -> Any:
    """Logs the regrets of the set at this depth, whose actions are all valued. Returns where they are in the log."""
    number, base = paths.nodes[log.at[depth, 0], 0], log.at[depth, 2]
    first, actions = paths.first[number], paths.actions[number]
    begin = log_regrets(log, number, actions)
    if begin < 0:
        return -1
    value = 0.0
    for k in range(actions):
        value += strategy[first + k] * log.values[base + k]
    for k in range(actions):
        log.deltas[begin + k] = log.values[base + k] - value
    log.reals[depth, 0] = value
    return begin


@kernel
def external(paths: Paths, seat: Any, strategy: Reals, log: Log) -> Any:
    """External sampling for a seat: all its own actions, one sampled action of everybody else and of chance. Says whether the
    log had room."""
    at, values = log.at, log.values
    node, depth, base = 0, -1, 0
    while True:
        node = sampled(paths, node, seat, strategy, log)
        if node < 0:
            return False
        if paths.nodes[node, 0] != END:
            depth += 1
            at[depth, 0], at[depth, 1], at[depth, 2] = node, 0, base
            base += paths.nodes[node, 2]
            node = paths.nodes[node, 1]
            continue
        value = paths.results[paths.nodes[node, 1], seat]
        while depth >= 0:
            node = at[depth, 0]
            values[at[depth, 2] + at[depth, 1]] = value
            at[depth, 1] += 1
            if at[depth, 1] < paths.nodes[node, 2]:
                node = paths.nodes[node, 1] + at[depth, 1]
                break
            if finish(paths, depth, strategy, log) < 0:
                return False
            value, base = log.reals[depth, 0], at[depth, 2]
            depth -= 1
        if depth < 0:
            return True


@kernel
def explored(strategy: Reals, first: Any, actions: Any, random: Any) -> Any:
    """Draws an action from the strategy, or sometimes from all of them."""
    if uniform(random) < EXPLORE:
        return np.int64(uniform(random) * actions)
    return picked(strategy, first, actions, random)


@kernel
def outcome(paths: Paths, seat: Any, strategy: Reals, log: Log) -> Any:
    """Outcome sampling for a seat: one play. The seat itself explores. Says whether the log had room.

    A row of the path: the set and the action taken; how likely it was taken; the inverse of how likely the seat took all its
    actions before; the weight of the strategy here."""
    node, depth = 0, 0
    mine, taken, others = 1.0, 1.0, 1.0
    while True:
        number, child = paths.nodes[node, 0], paths.nodes[node, 1]
        if number == END:
            break
        if number == CHANCE:
            node = child + picked(paths.odds, child, paths.nodes[node, 2], log.random)
            continue
        first, actions = paths.first[number], paths.actions[number]
        if paths.seat[number] != seat:
            k = picked(strategy, first, actions, log.random)
            others *= strategy[first + k]
        else:
            k = explored(strategy, first, actions, log.random)
            p = EXPLORE / actions + (1.0 - EXPLORE) * strategy[first + k]
            log.at[depth, 0], log.at[depth, 1] = number, k
            log.reals[depth, 0], log.reals[depth, 1], log.reals[depth, 2] = p, 1.0 / taken, mine / (taken * others)
            taken *= p
            mine *= strategy[first + k]
            depth += 1
        node = child + k
    return learned(paths, paths.results[paths.nodes[node, 1], seat], depth, strategy, log)


@kernel
def learned(paths: Paths, value: Any, depth: Any, strategy: Reals, log: Log) -> Any:
    """Logs what a seat learns from one play of so many own actions; says whether there was room."""
    for d in range(depth - 1, -1, -1):
        number, taken = log.at[d, 0], log.at[d, 1]
        first, actions = paths.first[number], paths.actions[number]
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
def sample(paths: Paths, strategy: Reals, log: Log, method: Any, seed: Any, begin: Any, end: Any) -> Any:
    """Logs the iterations from ``begin`` to before ``end``: one sample for every seat each. Returns the iteration that comes next,
    which is not ``end`` if the log is full; then nothing of that iteration is logged."""
    for t in range(begin, end):
        totals, sets, deltas = log.counts[_TOTALS], log.counts[_SETS], log.counts[_DELTAS]
        log.random[0] = mix64(np.uint64(seed) * _GAMMA + mix64(np.uint64(t) + _GAMMA))
        for seat in range(paths.results.shape[1]):
            is_done = (
                external(paths, seat, strategy, log) if method == EXTERNAL else outcome(paths, seat, strategy, log)
            )
            if not is_done:
                log.counts[_TOTALS], log.counts[_SETS], log.counts[_DELTAS] = totals, sets, deltas
                return t
    return end


@kernel
def apply(paths: Paths, sums: Sums, log: Log) -> None:
    """Adds what is logged, and empties the log."""
    d = 0
    for i in range(log.counts[_SETS]):
        number = log.sets[i]
        first = paths.first[number]
        for k in range(paths.actions[number]):
            sums.regret[first + k] += log.deltas[d + k]
        d += paths.actions[number]
        if sums.mark[number] == 0:
            sums.mark[number] = 1
            sums.changed[sums.changes[0]] = number
            sums.changes[0] += 1
    for i in range(log.counts[_TOTALS]):
        number = log.total_sets[i]
        first = paths.first[number]
        for s in range(first, first + paths.actions[number]):
            sums.total[s] += log.weights[i] * sums.strategy[s]
    log.counts[:] = 0


@kernel
def batch_of(iterations: Any) -> Any:
    """The number of the batch after so many iterations, and the iterations after which it ends."""
    batch, boundary = 0, 1
    while boundary <= iterations:
        batch += 1
        boundary += 1 + batch // SLOWER
    return batch, boundary


@kernel
def next_batch(paths: Paths, sums: Sums) -> None:
    """Regret matching in the sets with new regrets; the next batch begins."""
    regret, strategy = sums.regret, sums.strategy
    for i in range(sums.changes[0]):
        number = sums.changed[i]
        sums.mark[number] = 0
        begin, end = paths.first[number], paths.first[number] + paths.actions[number]
        whole = 0.0
        for s in range(begin, end):
            whole += max(0.0, regret[s])
        for s in range(begin, end):
            strategy[s] = max(0.0, regret[s]) / whole if whole > 0.0 else 1.0 / (end - begin)
    sums.changes[0] = 0
    sums.clock[_BATCH] += 1
    sums.clock[_BOUNDARY] += 1 + sums.clock[_BATCH] // SLOWER


@kernel
def run(paths: Paths, sums: Sums, log: Log, method: Any, seed: Any, end: Any) -> Any:
    """Runs iterations until there are ``end`` of them. Returns whether there are; if not, the log is too small for one."""
    clock = sums.clock
    while clock[_ITERATIONS] < end:
        t = clock[_ITERATIONS]
        if sample(paths, sums.strategy, log, method, seed, t, t + 1) == t:
            return False
        apply(paths, sums, log)
        clock[_ITERATIONS] = t + 1
        if t + 1 == clock[_BOUNDARY]:
            next_batch(paths, sums)
    return True
