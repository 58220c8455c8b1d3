"""What lies on the disk may be damaged, and every call of the disk may fail: one table suffers, and says so."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gamedsl.language.source import FileError
from gamedsl.play.web.server import links as links_module
from gamedsl.play.web.server import live_tables
from gamedsl.play.web.server.events import ClockRule, Made, Setup
from gamedsl.play.web.server.links import Links, network_of
from gamedsl.play.web.server.logs import LOG
from gamedsl.play.web.server.refusals import Refused
from gamedsl.play.web.server.requests import NewTable
from gamedsl.play.web.server.seat_requests import Decided, made
from gamedsl.play.web.server.store import SqliteStore, Write
from gamedsl.play.web.server.table_play import Play
from gamedsl.play.web.server.table_registry import TableRegistry
from gamedsl.play.web.server.writer import Writer

from .tables import loaded, new_play
from .test_chaos import _hall

MADE = '{"event":"Made","at":1,"seat":0,"text":"a1"}'
SETUPS: list[Any] = [
    "", "{", "[]", "7", None, b"\xff\xfe", b"\x00" * 40, '{"game":"tic-tac-toe"}', "[" * 100_000,
    lambda setup: setup.replace('"seats":["person","person"]', '"seats":["person"]'),
    lambda setup: setup.replace('"seats":["person","person"]', '"seats":"person"'),
    lambda setup: setup.replace('"base":0', '"base":"x"'),
    lambda setup: setup.replace('"kind":"none"', '"kind":"some"'),
    lambda setup: setup.replace('"options":{', '"options":{"n":3,'),
    lambda setup: setup.replace('"at":', '"at":null,"by":'),
    lambda setup: setup.replace('"game":"tic-tac-toe"', '"game":"no such game"'),
    lambda setup: setup.replace('"game":"tic-tac-toe"', '"game":"\\\\ud800"'),
]  # fmt: skip
EVENTS: list[Any] = [
    "", "{", "[]", "null", None, b"\xff", '{"event":"Nothing"}', '{"event":["Made"]}', MADE.replace('"at":1', '"at":"x"'), "[" * 100_000,
    MADE.replace('"seat":0', '"seat":9'), MADE.replace('"seat":0', '"seat":-1'), MADE.replace("a1", "z99"),
    MADE.replace('"seat":0', '"seat":1.5'), MADE.replace("a1", "\\ud800"), MADE.replace('"at":1,', ""),
    '{"event":"Resigned","at":1,"seat":7}', '{"event":"TimeRanOut","at":1,"seat":-3}',
    '{"event":"Offered","at":1,"seat":0,"what":"undo","keep":-5}', '{"event":"Offered","at":1,"seat":0,"what":"win","keep":0}',
    '{"event":"Resumed","at":1e999}',
]  # fmt: skip


def _move(play: Play, now: int) -> Decided:
    return made(play, play.state.legal_moves()[0], now)


async def _filled(folder: Path) -> tuple[str, str]:
    """Two tables with a move each: one for people, and one at which an agent has the next move."""
    hall = _hall(folder)
    names = []
    for seats in (("person", "person"), ("person", "random")):
        table = await hall.make(NewTable("tic-tac-toe", {}, seats, ClockRule(), False))
        if seats[1] == "random":  # it must not move before the server begins again
            table.stop()
        await table.request(_move)
        names.append(table.name)
    hall.stop()
    return names[0], names[1]


def _damage(folder: Path, statement: str, value: object, name: str) -> None:
    db = sqlite3.connect(folder / "tables.sqlite")
    if callable(value):
        value = value(db.execute("SELECT setup FROM tables WHERE id = ?", (name,)).fetchone()[0])
    db.execute("PRAGMA ignore_check_constraints = 1")
    db.execute(statement, (value, name))
    db.commit()
    db.close()


async def _begun_again(folder: Path, damaged: str, healthy: str) -> tuple[Any, str]:
    """What whoever comes to the damaged table finds (a table, or a refusal), once the agent of the other has moved."""
    hall = _hall(folder)
    hall.start()
    for _ in range(4000):
        if healthy in hall.tables and len(hall.tables[healthy].play.moments) == 3:
            break
        await asyncio.sleep(0.001)
    else:
        pytest.fail("a damaged table keeps another from going on")
    try:
        found: Any = await hall.table(damaged)
        shown = (await found.look(found.view, None)).body
        with pytest.raises(Refused, match="damaged"):
            await found.request(_move)
    except Refused as refused:
        found, shown = refused, ""
    hall.stop()
    return found, shown


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> pytest.LogCaptureFixture:
    monkeypatch.setattr(LOG, "propagate", True)
    caplog.set_level(logging.WARNING, "gamedsl.server")
    return caplog


@pytest.mark.parametrize("at", range(len(SETUPS)))
def test_a_damaged_setup(tmp_path: Path, log: pytest.LogCaptureFixture, at: int) -> None:
    damaged, healthy = asyncio.run(_filled(tmp_path))
    try:
        _damage(tmp_path, "UPDATE tables SET setup = ? WHERE id = ?", SETUPS[at], damaged)
    except sqlite3.IntegrityError:
        pytest.skip("the schema refuses it")
    found, _ = asyncio.run(_begun_again(tmp_path, damaged, healthy))
    assert isinstance(found, Refused) and found.code in ("damaged", "rules", "game", "options")
    assert found.code != "damaged" or damaged in log.text


@pytest.mark.parametrize("at", range(len(EVENTS)))
def test_a_damaged_event(tmp_path: Path, log: pytest.LogCaptureFixture, at: int) -> None:
    """The table is shown up to it, with a notice, and nobody can go on there."""
    damaged, healthy = asyncio.run(_filled(tmp_path))
    try:
        _damage(tmp_path, "UPDATE events SET event = ? WHERE id = ?", EVENTS[at], damaged)
    except sqlite3.IntegrityError:
        pytest.skip("the schema refuses it")
    found, shown = asyncio.run(_begun_again(tmp_path, damaged, healthy))
    assert not isinstance(found, Refused) and len(found.play.moments) == 1
    assert "the log of this table is damaged" in shown
    assert f"table {damaged} is damaged" in log.text and "event 0" in log.text


@pytest.mark.parametrize("number", [1, -1, 10**12, "x", 0.5])
def test_a_missing_event(tmp_path: Path, number: object) -> None:
    damaged, healthy = asyncio.run(_filled(tmp_path))
    _damage(tmp_path, "UPDATE events SET number = ? WHERE id = ?", number, damaged)
    found, shown = asyncio.run(_begun_again(tmp_path, damaged, healthy))
    assert len(found.play.moments) == 1 and "damaged" in shown and not found.play.clocks.since


@pytest.mark.parametrize("secret", [b"", b"x", b"\0" * 32, b"x" * 31, b"x" * 33, bytes(range(64))])
def test_a_secret_that_could_be_guessed_is_refused(tmp_path: Path, secret: bytes) -> None:
    (tmp_path / "secret").write_bytes(secret)
    with pytest.raises(FileError) as found:
        _hall(tmp_path)
    [d] = found.value.diagnostics
    assert d.code == "E0011" and "secret" in d.message and "copy" in d.help


# ------------------------------------------------------------------------------------------------------- faults


class _Faulty:
    """A connection of SQLite whose n-th call fails."""

    def __init__(
        self, db: sqlite3.Connection, counts: list[int], error: Callable[[], Exception], is_after: bool
    ) -> None:
        self.db, self.counts, self.error, self.is_after = db, counts, error, is_after

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.db, name)
        if not callable(found):
            return found

        def call(*arguments: Any) -> Any:
            self.counts[0] -= 1
            if self.counts[0] == 0 and not self.is_after:
                raise self.error()
            told = found(*arguments)
            if self.counts[0] == 0:
                raise self.error()
            return told

        return call


FAULTS: list[Callable[[], Exception]] = [
    lambda: sqlite3.OperationalError("disk I/O error"),
    lambda: sqlite3.DatabaseError("database disk image is malformed"),
    lambda: sqlite3.OperationalError("database or disk is full"),
    lambda: MemoryError(),
]


@pytest.mark.parametrize("is_after", [False, True])
@pytest.mark.parametrize("fault", range(len(FAULTS)))
def test_every_call_of_sqlite_may_fail(tmp_path: Path, fault: int, is_after: bool) -> None:
    """All or nothing is kept, the caller gets an ``OSError``, and the next write works."""
    setup = new_play(loaded("tic-tac-toe")).setup
    for at in range(1, 12):
        store = SqliteStore(tmp_path / f"log-{at}")
        store.write([Write("a", setup)])
        counts = [at]
        db: Any = _Faulty(store.db, counts, FAULTS[fault], is_after)
        store.db = db

        async def kept(store: SqliteStore, setup: Setup) -> list[BaseException | None]:
            writer = Writer(store)
            first = await asyncio.gather(
                writer.keep(Write("a", first=0, events=[Made(1, 0, "x"), Made(2, 1, "y")])), return_exceptions=True
            )
            again = await asyncio.gather(writer.keep(Write("b", setup)), return_exceptions=True)
            writer.stop()
            return [*first, *again]

        told = asyncio.run(kept(store, setup))
        assert all(one is None or isinstance(one, OSError) for one in told)
        for read in (partial(store.read, "a"), store.open_tables):
            try:
                read()
            except OSError:
                pass
            except MemoryError:
                assert fault == 3
        counts[0] = 10**9
        log = store.read("a")
        assert log is not None and len(log.events) in (0, 2) and not log.damage
        assert told[0] is not None or len(log.events) == 2, "an acknowledged write is gone"
        store.write([Write("c", setup)])
        assert store.read("c") is not None
        store.close()


@pytest.mark.parametrize("name", ["open", "replace", "fsync", "read_bytes", "exists"])
def test_every_call_of_the_secret_may_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def fails(*_: object, **__: object) -> Any:
        raise OSError(28, "No space left on device")

    place: Any = Path if name in ("read_bytes", "exists") else links_module.os
    with monkeypatch.context() as patched:
        patched.setattr(place, name, fails)
        with pytest.raises(FileError) as found:
            _hall(tmp_path / "tables")
    assert found.value.diagnostics[0].code == "E0011"
    hall = _hall(tmp_path / "tables")  # nothing half made is taken for a secret
    assert len(hall.links.secret) == 32
    hall.stop()


@pytest.mark.parametrize("error", [OSError("full"), ValueError("x"), sqlite3.OperationalError("locked")])
def test_a_table_goes_on_once_the_disk_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """A write fails, although it has been kept: the table reads its log again, and makes no move twice."""
    monkeypatch.setattr(live_tables, "RETRY_SECONDS", 0.001)

    async def played(hall: TableRegistry) -> int:
        table = await hall.make(NewTable("tic-tac-toe", {}, ("person", "random"), ClockRule(), False))
        write = hall.writer.store.write

        def fails_after(writes: Any) -> None:
            write(writes)
            monkeypatch.setattr(hall.writer.store, "write", write)
            raise error

        monkeypatch.setattr(hall.writer.store, "write", fails_after)
        with pytest.raises(Refused):
            await table.request(_move)
        for _ in range(4000):
            if len(table.play.moments) == 3:
                break
            await asyncio.sleep(0.001)
        found = len(table.play.moments)
        hall.stop()
        return found

    assert asyncio.run(played(_hall(tmp_path))) == 3


def test_a_table_can_be_seen_while_the_disk_fails(tmp_path: Path) -> None:
    async def shown(hall: TableRegistry) -> str:
        table = await hall.make(NewTable("tic-tac-toe", {}, ("person", "person"), ClockRule(), False))
        await table.request(_move)

        def fails(*_: object) -> Any:
            raise OSError(5, "Input/output error")

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(hall.writer.store, "write", fails)
            patched.setattr(hall.reading, "read", fails)
            with pytest.raises(Refused, match="cannot write"):
                await table.request(_move)
            with pytest.raises(Refused, match="cannot read"):
                await table.request(_move)
            body = str((await table.look(table.view, 0)).body)
        await table.request(_move)
        assert len(table.play.moments) == 3
        hall.stop()
        return body

    assert '"over":false' in asyncio.run(shown(_hall(tmp_path)))


def test_one_household_is_one_visitor() -> None:
    links = Links(b"secret")
    assert links.owner("2001:db8:1:2::5") == links.owner("2001:db8:1:2:ffff::1") != links.owner("2001:db8:1:3::5")
    assert links.owner("::ffff:192.0.2.1") == links.owner("192.0.2.1") != links.owner("192.0.2.2")
    assert network_of("fe80::1%eth0") == "fe80::/64" and network_of("") == ""
