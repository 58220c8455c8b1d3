"""The names of uploaded rules and of their tables."""

from __future__ import annotations

import re
import secrets

ID_SIZE, TABLE_SIZE = 8, 20  # letters of an upload's number, and of the name of one of its tables
_NAME = re.compile(rf"upload-[A-Za-z0-9_-]{{{ID_SIZE}}}")
_TABLE = re.compile(rf"[A-Za-z0-9_-]{{{TABLE_SIZE}}}")


def new_upload() -> str:
    """A name for uploaded rules that nobody can guess: 48 bits. It is the name of the game, too."""
    return f"upload-{secrets.token_urlsafe(6)}"


def is_upload(name: str) -> bool:
    return _NAME.fullmatch(name) is not None


def prefix_of(upload: str) -> str:
    """The prefix of the names of an upload's tables."""
    return upload[-ID_SIZE:]


def upload_of(table: str) -> str:
    """The upload that a table belongs to; empty for any other name."""
    return f"upload-{table[:ID_SIZE]}" if _TABLE.fullmatch(table) else ""
