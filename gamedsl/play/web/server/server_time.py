"""The time of a server, which advances evenly whatever happens to the machine's clock.

Instants in logs are milliseconds since 1970, by the machine's clock when the server started and by the monotonic clock
from then on. A monotonic clock means nothing to the next run of the server. So a run notes its time, and the next run
charges running clocks up to there: stored are the times left, not the instants at which they end.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

from gamedsl.language.source import lazy_dataclass
from gamedsl.play.web.server.logs import LOG


@lazy_dataclass()
class Run:
    """A run of the server, from its start to its end. ``number``: the instant at which it started. ``before``: the
    number of the previous run, and the instant up to which it is known to have run; zeros: not known."""

    number: int
    base: int  # of the monotonic clock
    before: tuple[int, int] = (0, 0)

    @classmethod
    def begin(cls, folder: Path | None = None) -> Run:
        """A new run; ``folder``: the folder in which the previous run noted its time."""
        now = time.time_ns() // 1_000_000
        before = _noted(folder) if folder is not None else (0, 0)
        return cls(max(now, before[0] + 1), now - time.monotonic_ns() // 1_000_000, before)

    def now(self) -> int:
        """Milliseconds since 1970."""
        return self.base + time.monotonic_ns() // 1_000_000

    def until(self, number: int) -> int:
        """The instant up to which another run is known to have run; 0: not known."""
        return self.before[1] if number == self.before[0] else 0

    def note(self, folder: Path) -> None:
        """Notes the time of this run. A failure costs nobody time: clocks are charged less then."""
        part = folder / f"run.{os.getpid()}"
        try:
            part.write_text(json.dumps([self.number, self.now()]))
            part.replace(folder / "run")
        except OSError as error:
            LOG.warning("the running time of the server could not be saved: %s", error)

    def text(self) -> str:
        """The run as text, for a process that is part of it."""
        return json.dumps([self.number, self.base, *self.before])

    @classmethod
    def of_text(cls, text: str) -> Run:
        number, base, before, until = json.loads(text)
        return cls(number, base, (before, until))


def _noted(folder: Path) -> tuple[int, int]:
    try:
        found = json.loads((folder / "run").read_bytes())
    except (OSError, ValueError):
        return 0, 0
    match found:
        case [int(number), int(at)] if 0 < number <= at < 2**53:
            return number, at
        case _:
            return 0, 0
