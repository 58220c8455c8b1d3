"""A queue that nobody can clog for others: addresses are served in turn, and so are the tables of each address."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TypeAlias

Place: TypeAlias = tuple[str, str]  # an address, and one of its tables
_Waiting: TypeAlias = "deque[asyncio.Future[None]]"


class FairQueue:
    """A round robin on two levels: an address or table that is served goes to the end of its row."""

    def __init__(self, places: int) -> None:
        self.free = places
        self.rows: dict[str, dict[str, _Waiting]] = {}

    async def enter(self, place: Place) -> None:
        """Waits until it is this place's turn; ``leave`` must follow."""
        if self.free:
            self.free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        owner, table = place
        self.rows.setdefault(owner, {}).setdefault(table, deque()).append(turn)
        try:
            await turn
        except BaseException:
            if not turn.done() or turn.cancelled():
                self._forget(place, turn)
            else:
                self.leave()  # it had just been given the place
            raise

    def leave(self) -> None:
        """Gives the turn to the next in the queue."""
        while (turn := self._next()) is not None:
            if not turn.done():
                turn.set_result(None)
                return
        self.free += 1

    def _next(self) -> asyncio.Future[None] | None:
        if not self.rows:
            return None
        owner = next(iter(self.rows))
        tables = self.rows.pop(owner)
        table = next(iter(tables))
        waiting = tables.pop(table)
        turn = waiting.popleft()
        if waiting:
            tables[table] = waiting
        if tables:
            self.rows[owner] = tables
        return turn

    def _forget(self, place: Place, turn: asyncio.Future[None]) -> None:
        owner, table = place
        tables = self.rows.get(owner, {})
        if turn in tables.get(table, ()):
            tables[table].remove(turn)
            if not tables[table]:
                del tables[table]
            if not tables:
                del self.rows[owner]
