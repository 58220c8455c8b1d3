"""Autosave: a game is saved as it goes on, in a file of its own in the user's data folder."""

from __future__ import annotations

import os
import secrets
import time
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from gamedsl.language.source import FileError, reason
from gamedsl.play.terminal.saving.file_lock import hold
from gamedsl.play.terminal.saving.kept_plays import RESULT, lasting_name, plays_folder, prune
from gamedsl.play.terminal.saving.save_file import is_due

if TYPE_CHECKING:
    from filelock import BaseFileLock

    from gamedsl.engine import Record
    from gamedsl.play.terminal.session.session import Session


class Autosave:
    """Keeps one game. ``path``: the file of a saved game that is resumed; otherwise one is made at the first ply."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._lock: BaseFileLock | None = None
        self._written: tuple[Record, bool] | None = None
        self._at = 0.0
        self._is_empty = False  # all that was written has been taken back
        self._game = ""  # by its lasting name
        if path is not None:
            self._lock = hold(path)

    def adopt(self, session: Session) -> None:
        """Notes that the file holds all of a session that was made from it."""
        self._written = (session.record_to_keep, session.state.is_terminal)

    def keep(self, session: Session) -> None:
        """Saves the game if it is time to. Raises GameDSLError (E0530) if it cannot be written."""
        if is_due(session, self._at) and not self.is_kept(session):
            self.save(session)

    def save(self, session: Session) -> None:
        """Saves the game now. A game without any ply or stroke gets no file."""
        record = session.record_to_keep
        if self.path is None:
            if session.is_empty:
                return
            self.path = self._new_file()
        over = session.state.is_terminal
        self._game = self._game or lasting_name(record.game)
        text = replace(record, game=self._game)
        text = text.plus_comment(RESULT + session.state.outcome_text) if over else text
        text.write(self.path)
        self._written, self._at, self._is_empty = (record, over), time.monotonic(), session.is_empty

    def is_kept(self, session: Session) -> bool:
        """Whether everything that was played is on disk. (Secret choices are made again.)"""
        return self._written == (session.record_to_keep, session.state.is_terminal)

    def close(self) -> None:
        """Releases the file. If everything was taken back, the file is removed."""
        if self.path is not None and self._is_empty:
            with suppress(OSError):
                self.path.unlink()
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def _new_file(self) -> Path:
        """The name of an unused file, in a folder that is private to the user."""
        folder = plays_folder()
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if folder.stat().st_mode & 0o077:
                folder.chmod(0o700)
            prune(folder)
            path = folder / f"{datetime.now():%Y%m%d-%H%M%S}-{os.getpid()}-{secrets.token_hex(3)}.record"
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        except OSError as error:
            raise FileError(f"{folder} cannot be written to: {reason(error)}", code="E0530") from error
        self._lock = hold(path)
        return path
