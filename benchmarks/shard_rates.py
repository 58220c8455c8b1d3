"""Measures what a shard costs besides its work, and computes from that what a cluster yields.

`python benchmarks/shard_rates.py` prints the table of docs/guide/cluster.md. Ray is left out where it is not installed.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gamedsl.lab.shards import LocalProcesses, Question, RayCluster, ShardRunner, ShardStore
from gamedsl.lab.shards.local_processes import Workers
from gamedsl.language.source import UsageError

SHARDS = 400
WORKERS = ((1, 100), (1, 1000), (10, 1000))  # seconds of a shard, number of workers
HEADS = [f"{n:,} workers, shards of {s} s" for s, n in WORKERS]


@dataclass(frozen=True)
class Nothing(Question[list[int]]):
    """Items that are no work, with answers as long as those of a simulation."""

    name: str

    @property
    def about(self) -> Mapping[str, Any]:
        return {"question": self.name}

    @property
    def type(self) -> Any:
        return list[int]

    def answer(self, first: int, count: int, stopped: Callable[[], bool]) -> list[int]:
        return [1 << 40] * count

    def size(self, answer: list[int]) -> int:
        return len(answer)


def main() -> None:
    print(f"| workers | seconds to the first answer | ms of the asking process for a shard | {' | '.join(HEADS)} |")
    print("|---" * (3 + len(HEADS)) + "|")
    show("two processes", *measure(LocalProcesses(2)))
    try:
        show("Ray, two workers", *measure(RayCluster("", 2)))
    except UsageError as missing:
        print(missing)


def show(name: str, start: float, each: float) -> None:
    yields = [f"{min(n, length / each):.0f}" for length, n in WORKERS]
    print(f"| {name} | {start:.1f} | {1000 * each:.1f} | {' | '.join(yields)} |")


def measure(workers: Workers) -> tuple[float, float]:
    """Returns the seconds until the first answer, and the seconds of this process for a shard, with its file."""
    with tempfile.TemporaryDirectory() as folder:
        runner = ShardRunner(workers, ShardStore(Path(folder) / "file"), least=0.0, alone=0.0)
        began = time.perf_counter()
        list(runner.items(Nothing("first"), 2))
        start, worked = time.perf_counter() - began, time.process_time()
        list(runner.items(Nothing("all"), SHARDS))
        each = (time.process_time() - worked) / SHARDS
        runner.close()
    return start, each


if __name__ == "__main__":
    from benchmarks import shard_rates  # other processes know its classes by that name

    shard_rates.main()
