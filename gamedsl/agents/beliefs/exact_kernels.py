"""The kernel that enumerates everything a seat may believe, ply by ply, as long as it stays within a bound.

Histories that lead to the same position, and of which the seat has noticed the same, are merged: their
probabilities are added, and one of them is kept, drawn by its share. So the probabilities are exact, and the
histories are still drawn as often as they are likely.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gamedsl.agents.beliefs.observation_hashes import (
    CHANCE_KIND,
    CONTEXT,
    DRAWING_KIND,
    END_KIND,
    KIND,
    Buffers,
    Hashes,
    Rules,
    actions,
    code_hash,
)
from gamedsl.agents.beliefs.observed_ply import USED_AT, own_event, ply
from gamedsl.agents.beliefs.particle_kernels import MEMORY, STEPS, Particles, copy_particle, particle_at
from gamedsl.agents.beliefs.sampling import (
    FORCED,
    NOTHING,
    OPEN,
    Evidence,
    Scratch,
    explains,
    first_to_act,
    likelihood,
    longest_history,
)
from gamedsl.agents.portable_math import exp_of, log_of
from gamedsl.agents.tree_arrays import unit
from gamedsl.compiler import GAMMA, Words, kernel, mix64, peek, poke

TOO_MANY = -1  # more positions than fit the bound
_GAMMA = np.uint64(GAMMA)


class Layer(NamedTuple):
    """Distinct positions, each with a history that leads there.

    ``keys``: their hashes; ``table``: a hash table of row numbers plus 1 (open addressing, its size a power of
    two); ``codes``: the hash of each action at a stop.
    """

    particles: Particles
    keys: Hashes
    table: Words
    codes: Hashes


@kernel
def empty(layer: Layer) -> int:
    """Empties a layer. Returns 0, the number of its rows in use."""
    for i in range(len(layer.table)):
        layer.table[i] = 0
    return 0


@kernel
def key_of(particles: Particles, i: int) -> Any:
    """Returns the hash of a position and of how much is explained there."""
    found = mix64(np.uint64(particles.counts[i, 1]) ^ particles.lasts[i, 0]) ^ particles.lasts[i, 1]
    for w in range(particles.states.shape[1]):
        found = mix64(found + _GAMMA ^ np.uint64(particles.states[i, w]))
    return found


@kernel
def is_same(particles: Particles, i: int, j: int) -> bool:
    """Whether two rows hold the same position, with as much explained."""
    same = particles.counts[i, 1] == particles.counts[j, 1]
    for w in range(particles.states.shape[1]):
        same = same and particles.states[i, w] == particles.states[j, w]
    for f in range(2):
        same = same and particles.lasts[i, f] == particles.lasts[j, f]
    return bool(same)


@kernel
def merge(layer: Layer, used: int, scratch: Scratch) -> int:
    """Enters the row after those in use. Returns that row if its position is new, else the row of that position."""
    particles, key, most = layer.particles, key_of(layer.particles, used), np.uint64(len(layer.table) - 1)
    at = key & most
    while layer.table[at] != 0:
        i = layer.table[at] - 1
        if layer.keys[i] == key and is_same(particles, i, used):
            ours, other = particles.weights[i, 0], particles.weights[used, 0]
            both = max(ours, other) + log_of(1.0 + exp_of(-abs(ours - other)))
            if unit(scratch.draws) < exp_of(other - both):
                copy_particle(particles, i, particles, used)
            particles.weights[i, 0] = both
            return int(i)
        at = (at + np.uint64(1)) & most
    layer.table[at], layer.keys[used] = used + 1, key
    return used


@kernel
def try_action(
    rules: Rules,
    buffers: Buffers,
    evidence: Evidence,
    of: Layer,
    i: int,
    to: Layer,
    used: int,
    scratch: Scratch,
    k: int,
) -> bool:
    """Takes the k-th action in row i of a layer, and writes the result after the rows in use of the next layer.

    Returns whether the seat would notice what it has observed; otherwise the row written is void.
    """
    before, after = of.particles, to.particles
    for w in range(before.states.shape[1]):
        after.states[used, w] = before.states[i, w]
    after.lasts[used, 0], after.lasts[used, 1] = before.lasts[i, 0], before.lasts[i, 1]
    seat, explained, plies = evidence.bounds[0], before.counts[i, 1], before.counts[i, 0]
    own = of.codes[k] if scratch.barred[0] >= 0 else NOTHING
    scratch.steps[0] += 1
    n = ply(rules, buffers, after.states[used].ctypes.data, k, own, seat, after.lasts[used], scratch.observed)
    if not explains(evidence, scratch, explained, n):
        return False
    for p in range(plies):
        after.histories[used, p], after.opens[used, p] = before.histories[i, p], before.opens[i, p]
    after.histories[used, plies], after.opens[used, plies] = of.codes[k], FORCED
    after.counts[used, 0], after.counts[used, 1] = plies + 1, explained + n
    return True


@kernel
def expand(
    rules: Rules, buffers: Buffers, evidence: Evidence, of: Layer, i: int, to: Layer, used: int, scratch: Scratch
) -> int:
    """Writes everything that may follow a row of a layer to the next layer.

    Returns the number of rows in use there, or TOO_MANY if it is full.
    """
    particle, plies = particle_at(of.particles, i), of.particles.counts[i, 0]
    state = particle.state.ctypes.data
    kind = rules.blocks[peek(state) & 0xFFFFFFFF, KIND]
    if kind in (END_KIND, DRAWING_KIND):
        return used
    if plies + 1 >= longest_history(evidence.bounds[1]):
        return TOO_MANY
    n = actions(rules, buffers, state, -1)
    is_own = kind != CHANCE_KIND and first_to_act(rules, buffers, state) == evidence.bounds[0]
    for k in range(n):
        of.codes[k] = code_hash(rules, buffers, k)
    total, fits = likelihood(rules, particle, scratch, n), 0
    wanted = evidence.observed[particle.plies[1]]
    for k in range(n):
        if scratch.chances[k] == 0.0 or (is_own and own_event(of.codes[k]) != wanted):
            continue
        if used == len(to.particles.states):
            return TOO_MANY
        mark = peek(rules.entry[CONTEXT] + USED_AT)
        scratch.barred[0] = 0 if is_own else -1
        if not try_action(rules, buffers, evidence, of, i, to, used, scratch, k):
            poke(rules.entry[CONTEXT] + USED_AT, mark)
            continue
        p = 0.0 if is_own else log_of(scratch.chances[k] / total)
        for f in range(2):
            to.particles.weights[used, f] = particle.weight[f] + p
        at = merge(to, used, scratch)
        if at == used:
            used += 1
        else:
            poke(rules.entry[CONTEXT] + USED_AT, mark)
        scratch.order[fits] = at
        fits += 1
    if fits > 1:
        mark_open(to.particles, of.codes, plies, fits, scratch)
    return used


@kernel
def mark_open(particles: Particles, codes: Hashes, ply_number: int, fits: int, scratch: Scratch) -> None:
    """Marks a ply as one at which another action fits as well, in the rows that were just written."""
    for f in range(fits):
        if particles.counts[scratch.order[f], 0] == ply_number + 1:
            particles.opens[scratch.order[f], ply_number] = OPEN


@kernel
def enumerate_histories(
    rules: Rules,
    buffers: Buffers,
    evidence: Evidence,
    before: Particles,
    layers: tuple[Layer, Layer, Layer],
    limits: Words,
    scratch: Scratch,
) -> int:
    """Continues all histories until everything is explained, and writes the positions to the last of the layers.

    ``limits``: as for ``propagate``. Returns the number of rows in use there, or TOO_MANY.
    """
    front, back, done = layers
    used, finished = len(before.states), empty(done)
    if used > len(front.particles.states):
        return TOO_MANY
    for i in range(used):
        copy_particle(front.particles, i, before, i)
    while used > 0:
        following = empty(back)
        for i in range(used):
            mark = peek(rules.entry[CONTEXT] + USED_AT)
            if scratch.steps[0] > limits[STEPS] or mark > limits[MEMORY]:
                return TOO_MANY
            if front.particles.counts[i, 1] == evidence.bounds[1]:
                if finished == len(done.particles.states):
                    return TOO_MANY
                copy_particle(done.particles, finished, front.particles, i)
                finished += int(merge(done, finished, scratch) == finished)
            else:
                following = expand(rules, buffers, evidence, front, i, back, following, scratch)
                if following < 0:
                    return TOO_MANY
        front, back, used = back, front, following
    return finished
