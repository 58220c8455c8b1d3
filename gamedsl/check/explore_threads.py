"""The explorer's work shared by threads; see ``explore_kernel_threads``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from gamedsl.check.explore_work import Work

if TYPE_CHECKING:
    from gamedsl.check.explore_search import Search

SHARE = 1 << 14  # states that a thread expands at once
T = TypeVar("T")
R = TypeVar("R")


@dataclass
class Together:
    """Takes in the states that follow on some of a search's states, by so many threads."""

    search: Search
    threads: int
    works: list[Work] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.pool = ThreadPoolExecutor(self.threads)

    def close(self) -> None:
        self.pool.shutdown()

    def _all(self, do: Callable[[T], R], things: Iterable[T]) -> list[R]:
        return list(self.pool.map(do, things))

    def expand(self, end: int) -> int:
        """Expands a search's next states up to ``end``, or not so far: why it stopped."""
        from gamedsl.check.explore_kernel_threads import number

        s, begin = self.search, self.search.expanded
        batch = self._ways_on(begin, end)
        s.room_for(batch.rows, end - begin)
        tail = int(s.counts[0])
        self._look_up(batch, tail)
        s.expanded, reason = number(
            s.store.words, s.base, s.parent, s.faults, s.measure.terms, s.level, s.counts, begin, end, s.most,
            tail, batch.fresh, batch.numbers, batch.wrong, batch.bad, batch.ways, batch.stuck,
        )  # fmt: skip
        self._renumber(batch)
        return int(reason)

    def _ways_on(self, begin: int, end: int) -> _Batch:
        share = -(-(end - begin) // self.threads)
        begins = range(begin, end, share)
        while len(self.works) < len(begins):
            self.works.append(Work.of(self.search.store, self.search.steps, SHARE, 8 * SHARE))
        pairs = list(zip(self.works, begins, strict=False))
        bad = self._all(lambda p: p[0].generate_all(p[1], min(end, p[1] + share)), pairs)
        return _Batch.of([(work, min(share, end - b)) for work, b in pairs], bad)

    def _look_up(self, batch: _Batch, tail: int) -> None:
        from gamedsl.check.explore_kernel_threads import claim

        s, at = self.search, tail
        for rows in batch.made:
            s.store.words[at : at + len(rows)] = rows
            at += len(rows)
        skipped = batch.wrong != 0

        def part(k: int) -> None:
            claim(s.table, s.store.words, s.base, tail, batch.rows, k, skipped, batch.fresh, batch.places)

        self._all(part, range(s.table.shape[0]))

    def _renumber(self, batch: _Batch) -> None:
        from gamedsl.check.explore_kernel_threads import renumber

        share = -(-batch.rows // self.threads)

        def some(k: int) -> None:
            end = min(batch.rows, (k + 1) * share)
            renumber(self.search.table, k * share, end, batch.fresh, batch.places, batch.numbers)

        self._all(some, range(self.threads))


@dataclass(frozen=True)
class _Batch:
    """The ways on from some states, in order: ``rows`` in all. ``wrong`` is empty where no rule goes wrong."""

    made: list[Any]
    ways: Any
    stuck: Any
    wrong: Any
    bad: bool
    rows: int
    fresh: Any
    places: Any
    numbers: Any

    @staticmethod
    def of(works: list[tuple[Work, int]], bad: list[bool]) -> _Batch:
        ways = np.concatenate([work.ways[:n] for work, n in works])
        made = [work.rows[: int(work.ways[:n].sum())] for work, n in works]
        stuck, wrong = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        if any(bad):
            stuck = np.concatenate([w.stuck[:n] * b for (w, n), b in zip(works, bad, strict=True)])
            wrong = np.concatenate([w.wrong[: len(r)] * b for (w, _), r, b in zip(works, made, bad, strict=True)])
        rows = int(ways.sum())
        fresh, places = np.empty(rows, dtype=np.bool_), np.empty(rows, dtype=np.int64)
        return _Batch(made, ways, stuck, wrong, any(bad), rows, fresh, places, np.zeros(rows, dtype=np.int64))
