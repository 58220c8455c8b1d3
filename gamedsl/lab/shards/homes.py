"""Workers, and those that keep something between two questions: such a question goes to the worker that is its home."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol, TypeVar

from gamedsl.lab.shards.question import Question, Shard
from gamedsl.language.source import UsageError

A = TypeVar("A")


class Workers(Protocol):
    """Whoever answers shards. ``size``: how many at the same time."""

    @property
    def size(self) -> int: ...

    def submit(self, question: Question[Any], first: int, count: int) -> Future[Shard]: ...

    def homes(self) -> Workers:
        """Returns as many other workers, which keep what they know between questions (see ``HomedQuestion``)."""

    def close(self) -> None:
        """Ends all work, whether done or not."""


class ForgottenError(UsageError):
    """The worker does not have what the question builds on: it is new, or answered something else in between."""

    def __init__(self) -> None:
        super().__init__("the worker has forgotten what it knew")


class HomedQuestion(Question[list[A]]):
    """A question whose answer builds on what a worker knows from answering others. Such a question raises
    ``ForgottenError`` where this is missing."""

    @property
    def home(self) -> int:
        """Questions with the same number go to the same worker."""
        raise NotImplementedError

    def reminding(self) -> HomedQuestion[A]:
        """Returns the same question together with what its worker should know."""
        raise NotImplementedError


class Homes:
    """Workers of one place each. One that dies costs its shard, and what it knew, of which it is reminded."""

    def __init__(self, workers: Sequence[Workers]) -> None:
        self._workers = workers
        self._threads = [ThreadPoolExecutor(1) for _ in workers]

    @property
    def size(self) -> int:
        return len(self._workers)

    def submit(self, question: Question[Any], first: int, count: int) -> Future[Shard]:
        assert isinstance(question, HomedQuestion)
        home = question.home % self.size
        return self._threads[home].submit(self._answer, self._workers[home], question, first, count)

    def homes(self) -> Homes:
        return self

    def close(self) -> None:
        for worker in self._workers:
            worker.close()
        for thread in self._threads:
            thread.shutdown(wait=True, cancel_futures=True)

    def _answer(self, worker: Workers, question: HomedQuestion[Any], first: int, count: int) -> Shard:
        shard = worker.submit(question, first, count).result()
        if isinstance(shard.error, ForgottenError):
            shard = worker.submit(question.reminding(), first, count).result()
        return shard
