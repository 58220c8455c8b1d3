"""Monte Carlo counterfactual regret minimization for games whose tree is too large to hold.

The samples are those of ``mccfr``: the same seed gives the same regrets. Only the states and information sets that
samples have met are held. See ``kernels.graph_sampling``.
"""

from __future__ import annotations

from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path

import numpy as np

from gamedsl.compiler import Reals
from gamedsl.engine import Noticed, State, key_after
from gamedsl.lab.base import Clock, Ints
from gamedsl.lab.equilibrium.expansion import Results, utilities
from gamedsl.lab.equilibrium.growing_graph import GrowingGraph
from gamedsl.lab.equilibrium.kernels import graph_sampling as k
from gamedsl.lab.equilibrium.kernels import sample_log as samples
from gamedsl.lab.equilibrium.kernels.unfold import Classes, fill
from gamedsl.lab.equilibrium.mccfr import METHODS, SHARE, Sampling
from gamedsl.lab.explore import longer, refused

START = 1 << 12  # initial room for classes, sets and sequences
FIRST_ROOM = 1 << 10  # entries of a log
PLIES = 64  # initial room for the seat's decisions on a path
POSITIONS = 2_000_000  # at most, unless a limit is given
CLASSES, SETS, SEQUENCES = range(3)


class GraphSampler:
    """MCCFR over the states that samples meet. One seed gives one result, with any number of threads and stops.

    ``limit``: the number of states to hold. ``stopped``: why ``run`` ended before its iterations: "positions" (the
    limit), "time", or empty.
    """

    def __init__(
        self,
        start: State,
        method: Sampling = "external",
        *,
        seed: int = 0,
        threads: int = 1,
        limit: int = POSITIONS,
        results: Results = utilities,
    ) -> None:
        self.start, self.game, self.method, self.seed, self.threads = start, start.game, method, seed, threads
        self.limit, self.stopped = limit, ""
        self.resumed: Path | None = None  # the checkpoint that it resumes
        self.graph = GrowingGraph(start, results)
        players = self.game.num_players
        self.classes = Classes(
            np.zeros(2 * START, np.int32), np.zeros(START, np.int32), np.zeros(START, np.int32), np.full(START, -1, np.int32)
        )  # fmt: skip
        self.sets = k.GrownSets(
            np.zeros(START, np.int32), np.zeros(START, np.int32), np.zeros(START, np.int8), np.zeros(START, np.int32),
            np.zeros(START, np.int32), np.array([players + 1, 0, 0], np.int64),
        )  # fmt: skip
        self.sums = samples.Sums(
            np.zeros(START), np.zeros(START), np.zeros(START), np.zeros(START, np.int32), np.zeros(START, np.int8),
            np.zeros(1, np.int64), np.array([0, 0, 1], np.int64),
        )  # fmt: skip
        begun = [self._begun(p + 1, facts) for p, facts in enumerate(self.graph.states.at_first())]
        self.begun = np.array(begun, np.int32)
        self.logs = [_log(FIRST_ROOM) for _ in range(threads)]
        self.walks = [self._walk(log) for log in self.logs]

    # ---------------------------------------------------------------------------------------------------- results

    @property
    def iterations(self) -> int:
        """The number of iterations so far; each draws a sample for every seat."""
        return int(self.sums.clock[0])

    def __len__(self) -> int:
        """The number of information sets met."""
        return int(self.sets.totals[SETS])

    @property
    def strategy(self) -> Reals:
        """The average strategies so far, shape (sequences,); uniform where a seat never came by its own strategy."""
        n = int(self.sets.totals[SEQUENCES])
        first, actions = self.sets.first[: len(self)], self.sets.actions[: len(self)]
        total = self.sums.total[:n]
        whole = np.repeat(np.add.reduceat(total, first), actions) if n else total
        return np.where(whole > 0, total / np.where(whole > 0, whole, 1), 1 / np.repeat(actions, actions))

    @property
    def regret_bound(self) -> float | None:
        """An upper estimate of the NashConv of the average strategies of a duel.

        The sum over all information sets of the largest regret, per iteration (Zinkevich et al. 2007, theorems 2
        and 3; sampled regrets are unbiased, and the largest of them is too large on average). It counts the sets
        that were met. None before the first iteration, and for outcome sampling, whose regrets are far too noisy.
        """
        n = int(self.sets.totals[SEQUENCES])
        if self.method == "outcome" or not self.iterations:
            return None
        best = np.maximum.reduceat(self.sums.regret[:n], self.sets.first[: len(self)])
        return float(np.maximum(best, 0).sum()) / self.iterations

    def facts(self, known: int) -> list[Noticed]:
        """The facts of a class, in the order in which the seat noticed them."""
        found = []
        while known > self.game.num_players:
            found.append(self.graph.states.facts.noticed[self.classes.fact[known]])
            known = int(self.classes.parent[known])
        return found[::-1]

    def actions(self, number: int) -> list[int]:
        """The numbers of the actions of an information set, ascending."""
        return self.graph.actions(int(self.sets.state[number]))

    def key(self, number: int) -> str:
        """The key of an information set (``InformationState.key``)."""
        key = self.game.digest
        for fact in self.facts(int(self.sets.known[number])):
            key = key_after(key, fact)
        return key

    # ------------------------------------------------------------------------------------------------- iterations

    def run(self, iterations: int, clock: Clock | None = None) -> None:
        """Runs this many further iterations; fewer if ``stopped`` gives a reason. Raises the errors of the rules."""
        end, clock = self.iterations + iterations, clock or Clock()
        self.stopped = ""
        k.give_up(self.walks[0], self.logs[0])
        with ThreadPoolExecutor(self.threads) as pool:
            while self.iterations < end and not self.stopped:
                stop = min(end, int(self.sums.clock[2]))
                if self.threads == 1 or stop - self.iterations < SHARE * self.threads:
                    self._alone(stop, clock)
                else:
                    self._together(stop, pool, clock)

    def _growing(self, thread: int, adds: bool) -> k.Growing:
        walk = self.walks[thread]
        walk.adds[0] = adds
        return k.Growing(self.graph.world, self.classes, self.sets, walk)

    def _alone(self, end: int, clock: Clock) -> None:
        while not self.stopped:
            why = k.run(self._growing(0, True), self.sums, self.logs[0], METHODS[self.method], self.seed, end)
            if why == k.DONE:
                return
            self._provide(why, 0, clock)

    def _together(self, end: int, pool: Executor, clock: Clock) -> None:
        """Finishes a batch, with a share of it for each thread.

        Threads add nothing: if something is missing, it is added first, in the order of the iterations, and the
        samples are drawn again.
        """
        cuts = np.linspace(self.iterations, end, self.threads + 1).astype(int).tolist()
        while not self.stopped:
            missing = list(pool.map(self._share, range(self.threads), cuts, cuts[1:]))
            if all(t == stop for t, stop in zip(missing, cuts[1:], strict=True)):
                break
            for walk, log in zip(self.walks, self.logs, strict=True):
                k.give_up(walk, log)
            for begin, stop in zip(missing, cuts[1:], strict=True):
                self._add(begin, stop, clock)
        if self.stopped:
            return
        for log in self.logs:
            samples.apply(self.sets, self.sums, log)
        self.sums.clock[0] = end
        if end == self.sums.clock[2]:
            samples.next_batch(self.sets, self.sums)

    def _share(self, thread: int, begin: int, end: int) -> int:
        """Samples until something is missing. Returns the next iteration."""
        while begin < end:
            growing = self._growing(thread, False)
            begin, why = k.sample(growing, self.sums, self.logs[thread], METHODS[self.method], self.seed, begin, end)
            if why == k.SHORT:
                self._lengthen(thread)
            elif why != k.DONE:
                break
        return begin

    def _add(self, begin: int, end: int, clock: Clock) -> None:
        """Adds the states and sets that these iterations meet, and discards their samples."""
        while begin < end and not self.stopped:
            growing = self._growing(0, True)
            begin, why = k.sample(growing, self.sums, self.logs[0], METHODS[self.method], self.seed, begin, begin + 1)
            if why != k.DONE:
                self._provide(why, 0, clock)
            else:
                self.logs[0].counts[:] = 0
        k.give_up(self.walks[0], self.logs[0])

    # ----------------------------------------------------------------------------------------------------- growth

    def _provide(self, why: int, thread: int, clock: Clock) -> None:
        if why == k.STATE:
            if len(self.graph) >= self.limit:
                self.stopped = "positions"
            elif clock.is_over:
                self.stopped = "time"
            else:
                self.graph.expand(int(self.walks[thread].place[0]))
        elif why == k.ROOM:
            self._grow(self.sets.totals)
        else:
            if why == k.UNLIKE and self.resumed is not None:
                raise refused(self.resumed, "its information sets are not those of this game")
            assert why == k.SHORT, "histories that a seat cannot tell apart have the same actions"
            self._lengthen(thread)

    def make_room(self, classes: int, sets: int, sequences: int) -> None:
        """Makes room for at least this many."""
        needed = np.array([classes, sets, sequences], np.int64)
        while classes > len(self.classes.parent) or sets > len(self.sets.first) or sequences > len(self.sums.regret):
            self._grow(needed)

    def _grow(self, needed: Ints) -> None:
        """Doubles the room of everything that would be more than half full."""
        totals, old, sets, sums = self.sets.totals, self.classes, self.sets, self.sums
        if 2 * needed[CLASSES] > len(old.parent):
            room = longer(old.parent), longer(old.fact), longer(old.information_set)
            self.classes = Classes(np.zeros(2 * len(room[0]), np.int32), *room)
            fill(self.classes, self.game.num_players + 1, int(totals[CLASSES]))
        if 2 * needed[SETS] > len(sets.first):
            self.sets = k.GrownSets(
                longer(sets.first),
                longer(sets.actions),
                longer(sets.seat),
                longer(sets.known),
                longer(sets.state),
                totals,
            )
            mark = longer(sums.mark)
            mark[len(sums.mark) :] = 0
            self.sums = self.sums._replace(changed=longer(sums.changed), mark=mark)
        if 2 * needed[SEQUENCES] > len(sums.regret):
            self.sums = self.sums._replace(
                regret=_zeros_after(sums.regret), strategy=_zeros_after(sums.strategy), total=_zeros_after(sums.total)
            )

    def _lengthen(self, thread: int) -> None:
        self.logs[thread] = _grown(self.logs[thread])
        self.walks[thread] = self._walk(self.logs[thread])

    def _walk(self, log: samples.Log) -> k.Walk:
        players = self.game.num_players
        return k.Walk(
            self.begun, np.zeros(players, np.int32), np.zeros((len(log.at), players), np.int32),
            np.zeros(k.PLACE, np.int64), np.zeros(1, np.int8),
        )  # fmt: skip

    def _begun(self, known: int, facts: tuple[int, ...]) -> int:
        """Returns the class of a seat that knows these facts at the start, adding it."""
        for fact in facts:
            new = int(self.sets.totals[CLASSES])
            if new == len(self.classes.parent):
                self._grow(self.sets.totals)
            self.classes.parent[new], self.classes.fact[new] = known, fact
            fill(self.classes, new, new + 1)
            self.sets.totals[CLASSES] += 1
            known = new
        return known


def _zeros_after(array: Reals) -> Reals:
    new = longer(array)
    new[len(array) :] = 0
    return new


def _log(room: int, plies: int = PLIES) -> samples.Log:
    return samples.Log(
        np.zeros((plies, 4), np.int32), np.zeros((plies, 3)), np.zeros(room), np.zeros(room, np.int32), np.zeros(room),
        np.zeros(room, np.int32), np.zeros(room), np.zeros(3, np.int64), np.zeros(1, np.uint64),
    )  # fmt: skip


def _grown(log: samples.Log) -> samples.Log:
    """The log with more room and the same contents."""
    new = _log(2 * len(log.deltas), 2 * len(log.at))
    for one, other in zip(new[3:7], log[3:7], strict=True):
        one[: len(other)] = other
    new.counts[:] = log.counts
    return new
