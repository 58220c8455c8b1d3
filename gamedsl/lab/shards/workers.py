"""Workers that answer shards. Some are sticky: questions that build on each other's answers go to the same one."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

from gamedsl.lab.shards.question import Question, Shard
from gamedsl.language.source import UsageError

A = TypeVar("A")


class Worker(Protocol):
    """Whoever answers shards."""

    def submit(self, question: Question[Any], first: int, count: int) -> Future[Shard]: ...

    def close(self) -> None:
        """Ends all work, whether done or not."""


class Workers(Worker, Protocol):
    """Several workers. ``size``: how many shards they answer at the same time."""

    @property
    def size(self) -> int: ...

    def sticky(self) -> StickyWorkers:
        """Returns as many other workers, which keep what they know between questions (see ``StickyQuestion``)."""


class ForgottenError(UsageError):
    """The worker does not have what the question builds on: it is new, or answered something else in between."""

    def __init__(self) -> None:
        super().__init__("the worker has forgotten what it knew")


class StickyQuestion(Question[list[A]]):
    """A question whose answer builds on what a worker knows from answering others. Such a question raises
    ``ForgottenError`` where this is missing."""

    @property
    @abstractmethod
    def affinity(self) -> int:
        """Questions with the same number go to the same worker."""

    @abstractmethod
    def with_reminder(self) -> StickyQuestion[A]:
        """Returns the same question together with what its worker should know."""


class StickyWorkers:
    """Workers that each answer the questions of some affinities. One that dies costs its shard, and what it knew, of
    which it is reminded."""

    def __init__(self, workers: Sequence[Worker]) -> None:
        self._workers = workers
        self._threads = [ThreadPoolExecutor(1) for _ in workers]

    @property
    def size(self) -> int:
        return len(self._workers)

    def submit(self, question: Question[Any], first: int, count: int) -> Future[Shard]:
        assert isinstance(question, StickyQuestion)
        number = question.affinity % self.size
        return self._threads[number].submit(self._answer, self._workers[number], question, first, count)

    def sticky(self) -> StickyWorkers:
        return self

    def close(self) -> None:
        for worker in self._workers:
            worker.close()
        for thread in self._threads:
            thread.shutdown(wait=True, cancel_futures=True)

    def _answer(self, worker: Worker, question: StickyQuestion[Any], first: int, count: int) -> Shard:
        shard = worker.submit(question, first, count).result()
        if isinstance(shard.error, ForgottenError):
            shard = worker.submit(question.with_reminder(), first, count).result()
        return shard
