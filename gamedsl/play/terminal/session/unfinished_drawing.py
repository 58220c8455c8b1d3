"""The strokes of an unfinished drawing, kept as the last comment of a record."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gamedsl.language.source import GameDSLError

if TYPE_CHECKING:
    from gamedsl.engine import Record
    from gamedsl.language.boards.drawing import Stroke

HEAD = "strokes: "  # the beginning of the comment


def strokes_text(strokes: tuple[Stroke, ...]) -> str:
    """The strokes as they can be typed: ``figure 0,0 90,0; upper ...``."""
    from gamedsl.language.boards.drawing import format_points  # start-up: the list of kept games needs no geometry

    return "; ".join(f"{name} {format_points(points)}" for name, points in strokes)


def with_strokes(record: Record, strokes: tuple[Stroke, ...]) -> Record:
    """The record with the strokes at its end."""
    return record.plus_comment(HEAD + strokes_text(strokes)) if strokes else record


def without_strokes(record: Record) -> Record:
    """The record of the plies alone."""
    return replace(record, entries=record.entries[:-1]) if strokes_of(record) else record


def strokes_of(record: Record) -> tuple[Stroke, ...]:
    """The strokes at the end of a record; empty if there are none or they cannot be read."""
    last = record.entries[-1] if record.entries else None
    if last is None or last.kind != "comment" or not last.text.startswith(HEAD):
        return ()
    from gamedsl.language.boards.drawing import parse_points  # start-up, as above

    pieces = [piece.strip().partition(" ") for piece in last.text.removeprefix(HEAD).split(";")]
    try:
        return tuple((name, parse_points(points)) for name, _, points in pieces)
    except GameDSLError:
        return ()
