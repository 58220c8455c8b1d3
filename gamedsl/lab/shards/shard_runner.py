"""Answers questions shard by shard, in order, with what the file already has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

from gamedsl.lab.shards.local_processes import Workers
from gamedsl.lab.shards.question import Question, Shard, answer_shard, never
from gamedsl.lab.shards.shard_store import ShardStore

A = TypeVar("A")

LOOK = 0.1  # seconds between two looks whether to stop
QUEUED = 2  # shards for every worker, so that none waits for the next one


@dataclass
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
        self.size = max([first_size, *self.known.values()])
        self.spent = 0.0
        self.given = 0  # items before this one are known, being answered, or answered
        self.open: dict[Future[Shard], int] = {}
        self.done: dict[int, Shard] = {}  # answered, but not yet yielded

    def answers(self) -> Iterator[Any]:
        self._check_known()
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

    def _check_known(self) -> None:
        """Answers a known shard again, any of those of the first question, and refuses a file with another answer."""
        if self.known and self.question.is_repeatable and not self.runner.is_checked:
            self.runner.is_checked = True
            first = Random().choice(sorted(self.known))
            shard = answer_shard(self.question, first, self.known[first])
            self.store.refuse_other(self.question, shard)

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
        return self.workers is None or self.spent < self.runner.alone

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
        end = min([self.items, first + self.size, *(f for f in self.known if f > first)])
        self.given = end
        return first, end - first

    def _keep(self, shard: Shard) -> None:
        if shard.error is None:
            self.store.keep(self.question, shard)
        self.done[shard.first] = shard
        self.spent += shard.seconds
        if shard.seconds < self.runner.least and shard.count >= self.size:
            self.size *= 2
