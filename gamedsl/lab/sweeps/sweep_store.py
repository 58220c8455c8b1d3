"""Measurements in a file, so that a sweep can be stopped and continued."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection
from pathlib import Path
from typing import Any

from gamedsl.language.source import FileError

LARGEST = 1e15  # of a figure
TABLE = "CREATE TABLE measurements (key TEXT PRIMARY KEY, data TEXT NOT NULL)"
NO_GAMES = "no games: players draw, or the rules go wrong"


class SweepStore:
    """Measurements by key. Without a path they are forgotten."""

    def __init__(self, path: Path | None) -> None:
        """Raises ``FileError`` (E0008) if the file cannot be used, (E0523) if it is a database of another program, to which
        nothing is written."""
        self.path = path
        try:
            self._file = sqlite3.connect(":memory:" if path is None else path)
            self._file.execute("PRAGMA trusted_schema = OFF")
            self._file.execute("BEGIN IMMEDIATE")
            schema = [sql for (sql,) in self._file.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")]
            other = self._file.execute("PRAGMA application_id").fetchone()[0] or schema not in ([], [TABLE])
            if not schema and not other:
                self._file.execute(TABLE)
            self._file.commit()
        except UnicodeDecodeError:  # in the library's message about a damaged name
            raise self._refusal("it is damaged") from None
        except sqlite3.Error as problem:
            raise self._error(problem) from None
        if other:
            self._file.close()
            raise self._refusal("it is a database of another program")

    def find(self, key: str, names: Collection[str]) -> dict[str, Any] | None:
        """Returns a measurement of the figures with these names; None if there is none, or it cannot be read. A file is
        untrusted input."""
        try:
            row = self._file.execute("SELECT data FROM measurements WHERE key = ?", (key,)).fetchone()
            found = None if row is None else json.loads(row[0])
        except (ValueError, TypeError, RecursionError):
            return None
        except sqlite3.Error as problem:
            raise self._error(problem) from None
        return found if _is_measurement(found, names) else None

    def keep(self, key: str, data: dict[str, Any]) -> None:
        try:
            with self._file:
                self._file.execute("INSERT OR REPLACE INTO measurements VALUES (?, ?)", (key, json.dumps(data)))
        except sqlite3.Error as problem:
            raise self._error(problem) from None

    def close(self) -> None:
        self._file.close()

    def _refusal(self, why: str) -> FileError:
        return FileError(
            f"{self.path} cannot be resumed: {why}", code="E0523", help="Name another file, or delete this one."
        )

    def _error(self, problem: sqlite3.Error) -> FileError:
        return FileError(f"`{self.path}` cannot be used as a file of measurements: {problem}", code="E0008")


def _is_measurement(found: Any, names: Collection[str]) -> bool:
    if not isinstance(found, dict) or found.keys() != {"figures", "games", "value", "problem"}:
        return False
    figures, games, value, problem = found["figures"], found["games"], found["value"], found["problem"]
    if not isinstance(figures, dict) or not _is_number(games) or not isinstance(games, int) or games < 0:
        return False
    if problem:
        return bool(problem == NO_GAMES and not figures and value is None)
    if problem != "" or figures.keys() != set(names) or not (value is None or _is_number(value)):
        return False
    return all(isinstance(f, list) and len(f) == 3 and all(map(_is_number, f)) for f in figures.values())


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and -LARGEST <= value <= LARGEST
