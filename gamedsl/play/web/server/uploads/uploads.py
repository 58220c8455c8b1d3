"""Uploaded rules: kept in the data folder, started when somebody plays them, limited in number."""

from __future__ import annotations

import asyncio
import sqlite3
import tempfile
import time
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeVar

from starlette.requests import Request
from starlette.websockets import WebSocket, WebSocketDisconnect

from gamedsl.play.web.server.limits import (
    FAILURE_SECONDS,
    HELLO_SECONDS,
    MOST_FAILURES,
    MOST_RUNNING,
    MOST_RUNNING_EACH,
)
from gamedsl.play.web.server.logs import LOG
from gamedsl.play.web.server.refusals import Refused
from gamedsl.play.web.server.sockets import NOT_FOUND, address_of, close_with, read_frame
from gamedsl.play.web.server.table_registry import TableRegistry
from gamedsl.play.web.server.uploads.process import TOO_MUCH, Gone, Json, UploadProcess
from gamedsl.play.web.server.uploads.upload_folders import UploadFolders
from gamedsl.play.web.server.uploads.upload_names import is_upload, prefix_of

TEND_SECONDS = 30.0  # between two checks of all uploads
FIRST_RETRY = 60_000  # milliseconds after which an upload that died is restarted, if no visitor does it before
T = TypeVar("T")
_PASSED_ON = ("content-type", "host", "x-forwarded-proto")


class Uploads:
    """All uploads of a server."""

    def __init__(self, folder: Path, delay: float, hall: TableRegistry) -> None:
        """``folder``: see ``UploadFolders``. ``delay``: see ``Table``. ``hall``: the server's tables, whose clock and
        owners are used here."""
        self.shelf, self.delay, self.hall = UploadFolders(folder), delay, hall
        self.sockets = tempfile.TemporaryDirectory(prefix="gamedsl-")  # their paths must be short
        self.running: dict[str, UploadProcess] = {}
        self.starting: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.failures: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=MOST_FAILURES))
        self.wakes: dict[str, int] | None = (
            None  # sleeping uploads: when a clock runs out there; None: not yet searched for
        )
        self.tasks: list[asyncio.Task[None]] = []

    def owns(self, name: str) -> bool:
        return is_upload(name) and (self.shelf.folder / name).is_dir()

    def is_running(self, name: str) -> bool:
        return name in self.running and self.running[name].runs

    # ------------------------------------------------------------------------------------------------ the process

    def start(self) -> None:
        """Resumes the tables that go on alone, as ``TableRegistry.start`` does."""
        self.tasks = [asyncio.ensure_future(self.hall.forever(self._tend, TEND_SECONDS))]

    async def _tend(self) -> None:
        """Wakes the uploads that have a table where a clock runs out soon; deletes those that nobody needs."""
        if self.wakes is None:
            self.wakes = dict.fromkeys(await asyncio.to_thread(self._alone, self.shelf.names()), 0)
            for name in await asyncio.to_thread(lambda: list(self.shelf.unneeded())):
                if name not in self.running and not self.starting[name].locked():
                    LOG.warning("%s is deleted: it is unused", name)
                    await asyncio.to_thread(self.shelf.drop, name)
        await self._forget_ended()
        soon = self.hall.run.now() + 2 * TEND_SECONDS * 1000
        for name, at in sorted(self.wakes.items(), key=lambda pair: pair[1]):
            if at < soon and len(self.running) < MOST_RUNNING // 2:  # the others are for people
                try:
                    await self._process(name)
                except Refused as refused:
                    LOG.warning("%s cannot continue now: %s", name, refused.message)
                    if refused.code == "rules":  # not again at once
                        self.wakes[name] = self.hall.run.now() + int(FAILURE_SECONDS * 1000)

    def _alone(self, names: Sequence[str]) -> list[str]:
        found = []
        for name in names:
            try:
                if self.shelf.goes_on_alone(name):
                    found.append(name)
            except (OSError, sqlite3.Error) as error:  # the others go on
                LOG.warning("%s cannot continue: %s", name, error)
        return found

    async def stop(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*(process.end() for process in self.running.values()))
        self.sockets.cleanup()

    # ------------------------------------------------------------------------------------------------ uploading

    async def add(self, text: str, owner: str) -> Json:
        """Stores a playable ruleset and returns its ``name`` and ``title``. ``owner``: see ``Setup``. Raises
        ``Refused`` with its faults."""
        name = await asyncio.to_thread(self.shelf.put, text, owner)
        try:
            process = await self._process(name)
        except BaseException:
            await asyncio.to_thread(self.shelf.drop, name)
            self.starting.pop(name, None)
            raise
        return {"name": name, **process.told}

    async def _process(self, name: str) -> UploadProcess:
        """The process of an upload, started if need be."""
        async with self.starting[name]:
            found = self.running.get(name)
            if found is not None and found.runs:
                return found
            await self._forget_ended()
            owner = self.shelf.owner(name)
            await self._admit(name, owner)
            path = Path(self.sockets.name) / prefix_of(name)
            process = await UploadProcess.started(
                self.shelf.folder / name, name, path, self.delay, self.hall.run, owner, self.hall.chat
            )
            self.running[name] = process
            (self.wakes or {}).pop(name, None)
            self.shelf.visit(name)
            return process

    async def _with(self, name: str, work: Callable[[UploadProcess], Awaitable[T]]) -> T:
        """The result of a function that talks to an upload. If the process has died or hangs, a new one is tried once;
        if it still answers others, the request is at fault, and the process is kept for them."""
        for _ in range(2):
            process = await self._process(name)
            process.uses += 1
            try:
                return await work(process)
            except Gone:
                if await process.answers():
                    break
                await process.end(patience=0.0)
            finally:
                process.uses -= 1
        raise Refused("rules", TOO_MUCH)

    async def _forget_ended(self) -> None:
        """Forgets the processes that have ended, but not that they failed, and not when their tables wake."""
        for name, process in list(self.running.items()):
            if process.runs or self.running.get(name) is not process:
                continue
            del self.running[name]
            if process.failed:
                self.failures[name].append(time.monotonic())
            try:
                wakes = await process.wakes()
            except Gone:  # it was ended, or died
                is_needed = name in await asyncio.to_thread(self._alone, [name])
                wakes = self.hall.run.now() + FIRST_RETRY if is_needed else None
            if wakes is not None and name not in self.running and self.wakes is not None:
                self.wakes[name] = wakes

    async def _admit(self, name: str, owner: str) -> None:
        """Makes room for an upload. Raises ``Refused`` if all places are in use, in total or by its owner."""
        since = time.monotonic() - FAILURE_SECONDS
        if sum(at > since for at in self.failures[name]) >= MOST_FAILURES:
            raise Refused("rules", f"{TOO_MUCH}; try again later")
        own = [process for process in self.running.values() if owner and process.owner == owner]
        if len(own) >= MOST_RUNNING_EACH and not await self._end_unused(own):
            raise Refused(
                "full", "too many games of the person who uploaded this one are being played; try again later"
            )
        is_full = len(self.running) + sum(lock.locked() for lock in self.starting.values()) > MOST_RUNNING
        if is_full and not await self._end_unused(list(self.running.values())):
            raise Refused("full", "too many uploaded games are being played; try again later")

    async def _end_unused(self, processes: Sequence[UploadProcess]) -> bool:
        """Ends the oldest of these processes that serves nobody now (the log is complete). False if there is none."""
        found = next((process for process in processes if not process.uses), None)
        if found is not None:
            await found.end()
            await self._forget_ended()
        return found is not None

    # ------------------------------------------------------------------------------------------------ passing on

    async def ask(self, name: str, request: Request, body: bytes = b"") -> Json:
        """Relays a request to an upload. Raises ``Refused``."""
        if not self.owns(name):
            raise Refused("table", "there is no such table")
        headers = {k: request.headers[k] for k in _PASSED_ON if k in request.headers}
        headers.setdefault("x-forwarded-proto", request.url.scheme)
        headers["x-forwarded-for"] = address_of(request)
        return await self._with(name, lambda process: process.ask(request.method, request.url.path, headers, body))

    async def relay(self, name: str, ws: WebSocket, sit: Callable[[WebSocket], None]) -> None:
        """Connects a socket to the table of an upload. ``sit``: see ``TableRegistry.sit``."""
        await ws.accept()
        try:
            hello = await asyncio.wait_for(read_frame(ws), HELLO_SECONDS)
            if not self.owns(name):
                raise Refused("table", "there is no such table")
            await self._with(name, lambda process: process.relay(ws, hello, lambda: sit(ws)))
        except Refused as refused:
            await close_with(ws, NOT_FOUND, refused)
        except (WebSocketDisconnect, TimeoutError):
            pass  # it has gone
