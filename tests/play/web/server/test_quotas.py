"""What one visitor may hold is bounded, has an owner, and is given back after a while."""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from typing import Any

import pytest

from gamedsl.play.web.server import table_registry as hall_module
from gamedsl.play.web.server.events import ClockRule
from gamedsl.play.web.server.limits import DAY, MOST_RUNNING, MOST_RUNNING_EACH, OPEN_DAYS, UNPLAYED_DAYS, UNUSED_DAYS
from gamedsl.play.web.server.refusals import Refused
from gamedsl.play.web.server.requests import NewTable
from gamedsl.play.web.server.seat_requests import resigned
from gamedsl.play.web.server.server_time import Run
from gamedsl.play.web.server.store import SqliteStore, Write
from gamedsl.play.web.server.table_registry import TableRegistry
from gamedsl.play.web.server.uploads import upload_folders as shelf_module
from gamedsl.play.web.server.uploads.process import Gone, UploadProcess
from gamedsl.play.web.server.uploads.upload_folders import UploadFolders
from gamedsl.play.web.server.uploads.uploads import Uploads

from .tables import loaded, new_play
from .test_times import _first, _hall

PEOPLE = NewTable("tic-tac-toe", {}, ("person", "person"), ClockRule(), False)


def test_open_tables_have_owners_and_expire(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hall_module, "MOST_OPEN_EACH", 2)
    monkeypatch.setattr(hall_module, "MOST_OPEN", 5)

    async def scenario() -> None:
        hall = _hall(tmp_path, Run.begin())
        a = [await hall.make(PEOPLE, "a") for _ in range(2)]
        with pytest.raises(Refused, match="too many tables"):
            await hall.make(PEOPLE, "a")
        for owner in "bbc":
            await hall.make(PEOPLE, owner)
        with pytest.raises(Refused, match="too many tables"):
            await hall.make(PEOPLE, "d")
        hall.stop()
        again = _hall(tmp_path, Run.begin())  # quotas outlive the process
        await again._tend()
        with pytest.raises(Refused, match="too many tables"):
            await again.make(PEOPLE, "a")
        again.run.base += int((OPEN_DAYS + 1) * DAY * 1000)
        await (await again.table(a[0].name)).request(_first)  # somebody goes on there after all
        await again._tend()
        await again.make(PEOPLE, "a")
        with pytest.raises(Refused, match="too many tables"):
            await again.make(PEOPLE, "a")
        again.stop()

    asyncio.run(scenario())


def test_a_rematch_counts_as_a_table(tmp_path: Path) -> None:
    async def scenario() -> int:
        hall = _hall(tmp_path, Run.begin())
        table = await hall.make(PEOPLE, "a")
        await table.request(lambda play, now: resigned(play, 0, now))
        for seat in (0, 1):
            await hall.rematch(table, seat)
        await hall._tend()
        found = [owner for owner, _ in hall.open.values()]
        hall.stop()
        return found.count("a")

    assert asyncio.run(scenario()) == 1  # the first is over


# ------------------------------------------------------------------------------------------------------- uploads


def test_kept_rulesets_have_owners(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf_module, "MOST_UPLOADS_EACH", 2)
    monkeypatch.setattr(shelf_module, "MOST_UPLOADS", 4)
    shelf = UploadFolders(tmp_path)
    first = shelf.put("x", "a")
    assert shelf.owner(first) == "a" and shelf.put("x", "a") != first
    with pytest.raises(Refused, match="you have uploaded"):
        shelf.put("x", "a")
    for _ in range(2):
        shelf.put("x", "b")
    with pytest.raises(Refused, match="cannot keep more"):
        shelf.put("x", "c")
    shelf.drop(first)
    assert shelf.put("x", "c") in shelf.names()


def test_what_nobody_plays_is_given_up(tmp_path: Path) -> None:
    """Without a table after a week; with one, half a year after the last visit."""
    shelf, names = UploadFolders(tmp_path), dict[str, str]()
    for label, days, is_played in (
        ("new", 0.0, False), ("tried", UNPLAYED_DAYS + 1, False), ("played", UNPLAYED_DAYS + 1, True),
        ("old", UNUSED_DAYS + 1, True), ("visited", UNUSED_DAYS + 1, True),
    ):  # fmt: skip
        names[label] = name = shelf.put("x", "a")
        if is_played:
            (tmp_path / name / "tables").mkdir()
            store = SqliteStore(tmp_path / name / "tables" / "tables.sqlite")
            store.write([Write("t", new_play(loaded("tic-tac-toe")).setup)])
            store.close()
        then = time.time() - days * DAY
        os.utime(tmp_path / name / "owner", (then, then))
    shelf.visit(names["visited"])
    (tmp_path / names["new"] / "tables").mkdir()
    (tmp_path / names["new"] / "tables" / "tables.sqlite").write_bytes(b"damaged" * 1000)
    assert set(shelf.unneeded()) == {names["tried"], names["old"]}


class _Process:
    """The process of an upload, without one."""

    def __init__(self, owner: str, wakes: int | None) -> None:
        self.owner, self.told, self.ends_with, self.runs, self.failed = owner, {"title": "x"}, wakes, True, False
        self.uses = 0

    async def wakes(self) -> int | None:
        if self.failed:
            raise Gone
        return self.ends_with

    async def end(self, patience: float = 0.0) -> None:
        self.runs = False


class _Server:
    """The uploads of a server whose processes are of no weight."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.hall: TableRegistry = _hall(folder, Run.begin())
        self.uploads = Uploads(folder / "uploads", 0.0, self.hall)
        self.uploads.wakes = {}
        self.begun: list[str] = []
        self.wakes: int | None = None

        async def started(folder: Path, name: str, path: Path, delay: float, run: Run, owner: str, chat: str) -> Any:
            self.begun.append(name)
            return _Process(owner, self.wakes)

        monkeypatch.setattr(UploadProcess, "started", started)

    async def stop(self) -> None:
        await self.uploads.stop()
        self.hall.stop()


def test_one_owner_has_some_of_the_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        server = _Server(tmp_path, monkeypatch)
        for _ in range(MOST_RUNNING_EACH):
            await server.uploads.add("x", "a")
        used = server.uploads.running
        first = next(iter(used))
        await server.uploads.add("x", "a")  # in the place of one that nobody plays now
        assert len(used) == MOST_RUNNING_EACH and first not in used
        server.uploads.shelf.drop(first)
        for one in used.values():
            one.uses = 1
        with pytest.raises(Refused, match="the person who uploaded"):
            await server.uploads.add("x", "a")
        assert len(server.uploads.shelf.names()) == MOST_RUNNING_EACH  # what did not start is not kept
        for number in range(MOST_RUNNING - MOST_RUNNING_EACH):
            await server.uploads.add("x", f"b{number}")
        for one in used.values():
            one.uses = 1
        with pytest.raises(Refused, match="too many uploaded games"):
            await server.uploads.add("x", "c")
        next(iter(used.values())).uses = 0
        await server.uploads.add("x", "c")
        await server.stop()

    asyncio.run(scenario())


def test_a_sleeping_table_needs_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A process ends, and says that a clock runs out in an hour: then it is begun again, and not before."""

    async def scenario() -> None:
        server = _Server(tmp_path, monkeypatch)
        server.wakes = server.hall.run.now() + 3_600_000
        name = (await server.uploads.add("x", "a"))["name"]
        await server.uploads.running[name].end()
        await server.uploads._tend()
        assert server.begun == [name] and not server.uploads.running and server.uploads.wakes == {name: server.wakes}
        server.hall.run.base += 3_590_000
        await server.uploads._tend()
        assert server.begun == [name, name] and not server.uploads.wakes
        process: Any = server.uploads.running[name]
        process.runs, process.failed = False, True  # it died: it is looked at again soon
        await server.uploads._tend()
        assert name not in server.uploads.running and name not in server.uploads.wakes  # no table waits there
        await server.stop()

    asyncio.run(scenario())


def test_alarms_leave_places_to_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        server = _Server(tmp_path, monkeypatch)
        names = [server.uploads.shelf.put("x", f"{number}") for number in range(20)]
        server.uploads.wakes = dict.fromkeys(names, 0)
        await server.uploads._tend()
        assert len(server.uploads.running) == MOST_RUNNING // 2
        assert await server.uploads.add("x", "somebody")
        await server.stop()

    asyncio.run(scenario())
