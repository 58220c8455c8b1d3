"""The traces of moves on the sheet -> marks, lines and texts that can be drawn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from gamedsl.engine.picture.part_ends import last_board, newest_end
from gamedsl.engine.picture.picture import CLEAN, Enlarged, Glyph, Scar, Scars, Trail

if TYPE_CHECKING:
    from gamedsl.engine import PaperMark, Sheet, State


def scars_of(sheet: Sheet, state: State) -> Scars:
    """The traces on the sheet of the current board, ready to be drawn; at the end of the game, those on the sheets of
    the parts that have ended as well."""
    end = last_board(state)
    closed = [_drawn(marks, one.part, sheet.plies) for one, marks in sheet.closed_parts]
    if end is None:
        here = _drawn(sheet.left, state.part, sheet.plies)
    else:
        at = newest_end(sheet.ended, end.part)
        here = CLEAN if at is None else closed[at]
    may_redraw = sheet.may_redraw and not state.is_terminal  # nobody redraws after the end
    bubbles = tuple(dict.fromkeys((*here.bubbles, *sheet.said)))
    if not (here != CLEAN or bubbles or may_redraw or sheet.ended or sheet.gains or sheet.taken):
        return CLEAN
    past = tuple(closed) if state.is_terminal else ()
    return replace(
        here, bubbles=bubbles, redraw=may_redraw, ended=sheet.ended, gains=sheet.gains, past=past, taken=sheet.taken
    )


def _drawn(lying: Iterable[PaperMark], part: int, plies: int) -> Scars:
    """The traces on the sheet of a part. ``plies``: the number of plies so far; the lines of the last one are
    marked."""
    marks: list[Scar] = []
    trails: list[Trail] = []
    bubbles: list[str] = []
    enlarged: list[Enlarged] = []
    for left in (x for x in lying if x.part == part):
        if left.is_path:
            trails.append(Trail(tuple(i for _, i in left.on), left.ply == plies, left.mover))
        elif left.sign is not None:
            sign = left.sign
            glyph = Glyph(sign.text, sign.colour, True, None, sign.piece, sign.owner, sign.shape)
            enlarged.append(Enlarged(tuple((domain.name, i) for domain, i in left.on), glyph, left.called))
        elif left.on:
            for domain in dict.fromkeys(d.name for d, _ in left.on):
                marks.append(Scar(left.text, domain, tuple(i for d, i in left.on if d.name == domain)))
        elif left.text:
            bubbles.append(left.text)
    return Scars(tuple(marks), tuple(trails), tuple(dict.fromkeys(bubbles)), enlarged=tuple(enlarged))
