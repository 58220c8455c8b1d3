"""Reads a file that a user names: never blocks on a pipe, reads an endless device, or exceeds the size limit."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

from gamedsl.language.source.piped_file import input_named

_STREAMS = ("/dev/stdin", "/dev/fd/", "/proc/self/fd/")  # a pipe that the caller has already opened


def read_file(path: str | Path, most: int, *, streams: bool = False) -> bytes:
    """Returns the bytes of a regular file. ``streams``: also accepts standard input or another pipe from the caller.

    Raises ``OSError``, with a sentence in ``strerror``, for everything else: a folder, a pipe, a device, more
    than ``most`` bytes, an impossible path.
    """
    data = input_named(path)
    if data is None:
        with open_file(path, streams=streams) as file:
            data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it is too large (more than {most} bytes)")
    return data


def open_file(path: str | Path, *, streams: bool = False, follow_links: bool = True) -> BinaryIO:
    """Opens a regular file for reading. The checks apply to the opened file, so a later change of the path cannot
    defeat them. ``streams`` and errors as in ``read_file``.
    """
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


def holds(path: Path, data: bytes) -> bool:
    """Returns whether a regular file consists of these bytes. Raises ``OSError`` as ``open_file`` does."""
    with open_file(path) as file:
        return file.read(len(data) + 1) == data


def reason(error: Exception) -> str:
    """Explains in words why a file or stream cannot be read or written."""
    if getattr(error, "errno", None) == errno.EBADF:
        return "it is closed"
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def is_regular(path: Path) -> bool:
    """Returns whether the path is a regular file or standard input by name; False for an impossible path."""
    if input_named(path) is not None:
        return True
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Returns whether the path is a folder; False for an impossible path."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def exists(path: Path) -> bool:
    """Returns whether the path exists; False for an impossible path."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def resolved(path: Path) -> Path | None:
    """Resolves links and ``..``. Returns None for an impossible path (too long, a null character, a link cycle)."""
    try:
        return path.resolve()
    except (OSError, ValueError, RuntimeError):
        return None


class Resolver:
    """Resolves paths like ``resolved`` during one check, and asks the system about every folder once."""

    def __init__(self) -> None:
        self._folders: dict[Path, Path | None] = {}

    def resolved(self, path: Path) -> Path | None:
        if path.parent not in self._folders:
            self._folders[path.parent] = resolved(path.parent)
        folder = self._folders[path.parent]
        if folder is None or path.name in ("", "..") or _is_link(path):
            return resolved(path)
        return folder / path.name


def _is_link(path: Path) -> bool:
    """Returns whether a path is a link, or cannot be asked about."""
    try:
        return stat.S_ISLNK(os.lstat(path).st_mode)
    except FileNotFoundError:
        return False
    except (OSError, ValueError):
        return True


_KINDS = {stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket"}
