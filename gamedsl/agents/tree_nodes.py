"""The nodes of a search tree: initialization, expansion, and children."""

from __future__ import annotations

from gamedsl.agents.position import CHANCE, DRAWING, END, FULL, NO_ACTION, TOGETHER, UNSEARCHABLE
from gamedsl.agents.tree_arrays import (
    ACTION,
    ACTION_COUNT,
    CHILD,
    CONTEXT,
    COUNT_AT,
    EDGES,
    FIRST,
    KIND,
    KIND_AT,
    LACK,
    MOST,
    MOVERS,
    NEXT,
    NODES,
    NTH,
    PENDING,
    PROVEN,
    REALS,
    RESULTS,
    RETURNS_AT,
    SEAT,
    SEAT_AT,
    SIZE,
    STEP_AT,
    STOP,
    TABLE,
    WEIGHT_AT,
    Nodes,
    Rules,
    Tree,
)
from gamedsl.compiler import Words, call2, call3, kernel


@kernel
def choices_made(shape: Words, blocks: Words, i: int) -> int:
    """Returns how many players have made their secret choice at this stop."""
    n = 0
    for k in range(shape[MOVERS]):
        if blocks[i, shape[PENDING] + k] != 0:
            n += 1
    return n


@kernel
def initialize(rules: Rules, tree: Tree, i: int) -> int:
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
        for p in range(value.shape[1]):
            value[i, p] /= shape[MOST]
        return status
    node[i, SEAT] = call2(entry[SEAT_AT], entry[CONTEXT], s)
    if kind == TOGETHER:
        node[i, NTH] = choices_made(shape, blocks, i)
        node[i, STOP] = i
    return 0


@kernel
def same_result(shape: Words, blocks: Words, node: Nodes, stop: int, i: int) -> int:
    """Returns the node to which other choices at a stop have already led with the same position as node ``i``, or -1.

    Sharing it keeps the statistics of a position together: separate nodes would differ by luck alone.
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
def child_of(rules: Rules, tree: Tree, parent: int, action: int) -> int:
    """Returns the number of the child along an action, or an error.

    The child is a new node, except for shared results of secret choices.
    """
    entry, shape, used, blocks, node = rules.entry, rules.shape, tree.used, tree.blocks, tree.node
    i = int(used[NODES])
    for k in range(shape[SIZE]):
        blocks[i, k] = blocks[parent, k]
    status = call3(entry[STEP_AT], entry[CONTEXT], blocks.ctypes.data + i * shape[SIZE] * 8, action)
    if status < 0:
        return status
    stop = node[parent, STOP]
    chosen = node[parent, KIND] == TOGETHER and choices_made(shape, blocks, i) == 0
    if chosen:
        other = same_result(shape, blocks, node, stop, i)
        if other >= 0:
            return other
    status = initialize(rules, tree, i)
    if status < 0:
        return status
    if chosen:
        node[i, NEXT] = node[stop, RESULTS]
        node[stop, RESULTS] = i
    elif node[i, NTH] > 0:
        node[i, STOP] = stop
        node[i, TABLE] = node[parent, TABLE] + 4 * node[parent, ACTION_COUNT] + 1
    used[NODES] = i + 1
    return i


@kernel
def choosers(rules: Rules, tree: Tree, i: int) -> int:
    """Returns how many reals the tables of all choosers at this stop take: 4 per action plus 1 for each chooser.

    Uses the next free block.
    """
    entry, shape, blocks = rules.entry, rules.shape, tree.blocks
    j = tree.used[NODES]
    for k in range(shape[SIZE]):
        blocks[j, k] = blocks[i, k]
    s = blocks.ctypes.data + j * shape[SIZE] * 8
    total = 0
    while True:
        action_count = call2(entry[COUNT_AT], entry[CONTEXT], s)
        if action_count <= 0:
            return NO_ACTION if action_count == 0 else action_count
        total += 4 * action_count + 1
        status = call3(entry[STEP_AT], entry[CONTEXT], s, 0)
        if status < 0:
            return status
        if choices_made(shape, blocks, j) == 0:
            return total


@kernel
def expand(rules: Rules, tree: Tree, i: int) -> int:
    """Expands a node: allocates its edges (in the order of the actions) and its table."""
    entry, shape, used, blocks = rules.entry, rules.shape, tree.used, tree.blocks
    node, edge, reals = tree.node, tree.edge, tree.reals
    s = blocks.ctypes.data + i * shape[SIZE] * 8
    kind = node[i, KIND]
    action_count = call2(entry[COUNT_AT], entry[CONTEXT], s)
    if action_count <= 0:
        return NO_ACTION if action_count == 0 else action_count
    table = 0
    if kind == CHANCE:
        table = action_count
    elif kind == TOGETHER and node[i, NTH] == 0:
        if used[NODES] == blocks.shape[0]:
            used[LACK] = NODES
            return FULL
        table = choosers(rules, tree, i)
        if table < 0:
            return table
    if used[EDGES] + action_count > edge.shape[0] or used[REALS] + table > reals.shape[0]:
        used[LACK] = EDGES if used[EDGES] + action_count > edge.shape[0] else REALS
        return FULL
    first = used[EDGES]
    for k in range(action_count):
        edge[first + k, ACTION] = k
        edge[first + k, CHILD] = -1
    used[EDGES] = first + action_count
    if table > 0:
        node[i, TABLE] = used[REALS]
        reals[used[REALS] : used[REALS] + table] = 0.0
        used[REALS] += table
    if kind == CHANCE:
        total = 0.0
        for k in range(action_count):
            total += call3(entry[WEIGHT_AT], entry[CONTEXT], s, k)
            reals[node[i, TABLE] + k] = total
    node[i, FIRST] = first
    node[i, ACTION_COUNT] = action_count
    return 0
