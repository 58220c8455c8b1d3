"""Processes that must not outlive the one that started them, however that one ended."""

from __future__ import annotations

import os
import threading
import time

WATCH = 1.0  # seconds between two looks at whether the parent is still there


def end_with(parent: int) -> None:
    """From now on this process ends once ``parent``, the process that started it, is gone."""
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(WATCH)
    os._exit(0)
