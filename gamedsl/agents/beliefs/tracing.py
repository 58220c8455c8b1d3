"""The kernel that draws a course of play which fits what a seat has noticed.

At every ply of chance or another seat, actions are tried until one is found after which the seat would have noticed what it
has noticed. The share of such actions is the importance weight of the ply. A course may follow an older one ply by ply
where that still fits, and deviate from it on purpose: a step of a Markov chain over courses of play.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gamedsl.agents.beliefs.sight import (
    AT_SPARE,
    CHANCE_KIND,
    CONTEXT,
    DRAWING_KIND,
    END_KIND,
    KIND,
    SIZE,
    WEIGHT,
    Hashes,
    Room,
    Rules,
    acting,
    actions,
    code_hash,
)
from gamedsl.agents.beliefs.watching import USED_AT, own_event, ply
from gamedsl.agents.tree_arrays import Draws, unit
from gamedsl.native import Reals, Words, call3, kernel, peek, peek_half, poke

MOST_TRIES = 64  # actions that are tried at a stop
FITS, DEAD = 1, 0
NOTHING = np.uint64(0)


class Record(NamedTuple):
    """What a seat has noticed, as hashes. ``bounds``: the seat, and how much of ``noticed`` a course is to explain."""

    noticed: Hashes
    bounds: Words


class Course(NamedTuple):
    """A course of play. ``state``: the words of the position it has led to; ``trail``: the hashes of its actions; ``plies``:
    their number, and how much of what the seat has noticed is explained; ``last``: the seat's last view and place; ``weight``: the
    logarithms of the importance weight and of the probability that it is played so."""

    state: Words
    trail: Hashes
    plies: Words
    last: Hashes
    weight: Reals


class Plan(NamedTuple):
    """The course to follow. ``trail``: hashes of actions; ``at``: how many there are, and the plies at which to deviate (-1:
    none); ``instead``: the actions to try there (0: any other)."""

    trail: Hashes
    at: Words
    instead: Hashes


class Bench(NamedTuple):
    """Working memory: the random stream, the number of steps of the rules so far, an action that is not to be taken (-1: none),
    the indices and weights of actions, what is noticed of one ply, a last view."""

    draws: Draws
    steps: Words
    barred: Words
    order: Words
    chances: Reals
    noticed: Hashes
    last: Hashes


@kernel
def copy_words(to: int, of: int, words: int) -> None:
    """Copies a block."""
    for w in range(words):
        poke(to + 8 * w, peek(of + 8 * w))


@kernel
def explains(record: Record, bench: Bench, matched: int, n: int) -> bool:
    """Is what was noticed of a ply what the seat noticed next?"""
    if n < 0 or matched + n > record.bounds[1]:
        return False
    same = True
    for i in range(n):
        same = same and bench.noticed[i] == record.noticed[matched + i]
    return same


@kernel
def attempt(rules: Rules, room: Room, record: Record, course: Course, bench: Bench, k: int) -> bool:
    """Would the seat notice what it has noticed, if the k-th action were taken? Leaves the course as it is."""
    state, spare = course.state.ctypes.data, room.at[AT_SPARE] + 8 * (rules.shape[SIZE] + 1)
    copy_words(spare, state, rules.shape[SIZE])
    bench.last[:] = course.last
    mark = peek(rules.entry[CONTEXT] + USED_AT)
    bench.steps[0] += 1
    n = ply(rules, room, spare, k, NOTHING, record.bounds[0], bench.last, bench.noticed)
    poke(rules.entry[CONTEXT] + USED_AT, mark)
    return explains(record, bench, course.plies[1], n)


@kernel
def likelihood(rules: Rules, course: Course, bench: Bench, n: int) -> float:
    """Writes the weights of the n actions at a stop. Returns their sum."""
    total = 0.0
    is_chance = rules.blocks[peek_half(course.state.ctypes.data), KIND] == CHANCE_KIND
    for k in range(n):
        bench.chances[k] = 1.0
        if is_chance:
            bench.chances[k] = float(call3(rules.entry[WEIGHT], rules.entry[CONTEXT], course.state.ctypes.data, k))
        total += bench.chances[k]
    return total


@kernel
def fitting(rules: Rules, room: Room, record: Record, course: Course, bench: Bench, n: int, barred: int) -> int:
    """Draws one of the n actions, by their weights, among those that fit. -1: none does. ``barred``: not this one.
    Adds the logarithm of the share that fits to the course's weight."""
    tries = min(n, MOST_TRIES)
    for k in range(n):
        bench.order[k] = k
    if n > MOST_TRIES:
        for k in range(tries):
            other = k + int(unit(bench.draws) * (n - k))
            bench.order[k], bench.order[other] = bench.order[other], bench.order[k]
    chosen, fit, total = -1, 0.0, 0.0
    for i in range(tries):
        k = bench.order[i]
        total += bench.chances[k]
        if k != barred and attempt(rules, room, record, course, bench, k):
            fit += bench.chances[k]
            if unit(bench.draws) * fit < bench.chances[k]:
                chosen = k
    if chosen >= 0:
        course.weight[0] += math.log(fit / total)
    return int(chosen)


@kernel
def index_of(rules: Rules, room: Room, n: int, code: np.uint64) -> int:
    """Which of the n codes has this hash; -1: none."""
    for k in range(n):
        if code_hash(rules, room, k) == code:
            return k
    return -1


@kernel
def own_action(rules: Rules, room: Room, record: Record, course: Course, n: int) -> int:
    """Which of the n codes is the action that the seat has chosen; -1: none."""
    if course.plies[1] == record.bounds[1]:
        return -1
    for k in range(n):
        if own_event(code_hash(rules, room, k)) == record.noticed[course.plies[1]]:
            return k
    return -1


@kernel
def planned(rules: Rules, room: Room, course: Course, plan: Plan, bench: Bench, n: int) -> int:
    """Which of the n actions the plan has for this ply; -1: none. ``bench.barred`` is set where it must be another one."""
    at = course.plies[0]
    bench.barred[0] = -1
    if at >= plan.at[0]:
        return -1
    wanted = plan.trail[at]
    for i in range(2):
        if plan.at[1 + i] == at:
            if plan.instead[i] == NOTHING:
                bench.barred[0] = index_of(rules, room, n, wanted)
                return -1
            wanted = plan.instead[i]
    return index_of(rules, room, n, wanted)


@kernel
def take(
    rules: Rules, room: Room, record: Record, course: Course, bench: Bench, k: int, own: np.uint64, p: float
) -> bool:
    """Takes the k-th action, of probability p, if the seat would notice what it has noticed. Else all stays as it is."""
    state, spare = course.state.ctypes.data, room.at[AT_SPARE] + 16 * (rules.shape[SIZE] + 1)
    copy_words(spare, state, rules.shape[SIZE])
    bench.last[:] = course.last
    mark = peek(rules.entry[CONTEXT] + USED_AT)
    bench.steps[0] += 1
    code = code_hash(rules, room, k)
    n = ply(rules, room, state, k, own, record.bounds[0], course.last, bench.noticed)
    if not explains(record, bench, course.plies[1], n):
        copy_words(state, spare, rules.shape[SIZE])
        course.last[:] = bench.last
        poke(rules.entry[CONTEXT] + USED_AT, mark)
        return False
    course.trail[course.plies[0]] = code
    course.plies[0] += 1
    course.plies[1] += n
    course.weight[1] += math.log(p)
    return True


@kernel
def go_on(rules: Rules, room: Room, record: Record, course: Course, plan: Plan, bench: Bench, n: int) -> bool:
    """Takes one of the n actions of chance or another seat: that of the plan if it fits, else a random one that fits. If none
    does, a random one is left behind the trail."""
    state = course.state.ctypes.data
    total = likelihood(rules, course, bench, n)
    k = planned(rules, room, course, plan, bench, n)
    if k >= 0:
        if take(rules, room, record, course, bench, k, NOTHING, bench.chances[k] / total):
            return True
        actions(rules, room, state, -1)
    k = fitting(rules, room, record, course, bench, n, bench.barred[0])
    actions(rules, room, state, -1)
    if k < 0:
        course.trail[course.plies[0]] = code_hash(rules, room, int(unit(bench.draws) * n))
        return False
    return take(rules, room, record, course, bench, k, NOTHING, bench.chances[k] / total)


@kernel
def draw_course(rules: Rules, room: Room, record: Record, course: Course, plan: Plan, bench: Bench) -> int:
    """Plays on from the course's position until all is explained. Returns FITS; or DEAD where nothing fits."""
    state, seat = course.state.ctypes.data, record.bounds[0]
    while course.plies[1] < record.bounds[1]:
        kind = rules.blocks[peek_half(state), KIND]
        if kind in (END_KIND, DRAWING_KIND) or course.plies[0] == len(course.trail):
            return DEAD
        n = actions(rules, room, state, -1)
        if n <= 0:
            return DEAD
        if kind != CHANCE_KIND and first_to_act(rules, room, state) == seat:
            k = own_action(rules, room, record, course, n)
            if k < 0 or not take(rules, room, record, course, bench, k, code_hash(rules, room, k), 1.0):
                return DEAD
        elif not go_on(rules, room, record, course, plan, bench, n):
            return DEAD
    return FITS


@kernel
def first_to_act(rules: Rules, room: Room, state: int) -> int:
    """The seat that acts first; -1: none."""
    return int(room.actors[0]) if acting(rules, room, state) else -1
