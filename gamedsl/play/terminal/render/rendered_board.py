"""A rendered board: its lines, the position of every place on them, and the part that fits a smaller page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import NamedTuple

from gamedsl.engine.picture import Picture, Place
from gamedsl.language.source import lazy_dataclass
from gamedsl.play.terminal.render.canvas import Canvas, Ink, Line, cut, line, padded, widest
from gamedsl.play.terminal.render.raster import Frame
from gamedsl.play.terminal.render.viewport import Viewport

_PAIRS = {"cursor": (">", "<"), "chosen": ("=", "="), "lit": ("‹", "›")}
_GROUNDS = {"chosen": "yellow", "lit": "green"}


class Box(NamedTuple):
    """A run of characters in one line."""

    x: int
    y: int
    columns: int

    @property
    def middle(self) -> tuple[float, float]:
        """The center, in units of a character's width (a character is about twice as high as it is wide)."""
        return self.x + (self.columns - 1) / 2, self.y * 2.0


@lazy_dataclass(frozen=True)
class RenderedBoard:
    """``at``: the boxes of places; ``whole``: their boxes if the whole board were shown. The first ``left`` columns
    and ``top`` lines hold names and stay when the rest scrolls."""

    lines: list[Line]
    at: Mapping[Place, Box] = field(default_factory=dict)
    left: int = 0
    top: int = 0
    whole: Mapping[Place, Box] = field(default_factory=dict)
    page: Frame | None = None  # the frame of a sheet for drawing

    @property
    def all_places(self) -> Mapping[Place, Box]:
        """The places of the whole board, with their relative positions."""
        return self.whole or self.at

    def place_at(self, x: int, y: int) -> Place | None:
        """The place that is drawn at a character; the smallest one, if there are several."""
        found = [(box.columns, p) for p, box in self.at.items() if box.y == y and box.x <= x < box.x + box.columns]
        return min(found)[1] if found else None


def highlight(canvas: Canvas, at: Mapping[Place, Box], picture: Picture, viewport: Viewport) -> None:
    """Marks the places that matter to the person who is choosing: the cursor, the chosen places, and the possible next
    ones."""
    for place, box in at.items():
        hint = picture.spot(*place).hint
        if not hint:
            continue
        text = "".join(canvas.at(x, box.y) for x in range(box.x, box.x + box.columns))
        empty = not text.strip(" ·.─│┼-|+")
        if empty and hint == "lit":
            canvas.put(box.x + (box.columns - 1) // 2, box.y, "*" if viewport.ascii else "•", Ink(bold=True))
        pair = ("(", ")") if viewport.ascii and hint == "lit" else _PAIRS[hint]
        if box.columns >= 3 and text[:1] in " [(<{/" and (hint == "cursor" or not viewport.colour):
            canvas.put(box.x, box.y, pair[0])
            canvas.put(box.x + box.columns - 1, box.y, pair[1])
        ground = _GROUNDS.get(hint) if viewport.colour else None
        canvas.tinge(box.x, box.y, box.columns, Ink(ground=ground, reverse=hint == "cursor" or ground is None))


def focus_of(rendered: RenderedBoard, picture: Picture) -> Box | None:
    """The focus of attention: the cursor, else the places that the last move touched."""
    known = [(picture.spot(*place), box) for place, box in rendered.at.items()]
    for found in (
        [box for spot, box in known if spot.hint == "cursor"],
        [box for spot, box in known if spot.hint == "chosen"],
        [box for spot, box in known if spot.last],
    ):
        if found:
            return found[-1]
    return None


def window(rendered: RenderedBoard, columns: int, rows: int, focus: Box | None, ascii: bool = False) -> RenderedBoard:
    """The part of a board around a place that fits on a page, with arrows towards the rest."""
    wide, high = widest(rendered.lines), len(rendered.lines)
    if wide <= columns and high <= rows:
        return rendered
    rows = max(rows - 1, rendered.top + 1)  # one for the note
    x, columns = _span(wide, columns, rendered.left, None if focus is None else focus.x + focus.columns // 2)
    y, rows = _span(high, rows, rendered.top, None if focus is None else focus.y)
    ahead = (x > rendered.left, x + columns - rendered.left < wide, y > rendered.top, y + rows - rendered.top < high)
    arrows = " ".join(sign for sign, more in zip("<>^v" if ascii else "◀▶▲▼", ahead, strict=True) if more)
    shown = [*rendered.lines[: rendered.top], *rendered.lines[y : y + rows - rendered.top]]
    lines = [
        (*padded(cut(of, 0, rendered.left), rendered.left), *cut(of, x, x + columns - rendered.left)) for of in shown
    ]
    at = {
        place: Box(box.x - x + rendered.left, box.y - y + rendered.top, box.columns)
        for place, box in rendered.at.items()
        if x <= box.x and box.x + box.columns <= x + columns - rendered.left and y <= box.y < y + rows - rendered.top
    }
    return RenderedBoard([*lines, line(f"more: {arrows}", Ink(dim=True))], at, rendered.left, rendered.top, rendered.at)


def _span(whole: int, room: int, fixed: int, middle: int | None) -> tuple[int, int]:
    """The start of the part that is shown after the fixed beginning, and the length shown in all."""
    if whole <= room:
        return fixed, whole
    free = room - fixed
    start = fixed if middle is None else middle - free // 2
    return max(fixed, min(start, whole - free)), room
