"""A lock on a file, held by the process that works on it. The system releases it when the process ends, however it ends.

The locks are files in the user's data folder, named after the files that they protect. They are not removed after use:
if one were removed while another process is about to take it, two could hold it."""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from gamedsl.language.source import UsageError
from gamedsl.play.terminal.saving.data_folder import data_folder

if TYPE_CHECKING:
    from filelock import BaseFileLock


def locks_folder() -> Path:
    return data_folder() / "locks"


def _path_of_lock(path: Path) -> Path:
    return locks_folder() / f"{sha256(os.fsencode(path.resolve())).hexdigest()[:32]}.lock"


def _acquire(path: Path) -> BaseFileLock:
    """Takes the lock on a file. Raises ``filelock.Timeout`` if another process holds it, OSError if there can be
    none."""
    from filelock import FileLock  # start-up: only where something is saved

    place = _path_of_lock(path)
    place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    lock = FileLock(place, timeout=0, mode=0o600, thread_local=False)
    lock.acquire()
    with suppress(OSError):
        os.utime(place)  # `prune` removes locks that nobody has taken for long
    return lock


def is_locked(path: Path) -> bool:
    """Whether anybody holds the lock on a file."""
    from filelock import Timeout  # start-up: see above

    if not _path_of_lock(path).exists():
        return False
    try:
        _acquire(path).release()
    except Timeout:
        return True
    except OSError:
        pass
    return False


def hold(path: Path) -> BaseFileLock | None:
    """Takes the lock on the file of a game; None if there can be none (a device, a read-only data folder). Raises
    UsageError if the game is being played in another window."""
    from filelock import Timeout  # start-up: see above

    if path.exists() and not path.is_file():
        return None
    try:
        return _acquire(path)
    except Timeout:
        raise UsageError(
            f"the game in `{path}` is being played in another window", help="continue there, or use a copy of the file"
        ) from None
    except (OSError, NotImplementedError):
        return None
