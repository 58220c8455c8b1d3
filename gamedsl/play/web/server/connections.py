"""The course of a connection to a table, from its first message, which names the seat, to its last."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from gamedsl.play.web.server.answers import answer
from gamedsl.play.web.server.limits import HELLO_SECONDS, MOST_KEY, MOST_STRIKES
from gamedsl.play.web.server.logs import LOG, log_refusal
from gamedsl.play.web.server.refusals import FAILED, Refused
from gamedsl.play.web.server.requests import read_json, read_request, text
from gamedsl.play.web.server.sockets import (
    FAILURE,
    FORBIDDEN,
    NOT_FOUND,
    POLICY,
    TOO_MUCH,
    Socket,
    address_of,
    close_with,
    read_frame,
)

if TYPE_CHECKING:
    from gamedsl.play.web.server.table_registry import TableRegistry


async def serve_socket(ws: WebSocket, hall: TableRegistry) -> None:
    """Serves a connection from its hello to its end."""
    await ws.accept()
    try:
        socket = await _greeted(ws, hall)
    except Refused as refused:
        await close_with(ws, FORBIDDEN if refused.code == "key" else NOT_FOUND, refused)
        return
    except (WebSocketDisconnect, TimeoutError):
        return
    if socket.seat is not None:
        hall.sit(ws)
    socket.table.watchers.add(socket)
    work = [asyncio.ensure_future(w) for w in (socket.send_all(), _receive_all(socket))]
    try:
        done, _ = await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    except Refused as refused:
        await close_with(ws, TOO_MUCH if refused.code == "rate" else POLICY, refused)
    except (WebSocketDisconnect, RuntimeError, OSError):
        pass  # it has gone
    except Exception:
        LOG.exception("table %s: a view failed", socket.table.name)
        await close_with(ws, FAILURE, Refused("failed", FAILED))
    finally:
        socket.table.watchers.discard(socket)
        for task in work:
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)


async def _greeted(ws: WebSocket, hall: TableRegistry) -> Socket:
    """The socket of the seat whose key the first message has; with an empty key, that of a spectator."""
    data = read_json(await asyncio.wait_for(read_frame(ws), HELLO_SECONDS))
    if data.get("do") != "hello":
        raise Refused("malformed", "the first message must be `hello`")
    key = text(data, "key", MOST_KEY)
    table = await hall.table(ws.path_params["table"])
    seat = hall.links.seat(table.name, key, table.play.game.num_players) if key else None
    if key and (seat is None or seat not in table.play.people):
        raise Refused("key", "this link opens no seat of this table")
    return Socket(ws, hall, table, seat)


async def _receive_all(socket: Socket) -> None:
    """Answers requests until the socket is closed. Raises ``Refused`` when it must be closed."""
    while True:
        frame = await socket.read_frame()
        if not socket.bucket.take():
            raise Refused("rate", "too many messages")
        number = 0
        try:
            request = read_request(frame)
            number = request.number
            told = await answer(socket, request)
        except Refused as refused:
            if refused.code == "malformed":
                socket.strikes += 1
                if socket.strikes > MOST_STRIKES:
                    raise
            log_refusal(refused, f"{address_of(socket.ws)}, table {socket.table.name}, seat {socket.seat}")
            told = refused.answer
        except Exception:
            LOG.exception("table %s: a request failed", socket.table.name)
            told = Refused("failed", FAILED).answer
        socket.reply(_answer(number, told))


def _answer(number: int, told: dict[str, Any]) -> dict[str, Any]:
    """The frame that answers a request: also `code` and `reasons` if it is refused, otherwise what the request asks for."""
    return {
        "kind": "answer",
        "id": number,  # that of the request; 0 if it could not be read
        "ok": told["ok"],  # false for a refusal: nothing has changed
        **told,
    }
