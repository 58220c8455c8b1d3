"""The web application: pages, the lobby's data, sockets."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from urllib.parse import quote, urlsplit

import segno
import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

import gamedsl
from gamedsl.play.web.server.agents import SEAT_WORDS
from gamedsl.play.web.server.connection_guard import ConnectionGuard
from gamedsl.play.web.server.connections import serve_socket
from gamedsl.play.web.server.hosts import Addressed, Hosts
from gamedsl.play.web.server.limits import BACKLOG, MOST_BODY, MOST_FRAME, MOST_UPLOAD
from gamedsl.play.web.server.logs import LOG, log_refusal
from gamedsl.play.web.server.my_tables import Json, SeatKey, read_seat, read_seats, states_of
from gamedsl.play.web.server.network_quotas import NetworkQuotas
from gamedsl.play.web.server.refusals import FAILED, Refused
from gamedsl.play.web.server.requests import CLOCKS, read_json, read_new_table, read_options, read_upload
from gamedsl.play.web.server.rules_threads import in_rules
from gamedsl.play.web.server.sockets import address_of
from gamedsl.play.web.server.table_registry import TableRegistry
from gamedsl.play.web.server.uploads.upload_names import upload_of
from gamedsl.play.web.server.uploads.uploads import Uploads

PROXY = "127.0.0.1"  # the address of a proxy that the owner runs
STATIC = Path(gamedsl.__file__).parent / "play" / "web" / "static"
HEADERS = {
    "content-security-policy": "default-src 'self'; style-src 'self'; img-src 'self' data:; "
    "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}
_STATUS = {"malformed": 400, "rate": 429, "table": 404, "game": 404, "storage": 503, "failed": 500, "origin": 403}
Handler = Callable[[Request], Awaitable[Response]]


def configured(
    app: Starlette, door: ConnectionGuard, trusted: str = PROXY, most_frame: int = MOST_FRAME
) -> uvicorn.Config:
    """The configuration that runs the application. ``trusted``: the proxies whose client addresses are believed.
    ``most_frame``: bytes of a message of a socket."""
    return uvicorn.Config(
        app,
        **door.protocols(),
        loop="asyncio",
        backlog=BACKLOG,
        log_config=None,  # see ``log_to_stderr``
        log_level="warning",
        access_log=False,
        ws_max_size=most_frame,
        ws_per_message_deflate=False,
        proxy_headers=True,
        forwarded_allow_ips=trusted,
        timeout_graceful_shutdown=2,
        server_header=False,
    )


def make_app(hall: TableRegistry, uploads: Uploads | None = None, hosts: Hosts | None = None) -> Starlette:
    """The application that serves the tables of a hall. ``uploads``: the uploaded rulesets, None where uploads are not
    allowed. ``hosts``: the names of the server (None: another server has checked them)."""
    pages = Pages(hall, NetworkQuotas(hall.limits), uploads)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        hall.start()
        if uploads is not None:
            uploads.start()
        yield
        if uploads is not None:
            await uploads.stop()
        hall.stop()

    app = Starlette(
        routes=[
            Route("/", _file("lobby.html")),  # The lobby.
            Route("/table/{table}", _file("table.html")),  # The page of a table; the key of a seat follows `#`.
            Route("/api/lobby", _told(pages.lobby)),
            Route("/api/games/{game}", _told(pages.card)),
            Route("/api/games/{game}", _told(pages.players), methods=["POST"]),
            Route("/api/tables", _told(pages.make), methods=["POST"]),
            Route("/api/tables/{table}", _told(pages.game)),
            Route("/api/mine", _told(pages.mine), methods=["POST"]),
            Route("/api/qr", _told(pages.qr), methods=["POST"]),
            Route("/api/uploads", _told(pages.upload), methods=["POST"]),
            WebSocketRoute("/live/{table}", pages.live),
            Mount("/static", StaticFiles(directory=STATIC)),  # The scripts and styles of both pages.
        ],
        lifespan=lifespan,
    )
    if hosts is not None:
        app.add_middleware(Addressed, hosts=hosts)
    app.add_middleware(Secured)
    return app


class Secured:
    """Adds the security headers of every answer, except those that it has."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name.lower() for name, _ in message["headers"]}
                added = [(k.encode(), v.encode()) for k, v in HEADERS.items() if k.encode() not in present]
                message["headers"] = [*message["headers"], *added]
            await send(message)

        await self.app(scope, receive, sending if scope["type"] == "http" else send)


class Pages:
    """The handlers of the routes."""

    def __init__(self, hall: TableRegistry, gate: NetworkQuotas, uploads: Uploads | None) -> None:
        self.hall, self.gate, self.uploads = hall, gate, uploads

    async def lobby(self, _: Request) -> object:
        """`games` (`name`, `title`, `about`, `family`, the possible numbers of `players`, `is_hidden`, `has_chance`), the
        public `tables`, the kinds of `seats` with their words, `clocks` with their bounds, and whether `uploads` are
        accepted."""
        listed = [
            {name: value for name, value in asdict(g).items() if name != "source"}
            for g in self.hall.catalogue.listings.values()
        ]
        return {
            "games": listed,
            "tables": self.hall.public_tables(),
            "seats": SEAT_WORDS,
            "clocks": CLOCKS,
            "uploads": self.uploads is not None,
        }

    async def upload(self, request: Request) -> object:
        """Checks and keeps a ruleset, `text`; gives the `name` of the game and its `title`. A ruleset with errors is refused
        with the code `rules` and the messages of `gamedsl check`."""
        if self.uploads is None:
            raise Refused("uploads", "this server does not accept uploaded rulesets")
        self._admit(request)
        return await self.uploads.add(
            read_upload(await _body(request, MOST_UPLOAD)), self.hall.links.owner(address_of(request))
        )

    def _admit(self, request: Request) -> None:
        """Raises ``Refused`` for requests from pages of other sites, and when one address asks too often."""
        if not is_same_site(request):
            raise Refused("origin", "this request comes from another site")
        if not self.gate.may_make(address_of(request)):
            raise Refused("rate", "too many tables; wait a little")

    async def card(self, request: Request) -> object:
        """The `game`, its first `position`, its `options` (`name`, `label`, `text`, `value`, and `low` and `high`, or
        `values` with their words), and the kinds of `seats` that can play it."""
        if self.uploads is not None and self.uploads.owns(request.path_params["game"]):
            return await self.uploads.ask(request.path_params["game"], request)
        loaded = await self.hall.load(request.path_params["game"])
        return await in_rules(loaded.game, lambda: loaded.card)

    async def players(self, request: Request) -> object:
        """The names of the seats, `players`, and the `options` and kinds of `seats` as above, with the given values of
        `options`."""
        self._admit(request)
        name, body = request.path_params["game"], await _body(request, MOST_BODY)
        options = read_options(body)
        if self.uploads is not None and self.uploads.owns(name):
            return await self.uploads.ask(name, request, body)
        loaded = await self.hall.load(name, options)
        seats = await in_rules(loaded.game, lambda: loaded.seats)
        return {"players": list(loaded.game.players), "options": loaded.options, "seats": list(seats)}

    async def game(self, request: Request) -> object:
        """The `game` of a table, with the table's options."""
        upload = upload_of(request.path_params["table"])
        if self.uploads is not None and upload:
            return await self.uploads.ask(upload, request)
        table = await self.hall.table(request.path_params["table"])
        setup = table.play.setup
        return {"game": (await self.hall.load(setup.game, setup.options)).described}

    async def make(self, request: Request) -> object:
        """Makes a table for `game`, with `options`, `seats`, `clock` (`kind`, `base`, `step`) and `public`; gives `table`,
        `links` (`seat`, `name`, `link`, `qr`) and `watch`."""
        self._admit(request)
        body = await _body(request, MOST_BODY)
        wanted = read_new_table(body)
        if self.uploads is not None and self.uploads.owns(wanted.game):
            return await self.uploads.ask(wanted.game, request, body)
        table = await self.hall.make(wanted, self.hall.links.owner(address_of(request)))
        names, base = table.play.game.players, f"{request.base_url}table/{table.name}"
        seats = sorted(table.play.people)
        links = [{"seat": s, "name": names[s], **_link(f"{base}#{self.hall.links.key(table.name, s)}")} for s in seats]
        return {"table": table.name, "links": links, "watch": _link(base)}

    async def mine(self, request: Request) -> object:
        """The state of the tables of some `seats` (`table`, `key`), in order: `table`, `state` (`yours`, `waits`, `over`,
        `asleep`: an upload that does not run, `gone`, `unknown`), and for the first three `title`, `seat`, `names` of the
        others, `text` of the outcome, `left` (seconds of a running clock, or null)."""
        self._admit_question(request)
        seats = read_seats(await _body(request, MOST_BODY))
        found = await states_of(self.hall, [seat for seat in seats if not self._upload(seat[0])])
        for name in {self._upload(table) for table, _ in seats} - {""}:
            found += await self._upload_states(name, request, [seat for seat in seats if self._upload(seat[0]) == name])
        return {"tables": sorted(found, key=lambda one: [table for table, _ in seats].index(str(one["table"])))}

    async def _upload_states(self, name: str, request: Request, seats: list[SeatKey]) -> list[Json]:
        asked = json.dumps({"seats": [{"table": table, "key": key} for table, key in seats]}).encode()
        if self.uploads is None or not self.uploads.is_running(name):
            return [{"table": table, "state": "asleep"} for table, _ in seats]
        return list((await self.uploads.ask(name, request, asked))["tables"])

    def _upload(self, table: str) -> str:
        return upload_of(table) or "" if self.uploads is not None else ""

    async def qr(self, request: Request) -> object:
        """The `link` of a seat (`table`, `key`) and its `qr` code, to open it on another device."""
        self._admit_question(request)
        table, key = read_seat(read_json(await _body(request, MOST_BODY)))
        return _link(f"{request.base_url}table/{table}{'#' + quote(key, safe='') if key else ''}")

    def _admit_question(self, request: Request) -> None:
        if not is_same_site(request):
            raise Refused("origin", "this request comes from another site")
        if not self.gate.may_ask(address_of(request)):
            raise Refused("rate", "too many questions; wait a little")

    async def live(self, ws: WebSocket) -> None:
        """The WebSocket of a seat or a spectator."""
        address = address_of(ws)
        if not is_same_site(ws) or not self.gate.enter(address):
            log_refusal(Refused("origin" if not is_same_site(ws) else "rate", "no socket"), f"{address}, {ws.url.path}")
            await ws.close(1008)
            return
        try:
            upload = upload_of(ws.path_params["table"])
            if self.uploads is not None and upload:
                await self.uploads.relay(upload, ws, self.hall.sit)
            else:
                await serve_socket(ws, self.hall)
        finally:
            self.gate.leave(address)


def is_same_site(connection: HTTPConnection) -> bool:
    """Whether a request comes from a page of this site, or from a program that is not a browser and names no page."""
    origin = connection.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == connection.headers.get("host", "")


def _link(url: str) -> dict[str, str]:
    return {"link": url, "qr": segno.make(url, error="m").svg_data_uri(border=2, scale=4)}


async def _body(request: Request, most: int) -> bytes:
    found = b""
    async for piece in request.stream():
        found += piece
        if len(found) > most:
            raise Refused("malformed", "the request is too long")
    return found


def _file(name: str) -> Handler:
    async def serve(_: Request) -> Response:
        return FileResponse(STATIC / name)

    return serve


def _refusal(refused: Refused) -> Response:
    return JSONResponse({"code": refused.code, "message": refused.message}, _STATUS.get(refused.code, 422))


def _told(ask: Callable[[Request], Awaitable[object]]) -> Handler:
    async def serve(request: Request) -> Response:
        try:
            return JSONResponse(await ask(request))
        except Refused as refused:
            log_refusal(refused, f"{address_of(request)}, {request.url.path}")
            return _refusal(refused)
        except ClientDisconnect:
            return Response(status_code=400)  # nobody reads it
        except Exception:
            LOG.exception("%s failed", request.url.path)
            return _refusal(Refused("failed", FAILED))

    return serve
