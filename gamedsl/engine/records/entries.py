"""Entries of a record: plies, comments, redraws, refused attempts."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from gamedsl.language.source import NOWHERE, Diagnostic, GameDSLError, Span, lazy_dataclass

FIRST_LINE = "gamedsl record 1"
HIDDEN = "?"
NOBODY = "chance"

EntryKind = Literal["ply", "comment", "redraw", "refused"]


@lazy_dataclass(frozen=True)
class Entry:
    """One line of a record: a ply, a comment, a redraw, or an attempt that was refused. ``who``: the player's name or
    "chance"; ``line``: its line in the file it was read from (0: it was not read)."""

    kind: EntryKind
    text: str = ""
    who: str = ""
    line: int = field(default=0, compare=False)


def record_error(code: str, message: str, span: Span | None, *, help: str = "") -> GameDSLError:
    """A mistake in a record, at its place in the file."""
    return GameDSLError(Diagnostic(code, message, span or NOWHERE, help=help))
