"""The server's side of a running upload: starting it, asking it over HTTP, joining it over a WebSocket, ending it."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import socket
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.asyncio.client import ClientConnection, unix_connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from gamedsl.language.source import child_environment, module_command
from gamedsl.play.web.server.limits import ANSWER_SECONDS, LIFE_SECONDS, MOST_ANSWER, MOST_ASKING, START_SECONDS
from gamedsl.play.web.server.refusals import Refused
from gamedsl.play.web.server.server_time import Run
from gamedsl.play.web.server.sockets import lag_of, read_frame, relayed

Json: TypeAlias = dict[str, Any]
TOO_MUCH = "these rules need too much time or memory"


class Gone(Exception):
    """The process no longer answers."""


class UploadProcess:
    """The listening process of an upload, made by ``started``."""

    def __init__(self, process: asyncio.subprocess.Process, path: Path, told: Json, owner: str) -> None:
        self.process, self.path, self.told, self.owner = process, path, told, owner
        self.uses = 0  # requests and sockets that are being served
        self.asking = ThreadPoolExecutor(
            MOST_ASKING, thread_name_prefix=path.name
        )  # an upload that hangs holds only these

    @classmethod
    async def started(
        cls, folder: Path, name: str, path: Path, delay: float, run: Run, owner: str, chat: str
    ) -> UploadProcess:
        """Starts the process and waits until it listens. ``run``: the run of the server. ``owner``: the owner of the
        rules. ``chat``: see ``TableRegistry``. Raises ``Refused`` (rules) with the faults of the rules."""
        path.unlink(missing_ok=True)
        command = module_command("gamedsl.play.web.server.uploads.child")
        arguments = [str(folder), name, str(path), str(delay), str(os.getpid()), run.text(), chat]
        process = await asyncio.create_subprocess_exec(
            *command,
            *arguments,
            env=child_environment(),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
        )
        assert process.stdout is not None
        try:
            line = await asyncio.wait_for(process.stdout.readline(), START_SECONDS)
            told: Json = json.loads(line)
        except (TimeoutError, ValueError):
            told = {"faults": TOO_MUCH}
        except BaseException:
            process.kill()
            raise
        if "faults" in told:
            await _end(process)
            raise Refused("rules", told["faults"])
        return cls(process, path, told, owner)

    @property
    def runs(self) -> bool:
        return self.process.returncode is None

    @property
    def failed(self) -> bool:
        """Whether it ended for another reason than that nobody played."""
        return self.process.returncode not in (None, 0)

    async def wakes(self) -> int | None:
        """The instant at which a clock runs out at one of its tables, as the process reported at its end; None: never.
        Raises ``Gone`` if it has not reported it."""
        assert self.process.stdout is not None
        try:
            found: Json = json.loads(await asyncio.wait_for(self.process.stdout.read(1000), LIFE_SECONDS))
            return None if found["wakes"] is None else int(found["wakes"])
        except (TimeoutError, ValueError, KeyError, TypeError) as error:
            raise Gone from error

    async def end(self, patience: float = 5.0) -> None:
        """Asks the process to end, and ends it by force after ``patience`` seconds."""
        with suppress(ProcessLookupError):
            self.process.terminate()
        await _end(self.process, patience)
        self.asking.shutdown(wait=False, cancel_futures=True)

    async def ask(self, method: str, target: str, headers: Mapping[str, str], body: bytes) -> Json:
        """The answer to a request. Raises ``Refused`` if the process refuses it or cannot be asked it, and ``Gone`` if
        there is no answer."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.asking, _ask, self.path, method, target, headers, body)

    async def answers(self) -> bool:
        """Whether the process answers anything at all: if it does, the request is to blame for a failure."""
        try:
            return self.runs and await asyncio.to_thread(_lives, self.path)
        except RuntimeError:  # this server is ending
            return False

    async def relay(self, ws: WebSocket, hello: str, sit: Callable[[], None]) -> None:
        """Relays frames in both directions until either side closes. ``hello``: the first frame, which is already
        read. ``sit`` is called once the process reports that it opens a seat. Raises ``Gone`` if there is no
        connection."""
        url = f"ws://upload/live/{ws.path_params['table']}"
        try:
            inner = await unix_connect(
                str(self.path), url, max_size=MOST_ANSWER, compression=None, open_timeout=LIFE_SECONDS
            )
        except (OSError, TimeoutError, WebSocketException) as error:
            raise Gone from error
        with suppress(ConnectionClosed):
            await inner.send(hello)
        work = [asyncio.ensure_future(one) for one in (_to_upload(ws, inner), _to_person(ws, inner, sit))]
        try:
            await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in work:
                task.cancel()
            await asyncio.gather(*work, return_exceptions=True)
            await inner.close()
        with suppress(RuntimeError, WebSocketDisconnect, OSError):
            await ws.close(inner.close_code or 1001)


async def _to_upload(ws: WebSocket, inner: ClientConnection) -> None:
    with suppress(WebSocketDisconnect, ConnectionClosed, Refused, RuntimeError):
        while True:
            frame = await read_frame(ws)
            await inner.send(relayed(lag_of(ws), frame))


async def _to_person(ws: WebSocket, inner: ClientConnection, sit: Callable[[], None]) -> None:
    with suppress(WebSocketDisconnect, ConnectionClosed, RuntimeError, OSError):
        welcome = str(await inner.recv())
        if _is_seated(welcome):
            sit()
        await ws.send_text(welcome)
        async for frame in inner:
            await ws.send_text(str(frame))


def _is_seated(welcome: str) -> bool:
    try:
        told = json.loads(welcome)
    except ValueError:
        return False
    return isinstance(told, dict) and told.get("kind") == "welcome" and told.get("seat") is not None


async def _end(process: asyncio.subprocess.Process, patience: float = 0.5) -> None:
    """Waits ``patience`` seconds for the end of a process, and then kills it."""
    try:
        await asyncio.wait_for(process.wait(), patience)
    except TimeoutError:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _ask(path: Path, method: str, target: str, headers: Mapping[str, str], body: bytes) -> Json:
    try:
        status, answer = _exchange(path, ANSWER_SECONDS, method, target, headers, body)
    except ValueError as error:  # names and headers that HTTP cannot carry
        raise Refused("malformed", "the request cannot be forwarded") from error
    except (OSError, http.client.HTTPException) as error:
        raise Gone from error
    try:
        told: Json = json.loads(answer)
        refusal = Refused(told["code"], told["message"]) if status >= 400 else None
    except (ValueError, KeyError, TypeError) as error:
        raise Refused("rules", "the server failed to run these rules") from error
    if refusal is not None:
        raise refusal
    return told


def _lives(path: Path) -> bool:
    try:
        return _exchange(path, LIFE_SECONDS, "GET", "/api/lobby", {"host": "localhost"}, b"")[0] == 200
    except (OSError, http.client.HTTPException):
        return False


def _exchange(
    path: Path, patience: float, method: str, target: str, headers: Mapping[str, str], body: bytes
) -> tuple[int, bytes]:
    """The status and body of an answer. Raises ``ValueError`` for a request that HTTP cannot carry, and ``OSError`` or
    ``HTTPException`` if there is no answer."""
    connection = _UnixConnection(path, patience)
    try:
        try:
            connection.request(method, target, body or None, dict(headers))
        except http.client.InvalidURL as error:
            raise ValueError(str(error)) from error
        answer = connection.getresponse()
        return answer.status, answer.read(MOST_ANSWER)
    finally:
        connection.close()


class _UnixConnection(http.client.HTTPConnection):
    """HTTP over a Unix socket."""

    def __init__(self, path: Path, patience: float) -> None:
        super().__init__("upload", timeout=patience)
        self.path, self.patience = path, patience

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.patience)
        self.sock.connect(str(self.path))
