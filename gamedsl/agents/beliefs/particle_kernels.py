"""Kernels over particle sets: many histories that fit what a seat has observed."""

from __future__ import annotations

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
from gamedsl.agents.portable_math import exp_of, log_of
from gamedsl.agents.tree_arrays import unit
from gamedsl.compiler import Words, kernel, peek, poke

Reals2 = npt.NDArray[np.float64]


MEMORY, STEPS = range(2)  # indices into ``limits``
FIRST, SECOND = range(2)  # the proposals in use
MOST_PROPOSALS = 5000  # proposals from one particle, before another one is tried


class Particles(NamedTuple):
    """A particle set: each row has the fields of a ``Particle``."""

    states: Words
    histories: Hashes
    opens: Flags
    counts: Words
    lasts: Hashes
    weights: Reals2


@kernel
def copy_particle(to: Particles, i: int, of: Particles, j: int) -> None:
    """Copies particle j of a set to particle i of another."""
    for w in range(of.states.shape[1]):
        to.states[i, w] = of.states[j, w]
    for n in range(min(of.counts[j, 0] + 1, of.histories.shape[1])):
        to.histories[i, n], to.opens[i, n] = of.histories[j, n], of.opens[j, n]
    for f in range(2):
        to.counts[i, f], to.lasts[i, f], to.weights[i, f] = of.counts[j, f], of.lasts[j, f], of.weights[j, f]


@kernel
def particle_at(particles: Particles, i: int) -> Particle:
    """Returns one particle of a set."""
    return Particle(
        particles.states[i],
        particles.histories[i],
        particles.opens[i],
        particles.counts[i],
        particles.lasts[i],
        particles.weights[i],
    )


@kernel
def following(particles: Particles, i: int, scratch: Scratch, nth: int) -> Proposal:
    """Returns the history of a particle as a proposal, without a deviation. ``nth``: which of the proposals in use it
    is.
    """
    at = scratch.at[nth]
    at[0], at[1], at[2] = particles.counts[i, 0], -1, -1
    return Proposal(particles.histories[i], particles.opens[i], at, scratch.instead)


@kernel
def nothing_to_follow(of: Particles, scratch: Scratch) -> Proposal:
    """Returns an empty proposal."""
    at = scratch.at[FIRST]
    at[0], at[1], at[2] = 0, -1, -1
    return Proposal(scratch.observed, of.opens[0], at, scratch.instead)


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
    """Continues the picked particles, and keeps those that fit, from row ``first`` on.

    ``limits``: the maximum number of words of noted positions, and of steps of the rules. Returns the number of
    rows in use.
    """
    proposal, used = nothing_to_follow(of, scratch), first
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
    rules: Rules,
    buffers: Buffers,
    evidence: Evidence,
    start: Particles,
    spare: Particles,
    particles: Particles,
    scratch: Scratch,
) -> bool:
    """Replays all particles of a set, so that their positions belong to this thread's context.

    ``spare``: room for one particle. Returns False if one does not fit.
    """
    for i in range(len(particles.states)):
        copy_particle(spare, 0, start, 0)
        proposal = following(particles, i, scratch, FIRST)
        if sample_particle(rules, buffers, evidence, particle_at(spare, 0), proposal, scratch) != CONSISTENT:
            return False
        for w in range(particles.states.shape[1]):
            particles.states[i, w] = spare.states[0, w]
    return True


@kernel
def open_plies(proposal: Proposal) -> int:
    """Returns the number of open plies."""
    found = 0
    for i in range(proposal.at[0]):
        found += proposal.open[i] == OPEN
    return found


@kernel
def open_ply(proposal: Proposal, r: int) -> int:
    """Returns the r-th open ply; -1 if there is none."""
    left = r
    for i in range(proposal.at[0]):
        left -= proposal.open[i] == OPEN
        if left < 0:
            return i
    return -1


@kernel
def propose(proposal: Proposal, scratch: Scratch, is_dead_end: bool) -> None:
    """Proposes a deviation from a history.

    This is to take another action at an open ply, to exchange the actions of two, or to take at one an action that
    was possible where the particle came to its end.
    """
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
    spare: Particles,
    particles: Particles,
    which: Words,
    limits: Words,
    scratch: Scratch,
) -> int:
    """Tries one Metropolis step in each of these particles, and accepts it by the ratio of the probabilities.

    ``spare``: room for one particle. ``limits``: as for ``propagate``. Returns how many were accepted.
    """
    accepted = 0
    for i in which:
        mark = peek(rules.entry[CONTEXT] + USED_AT)
        if mark > limits[MEMORY] or scratch.steps[0] > limits[STEPS]:
            break
        copy_particle(spare, 0, start, 0)
        proposal = following(particles, i, scratch, FIRST)
        propose(proposal, scratch, False)
        fits = sample_particle(rules, buffers, evidence, particle_at(spare, 0), proposal, scratch) == CONSISTENT
        ratio = spare.weights[0, 1] - particles.weights[i, 1]
        if fits:
            plies = 2.0 if proposal.at[2] >= 0 else 1.0  # the proposal is uniform over the open plies
            after = following(spare, 0, scratch, SECOND)
            ratio += plies * log_of(max(1, open_plies(proposal)) / max(1, open_plies(after)))
        if fits and (ratio >= 0.0 or unit(scratch.draws) < exp_of(ratio)):
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
    spare: Particles,
    before: Particles,
    to: Particles,
    rows: Words,
    limits: Words,
    scratch: Scratch,
) -> int:
    """Finds particles that fit by local search (hill climbing).

    A particle that cannot be continued deviates at one or two plies, as long as it explains no less. ``rows``: how
    many rows of ``to`` are in use, and how many are wanted. ``limits``: as for ``propagate``. ``spare``: room for
    two particles. Returns the number of rows in use.
    """
    base, trial, used = 0, 1, int(rows[0])
    while used < rows[1] and scratch.steps[0] <= limits[STEPS]:
        mark = peek(rules.entry[CONTEXT] + USED_AT)
        if mark > limits[MEMORY]:
            break
        copy_particle(spare, base, before, int(unit(scratch.draws) * len(before.states)))
        status = sample_particle(
            rules, buffers, evidence, particle_at(spare, base), nothing_to_follow(spare, scratch), scratch
        )
        for _ in range(MOST_PROPOSALS):
            if status == CONSISTENT or scratch.steps[0] > limits[STEPS]:
                break
            poke(rules.entry[CONTEXT] + USED_AT, mark)
            copy_particle(spare, trial, start, 0)
            proposal = following(spare, base, scratch, FIRST)
            propose(proposal, scratch, True)
            status = sample_particle(rules, buffers, evidence, particle_at(spare, trial), proposal, scratch)
            if spare.counts[trial, 1] >= spare.counts[base, 1]:
                base, trial = trial, base
        if status == CONSISTENT:
            copy_particle(to, used, spare, base)
            to.weights[used, 0] = 0.0
            used += 1
    return used
