"""Converts the traces of moves on the sheet to marks, lines and texts that can be drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.picture.part_ends import last_board
from gamedsl.picture.picture import CLEAN, Scar, Scars, Trail

if TYPE_CHECKING:
    from gamedsl.engine import Sheet, State


def scars_of(sheet: Sheet, state: State) -> Scars:
    """What lies on the sheet of the board that is being played on, ready to be drawn."""
    marks: list[Scar] = []
    trails: list[Trail] = []
    bubbles: list[str] = []
    end = last_board(state)
    part, lying = (state.part, sheet.left) if end is None else (end.part, sheet.closed)
    for left in (x for x in lying if x.part == part):
        if left.is_path:
            trails.append(Trail(tuple(i for _, i in left.on), left.ply == sheet.plies, left.mover))
        elif left.on:
            for domain in dict.fromkeys(d.name for d, _ in left.on):
                marks.append(Scar(left.text, domain, tuple(i for d, i in left.on if d.name == domain)))
        elif left.text:
            bubbles.append(left.text)
    may_redraw = sheet.may_redraw and not state.is_terminal  # nobody draws on after the end
    if not (marks or trails or bubbles or may_redraw or sheet.ended):
        return CLEAN
    return Scars(tuple(marks), tuple(trails), tuple(dict.fromkeys(bubbles)), may_redraw, sheet.ended)
