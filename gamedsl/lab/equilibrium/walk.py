"""A tree prepared for passes over all its histories."""

from __future__ import annotations

import numpy as np

from gamedsl.lab.base import Ints
from gamedsl.lab.equilibrium.expansion import CHANCE, END
from gamedsl.lab.equilibrium.kernels.history_kernel import Walk, preorder
from gamedsl.lab.equilibrium.sequences import SequenceForm


def walk_of(form: SequenceForm) -> Walk:
    """The tree of a sequence form, in the form that the loops take."""
    tree, graph, forms = form.tree, form.tree.graph, form.forms
    inner = np.flatnonzero(tree.seats != END)
    degrees = np.diff(graph.first)[tree.state[inner]]
    first_of = np.full(len(forms.first), -1, np.int32)
    first_of[form.order] = forms.first
    sequence = np.where(tree.information_set[inner] >= 0, first_of[tree.information_set[inner]], -1)
    odds = np.ones(len(tree))
    odds[1:] = graph.odds[_edges_to(form)]
    own, own_first = _own_nodes(form, inner)
    before = tree.sequences[inner[own]] + forms.sequence_first[:-1]
    return Walk(
        inner.astype(np.int32), tree.first_child[inner].astype(np.int32), degrees.astype(np.int32),
        sequence.astype(np.int32), odds, own_first, own.astype(np.int32), tree.chance[inner[own]],
        np.ascontiguousarray(before.T, dtype=np.int32), np.ascontiguousarray(graph.results[tree.state].T),
    )  # fmt: skip


def _edges_to(form: SequenceForm) -> Ints:
    """The edge of the state graph that leads to every node but the first."""
    tree = form.tree
    parents = tree.parent[1:]
    found: Ints = tree.graph.first[tree.state[parents]] + np.arange(1, len(tree)) - tree.first_child[parents]
    return found


def _own_nodes(form: SequenceForm, inner: Ints) -> tuple[Ints, Ints]:
    """The inner nodes of every seat, by their indices among the inner nodes, and where each seat's nodes begin."""
    tree = form.tree
    at = np.zeros(len(tree), np.int64)
    preorder(tree.parent, np.zeros(len(tree), np.int64), at)
    seats = tree.seats[inner]
    order = np.lexsort((at[inner], seats))
    own = order[seats[order] != CHANCE]
    counts = np.bincount(seats[own], minlength=tree.players)
    return own, np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
