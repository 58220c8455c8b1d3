"""The kernel of information-set Monte Carlo tree search: one tree whose nodes are players' knowledge, not positions.

Every iteration begins in a position in which the searching player may believe to be, and descends from there. Each
player chooses at the node of everything that this player has seen and done since the root (Cowling, Powley and
Whitehouse, "Information Set Monte Carlo Tree Search", 2012, with multiple observers). A node's actions are part of
what its player sees, so all of them are available at every visit.

- Single decisions: upper confidence bounds, scaled by how much the results of playouts vary.
- Simultaneous decisions: each player chooses at a node of their own, by regret matching on sampled results (Lanctot,
  Lisý and Winands, "Monte Carlo Tree Search in Simultaneous Move Games with Applications to Goofspiel", 2013).
- Chance: sampled by its weights.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gamedsl.agents.beliefs import observation_hashes as hashes
from gamedsl.agents.beliefs.observed_ply import USED_AT, own_event
from gamedsl.agents.information_nodes import (
    ACTION_COUNT,
    CLOSED,
    DONE,
    FIRST,
    NODES,
    SEAT,
    SEED,
    SUM,
    TOGETHER,
    TRIED,
    TRIES,
    VISITS,
    Descent,
    Tree,
    add_node,
    by_bounds,
    by_regret,
    drop_nodes,
    slot_of,
    update_regrets,
)
from gamedsl.agents.position import FULL, NO_ACTION, UNSEARCHABLE
from gamedsl.agents.tree_arrays import unit
from gamedsl.compiler import Reals, Words, call2, call3, call5, kernel, mix64, peek, peek_half, poke

NO_NODE = -(1 << 44)  # the position is to be played out
UNFINISHED = -2  # status of a playout that was too long to finish
NOTHING, ROOT_KEY, ONE = np.uint64(0), np.uint64(1), np.uint64(1)
# indices into ``now``: the player who acts first, the hash of what everybody sees of the stop, what the player notices
# of the action
SEAT_NOW, STOP_NOW, EVENT = range(3)


class Starts(NamedTuple):
    """The positions to begin in.

    ``until``: the sum of the probabilities up to each; ``keys``, ``views``, ``now``: as of a ``Descent``, at each
    of them.
    """

    states: Words
    until: Reals
    keys: hashes.Hashes
    views: hashes.Hashes
    now: hashes.Hashes


@kernel
def look_at_stop(rules: hashes.Rules, buffers: hashes.Buffers, state: int, now: hashes.Hashes) -> None:
    """Writes the first player to act, and the hash of what everybody sees of a stop: where the game stands and who
    acts.
    """
    block = peek_half(state)
    kind = rules.blocks[block, hashes.KIND]
    seat, seats = 0, 0
    if kind in (hashes.MOVE_KIND, hashes.CHOICE_KIND):
        seat = call2(rules.entry[hashes.SEAT], rules.entry[hashes.CONTEXT], state)
        seats = 1 << seat
    elif kind == hashes.TOGETHER_KIND:
        seats = hashes.acting(rules, buffers, state)
        seat = buffers.actors[0]
    now[SEAT_NOW] = np.uint64(seat)
    now[STOP_NOW] = rules.stops[block, hashes.PLACE_HASH] ^ mix64(np.uint64(seats))


@kernel
def prepare(rules: hashes.Rules, buffers: hashes.Buffers, starts: Starts, seat: int) -> None:
    """Writes what the players know at the start.

    For the searching player this is the same in all positions; for others it is what they see there.
    """
    players = rules.shape[hashes.PLAYERS]
    for i in range(len(starts.states)):
        state = starts.states[i].ctypes.data
        look_at_stop(rules, buffers, state, starts.now[i])
        for p in range(players):
            starts.views[i, p] = hashes.words_hash(rules, state, p)
            starts.views[i, players + p] = hashes.shown_hash(rules, state, p)
            seen = starts.views[i, p] ^ starts.views[i, players + p]
            starts.keys[i, p] = ROOT_KEY if p == seat else mix64(seen ^ starts.now[i, STOP_NOW])


@kernel
def begin(starts: Starts, descent: Descent) -> None:
    """Begins an iteration in one of the positions, drawn by their probabilities."""
    at, low, high = unit(descent.draws), 0, len(starts.states) - 1
    while low < high:
        middle = (low + high) // 2
        if starts.until[middle] <= at:
            low = middle + 1
        else:
            high = middle
    for w in range(starts.states.shape[1]):
        descent.state[0, w] = descent.state[1, w] = starts.states[low, w]
    for p in range(starts.keys.shape[1]):
        descent.keys[p] = starts.keys[low, p]
    for v in range(starts.views.shape[1]):
        descent.views[v] = starts.views[low, v]
    for v in range(starts.now.shape[1]):
        descent.now[v] = starts.now[low, v]


@kernel
def outcome(rules: hashes.Rules, descent: Descent, n: int) -> int:
    """Returns the number of a random outcome of chance, drawn by its weight."""
    state, total = descent.state.ctypes.data, 0.0
    for k in range(n):
        descent.weights[k] = call3(rules.entry[hashes.WEIGHT], rules.entry[hashes.CONTEXT], state, k)
        total += descent.weights[k]
    left = unit(descent.draws) * total
    for k in range(n):
        left -= descent.weights[k]
        if left < 0.0:
            return k
    return n - 1


@kernel
def observe(rules: hashes.Rules, buffers: hashes.Buffers, descent: Descent) -> None:
    """Adds what every player notices of the last action to what this player knows, once all simultaneous choices are
    made.
    """
    state, players, before = descent.state.ctypes.data, rules.shape[hashes.PLAYERS], descent.now[STOP_NOW]
    look_at_stop(rules, buffers, state, descent.now)
    if hashes.is_open(rules, state):
        descent.now[STOP_NOW] = before
        return
    changed = hashes.update_words_hashes(rules, descent.state, descent.views)
    for p in range(players):
        news = (changed >> p) & 1 != 0
        if len(rules.shown) > 0:
            seen = hashes.shown_hash(rules, state, p)
            news |= seen != descent.views[players + p]
            descent.views[players + p] = seen
        if news:
            descent.keys[p] = mix64(descent.keys[p] ^ descent.views[p] ^ descent.views[players + p])
        if descent.now[STOP_NOW] != before:
            descent.keys[p] = mix64(descent.keys[p] ^ descent.now[STOP_NOW])


@kernel
def decide(rules: hashes.Rules, buffers: hashes.Buffers, tree: Tree, descent: Descent, depth: int, fresh: bool) -> int:
    """Chooses an action for the player to act, and writes the path and what the player notices of it.

    Returns its number; or NO_NODE if the position is to be played out, FULL, or an error.
    """
    state, seat = descent.state.ctypes.data, int(descent.now[SEAT_NOW])
    block = peek_half(state)
    together = rules.blocks[block, hashes.KIND] == hashes.TOGETHER_KIND
    menu, n = rules.stops[block, hashes.MENU_HASH], 0
    if menu == NOTHING:  # the actions do not follow from what the player sees otherwise
        n = hashes.actions(rules, buffers, state, -1)
        if n <= 0:
            return NO_ACTION if n == 0 else n
        for k in range(n):
            menu += mix64(hashes.code_hash(rules, buffers, k))
    key = mix64(descent.keys[seat] ^ menu) + np.uint64(seat)
    at = slot_of(tree, key)
    i = tree.table[at] - 1
    is_new = i < 0
    if is_new:
        is_open = hashes.is_open(rules, state)
        skips = fresh or tree.shape[CLOSED]
        if skips and not is_open:
            return NO_NODE
        n = hashes.actions(rules, buffers, state, -1)
        if n <= 0:
            return NO_ACTION if n == 0 else n
        if skips:
            k = int(unit(descent.draws) * n)
            descent.now[EVENT] = own_event(hashes.code_hash(rules, buffers, k))
            return k
        i = add_node(tree, at, key, seat, n, together)
        if i < 0:
            return FULL
        for k in range(n):
            tree.events[tree.node[i, FIRST] + k] = own_event(hashes.code_hash(rules, buffers, k))
        if not together and i > 0:
            tree.node[i, VISITS] += 1
            return NO_NODE
    elif n != 0 and tree.node[i, ACTION_COUNT] != n:
        return NO_NODE
    descent.chances[depth] = 1.0
    chosen = by_regret(tree, descent, i, depth) if together else by_bounds(tree, descent, i)
    descent.path[depth, 0], descent.path[depth, 1] = i, chosen
    descent.now[EVENT] = tree.events[tree.node[i, FIRST] + chosen]
    return chosen


@kernel
def play_out(rules: hashes.Rules, tree: Tree, descent: Descent) -> int:
    """Makes a playout. Returns a negative status after a rules error."""
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
        for p in range(len(result)):
            result[p] = 0.0
        return 0
    return int(status)


@kernel
def descend(rules: hashes.Rules, buffers: hashes.Buffers, tree: Tree, descent: Descent) -> int:
    """Descends from the start to the end of a game, or to a new node and makes a playout from there.

    Returns the length of the path, FULL, or an error.
    """
    state, depth, nodes = descent.state.ctypes.data, 0, tree.used[NODES]
    while True:
        kind = rules.blocks[peek_half(state), hashes.KIND]
        if kind == hashes.END_KIND:
            status = call3(rules.entry[hashes.RETURNS], rules.entry[hashes.CONTEXT], state, descent.result.ctypes.data)
            return depth if status >= 0 else status
        if kind == hashes.DRAWING_KIND:
            return UNSEARCHABLE
        if kind == hashes.CHANCE_KIND:
            n = call2(rules.entry[hashes.COUNT], rules.entry[hashes.CONTEXT], state)
            if n <= 0 or n > len(descent.weights):
                return NO_ACTION if n >= 0 else n
            k = outcome(rules, descent, n)
        else:
            if depth == len(descent.chances):
                k = NO_NODE
            else:
                descent.path[depth, 0] = -1
                k = decide(rules, buffers, tree, descent, depth, tree.used[NODES] > max(nodes, 1))
            if k == NO_NODE:
                status = play_out(rules, tree, descent)
                return depth if status >= 0 else status
            if k < 0:
                return k
            seat = int(descent.now[SEAT_NOW])
            descent.keys[seat] = mix64(descent.keys[seat] ^ descent.now[EVENT])
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
        tree.node[i, TRIED] += int(tree.edge[first + k, TRIES] == 0.0)
        tree.edge[first + k, TRIES] += 1.0
        tree.edge[first + k, SUM] += got
        if tree.node[i, TOGETHER]:
            update_regrets(tree, i, k, got, descent.chances[d])


@kernel
def run_iterations(
    rules: hashes.Rules, buffers: hashes.Buffers, tree: Tree, starts: Starts, descent: Descent, iterations: int
) -> int:
    """Runs up to this many iterations.

    Returns 0, FULL (call again with more memory; the last iteration has left nothing, and is made again), or an error.
    """
    mark = peek(rules.entry[hashes.CONTEXT] + USED_AT)
    for _ in range(iterations):
        draw, nodes = descent.draws[0], tree.used[NODES]
        begin(starts, descent)
        depth = descend(rules, buffers, tree, descent)
        poke(rules.entry[hashes.CONTEXT] + USED_AT, mark)
        if depth == FULL:
            descent.draws[0] = draw
            drop_nodes(tree, nodes)
        if depth < 0:
            return depth
        for p in range(len(descent.result)):
            descent.result[p] /= descent.most[0]
            tree.totals[p] += descent.result[p]
        back_up(tree, descent, depth)
        tree.used[DONE] += 1
    return 0


@kernel
def measure_widths(
    rules: hashes.Rules, tree: Tree, descent: Descent, start: Words, playouts: int, explore: float
) -> int:
    """Makes playouts from a position, and writes the width of each player's confidence bounds: the standard deviation of
    the player's results (1 if they never vary) times ``explore``.

    Returns 0, or an error.
    """
    mark, players = peek(rules.entry[hashes.CONTEXT] + USED_AT), len(descent.result)
    for p in range(players):
        tree.totals[p] = descent.widths[p] = 0.0
    for k in range(playouts):
        for w in range(descent.state.shape[1]):
            descent.state[0, w] = start[w]
        tree.used[DONE] = k
        status = play_out(rules, tree, descent)
        poke(rules.entry[hashes.CONTEXT] + USED_AT, mark)
        if status < 0:
            return status
        for p in range(players):
            got = descent.result[p] / descent.most[0]
            tree.totals[p] += got
            descent.widths[p] += got * got
    for p in range(players):
        mean = tree.totals[p] / playouts
        variance = max(0.0, descent.widths[p] / playouts - mean * mean)
        descent.widths[p] = explore * (math.sqrt(variance) if variance > 0.0 else 1.0)
    return 0
