"""Limits the processor time of a block of code."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Overtime(BaseException):
    """The time limit was reached. A ``BaseException``, so that no intermediate handler swallows it."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raises ``Overtime`` once the block has used this many seconds of processor time. There is no limit if such
    timers are unavailable: on Windows, and outside the main thread.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _stop(number: int, frame: FrameType | None) -> None:
    raise Overtime
