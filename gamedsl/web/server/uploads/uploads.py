"""The rules that people have brought: kept in the data folder, started when somebody plays them, bounded."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections import defaultdict, deque
from collections.abc import Awaitable, Callable
from pathlib import Path
from shutil import rmtree
from typing import TypeVar

from starlette.requests import Request
from starlette.websockets import WebSocket, WebSocketDisconnect

from gamedsl.web.server.limits import FAILURE_SECONDS, HELLO_SECONDS, MOST_FAILURES, MOST_RUNNING, MOST_UPLOADS
from gamedsl.web.server.logs import LOG
from gamedsl.web.server.refusals import Refused
from gamedsl.web.server.sockets import NOT_FOUND, close_with, read_frame
from gamedsl.web.server.store import SqliteStore
from gamedsl.web.server.uploads.names import is_upload, new_upload, prefix_of
from gamedsl.web.server.uploads.process import TOO_MUCH, Gone, Json, UploadProcess

T = TypeVar("T")
_PASSED_ON = ("content-type", "host", "x-forwarded-proto")


class Uploads:
    """All uploads of a server."""

    def __init__(self, folder: Path, delay: float) -> None:
        """``folder`` holds a folder for each upload: ``rules`` with the ruleset, ``tables`` with the log. ``delay``: see
        ``Table``."""
        self.folder, self.delay = folder, delay
        self.sockets = tempfile.TemporaryDirectory(prefix="gamedsl-")  # their paths must be short
        self.running: dict[str, UploadProcess] = {}
        self.starting: dict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.failures: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=MOST_FAILURES))
        self.tasks: set[asyncio.Task[None]] = set()

    def owns(self, name: str) -> bool:
        return is_upload(name) and (self.folder / name).is_dir()

    # ------------------------------------------------------------------------------------------------ the process

    def start(self) -> None:
        """Goes on with the tables that wait for nobody, as ``Hall.start`` does."""
        task = asyncio.ensure_future(self._go_on())
        self.tasks.add(task)

    async def _go_on(self) -> None:
        for folder in sorted(self.folder.glob("upload-*")):
            try:
                if await asyncio.to_thread(_waits_for_nobody, folder / "tables" / "tables.sqlite"):
                    await self._process(folder.name)
            except Exception as error:  # the others go on
                LOG.warning("%s cannot go on: %s", folder.name, error)

    async def stop(self) -> None:
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*(process.end() for process in self.running.values()))
        self.sockets.cleanup()

    # ------------------------------------------------------------------------------------------------ uploading

    async def add(self, text: str) -> Json:
        """Keeps a ruleset that can be played: its ``name`` and ``title``. Raises ``Refused`` with its faults."""
        if len(list(self.folder.glob("upload-*"))) >= MOST_UPLOADS:
            raise Refused("full", "this server keeps no more rulesets")
        name = new_upload()
        rules = self.folder / name / "rules"
        try:
            rules.mkdir(parents=True, mode=0o700)
            (rules / f"{name}.gdl").write_text(text, encoding="utf-8")
        except OSError as error:
            raise Refused("storage", "the server can't keep the ruleset now") from error
        try:
            process = await self._process(name)
        except Refused:
            await asyncio.to_thread(rmtree, self.folder / name, ignore_errors=True)
            del self.starting[name]
            raise
        return {"name": name, **process.told}

    async def _process(self, name: str) -> UploadProcess:
        """The process of an upload, started if need be."""
        async with self.starting[name]:
            found = self.running.get(name)
            if found is not None and found.runs:
                return found
            self._forget_ended()
            self._admit(name)
            path = Path(self.sockets.name) / prefix_of(name)
            self.running[name] = process = await UploadProcess.started(self.folder / name, name, path, self.delay)
            return process

    async def _with(self, name: str, work: Callable[[UploadProcess], Awaitable[T]]) -> T:
        """What a function returns that talks to an upload. If that has died or hangs, a new process is tried once; if it
        goes on answering others, the request is at fault, and nobody else must feel it."""
        for _ in range(2):
            process = await self._process(name)
            try:
                return await work(process)
            except Gone:
                if await process.answers():
                    break
                await process.end(patience=0.0)
        raise Refused("rules", TOO_MUCH)

    def _forget_ended(self) -> None:
        """Forgets the processes that have ended, but not that they failed."""
        for name, process in list(self.running.items()):
            if process.failed:
                self.failures[name].append(time.monotonic())
            if not process.runs:
                del self.running[name]

    def _admit(self, name: str) -> None:
        since = time.monotonic() - FAILURE_SECONDS
        if sum(at > since for at in self.failures[name]) >= MOST_FAILURES:
            raise Refused("rules", f"{TOO_MUCH}; try again later")
        if len(self.running) + sum(lock.locked() for lock in self.starting.values()) > MOST_RUNNING:
            raise Refused("full", "too many uploaded games are being played; try again later")

    # ------------------------------------------------------------------------------------------------ passing on

    async def ask(self, name: str, request: Request, body: bytes = b"") -> Json:
        """Passes a request on to an upload. Raises ``Refused``."""
        if not self.owns(name):
            raise Refused("table", "there is no such table")
        headers = {k: request.headers[k] for k in _PASSED_ON if k in request.headers}
        headers.setdefault("x-forwarded-proto", request.url.scheme)
        return await self._with(name, lambda process: process.ask(request.method, request.url.path, headers, body))

    async def relay(self, name: str, ws: WebSocket, sit: Callable[[WebSocket], None]) -> None:
        """Connects a socket with the table of an upload. ``sit``: see ``Hall.sit``."""
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


def _waits_for_nobody(log: Path) -> bool:
    """Whether the log has a table with a clock or an agent whose play is not over. Raises ``OSError`` and ``sqlite3.Error``."""
    if not log.exists():
        return False
    store = SqliteStore(log)
    try:
        return any(setup is not None and setup.goes_on_alone for _, setup in store.open_tables())
    finally:
        store.close()
