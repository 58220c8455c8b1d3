"""Storage of tables: a small interface, and its implementation in SQLite."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Protocol

from gamedsl.language.source import lazy_dataclass
from gamedsl.play.web.server.events import Event, Setup, TableLog, event_from, event_json, setup_from, setup_json
from gamedsl.play.web.server.refusals import BadData

VERSION = 2  # 1: without names and messages
_SCHEMA = """
CREATE TABLE IF NOT EXISTS tables (id TEXT PRIMARY KEY, setup TEXT NOT NULL, closed INTEGER NOT NULL DEFAULT 0)
  WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS events (id TEXT NOT NULL REFERENCES tables (id), number INTEGER NOT NULL, event TEXT NOT NULL,
  PRIMARY KEY (id, number)) WITHOUT ROWID;
"""


@lazy_dataclass(frozen=True)
class Write:
    """One write: a new table (``setup``), events from ``first`` on, or the end of a game (``closes``)."""

    table: str
    setup: Setup | None = None
    first: int = 0
    events: Sequence[Event] = ()
    closes: bool = False


class Store(Protocol):
    """The logs of tables. Only one process at a time writes a table."""

    def write(self, writes: Sequence[Write]) -> None:
        """Keeps all of these or none; they are on the disk when it returns. Raises ``OSError`` where that fails."""

    def read(self, table: str) -> TableLog | None:
        """All stored data of a table, up to any damage; None if there is no such table. Raises ``OSError``."""

    def open_tables(self) -> list[tuple[str, Setup | None]]:
        """The tables whose game is not over, newest first; a damaged row has None as its setup. Raises ``OSError``."""

    def close(self) -> None: ...


class SqliteStore:
    """One SQLite file in WAL mode; every commit is flushed to the disk. Used by one thread at a time."""

    def __init__(self, path: Path) -> None:
        """Opens or makes the file. Raises ``sqlite3.DatabaseError`` if it is not a database of this kind."""
        self.db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self.db.text_factory = bytes  # a damaged row must not keep others from being read
        self.db.execute("PRAGMA journal_mode = WAL")
        self.db.execute("PRAGMA synchronous = FULL")
        self.db.execute("PRAGMA busy_timeout = 5000")
        [(version,)] = self.db.execute("PRAGMA user_version")
        if version > VERSION:
            raise sqlite3.DatabaseError(f"its version is {version}, but this program knows {VERSION}")
        self.db.executescript(_SCHEMA)
        self.db.execute(f"PRAGMA user_version = {VERSION}")

    def write(self, writes: Sequence[Write]) -> None:
        try:
            self._roll_back()  # left open if an earlier rollback failed
            self.db.execute("BEGIN IMMEDIATE")
            for one in writes:
                self._write(one)
            self.db.execute("COMMIT")
        except Exception as error:  # after any failure, the next write must find the store unchanged
            with suppress(sqlite3.Error):
                self._roll_back()
            raise OSError(f"the log cannot be written: {error}") from error

    def _roll_back(self) -> None:
        if self.db.in_transaction:
            self.db.execute("ROLLBACK")

    def _write(self, one: Write) -> None:
        if one.setup is not None:
            self.db.execute("INSERT INTO tables (id, setup) VALUES (?, ?)", (one.table, _text(setup_json(one.setup))))
        rows = [(one.table, one.first + i, _text(event_json(e))) for i, e in enumerate(one.events)]
        self.db.executemany("INSERT INTO events (id, number, event) VALUES (?, ?, ?)", rows)
        if one.closes:
            self.db.execute("UPDATE tables SET closed = 1 WHERE id = ?", (one.table,))

    def read(self, table: str) -> TableLog | None:
        try:
            row = self.db.execute("SELECT setup FROM tables WHERE id = ?", (table,)).fetchone()
            rows = self.db.execute("SELECT number, event FROM events WHERE id = ? ORDER BY number", (table,)).fetchall()
        except sqlite3.Error as error:
            raise OSError(f"the log cannot be read: {error}") from error
        if row is None:
            return None
        log = TableLog(None)
        try:
            log.setup = setup_from(_data(row[0]))
        except BadData as error:
            log.damage = f"its setup cannot be read: {error}"
            return log
        for at, (number, event) in enumerate(rows):
            try:
                if number != at:
                    raise BadData("it is missing")
                log.events.append(event_from(_data(event)))
            except BadData as error:
                log.damage = f"event {at} cannot be read: {error}"
                break
        return log

    def open_tables(self) -> list[tuple[str, Setup | None]]:
        try:
            rows = self.db.execute("SELECT id, setup FROM tables WHERE closed = 0").fetchall()
        except sqlite3.Error as error:
            raise OSError(f"the log cannot be read: {error}") from error
        found = [(_name(table), _setup_or_none(setup)) for table, setup in rows]
        return sorted(found, key=lambda pair: -(pair[1].at if pair[1] else 0))

    def has_tables(self) -> bool:
        return self.db.execute("SELECT 1 FROM tables LIMIT 1").fetchone() is not None

    def close(self) -> None:
        self.db.close()


def _name(stored: object) -> str:
    return stored.decode("utf-8", "replace") if isinstance(stored, bytes) else str(stored)


def _setup_or_none(stored: object) -> Setup | None:
    try:
        return setup_from(_data(stored))
    except BadData:
        return None


def _data(stored: object) -> object:
    """The JSON of a field. Raises ``BadData``."""
    try:
        found: object = json.loads(stored) if isinstance(stored, bytes) else None
        if isinstance(stored, bytes) and b"\\ud" in stored:
            json.dumps(found, ensure_ascii=False).encode()  # the string contains half of a surrogate pair
    except (ValueError, RecursionError) as error:
        raise BadData("it is not JSON") from error
    return found


def _text(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
