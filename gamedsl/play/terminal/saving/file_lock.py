"""A lock beside a file, held by the process that works on it. The system releases it when the process ends, however it
ends."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from gamedsl.language.source import UsageError

try:
    import fcntl
except ImportError:  # a system without such locks: everybody may work on everything
    fcntl = None  # type: ignore[assignment]


def _beside(path: Path) -> Path:
    real = path.resolve()
    return real.with_name(f"{real.name}.lock")


class Lock:
    """The lock on a file, once ``acquire`` has said yes."""

    def __init__(self, path: Path) -> None:
        self.path = _beside(path)
        self._handle: int | None = None

    def acquire(self) -> bool:
        """Acquires the lock. Returns False if another process has it. OSError if the folder can't be written to."""
        if fcntl is None:
            return True
        while True:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.path.samestat(os.fstat(handle), os.stat(self.path)):
                    self._handle = handle
                    return True
            except BlockingIOError:
                os.close(handle)
                return False
            except FileNotFoundError:  # its owner has just removed it
                pass
            os.close(handle)

    def release(self) -> None:
        """Releases the lock."""
        if self._handle is not None:
            with suppress(OSError):
                self.path.unlink()
            os.close(self._handle)
            self._handle = None


def is_locked(path: Path) -> bool:
    """Whether anybody holds the lock on a file."""
    if fcntl is None or not _beside(path).exists():
        return False
    lock = Lock(path)
    try:
        free = lock.acquire()
    except OSError:
        return False
    lock.release()
    return not free


def hold(path: Path) -> Lock | None:
    """The lock on the file of a play, taken; None where there can be none (a device, a folder that can't be written to).
    UsageError when the play is being played in another window."""
    if path.exists() and not path.is_file():
        return None
    lock = Lock(path)
    with suppress(OSError):
        if lock.acquire():
            return lock
        raise UsageError(
            f"the play in `{path}` is being played in another window", help="continue there, or use a copy of the file"
        )
    return None
