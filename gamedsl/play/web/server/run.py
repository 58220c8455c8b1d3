"""Runs the server until it is interrupted."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence
from pathlib import Path

import uvicorn
from starlette.applications import Starlette

from gamedsl.language.source import FileError, lazy_dataclass, reason
from gamedsl.play.web.server.app import PROXY, Secured, configured, make_app
from gamedsl.play.web.server.catalogue import Catalogue
from gamedsl.play.web.server.connection_guard import ConnectionGuard, files_for_connections
from gamedsl.play.web.server.conversation import Chat
from gamedsl.play.web.server.hosts import Addressed, Hosts
from gamedsl.play.web.server.limits import QUEUE, Limits
from gamedsl.play.web.server.logs import log_to_stderr
from gamedsl.play.web.server.table_registry import TableRegistry
from gamedsl.play.web.server.uploads.uploads import Uploads

LOCAL = "127.0.0.1"


class Listener(socket.socket):
    """A listening socket. Few connections are accepted at once (see ``BACKLOG``), but many may queue."""

    def listen(self, _: int = 0) -> None:
        super().listen(QUEUE)


@lazy_dataclass(frozen=True)
class Address:
    """The address to listen on (port 0: any free one), and the names by which the server may be asked besides it and
    ``localhost``."""

    host: str
    port: int
    names: Sequence[str] = ()


def listening(host: str, port: int) -> socket.socket:
    """A listening socket; port 0: any free one. Raises ``FileError`` (E0010) if the address cannot be used."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        found = Listener(fileno=socket.create_server((host, port), family=family, backlog=QUEUE).detach())
    except OSError as error:
        raise FileError(f"the server cannot use {host}, port {port}: {reason(error)}", code="E0010") from error
    found.setblocking(False)
    return found


def serve(
    catalogue: Catalogue,
    address: Address,
    folder: Path,
    *,
    limits: Limits | None = None,
    delay: float = 60.0,
    takes_uploads: bool = False,
    chat: Chat = "seats",
    says: Callable[[str], None] = print,
) -> None:
    """Serves tables of these games until it is interrupted. ``takes_uploads``: people may upload rulesets, which run in
    processes of their own. ``chat``: who writes and reads messages at tables. ``says``: shows the address.

    Raises ``GameDSLError``: E0010 (the address), E0011 (the folder)."""
    folder = folder.absolute()  # made absolute once: processes of uploads work in folders of their own
    listener, host = listening(address.host, address.port), address.host
    hall = TableRegistry(folder, catalogue, limits or Limits(), delay, chat=chat)
    uploads = Uploads(folder / "uploads", delay, hall) if takes_uploads else None
    log_to_stderr()
    door = ConnectionGuard(hall.limits, files_for_connections(uses_two=takes_uploads), frozenset({PROXY}))
    hall.door = door
    says(_shown(listener, host))
    uvicorn.Server(configured(make_app(hall, uploads, Hosts.of(host, address.names)), door)).run(sockets=[listener])


def run_local_app(
    app: Starlette, port: int, most_frame: int, says: Callable[[str], None], fallback: bool = False
) -> None:
    """Runs an application for this machine alone, with the checks and headers of ``serve``, until it is interrupted.
    ``fallback``: take any port if this one is in use. Raises ``FileError`` (E0010)."""
    try:
        listener = listening(LOCAL, port)
    except FileError:
        if not fallback:
            raise
        listener = listening(LOCAL, 0)
    log_to_stderr()
    app.add_middleware(Addressed, hosts=Hosts.of(LOCAL))
    app.add_middleware(Secured)
    door = ConnectionGuard(Limits(), files_for_connections(uses_two=False))
    says(_shown(listener, LOCAL))
    uvicorn.Server(configured(app, door, most_frame=most_frame)).run(sockets=[listener])


def _shown(listener: socket.socket, host: str) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listener.getsockname()[1]}/"
