"""The guard in front of the application: bounds on the number of connections, and on the time until each has sent a
request.

A connection that has not yet sent a whole request costs its sender nothing and the server a descriptor. So its time is
limited, and so is the number of connections, per network and in all; when there is no room, the oldest connection
without a request is closed. Connections of seated players are never closed, and descriptors are reserved for them.
"""

from __future__ import annotations

import asyncio
import resource
from collections import Counter
from typing import Any, cast

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from gamedsl.language.source import lazy_dataclass
from gamedsl.play.web.server.limits import EXCHANGE_SECONDS, HEADER_SECONDS, MOST_FILES, OTHER_FILES, Limits
from gamedsl.play.web.server.links import network_of
from gamedsl.play.web.server.logs import LOG


@lazy_dataclass(eq=False)
class Visitor:
    """A connection."""

    transport: asyncio.Transport
    network: str
    is_waiting: bool = True  # no whole request has arrived, or it has been answered
    is_seated: bool = False


class ConnectionGuard:
    """All connections of a server. ``trusted``: proxies, each of which connects for many people."""

    def __init__(self, limits: Limits, files: int, trusted: frozenset[str] = frozenset()) -> None:
        self.room = max(8, min(files, limits.all_sockets + limits.connections))
        self.most, self.trusted = limits.connections, trusted
        self.visitors: dict[Visitor, None] = {}  # those without a seat, the oldest first
        self.seated = 0
        self.of_network: Counter[str] = Counter()
        self.sent_away = 0

    def admit(self, transport: asyncio.Transport) -> Visitor | None:
        """Takes in a new connection; None if there is no room for it."""
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if isinstance(peer, tuple) else ""
        network = network_of(address)
        is_proxy = not address or address in self.trusted
        if not is_proxy and self.of_network[network] >= self.most and not self._make_room(network):
            return None
        if len(self.visitors) >= self.room - max(self.room // 2, self.seated) and not self._make_room():
            return None
        visitor = Visitor(transport, network)
        self.visitors[visitor] = None
        self.of_network[network] += 1
        return visitor

    def seat(self, visitor: Visitor | None) -> None:
        """Notes that a connection has shown the key of a seat."""
        if visitor is not None and visitor in self.visitors:
            visitor.is_seated = True
            self._forget(visitor)
            self.seated += 1

    def leave(self, visitor: Visitor) -> None:
        """Notes that a connection has ended."""
        if visitor.is_seated:
            visitor.is_seated = False
            self.seated -= 1
        self._forget(visitor)

    def _forget(self, visitor: Visitor) -> None:
        if visitor in self.visitors:
            del self.visitors[visitor]
            self.of_network[visitor.network] -= 1
            if not self.of_network[visitor.network]:
                del self.of_network[visitor.network]

    def _make_room(self, network: str | None = None) -> bool:
        """Closes the oldest connection (of a network) that has not sent a request; if there is none and no network is
        given, the oldest of the network with the most connections. Returns False if none can be closed."""
        mine = [v for v in self.visitors if network is None or v.network == network]
        found = next((v for v in mine if v.is_waiting), None)
        if found is None and network is None and self.of_network:
            [(most, count)] = self.of_network.most_common(1)
            found = next(v for v in mine if v.network == most) if count > 1 else None
        if found is None:
            return False
        self.sent_away += 1
        if self.sent_away % 1000 == 1:
            LOG.warning(
                "no room for more connections: %d closed so far, the last one from %s", self.sent_away, found.network
            )
        self.leave(found)
        found.transport.abort()
        return True

    def protocols(self) -> dict[str, Any]:
        """The uvicorn settings that put this guard in front."""
        return {
            "http": type("DoorProtocol", (_Http,), {"door": self}),
            "ws": type("DoorSocket", (_Socket,), {"door": self}),
        }


class _Http(H11Protocol):
    """HTTP behind the guard: a request must arrive whole, and be answered, within a time limit."""

    door: ConnectionGuard
    visitor: Visitor | None = None
    timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        found = cast(asyncio.Transport, transport)
        self.visitor = self.door.admit(found)
        if self.visitor is None:
            found.abort()
            return
        super().connection_made(found)
        self._wait(HEADER_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        if self.timer is not None:
            self.timer.cancel()
        if self.visitor is not None:
            self.door.leave(self.visitor)
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.visitor is None:
            return
        super().data_received(data)
        is_whole = self.cycle is not None and not self.cycle.response_complete and not self.cycle.more_body
        if is_whole and self.visitor.is_waiting:
            self.visitor.is_waiting = False
            self._wait(EXCHANGE_SECONDS)

    def on_response_complete(self) -> None:
        if self.visitor is not None:
            self.visitor.is_waiting = True
        self._wait(HEADER_SECONDS)
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: Any) -> None:
        if self.timer is not None:
            self.timer.cancel()
        self.app_state = {**self.app_state, "visitor": self.visitor}
        super().handle_websocket_upgrade(event)

    def _wait(self, seconds: float) -> None:
        if self.timer is not None:
            self.timer.cancel()
        self.timer = self.loop.call_later(seconds, self._send_away)

    def _send_away(self) -> None:
        if not self.transport.is_closing():
            self.transport.abort()


class _Socket(WebSocketsSansIOProtocol):
    """A WebSocket behind the guard."""

    door: ConnectionGuard

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.app_state = {**self.app_state, "connection": self}  # the application reads its lag
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        visitor = self.app_state.get("visitor")
        if visitor is not None:
            self.door.leave(visitor)
        super().connection_lost(exc)


def files_for_connections(uses_two: bool) -> int:
    """Raises the system's limit on open files as far as possible; returns how many connections it leaves room for.
    ``uses_two``: a connection may need a second one to the process of an upload."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    files = MOST_FILES if soft == resource.RLIM_INFINITY else soft
    return max(8, (files - OTHER_FILES) // (2 if uses_two else 1))
