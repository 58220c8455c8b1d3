"""The sequence form of a game tree: the utilities of the sequences of a seat's own actions, without the tree.

B. von Stengel, "Efficient Computation of Behavior Strategies", Games and Economic Behavior 14, 1996.

With perfect recall a seat's own actions so far follow from its information set. So a behavior strategy is
equivalent to a realization plan: a number for every sequence, the product of the probabilities of its actions. Ends
with the same sequences of all seats are one entry, with their utilities summed, weighted by chance.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from gamedsl.compiler import Reals
from gamedsl.lab.base import Ints, Numbers
from gamedsl.lab.equilibrium.play_tree import GameTree
from gamedsl.language.source import lazy_dataclass


class Forms(NamedTuple):
    """Sequences and information sets of all seats, seat by seat, in the form that the kernels take.

    ``sequence_first``, ``set_first``: int64, shape (seats + 1,): seat p has the sequences from
    ``sequence_first[p]`` on, the empty one first, and likewise the sets, each after those before it. int32, shape
    (sets,): ``first``: a set's first sequence; ``actions``: their number; ``parent``: the sequence that leads to
    the set.

    Entries of seat p's sequence s: ``row[s]`` to ``row[s + 1]`` of ``payoff``, float64, and ``others``: int32, shape
    (seats - 1, entries): the sequences of the others.
    """

    sequence_first: Ints
    set_first: Ints
    first: Numbers
    actions: Numbers
    parent: Numbers
    row: Ints
    payoff: Reals
    others: Numbers


@lazy_dataclass(frozen=True)
class SequenceForm:
    """The sequence form of ``tree``. ``order``: the number in the tree of every set in ``forms``.

    ``ends``: int32, shape (entries, seats): the sequences; ``payoffs``: float64, shape (entries, seats).
    """

    tree: GameTree
    forms: Forms
    order: Ints
    ends: Numbers
    payoffs: npt.NDArray[np.float64]

    @property
    def players(self) -> int:
        return self.tree.players

    @property
    def sequences(self) -> int:
        """The number of sequences of all seats together."""
        return int(self.forms.sequence_first[-1])

    @cached_property
    def constant_sum(self) -> float | None:
        """The sum of all seats' utilities, if it is the same at every end; None if not."""
        sums = self.tree.graph.results[self.tree.state[self.tree.ends]].sum(axis=1)
        return float(sums[0]) if len(sums) and np.ptp(sums) < 1e-9 else None

    @property
    def is_duel(self) -> bool:
        """Whether there are two seats whose utilities always have the same sum."""
        return self.players == 2 and self.constant_sum is not None

    def sets_of(self, seat: int) -> slice:
        """The numbers of the sets of a seat in ``forms``."""
        return slice(int(self.forms.set_first[seat]), int(self.forms.set_first[seat + 1]))


def sequence_form(tree: GameTree) -> SequenceForm:
    """The sequence form of a tree."""
    sets, players = tree.sets, tree.players
    order = np.argsort(sets.seat, kind="stable")
    starts = np.concatenate([[0], np.cumsum(tree.sequence_counts)]).astype(np.int64)
    base = starts[sets.seat[order]]
    set_first = np.concatenate([[0], np.cumsum(np.bincount(sets.seat, minlength=players))]).astype(np.int64)
    first, parent = (base + sets.sequence[order]).astype(np.int32), (base + sets.parent[order]).astype(np.int32)
    ends, payoffs = _merged(tree)
    ends = (ends + starts[:-1]).astype(np.int32)
    row, payoff, others = _rows(ends, payoffs, int(starts[-1]))
    actions = sets.actions[order].astype(np.int32)
    forms = Forms(starts, set_first, first, actions, parent, row, payoff, others)
    return SequenceForm(tree, forms, order.astype(np.int64), ends, payoffs)


def _merged(tree: GameTree) -> tuple[Numbers, npt.NDArray[np.float64]]:
    """The distinct combinations of sequences at ends, and the sums of their utilities times the odds."""
    worth = tree.graph.results[tree.state[tree.ends]] * tree.chance[tree.ends, None]
    ends, at = np.unique(tree.sequences[tree.ends], axis=0, return_inverse=True)
    at = at.reshape(-1)
    return ends, np.stack([np.bincount(at, w, len(ends)) for w in worth.T], axis=1)


def _rows(ends: Numbers, payoffs: npt.NDArray[np.float64], sequences: int) -> tuple[Ints, Reals, Numbers]:
    """The entries by the sequence of each seat in turn, as ``row``, ``payoff`` and ``others`` of ``Forms``."""
    players = ends.shape[1]
    counts, worth, others = np.zeros(sequences, np.int64), [], []
    for p in range(players):
        of_others = np.delete(ends, p, axis=1)
        order = np.lexsort((*of_others.T[::-1], ends[:, p]))
        kept = order[payoffs[order, p] != 0]
        counts += np.bincount(ends[kept, p], minlength=sequences)
        worth.append(payoffs[kept, p])
        others.append(of_others[kept].T)
    row = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return row, np.concatenate(worth), np.ascontiguousarray(np.concatenate(others, axis=1), dtype=np.int32)
