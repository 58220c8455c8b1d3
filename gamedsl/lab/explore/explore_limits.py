"""Limits and progress of an exploration."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from gamedsl.lab.base import Clock
from gamedsl.lab.explore.state_graph import WHOLE
from gamedsl.lab.shards import ShardRunner
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class Limits:
    """Limits (None: unlimited): number of states, depth in steps, seconds, bytes of memory of the whole process.

    ``drawings``: how many of the infinitely many drawings to try; ``seed``: selects them.
    """

    states: int | None = None
    depth: int | None = None
    seconds: float | None = None
    memory: int | None = None
    drawings: int = 4
    seed: int = 0


@lazy_dataclass(frozen=True)
class Execution:
    """How an exploration is carried out; its result is the same except for the choice of representatives.

    ``native``: on compiled rules, on the engine, or (None) compiled if there are many states and the rules are
    supported. ``threads`` share the work on compiled rules. ``checkpoint``: a file to resume from if it exists, and
    to write now and then and at the end (compiled rules only). ``owners``: who explores instead of threads when there
    are many states, with states owned by hash; then the file is one of answers (see ``owned_search``).
    """

    native: bool | None = None
    threads: int = 1
    checkpoint: Path | None = None
    owners: ShardRunner | None = None


@lazy_dataclass(frozen=True)
class Progress:
    """The progress of a search. ``frontier``: states found but not expanded."""

    states: int
    expanded: int
    depth: int
    seconds: float

    @property
    def frontier(self) -> int:
        return self.states - self.expanded

    @property
    def rate(self) -> float:
        """Distinct states per second."""
        return self.states / self.seconds if self.seconds else 0.0


Watch: TypeAlias = Callable[[Progress], None]


def look(limits: Limits, watch: Watch | None, progress: Progress, clock: Clock) -> str:
    """Reports the progress. Returns what should stop the search (a stop request, the time, the memory), else
    ``WHOLE``.
    """
    if watch is not None:
        watch(progress)
    if clock.stopped.is_set():
        return "stopped"
    if clock.is_over:
        return "time"
    if limits.memory is not None and memory_used() > limits.memory:
        return "memory"
    return WHOLE


def memory_used() -> int:
    """Returns the bytes of memory that this process holds, as far as the machine reports it (else 0)."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * 4096
    except (OSError, ValueError, IndexError):
        return 0
