"""Monte Carlo counterfactual regret minimization: external and outcome sampling over a tree in flat arrays.

M. Lanctot, K. Waugh, M. Zinkevich and M. Bowling, "Monte Carlo Sampling for Regret Minimization in Extensive
Games", NIPS 2009.

Iterations are done in batches. All iterations of a batch sample from the strategies at its beginning. Their
additions are logged and applied in the order of the iterations, so the results do not depend on which thread
samples which iteration.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from gamedsl.compiler import Reals, kernel
from gamedsl.lab.base import Bytes, Numbers
from gamedsl.lab.equilibrium.kernels.sample_log import (
    EXPLORE,
    Log,
    Sums,
    apply,
    explored,
    log_lesson,
    log_regrets,
    log_total,
    mark_iteration,
    next_batch,
    picked,
    rewind,
)

CHANCE, END = -1, -2  # in place of a set
EXTERNAL, OUTCOME = 0, 1

_ITERATIONS, _BOUNDARY = 0, 2


class Paths(NamedTuple):
    """A tree in the form that the samplers take.

    ``nodes``: int32, shape (nodes, 3): the number of the set in ``Forms`` (or ``CHANCE``, ``END``); the first
    child, or at ends the state; the number of children. ``odds``: float64, shape (nodes,): of the chance event that
    leads to a node. Shape (sets,): ``seat`` int8, ``first`` and ``actions`` int32 as in ``Forms``. ``results``:
    float64, shape (states, seats).
    """

    nodes: Numbers
    odds: Reals
    seat: Bytes
    first: Numbers
    actions: Numbers
    results: Reals


@kernel
def sampled(paths: Paths, node: Any, seat: Any, strategy: Reals, log: Log) -> Any:
    """Goes down from a node by sampled moves to a node where a seat acts, or to an end.

    Strategies of the seat that follows it in turn order are logged for the totals on the way. Returns the node; -1
    if the log is full.
    """
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
    """Logs the regrets of the set at this depth, whose actions are all valued. Returns where they are in the log; -1
    if it is full.
    """
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
    """External sampling for a seat: all its own actions, one sampled action of every other seat and of chance.

    Returns whether the log had room.
    """
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
def outcome(paths: Paths, seat: Any, strategy: Reals, log: Log) -> Any:
    """Outcome sampling for a seat: one game, in which the seat explores. Returns whether the log had room.

    A row of the path: the set and the action taken; the probability of taking it; the inverse of the probability of
    all the seat's earlier actions; the weight of the strategy here.
    """
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
    return log_lesson(paths, paths.results[paths.nodes[node, 1], seat], depth, strategy, log)


@kernel
def sample(paths: Paths, strategy: Reals, log: Log, method: Any, seed: Any, begin: Any, end: Any) -> Any:
    """Logs the iterations from ``begin`` to before ``end``, each with one sample for every seat.

    Returns the next iteration, which is not ``end`` if the log is full; then nothing of that iteration is logged.
    """
    for t in range(begin, end):
        kept = mark_iteration(log, seed, t)
        for seat in range(paths.results.shape[1]):
            is_done = (
                external(paths, seat, strategy, log) if method == EXTERNAL else outcome(paths, seat, strategy, log)
            )
            if not is_done:
                rewind(log, kept)
                return t
    return end


@kernel
def run(paths: Paths, sums: Sums, log: Log, method: Any, seed: Any, end: Any) -> Any:
    """Runs iterations until there are ``end`` of them. Returns False if the log is too small for one."""
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
