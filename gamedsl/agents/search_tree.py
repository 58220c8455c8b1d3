"""The kernel of Monte Carlo tree search: one tree in flat arrays, extended by any number of iterations per call.

- Single decisions: upper confidence bounds (Kocsis and Szepesvári, "Bandit based Monte-Carlo Planning", 2006),
  each player maximizing their own utility (max^n).
- Chance: sampled by its weights.
- Simultaneous decisions: regret matching (Lisý, Kovařík, Lanctot and Bošanský, "Convergence of Monte Carlo Tree
  Search in Simultaneous Move Games", 2013).
- Proven results: backed up (Winands, Björnsson and Saito, "Monte-Carlo Tree Search Solver", 2008).
"""

from __future__ import annotations

import math

from gamedsl.agents.leaf_kernel import ONE, linear
from gamedsl.agents.portable_math import log_of, tanh_of
from gamedsl.agents.position import CHANCE, FULL, TOGETHER
from gamedsl.agents.regret_matching import by_regret, update_regrets
from gamedsl.agents.tree_arrays import (
    ACTION,
    ACTION_COUNT,
    CHILD,
    CLOSED,
    CONTEXT,
    DONE,
    FAR,
    FIRST,
    JUDGED,
    KIND,
    LACK,
    MOST,
    NODES,
    NOTING,
    NTH,
    PLAYOUT_AT,
    PROVEN,
    SEAT,
    SEED,
    SIZE,
    TABLE,
    TRIED,
    VISITS,
    Descent,
    Draws,
    Nodes,
    Rules,
    Tree,
    unit,
)
from gamedsl.agents.tree_nodes import child_of, expand, initialize
from gamedsl.compiler import CTX_CAPACITY, CTX_USED, Reals, Words, call5, kernel, peek

# Results of ``run_iterations``: all done; root proven. Below 0: a rules error, no legal action, a drawing, or more memory needed.
FINE, PROOF = range(2)
UNFINISHED = -2  # status of a playout that was too long to finish
SURE = 1.0 - 1e-9  # a utility that cannot be improved


@kernel
def by_bounds(tree: Tree, draws: Draws, i: int, c: float) -> int:
    """Selects an edge for a single chooser: an untried one at random, else the best upper confidence bound."""
    node, value, edge = tree.node, tree.value, tree.edge
    first, action_count, tried = node[i, FIRST], node[i, ACTION_COUNT], node[i, TRIED]
    if tried < action_count:
        fresh: int = first + tried
        other = fresh + int(unit(draws) * (action_count - tried))
        edge[fresh, ACTION], edge[other, ACTION] = edge[other, ACTION], edge[fresh, ACTION]
        return fresh
    seat = node[i, SEAT]
    log_n = log_of(node[i, VISITS] + 1.0)
    best, best_e = -1e300, int(first)
    for e in range(first, first + action_count):
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
    table, action_count = node[i, TABLE], node[i, ACTION_COUNT]
    at = unit(draws) * reals[table + action_count - 1]
    low, high = 0, action_count - 1
    while low < high:
        middle = (low + high) // 2
        if reals[table + middle] > at:
            high = middle
        else:
            low = middle + 1
    return int(node[i, FIRST]) + low


@kernel
def prove(tree: Tree, i: int) -> bool:
    """Returns whether the children prove this node, now that one of them is newly proven; if so, it takes their
    result.
    """
    node, value, edge, reals = tree.node, tree.value, tree.edge, tree.reals
    kind, first, action_count = node[i, KIND], node[i, FIRST], node[i, ACTION_COUNT]
    if kind == TOGETHER:
        return False
    whole = True
    best, best_far, best_child = -1e300, 0, -1
    for e in range(first, first + action_count):
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
        before, total = 0.0, reals[node[i, TABLE] + action_count - 1]
        value[i, :] = 0.0
        for k in range(action_count):
            weight = reals[node[i, TABLE] + k] - before
            before = reals[node[i, TABLE] + k]
            for p in range(value.shape[1]):
                value[i, p] += value[edge[first + k, CHILD], p] * (weight / total)
    elif whole or best >= SURE:
        for p in range(value.shape[1]):
            value[i, p] = value[best_child, p]
    else:
        return False
    node[i, PROVEN] = 1
    node[i, FAR] = best_far + 1
    return True


@kernel
def descend(rules: Rules, tree: Tree, descent: Descent) -> int:
    """Descends from the root to a node to evaluate, which may be new, and writes the path.

    Returns its depth, FULL, or an error.
    """
    shape, used, node, edge, path, draws = rules.shape, tree.used, tree.node, tree.edge, descent.path, descent.draws
    i, depth, most = 0, 0, path.shape[0] // 2
    while True:
        path[depth] = i
        fresh = depth > 0 and node[i, VISITS] == 0 and node[i, NTH] == 0
        if node[i, PROVEN] == 1 or fresh or depth == most - 1:
            return depth
        if node[i, FIRST] < 0:
            status = expand(rules, tree, i) if shape[CLOSED] == 0 else FULL
            if status == FULL and shape[CLOSED] == 1:
                return depth
            if status < 0:
                return status
        if node[i, KIND] == CHANCE:
            e = by_weight(tree.node, tree.reals, draws, i)
        elif node[i, KIND] == TOGETHER:
            e = by_regret(tree.node, tree.reals, draws, i)
        else:
            e = by_bounds(tree, draws, i, descent.explore[0])
        path[most + depth] = e
        if edge[e, CHILD] < 0:
            if shape[CLOSED] == 1:
                return depth
            if used[NODES] == tree.blocks.shape[0]:
                used[LACK] = NODES
                return FULL
            made = child_of(rules, tree, i, edge[e, ACTION])
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
        for p in range(value.shape[1]):
            value[i, p] += result[p]
        if d < depth:
            if node[i, KIND] == TOGETHER:
                update_regrets(tree, path, depth, d, result[node[i, SEAT]])
            news = news and prove(tree, i)


@kernel
def run_iterations(rules: Rules, tree: Tree, descent: Descent, iterations: int) -> int:
    """Runs up to this many iterations.

    Returns FINE, PROOF, FULL (an iteration was dropped; call again with more memory), or an error.
    """
    entry, shape, used, node, value = rules.entry, rules.shape, tree.used, tree.node, tree.value
    path, result = descent.path, descent.result
    if used[NODES] == 0:
        status = initialize(rules, tree, 0)
        if status < 0:
            return status
        used[NODES] = 1
    for _ in range(iterations):
        if node[0, PROVEN] == 1:
            return PROOF
        if peek(entry[CONTEXT] + 8 * CTX_CAPACITY) - peek(entry[CONTEXT] + 8 * CTX_USED) < shape[NOTING]:
            shape[CLOSED] = 1
        depth = descend(rules, tree, descent)
        if depth < 0:
            return depth
        i = path[depth]
        if node[i, PROVEN] == 1:
            for p in range(len(result)):
                result[p] = value[i, p]
        elif shape[JUDGED] == 1:
            result[0] = tanh_of(linear(rules.segments, rules.weights, tree.blocks, i) / ONE)
            result[1] = -result[0]
        else:
            s = tree.blocks.ctypes.data + i * shape[SIZE] * 8
            plies = call5(entry[PLAYOUT_AT], entry[CONTEXT], s, shape[SEED], used[DONE], result.ctypes.data)
            if plies == UNFINISHED:
                result[:] = 0.0
            elif plies < 0:
                return plies
            for p in range(len(result)):
                result[p] /= shape[MOST]
        back_up(tree, path, result, depth)
        used[DONE] += 1
    return PROOF if node[0, PROVEN] == 1 else FINE
