"""Deadlines and stop requests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field, replace
from functools import partial
from itertools import count
from math import inf
from threading import Event, Timer
from time import perf_counter

from gamedsl.language.source import lazy_dataclass


class OutOfTime(Exception):
    """The time ran out before there was an answer."""


TICK = 0.004  # seconds that pass for a counted clock whenever it is asked


@lazy_dataclass(frozen=True)
class Clock:
    """A deadline. Every loop and every step that may take a long time checks it.

    ``until``: the deadline in seconds on the scale of ``now``. ``stopped`` is shared by all clocks derived from
    one. ``say`` receives progress messages.
    """

    until: float = inf
    stopped: Event = field(default_factory=Event)
    say: Callable[[str], None] = lambda what: None
    now: Callable[[], float] = perf_counter

    def within(self, seconds: float | None) -> Clock:
        """The same clock, with at most this many seconds from now (None: no further bound)."""
        return self if seconds is None else replace(self, until=min(self.until, self.now() + seconds))

    def counted(self) -> Clock:
        """A clock without a deadline whose time passes by ``TICK`` whenever it is asked, and not by itself. What it bounds
        ends at the same place on every machine; a stop request ends it, too."""
        return replace(self, until=inf, now=partial(next, count(TICK, TICK)))

    def at_least(self, seconds: float) -> Clock:
        """The same clock, extended to this many seconds from now if fewer are left."""
        return replace(self, until=max(self.until, self.now() + seconds))

    @property
    def left(self) -> float:
        """The seconds left; 0 after a stop request."""
        return 0.0 if self.stopped.is_set() else max(0.0, self.until - self.now())

    @property
    def is_over(self) -> bool:
        return self.left <= 0

    def check(self) -> None:
        """Raises ``OutOfTime`` if no time is left."""
        if self.is_over:
            raise OutOfTime


@contextmanager
def set_after(event: Event, seconds: float | None) -> Iterator[None]:
    """A context in which an event is set once so many seconds have passed (None: never)."""
    timer = None if seconds is None else Timer(seconds, event.set)
    if timer is not None:
        timer.daemon = True
        timer.start()
    try:
        yield
    finally:
        if timer is not None:
            timer.cancel()
