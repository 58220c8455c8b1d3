"""The file in which a game is saved, and the messages about it."""

from __future__ import annotations

import re
import shlex
import time
from dataclasses import field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from gamedsl.language.source import UsageError, lazy_dataclass
from gamedsl.play.terminal.saving.file_lock import hold
from gamedsl.play.terminal.session.session import Session

if TYPE_CHECKING:
    from filelock import BaseFileLock

MOST_SECONDS = 1.0  # between two saves while programs play


@lazy_dataclass()
class SaveFile:
    """``path``: given by the user or chosen at the first save; ``own``: this game may replace the file's contents;
    ``always``: written as the game goes on; ``never``: nothing is written unless the user types ``save``. The file in
    use is locked, so that no other window writes to it."""

    path: str | None = None
    own: bool = False
    always: bool = False
    never: bool = False
    at: float = 0.0  # the time of the last save, by ``time.monotonic``
    _lock: BaseFileLock | None = field(default=None, repr=False, compare=False)
    _locked: str | None = field(default=None, repr=False, compare=False)  # the locked file

    def take(self, path: str) -> None:
        """Locks a file instead of the previous one. Raises UsageError if it is in use in another window."""
        if path == self._locked:
            return
        lock = hold(Path(path))
        self.close()
        self._lock, self._locked = lock, path

    def close(self) -> None:
        """Releases the lock on the file."""
        if self._lock is not None:
            self._lock.release()
        self._lock = self._locked = None

    def keep(self, session: Session) -> None:
        """Saves the game as it goes on, if that was asked for."""
        if self.always and self.path is not None and not session.is_saved and is_due(session, self.at):
            self.save(session)

    def save(self, session: Session, path: str | None = None) -> list[str]:
        """Saves the game; returns lines with the file and how to continue. Raises GameDSLError if the file cannot be
        written; the file of another game is never replaced."""
        target = path or self.path or free_name(session.game.program.name)
        if not target.isprintable():
            raise UsageError("a file name cannot contain these characters")
        own = self.own and target == self.path
        if not own and Path(target).exists():
            raise UsageError(f"the file `{target}` already exists", help="choose another name: save FILE")
        self.take(target)
        session.save(target)
        self.path, self.own, self.at = target, True, time.monotonic()
        return [f"saved: {target}", f"continue it with: {resume_command(target)}"]


def is_due(session: Session, saved_at: float) -> bool:
    """Whether it is time to save a game that is kept as it goes on: after every ply of a person, before a person acts,
    at the end, and once a second while programs play."""
    if session.state.is_terminal or session.waiting_for() is not None:
        return True
    move = session.now.move
    by_person = move is not None and move.player in session.humans
    return by_person or time.monotonic() - saved_at > MOST_SECONDS


def resume_command(path: str) -> str:
    """The command that continues a saved game."""
    return f"gamedsl play --resume {shlex.quote(path)}"


def free_name(game: str) -> str:
    """An unused file name such as ``gamedsl-connect-20261120-214500.record``, with a number if that is taken."""
    stem = re.sub(r"[^A-Za-z0-9_-]+", "-", Path(game).stem).strip("-") or "play"
    base = f"gamedsl-{stem}-{datetime.now():%Y%m%d-%H%M%S}"
    path, number = f"{base}.record", 1
    while Path(path).exists():
        number += 1
        path = f"{base}-{number}.record"
    return path
