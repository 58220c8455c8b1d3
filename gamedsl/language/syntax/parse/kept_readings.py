"""What was read of a stretch of text, kept for the next text that contains it: an editor parses nearly the same text again and
again.

Before: the text of a declaration with the shape of its lines. After: what the parser made of it, with offsets that count from its
start. Whatever had a problem is read again, since messages hold places of one source.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Kept(Generic[K, V]):
    """Values by key: the last ``most`` that were put or found are among them, and at most twice as many are kept. Threads may share it:
    the worst that can happen is that a value is forgotten early.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: dict[K, V] = {}
        self._older: dict[K, V] = {}

    def find(self, key: K) -> V | None:
        """Returns the value of a key; None if there is none, or not any more."""
        value = self._values.get(key)
        if value is None:
            value = self._older.get(key)
            if value is not None:
                self.put(key, value)
        return value

    def put(self, key: K, value: V) -> None:
        if len(self._values) >= self._most:
            self._older, self._values = self._values, {}
        self._values[key] = value
