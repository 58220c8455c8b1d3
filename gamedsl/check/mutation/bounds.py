"""A bound on computing: what runs longer is stopped wherever it is."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Overtime(BaseException):
    """The bound is reached. (No ``Exception``, so that nothing on the way takes it for a mistake of its own.)"""


@contextmanager
def bounded(seconds: float) -> Iterator[None]:
    """Raises ``Overtime`` when the block has computed for so long. Where there are no timers of the kind (on Windows, and
    beside the main thread) nothing is bounded."""
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
