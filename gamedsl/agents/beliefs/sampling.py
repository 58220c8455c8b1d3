"""The kernel that samples a history which fits a seat's observations.

At every ply of chance or another seat, actions are tried until one is found after which the seat would have
observed what it has observed. The share of such actions is the importance weight of the ply. A history may follow
an older one ply by ply as long as that fits, and deviate from it on purpose: a step of a Markov chain over
histories.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gamedsl.agents.beliefs.observation_hashes import (
    AT_SPARE,
    CHANCE_KIND,
    CONTEXT,
    DRAWING_KIND,
    END_KIND,
    KIND,
    SIZE,
    WEIGHT,
    Buffers,
    Hashes,
    Rules,
    acting,
    actions,
    code_hash,
)
from gamedsl.agents.beliefs.observed_ply import USED_AT, own_event, ply
from gamedsl.agents.portable_math import log_of
from gamedsl.agents.tree_arrays import Draws, unit
from gamedsl.compiler import Reals, Words, call3, kernel, peek, peek_half, poke

MOST_TRIES = 64  # actions that are tried at a stop, at most
SILENT, SILENT_AT_FIRST = 8, 256  # a history has at most this many plies for each thing observed, and this many more
CONSISTENT, DEAD_END = 1, 0
OPEN, FORCED = 1, 0
Flags = npt.NDArray[np.uint8]
NOTHING = np.uint64(0)


class Evidence(NamedTuple):
    """A seat's observations, as hashes. ``bounds``: the seat, and how many of ``observed`` a particle is to explain."""

    observed: Hashes
    bounds: Words


class Particle(NamedTuple):
    """A history of a game.

    ``state``: the words of the position to which it has led; ``history``: the hashes of its actions; ``open``: for
    each ply whether another action fitted there as well; ``plies``: their number, and the number of the seat's
    observations that are explained; ``last``: the hashes of the seat's last view and stop; ``weight``: the
    logarithms of the importance weight and of the probability of the history.
    """

    state: Words
    history: Hashes
    open: Flags
    plies: Words
    last: Hashes
    weight: Reals


class Proposal(NamedTuple):
    """The history to follow.

    ``history``, ``open``: as of a particle; ``at``: the number of plies, and the plies at which to deviate (-1:
    none); ``instead``: the actions to try there (0: any other).
    """

    history: Hashes
    open: Flags
    at: Words
    instead: Hashes


class Scratch(NamedTuple):
    """Working memory.

    The random stream, the number of steps of the rules so far, an action that is not to be taken (-1: none), the
    indices and weights of actions, the observations of one ply, and a last view; for two proposals the plies where
    they deviate (``at``), and the first one's actions to try instead.
    """

    draws: Draws
    steps: Words
    barred: Words
    order: Words
    chances: Reals
    observed: Hashes
    last: Hashes
    at: Words
    instead: Hashes


@kernel
def longest_history(explained: int) -> int:
    """Returns the maximum number of plies of a history that explains this many observations."""
    return SILENT * explained + SILENT_AT_FIRST


@kernel
def copy_words(to: int, of: int, words: int) -> None:
    """Copies a block."""
    for w in range(words):
        poke(to + 8 * w, peek(of + 8 * w))


@kernel
def explains(evidence: Evidence, scratch: Scratch, matched: int, n: int) -> bool:
    """Whether the observations of a ply are what the seat observed next."""
    if n < 0 or matched + n > evidence.bounds[1]:
        return False
    same = True
    for i in range(n):
        same = same and scratch.observed[i] == evidence.observed[matched + i]
    return same


@kernel
def is_consistent(
    rules: Rules, buffers: Buffers, evidence: Evidence, particle: Particle, scratch: Scratch, k: int
) -> bool:
    """Whether the seat would notice what it has observed after the k-th action. Leaves the particle unchanged."""
    state, spare = particle.state.ctypes.data, buffers.at[AT_SPARE] + 8 * (rules.shape[SIZE] + 1)
    copy_words(spare, state, rules.shape[SIZE])
    scratch.last[0], scratch.last[1] = particle.last[0], particle.last[1]
    mark = peek(rules.entry[CONTEXT] + USED_AT)
    scratch.steps[0] += 1
    n = ply(rules, buffers, spare, k, NOTHING, evidence.bounds[0], scratch.last, scratch.observed)
    poke(rules.entry[CONTEXT] + USED_AT, mark)
    return explains(evidence, scratch, particle.plies[1], n)


@kernel
def likelihood(rules: Rules, particle: Particle, scratch: Scratch, n: int) -> float:
    """Writes the weights of the n actions at a stop. Returns their sum."""
    total = 0.0
    is_chance = rules.blocks[peek_half(particle.state.ctypes.data), KIND] == CHANCE_KIND
    for k in range(n):
        scratch.chances[k] = 1.0
        if is_chance:
            scratch.chances[k] = float(call3(rules.entry[WEIGHT], rules.entry[CONTEXT], particle.state.ctypes.data, k))
        total += scratch.chances[k]
    return total


@kernel
def sample_consistent(
    rules: Rules, buffers: Buffers, evidence: Evidence, particle: Particle, scratch: Scratch, n: int, barred: int
) -> int:
    """Draws one of the n actions, by their weights, among those that fit; -1 if none does.

    ``barred``: an action not to be drawn. Adds the logarithm of the share that fits to the particle's weight, and
    marks whether the ply is open.
    """
    tries = min(n, MOST_TRIES)
    for k in range(n):
        scratch.order[k] = k
    if n > MOST_TRIES:
        for k in range(tries):
            other = k + int(unit(scratch.draws) * (n - k))
            scratch.order[k], scratch.order[other] = scratch.order[other], scratch.order[k]
    chosen, fits, fit, total = -1, int(barred >= 0), 0.0, 0.0
    for i in range(tries):
        k = scratch.order[i]
        total += scratch.chances[k]
        if k != barred and is_consistent(rules, buffers, evidence, particle, scratch, k):
            fits += 1
            fit += scratch.chances[k]
            if unit(scratch.draws) * fit < scratch.chances[k]:
                chosen = k
    if chosen >= 0:
        particle.weight[0] += log_of(fit / total)
        particle.open[particle.plies[0]] = OPEN if fits > 1 or n > tries else FORCED
    return int(chosen)


@kernel
def index_of(rules: Rules, buffers: Buffers, n: int, code: np.uint64) -> int:
    """Returns the index of the code with this hash among n codes; -1 if there is none."""
    for k in range(n):
        if code_hash(rules, buffers, k) == code:
            return k
    return -1


@kernel
def own_action(rules: Rules, buffers: Buffers, evidence: Evidence, particle: Particle, n: int) -> int:
    """Returns the index, among n codes, of the action that the seat has chosen; -1 if there is none."""
    if particle.plies[1] == evidence.bounds[1]:
        return -1
    for k in range(n):
        if own_event(code_hash(rules, buffers, k)) == evidence.observed[particle.plies[1]]:
            return k
    return -1


@kernel
def propose_action(
    rules: Rules, buffers: Buffers, particle: Particle, proposal: Proposal, scratch: Scratch, n: int
) -> int:
    """Returns which of the n actions the proposal has for this ply; -1 if it has none.

    Sets ``scratch.barred`` if it must be another action.
    """
    at = particle.plies[0]
    scratch.barred[0] = -1
    if at >= proposal.at[0]:
        return -1
    wanted = proposal.history[at]
    for i in range(2):
        if proposal.at[1 + i] == at:
            if proposal.instead[i] == NOTHING:
                scratch.barred[0] = index_of(rules, buffers, n, wanted)
                return -1
            wanted = proposal.instead[i]
    return index_of(rules, buffers, n, wanted)


@kernel
def take(
    rules: Rules,
    buffers: Buffers,
    evidence: Evidence,
    particle: Particle,
    scratch: Scratch,
    k: int,
    own: np.uint64,
    p: float,
) -> bool:
    """Takes the k-th action, of probability p, if the seat would notice what it has observed; otherwise changes
    nothing.

    Returns whether it was taken.
    """
    state, spare = particle.state.ctypes.data, buffers.at[AT_SPARE] + 16 * (rules.shape[SIZE] + 1)
    copy_words(spare, state, rules.shape[SIZE])
    scratch.last[0], scratch.last[1] = particle.last[0], particle.last[1]
    mark = peek(rules.entry[CONTEXT] + USED_AT)
    scratch.steps[0] += 1
    code = code_hash(rules, buffers, k)
    n = ply(rules, buffers, state, k, own, evidence.bounds[0], particle.last, scratch.observed)
    if not explains(evidence, scratch, particle.plies[1], n):
        copy_words(state, spare, rules.shape[SIZE])
        particle.last[0], particle.last[1] = scratch.last[0], scratch.last[1]
        poke(rules.entry[CONTEXT] + USED_AT, mark)
        return False
    particle.history[particle.plies[0]] = code
    particle.plies[0] += 1
    particle.plies[1] += n
    particle.weight[1] += log_of(p)
    return True


@kernel
def go_on(
    rules: Rules, buffers: Buffers, evidence: Evidence, particle: Particle, proposal: Proposal, scratch: Scratch, n: int
) -> bool:
    """Takes one of the n actions of chance or another seat: that of the proposal if it fits, else a random one that
    fits.

    If none does, writes a random one after the end of the history and returns False.
    """
    state = particle.state.ctypes.data
    total = likelihood(rules, particle, scratch, n)
    k = propose_action(rules, buffers, particle, proposal, scratch, n)
    if k >= 0:
        particle.open[particle.plies[0]] = proposal.open[particle.plies[0]]
        if take(rules, buffers, evidence, particle, scratch, k, NOTHING, scratch.chances[k] / total):
            return True
        actions(rules, buffers, state, -1)
    k = sample_consistent(rules, buffers, evidence, particle, scratch, n, scratch.barred[0])
    actions(rules, buffers, state, -1)
    if k < 0:
        particle.history[particle.plies[0]] = code_hash(rules, buffers, int(unit(scratch.draws) * n))
        return False
    return take(rules, buffers, evidence, particle, scratch, k, NOTHING, scratch.chances[k] / total)


@kernel
def sample_particle(
    rules: Rules, buffers: Buffers, evidence: Evidence, particle: Particle, proposal: Proposal, scratch: Scratch
) -> int:
    """Continues from the particle's position until everything is explained. Returns CONSISTENT, or DEAD_END if nothing
    fits.
    """
    state, seat = particle.state.ctypes.data, evidence.bounds[0]
    while particle.plies[1] < evidence.bounds[1]:
        kind = rules.blocks[peek_half(state), KIND]
        if kind in (END_KIND, DRAWING_KIND) or particle.plies[0] == len(particle.history):
            return DEAD_END
        n = actions(rules, buffers, state, -1)
        if n <= 0:
            return DEAD_END
        if kind != CHANCE_KIND and first_to_act(rules, buffers, state) == seat:
            particle.open[particle.plies[0]] = FORCED
            k = own_action(rules, buffers, evidence, particle, n)
            if k < 0 or not take(rules, buffers, evidence, particle, scratch, k, code_hash(rules, buffers, k), 1.0):
                return DEAD_END
        elif not go_on(rules, buffers, evidence, particle, proposal, scratch, n):
            return DEAD_END
    return CONSISTENT


@kernel
def first_to_act(rules: Rules, buffers: Buffers, state: int) -> int:
    """Returns the seat that acts first; -1 if none does."""
    return int(buffers.actors[0]) if acting(rules, buffers, state) else -1
