"""Where an exploration stops, and how far it has come."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from gamedsl.check.base.clock import Clock
from gamedsl.check.explore.graph import WHOLE


@dataclass(frozen=True)
class Limits:
    """Where to stop (None: nowhere): number of states, of steps, seconds, bytes of memory of the whole process.

    ``drawings``: how many of the endlessly many drawings are tried where one is made; ``seed``: which.
    """

    states: int | None = None
    depth: int | None = None
    seconds: float | None = None
    memory: int | None = None
    drawings: int = 4
    seed: int = 0


@dataclass(frozen=True)
class Progress:
    """How far a search has come. ``frontier``: states found whose ways on have not been tried."""

    states: int
    expanded: int
    depth: int
    seconds: float

    @property
    def frontier(self) -> int:
        return self.states - self.expanded

    @property
    def rate(self) -> float:
        """Distinct states a second."""
        return self.states / self.seconds if self.seconds else 0.0


Watch: TypeAlias = Callable[[Progress], None]


def look(limits: Limits, watch: Watch | None, progress: Progress, clock: Clock) -> str:
    """Tells how far an exploration has come. Returns the limit of time or memory that it has reached, else ``WHOLE``."""
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
    """Bytes of memory that this process holds, as far as the machine tells it (else 0)."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * 4096
    except (OSError, ValueError, IndexError):
        return 0
