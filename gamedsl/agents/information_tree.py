"""The kernel of information-set Monte-Carlo tree search: one tree whose nodes are what players know, not positions.

Every iteration begins in a position that the searching player may believe to be in, and descends from there. Each player
chooses at the node of everything that this player has seen and done since the root (Cowling, Powley and Whitehouse,
"Information Set Monte Carlo Tree Search", 2012, with multiple observers). A node's actions are part of what its player
sees, so all of them are available at every visit.

- Single decisions: upper confidence bounds, scaled by the standard deviation of the results.
- Simultaneous decisions: each chooses at the own node, by regret matching on sampled results (Lanctot, Lisý and Winands,
  "Monte Carlo Tree Search in Simultaneous Move Games with Applications to Goofspiel", 2013).
- Chance: sampled by its weights.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gamedsl.agents.beliefs import observation_hashes as hashes
from gamedsl.agents.beliefs.observed_ply import USED_AT, own_event
from gamedsl.agents.information_nodes import (
    ACTION_COUNT,
    CLOSED,
    DONE,
    FIRST,
    NODES,
    ROOT,
    SEAT,
    SEED,
    SQUARES,
    SUM,
    TOGETHER,
    TRIES,
    VALUES,
    VISITS,
    Descent,
    Tree,
    add_node,
    by_bounds,
    by_regret,
    slot_of,
    update_regrets,
)
from gamedsl.agents.position import FULL, NO_ACTION, UNSEARCHABLE
from gamedsl.agents.tree_arrays import unit
from gamedsl.native import GAMMA, Words, call3, call5, kernel, mix64, peek, peek_half, poke

NO_NODE = -(1 << 44)  # the position is to be played out
UNFINISHED = -2  # status of a playout that was too long to finish
GAMMA_HASH, NOTHING, ROOT_KEY = np.uint64(GAMMA), np.uint64(0), np.uint64(1)


class Starts(NamedTuple):
    """The positions to begin in. ``keys``: shape (positions, players): what the players know there; ``views``: what they
    see."""

    states: Words
    keys: hashes.Hashes
    views: hashes.Hashes


@kernel
def public_stop_hash(rules: hashes.Rules, buffers: hashes.Buffers, state: int) -> Any:
    """The hash of what everybody sees of a stop: where play stands and who acts."""
    seats = np.uint64(hashes.acting(rules, buffers, state))
    return mix64(np.uint64(rules.blocks[peek_half(state), hashes.PLACE]) + GAMMA_HASH) ^ mix64(seats)


@kernel
def prepare(rules: hashes.Rules, buffers: hashes.Buffers, starts: Starts, seat: int) -> None:
    """Writes what the players know at the start: the searching player what all positions share, others what they see there."""
    for i in range(len(starts.states)):
        state = starts.states[i].ctypes.data
        here = public_stop_hash(rules, buffers, state)
        for p in range(rules.shape[hashes.PLAYERS]):
            seen = hashes.view_hash(rules, state, p)
            starts.views[i, p] = seen
            starts.keys[i, p] = ROOT_KEY if p == seat else mix64(seen ^ here)


@kernel
def outcome(rules: hashes.Rules, descent: Descent, n: int) -> int:
    """The number of a random outcome of chance, by its weight."""
    state, total = descent.state.ctypes.data, 0
    for k in range(n):
        total += call3(rules.entry[hashes.WEIGHT], rules.entry[hashes.CONTEXT], state, k)
    left = int(unit(descent.draws) * total)
    for k in range(n):
        left -= call3(rules.entry[hashes.WEIGHT], rules.entry[hashes.CONTEXT], state, k)
        if left < 0:
            return k
    return n - 1


@kernel
def observe(rules: hashes.Rules, buffers: hashes.Buffers, descent: Descent) -> None:
    """Adds to what every player knows, once all who choose at once have chosen."""
    state = descent.state.ctypes.data
    if hashes.is_open(rules, state):
        return
    here = public_stop_hash(rules, buffers, state)
    for p in range(rules.shape[hashes.PLAYERS]):
        seen = hashes.view_hash(rules, state, p)
        if seen != descent.views[p]:
            descent.views[p] = seen
            descent.keys[p] = mix64(descent.keys[p] ^ seen)
        descent.keys[p] = mix64(descent.keys[p] ^ here)


@kernel
def decide(
    rules: hashes.Rules, buffers: hashes.Buffers, tree: Tree, descent: Descent, depth: int, n: int, fresh: bool
) -> int:
    """Chooses one of n hashes.actions for the player who acts, and writes the path. Returns its number; or NO_NODE where the
    position is to be played out, or FULL."""
    state = descent.state.ctypes.data
    hashes.acting(rules, buffers, state)
    seat = int(buffers.actors[0])
    together = rules.blocks[peek_half(state), hashes.KIND] == hashes.TOGETHER_KIND
    mine = NOTHING
    for k in range(n):
        mine += mix64(hashes.code_hash(rules, buffers, k))
    key = mix64(descent.keys[seat] ^ mine) + np.uint64(seat)
    at = slot_of(tree, key)
    i = tree.table[at] - 1
    is_new = i < 0
    if is_new:
        if fresh or tree.shape[CLOSED]:
            return int(unit(descent.draws) * n) if hashes.is_open(rules, state) else NO_NODE
        i = add_node(tree, at, key, seat, n, together)
        if i < 0:
            return FULL
        if not together and i > 0:
            tree.node[i, VISITS] += 1
            return NO_NODE
    if tree.node[i, ACTION_COUNT] != n:
        return NO_NODE
    descent.chances[depth] = 1.0
    chosen = by_regret(tree, descent, i, depth) if together else by_bounds(tree, descent, i)
    descent.path[depth, 0], descent.path[depth, 1] = i, chosen
    return chosen


@kernel
def play_out(rules: hashes.Rules, tree: Tree, descent: Descent) -> int:
    """Plays at random to the end. Returns a negative status after a rules error."""
    state, result = descent.state.ctypes.data, descent.result
    status = call5(
        rules.entry[hashes.PLAYOUT],
        rules.entry[hashes.CONTEXT],
        state,
        tree.shape[SEED],
        tree.used[DONE],
        result.ctypes.data,
    )
    if status == UNFINISHED:
        result[:] = 0.0
        return 0
    return int(status)


@kernel
def descend(rules: hashes.Rules, buffers: hashes.Buffers, tree: Tree, descent: Descent) -> int:
    """Descends from the start to the end of a play, or to a new node and plays on at random. Returns the length of the path,
    FULL, or an error."""
    state, depth, nodes = descent.state.ctypes.data, 0, tree.used[NODES]
    while True:
        kind = rules.blocks[peek_half(state), hashes.KIND]
        if kind == hashes.END_KIND:
            status = call3(rules.entry[hashes.RETURNS], rules.entry[hashes.CONTEXT], state, descent.result.ctypes.data)
            return depth if status >= 0 else status
        if kind == hashes.DRAWING_KIND:
            return UNSEARCHABLE
        fresh = tree.used[NODES] > max(nodes, 1)
        n = hashes.actions(rules, buffers, state, -1)
        if n <= 0:
            return NO_ACTION if n == 0 else n
        if kind == hashes.CHANCE_KIND:
            k = outcome(rules, descent, n)
        else:
            k = NO_NODE
            if depth < len(descent.chances):
                descent.path[depth, 0] = -1
                k = decide(rules, buffers, tree, descent, depth, n, fresh)
            if k == FULL:
                return FULL
            if k == NO_NODE:
                status = play_out(rules, tree, descent)
                return depth if status >= 0 else status
            seat = buffers.actors[0]
            descent.keys[seat] = mix64(descent.keys[seat] ^ own_event(hashes.code_hash(rules, buffers, k)))
            depth += int(descent.path[depth, 0] >= 0)
        status = call3(rules.entry[hashes.STEP], rules.entry[hashes.CONTEXT], state, k)
        if status < 0:
            return status
        observe(rules, buffers, descent)


@kernel
def back_up(tree: Tree, descent: Descent, depth: int) -> None:
    """Adds a result to the nodes of the path."""
    for d in range(depth):
        i, k = descent.path[d, 0], descent.path[d, 1]
        first, got = tree.node[i, FIRST], descent.result[tree.node[i, SEAT]]
        tree.node[i, VISITS] += 1
        tree.edge[first + k, TRIES] += 1.0
        tree.edge[first + k, SUM] += got
        if tree.node[i, TOGETHER]:
            update_regrets(tree, i, k, got, descent.chances[d])


@kernel
def run_iterations(
    rules: hashes.Rules, buffers: hashes.Buffers, tree: Tree, starts: Starts, descent: Descent, iterations: int
) -> int:
    """Runs up to this many iterations. Returns 0; FULL (an iteration was dropped; call again with more memory), or an error."""
    mark = peek(rules.entry[hashes.CONTEXT] + USED_AT)
    for _ in range(iterations):
        start = int(unit(descent.draws) * len(starts.states))
        descent.state[:] = starts.states[start]
        descent.keys[:] = starts.keys[start]
        descent.views[:] = starts.views[start]
        depth = descend(rules, buffers, tree, descent)
        poke(rules.entry[hashes.CONTEXT] + USED_AT, mark)
        if depth < 0:
            return depth
        descent.result[:] /= descent.scale[0]
        got = descent.result[tree.shape[ROOT]]
        tree.totals[SQUARES] += got * got
        tree.totals[VALUES:] += descent.result
        back_up(tree, descent, depth)
        tree.used[DONE] += 1
    return 0
