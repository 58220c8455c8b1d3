"""Opening files that others may have put there: never waiting for a pipe, never more than a bound."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import BinaryIO


def open_regular(path: str | Path, *, follow_links: bool = True) -> BinaryIO:
    """A regular file, opened for reading. What was opened is what was looked at, whatever happens to the path meanwhile.

    Raises ``OSError``, also for a folder, a pipe or a device, and ``ValueError`` for a path with a null character.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    handle = os.open(path, flags | (0 if follow_links else getattr(os, "O_NOFOLLOW", 0)))
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError("it is not a regular file")
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_bounded(path: str | Path, most: int) -> bytes | None:
    """The contents of a regular file; None when there are more than ``most`` bytes. Raises as ``open_regular``."""
    with open_regular(path) as file:
        data = file.read(most + 1)
    return data if len(data) <= most else None


def reason(error: Exception) -> str:
    """Why a file can't be read or written, in words."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__
