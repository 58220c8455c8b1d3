"""Commands that Ctrl-C ends with the results so far."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = 130  # the exit code, as in a shell: 128 + SIGINT


@contextmanager
def interruptible(notice: str = "") -> Iterator[tuple[threading.Event, threading.Event]]:
    """A context with two events: Ctrl-C sets the first; the caller sets the second once there are results to show.
    Before that, and the second time, Ctrl-C interrupts at once. ``notice`` is what the first one shows on standard error."""
    stop, begun = threading.Event(), threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop, begun
        return

    def interrupt(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, before)
        if not begun.is_set():
            raise KeyboardInterrupt
        stop.set()
        sys.stderr.write(notice)

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield stop, begun
    finally:
        signal.signal(signal.SIGINT, before)
