"""What somebody who has the keys of seats may know about their tables at a glance: whose turn it is, and how long."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.play.web.server.limits import MOST_KEY, MOST_MINE, MOST_SEATS, MOST_STAMP
from gamedsl.play.web.server.refusals import Refused
from gamedsl.play.web.server.requests import TABLE_NAME, read_json, text

if TYPE_CHECKING:
    from gamedsl.play.web.server.live_tables import Table
    from gamedsl.play.web.server.table_registry import TableRegistry

Json: TypeAlias = dict[str, Any]
SeatKey: TypeAlias = tuple[str, str]  # the name of a table, and a key


def read_seats(body: bytes) -> list[SeatKey]:
    """The body of a request about tables. Raises ``Refused``."""
    data = read_json(body)
    found = data.get("seats")
    if set(data) != {"seats"} or not isinstance(found, list) or len(found) > MOST_MINE:
        raise Refused("malformed", f"the request has one field, `seats`: a list of at most {MOST_MINE}")
    return [read_seat(one) for one in found]


def read_seat(data: object) -> SeatKey:
    """The `table` and `key` of a seat. Raises ``Refused``."""
    if not isinstance(data, dict) or set(data) != {"table", "key"}:
        raise Refused("malformed", "a seat has `table` and `key`")
    table, key = text(data, "table", MOST_STAMP), text(data, "key", MOST_KEY)
    if not TABLE_NAME.fullmatch(table):
        raise Refused("malformed", "a seat has `table` and `key`")
    return table, key


async def states_of(hall: TableRegistry, seats: Sequence[SeatKey]) -> list[Json]:
    """The state of each table, in order."""
    found = []
    for name, key in seats:
        await asyncio.sleep(0)  # others are served in between
        found.append(await _state(hall, name, key))
    return found


async def _state(hall: TableRegistry, name: str, key: str) -> Json:
    """What the seat of a key may know. A wrong key gets the same answer as a table that does not exist, and reads
    nothing from the disk."""
    seat = hall.links.seat(name, key, MOST_SEATS)
    if seat is None:
        return {"table": name, "state": "gone"}
    try:
        table = await hall.table(name)
        if seat not in table.play.people:
            return {"table": name, "state": "gone"}
        return await _seen(table, seat)
    except Refused as refused:
        return {"table": name, "state": "gone" if refused.code == "table" else "unknown"}


async def _seen(table: Table, seat: int) -> Json:
    play, view = table.play, await table.look(table.view, seat)
    clocks, outcome = play.clocks.told(table.run.now()), view.turn["outcome"]
    return {
        "table": table.name,
        "state": "over" if view.over else "yours" if seat in view.turn["to_act"] else "waits",
        "title": play.game.title,
        "seat": play.game.players[seat],
        "names": [
            name or role for i, (name, role) in enumerate(zip(play.names, play.game.players, strict=True)) if i != seat
        ],
        "text": outcome["text"] if outcome else "",
        "left": clocks[seat]["left"] if clocks and clocks[seat]["running"] and not view.over else None,
    }
