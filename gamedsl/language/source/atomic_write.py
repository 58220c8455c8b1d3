"""Writes a file completely or not at all, even if the program is killed or the disk fills up."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from gamedsl.language.source.bounded_read import holds


def write_file(path: Path, text: str, *, devices: bool = False, check: Callable[[], object] = lambda: None) -> None:
    """Writes a string to a file atomically, in UTF-8; see ``replace_file``. ``devices``: an existing device or pipe is
    written directly.

    Raises ``OSError`` as ``replace_file`` does, also for text with an unpaired surrogate.
    """
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:  # half of a surrogate pair
        raise OSError(errno.EILSEQ, "the text contains characters that no file can hold") from None
    try:
        if devices and path.exists() and not path.is_file() and not path.is_dir():
            path.write_bytes(data)
            return
    except ValueError:
        raise OSError(errno.EINVAL, "no file can have this name") from None
    replace_file(path, lambda file: file.write(data), check)


def replace_file(path: Path, write: Callable[[BinaryIO], object], check: Callable[[], object] = lambda: None) -> None:
    """Has ``write`` fill a new file beside the old one, flushes it to disk, and renames it over the old one. A link
    stays a link; a file keeps its permissions. ``check`` is called last before the renaming.

    Raises ``OSError``, with a sentence in ``strerror``, if that fails, and what ``write`` and ``check`` raise; the old
    file is then unchanged.
    """
    try:
        target = Path(os.path.realpath(path))
        mode = target.stat().st_mode & 0o777 if target.exists() else None
        if mode is not None and not target.is_file():
            raise OSError(errno.EINVAL, "it is not a regular file")
        import secrets  # start-up: few commands write

        beside = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}.new")
    except ValueError:
        raise OSError(errno.EINVAL, "no file can have this name") from None
    try:
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as file:
            if mode is not None:
                os.chmod(beside, mode)
            write(file)
            file.flush()
            os.fsync(file.fileno())
        check()
        os.replace(beside, target)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def unchanged(path: Path, data: bytes) -> Callable[[], None]:
    """Returns a ``check`` for ``write_file``: the file still holds what was read from it. It raises ``OSError`` otherwise."""

    def check() -> None:
        if not holds(path, data):
            raise OSError(errno.EBUSY, "another program has changed it in the meantime")

    return check
