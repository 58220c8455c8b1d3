"""Monte Carlo counterfactual regret minimization: the solver that owns the arrays, and its threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Literal

import numpy as np

from gamedsl.lab.equilibrium.expansion import CHANCE, END
from gamedsl.lab.equilibrium.kernels import sample_log as samples
from gamedsl.lab.equilibrium.kernels import sampling_kernel as k
from gamedsl.lab.equilibrium.profile import Profile
from gamedsl.lab.equilibrium.sequences import SequenceForm

Sampling = Literal["external", "outcome"]
METHODS: dict[Sampling, int] = {"external": k.EXTERNAL, "outcome": k.OUTCOME}
FIRST_ROOM = 1 << 10  # entries of a log
SHARE = 32  # iterations of a batch that justify a thread


class SampledRegretMinimizer:
    """MCCFR with external or outcome sampling. The average strategies approach an equilibrium of a duel
    (``SequenceForm.is_duel``), almost surely; in other games nothing is guaranteed.

    One seed gives one result, with any number of threads, and with stops at any iteration.
    """

    def __init__(self, form: SequenceForm, method: Sampling = "external", *, seed: int = 0, threads: int = 1) -> None:
        self.form, self.method, self.seed, self.threads = form, method, seed, threads
        n, sets = form.sequences, len(form.forms.first)
        self.paths = paths_of(form)
        self.sums = samples.Sums(
            np.zeros(n), Profile.uniform(form).strategy, np.zeros(n), np.zeros(sets, np.int32), np.zeros(sets, np.int8),
            np.zeros(1, np.int64), np.array([0, 0, 1], np.int64),
        )  # fmt: skip
        self.logs = [_log(self.paths, FIRST_ROOM) for _ in range(threads)]

    @property
    def iterations(self) -> int:
        """The number of iterations so far; each draws a sample for every seat."""
        return int(self.sums.clock[0])

    @property
    def average(self) -> Profile:
        """The average strategies so far."""
        return Profile.of_plans(self.form, self.sums.total)

    def run(self, iterations: int) -> None:
        """Runs this many further iterations. Releases the GIL."""
        end = self.iterations + iterations
        if self.threads == 1:
            self._alone(end)
            return
        with ThreadPoolExecutor(self.threads) as pool:
            while self.iterations < end:
                stop = min(end, int(self.sums.clock[2]))
                if stop - self.iterations < SHARE * self.threads:
                    self._alone(stop)
                else:
                    self._together(stop, pool)

    def _alone(self, end: int) -> None:
        while not k.run(self.paths, self.sums, self.logs[0], METHODS[self.method], self.seed, end):
            self.logs[0] = _grown(self.paths, self.logs[0])

    def _together(self, end: int, pool: ThreadPoolExecutor) -> None:
        """Finishes a batch, with a share of it for each thread."""
        cuts = np.linspace(self.iterations, end, self.threads + 1).astype(int).tolist()
        list(pool.map(self._share, range(self.threads), cuts, cuts[1:]))
        for log in self.logs:
            samples.apply(self.paths, self.sums, log)
        self.sums.clock[0] = end
        if end == self.sums.clock[2]:
            samples.next_batch(self.paths, self.sums)

    def _share(self, thread: int, begin: int, end: int) -> None:
        while begin < end:
            log = self.logs[thread]
            begin = k.sample(self.paths, self.sums.strategy, log, METHODS[self.method], self.seed, begin, end)
            if begin < end:
                self.logs[thread] = _grown(self.paths, log)


def paths_of(form: SequenceForm) -> k.Paths:
    """The tree of a sequence form, in the form that the samplers take."""
    tree, graph, forms = form.tree, form.tree.graph, form.forms
    number_of = np.empty(len(form.order), np.int32)
    number_of[form.order] = np.arange(len(form.order))
    seats = tree.seats
    acts = tree.information_set >= 0
    nodes = np.empty((len(tree), 3), np.int32)
    nodes[:, 0] = np.where(seats == END, k.END, k.CHANCE)
    nodes[acts, 0] = number_of[tree.information_set[acts]]
    nodes[:, 1] = np.where(seats == END, tree.state, tree.first_child)
    nodes[:, 2] = np.diff(graph.first)[tree.state]
    odds = np.ones(len(tree))
    parents = tree.parent[1:]
    odds[1:] = graph.odds[graph.first[tree.state[parents]] + np.arange(1, len(tree)) - tree.first_child[parents]]
    assert bool((acts == (seats > CHANCE)).all())
    return k.Paths(nodes, odds, tree.sets.seat[form.order].astype(np.int8), forms.first, forms.actions, graph.results)


def _log(paths: k.Paths, room: int) -> samples.Log:
    """An empty log. A path never has more plies than there are sets."""
    plies, most = len(paths.first) + 1, int(paths.actions.max(initial=1))
    return samples.Log(
        np.zeros((plies, 3), np.int32), np.zeros((plies, 3)), np.zeros(plies + int(paths.actions.sum())),
        np.zeros(room, np.int32), np.zeros(room), np.zeros(room, np.int32), np.zeros(room * most),
        np.zeros(3, np.int64), np.zeros(1, np.uint64),
    )  # fmt: skip


def _grown(paths: k.Paths, log: samples.Log) -> samples.Log:
    """The log with twice the room and the same contents."""
    new = _log(paths, 2 * len(log.sets))
    for one, other in zip(new[3:7], log[3:7], strict=True):
        one[: len(other)] = other
    new.counts[:] = log.counts
    return new
