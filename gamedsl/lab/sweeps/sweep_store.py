"""Measurements in a file, so that a sweep can be stopped and continued."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from gamedsl.language.source import FileError


class SweepStore:
    """Measurements by key. Without a path they are forgotten."""

    def __init__(self, path: Path | None) -> None:
        """Raises ``FileError`` (E0008) if the file cannot be used."""
        self.path = path
        try:
            self._file = sqlite3.connect(":memory:" if path is None else path)
            self._file.execute("CREATE TABLE IF NOT EXISTS measurements (key TEXT PRIMARY KEY, data TEXT NOT NULL)")
        except sqlite3.Error as problem:
            raise self._error(problem) from None

    def find(self, key: str) -> dict[str, Any] | None:
        """Returns a measurement; None if there is none, or it cannot be read."""
        try:
            row = self._file.execute("SELECT data FROM measurements WHERE key = ?", (key,)).fetchone()
            found = None if row is None else json.loads(row[0])
        except ValueError:
            return None
        except sqlite3.Error as problem:
            raise self._error(problem) from None
        return found if isinstance(found, dict) else None

    def keep(self, key: str, data: dict[str, Any]) -> None:
        try:
            with self._file:
                self._file.execute("INSERT OR REPLACE INTO measurements VALUES (?, ?)", (key, json.dumps(data)))
        except sqlite3.Error as problem:
            raise self._error(problem) from None

    def close(self) -> None:
        self._file.close()

    def _error(self, problem: sqlite3.Error) -> FileError:
        return FileError(f"`{self.path}` cannot be used as a file of measurements: {problem}", code="E0008")
