"""Clocks go on evenly, whatever the machine's clock does, over restarts and while tables sleep. Numbers by hand."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gamedsl.play.web.server.clocks import Clocks
from gamedsl.play.web.server.events import ClockRule, Made, Resumed, TimeRanOut
from gamedsl.play.web.server.limits import LAG_MOST, Limits
from gamedsl.play.web.server.requests import NewTable
from gamedsl.play.web.server.seat_requests import Decided, made
from gamedsl.play.web.server.server_time import Run
from gamedsl.play.web.server.sockets import Socket
from gamedsl.play.web.server.table_play import Play
from gamedsl.play.web.server.table_registry import TableRegistry
from gamedsl.play.web.server.uploads.process import _to_upload

from .tables import HALL
from .test_chaos import _catalogue

MINUTE, HOUR = 60_000, 3_600_000
FISCHER = ClockRule("fischer", 600, 0)


def test_the_way_of_a_move_costs_nothing() -> None:
    """Ten seconds. A move that comes after three of them, of which one was its way, costs two; the other begins when it came."""
    clocks = Clocks(ClockRule("fischer", 10, 0), 2)
    clocks.on_move(0, 0, (1,), False)
    clocks.on_move(3_000, 1, (0,), False, free=1_000)
    assert clocks.left == [10_000, 8_000] and clocks.next_flag() == (0, 13_000)
    clocks.on_move(3_500, 0, (1,), False, free=60_000)  # nobody gets time for it
    assert clocks.left == [10_000, 8_000]


def test_the_time_before_a_restart_counts_and_the_pause_does_not() -> None:
    """Of 100 seconds, 40 were used when the server went. Whoever had 10 left keeps them: nobody could move."""
    clocks = Clocks(ClockRule("fischer", 100, 0), 2)
    clocks.on_move(0, None, (0,), False)
    clocks.on_return(10**9, until=40_000)
    assert clocks.left == [60_000, 100_000] and clocks.next_flag() == (0, 10**9 + 60_000)
    clocks.on_return(5, until=10**9 + 50_000)  # 10 would be left, but thirty are
    assert clocks.left[0] == 30_000 and clocks.next_flag() == (0, 30_005)
    clocks.left[0] = 7_000
    clocks.on_return(10, until=9)
    assert clocks.left[0] == 7_000
    clocks.on_return(20)
    assert clocks.left[0] == 7_000 and clocks.next_flag() == (0, 7_020)


def test_the_first_choice_in_secret_starts_no_clock() -> None:
    """Both choose; the clock of the one who waits would show that the other has chosen. Once both have, all run."""
    clocks = Clocks(ClockRule("move", 10), 2)
    before = clocks.told(0)
    clocks.on_move(1_000, 0, (1,), True)
    assert clocks.told(5_000) == before and clocks.next_flag() is None
    clocks.on_move(6_000, 1, (0, 1), False)
    assert clocks.next_flag() == (0, 16_000) and clocks.since == {0: 6_000, 1: 6_000}


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
def test_a_jump_of_the_machines_clock_is_not_noticed(monkeypatch: pytest.MonkeyPatch, jump: int) -> None:
    run, wall = Run.begin(), time.time_ns
    before = run.now()
    monkeypatch.setattr(time, "time_ns", lambda: wall() + jump * 1_000_000)
    assert 0 <= run.now() - before < MINUTE


def test_a_run_notes_how_far_it_came(tmp_path: Path) -> None:
    first = Run.begin(tmp_path)
    assert first.before == (0, 0) and first.until(7) == 0
    first.note(tmp_path)
    second = Run.begin(tmp_path)
    assert second.number > first.number and second.until(first.number) >= first.number
    assert second.until(second.number) == 0 and Run.of_text(second.text()) == second


@pytest.mark.parametrize(
    "note", ["", "[]", "{", "[1]", '["a", 2]', "[5, 3]", "[1, 1e400]", "[true, 9]", "\ufffd", "[-1, 5]"]
)
def test_a_damaged_note_is_none(tmp_path: Path, note: str) -> None:
    (tmp_path / "run").write_bytes(note.encode("utf-16") if note == "\ufffd" else note.encode())
    assert Run.begin(tmp_path).before[1] in (0, 9)


# ------------------------------------------------------------------------------------------------------- tables


def _first(play: Play, now: int) -> Decided:
    return made(play, play.state.legal_moves()[0], now)


class StoppedRun(Run):
    """A run whose time passes only where a test says so."""

    def now(self) -> int:
        return self.base


def _stopped() -> StoppedRun:
    return StoppedRun(10**12, 10**12)


def _hall(folder: Path, run: Run) -> TableRegistry:
    return TableRegistry(folder, _catalogue(), Limits(), run=run)


async def _table(hall: TableRegistry, clock: ClockRule = FISCHER) -> Any:
    table = await hall.make(NewTable("tic-tac-toe", {}, ("person", "person"), clock, False))
    await table.request(_first)
    return table


def test_a_restart_keeps_what_is_left(tmp_path: Path) -> None:
    """O thinks for three minutes, the server is away for a day, and the machine's clock is set back by a day and an hour
    meanwhile. O had ten minutes: seven are left."""
    run = Run.begin()

    async def scenario() -> list[int]:
        first = _hall(tmp_path, run)
        name = (await _table(first)).name
        first.stop()
        moved = first.run.now()
        again = Run(run.number + 1, run.base - HOUR, (run.number, moved + 3 * MINUTE))
        second = _hall(tmp_path, again)
        table = await second.table(name)
        log = second.reading.read(name)
        assert log is not None and any(isinstance(event, Resumed) for event in log.events)
        second.stop()
        return list(table.play.clocks.left)

    x, o = asyncio.run(scenario())
    assert abs(o - 7 * MINUTE) < 5000 and x > 9 * MINUTE


def test_a_table_that_sleeps_goes_on_by_its_clock(tmp_path: Path) -> None:
    """Nobody is there, so it leaves the memory. The time counts all the same, and the flag falls."""

    async def scenario() -> None:
        hall = _hall(tmp_path, Run.begin())
        table = await _table(hall, ClockRule("move", 86_400, 0))
        await hall._tend()
        assert table.name not in hall.tables and table.name in hall.sleeping
        hall.run.base += HOUR
        again = await hall.table(table.name)
        assert not any(isinstance(event, Resumed) for event in _events(hall, table.name))
        [_, o] = again.play.clocks.told(hall.run.now())
        assert abs(o["left"] - 23 * 3600) < 5 and table.name not in hall.sleeping
        await hall._tend()
        assert not hall.tables
        hall.run.base += 23 * HOUR + MINUTE
        await hall._tend()
        for _ in range(2000):
            if isinstance(_events(hall, table.name)[-1], TimeRanOut):
                break
            await asyncio.sleep(0.001)
        assert _events(hall, table.name)[-1].seat == 1
        hall.stop()

    asyncio.run(scenario())


def _events(hall: TableRegistry, name: str) -> list[Any]:
    log = hall.reading.read(name)
    assert log is not None
    return list(log.events)


def _socket(table: Any, seat: int, seconds: float) -> Socket:
    ws: Any = SimpleNamespace(scope={"state": {"connection": SimpleNamespace(last_ping_rtt=seconds)}})
    return Socket(ws, HALL, table, seat)


@pytest.mark.parametrize("seconds", [0.0, 0.25, 3600.0])
def test_lag_is_given_back_within_bounds(tmp_path: Path, seconds: float) -> None:
    """Whoever answers pings late wins a second a move, not an hour."""

    async def scenario() -> Made:
        hall = _hall(tmp_path, _stopped())
        table = await _table(hall)
        hall.run.base += 10_000
        await table.request(_first, _socket(table, 1, seconds).lag)
        found = [event for event in _events(hall, table.name) if isinstance(event, Made)]
        hall.stop()
        return found[-1]

    assert asyncio.run(scenario()).free == min(round(seconds * 1000), LAG_MOST)


def test_lag_reaches_the_process_of_an_upload() -> None:
    """The process of an upload sees only the server in front of it, which answers pings at once."""
    frames = [{"type": "websocket.receive", "text": '{"do":"move","id":7}'}, {"type": "websocket.disconnect"}]
    sent: list[str] = []

    async def receive() -> dict[str, str]:
        return frames.pop(0)

    async def send(frame: str) -> None:
        sent.append(frame)

    async def scenario() -> tuple[int, str, int]:
        person: Any = SimpleNamespace(
            receive=receive, scope={"state": {"connection": SimpleNamespace(last_ping_rtt=0.25)}}
        )
        inner: Any = SimpleNamespace(send=send)
        await _to_upload(person, inner)
        frames.append({"type": "websocket.receive", "text": sent[0]})
        hall: Any = SimpleNamespace(**{**vars(HALL), "is_relayed": True})
        near: Any = SimpleNamespace(
            receive=receive, scope={"state": {"connection": SimpleNamespace(last_ping_rtt=0.0001)}}
        )
        socket = Socket(near, hall, SimpleNamespace(), 1)  # type: ignore[arg-type]
        before = socket.lag
        return before, await socket.read_frame(), socket.lag

    assert asyncio.run(scenario()) == (0, '{"do":"move","id":7}', 250)


def test_a_flag_waits_for_a_move_that_may_be_on_its_way(tmp_path: Path) -> None:
    async def scenario() -> list[Callable[..., Any]]:
        hall = _hall(tmp_path, _stopped())
        found = []
        for seconds in (0.0, 0.9):
            table = await _table(hall, ClockRule("move", 600, 0))
            table.watchers.add(_socket(table, 1, seconds))
            hall.run.base += 600_300
            await table.request(lambda play, now: [])
            found.append(type(_events(hall, table.name)[-1]))
            hall.run.base -= 600_300
        hall.stop()
        return found

    assert asyncio.run(scenario()) == [TimeRanOut, Made]
