"""Answers questions shard by shard, in order, with what the file already has."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import contextmanager
from dataclasses import field
from random import Random
from typing import Any, TypeVar

from gamedsl.lab.shards.question import Question, Shard, answer_shard, never
from gamedsl.lab.shards.shard_store import ShardStore
from gamedsl.lab.shards.workers import Workers
from gamedsl.language.source import lazy_dataclass

A = TypeVar("A")

LOOK = 0.1  # seconds between two looks whether to stop
QUEUED = 2  # shards for every worker, so that none waits for the next one
SMALLER = 8  # the last shards have at least this part of the items of the others, so that all workers end at about the same time


@lazy_dataclass()
class ShardRunner:
    """Answers questions with ``workers`` (None: this process does all the work) and keeps the answers in ``store``.

    What comes out does not depend on the workers, on what the store has, or on how long anything takes.
    ``least``: the seconds that a shard takes at least, as soon as it is known how many items that are. ``alone``: seconds
    of work that this process does before others are asked to help.
    """

    workers: Workers | None = None
    store: ShardStore = field(default_factory=ShardStore)
    least: float = 1.0
    alone: float = 1.0
    spent: float = 0.0  # seconds of work that was done
    is_checked: bool = False  # whether the store was compared with an answer of this run

    def run(
        self, question: Question[A], items: int, stopped: Callable[[], bool] = never, first_size: int = 1
    ) -> Iterator[A]:
        """Yields the answers to items 0 to ``items - 1``, range by range, in order; fewer if stopped.

        ``first_size``: items of the first shard, for items that take hardly any time. Raises the mistake that the first
        failing item shows, and ``FileError`` (E0523) for a file with other answers.
        """
        return _Run(self, question, items, stopped, first_size).answers()

    def items(self, question: Question[list[A]], items: int, stopped: Callable[[], bool] = never) -> Iterator[A]:
        """Yields the answers to items 0 to ``items - 1`` one by one; fewer if stopped."""
        for answers in self.run(question, items, stopped):
            yield from answers

    def each(self, questions: Iterable[Question[list[A]]], stopped: Callable[[], bool] = never) -> Iterator[A]:
        """Yields the answers to questions with one item, in order; fewer if stopped. Each is asked as soon as a worker is
        about to be free. Raises as ``run`` does."""
        return _Queue(self, iter(questions), stopped).answers()

    def check(self, question: Question[Any], known: dict[int, int]) -> None:
        """Answers a known shard again, any of those of the first question, and refuses a file with another answer.
        ``known``: the numbers of items by first item."""
        if known and question.is_repeatable and not self.is_checked:
            self.is_checked = True
            first = Random().choice(sorted(known))
            self.store.refuse_other(question, answer_shard(question, first, known[first]))

    @contextmanager
    def with_sticky_workers(self, store: ShardStore | None) -> Iterator[ShardRunner]:
        """Yields a runner for questions that build on each other (see ``StickyQuestion``), with answers in another file
        (None: in none)."""
        workers = None if self.workers is None else self.workers.sticky()
        try:
            yield ShardRunner(workers, store or ShardStore(), alone=0.0)
        finally:
            if workers is not None:
                workers.close()

    def close(self) -> None:
        if self.workers is not None:
            self.workers.close()
        self.store.close()


class _Run:
    """One question."""

    def __init__(
        self, runner: ShardRunner, question: Question[Any], items: int, stopped: Callable[[], bool], first_size: int
    ) -> None:
        self.runner = runner
        self.workers, self.store, self.question = runner.workers, runner.store, question
        self.items, self.stopped = items, stopped
        self.known = {first: count for first, count in self.store.known(question) if first + count <= items}
        self.least_size = first_size
        self.size = max([first_size, *self.known.values()])
        self.given = 0  # items before this one are known, being answered, or answered
        self.open: dict[Future[Shard], int] = {}
        self.done: dict[int, Shard] = {}  # answered, but not yet yielded

    def answers(self) -> Iterator[Any]:
        self.runner.check(self.question, self.known)
        at = 0
        try:
            while at < self.items:
                if at in self.known and self.given <= at:
                    self.given = at + self.known[at]
                if at in self.known:
                    count, answer = self.known[at], self.store.find(self.question, at, self.known[at])
                elif (shard := self._next(at)) is None:
                    return
                else:
                    count, answer = shard.count, self.question.decode(shard.data, shard.count)
                at += count
                yield answer
                if self.stopped():
                    return
        finally:
            for future in self.open:
                future.cancel()

    def _next(self, at: int) -> Shard | None:
        """Returns the shard that begins at an item; None if stopped before it is answered."""
        if at not in self.done and not self.open and self._is_alone():
            self.given = max(self.given, at)
            taken = self._take()
            if taken is not None:
                shard = answer_shard(self.question, *taken, self.stopped)
                self.given = at + shard.count
                if not shard.count:
                    return None
                self._keep(shard)
        while at not in self.done:
            self._hand_out()
            found, _ = wait(self.open, timeout=LOOK, return_when=FIRST_COMPLETED)
            for future in found:
                del self.open[future]
                self._keep(future.result())
            if self.stopped():
                return None
        shard = self.done.pop(at)
        if shard.error is not None:
            raise shard.error
        return shard

    def _is_alone(self) -> bool:
        """Whether this process answers the next shard: there are no others, or they would take longer to begin."""
        return self.workers is None or self.runner.spent < self.runner.alone

    def _hand_out(self) -> None:
        """Keeps every worker busy."""
        assert self.workers is not None
        while len(self.open) < QUEUED * self.workers.size and (taken := self._take()) is not None:
            first, count = taken
            self.open[self.workers.submit(self.question, first, count)] = first

    def _take(self) -> tuple[int, int] | None:
        """Returns the next range that nobody has answered; None if none is left."""
        while self.given in self.known:
            self.given += self.known[self.given]
        first = self.given
        if first >= self.items:
            return None
        end = min([self.items, first + self._next_size(first), *(f for f in self.known if f > first)])
        self.given = end
        return first, end - first

    def _next_size(self, first: int) -> int:
        """Returns the number of items of the next shard: the fewer items are left, the fewer (C. Polychronopoulos and D. Kuck,
        "Guided self-scheduling", IEEE Transactions on Computers 36, 1987)."""
        if self.workers is None:
            return self.size
        share = -(-(self.items - first) // (QUEUED * self.workers.size))
        return min(self.size, max(self.least_size, self.size // SMALLER, share))

    def _keep(self, shard: Shard) -> None:
        if shard.error is None:
            self.store.keep(self.question, shard)
        self.done[shard.first] = shard
        self.runner.spent += shard.seconds
        if shard.seconds < self.runner.least and shard.count >= self.size:
            self.size *= 2


@lazy_dataclass()
class _Asked:
    """A question with one item. ``is_known``: the file has its answer; ``future``: somebody works on it; ``shard``: its
    answer, once it is there."""

    question: Question[list[Any]]
    is_known: bool
    future: Future[Shard] | None = None
    shard: Shard | None = None

    @property
    def is_open(self) -> bool:
        return not self.is_known and self.shard is None


class _Queue:
    """Questions with one item whose answers were not yielded yet, in order."""

    def __init__(
        self, runner: ShardRunner, questions: Iterator[Question[list[Any]]], stopped: Callable[[], bool]
    ) -> None:
        self.runner, self.questions, self.stopped = runner, questions, stopped
        self.queue: deque[_Asked] = deque()
        self.known = 0  # questions whose answer was in the file,
        self.checked: Question[Any] | None = None  # and any one of them

    def answers(self) -> Iterator[Any]:
        try:
            while not self.stopped() and self._fill():
                head = self.queue[0]
                while head.is_open:
                    if not self._work(head) or self.stopped():
                        return
                self.queue.popleft()
                if head.shard is None:
                    yield self.runner.store.find(head.question, 0, 1)[0]
                elif head.shard.error is not None:
                    raise head.shard.error
                else:
                    yield head.question.decode(head.shard.data, 1)[0]
            if self.checked is not None and not self.stopped():
                self.runner.check(self.checked, {0: 1})
        finally:
            for asked in self.queue:
                if asked.future is not None:
                    asked.future.cancel()

    def _fill(self) -> bool:
        """Asks the next questions until every worker has something to do, and returns whether one is left."""
        workers = self.runner.workers
        if workers is not None and self.runner.spent < self.runner.alone:
            workers = None
        most = 1 if workers is None else QUEUED * workers.size
        while not self.queue or sum(asked.is_open for asked in self.queue) < most:
            question = next(self.questions, None)
            if question is None:
                break
            asked = _Asked(question, (0, 1) in self.runner.store.known(question))
            self.queue.append(asked)
            if asked.is_known:
                self.known += 1
                if Random().random() * self.known < 1:
                    self.checked = question
                return True  # it can be yielded at once
            if workers is not None:
                asked.future = workers.submit(question, 0, 1)
        return bool(self.queue)

    def _work(self, head: _Asked) -> bool:
        """Answers the first question, or waits for an answer to any; False if stopped before."""
        if head.future is None:
            shard = answer_shard(head.question, 0, 1, self.stopped)
            if not shard.count:
                return False
            self._keep(head, shard)
            return True
        futures = {asked.future: asked for asked in self.queue if asked.future is not None and asked.is_open}
        for future in wait(futures, timeout=LOOK, return_when=FIRST_COMPLETED).done:
            self._keep(futures[future], future.result())
        self._fill()
        return True

    def _keep(self, asked: _Asked, shard: Shard) -> None:
        asked.shard = shard
        self.runner.spent += shard.seconds
        if shard.error is None:
            self.runner.store.keep(asked.question, shard)
