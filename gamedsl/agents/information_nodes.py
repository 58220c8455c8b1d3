"""The nodes of a search tree over players' knowledge: how they are found, how actions are chosen there, how they
learn.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gamedsl.agents.beliefs.observation_hashes import Hashes
from gamedsl.agents.portable_math import log_of
from gamedsl.agents.position import FULL
from gamedsl.agents.tree_arrays import Draws, unit
from gamedsl.compiler import Reals, Words, kernel

FIRST, ACTION_COUNT, VISITS, SEAT, TOGETHER, TRIED = range(6)  # fields of a node
TRIES, SUM, REGRET, STRATEGY = range(4)  # fields of an edge
# indices into ``used``: nodes and edges in use, iterations done, which array is too small
NODES, EDGES, DONE, LACK = range(4)
SEED, CLOSED, ROOT = range(3)  # indices into ``shape``: the seed, whether memory is exhausted, the seat that searches


class Tree(NamedTuple):
    """One tree. Node 0 is the root.

    ``keys``: for each node the hash of what its player knows; ``table``: a hash table of node numbers plus 1 (open
    addressing, its size a power of two); ``node``: shape (nodes, 6); ``edge``: shape (edges, 4); ``events``: for
    each edge the hash of what its player notices of the action; ``totals``: the sums of the players' results.
    """

    used: Words
    shape: Words
    keys: Hashes
    table: Words
    node: Words
    edge: Reals
    events: Hashes
    totals: Reals


class Descent(NamedTuple):
    """One iteration.

    ``path``: nodes and edges; ``chances``: the probability with which each was chosen; ``state``: the position, and
    the one before it; ``keys``: for each player the hash of what this player knows; ``views``: for each player the
    hashes of the values that are always seen, and of others; ``now``: see ``information_tree``; ``weights``: of the
    outcomes of chance; ``result``: utilities, as shares of the maximum (``most``); ``widths``: of the players'
    confidence bounds.
    """

    draws: Draws
    path: Words
    chances: Reals
    state: Words
    keys: Hashes
    views: Hashes
    now: Hashes
    weights: Reals
    result: Reals
    widths: Reals
    most: Reals


@kernel
def slot_of(tree: Tree, key: np.uint64) -> int:
    """Returns the slot of a key in the table, or the free slot where it belongs."""
    most = np.uint64(len(tree.table) - 1)
    at = key & most
    while tree.table[at] != 0 and tree.keys[tree.table[at] - 1] != key:
        at = (at + np.uint64(1)) & most
    return int(at)


@kernel
def fill_table(tree: Tree) -> None:
    """Enters all nodes in the table."""
    for i in range(len(tree.table)):
        tree.table[i] = 0
    for i in range(tree.used[NODES]):
        tree.table[slot_of(tree, tree.keys[i])] = i + 1


@kernel
def add_node(tree: Tree, at: int, key: np.uint64, seat: int, n: int, together: bool) -> int:
    """Adds a node with n actions. Returns its number, or FULL."""
    used = tree.used
    i = used[NODES]
    if i == len(tree.node) or used[EDGES] + n > len(tree.edge):
        used[LACK] = NODES if i == len(tree.node) else EDGES
        return FULL
    tree.keys[i], tree.table[at] = key, i + 1
    tree.node[i, FIRST], tree.node[i, ACTION_COUNT], tree.node[i, VISITS] = used[EDGES], n, 0
    tree.node[i, SEAT], tree.node[i, TOGETHER], tree.node[i, TRIED] = seat, together, 0
    for e in range(used[EDGES], used[EDGES] + n):
        for f in range(tree.edge.shape[1]):
            tree.edge[e, f] = 0.0
    used[NODES], used[EDGES] = i + 1, used[EDGES] + n
    return int(i)


@kernel
def drop_nodes(tree: Tree, nodes: int) -> None:
    """Removes the nodes from this number on, the last ones added."""
    while tree.used[NODES] > nodes:
        i = tree.used[NODES] - 1
        tree.table[slot_of(tree, tree.keys[i])] = 0
        tree.used[NODES], tree.used[EDGES] = i, tree.node[i, FIRST]


@kernel
def by_bounds(tree: Tree, descent: Descent, i: int) -> int:
    """Returns the action with the greatest upper confidence bound; actions that were never tried come first, at
    random.
    """
    first, n = tree.node[i, FIRST], tree.node[i, ACTION_COUNT]
    chosen = 0
    if tree.node[i, TRIED] < n:
        fresh = 0
        for k in range(n):
            if tree.edge[first + k, TRIES] == 0.0:
                fresh += 1
                if unit(descent.draws) * fresh < 1.0:
                    chosen = k
        return chosen
    width = descent.widths[tree.node[i, SEAT]] * math.sqrt(log_of(tree.node[i, VISITS] + 1.0))
    best = -1e300
    for k in range(n):
        tries = tree.edge[first + k, TRIES]
        bound = tree.edge[first + k, SUM] / tries + width / math.sqrt(tries)
        if bound > best:
            best, chosen = bound, k
    return chosen


@kernel
def by_regret(tree: Tree, descent: Descent, i: int, depth: int) -> int:
    """Returns an action by regret matching, mixed with exploration that decays with the fourth root of time.

    Writes the probability of the choice.
    """
    first, n, time = tree.node[i, FIRST], tree.node[i, ACTION_COUNT], tree.node[i, VISITS] + 1.0
    explore, total = 0.5 / math.sqrt(math.sqrt(time)), 0.0
    for k in range(n):
        total += max(0.0, tree.edge[first + k, REGRET])
    at, chosen, played = unit(descent.draws), n - 1, 0.0
    for k in range(n):
        p = max(0.0, tree.edge[first + k, REGRET]) / total if total > 0.0 else 1.0 / n
        q = (1.0 - explore) * p + explore / n
        if 0.0 <= at < q:
            chosen, played = k, q
        at -= q
    descent.chances[depth] = played if played > 0.0 else explore / n
    return int(chosen)


@kernel
def update_regrets(tree: Tree, i: int, chosen: int, got: float, chance: float) -> None:
    """Updates the average strategy and the regrets of a simultaneous choice, weighted by time.

    The sampled result is taken as the difference from the mean at the node, which varies less.
    """
    first, n, total, tries, positive = tree.node[i, FIRST], tree.node[i, ACTION_COUNT], 0.0, 0.0, 0.0
    for k in range(n):
        total += tree.edge[first + k, SUM]
        tries += tree.edge[first + k, TRIES]
        positive += max(0.0, tree.edge[first + k, REGRET])
    time, better = float(tree.node[i, VISITS]), got - total / tries
    for k in range(n):
        p = max(0.0, tree.edge[first + k, REGRET]) / positive if positive > 0.0 else 1.0 / n
        tree.edge[first + k, STRATEGY] += time * p
        sampled = better / chance if k == chosen else 0.0
        tree.edge[first + k, REGRET] += time * (sampled - better)
