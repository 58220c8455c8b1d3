"""The explorer's work shared by threads; see ``kernel_threads``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from gamedsl.check.base.arrays import Ints
from gamedsl.check.explore.workspace import Work

if TYPE_CHECKING:
    from gamedsl.check.explore.breadth_first import Search

SHARE = 1 << 14  # states that a thread expands at once
T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True)
class _Share:
    """One thread's states, from ``begin`` to ``end``, and what follows on them: the rows ``own`` of all."""

    work: Work
    begin: int
    end: int
    bad: bool
    own: slice

    @property
    def ways(self) -> Ints:
        return self.work.ways[: self.end - self.begin]

    @property
    def rows(self) -> Ints:
        return self.work.rows[: self.own.stop - self.own.start]


@dataclass
class Together:
    """Takes in the states that follow on some of a search's states, by so many threads."""

    search: Search
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
        """Expands a search's next states up to ``end``, or not so far: why it stopped."""
        s = self.search
        shares = self._ways_on(s.expanded, end)
        total = shares[-1].own.stop
        s.room_for(total, end - s.expanded)
        self._look_up(shares, int(s.counts[0]))
        new = [int(np.count_nonzero(self.fresh[share.own])) for share in shares]
        if any(share.bad for share in shares) or s.counts[0] + sum(new) > s.most:
            return self._number(shares, int(s.counts[0]))
        return self._settle(shares, new)

    def _ways_on(self, begin: int, end: int) -> list[_Share]:
        share = -(-(end - begin) // self.threads)
        spans = [(b, min(end, b + share)) for b in range(begin, end, share)]
        while len(self.works) < len(spans):
            self.works.append(Work.of(self.search.store, self.search.steps, SHARE, 8 * SHARE))
        todo = list(zip(self.works, spans, strict=False))
        bad = self._all(lambda t: t[0].generate_all(*t[1]), todo)
        found, at = list[_Share](), 0
        for (work, (b, e)), wrong in zip(todo, bad, strict=True):
            rows = int(work.ways[: e - b].sum())
            found.append(_Share(work, b, e, wrong, slice(at, at + rows)))
            at += rows
        return found

    def _look_up(self, shares: list[_Share], tail: int) -> None:
        """Finds which rows are new."""
        from gamedsl.check.explore.kernel_threads import claim

        s, total = self.search, shares[-1].own.stop
        if total > len(self.fresh):
            self.fresh, self.places = np.empty(2 * total, dtype=np.bool_), np.empty(2 * total, dtype=np.int64)
        skipped = self._wrong(shares) != 0

        def copy(share: _Share) -> None:
            s.store.words[tail + share.own.start : tail + share.own.stop] = share.rows

        def look(part: int) -> None:
            claim(s.table, s.store.words, s.base, tail, total, part, skipped, self.fresh, self.places)

        self._all(copy, shares)
        self._all(look, range(s.table.shape[0]))

    def _settle(self, shares: list[_Share], new: list[int]) -> int:
        """Numbers what is new, each share by itself."""
        from gamedsl.check.explore.kernel import DONE, UNLIKE
        from gamedsl.check.explore.kernel_threads import settle

        s = self.search
        firsts = int(s.counts[0]) + np.cumsum([0, *new])

        def one(k: int) -> int:
            share, at = shares[k], shares[k].own
            found: int = settle(
                s.store.words, s.table, s.base, s.parent, s.measure.terms, s.level, share.begin, share.end, share.rows,
                share.ways, self.fresh[at], self.places[at], int(firsts[k]),
            )  # fmt: skip
            return found

        refuting = [i for i in self._all(one, range(len(shares))) if i >= 0]
        if refuting:
            s.counts[3] = refuting[0]
            return UNLIKE
        s.counts[0], s.expanded = firsts[-1], shares[-1].end
        s.counts[1] += shares[-1].own.stop
        return DONE

    def _number(self, shares: list[_Share], tail: int) -> int:
        """Numbers what is new where a rule goes wrong or there are too many states; the table is made anew."""
        from gamedsl.check.explore.kernel_threads import number

        s, bad = self.search, any(share.bad for share in shares)
        stuck = np.concatenate([x.work.stuck[: x.end - x.begin] * x.bad for x in shares])
        s.expanded, reason = number(
            s.store.words, s.parent, s.faults, s.measure.terms, s.level, s.counts, shares[0].begin, shares[-1].end, s.most,
            tail, self.fresh, self._wrong(shares), bad, np.concatenate([x.ways for x in shares]), stuck,
        )  # fmt: skip
        s.fill_again()
        return int(reason)

    def _wrong(self, shares: list[_Share]) -> Any:
        """Per row the place of the rule that goes wrong, or 0; empty where none does."""
        if not any(share.bad for share in shares):
            return np.zeros(0, dtype=np.int64)
        return np.concatenate([x.work.wrong[: len(x.rows)] * x.bad for x in shares])
