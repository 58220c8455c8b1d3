"""The paper of a whole game."""

from __future__ import annotations

from collections.abc import Iterable

from gamedsl import Move, State
from gamedsl.engine.information.paper import Sheet


def sheet_of(steps: Iterable[tuple[State, Move | None]]) -> Sheet:
    """The paper after a game without redraws, given its states, each with the move that led to it."""
    sheet = Sheet()
    before: State | None = None
    for state, move in steps:
        if before is not None and move is not None:
            sheet = sheet.after(before, move, state)
        before = state
    return sheet
