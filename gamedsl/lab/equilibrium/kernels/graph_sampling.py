"""External and outcome sampling over a graph of states that grows while it is walked.

The samplers are those of ``sampling_kernel``, with the same random numbers and the same results. They walk from
state to state instead of from history to history and track what every seat knows as a class of a trie
(``unfold.Classes``). So memory is needed for the states and the information sets that samples have met, not for the
histories.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from gamedsl.compiler import Reals, kernel
from gamedsl.lab.base import Bytes, Ints, Numbers
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
from gamedsl.lab.equilibrium.kernels.sampling_kernel import CHANCE, END, EXTERNAL
from gamedsl.lab.equilibrium.kernels.unfold import Classes, slot_of

UNKNOWN = -3  # in place of a seat: a state that is not expanded

# Why a sample was not finished. ``STATE``: a state is to be expanded. ``ROOM``: classes, sets or sequences need room.
# ``SHORT``: the log needs room. ``MISSING``: something is new, which this walk must not add. ``UNLIKE``: histories that
# a seat cannot tell apart have different actions.
DONE = 0
STATE, ROOM, SHORT, MISSING, UNLIKE = -1, -2, -3, -4, -5

_CLASSES, _SETS, _SEQUENCES = 0, 1, 2

# Where a walk of external sampling waits for a state: the state, the depth and the place of its values, the seat,
# whether it waits, and the log's counts before its iteration.
PLACE = 8
_STATE, _DEPTH, _BASE, _SEAT, _WAITS, _KEPT = 0, 1, 2, 3, 4, 5


class World(NamedTuple):
    """A graph of states.

    Shape (states,): ``seat`` int8, the seat that acts, or ``CHANCE``, ``END``, ``UNKNOWN``; ``first`` int64 and
    ``degree`` int32, the edges. Shape (edges,): ``target`` int32, ``odds`` float64; ``labels`` int32, shape (edges,
    seats). ``results``: float64, shape (states, seats). Label l has the facts
    ``label_facts[label_first[l]:label_first[l + 1]]``.
    """

    seat: Bytes
    first: Ints
    degree: Numbers
    target: Numbers
    odds: Reals
    labels: Numbers
    results: Reals
    label_first: Ints
    label_facts: Numbers


class GrownSets(NamedTuple):
    """Information sets in the order in which samples met them.

    Shape (room,): ``first`` int32, the first of a set's sequences; ``actions`` int32, their number; ``seat`` int8;
    ``known`` int32, its class; ``state`` int32, the state where it was first met. ``totals``: int64: the numbers of
    classes, sets and sequences.
    """

    first: Numbers
    actions: Numbers
    seat: Bytes
    known: Numbers
    state: Numbers
    totals: Ints


class Walk(NamedTuple):
    """The place of one thread.

    ``begun``, ``now``: int32, shape (seats,): the classes at the start and here. ``known``: int32, shape (plies,
    seats): the classes at the seat's own decisions on the path. ``place``: int64, shape (PLACE,): a state to be
    expanded before the walk continues. ``adds``: int8, shape (1,): whether the walk may add classes and sets.
    """

    begun: Numbers
    now: Numbers
    known: Numbers
    place: Ints
    adds: Bytes


class Growing(NamedTuple):
    """Everything that a walk uses, except its log and the sums."""

    world: World
    classes: Classes
    sets: GrownSets
    walk: Walk


@kernel
def follow(g: Growing, edge: Any) -> Any:
    """Follows an edge: every seat learns the facts on it. Returns a reason."""
    classes, now, totals = g.classes, g.walk.now, g.sets.totals
    for p in range(now.size):
        label, known = g.world.labels[edge, p], now[p]
        for i in range(g.world.label_first[label], g.world.label_first[label + 1]):
            at = slot_of(classes, known, g.world.label_facts[i])
            found = classes.table[at]
            if found == 0:
                if g.walk.adds[0] == 0:
                    return MISSING
                found = totals[_CLASSES]
                if found == classes.parent.size:
                    return ROOM
                classes.parent[found], classes.fact[found] = known, g.world.label_facts[i]
                classes.information_set[found] = -1
                classes.table[at] = found
                totals[_CLASSES] = found + 1
            known = found
        now[p] = known
    return DONE


@kernel
def set_here(g: Growing, sums: Sums, state: Any) -> Any:
    """Returns the information set of the seat that acts in a state, added if necessary; a reason if there is none."""
    sets, seat, actions = g.sets, g.world.seat[state], g.world.degree[state]
    known = g.walk.now[seat]
    number = g.classes.information_set[known]
    if number >= 0:
        return number if sets.actions[number] == actions and sets.seat[number] == seat else UNLIKE
    if g.walk.adds[0] == 0:
        return MISSING
    number, first = sets.totals[_SETS], sets.totals[_SEQUENCES]
    if number == sets.first.size or first + actions > sums.strategy.size:
        return ROOM
    sets.first[number], sets.actions[number], sets.seat[number] = first, actions, seat
    sets.known[number], sets.state[number] = known, state
    sums.strategy[first : first + actions] = 1.0 / actions
    g.classes.information_set[known] = number
    sets.totals[_SETS], sets.totals[_SEQUENCES] = number + 1, first + actions
    return number


@kernel
def go_down(g: Growing, state: Any, seat: Any, sums: Sums, log: Log) -> Any:
    """Goes down by sampled moves to a state where a seat acts, or to an end; see ``sampling_kernel.sampled``.

    Returns the state, or a reason if the path is not known.
    """
    world, seats = g.world, g.walk.now.size
    while True:
        acts = world.seat[state]
        if acts == UNKNOWN:
            g.walk.place[_STATE] = state
            return STATE
        if acts in (END, seat):
            return state
        first = world.first[state]
        if acts == CHANCE:
            k = picked(world.odds, first, world.degree[state], log.random)
        else:
            number = set_here(g, sums, state)
            if number < 0:
                return number
            if acts == (seat + 1) % seats and not log_total(log, number, 1.0):
                return SHORT
            k = picked(sums.strategy, g.sets.first[number], g.sets.actions[number], log.random)
        why = follow(g, first + k)
        if why < 0:
            return why
        state = world.target[first + k]


@kernel
def external(g: Growing, seat: Any, sums: Sums, log: Log) -> Any:
    """External sampling for a seat; see ``sampling_kernel.external``. Returns a reason.

    A row of the path: the state, how many of its actions are valued, where their values are, and the set.
    """
    world, at, values, known, place = g.world, log.at, log.values, g.walk.known, g.walk.place
    state, depth, base = 0, -1, 0
    if place[_WAITS] == 1:
        state, depth, base = place[_STATE], place[_DEPTH], place[_BASE]
    else:
        for p in range(g.walk.now.size):
            g.walk.now[p] = g.walk.begun[p]
    place[_WAITS] = 0
    while True:
        state = go_down(g, state, seat, sums, log)
        if state < 0:
            if state == STATE:
                place[_DEPTH], place[_BASE], place[_SEAT], place[_WAITS] = depth, base, seat, 1
            return state
        if world.seat[state] != END:
            number, count = set_here(g, sums, state), world.degree[state]
            if number < 0:
                return number
            depth += 1
            if depth == at.shape[0] or base + count > values.size:
                return SHORT
            at[depth, 0], at[depth, 1], at[depth, 2], at[depth, 3] = state, 0, base, number
            for p in range(g.walk.now.size):
                known[depth, p] = g.walk.now[p]
            base += count
        else:
            value = world.results[state, seat]
            while depth >= 0:
                values[at[depth, 2] + at[depth, 1]] = value
                at[depth, 1] += 1
                if at[depth, 1] < world.degree[at[depth, 0]]:
                    break
                if log_values(g, depth, sums, log) < 0:
                    return SHORT
                value, base = log.reals[depth, 0], at[depth, 2]
                depth -= 1
            if depth < 0:
                return DONE
            state = at[depth, 0]
            for p in range(g.walk.now.size):
                g.walk.now[p] = known[depth, p]
        edge = world.first[state] + at[depth, 1]
        why = follow(g, edge)
        if why < 0:
            return why
        state = world.target[edge]


@kernel
def log_values(g: Growing, depth: Any, sums: Sums, log: Log) -> Any:
    """Logs the regrets of the set at this depth, whose actions are all valued. Returns where they are in the log; -1
    if it is full.
    """
    number, base = log.at[depth, 3], log.at[depth, 2]
    first, actions = g.sets.first[number], g.sets.actions[number]
    begin = log_regrets(log, number, actions)
    if begin < 0:
        return -1
    value = 0.0
    for k in range(actions):
        value += sums.strategy[first + k] * log.values[base + k]
    for k in range(actions):
        log.deltas[begin + k] = log.values[base + k] - value
    log.reals[depth, 0] = value
    return begin


@kernel
def outcome(g: Growing, seat: Any, sums: Sums, log: Log) -> Any:
    """Outcome sampling for a seat; see ``sampling_kernel.outcome``. Returns a reason."""
    world, strategy = g.world, sums.strategy
    for p in range(g.walk.now.size):
        g.walk.now[p] = g.walk.begun[p]
    state, depth = 0, 0
    mine, taken, others = 1.0, 1.0, 1.0
    while True:
        acts, edge = world.seat[state], world.first[state]
        if acts == UNKNOWN:
            g.walk.place[_STATE] = state
            return STATE
        if acts == END:
            break
        if acts == CHANCE:
            edge += picked(world.odds, edge, world.degree[state], log.random)
        else:
            number = set_here(g, sums, state)
            if number < 0:
                return number
            first, actions = g.sets.first[number], g.sets.actions[number]
            if acts != seat:
                k = picked(strategy, first, actions, log.random)
                others *= strategy[first + k]
            else:
                if depth == log.at.shape[0]:
                    return SHORT
                k = explored(strategy, first, actions, log.random)
                p = EXPLORE / actions + (1.0 - EXPLORE) * strategy[first + k]
                log.at[depth, 0], log.at[depth, 1] = number, k
                log.reals[depth, 0], log.reals[depth, 1], log.reals[depth, 2] = p, 1.0 / taken, mine / (taken * others)
                taken *= p
                mine *= strategy[first + k]
                depth += 1
            edge += k
        why = follow(g, edge)
        if why < 0:
            return why
        state = world.target[edge]
    return DONE if log_lesson(g.sets, world.results[state, seat], depth, strategy, log) else SHORT


@kernel
def sample(g: Growing, sums: Sums, log: Log, method: Any, seed: Any, begin: Any, end: Any) -> Any:
    """Logs the iterations from ``begin`` to before ``end``. Returns the next iteration, and a reason.

    If the reason is not ``DONE``, nothing of that iteration is logged, unless the walk waits in it.
    """
    place = g.walk.place
    for t in range(begin, end):
        first = 0
        if place[_WAITS] == 1:
            first = place[_SEAT]
        else:
            place[_KEPT], place[_KEPT + 1], place[_KEPT + 2] = mark_iteration(log, seed, t)
        for seat in range(first, g.walk.now.size):
            why = external(g, seat, sums, log) if method == EXTERNAL else outcome(g, seat, sums, log)
            if why < 0:
                if place[_WAITS] == 0:
                    rewind(log, (place[_KEPT], place[_KEPT + 1], place[_KEPT + 2]))
                return t, why
    return end, DONE


@kernel
def give_up(walk: Walk, log: Log) -> None:
    """Discards a waiting iteration, and everything that is logged."""
    walk.place[_WAITS] = 0
    log.counts[:] = 0


@kernel
def run(g: Growing, sums: Sums, log: Log, method: Any, seed: Any, end: Any) -> Any:
    """Runs iterations until there are ``end`` of them. Returns a reason if something is needed before that."""
    clock = sums.clock
    while clock[0] < end:
        t = clock[0]
        _, why = sample(g, sums, log, method, seed, t, t + 1)
        if why < 0:
            return why
        apply(g.sets, sums, log)
        clock[0] = t + 1
        if t + 1 == clock[2]:
            next_batch(g.sets, sums)
    return DONE
