"""The host names that this server accepts. A page of another site can make its own name point here (DNS rebinding);
its requests then come from a browser that takes both for one site, but they still carry that other name."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from gamedsl.language.source import lazy_dataclass
from gamedsl.play.web.server.limits import MOST_HOST
from gamedsl.play.web.server.logs import log_refusal
from gamedsl.play.web.server.refusals import Refused

_HOST = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<name>[A-Za-z0-9._-]+))(?::[0-9]{1,5})?")


@lazy_dataclass(frozen=True)
class Hosts:
    """The names of a server: those that its owner gives, the address it listens on, and the machine's names for
    itself. ``has_any_address``: it listens on all addresses, so any numeric address may be its own."""

    names: frozenset[str]
    has_any_address: bool

    @classmethod
    def of(cls, listens_on: str, names: Iterable[str] = ()) -> Hosts:
        bound = _address(listens_on)
        known = frozenset(name.lower().rstrip(".") for name in (listens_on, *names))
        return cls(known, bound is not None and bound.is_unspecified)

    def know(self, header: str) -> bool:
        """Whether a ``Host`` header names this server."""
        found = _HOST.fullmatch(header) if len(header) <= MOST_HOST else None
        if found is None:
            return False
        name = (found["six"] or found["name"]).lower().rstrip(".")
        if name in self.names or name == "localhost" or name.endswith(".localhost"):
            return True
        address = _address(name)
        return address is not None and (address.is_loopback or self.has_any_address)


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


class Addressed:
    """Refuses requests that are not addressed to this server, and those that state their length twice: two programs on
    the way could disagree where such a request ends and the next one begins."""

    def __init__(self, app: ASGIApp, hosts: Hosts) -> None:
        self.app, self.hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = None if scope["type"] == "lifespan" else self._refusal(Headers(scope=scope))
        if refusal is None:
            await self.app(scope, receive, send)
            return
        log_refusal(refusal, f"{(scope.get('client') or ('',))[0]}, {scope['path']}")
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        status = 421 if refusal.code == "host" else 400
        body = {"code": refusal.code, "message": refusal.message}
        await JSONResponse(body, status, {"connection": "close"})(scope, receive, send)

    def _refusal(self, headers: Headers) -> Refused | None:
        if "content-length" in headers and "transfer-encoding" in headers:
            return Refused("malformed", "a request has Content-Length or Transfer-Encoding, not both")
        given = headers.getlist("host")
        if len(given) != 1 or not self.hosts.know(given[0]):
            return Refused("host", "this server has another name; `gamedsl serve --host-name NAME` adds one")
        return None
