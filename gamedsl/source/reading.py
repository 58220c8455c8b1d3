"""Reading a file that a user names: never a wait for a pipe, never an endless device, never more than is asked for."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

_STREAMS = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")  # a pipe that the caller has opened already


def read_file(path: str | Path, most: int, *, streams: bool = False) -> bytes:
    """The bytes of a regular file. ``streams``: or of standard input, or of another pipe that the caller gave.

    Raises ``OSError``, with a sentence in ``strerror``, for everything else: a folder, a pipe, a device, more than
    ``most`` bytes, a path that no file can have.
    """
    try:
        with open(path, "rb", opener=_open_at_once) as file:
            mode = os.fstat(file.fileno()).st_mode
            if streams and str(path).startswith(_STREAMS):
                os.set_blocking(file.fileno(), True)
            elif not stat.S_ISREG(mode):
                raise OSError(errno.EINVAL, f"it is {_KINDS.get(stat.S_IFMT(mode), 'a device')}, not a file")
            data = file.read(most + 1)
    except ValueError:
        raise OSError(errno.EINVAL, "no file can have this name") from None
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it is too large (more than {most} bytes)")
    return data


def _open_at_once(path: str, flags: int) -> int:
    """Opening a pipe waits for somebody to write to it; this doesn't."""
    return os.open(path, flags | os.O_NONBLOCK)


def is_regular(path: Path) -> bool:
    """Whether there is a regular file; no for paths that no file can have."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Whether there is a folder; no for paths that no file can have."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def exists(path: Path) -> bool:
    """Whether there is anything; no for paths that no file can have."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def resolved(path: Path) -> Path | None:
    """The path without links and ``..``; None when no file can have it (too long, a null character, a ring of links)."""
    try:
        return path.resolve()
    except (OSError, ValueError, RuntimeError):
        return None


_KINDS = {stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
