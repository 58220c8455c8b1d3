"""Parallel exploration by threads; see ``kernels.thread_kernel``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import field
from typing import Any, TypeVar

import numpy as np

from gamedsl.lab.base import Ints
from gamedsl.lab.explore.kernels.expansion_kernel import DONE, UNLIKE
from gamedsl.lab.explore.kernels.thread_kernel import claim, number, number_rows
from gamedsl.lab.explore.state_arrays import Visited
from gamedsl.lab.explore.workspace import Work
from gamedsl.lab.symmetry import SymmetrySteps
from gamedsl.language.source import lazy_dataclass

SHARE = 1 << 14  # states that a thread expands at once
T = TypeVar("T")
R = TypeVar("R")


@lazy_dataclass(frozen=True)
class _Share:
    """One thread's states, from ``begin`` to ``end``, and their successors: the rows ``own`` of all new rows."""

    work: Work
    begin: int
    end: int
    bad: bool
    own: slice

    @property
    def counts(self) -> Ints:
        return self.work.counts[: self.end - self.begin]

    @property
    def rows(self) -> Ints:
        return self.work.rows[: self.own.stop - self.own.start]


@lazy_dataclass()
class Together:
    """Inserts the successors of a range of states with several threads."""

    found: Visited
    steps: SymmetrySteps
    threads: int
    works: list[Work] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.pool = ThreadPoolExecutor(self.threads)
        self.fresh, self.places = np.empty(0, dtype=np.bool_), np.empty(0, dtype=np.int64)

    def close(self) -> None:
        self.pool.shutdown()

    def _all(self, do: Callable[[T], R], things: Iterable[T]) -> list[R]:
        return list(self.pool.map(do, things))

    def expand(self, end: int) -> int:
        """Expands the next states of a search up to ``end``, or fewer. Returns why it stopped."""
        s = self.found
        shares = self._ways_on(s.expanded, end)
        total = shares[-1].own.stop
        s.room_for(total, end - s.expanded)
        self._look_up(shares, int(s.totals[0]))
        new = [int(np.count_nonzero(self.fresh[share.own])) for share in shares]
        if any(share.bad for share in shares) or s.totals[0] + sum(new) > s.most:
            return self._number(shares, int(s.totals[0]))
        return self._settle(shares, new)

    def _ways_on(self, begin: int, end: int) -> list[_Share]:
        share = -(-(end - begin) // self.threads)
        spans = [(b, min(end, b + share)) for b in range(begin, end, share)]
        while len(self.works) < len(spans):
            self.works.append(Work.of(self.found.store, self.steps, SHARE, 8 * SHARE))
        todo = list(zip(self.works, spans, strict=False))
        bad = self._all(lambda t: t[0].generate_all(*t[1]), todo)
        found, at = list[_Share](), 0
        for (work, (b, e)), wrong in zip(todo, bad, strict=True):
            rows = int(work.counts[: e - b].sum())
            found.append(_Share(work, b, e, wrong, slice(at, at + rows)))
            at += rows
        return found

    def _look_up(self, shares: list[_Share], tail: int) -> None:
        """Determines which rows are new."""

        s, total = self.found, shares[-1].own.stop
        if total > len(self.fresh):
            self.fresh, self.places = np.empty(2 * total, dtype=np.bool_), np.empty(2 * total, dtype=np.int64)
        skipped = self._wrong(shares) != 0

        def copy(share: _Share) -> None:
            s.store.words[tail + share.own.start : tail + share.own.stop] = share.rows

        def look(part: int) -> None:
            claim(s.record, tail, total, part, skipped, self.fresh, self.places)

        self._all(copy, shares)
        self._all(look, range(s.table.shape[0]))

    def _settle(self, shares: list[_Share], new: list[int]) -> int:
        """Numbers the new states, in parallel by share."""

        s = self.found
        firsts = int(s.totals[0]) + np.cumsum([0, *new])

        def one(k: int) -> int:
            share, at = shares[k], shares[k].own
            made = share.work.made._replace(rows=share.rows, counts=share.counts)
            found: int = number_rows(
                s.record, s.wanted, share.begin, share.end, made, self.fresh[at], self.places[at], int(firsts[k])
            )
            return found

        refuting = [i for i in self._all(one, range(len(shares))) if i >= 0]
        if refuting:
            s.totals[3] = refuting[0]
            return UNLIKE
        s.totals[0], s.expanded = firsts[-1], shares[-1].end
        s.totals[1] += shares[-1].own.stop
        return DONE

    def _number(self, shares: list[_Share], tail: int) -> int:
        """Numbers the new states if a rule fails or there are too many states, and rebuilds the table."""

        s, bad = self.found, any(share.bad for share in shares)
        stuck = np.concatenate([x.work.stuck[: x.end - x.begin] * x.bad for x in shares])
        made = shares[0].work.made._replace(
            wrong=self._wrong(shares), counts=np.concatenate([x.counts for x in shares]), stuck=stuck
        )
        s.expanded, reason = number(s.record, s.wanted, shares[0].begin, shares[-1].end, tail, self.fresh, made, bad)
        s.fill_again()
        return int(reason)

    def _wrong(self, shares: list[_Share]) -> Any:
        """Returns for each row the place of the rule that fails, or 0; empty if no rule fails."""
        if not any(share.bad for share in shares):
            return np.zeros(0, dtype=np.int64)
        return np.concatenate([x.work.wrong[: len(x.rows)] * x.bad for x in shares])
