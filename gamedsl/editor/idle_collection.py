"""Garbage is collected while nobody types: in the middle of a check, one collection takes as long as the check."""

from __future__ import annotations

import asyncio
import gc

PAUSE = 0.5  # seconds without a keystroke
MOST_YOUNG = 2_000_000  # objects after which a collection happens all the same
YOUNG = 30_000  # objects after which the young ones are collected as soon as an answer is sent: some 10 ms
FULL_EVERY = 20  # collections of the young ones


class IdleCollection:
    """Collects in the pauses of a process of which this is the only user. Nothing happens before ``begin``."""

    def __init__(self) -> None:
        self._is_on = False
        self._waiting: asyncio.TimerHandle | None = None
        self._count = 0

    def begin(self) -> None:
        """Takes the collection over. What is loaded by now is never looked at again."""
        self._is_on = True
        gc.collect()
        gc.freeze()
        gc.set_threshold(MOST_YOUNG, 10, 10)

    def postpone(self) -> None:
        """Takes note of a keystroke."""
        if self._waiting is not None:
            self._waiting.cancel()
        if self._is_on:
            self._waiting = asyncio.get_running_loop().call_later(PAUSE, self._collect)

    def take_answer(self) -> None:
        """Takes note of an answer to a keystroke: whoever types on without a pause must not wait for millions of objects later."""
        if self._is_on and gc.get_count()[0] > YOUNG:
            asyncio.get_running_loop().call_soon(gc.collect, 0)

    def _collect(self) -> None:
        self._waiting = None
        self._count += 1
        gc.collect(2 if self._count % FULL_EVERY == 0 else 1)
