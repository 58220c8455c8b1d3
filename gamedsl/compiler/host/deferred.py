"""Values that are made in the background, or by the first caller that needs them."""

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
        """Starts to make the value in a thread of its own. The program does not end before it is made."""
        if self._began.acquire(blocking=False):
            threading.Thread(target=self._run).start()

    def wait(self, seconds: float) -> bool:
        """Waits up to ``seconds`` for the value, and starts to make it if that has not begun. Returns whether it is
        made."""
        self.start()
        return bool(wait([self._value], seconds).done)

    @property
    def ready(self) -> bool:
        """Whether the value is made, or making it failed."""
        return self._value.done()

    def get(self) -> T:
        """The value. Raises the exception with which making it failed."""
        if self._began.acquire(blocking=False):
            self._run()
        return self._value.result()

    def _run(self) -> None:
        try:
            self._value.set_result(self._make())
        except BaseException as problem:
            self._value.set_exception(problem)  # ``get`` raises it
