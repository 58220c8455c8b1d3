"""Progress of long commands: one line that is rewritten on a terminal, or a line every few seconds elsewhere."""

from __future__ import annotations

import sys
import threading
from shutil import get_terminal_size
from time import perf_counter
from types import TracebackType

from gamedsl.cli.output import complain, say, tell_progress

ON_TERMINAL = 0.25  # seconds between two updates
ELSEWHERE = 5.0


class Progress:
    """A context manager whose thread reports the current task on standard error, even while compiled code runs. If
    ``quiet``, it reports nothing."""

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = quiet
        self.rewrites = sys.stderr.isatty()
        self._doing = "starting"
        self._since = perf_counter()
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Progress:
        if not self.quiet:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        if not self.quiet:
            self._thread.join()
            tell_progress()

    def doing(self, what: str, goes_on: bool = False) -> None:
        """Sets the current task. ``goes_on``: it continues the previous task, so the time is not reset."""
        if not goes_on:
            self._since = perf_counter()
        self._doing = what

    def say(self, *lines: str) -> None:
        """Prints lines to standard output at once."""
        with self._lock:
            if self.rewrites and not self.quiet:
                tell_progress()
            for line in lines:
                say(line)
            sys.stdout.flush()

    def _run(self) -> None:
        while not self._over.wait(ON_TERMINAL if self.rewrites else ELSEWHERE):
            with self._lock:
                seconds = perf_counter() - self._since
                told = f"{self._doing} ({seconds:.0f} s)" if seconds >= 1 else self._doing
                if self.rewrites:
                    tell_progress(told[: get_terminal_size().columns - 1])
                elif told:
                    complain(told)
