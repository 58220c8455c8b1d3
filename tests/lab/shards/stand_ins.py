"""Workers and questions that are quick enough for tests."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from gamedsl.lab.shards import Question, ShardRunner
from gamedsl.lab.shards.question import Shard, answer_shard
from gamedsl.language.source import UsageError


class Threads:
    """Workers that are threads of this process."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.pool = ThreadPoolExecutor(size)
        self.asked: list[tuple[int, int]] = []

    def submit(self, question: Question[Any], first: int, count: int) -> Future[Shard]:
        self.asked.append((first, count))
        return self.pool.submit(answer_shard, question, first, count)

    def close(self) -> None:
        self.pool.shutdown()


def helped() -> ShardRunner:
    """A runner whose shards have a single item, and are answered by two workers from the beginning."""
    return ShardRunner(Threads(2), least=0.0, alone=0.0)


@dataclass(frozen=True)
class Squares(Question[list[int]]):
    """The squares of the numbers, plus an offset."""

    offset: int = 0
    named: str = "squares"

    @property
    def about(self) -> Mapping[str, Any]:
        return {"question": self.named}

    def answer(self, first: int, count: int, stopped: Callable[[], bool]) -> list[int]:
        return [k * k + self.offset for k in range(first, first + count)]


@dataclass(frozen=True)
class Sleep(Question[list[int]]):
    """The numbers, each after some seconds. A negative time ends the process, 99 seconds are a mistake."""

    seconds: float

    @property
    def about(self) -> Mapping[str, Any]:
        return {"question": "sleep", "seconds": self.seconds}

    def answer(self, first: int, count: int, stopped: Callable[[], bool]) -> list[int]:
        if self.seconds < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        if self.seconds == 99:
            raise UsageError("nobody sleeps for 99 seconds")
        time.sleep(count * self.seconds)
        return list(range(first, first + count))
