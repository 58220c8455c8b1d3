"""The application of the studio: its page, and the socket over which the page speaks with the language server.

It serves this machine alone. A socket comes from a page of this address (``Origin``), names this machine (``Host``), and brings in its
first message the key that only the printed link has.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams, JsonRpcInvalidRequest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from gamedsl.editor import uri_of
from gamedsl.language.source import FileError, reason
from gamedsl.play.web import STATIC, is_same_site, run_local_app
from gamedsl.studio.author_files import AuthorFiles, FileRefused
from gamedsl.studio.studio_server import StudioServer, make_studio_server

OWN = Path(__file__).parent / "static"
MOST_FRAME = 4 << 20  # bytes of a message of the page: a text as JSON, several times over
MOST_PAGES = 8  # connected at once
HELLO_SECONDS = 10.0
MOST_WAITING = 500  # messages that a page has not taken yet
FORBIDDEN, TOO_MANY, NOT_TEXT = 4403, 4429, 1003
POLICY = (
    "default-src 'self'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)


class Studio:
    """What all pages of one studio share. ``first``: the ruleset to show."""

    def __init__(self, root: Path | None, first: str = "", data: Path | None = None) -> None:
        self.data, self.first = data, first
        self.files = None if root is None else AuthorFiles(root, data)
        self.beside = Path.cwd()  # where a new game gets its folder
        self.own_key = secrets.token_urlsafe(16)
        self.pages = 0

    @property
    def key(self) -> str:
        return self.own_key if self.files is None else self.files.key

    def opens(self, key: str) -> bool:
        own = hmac.compare_digest(key.encode("utf-8", "replace"), self.own_key.encode())
        return own or (self.files is not None and self.files.opens(key))

    def begin(self, name: str, texts: Mapping[str, str]) -> AuthorFiles:
        """Makes a folder with the files of a new game. Raises ``FileRefused``."""
        folder = self.beside / name
        try:
            folder.mkdir()
        except OSError as error:
            raise FileRefused(f"the folder `{name}` cannot be made: {reason(error)}") from None
        self.files = AuthorFiles(folder, self.data)
        for file, text in texts.items():
            (folder / file).parent.mkdir(exist_ok=True)
            (folder / file).write_text(text, encoding="utf-8")
        return self.files

    # ------------------------------------------------------------------------------------------------------ routes

    def app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/", _page("studio.html")),
                Route("/board", _page("board.html")),
                WebSocketRoute("/studio", self.serve),
                Mount("/static", StaticFiles(directory=STATIC)),
                Mount("/studio-static", StaticFiles(directory=OWN)),
            ]
        )

    async def serve(self, ws: WebSocket) -> None:
        """One page, from its greeting to its end."""
        if not is_same_site(ws):
            await ws.close(1008)
            return
        await ws.accept()
        try:
            hello: Any = json.loads(await asyncio.wait_for(ws.receive_text(), HELLO_SECONDS))
            key = hello.get("key") if isinstance(hello, dict) else None
        except (WebSocketDisconnect, TimeoutError, ValueError, KeyError):
            key = None
        if not isinstance(key, str) or not self.opens(key):
            await _close(
                ws, FORBIDDEN, "This link does not open the studio. Use the one that `gamedsl studio` printed."
            )
            return
        if self.pages >= MOST_PAGES:
            await _close(ws, TOO_MANY, "Too many pages of this studio are open. Close one.")
            return
        self.pages += 1
        try:
            await self._converse(ws)
        finally:
            self.pages -= 1

    async def _converse(self, ws: WebSocket) -> None:
        server = make_studio_server(self.files, self.begin)
        writer = _Writer()
        server.protocol.set_writer(writer, include_headers=False)
        await ws.send_text(json.dumps({"kind": "welcome", "first": self.first, "key": self.key} | server.about()))
        warming = asyncio.ensure_future(server.pool.warm())
        work = [
            asyncio.ensure_future(w) for w in (_send(ws, writer), _receive(ws, server, writer), server.watch_files())
        ]
        try:
            done, _ = await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                with suppress(WebSocketDisconnect, RuntimeError, OSError):  # it has gone
                    task.result()
        finally:
            for task in (*work, warming):
                task.cancel()
            await asyncio.gather(*work, warming, return_exceptions=True)
            await server.pool.end()
            server.shutdown()  # type: ignore[no-untyped-call]  # pygls leaves it without types


class _Writer:
    """Messages for the page, until they are sent. ``has_room``: no more of the page's own are taken while it takes none."""

    def __init__(self) -> None:
        self.waiting: asyncio.Queue[bytes] = asyncio.Queue()
        self.has_room = asyncio.Event()
        self.has_room.set()

    def write(self, data: bytes | str) -> None:
        self.waiting.put_nowait(data.encode() if isinstance(data, str) else data)
        if self.waiting.qsize() >= MOST_WAITING:
            self.has_room.clear()

    async def next(self) -> bytes:
        found = await self.waiting.get()
        if self.waiting.qsize() < MOST_WAITING:
            self.has_room.set()
        return found

    def close(self) -> None:
        pass


async def _send(ws: WebSocket, writer: _Writer) -> None:
    while True:
        await ws.send_text((await writer.next()).decode())


async def _receive(ws: WebSocket, server: StudioServer, writer: _Writer) -> None:
    """Take the messages of a page until it ends. One that cannot be understood is refused, and the next one is taken."""
    while True:
        await writer.has_room.wait()
        try:
            text = await ws.receive_text()
        except KeyError:  # bytes
            await ws.close(NOT_TEXT)
            return
        try:
            data = json.loads(text)
            if not _is_message(data):
                raise JsonRpcInvalidRequest("this is not a message of the language server protocol")
            if data.get("method") == "exit":  # it would end the process, with the studio of every other page
                await ws.close()
                return
            if not all(map(server.may_read, _uris(data.get("params")))):
                raise JsonRpcInvalidParams("this names a file outside of the folder")
            server.protocol.handle_message(json.loads(text, object_hook=server.protocol.structure_message))
        except JsonRpcException as refusal:
            await _refuse(ws, data, refusal)
        except Exception:  # a message of a known kind without the form that it needs
            await _refuse(ws, None, JsonRpcInvalidParams("this message cannot be understood"))


def _is_message(data: Any) -> bool:
    """Whether a value has the form that all messages have."""
    match data:
        case {"id": bool() | None}:
            return False
        case {"id": int() | str()} | {"method": str()}:
            fits = isinstance(data.get("id", ""), int | str) and isinstance(data.get("method", ""), str)
            return fits and isinstance(data.get("error", {}), dict)
    return False


async def _refuse(ws: WebSocket, data: Any, refusal: JsonRpcException) -> None:
    number = data.get("id") if _is_message(data) and "method" in data else None
    error = {"code": refusal.code, "message": refusal.message}
    await ws.send_text(json.dumps({"jsonrpc": "2.0", "id": number, "error": error}))


def _uris(value: Any) -> Iterator[str]:
    """The addresses of files that a message names."""
    match value:
        case {"command": str(), "arguments": [str(path), *_]}:  # the commands of lenses name files by their paths
            yield path if path.startswith("file:") else uri_of(path)
        case dict():
            for key, inner in value.items():
                if key in ("uri", "targetUri", "rootUri") and isinstance(inner, str):
                    yield inner
                yield from _uris(inner)
        case list():
            for inner in value:
                yield from _uris(inner)


async def _close(ws: WebSocket, code: int, message: str) -> None:
    with suppress(RuntimeError, OSError):
        await ws.send_text(json.dumps({"kind": "refused", "message": message}))
        await ws.close(code)


def _page(name: str) -> Callable[[Request], Any]:
    async def serve(_: Request) -> HTMLResponse:
        nonce = secrets.token_urlsafe(12)
        text = (OWN / name).read_text(encoding="utf-8").replace("{{nonce}}", nonce)
        return HTMLResponse(text, headers={"content-security-policy": POLICY.format(nonce=nonce)})

    return serve


def _is_worth_a_line(record: logging.LogRecord) -> bool:
    """Whether a line of the language server's log is about more than a message that was refused."""
    return not str(record.msg).startswith(("Unable to deserialize message", "Received response to unknown", "Ignoring"))


def run_studio(root: Path | None, first: str, port: int, says: Callable[[str], None], fallback: bool) -> None:
    """Serves a studio for a folder (None: the gallery) until it is interrupted. Raises ``FileError``: E0010, E0011."""
    try:
        studio = Studio(root, first)
    except OSError as error:
        raise FileError(f"the data folder of the studio cannot be used: {reason(error)}", code="E0011") from None
    logging.getLogger("pygls.protocol.json_rpc").addFilter(_is_worth_a_line)
    run_local_app(studio.app(), port, MOST_FRAME, lambda address: says(f"{address}#{studio.key}"), fallback)
