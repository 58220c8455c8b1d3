"""Commands that a signal ends with the results so far: Ctrl-C (SIGINT) or SIGTERM."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field
from types import FrameType

from gamedsl.language.source import lazy_dataclass

INTERRUPTED = 130  # the exit code of a command that shows nothing more, as in a shell: 128 + SIGINT


@lazy_dataclass()
class Interruption:
    """What signals have asked for. ``stop`` is set by the first one; the caller sets ``begun`` once there are results to
    show. Before that, and the second time, a signal interrupts at once, by ``KeyboardInterrupt`` with the exit code.
    ``notice`` is what the first one shows on standard error; ``code``: the exit code after it."""

    notice: str = ""
    stop: threading.Event = field(default_factory=threading.Event)
    begun: threading.Event = field(default_factory=threading.Event)
    code: int = 0

    def take(self, number: int, frame: FrameType | None) -> None:
        """Handles a signal."""
        if self.stop.is_set():
            raise KeyboardInterrupt(128 + number)
        self.code = 128 + number
        self.stop.set()
        if not self.begun.is_set():
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
            raise KeyboardInterrupt(self.code)
        sys.stderr.write(self.notice)


@contextmanager
def interruptible(notice: str = "") -> Iterator[Interruption]:
    """A context in which signals ask a command to stop. In a thread that is not the first one, nothing changes."""
    found = Interruption(notice)
    is_main = threading.current_thread() is threading.main_thread()
    before = {n: signal.signal(n, found.take) for n in (signal.SIGINT, signal.SIGTERM)} if is_main else {}
    try:
        yield found
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
