"""The kernel that continues a seat's belief to its next decision, phase by phase.

While there are few positions, all of them are enumerated; from then on a particle filter draws some. A host calls
``take_phase`` until the phase is one of those at which it is done, and limits the steps of each phase.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gamedsl.agents.beliefs.exact_kernels import Layer, enumerate_histories
from gamedsl.agents.beliefs.observation_hashes import CONTEXT, Buffers, Rules
from gamedsl.agents.beliefs.observed_ply import USED_AT
from gamedsl.agents.beliefs.particle_kernels import (
    Particles,
    copy_particle,
    local_search,
    metropolis,
    propagate,
    replay,
)
from gamedsl.agents.beliefs.sampling import Evidence, Scratch
from gamedsl.agents.portable_math import exp_of, log_of
from gamedsl.agents.position import ARENA
from gamedsl.agents.tree_arrays import unit
from gamedsl.compiler import GAMMA, Reals, Words, kernel, mix64, peek, poke

PARTICLES = 512  # particles in a set
MOST_EXACT = 1024  # positions that are enumerated; if there are more, particles are drawn
ROUNDS = 4  # rounds of this many draws, before the particles found so far must suffice
SWEEPS = 4  # sweeps over all particles, if few were found
FEW = 16  # with fewer particles than this, the search continues as local search

# The phases. Done: the belief is exact, in the last layer; it was drawn; there is no position that fits.
BEGUN, ENUMERATING, PROPAGATING, VARYING_EARLIER, SEARCHING, RESAMPLING, VARYING_REPEATED, VARYING_ALL, ENDING = range(
    9
)
EXACT, DRAWN, NOTHING_FITS = range(9, 12)
# the maximum number of steps of the rules in each phase
MOST_STEPS = (0, 30_000, 100_000_000, 200_000, 1_000_000, 0, 200_000, 200_000, 0)
PHASE, ROWS, ROUND, IS_EXACT, REPEATED, FIRST_MARK = range(6)  # indices into ``at``
_GAMMA = np.uint64(GAMMA)


class Room(NamedTuple):
    """What one step works with.

    ``before``: the belief to continue; ``earlier``: particles of it; ``found``: those continued; ``chosen``: those of
    the new belief; ``start``: the beginning of the game; ``spare``: room for two particles; ``picks``: numbers of
    rows; ``steps``: sums of weights; ``at``: the phase, the rows found, the round, whether the belief to continue is
    exact, how many rows are repeated, and the memory in use at the beginning of the game.
    """

    before: Particles
    earlier: Particles
    found: Particles
    chosen: Particles
    start: Particles
    spare: Particles
    picks: Words
    repeated: Words
    steps: Reals
    at: Words


@kernel
def seed_draws(evidence: Evidence, scratch: Scratch) -> None:
    """Begins the random stream that belongs to what a seat has observed, so that the draws depend on nothing else."""
    seat, explained = evidence.bounds[0], evidence.bounds[1]
    found = mix64(np.uint64(seat) + _GAMMA)
    for i in range(explained):
        found = mix64(found ^ evidence.observed[i]) + _GAMMA
    scratch.draws[0], scratch.steps[0] = found, 0


@kernel
def resample(particles: Particles, rows: int, room: Room, scratch: Scratch) -> int:
    """Picks as many rows as there are particles in a set, by systematic resampling with the logarithms of weights.

    Returns how many of them repeat the one before, whose indices it writes.
    """
    most, total, row, repeated = particles.weights[0, 0], 0.0, 0, 0
    for i in range(rows):
        most = max(most, particles.weights[i, 0])
    for i in range(rows):
        total += exp_of(particles.weights[i, 0] - most)
        room.steps[i] = total
    offset = unit(scratch.draws)
    for i in range(PARTICLES):
        while row < rows - 1 and room.steps[row] / total * PARTICLES <= i + offset:
            row += 1
        room.picks[i] = row
        if i > 0 and room.picks[i - 1] == row:
            room.repeated[repeated] = i
            repeated += 1
    return repeated


@kernel
def normalize(particles: Particles, rows: int) -> None:
    """Subtracts from the logarithms of weights that of their sum."""
    most, total = particles.weights[0, 0], 0.0
    for i in range(rows):
        most = max(most, particles.weights[i, 0])
    for i in range(rows):
        total += exp_of(particles.weights[i, 0] - most)
    whole = most + log_of(total)
    for i in range(rows):
        particles.weights[i, 0] -= whole


@kernel
def add_shares(particles: Particles, until: Reals) -> None:
    """Writes the sum of the probabilities up to each row, as shares of the whole."""
    total = 0.0
    for i in range(len(until)):
        total += exp_of(particles.weights[i, 0])
        until[i] = total
    for i in range(len(until)):
        until[i] /= total


@kernel
def pick_all(room: Room) -> None:
    """Picks each row of a set once."""
    for i in range(PARTICLES):
        room.picks[i] = i


@kernel
def copy_rows(to: Particles, of: Particles, picks: Words, weight: float) -> None:
    """Copies the picked rows, and gives all of them the same weight."""
    for i in range(PARTICLES):
        copy_particle(to, i, of, picks[i])
        to.weights[i, 0] = weight


@kernel
def begin_step(room: Room, evidence: Evidence, scratch: Scratch) -> None:
    """Begins a step: all positions are enumerated if all were before."""
    seed_draws(evidence, scratch)
    room.at[ROWS], room.at[ROUND] = 0, 0
    room.at[PHASE] = ENUMERATING
    if room.at[IS_EXACT] == 0:
        pick_all(room)
        copy_rows(room.earlier, room.before, room.picks, 0.0)
        room.at[PHASE] = PROPAGATING


@kernel
def enumerate_all(
    rules: Rules,
    buffers: Buffers,
    evidence: Evidence,
    room: Room,
    layers: tuple[Layer, Layer, Layer],
    limits: Words,
    scratch: Scratch,
) -> int:
    """Enumerates everything that the seat may believe; if it is too much, draws particles of what it believed before.

    Returns the next phase.
    """
    mark = peek(rules.entry[CONTEXT] + USED_AT)
    n = enumerate_histories(rules, buffers, evidence, room.before, layers, limits, scratch)
    if n == 0:
        return NOTHING_FITS
    if n > 0:
        room.at[ROWS] = n
        normalize(layers[2].particles, n)
        return EXACT
    poke(rules.entry[CONTEXT] + USED_AT, mark)
    resample(room.before, len(room.before.states), room, scratch)
    copy_rows(room.earlier, room.before, room.picks, 0.0)
    return PROPAGATING


@kernel
def vary_particles(
    rules: Rules,
    buffers: Buffers,
    evidence: Evidence,
    room: Room,
    limits: Words,
    scratch: Scratch,
) -> int:
    """Takes steps of a Markov chain from the particles, or from those that repeat others. Returns the next phase."""
    phase, sweeps, n, following = room.at[PHASE], 1, PARTICLES, ENDING
    particles = room.chosen
    if phase == VARYING_EARLIER:
        particles, following = room.earlier, PROPAGATING
    elif phase == VARYING_ALL:
        sweeps = SWEEPS
    else:
        n = room.at[REPEATED]
        if room.at[ROWS] < PARTICLES // 4:
            following = VARYING_ALL
    pick_all(room)
    which = room.repeated[:n] if phase == VARYING_REPEATED else room.picks[:n]
    for _ in range(sweeps):
        metropolis(rules, buffers, evidence, room.start, room.spare, particles, which, limits, scratch)
    return following


@kernel
def propagate_all(
    rules: Rules, buffers: Buffers, evidence: Evidence, room: Room, limits: Words, scratch: Scratch
) -> int:
    """Continues all particles once. Returns the next phase."""
    pick_all(room)
    rows = propagate(rules, buffers, evidence, room.earlier, room.picks, room.found, room.at[ROWS], limits, scratch)
    room.at[ROWS] = rows
    room.at[ROUND] += 1
    if rows < PARTICLES // 2 and room.at[ROUND] < ROUNDS:
        return VARYING_EARLIER if room.at[ROUND] > 1 else PROPAGATING
    return SEARCHING if rows < FEW else RESAMPLING


@kernel
def search_more(rules: Rules, buffers: Buffers, evidence: Evidence, room: Room, limits: Words, scratch: Scratch) -> int:
    """Finds a few particles by local search. Returns the next phase."""
    wanted = room.picks[:2]
    wanted[0], wanted[1] = room.at[ROWS], FEW
    room.at[ROWS] = local_search(
        rules, buffers, evidence, room.start, room.spare, room.earlier, room.found, wanted, limits, scratch
    )
    return NOTHING_FITS if room.at[ROWS] == 0 else RESAMPLING


@kernel
def choose_particles(room: Room, scratch: Scratch) -> int:
    """Resamples the particles found. Returns the next phase."""
    room.at[REPEATED] = resample(room.found, room.at[ROWS], room, scratch)
    copy_rows(room.chosen, room.found, room.picks, -log_of(float(PARTICLES)))
    return VARYING_REPEATED if room.at[REPEATED] > PARTICLES // 4 else ENDING


@kernel
def replay_all(rules: Rules, buffers: Buffers, evidence: Evidence, room: Room, scratch: Scratch) -> bool:
    """Replays the chosen particles in the context, whose memory for noted positions is emptied first.

    Returns whether all of them fit.
    """
    poke(rules.entry[CONTEXT] + USED_AT, room.at[FIRST_MARK])
    seed_draws(evidence, scratch)
    return replay(rules, buffers, evidence, room.start, room.spare, room.chosen, scratch)


@kernel
def take_phase(
    rules: Rules,
    buffers: Buffers,
    evidence: tuple[Evidence, Evidence],
    room: Room,
    layers: tuple[Layer, Layer, Layer],
    limits: Words,
    scratch: Scratch,
) -> int:
    """Carries out one phase of a step.

    ``evidence``: what the seat has observed up to this decision and up to the one before. ``limits``: the maximum
    number of words of noted positions, and of steps of the rules. Returns the next phase.
    """
    phase, now = room.at[PHASE], evidence[0]
    if phase == BEGUN:
        begin_step(room, now, scratch)
        return int(room.at[PHASE])
    if phase == ENUMERATING:
        found = enumerate_all(rules, buffers, now, room, layers, limits, scratch)
    elif phase == PROPAGATING:
        found = propagate_all(rules, buffers, now, room, limits, scratch)
    elif phase == SEARCHING:
        found = search_more(rules, buffers, now, room, limits, scratch)
    elif phase == RESAMPLING:
        found = choose_particles(room, scratch)
    elif phase == ENDING:
        fits = True
        if peek(rules.entry[CONTEXT] + USED_AT) > ARENA // 4:
            fits = replay_all(rules, buffers, now, room, scratch)
        found = DRAWN if fits else NOTHING_FITS
    else:
        known = evidence[1] if phase == VARYING_EARLIER else now
        found = vary_particles(rules, buffers, known, room, limits, scratch)
    room.at[PHASE] = found
    return int(found)
