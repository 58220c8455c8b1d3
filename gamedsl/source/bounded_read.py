"""Reads a file that a user names. Never blocks on a pipe, reads an endless device, or reads more than asked for."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

_STREAMS = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")  # a pipe that the caller has opened already


def read_file(path: str | Path, most: int, *, streams: bool = False) -> bytes:
    """The bytes of a regular file. ``streams``: or of standard input, or of another pipe that the caller gave.

    Raises ``OSError``, with a sentence in ``strerror``, for everything else: a folder, a pipe, a device, more than
    ``most`` bytes, a path that no file can have.
    """
    with open_file(path, streams=streams) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it is too large (more than {most} bytes)")
    return data


def open_file(path: str | Path, *, streams: bool = False, follow_links: bool = True) -> BinaryIO:
    """A regular file opened for reading: what was opened is what was looked at, whatever happens to the path meanwhile.
    ``streams`` and errors as for ``read_file``."""
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | (0 if follow_links else getattr(os, "O_NOFOLLOW", 0))
    try:
        file = open(path, "rb", opener=lambda name, more: os.open(name, more | flags))  # noqa: SIM115
    except ValueError:
        raise OSError(errno.EINVAL, "no file can have this name") from None
    mode = os.fstat(file.fileno()).st_mode
    if streams and str(path).startswith(_STREAMS):
        os.set_blocking(file.fileno(), True)
    elif not stat.S_ISREG(mode):
        file.close()
        raise OSError(errno.EINVAL, f"it is {_KINDS.get(stat.S_IFMT(mode), 'a device')}, not a file")
    return file


def reason(error: Exception) -> str:
    """Why a file or a stream can't be read or written, in words."""
    if getattr(error, "errno", None) == errno.EBADF:
        return "it is closed"
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


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
