"""Machines of a Ray cluster that answer shards. One that fails costs only its shards."""

from __future__ import annotations

import socket
from concurrent.futures import Future
from logging import ERROR
from typing import Any

from gamedsl.lab.shards.question import Question, Shard, answer_shard
from gamedsl.lab.shards.workers import StickyWorkers
from gamedsl.language.source import UsageError, missing_library

PATIENCE = 10.0  # seconds for a first answer of the head; Ray itself tries for many minutes, without a message
MOST_DEATHS = 5  # of workers that answer the same shard, before it is given up


class RayCluster:
    """A Ray cluster: the one at this address, or a new one on this machine if that is empty.

    https://docs.ray.io: ``ray.init``, ``ray.put``, ``ray.remote``; an object reference has a future.
    """

    def __init__(self, address: str = "", processors: int | None = None) -> None:
        """Raises ``UsageError`` if Ray is not installed, or no cluster is at this address."""
        try:
            import ray
        except ImportError as problem:
            raise (missing_library(problem) or problem) from None
        self._ray: Any = ray
        self._questions: dict[str, Any] = {}
        self._is_ours = not ray.is_initialized()
        if self._is_ours:
            try:
                if address:
                    _knock(address)
                    ray.init(address, log_to_driver=False, logging_level=ERROR)
                else:
                    ray.init(
                        "local", num_cpus=processors, include_dashboard=False, log_to_driver=False, logging_level=ERROR
                    )
            except (ConnectionError, RuntimeError, ValueError, OSError) as problem:
                raise UsageError(f"no Ray cluster answers at `{address}`: {problem}", code="E0004") from None
        self._answer = ray.remote(answer_shard).options(num_cpus=1, max_retries=MOST_DEATHS)

    @property
    def size(self) -> int:
        """The number of processors of the cluster now."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def submit(self, question: Question[Any], first: int, count: int) -> Future[Shard]:
        digest = question.digest
        if digest not in self._questions:
            self._questions[digest] = self._ray.put(question)
        found: Future[Shard] = self._answer.remote(self._questions[digest], first, count).future()
        return found

    def sticky(self) -> StickyWorkers:
        """Returns actors. One that dies begins anew where there is room."""
        return StickyWorkers([_Actor(self._ray) for _ in range(self.size)])

    def close(self) -> None:
        if self._is_ours:
            self._ray.shutdown()


class _Keeper:
    """What runs on a machine of the cluster, and keeps what answers build on."""

    def answer(self, question: Question[Any], first: int, count: int) -> Shard:
        return answer_shard(question, first, count)


class _Actor:
    """The asking process's side of a keeper. It occupies a processor only while it is placed, so that it finds a place on a
    machine that works already."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._keepers = ray.remote(_Keeper).options(scheduling_strategy="SPREAD")
        self._keeper = self._keepers.remote()
        self._is_closed = False

    def submit(self, question: Question[Any], first: int, count: int) -> Future[Shard]:
        """Waits for the answer."""
        found: Future[Shard] = Future()
        for _ in range(MOST_DEATHS):
            try:
                found.set_result(self._ray.get(self._keeper.answer.remote(question, first, count)))
            except self._ray.exceptions.RayActorError:
                if self._is_closed:
                    break
                self._keeper = self._keepers.remote()
            else:
                return found
        raise UsageError(f"{MOST_DEATHS} workers ended while they answered the same question")

    def close(self) -> None:
        self._is_closed = True
        self._ray.kill(self._keeper)


def _knock(address: str) -> None:
    """Raises ``OSError`` if nothing listens at an address such as ``head:6379`` or ``ray://head:10001``."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if colon and int(port) < 1 << 16:
        socket.create_connection((host.strip("[]"), int(port)), PATIENCE).close()
    elif colon:
        raise OSError(f"there is no port {port}")
