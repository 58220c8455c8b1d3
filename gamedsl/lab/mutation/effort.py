"""How much is done to tell two versions apart: by processor time, or by counted steps, which are the same everywhere."""

from __future__ import annotations

from time import process_time
from typing import Protocol

# What a move that is listed counts as, where steps are counted, and a ply of compiled rules: 61 and 1.9 microseconds.
# Powers of two, because their sums are exact.
LISTED_SECONDS, COMPILED_SECONDS = 2.0**-14, 2.0**-19


class Effort(Protocol):
    """A clock of work. ``whole``: seconds to find out whether a game is small."""

    whole: float

    def now(self) -> float:
        """Returns the seconds of work so far."""

    def count(self, positions: int, moves: int = 0) -> None:
        """Notes positions that were reached, and the moves that were listed there."""

    def count_compiled(self, plies: int) -> None:
        """Notes plies of compiled rules."""


class TimedEffort:
    """Processor time: as much as this machine does in it."""

    whole = 2.0

    def now(self) -> float:
        return process_time()

    def count(self, positions: int, moves: int = 0) -> None:
        """Time passes by itself."""

    def count_compiled(self, plies: int) -> None:
        """Time passes by itself."""


class CountedEffort:
    """Steps, in seconds of an imagined machine: two runs do the same, whatever time that takes."""

    whole = 5.0

    def __init__(self) -> None:
        self._done = 0.0

    def now(self) -> float:
        return self._done

    def count(self, positions: int, moves: int = 0) -> None:
        self._done += (positions + moves) * LISTED_SECONDS

    def count_compiled(self, plies: int) -> None:
        self._done += plies * COMPILED_SECONDS
