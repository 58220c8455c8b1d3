"""The web application: pages, the lobby's data, sockets."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import segno
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

import gamedsl
from gamedsl.web.server.agents import AGENTS
from gamedsl.web.server.events import PERSON
from gamedsl.web.server.hall import Hall
from gamedsl.web.server.limits import MOST_BODY, Gate
from gamedsl.web.server.refusals import Refused
from gamedsl.web.server.requests import CLOCKS, read_new_table
from gamedsl.web.server.sockets import serve_socket

_LOG = logging.getLogger("gamedsl.server")
STATIC = Path(gamedsl.__file__).parent / "web" / "static"
HEADERS = {
    "content-security-policy": "default-src 'self'; style-src 'self'; img-src 'self' data:; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}
_STATUS = {"malformed": 400, "rate": 429, "table": 404, "game": 404, "storage": 503, "origin": 403}
Handler = Callable[[Request], Awaitable[Response]]


def make_app(hall: Hall) -> Starlette:
    """The application around the tables of a hall."""
    pages = Pages(hall, Gate(hall.limits))

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        hall.start()
        yield
        hall.stop()

    app = Starlette(
        routes=[
            Route("/", _file("lobby.html")),
            Route("/table/{table}", _file("table.html")),
            Route("/api/lobby", _told(pages.lobby)),
            Route("/api/games/{game}", _told(pages.card)),
            Route("/api/tables", _told(pages.make), methods=["POST"]),
            Route("/api/tables/{table}", _told(pages.game)),
            WebSocketRoute("/live/{table}", pages.live),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        lifespan=lifespan,
    )
    app.add_middleware(Secured)
    return app


class Secured:
    """Adds the headers that every answer has."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                added = [(k.encode(), v.encode()) for k, v in HEADERS.items()]
                message["headers"] = [*message["headers"], *added]
            await send(message)

        await self.app(scope, receive, sending if scope["type"] == "http" else send)


class Pages:
    """What the routes do."""

    def __init__(self, hall: Hall, gate: Gate) -> None:
        self.hall, self.gate = hall, gate

    async def lobby(self, _: Request) -> object:
        listed = [
            {"name": g.name, "title": g.title, "about": g.about, "family": g.family}
            for g in self.hall.catalogue.listings.values()
        ]
        return {"games": listed, "tables": self.hall.public_tables(), "seats": [PERSON, *AGENTS], "clocks": CLOCKS}

    async def card(self, request: Request) -> object:
        return (await self.hall.load(request.path_params["game"])).card

    async def game(self, request: Request) -> object:
        table = await self.hall.table(request.path_params["table"])
        setup = table.play.setup
        return {"game": (await self.hall.load(setup.game, setup.options)).described}

    async def make(self, request: Request) -> object:
        if not is_same_site(request):
            raise Refused("origin", "this request comes from another site")
        wanted = read_new_table(await _body(request))
        if not self.gate.may_make(_address(request)):
            raise Refused("rate", "too many tables; wait a little")
        table = await self.hall.make(wanted)
        names, base = table.play.game.players, f"{request.base_url}table/{table.name}"
        seats = sorted(table.play.people)
        links = [{"seat": s, "name": names[s], **_link(f"{base}#{self.hall.links.key(table.name, s)}")} for s in seats]
        return {"table": table.name, "links": links, "watch": _link(base)}

    async def live(self, ws: WebSocket) -> None:
        address = _address(ws)
        if not is_same_site(ws) or not self.gate.enter(address):
            _LOG.warning("a socket from %s was refused", address)
            await ws.close(1008)
            return
        try:
            await serve_socket(ws, self.hall)
        finally:
            self.gate.leave(address)


def is_same_site(connection: HTTPConnection) -> bool:
    """A browser says from which page a request comes; programs that are no browsers say nothing."""
    origin = connection.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == connection.headers.get("host", "")


def _address(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else ""


def _link(url: str) -> dict[str, str]:
    return {"link": url, "qr": segno.make(url, error="m").svg_data_uri(border=2, scale=4)}


async def _body(request: Request) -> bytes:
    found = b""
    async for piece in request.stream():
        found += piece
        if len(found) > MOST_BODY:
            raise Refused("malformed", "the request is too long")
    return found


def _file(name: str) -> Handler:
    async def serve(_: Request) -> Response:
        return FileResponse(STATIC / name)

    return serve


def _told(ask: Callable[[Request], Awaitable[object]]) -> Handler:
    async def serve(request: Request) -> Response:
        try:
            return JSONResponse(await ask(request))
        except Refused as refused:
            _LOG.info("refused (%s): %s", refused.code, request.url.path)
            return JSONResponse({"code": refused.code, "message": refused.message}, _STATUS.get(refused.code, 422))

    return serve
