"""An agent that fails: everybody at the table sees it, and a seat can have it try again."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from gamedsl.engine import State
from gamedsl.play.web.server import live_tables
from gamedsl.play.web.server.catalogue import Catalogue
from gamedsl.play.web.server.events import PERSON, ClockRule
from gamedsl.play.web.server.fair_queue import Place
from gamedsl.play.web.server.limits import Limits
from gamedsl.play.web.server.live_tables import Table
from gamedsl.play.web.server.refusals import Refused
from gamedsl.play.web.server.requests import NewTable
from gamedsl.play.web.server.table_registry import TableRegistry

FAULTS = [RuntimeError("injected"), KeyError("injected"), Refused("rules", "injected"), ZeroDivisionError()]


def told(table: Table, seat: int | None) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(f"{{{table.view(seat).body}}}")
    return found


async def settled(table: Table) -> None:
    while table.tasks:
        await asyncio.gather(*table.tasks)


@pytest.mark.parametrize("fault", FAULTS, ids=repr)
def test_a_failure_is_shown_and_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Exception) -> None:
    monkeypatch.setattr(live_tables, "RETRY_SECONDS", 60.0)  # nothing happens before a seat asks for it
    answers: list[Exception | str] = [fault, fault, "a1"]

    async def choose(state: State, agent: str, seat: int, place: Place) -> str:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def scenario() -> None:
        hall = TableRegistry(tmp_path, Catalogue.of(["tic-tac-toe"]), Limits())
        hall.thinkers.choose = choose  # type: ignore[method-assign]
        try:
            table = await hall.make(NewTable("tic-tac-toe", {}, ("easy", PERSON), ClockRule(), False))
            with pytest.raises(Refused):
                await (await hall.make(NewTable("tic-tac-toe", {}, (PERSON, PERSON), ClockRule(), False))).retry()
            await settled(table)
            for seat in (None, 1):
                assert told(table, seat)["trouble"].startswith("X could not move")
                assert "injected" not in told(table, seat)["trouble"]  # it may tell what is hidden
            await table.retry()
            assert told(table, 1)["trouble"] is None
            await settled(table)
            assert told(table, 1)["trouble"]
            await table.retry()
            await settled(table)
            assert told(table, 1)["trouble"] is None
            assert table.play.events == 1
        finally:
            hall.stop()

    asyncio.run(scenario())
