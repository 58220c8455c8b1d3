"""Kernels over a *cloud*: many courses of play that fit what a seat has noticed (the particles of a particle filter)."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gamedsl.agents.beliefs.sight import CONTEXT, Hashes, Room, Rules
from gamedsl.agents.beliefs.tracing import FITS, NOTHING, Bench, Course, Plan, Record, draw_course
from gamedsl.agents.beliefs.watching import USED_AT
from gamedsl.agents.tree_arrays import unit
from gamedsl.native import Words, kernel, peek, poke

Reals2 = npt.NDArray[np.float64]


MEMORY, STEPS = range(2)  # indices into ``limits``
MOST_DEVIATIONS = 5000  # from one course, before another one is tried


class Cloud(NamedTuple):
    """Courses: per row the fields of a ``Course``."""

    states: Words
    trails: Hashes
    counts: Words
    lasts: Hashes
    weights: Reals2


@kernel
def copy_course(to: Cloud, i: int, of: Cloud, j: int) -> None:
    """Copies course j of a cloud to course i of another."""
    to.states[i] = of.states[j]
    n = min(of.counts[j, 0] + 1, of.trails.shape[1])
    to.trails[i, :n] = of.trails[j, :n]
    to.counts[i] = of.counts[j]
    to.lasts[i] = of.lasts[j]
    to.weights[i] = of.weights[j]


@kernel
def course_at(cloud: Cloud, i: int) -> Course:
    """One course of a cloud."""
    return Course(cloud.states[i], cloud.trails[i], cloud.counts[i], cloud.lasts[i], cloud.weights[i])


@kernel
def play_on(
    rules: Rules, room: Room, record: Record, of: Cloud, picks: Words, to: Cloud, first: int, most: int, bench: Bench
) -> int:
    """Plays the picked courses on, and keeps those that fit, from row ``first`` on. Stops where the memory for noted
    positions holds more than ``most`` words. Returns the number of rows in use."""
    plan, used = Plan(bench.noticed, np.array([0, -1, -1]), bench.noticed), first
    for pick in picks:
        mark = peek(rules.entry[CONTEXT] + USED_AT)
        if used == len(to.states) or mark > most:
            break
        copy_course(to, used, of, pick)
        if draw_course(rules, room, record, course_at(to, used), plan, bench) == FITS:
            used += 1
        else:
            poke(rules.entry[CONTEXT] + USED_AT, mark)
    return used


@kernel
def follow(rules: Rules, room: Room, record: Record, start: Cloud, cloud: Cloud, bench: Bench) -> bool:
    """Plays all courses of a cloud again, so that their positions belong to this thread's context."""
    spare = copied(start)
    for i in range(len(cloud.states)):
        copy_course(spare, 0, start, 0)
        plan = Plan(cloud.trails[i], np.array([cloud.counts[i, 0], -1, -1]), bench.noticed)
        if draw_course(rules, room, record, course_at(spare, 0), plan, bench) != FITS:
            return False
        cloud.states[i] = spare.states[0]
    return True


@kernel
def copied(start: Cloud) -> Cloud:
    """A copy of a cloud."""
    return Cloud(
        start.states.copy(), start.trails.copy(), start.counts.copy(), start.lasts.copy(), start.weights.copy()
    )


@kernel
def deviate(plan: Plan, bench: Bench, is_dead: bool) -> None:
    """Plans to take another action at one ply, to exchange those of two, or to take at one what could have been taken where
    the course came to its end."""
    n = plan.at[0]
    if n == 0:
        return
    plan.at[1], plan.at[2] = int(unit(bench.draws) * n), -1
    plan.instead[0] = NOTHING
    kind = unit(bench.draws)
    if kind < 0.3 and is_dead and n < len(plan.trail):
        plan.instead[0] = plan.trail[n]
    elif kind < 0.7:
        other = int(unit(bench.draws) * n)
        if plan.trail[other] != plan.trail[plan.at[1]]:
            plan.at[2] = other
            plan.instead[0], plan.instead[1] = plan.trail[other], plan.trail[plan.at[1]]


@kernel
def vary(
    rules: Rules, room: Room, record: Record, start: Cloud, cloud: Cloud, which: Words, limits: Words, bench: Bench
) -> int:
    """Tries one deviation in each of these courses, and accepts it by the ratio of the probabilities (Metropolis).
    ``limits``: as for ``climb``. Returns how many were accepted."""
    spare, accepted = copied(start), 0
    instead = np.zeros(2, np.uint64)
    for i in which:
        mark = peek(rules.entry[CONTEXT] + USED_AT)
        if mark > limits[MEMORY] or bench.steps[0] > limits[STEPS]:
            break
        copy_course(spare, 0, start, 0)
        plan = Plan(cloud.trails[i], np.array([cloud.counts[i, 0], -1, -1]), instead)
        deviate(plan, bench, False)
        fits = draw_course(rules, room, record, course_at(spare, 0), plan, bench) == FITS
        ratio = spare.weights[0, 1] - cloud.weights[i, 1]
        if fits and (ratio >= 0.0 or unit(bench.draws) < math.exp(ratio)):
            weight = cloud.weights[i, 0]
            copy_course(cloud, i, spare, 0)
            cloud.weights[i, 0] = weight
            accepted += 1
        else:
            poke(rules.entry[CONTEXT] + USED_AT, mark)
    return accepted


@kernel
def climb(
    rules: Rules,
    room: Room,
    record: Record,
    start: Cloud,
    before: Cloud,
    to: Cloud,
    rows: Words,
    limits: Words,
    bench: Bench,
) -> int:
    """Finds courses that fit by hill climbing: a course that can't be played on deviates at one ply or two, as long as it
    explains no less. ``rows``: how many rows of ``to`` are in use, and how many are wanted. ``limits``: the most words of
    noted positions, and the most steps of the rules. Returns the number of rows in use."""
    base, trial, used = copied(start), copied(start), int(rows[0])
    instead, plain = np.zeros(2, np.uint64), Plan(bench.noticed, np.array([0, -1, -1]), bench.noticed)
    while used < rows[1] and bench.steps[0] <= limits[STEPS]:
        mark = peek(rules.entry[CONTEXT] + USED_AT)
        if mark > limits[MEMORY]:
            break
        copy_course(base, 0, before, int(unit(bench.draws) * len(before.states)))
        status = draw_course(rules, room, record, course_at(base, 0), plain, bench)
        for _ in range(MOST_DEVIATIONS):
            if status == FITS or bench.steps[0] > limits[STEPS]:
                break
            poke(rules.entry[CONTEXT] + USED_AT, mark)
            copy_course(trial, 0, start, 0)
            plan = Plan(base.trails[0], np.array([base.counts[0, 0], -1, -1]), instead)
            deviate(plan, bench, True)
            status = draw_course(rules, room, record, course_at(trial, 0), plan, bench)
            if trial.counts[0, 1] >= base.counts[0, 1]:
                copy_course(base, 0, trial, 0)
        if status == FITS:
            copy_course(to, used, base, 0)
            to.weights[used, 0] = 0.0
            used += 1
    return used
