"""Unfolds a graph of states into the tree of its histories."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gamedsl.compiler import kernel
from gamedsl.lab.base import Ints, Numbers

ROOM, UNLIKE, DONE = range(3)  # why ``unfold`` returned
NODES, CLASSES, SETS = range(3)  # indices into ``totals``


class Edges(NamedTuple):
    """A state graph; see ``StateGraph``. ``need``: int64, shape (states,): the number of facts on all edges of a
    state.
    """

    seats: Numbers
    first: Ints
    target: Numbers
    odds: Numbers
    labels: Numbers
    label_first: Ints
    label_facts: Numbers
    need: Ints


class Nodes(NamedTuple):
    """Nodes of a tree, numbered in breadth-first order; see ``GameTree``.

    ``classes``: int32, shape (nodes, seats): the class of what each seat knows.
    """

    state: Numbers
    parent: Numbers
    first_child: Ints
    chance: Numbers
    information_set: Numbers
    classes: Numbers
    sequences: Numbers


class Classes(NamedTuple):
    """The knowledge that a seat may have, as a trie: a class is another class plus one fact.

    ``table``: int32, a hash table of classes (0: free; class 0 belongs to nobody). Shape (room,): ``parent``,
    ``fact``: int32; ``information_set``: int32, the information set of a class, or -1.
    """

    table: Numbers
    parent: Numbers
    fact: Numbers
    information_set: Numbers


class Sets(NamedTuple):
    """Information sets in the order in which they were found.

    int32, shape (room,): the seat, the number of actions, the seat's last sequence before, the first of the set's
    own sequences, the class, the first node. ``counts``: int64, shape (seats,): the number of sequences of every
    seat.
    """

    seat: Numbers
    actions: Numbers
    parent: Numbers
    sequence: Numbers
    known: Numbers
    node: Numbers
    counts: Ints


@kernel
def slot_of(classes: Classes, known: Any, fact: Any) -> Any:
    """Returns the slot of the class that adds a fact to another class, or the free slot where it belongs."""
    mask = classes.table.size - 1
    h = (np.uint64(known) * np.uint64(0x9E3779B97F4A7C15)) ^ (np.uint64(fact) * np.uint64(0xC2B2AE3D27D4EB4F))
    h ^= h >> np.uint64(29)
    h *= np.uint64(0xBF58476D1CE4E5B9)
    at = np.int64(h >> np.uint64(32)) & mask
    while True:
        found = classes.table[at]
        if found == 0 or (classes.parent[found] == known and classes.fact[found] == fact):
            return at
        at = (at + 1) & mask


@kernel
def fill(classes: Classes, begin: Any, end: Any) -> None:
    """Enters these classes in the table."""
    for c in range(begin, end):
        classes.table[slot_of(classes, classes.parent[c], classes.fact[c])] = c


@kernel
def unfold(graph: Edges, nodes: Nodes, classes: Classes, sets: Sets, totals: Ints, begin: Any) -> Any:
    """Appends the children of all nodes from ``begin`` on. Returns how far it got, and why it stopped.

    ``ROOM``: the arrays of classes or sets must grow; ``UNLIKE``: a node differs from another one of its
    information set.
    """
    seats, first = graph.seats, graph.first
    state, parents, first_child, chance, information_set = (
        nodes.state, nodes.parent, nodes.first_child, nodes.chance, nodes.information_set,
    )  # fmt: skip
    known, sequences = nodes.classes, nodes.sequences
    players = known.shape[1]
    total = state.shape[0]
    n, c, m = totals[NODES], totals[CLASSES], totals[SETS]
    for i in range(begin, total):
        s = state[i]
        seat, degree = seats[s], first[s + 1] - first[s]
        if c + graph.need[s] > classes.parent.shape[0] or m + 1 > sets.seat.shape[0]:
            totals[NODES], totals[CLASSES], totals[SETS] = n, c, m
            return i, ROOM
        first_child[i] = n
        own = 0
        if seat >= 0:
            mine = known[i, seat]
            found = classes.information_set[mine]
            if found < 0:
                found = m
                classes.information_set[mine] = m
                sets.seat[m], sets.actions[m], sets.known[m], sets.node[m] = seat, degree, mine, i
                sets.parent[m], sets.sequence[m] = sequences[i, seat], sets.counts[seat]
                sets.counts[seat] += degree
                m += 1
            elif sets.actions[found] != degree or sets.parent[found] != sequences[i, seat]:
                return i, UNLIKE
            information_set[i] = found
            own = sets.sequence[found]
        for e in range(first[s], first[s + 1]):
            state[n], parents[n], chance[n] = graph.target[e], i, chance[i] * graph.odds[e]
            for p in range(players):
                mine = known[i, p]
                label = graph.labels[e, p]
                for k in range(graph.label_first[label], graph.label_first[label + 1]):
                    fact = graph.label_facts[k]
                    at = slot_of(classes, mine, fact)
                    if classes.table[at] == 0:
                        classes.table[at] = c
                        classes.parent[c], classes.fact[c] = mine, fact
                        c += 1
                    mine = classes.table[at]
                known[n, p] = mine
                sequences[n, p] = sequences[i, p]
            if seat >= 0:
                sequences[n, seat] = own + e - first[s]
            n += 1
    totals[NODES], totals[CLASSES], totals[SETS] = n, c, m
    return total, DONE
