"""How much time is left for a task, and whether somebody has asked to stop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf
from threading import Event
from time import perf_counter


class OutOfTime(Exception):
    """The time is up before there is an answer."""


@dataclass(frozen=True)
class Clock:
    """A deadline. Every loop and every step that may take long asks it.

    ``until``: when the time is up, as ``now`` tells it, in seconds. ``stopped`` is shared by all clocks made from one.
    ``say`` is told what is being done.
    """

    until: float = inf
    stopped: Event = field(default_factory=Event)
    say: Callable[[str], None] = lambda what: None
    now: Callable[[], float] = perf_counter

    def within(self, seconds: float | None) -> Clock:
        """The same clock, with at most so many seconds from now on (None: no further bound)."""
        return self if seconds is None else replace(self, until=min(self.until, self.now() + seconds))

    def at_least(self, seconds: float) -> Clock:
        """The same clock, with so many seconds from now on if fewer are left."""
        return replace(self, until=max(self.until, self.now() + seconds))

    @property
    def left(self) -> float:
        """The seconds that are left; 0 when somebody has asked to stop."""
        return 0.0 if self.stopped.is_set() else max(0.0, self.until - self.now())

    @property
    def is_over(self) -> bool:
        return self.left <= 0

    def check(self) -> None:
        """Raises ``OutOfTime`` when nothing is left."""
        if self.is_over:
            raise OutOfTime
