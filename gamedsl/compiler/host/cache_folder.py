"""The folder of the code cache. Code in it is executed as it is, so the folder must be private to the user.

The folder is ``$GAMEDSL_CACHE``, else ``gamedsl`` in the user's cache folder; ``GAMEDSL_CACHE=off`` caches nothing. It
is used only if nobody except the user (and root) can change it or any folder above it. Then every file in it is the
user's own.
"""

from __future__ import annotations

import logging
import os
import stat
from functools import cache
from pathlib import Path

OURS_ONLY = stat.S_IRWXG | stat.S_IRWXO
WRITABLE = stat.S_IWGRP | stat.S_IWOTH
OWNED = hasattr(os, "getuid")  # elsewhere the system keeps a user's cache folder private


def folder() -> Path | None:
    """The folder of the cache, or None if nothing is to be cached."""
    named = os.environ.get("GAMEDSL_CACHE", "")
    if named == "off":
        return None
    if named:
        return Path(named)
    from platformdirs import user_cache_path  # start-up: needed only to compile

    found = user_cache_path("gamedsl", appauthor=False)
    return found if found.is_absolute() else None  # it is relative if the home folder is unknown


def private_folder() -> Path | None:
    """The folder without links in its path, created if needed. Returns None if there is none or it is not private."""
    where = folder()
    if where is None:
        return None
    try:
        where.mkdir(parents=True, exist_ok=True, mode=0o700)
        real = where.resolve(strict=True)
        wrong = _not_private(real) if OWNED else ""
    except (OSError, ValueError, RuntimeError) as error:
        wrong = getattr(error, "strerror", None) or str(error)
    if wrong:
        _note(f"compiled code is not kept in {where}: {wrong}")
        return None
    return real


def _not_private(path: Path) -> str:
    """A note that says who else can change the folder, with the cure; empty if nobody can."""
    for above in path.parents:
        status = above.stat()
        if status.st_uid not in (os.getuid(), 0):
            return f"{above} belongs to another user"
        if status.st_mode & WRITABLE and not status.st_mode & stat.S_ISVTX:
            return f"others can change {above} (`chmod go-w {above}`)"
    status = path.lstat()
    if not stat.S_ISDIR(status.st_mode):
        return "it is not a folder"
    if status.st_uid != os.getuid():
        return "it belongs to another user"
    return f"it is not private (`chmod 700 {path}`)" if status.st_mode & OURS_ONLY else ""


@cache
def _note(text: str) -> None:
    """Logs the note once. Everything works without the folder."""
    logging.getLogger("gamedsl").warning("note: %s", text)
