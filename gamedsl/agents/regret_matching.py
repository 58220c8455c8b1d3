"""Regret matching for simultaneous decisions of a search tree."""

from __future__ import annotations

import math

from gamedsl.agents.tree_arrays import (
    ACTION_COUNT,
    CHILD,
    FIRST,
    NTH,
    PROVEN,
    SEAT,
    TABLE,
    VISITS,
    Draws,
    Nodes,
    Tree,
    unit,
)
from gamedsl.compiler import Reals, Words, kernel


@kernel
def positive_regrets(reals: Reals, table: int, action_count: int) -> float:
    """Returns the sum of the positive regrets."""
    total = 0.0
    for k in range(action_count):
        total += max(0.0, reals[table + k])
    return total


@kernel
def regret_share(reals: Reals, table: int, action_count: int, total: float, k: int) -> float:
    """Returns the probability that regret matching plays action k."""
    return max(0.0, reals[table + k]) / total if total > 0.0 else 1.0 / action_count


@kernel
def by_regret(node: Nodes, reals: Reals, draws: Draws, i: int) -> int:
    """Selects the edge of a secret choice by regret matching mixed with exploration.

    Exploration decays with the fourth root of time (Hart and Mas-Colell, "A reinforcement procedure leading to
    correlated equilibrium", 2001). The table holds regrets, the cumulative strategy (weighted by time), cumulative
    utilities and tries, one of each per action, and the time.
    """
    table, action_count = node[i, TABLE], node[i, ACTION_COUNT]
    time = reals[table + 4 * action_count] + 1.0
    reals[table + 4 * action_count] = time
    explore = 0.5 / math.sqrt(math.sqrt(time))
    total = positive_regrets(reals, table, action_count)
    drawn, at, chosen = unit(draws), unit(draws), -1
    for k in range(action_count):
        p = regret_share(reals, table, action_count, total, k)
        reals[table + action_count + k] += time * p
        at -= p
        if at < 0.0 and chosen < 0 and p > 0.0:
            chosen = k
    if drawn < explore or chosen < 0:
        chosen = int(unit(draws) * action_count)
    return int(node[i, FIRST]) + chosen


@kernel
def joint_child(tree: Tree, path: Words, depth: int, d: int, k: int) -> int:
    """Returns the node to which action k of the secret choice at depth ``d`` would have led.

    The later choices at the same stop are unchanged. -1 if there is no such node yet.
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
def mean_utility(tree: Tree, i: int, j: int, k: int) -> float:
    """Returns the mean utility for its mover of action k of a secret choice at ``i`` when it led to ``j`` (-1:
    overall).
    """
    node, value, reals = tree.node, tree.value, tree.reals
    table, action_count, seat = node[i, TABLE], node[i, ACTION_COUNT], node[i, SEAT]
    if j >= 0 and node[j, PROVEN] == 1:
        return float(value[j, seat])
    if j >= 0 and node[j, VISITS] > 0:
        return float(value[j, seat] / node[j, VISITS])
    tries = reals[table + 3 * action_count + k]
    return float(reals[table + 2 * action_count + k] / tries) if tries > 0.0 else 0.0


@kernel
def update_regrets(tree: Tree, path: Words, depth: int, d: int, got: float) -> None:
    """Updates the regrets after the secret choice at depth ``d``, weighted by time like the strategy.

    Each action's regret is its utility against the others' choices, minus that of the chosen action. It uses the
    mean over all visits of a joint choice, not the last result; convergence depends on it (Kovařík and Lisý,
    "Analysis of Hannan consistent selection for Monte Carlo tree search in simultaneous move games", 2020).
    """
    node, reals = tree.node, tree.reals
    i, most = path[d], path.shape[0] // 2
    table, action_count = node[i, TABLE], node[i, ACTION_COUNT]
    chosen = path[most + d] - node[i, FIRST]
    reals[table + 2 * action_count + chosen] += got
    reals[table + 3 * action_count + chosen] += 1.0
    time = reals[table + 4 * action_count]
    mine = mean_utility(tree, i, joint_child(tree, path, depth, d, chosen), chosen)
    for k in range(action_count):
        if k != chosen:
            other = mean_utility(tree, i, joint_child(tree, path, depth, d, k), k)
            reals[table + k] += time * (other - mine)
