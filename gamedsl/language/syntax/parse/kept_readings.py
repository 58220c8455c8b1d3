"""What was read of a stretch of text, kept for the next text that contains it: an editor parses nearly the same text again and
again.

Before: the text of a line, or of a declaration with the shape of its lines. After: what the scanner or the parser made of it, with
offsets that count from its start. Whatever had a problem is read again, since messages hold places of one source.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Kept(Generic[K, V]):
    """Values by key: the ``most`` that were used last. Threads may share it."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def find(self, key: K) -> V | None:
        """Returns the value of a key; None if there is none, or not any more."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
        return value

    def put(self, key: K, value: V) -> None:
        with self._lock:
            self._values[key] = value
            if len(self._values) > self._most:
                self._values.popitem(last=False)
