"""Values that are made in the background, or by the first who needs them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Generic, TypeVar

T = TypeVar("T")


class Deferred(Generic[T]):
    """A value that is made once. May be used by several threads."""

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._value: Future[T] = Future()
        self._began = threading.Lock()

    def start(self) -> None:
        """Begins to make it in a thread of its own. The program does not end before it is made."""
        if self._began.acquire(blocking=False):
            threading.Thread(target=self._run).start()

    def wait(self, seconds: float) -> bool:
        """Is it made, within so many seconds? It is begun if it was not."""
        self.start()
        return bool(wait([self._value], seconds).done)

    def get(self) -> T:
        """The value. Raises what making it raised."""
        if self._began.acquire(blocking=False):
            self._run()
        return self._value.result()

    def _run(self) -> None:
        try:
            self._value.set_result(self._make())
        except BaseException as problem:
            self._value.set_exception(problem)  # ``get`` raises it
