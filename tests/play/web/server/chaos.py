"""Errors thrown into running coroutines: at the n-th point where one of the server's waits, before or after what it waits
for is done."""

from __future__ import annotations

import asyncio
import types
from collections.abc import Callable, Coroutine, Generator
from typing import Any

ERRORS: tuple[type[BaseException], ...] = (asyncio.CancelledError, TimeoutError, OSError, ValueError)


class Chaos:
    """A task factory. ``at``: which of the points fails; ``is_after``: what was waited for has happened all the same."""

    def __init__(self, at: int, error: Callable[[], BaseException], is_after: bool) -> None:
        self.at, self.error, self.is_after = at, error, is_after
        self.points = 0
        self.is_on = True

    def __call__(self, loop: asyncio.AbstractEventLoop, work: Any, **more: Any) -> asyncio.Task[Any]:
        code = getattr(work, "cr_code", None)
        is_ours = code is not None and "/web/server/" in code.co_filename and "/tests/" not in code.co_filename
        return asyncio.Task(self._run(work) if is_ours else work, loop=loop, **more)

    async def _run(self, work: Coroutine[Any, Any, Any]) -> Any:
        return await self._driven(work)

    @types.coroutine
    def _driven(self, work: Coroutine[Any, Any, Any]) -> Generator[Any, Any, Any]:
        thrown: BaseException | None = None
        while True:
            try:
                waits_for = work.send(None) if thrown is None else work.throw(thrown)
            except StopIteration as end:
                return end.value
            thrown = None
            fails = self._counts()
            if fails and not self.is_after:
                if waits_for is not None:
                    waits_for._asyncio_future_blocking = False
                thrown = self.error()
                continue
            try:
                yield waits_for
            except BaseException as error:
                thrown = error
            if fails and thrown is None:
                thrown = self.error()

    def _counts(self) -> bool:
        self.points += self.is_on
        return self.is_on and self.points == self.at
