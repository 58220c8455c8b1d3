"""Compiled code kept on disk: found again by the rules, the compiler and the processor; what is damaged is not loaded.

A file: one line of JSON (format, key, digest of the rest, places of errors), then the machine code. The folder is
``$GAMEDSL_CACHE``, else ``gamedsl`` in the user's cache folder; ``GAMEDSL_CACHE=off`` keeps nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from functools import cache
from pathlib import Path
from typing import TypeAlias

from gamedsl.native import machine

FORMAT = "gamedsl code 2"
PlaceText: TypeAlias = tuple[str, int, int, str]  # path of the source, first and last position, message


def folder() -> Path | None:
    """Where code is kept; None: nowhere."""
    named = os.environ.get("GAMEDSL_CACHE", "")
    if named == "off":
        return None
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "gamedsl"


@cache
def _compiler() -> str:
    """A digest of the room that writes the code."""
    total = hashlib.sha256()
    for file in sorted(Path(__file__).parent.rglob("*.py")):
        total.update(file.read_bytes())
    return total.hexdigest()


def key_of(core: str) -> str:
    """What code is found by: the printed Core, the compiler, the processor."""
    return hashlib.sha256("\0".join((FORMAT, core, _compiler(), machine.description())).encode()).hexdigest()


def load(key: str) -> tuple[bytes, list[PlaceText]] | None:
    """The code kept under a key, if it is there, whole, and this user's own."""
    where = folder()
    if where is None:
        return None
    path = where / f"{key}.code"
    try:
        if hasattr(os, "getuid") and path.stat().st_uid != os.getuid():
            return None
        head, _, code = path.read_bytes().partition(b"\n")
        data = json.loads(head)
        if data["format"] != FORMAT or data["key"] != key or data["sha256"] != hashlib.sha256(code).hexdigest():
            return None
        return code, [(str(p), int(a), int(b), str(m)) for p, a, b, m in data["places"]]
    except (OSError, ValueError, KeyError, TypeError):
        return None


def save(key: str, code: bytes, places: list[PlaceText]) -> None:
    """Keeps code; a folder that can't be written to is no error."""
    where = folder()
    if where is None:
        return
    head = {"format": FORMAT, "key": key, "sha256": hashlib.sha256(code).hexdigest(), "places": places}
    try:
        where.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle, name = tempfile.mkstemp(dir=where, prefix=".new-")
        with os.fdopen(handle, "wb") as file:
            file.write(json.dumps(head).encode() + b"\n" + code)
        os.replace(name, where / f"{key}.code")
    except OSError:
        return
