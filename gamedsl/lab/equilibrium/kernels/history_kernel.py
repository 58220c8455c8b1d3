"""Counterfactual regret minimization with one pass over all histories per update: the textbook's recursion, in a loop.

The results are those of ``kernels.regret`` except for rounding. Here every history adds to the regrets by itself,
in the order of a depth-first walk. If actions are equally good, rounding decides which one is played, and small
differences grow over hundreds of iterations. Published curves therefore agree with this order to the last digits,
and with the other order for the first hundred iterations.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from gamedsl.compiler import Reals, kernel
from gamedsl.lab.base import Ints, Numbers
from gamedsl.lab.equilibrium.kernels.regret import Regrets, match
from gamedsl.lab.equilibrium.sequences import Forms


class Walk(NamedTuple):
    """A tree in the form that the loops take.

    Shape (inner nodes,), parents first: ``node``, ``child`` int32: the first child; ``degree`` int32; ``sequence``
    int32: the sequence of the first action (-1: chance acts). ``odds``: float64, shape (nodes,): of the chance
    event that leads to a node.

    ``own_first``: int64, shape (seats + 1,): seat p's inner nodes are ``own_first[p]`` to ``own_first[p + 1]`` of
    ``own``, in the order of a depth-first walk. Per entry of ``own``: ``chance`` float64, and ``before``: int32,
    shape (seats, entries): the last sequence of every seat. ``worth``: float64, shape (seats, nodes): utilities at
    ends; room elsewhere.
    """

    node: Numbers
    child: Numbers
    degree: Numbers
    sequence: Numbers
    odds: Reals
    own_first: Ints
    own: Numbers
    chance: Reals
    before: Numbers
    worth: Reals


@kernel
def preorder(parent: Numbers, sizes: Ints, out: Ints) -> None:
    """Writes the place of every node in a depth-first walk. ``sizes``: room for the sizes of all subtrees."""
    sizes[:] = 1
    for i in range(parent.size - 1, 0, -1):
        sizes[parent[i]] += sizes[i]
    out[0] = 0
    free = 1
    for i in range(1, parent.size):
        free = out[parent[i]] + 1 if i == 1 or parent[i] != parent[i - 1] else free + sizes[i - 1]
        out[i] = free


@kernel
def values(walk: Walk, seat: Any, strategy: Reals) -> None:
    """Writes the value of every node for a seat, from the ends to the start."""
    worth, odds = walk.worth, walk.odds
    for j in range(walk.node.size - 1, -1, -1):
        first, value = walk.child[j], 0.0
        s = walk.sequence[j]
        if s < 0:
            for c in range(first, first + walk.degree[j]):
                value += odds[c] * worth[seat, c]
        else:
            for k in range(walk.degree[j]):
                value += strategy[s + k] * worth[seat, first + k]
        worth[seat, walk.node[j]] = value


@kernel
def add_regrets(walk: Walk, seat: Any, regrets: Regrets) -> None:
    """Adds the regrets of a seat, history by history, weighted by the probability that chance and the other seats
    contribute.
    """
    worth, regret, plan = walk.worth, regrets.regret, regrets.plan
    for m in range(walk.own_first[seat], walk.own_first[seat + 1]):
        j = walk.own[m]
        reach = 1.0
        for p in range(walk.before.shape[0]):
            if p != seat:
                reach *= plan[walk.before[p, m]]
        reach *= walk.chance[m]
        first, s, value = walk.child[j], walk.sequence[j], worth[seat, walk.node[j]]
        for k in range(walk.degree[j]):
            regret[s + k] += reach * (worth[seat, first + k] - value)


@kernel
def iterate_histories(walk: Walk, forms: Forms, regrets: Regrets, begin: Any, end: Any, is_plus: Any) -> None:
    """Runs iterations like ``kernels.regret.iterate``."""
    for t in range(begin, end):
        weight = float(t) if is_plus else 1.0
        for seat in range(forms.set_first.shape[0] - 1):
            sequences = range(forms.sequence_first[seat], forms.sequence_first[seat + 1])
            for s in sequences:
                regrets.total[s] += weight * regrets.plan[s]
            values(walk, seat, regrets.strategy)
            add_regrets(walk, seat, regrets)
            if is_plus:
                for s in sequences:
                    regrets.regret[s] = max(0.0, regrets.regret[s])
            match(forms, seat, regrets)
