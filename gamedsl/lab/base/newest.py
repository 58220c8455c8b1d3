"""Values that a process keeps for the keys that were asked last."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

V = TypeVar("V")


class Newest(Generic[V]):
    """Keeps at most ``size`` values, those that were asked last."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._values: dict[Hashable, V] = {}

    def __contains__(self, key: Hashable) -> bool:
        return key in self._values

    def find(self, key: Hashable, make: Callable[[], V]) -> V:
        """Returns the value of a key, which is made if it is not kept."""
        found = self._values.pop(key) if key in self._values else make()
        self._values[key] = found
        if len(self._values) > self.size:
            del self._values[next(iter(self._values))]
        return found
