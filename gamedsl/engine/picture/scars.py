"""Converts the traces of moves on the sheet to marks, lines and texts that can be drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.engine.picture.part_ends import last_board
from gamedsl.engine.picture.picture import CLEAN, Enlarged, Glyph, Scar, Scars, Trail

if TYPE_CHECKING:
    from gamedsl.engine import Sheet, State


def scars_of(sheet: Sheet, state: State) -> Scars:
    """What lies on the sheet of the board that is being played on, ready to be drawn."""
    marks: list[Scar] = []
    trails: list[Trail] = []
    bubbles: list[str] = []
    enlarged: list[Enlarged] = []
    end = last_board(state)
    part, lying = (state.part, sheet.left) if end is None else (end.part, sheet.closed)
    for left in (x for x in lying if x.part == part):
        if left.is_path:
            trails.append(Trail(tuple(i for _, i in left.on), left.ply == sheet.plies, left.mover))
        elif left.sign is not None:
            sign = left.sign
            glyph = Glyph(sign.text, sign.colour, True, None, sign.piece, sign.owner, sign.shape)
            enlarged.append(Enlarged(tuple((domain.name, i) for domain, i in left.on), glyph, left.called))
        elif left.on:
            for domain in dict.fromkeys(d.name for d, _ in left.on):
                marks.append(Scar(left.text, domain, tuple(i for d, i in left.on if d.name == domain)))
        elif left.text:
            bubbles.append(left.text)
    may_redraw = sheet.may_redraw and not state.is_terminal  # nobody draws on after the end
    bubbles += sheet.said
    if not (marks or trails or bubbles or enlarged or may_redraw or sheet.ended or sheet.gains):
        return CLEAN
    said = tuple(dict.fromkeys(bubbles))
    return Scars(tuple(marks), tuple(trails), said, may_redraw, sheet.ended, tuple(enlarged), sheet.gains)
