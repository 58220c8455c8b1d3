"""The edges between states: stored by the engine's explorer, regenerated on demand by the compiled one."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property

import numpy as np

from gamedsl.lab.base import Clock, Ints, Numbers
from gamedsl.lab.explore.checkpoint import Resumed
from gamedsl.lab.explore.kernels.hash_table import look_up
from gamedsl.lab.explore.native_store import NativeStore
from gamedsl.lab.explore.state_table import numbered
from gamedsl.lab.explore.workspace import Work
from gamedsl.lab.symmetry import SymmetrySteps
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class Kept:
    """Edges stored in arrays (see ``Graph``)."""

    first: Numbers
    target: Numbers
    weight: Ints | None

    def action(self, i: int, j: int) -> int:
        found = np.flatnonzero(self.target[self.first[i] : self.first[i + 1]] == j)
        return int(found[0]) if len(found) else -1


@lazy_dataclass()
class Made:
    """Edges that compiled rules regenerate when first needed.

    ``levels``: the number of the first state of each level, if every edge leads from one level to the next;
    otherwise ``table`` has the numbers of all states.
    """

    store: NativeStore
    steps: SymmetrySteps
    expanded: int
    edge_count: int
    levels: list[int] | None
    table: Numbers
    has_chance: bool
    resumed: Resumed | None = None
    clock: Clock = field(default_factory=Clock)

    @property
    def first(self) -> Numbers:
        return self._arrays[0]

    @property
    def target(self) -> Numbers:
        return self._arrays[1]

    @property
    def weight(self) -> Ints | None:
        return self._arrays[2] if self.has_chance else None

    def action(self, i: int, j: int) -> int:
        work = Work.of(self.store, self.steps)
        _, bad = work.generate(i, i + 1)
        rows = work.rows[: work.counts[0]]
        same = (rows == self.store.words[j]).all(axis=1)
        if bad:
            same &= work.wrong[: work.counts[0]] == 0
        found = np.flatnonzero(same)
        return int(found[0]) if len(found) else -1

    @cached_property
    def _arrays(self) -> tuple[Ints, Numbers, Ints]:
        self.work = Work.of(self.store, self.steps, weights=self.has_chance)
        found = (
            np.zeros(self.expanded + 1, dtype=np.int64),
            np.empty(self.edge_count, dtype=np.int32),
            np.empty(self.edge_count if self.has_chance else 0, dtype=np.int64),
        )
        if self.levels is None:
            self._link(found, 0, self.expanded, 0)
        else:
            ends = [*self.levels[1:], len(self.store), len(self.store)]
            for depth, begin in enumerate(self.levels):
                self.table = numbered(self.store, ends[depth], ends[depth + 1])
                self._link(found, begin, min(ends[depth], self.expanded), ends[depth])
        self.table = np.zeros((1, 0), dtype=np.uint32)
        if found[0][-1] != self.edge_count:
            raise self._unlike()
        return found

    def _unlike(self) -> Exception:
        """Returns the error that the edges differ from those counted during the exploration."""
        if self.resumed is None:
            return AssertionError("expanding a state again gave other edges")
        return self.resumed.refused("some successors are missing from it")

    def _link(self, found: tuple[Ints, Numbers, Ints], begin: int, end: int, base: int) -> None:
        """Links the edges of some states, all of which lead to states in the table. Raises ``OutOfTime``."""
        (first, target, weight), work = found, self.work
        while begin < end:
            self.clock.check()
            upto, bad = work.generate(begin, end)
            first[begin + 1 : upto + 1] = first[begin] + np.cumsum(work.counts[: upto - begin])
            edges = slice(int(first[begin]), int(first[upto]))
            n = edges.stop - edges.start
            if edges.stop > self.edge_count:
                raise self._unlike()
            look_up(self.table, self.store.words, base, work.rows, n, target[edges])
            wrong = work.wrong[:n] != 0 if bad else np.zeros(n, dtype=bool)
            if (target[edges][~wrong] < 0).any():
                raise self._unlike()
            target[edges][wrong] = -1
            if self.has_chance:
                weight[edges] = work.made.weights[:n]
            begin = upto
