"""One socket of a table: its seat, its requests, and the frames sent to it."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from typing import TYPE_CHECKING, Any, TypeAlias

from starlette.requests import HTTPConnection
from starlette.websockets import WebSocket, WebSocketDisconnect

from gamedsl.play.web.server.conversation import heard, message_data, talks
from gamedsl.play.web.server.events import Said
from gamedsl.play.web.server.limits import LAG_MOST, MOST_FRAME, MOST_WAITING
from gamedsl.play.web.server.logs import log_refusal
from gamedsl.play.web.server.network_quotas import Bucket
from gamedsl.play.web.server.refusals import Refused

if TYPE_CHECKING:
    from gamedsl.play.web.server.live_tables import Table
    from gamedsl.play.web.server.table_registry import TableRegistry

Json: TypeAlias = dict[str, Any]
POLICY, FAILURE, FORBIDDEN, NOT_FOUND, TOO_MUCH = 1008, 1011, 4403, 4404, 4429  # close codes


class Socket:
    """The connection of a seat or a spectator. A slow one delays nobody: it is sent only the newest view."""

    def __init__(self, ws: WebSocket, hall: TableRegistry, table: Table, seat: int | None) -> None:
        self.ws, self.hall, self.table, self.seat = ws, hall, table, seat
        self.wake = asyncio.Event()
        self.answers: deque[str] = deque()
        self.sent_nodes: list[Json] = []
        self.sent_count = 0
        self.sent_body = ""
        self.sent_said: list[Said] = []
        self.bucket = Bucket(hall.limits.messages_a_second, hall.limits.burst)
        self.strikes = 0
        self.studies = False  # an evaluation is being made
        self.relayed_lag = 0  # measured by the server in front

    def on_change(self) -> None:
        self.wake.set()

    @property
    def lag(self) -> int:
        """Milliseconds that a message and its answer take on their way, as the last ping has shown."""
        return self.relayed_lag if self.hall.is_relayed else lag_of(self.ws)

    # ------------------------------------------------------------------------------------------------ sending

    def welcome(self) -> str:
        """The first frame, before any update."""
        play = self.table.play
        told = {
            "kind": "welcome",
            "table": self.table.name,  # the name of the table
            "seat": self.seat,  # null for a spectator
            "played_by": list(play.setup.seats),  # the kind of each seat: `person`, or an agent
            "clock": {"kind": play.setup.clock.kind, "base": play.setup.clock.base, "step": play.setup.clock.step},
            "delay": self.table.delay,  # seconds by which spectators of a game with hidden information see less
            "talks": self.talks,  # whether this viewer writes and reads messages
        }
        return _text(told)

    @property
    def talks(self) -> bool:
        return talks(self.hall.chat, self.seat)

    def messages(self) -> str | None:
        """The frame after every message that this viewer may read.

        None if there is none.
        """
        found = heard(self.table.play.said, self.table.seen_until(self.seat)) if self.talks else []
        same = next((i for i, (a, b) in enumerate(zip(found, self.sent_said, strict=False)) if a is not b), None)
        same = min(len(found), len(self.sent_said)) if same is None else same
        if same == len(found) == len(self.sent_said):
            return None
        self.sent_said = list(found)
        told = {
            "kind": "messages",
            "from": same,  # keep that many messages, then add `said`
            "said": message_data(
                found[same:]
            ),  # `seat` (null: a spectator, called `name`), `text`, `at` (milliseconds)
        }
        return _text(told)

    def update(self) -> str | None:
        """The frame after every change that this viewer may know.

        None if there is none.
        """
        view = self.table.view(self.seat)
        same = self._same(view.nodes)
        if view.body == self.sent_body and same == self.sent_count == len(view.nodes):
            return None
        new = view.nodes[same:]
        self.sent_nodes, self.sent_count, self.sent_body = view.nodes, len(view.nodes), view.body
        clocks = None if self.seat is None and self.table.delay else self.table.play.clocks.told(self.table.run.now())
        rest = {
            "from": same,  # keep that many nodes of the moves, then add `nodes`
            "nodes": new,  # `id`, `parent`, `seat`, `text`, `secret`, and `said` if the rules say something
            "clocks": clocks,  # `left` (seconds) and `running` for every seat; null without clocks
            "next": self._next()
            if view.over
            else None,  # the table of the rematch, and this seat's `key` there; null if there is none
        }
        return f'{{"kind":"update",{view.body},{_text(rest)[1:]}'

    def _same(self, nodes: list[Json]) -> int:
        """The number of nodes that this socket already has."""
        if nodes is self.sent_nodes:
            return self.sent_count
        same = 0
        for a, b in zip(nodes, self.sent_nodes[: self.sent_count], strict=False):
            if a != b:
                break
            same += 1
        return same

    def _next(self) -> Json | None:
        """The rematch, with the key of this viewer's seat there."""
        play = self.table.play
        if not play.next_table:
            return None
        after = None if self.seat is None else (self.seat + 1) % play.game.num_players
        return {"table": play.next_table, "key": "" if after is None else self.hall.links.key(play.next_table, after)}

    async def send_all(self) -> None:
        """Sends until the socket is closed."""
        await self.ws.send_text(self.welcome())
        self.wake.set()
        while True:
            await self.wake.wait()
            self.wake.clear()
            await self.table.look(self.table.view, self.seat)
            frame = self.update()
            for one in (frame, self.messages()):
                if one is not None:
                    await self.ws.send_text(one)
            while self.answers:
                await self.ws.send_text(self.answers.popleft())

    def reply(self, data: Json) -> None:
        if len(self.answers) >= MOST_WAITING:
            raise Refused("rate", "the client does not read its answers")
        self.answers.append(_text(data))
        self.wake.set()

    # ------------------------------------------------------------------------------------------------ receiving

    async def read_frame(self) -> str:
        """The next message. A server in front of this one puts the sender's lag at its beginning."""
        if not self.hall.is_relayed:
            return await read_frame(self.ws)
        lag, _, frame = (await read_frame(self.ws, MOST_FRAME + len(relayed(LAG_MOST, "")))).partition(" ")
        self.relayed_lag = int(lag)
        return frame


def lag_of(ws: WebSocket | None) -> int:
    """Milliseconds that a message and its answer take on their way, as the last ping has shown."""
    connection = ws.scope.get("state", {}).get("connection") if ws is not None else None
    return 0 if connection is None else min(LAG_MOST, max(0, int(connection.last_ping_rtt * 1000)))


def relayed(lag: int, frame: str) -> str:
    """A frame for the process of an upload, preceded by the lag, which that process cannot measure itself."""
    return f"{lag} {frame}"


def address_of(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else ""


async def read_frame(ws: WebSocket, most: int = MOST_FRAME) -> str:
    """The next message, of ``most`` characters at most. Raises ``Refused`` for one that is not text or is too long,
    and ``WebSocketDisconnect``."""
    message = await ws.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code") or 1000)
    frame = message.get("text")
    if not isinstance(frame, str):
        raise Refused("malformed", "messages are text, not binary")
    if len(frame) > most:
        raise Refused("malformed", "the message is too long")
    return frame


async def close_with(ws: WebSocket, code: int, refused: Refused) -> None:
    """The last frame, before the server closes the socket: 1008 for a policy, 1011 for a failure of the server, 4403 for a
    wrong key, 4404 for a table that does not exist, 4429 for too many messages."""
    log_refusal(refused, f"{address_of(ws)}, {ws.url.path}")
    told = {
        "kind": "error",
        "code": refused.code,  # one of the refusals
        "message": refused.message,  # a sentence
    }
    try:
        await ws.send_text(_text(told))
        await ws.close(code)
    except (RuntimeError, WebSocketDisconnect, OSError):
        pass  # it has gone


def _text(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
