"""Group commit: all writes that arrive while the disk is busy go into the next transaction together."""

from __future__ import annotations

import asyncio
from queue import SimpleQueue
from threading import Thread
from typing import TypeAlias

from gamedsl.play.web.server.limits import MOST_AT_ONCE
from gamedsl.play.web.server.store import Store, Write

_Job: TypeAlias = tuple[Write, "asyncio.Future[None]", asyncio.AbstractEventLoop]


class Writer:
    """A thread that writes to the store. ``keep`` returns when the data is on the disk."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self.thread = Thread(target=self._run, name="gamedsl log", daemon=True)
        self.thread.start()

    async def keep(self, write: Write) -> None:
        """Stores a write. Raises ``OSError`` if that fails; then none of it is stored."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()
        self.jobs.put((write, future, loop))
        await future

    def stop(self) -> None:
        """Writes everything that is waiting, and ends the thread."""
        self.jobs.put(None)
        self.thread.join()

    def _run(self) -> None:
        stops = False
        while not stops:
            batch: list[_Job] = []
            job = self.jobs.get()
            while job is not None:
                batch.append(job)
                if len(batch) == MOST_AT_ONCE or self.jobs.empty():
                    break
                job = self.jobs.get()
            stops = job is None
            self._write(batch)

    def _write(self, batch: list[_Job]) -> None:
        try:
            if batch:
                self.store.write([write for write, _, _ in batch])
        except Exception:  # the thread must survive any failure
            for job in batch:  # one bad write must not take the others with it
                self._write_alone(job)
            return
        for _, future, loop in batch:
            loop.call_soon_threadsafe(_settle, future, None)

    def _write_alone(self, job: _Job) -> None:
        write, future, loop = job
        failure: OSError | None = None
        try:
            self.store.write([write])
        except OSError as error:
            failure = error
        except Exception as error:
            failure = OSError(str(error))
        loop.call_soon_threadsafe(_settle, future, failure)


def _settle(future: asyncio.Future[None], failure: OSError | None) -> None:
    if future.done():
        return
    if failure is None:
        future.set_result(None)
    else:
        future.set_exception(failure)
