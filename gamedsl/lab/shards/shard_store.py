"""Answers in an SQLite file, so that work can be stopped at any moment and continued anywhere."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from gamedsl.lab.shards.question import Question, Shard
from gamedsl.language.source import FileError

APPLICATION = 0x67647368  # of SQLite's header: what the file is for
LONGEST = 1 << 28  # bytes of an answer
BUSY = 60.0  # seconds to wait for another process that writes
TABLE = (
    "CREATE TABLE shards (key TEXT PRIMARY KEY, question TEXT NOT NULL, first INTEGER NOT NULL, count INTEGER NOT NULL, "
    "seconds REAL NOT NULL, answer BLOB NOT NULL, digest TEXT NOT NULL) STRICT"
)


class ShardStore:
    """Answers by question and range. Without a path they are forgotten with the store.

    A file is untrusted input. Another file is refused, and so is an answer that was damaged or has another form.
    """

    def __init__(self, path: Path | None = None) -> None:
        """Raises ``FileError`` (E0523) if the file is not one of these, (E0008) if it cannot be written."""
        self.path = path
        self._file = self._open()

    def _open(self) -> sqlite3.Connection:
        if self.path is not None and not self.path.parent.is_dir():
            raise FileError(f"`{self.path}` cannot be written: there is no folder `{self.path.parent}`", code="E0008")
        try:
            file = sqlite3.connect(":memory:" if self.path is None else self.path, timeout=BUSY)
            file.text_factory = _text
            file.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
            file.execute("PRAGMA trusted_schema = OFF")
            file.execute("BEGIN IMMEDIATE")
            schema = [sql for (sql,) in file.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")]
            if not schema and not file.execute("PRAGMA application_id").fetchone()[0]:
                file.execute(f"PRAGMA application_id = {APPLICATION}")
                file.execute(TABLE)
            elif schema != [TABLE] or file.execute("PRAGMA application_id").fetchone()[0] != APPLICATION:
                raise self._refusal("it is a database of another program")
            file.commit()
        except UnicodeDecodeError:  # in the library's message about a damaged name
            raise self._refusal("it is damaged") from None
        except sqlite3.Error as problem:
            raise self._error(problem) from None
        return file

    def known(self, question: Question[Any]) -> Iterator[tuple[int, int]]:
        """Yields the ranges that have an answer, without overlaps: first item, number of items."""
        rows = self._read(
            "SELECT first, count FROM shards WHERE question = ? AND first >= 0 AND count > 0 "
            "ORDER BY first, count DESC",
            question.digest,
        )
        end = 0
        for first, count in rows:
            if first >= end:
                yield first, count
                end = first + count

    def find(self, question: Question[Any], first: int, count: int) -> Any:
        """Returns the answer to a range. Raises ``FileError`` (E0523) if it was damaged, or is not an answer."""
        row = self._read("SELECT answer, digest FROM shards WHERE key = ?", _key(question, first, count))
        if len(row) != 1 or row[0][1] != _seal(question, first, count, row[0][0]):
            raise self._refusal(f"the answer to items {first:,} to {first + count - 1:,} is damaged")
        try:
            return question.decode(row[0][0], count)
        except ValueError as problem:
            raise self._refusal(f"items {first:,} to {first + count - 1:,}: {problem}") from None

    def keep(self, question: Question[Any], shard: Shard) -> None:
        """Writes an answer. Once this returns, even a crash of the process does not lose it."""
        if self.path is None:
            return
        first, count = shard.first, shard.count
        row = (
            _key(question, first, count), question.digest, first, count, shard.seconds, shard.data,
            _seal(question, first, count, shard.data),
        )  # fmt: skip
        try:
            with self._file:
                self._file.execute("INSERT OR REPLACE INTO shards VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        except sqlite3.Error as problem:
            raise self._error(problem) from None

    def refuse_other(self, question: Question[Any], shard: Shard) -> None:
        """Raises ``FileError`` (E0523) unless the stored answer to a range is the one that was just computed."""
        row = self._read("SELECT answer FROM shards WHERE key = ?", _key(question, shard.first, shard.count))
        if row != [(shard.data,)]:
            where = f"{shard.first:,} to {shard.first + shard.count - 1:,}"
            raise self._refusal(f"its answer to items {where} is not the one that these rules give")

    def close(self) -> None:
        self._file.close()

    def _read(self, query: str, value: str) -> list[Any]:
        try:
            return self._file.execute(query, (value,)).fetchall()
        except sqlite3.Error as problem:
            raise self._error(problem) from None

    def _error(self, problem: sqlite3.Error) -> FileError:
        if isinstance(problem, sqlite3.OperationalError):
            return FileError(f"`{self.path}` cannot be written: {problem}", code="E0008")
        return self._refusal(str(problem))

    def _refusal(self, why: str) -> FileError:
        return FileError(
            f"{self.path} cannot be resumed: {why}", code="E0523", help="Name another file, or delete this one."
        )


def _text(data: bytes) -> str:
    """Reads damaged text too: it is compared with what it should be."""
    return data.decode("utf-8", "replace")


def _key(question: Question[Any], first: int, count: int) -> str:
    return f"{question.digest} {first} {count}"


def _seal(question: Question[Any], first: int, count: int, data: bytes) -> str:
    """The digest by which damage is noticed."""
    return sha256(_key(question, first, count).encode() + b"\n" + data).hexdigest()
