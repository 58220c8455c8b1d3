"""How much time is left for a task, and whether somebody has asked to stop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from threading import Event
from time import perf_counter


class OutOfTime(Exception):
    """The time is up before there is an answer."""


@dataclass
class Clock:
    """``until``: when the time is up, as ``perf_counter`` tells it. ``stopped`` is shared by all clocks made from one."""

    until: float = inf
    stopped: Event = field(default_factory=Event)
    say: Callable[[str], None] = lambda what: None

    def within(self, seconds: float | None) -> Clock:
        """The same clock, with at most so many seconds from now on (None: no further bound)."""
        until = self.until if seconds is None else min(self.until, perf_counter() + seconds)
        return Clock(until, self.stopped, self.say)

    @property
    def left(self) -> float:
        """The seconds that are left; 0 when somebody has asked to stop."""
        return 0.0 if self.stopped.is_set() else max(0.0, self.until - perf_counter())

    @property
    def is_over(self) -> bool:
        return self.left <= 0

    def check(self) -> None:
        """Raises ``OutOfTime`` when nothing is left."""
        if self.is_over:
            raise OutOfTime
