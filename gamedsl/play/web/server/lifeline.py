"""Processes that must not outlive the process that started them, however it ended."""

from __future__ import annotations

import os
import threading
import time

WATCH = 1.0  # seconds between two checks that the parent is still there


def end_with(parent: int) -> None:
    """Makes this process end once ``parent``, the process that started it, is gone."""
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(WATCH)
    os._exit(0)
