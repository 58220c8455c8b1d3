"""What holders of keys learn about their tables at a glance: no more than at the table, and nothing without a key."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from gamedsl.play.web.server import seat_requests
from gamedsl.play.web.server.catalogue import Catalogue
from gamedsl.play.web.server.events import ClockRule
from gamedsl.play.web.server.limits import MOST_MINE, Limits
from gamedsl.play.web.server.my_tables import read_seats, states_of
from gamedsl.play.web.server.refusals import Refused
from gamedsl.play.web.server.requests import NewTable
from gamedsl.play.web.server.server_time import Run
from gamedsl.play.web.server.table_registry import TableRegistry
from tests.patience import PATIENCE

from .running import Server
from .test_at_rest import _move
from .test_times import _hall

PEOPLE = NewTable("tic-tac-toe", {}, ("person", "person"), ClockRule("move", 86_400), False)


async def _states(hall: TableRegistry, table: str, *keys: str) -> list[Any]:
    return await states_of(hall, [(table, key) for key in keys])


def test_whose_turn_it_is_how_long_and_how_it_ended(tmp_path: Path) -> None:
    async def scenario() -> None:
        hall = _hall(tmp_path, Run.begin())
        table = await hall.make(PEOPLE)
        keys = [hall.links.key(table.name, seat) for seat in (0, 1)]
        await table.request(lambda play, now: seat_requests.named(play, 1, "Bob", now))
        x, o = await _states(hall, table.name, *keys)
        assert (x["state"], x["seat"], x["names"], x["text"]) == ("yours", "X", ["Bob"], "")
        assert (o["state"], o["seat"], o["names"], o["left"]) == ("waits", "O", ["X"], None)
        await table.request(_move)
        x, o = await _states(hall, table.name, *keys)
        assert x["left"] is None and 86_000 < o["left"] <= 86_400  # of a day
        hall.stop()
        hall = _hall(tmp_path, Run.begin())  # a table that sleeps is read from the log
        assert [one["state"] for one in await _states(hall, table.name, *keys)] == ["waits", "yours"]
        await (await hall.table(table.name)).request(lambda play, now: seat_requests.resigned(play, 0, now))
        x, o = await _states(hall, table.name, *keys)
        assert x["state"] == o["state"] == "over" and x["left"] is None
        assert x["text"] == "X resigned, O wins"
        hall.stop()

    asyncio.run(scenario())


def test_a_wrong_key_learns_nothing_and_reads_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither that the table exists, nor anything in it; the key of another table or of no seat is as wrong."""

    async def scenario() -> None:
        hall = _hall(tmp_path, Run.begin())
        table = await hall.make(NewTable("tic-tac-toe", {}, ("person", "random"), ClockRule(), False))
        monkeypatch.setattr(hall, "table", None)  # would fail
        absent = "A" * 12
        wrong = ("", "AAAA", hall.links.key(absent, 0), hall.links.key(table.name, 99))
        found = await states_of(
            hall, [(name, key) for name in (table.name, absent) for key in wrong if key != hall.links.key(name, 0)]
        )
        assert [(one["state"], set(one)) for one in found] == [("gone", {"table", "state"})] * len(found)
        monkeypatch.undo()
        found = await _states(hall, table.name, hall.links.key(table.name, 1), hall.links.key(table.name, 7))
        assert [(one["state"], len(one)) for one in found] == [("gone", 2)] * 2  # the seat of the agent, and none
        hall.stop()

    asyncio.run(scenario())


def test_a_choice_in_secret_is_not_seen_here_either(tmp_path: Path) -> None:
    async def scenario() -> None:
        hall = TableRegistry(tmp_path, Catalogue.of(["rock-paper-scissors"]), Limits())
        table = await hall.make(
            NewTable("rock-paper-scissors", {}, ("person", "person"), ClockRule("move", 1000), False)
        )
        keys = [hall.links.key(table.name, seat) for seat in (0, 1)]
        frozen = table.run.now()
        table.run.now = lambda: frozen  # type: ignore[method-assign]
        before = await _states(hall, table.name, *keys)
        await table.request(lambda play, now: seat_requests.made(play, play.state.legal_moves(0)[0], now))
        after = await _states(hall, table.name, *keys)
        assert before[1] == after[1] and before[1]["state"] == "yours"
        assert (before[0]["state"], after[0]["state"]) == ("yours", "waits")
        hall.stop()

    asyncio.run(scenario())


@pytest.mark.parametrize(
    "body",
    [
        [], {}, {"seats": 1}, {"seats": [1]}, {"seats": [{"table": "A" * 12}]}, {"seats": [], "more": 1},
        {"seats": [{"table": "../../secret", "key": ""}]}, {"seats": [{"table": "A" * 12, "key": 7}]},
        {"seats": [{"table": "A" * 12, "key": "x" * 101}]}, {"seats": [{"table": "A" * 12, "key": "", "x": 1}]},
        {"seats": [{"table": "A" * 12, "key": ""}] * (MOST_MINE + 1)},
    ],
)  # fmt: skip
def test_forged_questions(body: Any) -> None:
    with pytest.raises(Refused):
        read_seats(json.dumps(body).encode())


def _post(server: Server, path: str, data: Any) -> Any:
    request = urllib.request.Request(server.address + path, json.dumps(data).encode())
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer)


def test_questions_and_codes_over_the_wire(tmp_path: Path) -> None:
    server = Server(tmp_path, "tic-tac-toe", "--uploads")
    table, keys = server.make("tic-tac-toe")
    upload = "A" * 20  # an upload that does not run is not started for this
    seats = [{"table": upload, "key": keys[0]}, {"table": table, "key": keys[1]}]
    assert [(one["table"], one["state"]) for one in _post(server, "/api/mine", {"seats": seats})["tables"]] == [
        (upload, "asleep"), (table, "waits"),
    ]  # fmt: skip
    code = _post(server, "/api/qr", {"table": table, "key": keys[0]})
    assert code["link"] == f"{server.address}/table/{table}#{keys[0]}" and code["qr"].startswith("data:image/svg+xml")
    evil = _post(server, "/api/qr", {"table": table, "key": '"><script>'})
    assert "<" not in evil["link"] and '"' not in evil["link"]
    assert server.status("/api/qr", json.dumps({"table": "//evil.example", "key": ""}).encode()) == 400
    for path in ("/api/mine", "/api/qr"):
        assert server.status(path, b"{}", {"Origin": "http://evil.example"}) == 403
    body = json.dumps({"seats": []}).encode()
    assert 429 in [server.status("/api/mine", body) for _ in range(100)]
    assert "Traceback" not in server.stop()
