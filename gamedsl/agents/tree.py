"""The kernel of Monte-Carlo tree search: one tree in flat arrays, grown by any number of iterations per call.

- Single decisions: upper confidence bounds (Kocsis and Szepesvári, "Bandit based Monte-Carlo Planning", 2006),
  each player maximizing their own utility (max^n).
- Chance: sampled by its weights.
- Simultaneous decisions: regret matching (Lisý, Kovařík, Lanctot and Bošanský, "Convergence of Monte Carlo Tree
  Search in Simultaneous Move Games", 2013).
- Proven results: backed up (Winands, Björnsson and Saito, "Monte-Carlo Tree Search Solver", 2008).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gamedsl.agents.position import CHANCE, DRAWING, END, FULL, NO_WAY, TOGETHER, UNSEARCHABLE
from gamedsl.native import GAMMA, Reals, Words, call2, call3, call5, finished, kernel

# indices into ``entry``: the context and the addresses of the entry points
CONTEXT, KIND_AT, SEAT_AT, COUNT_AT, WEIGHT_AT, STEP_AT, RETURNS_AT, PLAYOUT_AT = range(8)
# Indices into ``shape``: words of a block; first word and number of open choices; seed; whether memory is exhausted;
# the maximum utility, by which all utilities are divided.
SIZE, PENDING, MOVERS, SEED, CLOSED, MOST = range(6)
# indices into ``used``: nodes, edges and reals in use (LACK: which array is too small), iterations done
NODES, EDGES, REALS, DONE, LACK = range(5)
# Fields of a node. FIRST: its first edge (-1: not expanded yet). TABLE: its first real. FAR: plies to a proven end. For
# a secret choice, STOP is the node where nobody has chosen yet; that node's RESULTS (0: none) is the first of the nodes
# that the joint choices lead to, linked by NEXT.
KIND, SEAT, FIRST, WAYS, TRIED, VISITS, PROVEN, FAR, TABLE, NTH, STOP, RESULTS, NEXT = range(13)
FIELDS = 13
# fields of an edge
WAY, CHILD = range(2)
# Results of ``grow``: all done; root proven. Below 0: a rules error, no legal action, a drawing, or more memory needed.
FINE, PROOF = range(2)

UNFINISHED = -2  # status of a playout that was too long to finish
SURE = 1.0 - 1e-9  # a utility that can't be improved

_GAMMA, _S11 = np.uint64(GAMMA), np.uint64(11)

Nodes = npt.NDArray[np.int32]
Draws = npt.NDArray[np.uint64]


class Rules(NamedTuple):
    """Compiled rules. ``entry``: the context and the addresses of the entry points; ``shape``: see above."""

    entry: Words
    shape: Words


class Tree(NamedTuple):
    """One tree. Node 0 is the root.

    ``used``: see above; ``blocks``: shape (nodes, SIZE): states; ``node``: shape (nodes, FIELDS); ``value``: shape
    (nodes, players): summed utilities, or the exact ones of a proven node; ``edge``: shape (edges, 2); ``reals``:
    tables of chance and of secret choices.
    """

    used: Words
    blocks: Words
    node: Nodes
    value: Reals
    edge: Nodes
    reals: Reals


class Descent(NamedTuple):
    """One iteration. ``draws``: the random stream; ``path``: nodes, and in the second half edges; ``result``: room for
    the players' utilities; ``explore``: scales the width of upper confidence bounds.
    """

    draws: Draws
    path: Words
    result: Reals
    explore: float


@kernel
def unit(draws: Draws) -> float:
    """Returns the next number in [0, 1) from SplitMix64."""
    draws[0] += _GAMMA
    return float(finished(draws[0]) >> _S11) / 9007199254740992.0


# --------------------------------------------------------------------------------------------------------- nodes


@kernel
def held(shape: Words, blocks: Words, i: int) -> int:
    """Returns how many players have made their secret choice at this stop."""
    n = 0
    for k in range(shape[MOVERS]):
        if blocks[i, shape[PENDING] + k] != 0:
            n += 1
    return n


@kernel
def look(rules: Rules, tree: Tree, i: int) -> int:
    """Initializes a node whose block is written. A terminal node is proven at once."""
    entry, shape, blocks, node, value = rules.entry, rules.shape, tree.blocks, tree.node, tree.value
    s = blocks.ctypes.data + i * shape[SIZE] * 8
    kind = call2(entry[KIND_AT], entry[CONTEXT], s)
    node[i, :] = 0
    value[i, :] = 0.0
    node[i, KIND] = kind
    node[i, FIRST] = -1
    if kind == DRAWING:
        return UNSEARCHABLE
    if kind == END:
        node[i, PROVEN] = 1
        status = call3(entry[RETURNS_AT], entry[CONTEXT], s, value.ctypes.data + i * value.shape[1] * 8)
        value[i, :] /= shape[MOST]
        return status
    node[i, SEAT] = call2(entry[SEAT_AT], entry[CONTEXT], s)
    if kind == TOGETHER:
        node[i, NTH] = held(shape, blocks, i)
        node[i, STOP] = i
    return 0


@kernel
def same_result(shape: Words, blocks: Words, node: Nodes, stop: int, i: int) -> int:
    """Returns the node that other choices at a stop have already led to with the same position as node ``i``, or -1.
    Sharing it keeps statistics of one position together: separate nodes would differ by luck alone.
    """
    other = node[stop, RESULTS]
    while other > 0:
        k = 0
        while k < shape[SIZE] and blocks[other, k] == blocks[i, k]:
            k += 1
        if k == shape[SIZE]:
            return int(other)
        other = node[other, NEXT]
    return -1


@kernel
def child_of(rules: Rules, tree: Tree, parent: int, way: int) -> int:
    """Returns the child along an action: a new node, except for shared results of secret choices. Returns its
    number, or an error.
    """
    entry, shape, used, blocks, node = rules.entry, rules.shape, tree.used, tree.blocks, tree.node
    i = int(used[NODES])
    for k in range(shape[SIZE]):
        blocks[i, k] = blocks[parent, k]
    status = call3(entry[STEP_AT], entry[CONTEXT], blocks.ctypes.data + i * shape[SIZE] * 8, way)
    if status < 0:
        return status
    stop = node[parent, STOP]
    chosen = node[parent, KIND] == TOGETHER and held(shape, blocks, i) == 0
    if chosen:
        other = same_result(shape, blocks, node, stop, i)
        if other >= 0:
            return other
    status = look(rules, tree, i)
    if status < 0:
        return status
    if chosen:
        node[i, NEXT] = node[stop, RESULTS]
        node[stop, RESULTS] = i
    elif node[i, NTH] > 0:
        node[i, STOP] = stop
        node[i, TABLE] = node[parent, TABLE] + 4 * node[parent, WAYS] + 1
    used[NODES] = i + 1
    return i


@kernel
def choosers(rules: Rules, tree: Tree, i: int) -> int:
    """Returns how many reals the tables of all choosers at this stop take: 4 per action plus 1 each. Uses the next
    free block.
    """
    entry, shape, blocks = rules.entry, rules.shape, tree.blocks
    j = tree.used[NODES]
    for k in range(shape[SIZE]):
        blocks[j, k] = blocks[i, k]
    s = blocks.ctypes.data + j * shape[SIZE] * 8
    total = 0
    while True:
        ways = call2(entry[COUNT_AT], entry[CONTEXT], s)
        if ways <= 0:
            return NO_WAY if ways == 0 else ways
        total += 4 * ways + 1
        status = call3(entry[STEP_AT], entry[CONTEXT], s, 0)
        if status < 0:
            return status
        if held(shape, blocks, j) == 0:
            return total


@kernel
def open_node(rules: Rules, tree: Tree, i: int) -> int:
    """Expands a node: allocates its edges (in the order of the actions) and its table."""
    entry, shape, used, blocks = rules.entry, rules.shape, tree.used, tree.blocks
    node, edge, reals = tree.node, tree.edge, tree.reals
    s = blocks.ctypes.data + i * shape[SIZE] * 8
    kind = node[i, KIND]
    ways = call2(entry[COUNT_AT], entry[CONTEXT], s)
    if ways <= 0:
        return NO_WAY if ways == 0 else ways
    table = 0
    if kind == CHANCE:
        table = ways
    elif kind == TOGETHER and node[i, NTH] == 0:
        if used[NODES] == blocks.shape[0]:
            used[LACK] = NODES
            return FULL
        table = choosers(rules, tree, i)
        if table < 0:
            return table
    if used[EDGES] + ways > edge.shape[0] or used[REALS] + table > reals.shape[0]:
        used[LACK] = EDGES if used[EDGES] + ways > edge.shape[0] else REALS
        return FULL
    first = used[EDGES]
    for k in range(ways):
        edge[first + k, WAY] = k
        edge[first + k, CHILD] = -1
    used[EDGES] = first + ways
    if table > 0:
        node[i, TABLE] = used[REALS]
        reals[used[REALS] : used[REALS] + table] = 0.0
        used[REALS] += table
    if kind == CHANCE:
        total = 0.0
        for k in range(ways):
            total += call3(entry[WEIGHT_AT], entry[CONTEXT], s, k)
            reals[node[i, TABLE] + k] = total
    node[i, FIRST] = first
    node[i, WAYS] = ways
    return 0


# ----------------------------------------------------------------------------------------------------- selection


@kernel
def by_bounds(tree: Tree, draws: Draws, i: int, c: float) -> int:
    """Selects an edge for a single chooser: an untried one at random, else the best upper confidence bound."""
    node, value, edge = tree.node, tree.value, tree.edge
    first, ways, tried = node[i, FIRST], node[i, WAYS], node[i, TRIED]
    if tried < ways:
        fresh: int = first + tried
        other = fresh + int(unit(draws) * (ways - tried))
        edge[fresh, WAY], edge[other, WAY] = edge[other, WAY], edge[fresh, WAY]
        return fresh
    seat = node[i, SEAT]
    log_n = math.log(node[i, VISITS] + 1.0)
    best, best_e = -1e300, int(first)
    for e in range(first, first + ways):
        child = edge[e, CHILD]
        if node[child, PROVEN] == 1:
            bound = value[child, seat]
        elif node[child, VISITS] == 0:
            return int(e)
        else:
            n = float(node[child, VISITS])
            bound = value[child, seat] / n + c * math.sqrt(log_n / n)
        if bound > best:
            best, best_e = bound, int(e)
    return best_e


@kernel
def by_weight(node: Nodes, reals: Reals, draws: Draws, i: int) -> int:
    """Samples the edge of a chance outcome."""
    table, ways = node[i, TABLE], node[i, WAYS]
    at = unit(draws) * reals[table + ways - 1]
    low, high = 0, ways - 1
    while low < high:
        middle = (low + high) // 2
        if reals[table + middle] > at:
            high = middle
        else:
            low = middle + 1
    return int(node[i, FIRST]) + low


@kernel
def positive(reals: Reals, table: int, ways: int) -> float:
    """Returns the sum of the positive regrets."""
    total = 0.0
    for k in range(ways):
        total += max(0.0, reals[table + k])
    return total


@kernel
def share(reals: Reals, table: int, ways: int, total: float, k: int) -> float:
    """Returns the probability that regret matching plays action k."""
    return max(0.0, reals[table + k]) / total if total > 0.0 else 1.0 / ways


@kernel
def by_regret(node: Nodes, reals: Reals, draws: Draws, i: int) -> int:
    """Selects the edge of a secret choice: regret matching mixed with exploration that decays with the fourth root
    of time (Hart and Mas-Colell, "A reinforcement procedure leading to correlated equilibrium", 2001).

    The table holds regrets, the cumulative strategy (weighted by time), cumulative utilities, tries; and the
    time.
    """
    table, ways = node[i, TABLE], node[i, WAYS]
    time = reals[table + 4 * ways] + 1.0
    reals[table + 4 * ways] = time
    explore = 0.5 / math.sqrt(math.sqrt(time))
    total = positive(reals, table, ways)
    drawn, at, chosen = unit(draws), unit(draws), -1
    for k in range(ways):
        p = share(reals, table, ways, total, k)
        reals[table + ways + k] += time * p
        at -= p
        if at < 0.0 and chosen < 0 and p > 0.0:
            chosen = k
    if drawn < explore or chosen < 0:
        chosen = int(unit(draws) * ways)
    return int(node[i, FIRST]) + chosen


@kernel
def cell(tree: Tree, path: Words, depth: int, d: int, k: int) -> int:
    """Returns the node that action k of the secret choice at depth ``d`` would have led to, with the later choices
    at the same stop unchanged; -1 if there is none yet.
    """
    node, edge, most = tree.node, tree.edge, path.shape[0] // 2
    i = edge[node[path[d], FIRST] + k, CHILD]
    at = d + 1
    while i >= 0 and at < depth and node[path[at], NTH] > 0:
        if node[i, FIRST] < 0:
            return -1
        i = edge[node[i, FIRST] + path[most + at] - node[path[at], FIRST], CHILD]
        at += 1
    return int(i)


@kernel
def worth(tree: Tree, i: int, j: int, k: int) -> float:
    """Returns the mean utility that action k of a secret choice at ``i`` has brought its mover when it led to ``j``
    (-1: overall).
    """
    node, value, reals = tree.node, tree.value, tree.reals
    table, ways, seat = node[i, TABLE], node[i, WAYS], node[i, SEAT]
    if j >= 0 and node[j, PROVEN] == 1:
        return float(value[j, seat])
    if j >= 0 and node[j, VISITS] > 0:
        return float(value[j, seat] / node[j, VISITS])
    tries = reals[table + 3 * ways + k]
    return float(reals[table + 2 * ways + k] / tries) if tries > 0.0 else 0.0


@kernel
def learn(tree: Tree, path: Words, depth: int, d: int, got: float) -> None:
    """Updates the regrets after the secret choice at depth ``d``, weighted by time like the strategy: each action's
    utility against the others' choices, minus that of the chosen action.

    Uses the mean over all visits of a joint choice, not the last result; convergence depends on it (Kovařík and
    Lisý, "Analysis of Hannan consistent selection for Monte Carlo tree search in simultaneous move games", 2020).
    """
    node, reals = tree.node, tree.reals
    i, most = path[d], path.shape[0] // 2
    table, ways = node[i, TABLE], node[i, WAYS]
    chosen = path[most + d] - node[i, FIRST]
    reals[table + 2 * ways + chosen] += got
    reals[table + 3 * ways + chosen] += 1.0
    time = reals[table + 4 * ways]
    mine = worth(tree, i, cell(tree, path, depth, d, chosen), chosen)
    for k in range(ways):
        if k != chosen:
            other = worth(tree, i, cell(tree, path, depth, d, k), k)
            reals[table + k] += time * (other - mine)


# ------------------------------------------------------------------------------------------------------- proofs


@kernel
def prove(tree: Tree, i: int) -> bool:
    """Do the children prove this node, now that one of them is newly proven? If so, it takes their result."""
    node, value, edge, reals = tree.node, tree.value, tree.edge, tree.reals
    kind, first, ways = node[i, KIND], node[i, FIRST], node[i, WAYS]
    if kind == TOGETHER:
        return False
    whole = True
    best, best_far, best_child = -1e300, 0, -1
    for e in range(first, first + ways):
        child = edge[e, CHILD]
        if child < 0 or node[child, PROVEN] == 0:
            whole = False
            continue
        u, far = value[child, node[i, SEAT]] if kind != CHANCE else 0.0, node[child, FAR]
        if kind == CHANCE:
            best_far = max(best_far, far)
        elif u > best or (u == best and (far < best_far) == (u > 0.0)):
            best, best_far, best_child = u, far, child
    if kind == CHANCE:
        if not whole:
            return False
        before, total = 0.0, reals[node[i, TABLE] + ways - 1]
        value[i, :] = 0.0
        for k in range(ways):
            weight = reals[node[i, TABLE] + k] - before
            before = reals[node[i, TABLE] + k]
            value[i, :] += value[edge[first + k, CHILD], :] * (weight / total)
    elif whole or best >= SURE:
        value[i, :] = value[best_child, :]
    else:
        return False
    node[i, PROVEN] = 1
    node[i, FAR] = best_far + 1
    return True


# ------------------------------------------------------------------------------------------------------ growing


@kernel
def descend(rules: Rules, tree: Tree, descent: Descent) -> int:
    """Descends from the root to a node to evaluate, which may be new, and writes the path. Returns its depth, FULL, or
    an error.
    """
    shape, used, node, edge, path, draws = rules.shape, tree.used, tree.node, tree.edge, descent.path, descent.draws
    i, depth, most = 0, 0, path.shape[0] // 2
    while True:
        path[depth] = i
        fresh = depth > 0 and node[i, VISITS] == 0 and node[i, NTH] == 0
        if node[i, PROVEN] == 1 or fresh or depth == most - 1:
            return depth
        if node[i, FIRST] < 0:
            status = open_node(rules, tree, i) if shape[CLOSED] == 0 else FULL
            if status == FULL and shape[CLOSED] == 1:
                return depth
            if status < 0:
                return status
        if node[i, KIND] == CHANCE:
            e = by_weight(tree.node, tree.reals, draws, i)
        elif node[i, KIND] == TOGETHER:
            e = by_regret(tree.node, tree.reals, draws, i)
        else:
            e = by_bounds(tree, draws, i, descent.explore)
        path[most + depth] = e
        if edge[e, CHILD] < 0:
            if used[NODES] == tree.blocks.shape[0]:
                used[LACK] = NODES
                return depth if shape[CLOSED] == 1 else FULL
            made = child_of(rules, tree, i, edge[e, WAY])
            if made < 0:
                return made
            edge[e, CHILD] = made
            node[i, TRIED] += 1
        i = edge[e, CHILD]
        depth += 1


@kernel
def back_up(tree: Tree, path: Words, result: Reals, depth: int) -> None:
    """Backs up a result along the path."""
    node, value = tree.node, tree.value
    news = node[path[depth], PROVEN] == 1 and node[path[depth], VISITS] == 0
    for d in range(depth, -1, -1):
        i = path[d]
        node[i, VISITS] += 1
        if node[i, PROVEN] == 1:
            continue
        value[i, :] += result
        if d < depth:
            if node[i, KIND] == TOGETHER:
                learn(tree, path, depth, d, result[node[i, SEAT]])
            news = news and prove(tree, i)


@kernel
def grow(rules: Rules, tree: Tree, descent: Descent, iterations: int) -> int:
    """Runs up to this many iterations. Returns FINE, PROOF, FULL (an iteration was dropped; call again with more
    memory), or an error.
    """
    entry, shape, used, node, value = rules.entry, rules.shape, tree.used, tree.node, tree.value
    path, result = descent.path, descent.result
    if used[NODES] == 0:
        status = look(rules, tree, 0)
        if status < 0:
            return status
        used[NODES] = 1
    for _ in range(iterations):
        if node[0, PROVEN] == 1:
            return PROOF
        depth = descend(rules, tree, descent)
        if depth < 0:
            return depth
        i = path[depth]
        if node[i, PROVEN] == 1:
            result[:] = value[i, :]
        else:
            s = tree.blocks.ctypes.data + i * shape[SIZE] * 8
            plies = call5(entry[PLAYOUT_AT], entry[CONTEXT], s, shape[SEED], used[DONE], result.ctypes.data)
            if plies == UNFINISHED:
                result[:] = 0.0
            elif plies < 0:
                return plies
            result /= shape[MOST]
        back_up(tree, path, result, depth)
        used[DONE] += 1
    return PROOF if node[0, PROVEN] == 1 else FINE
