"""Kernels over particle sets: many histories that fit what a seat has observed."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gamedsl.agents.beliefs.observation_hashes import CONTEXT, Buffers, Hashes, Rules
from gamedsl.agents.beliefs.observed_ply import USED_AT
from gamedsl.agents.beliefs.sampling import (
    CONSISTENT,
    NOTHING,
    OPEN,
    Evidence,
    Flags,
    Particle,
    Proposal,
    Scratch,
    sample_particle,
)
from gamedsl.agents.tree_arrays import unit
from gamedsl.native import Words, kernel, peek, poke

Reals2 = npt.NDArray[np.float64]


MEMORY, STEPS = range(2)  # indices into ``limits``
MOST_PROPOSALS = 5000  # from one particle, before another one is tried


class Particles(NamedTuple):
    """A particle set: per row the fields of a ``Particle``."""

    states: Words
    histories: Hashes
    opens: Flags
    counts: Words
    lasts: Hashes
    weights: Reals2


@kernel
def copy_particle(to: Particles, i: int, of: Particles, j: int) -> None:
    """Copies particle j of a set to particle i of another."""
    to.states[i] = of.states[j]
    n = min(of.counts[j, 0] + 1, of.histories.shape[1])
    to.histories[i, :n] = of.histories[j, :n]
    to.opens[i, :n] = of.opens[j, :n]
    to.counts[i] = of.counts[j]
    to.lasts[i] = of.lasts[j]
    to.weights[i] = of.weights[j]


@kernel
def particle_at(particles: Particles, i: int) -> Particle:
    """One particle of a set."""
    return Particle(
        particles.states[i],
        particles.histories[i],
        particles.opens[i],
        particles.counts[i],
        particles.lasts[i],
        particles.weights[i],
    )


@kernel
def propagate(
    rules: Rules,
    buffers: Buffers,
    evidence: Evidence,
    of: Particles,
    picks: Words,
    to: Particles,
    first: int,
    limits: Words,
    scratch: Scratch,
) -> int:
    """Plays the picked particles on, and keeps those that fit, from row ``first`` on. ``limits``: the
    most words of noted positions, and the most steps of the rules. Returns the number of rows in use."""
    proposal, used = Proposal(scratch.observed, of.opens[0], np.array([0, -1, -1]), scratch.observed), first
    for pick in picks:
        mark = peek(rules.entry[CONTEXT] + USED_AT)
        if used == len(to.states) or mark > limits[MEMORY] or scratch.steps[0] > limits[STEPS]:
            break
        copy_particle(to, used, of, pick)
        if sample_particle(rules, buffers, evidence, particle_at(to, used), proposal, scratch) == CONSISTENT:
            used += 1
        else:
            poke(rules.entry[CONTEXT] + USED_AT, mark)
    return used


@kernel
def replay(
    rules: Rules, buffers: Buffers, evidence: Evidence, start: Particles, particles: Particles, scratch: Scratch
) -> bool:
    """Plays all particles of a set again, so that their positions belong to this thread's context."""
    spare = copied(start)
    for i in range(len(particles.states)):
        copy_particle(spare, 0, start, 0)
        proposal = Proposal(
            particles.histories[i], particles.opens[i], np.array([particles.counts[i, 0], -1, -1]), scratch.observed
        )
        if sample_particle(rules, buffers, evidence, particle_at(spare, 0), proposal, scratch) != CONSISTENT:
            return False
        particles.states[i] = spare.states[0]
    return True


@kernel
def copied(start: Particles) -> Particles:
    """A copy of a particle set."""
    return Particles(
        start.states.copy(),
        start.histories.copy(),
        start.opens.copy(),
        start.counts.copy(),
        start.lasts.copy(),
        start.weights.copy(),
    )


@kernel
def open_plies(proposal: Proposal) -> int:
    """How many plies are open."""
    found = 0
    for i in range(proposal.at[0]):
        found += proposal.open[i] == OPEN
    return found


@kernel
def open_ply(proposal: Proposal, r: int) -> int:
    """The r-th ply that is open."""
    left = r
    for i in range(proposal.at[0]):
        left -= proposal.open[i] == OPEN
        if left < 0:
            return i
    return -1


@kernel
def propose(proposal: Proposal, scratch: Scratch, is_dead_end: bool) -> None:
    """Proposes to take another action at an open ply, to exchange those of two, or to take at one what could have been taken
    where the particle came to its end."""
    n, length = open_plies(proposal), proposal.at[0]
    proposal.at[1], proposal.at[2], proposal.instead[0] = -1, -1, NOTHING
    if n == 0:
        return
    proposal.at[1] = open_ply(proposal, int(unit(scratch.draws) * n))
    kind = unit(scratch.draws)
    if kind < 0.3 and is_dead_end and length < len(proposal.history):
        proposal.instead[0] = proposal.history[length]
    elif kind < 0.7:
        other = open_ply(proposal, int(unit(scratch.draws) * n))
        if proposal.history[other] != proposal.history[proposal.at[1]]:
            proposal.at[2] = other
            proposal.instead[0] = proposal.history[other]
            proposal.instead[1] = proposal.history[proposal.at[1]]


@kernel
def metropolis(
    rules: Rules,
    buffers: Buffers,
    evidence: Evidence,
    start: Particles,
    particles: Particles,
    which: Words,
    limits: Words,
    scratch: Scratch,
) -> int:
    """Tries one Metropolis step in each of these particles, and accepts it by the ratio of the probabilities (Metropolis).
    ``limits``: as for ``propagate``. Returns how many were accepted."""
    spare, accepted = copied(start), 0
    instead = np.zeros(2, np.uint64)
    for i in which:
        mark = peek(rules.entry[CONTEXT] + USED_AT)
        if mark > limits[MEMORY] or scratch.steps[0] > limits[STEPS]:
            break
        copy_particle(spare, 0, start, 0)
        proposal = Proposal(
            particles.histories[i], particles.opens[i], np.array([particles.counts[i, 0], -1, -1]), instead
        )
        propose(proposal, scratch, False)
        fits = sample_particle(rules, buffers, evidence, particle_at(spare, 0), proposal, scratch) == CONSISTENT
        ratio = spare.weights[0, 1] - particles.weights[i, 1]
        if fits:
            plies = 2.0 if proposal.at[2] >= 0 else 1.0  # the proposal is uniform over the open ones
            after = Proposal(spare.histories[0], spare.opens[0], np.array([spare.counts[0, 0], -1, -1]), instead)
            ratio += plies * math.log(max(1, open_plies(proposal)) / max(1, open_plies(after)))
        if fits and (ratio >= 0.0 or unit(scratch.draws) < math.exp(ratio)):
            weight = particles.weights[i, 0]
            copy_particle(particles, i, spare, 0)
            particles.weights[i, 0] = weight
            accepted += 1
        else:
            poke(rules.entry[CONTEXT] + USED_AT, mark)
    return accepted


@kernel
def local_search(
    rules: Rules,
    buffers: Buffers,
    evidence: Evidence,
    start: Particles,
    before: Particles,
    to: Particles,
    rows: Words,
    limits: Words,
    scratch: Scratch,
) -> int:
    """Finds particles that fit by local search (hill climbing): one that can't be played on deviates at one ply or two, as
    long as it explains no less. ``rows``: how many rows of ``to`` are in use, and how many are wanted. ``limits``: the most
    words of noted positions, and the most steps of the rules. Returns the number of rows in use."""
    base, trial, used = copied(start), copied(start), int(rows[0])
    instead, plain = (
        np.zeros(2, np.uint64),
        Proposal(scratch.observed, base.opens[0], np.array([0, -1, -1]), scratch.observed),
    )
    while used < rows[1] and scratch.steps[0] <= limits[STEPS]:
        mark = peek(rules.entry[CONTEXT] + USED_AT)
        if mark > limits[MEMORY]:
            break
        copy_particle(base, 0, before, int(unit(scratch.draws) * len(before.states)))
        status = sample_particle(rules, buffers, evidence, particle_at(base, 0), plain, scratch)
        for _ in range(MOST_PROPOSALS):
            if status == CONSISTENT or scratch.steps[0] > limits[STEPS]:
                break
            poke(rules.entry[CONTEXT] + USED_AT, mark)
            copy_particle(trial, 0, start, 0)
            proposal = Proposal(base.histories[0], base.opens[0], np.array([base.counts[0, 0], -1, -1]), instead)
            propose(proposal, scratch, True)
            status = sample_particle(rules, buffers, evidence, particle_at(trial, 0), proposal, scratch)
            if trial.counts[0, 1] >= base.counts[0, 1]:
                copy_particle(base, 0, trial, 0)
        if status == CONSISTENT:
            copy_particle(to, used, base, 0)
            to.weights[used, 0] = 0.0
            used += 1
    return used
