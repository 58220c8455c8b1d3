"""A board of hexagons (or any cells in rows) -> characters: one line per row, shifted like the cells."""

from __future__ import annotations

import re

from gamedsl.engine.picture import Picture, Place, outside
from gamedsl.language.source import lazy_dataclass
from gamedsl.play.terminal.render.canvas import Canvas, Ink, Line, line
from gamedsl.play.terminal.render.mark_glyphs import bracket, brackets, ground_of, ink_of, longest, marks_text
from gamedsl.play.terminal.render.rendered_board import Box, RenderedBoard, highlight
from gamedsl.play.terminal.render.viewport import Viewport, clean

_DIM = Ink(dim=True)
_LETTERS = re.compile(r"([a-z]+)(\d+)$")


@lazy_dataclass()
class Hexes:
    """The measures of one drawing. ``where``: the cells that are drawn, by column (with halves) and row."""

    picture: Picture
    viewport: Viewport
    names: tuple[str, ...]
    where: dict[int, tuple[float, float]]
    wide: int
    pitch: int
    gap: int
    left: int
    top: int

    def box(self, x: float, y: float) -> Box:
        return Box(self.left + round(x * self.pitch), self.top + round(y) * self.gap, self.wide)


def render_hexagons(picture: Picture, viewport: Viewport) -> RenderedBoard:
    """The drawing. Rows have the names of their first and last cell, columns their letters; strokes are listed
    below."""
    if picture.board is None:
        return RenderedBoard([])
    hexes = _measure(picture, viewport)
    canvas = Canvas()
    at: dict[Place, Box] = {("cell", i): hexes.box(x, y) for i, (x, y) in hexes.where.items()}
    for (_, index), box in at.items():
        _cell(canvas, picture, viewport, index, box)
    outer = _borders(hexes, canvas)
    _names(hexes, canvas, outer)
    highlight(canvas, at, picture, viewport)
    return RenderedBoard(canvas.lines() + strokes_as_text(picture, viewport), at)


def _measure(picture: Picture, viewport: Viewport) -> Hexes:
    board = picture.board
    assert board is not None
    cells = board.domains["cell"]
    texts = [marks_text(picture.spot("cell", i), viewport.ascii) for i in range(cells.size)]
    drawn = [i for i in range(cells.size) if not texts[i].isspace()]  # a mark of spaces removes a cell from the board
    at = {i: board.position("cell", i) for i in drawn}
    low = min((x for x, _ in at.values()), default=0.0)
    heights = sorted({round(y, 3) for _, y in at.values()})
    where = {i: (x - low, float(heights.index(round(y, 3)))) for i, (x, y) in at.items()}
    wide = max(1 if viewport.size == 2 else 3, longest(texts))
    pitch = wide + 1 + (wide + 1) % 2  # even, so that half a cell is a whole number of characters
    left = longest(list(cells.names)) + 2 + (pitch if picture.borders else 0)
    return Hexes(
        picture, viewport, cells.names, where, wide, pitch, 2 if viewport.size == 0 else 1, left, _above(picture)
    )


def _above(picture: Picture) -> int:
    return 2 if picture.borders else 1


def _cell(canvas: Canvas, picture: Picture, viewport: Viewport, index: int, box: Box) -> None:
    spot = picture.spot("cell", index)
    text = marks_text(spot, viewport.ascii) or ("." if viewport.ascii else "·")
    canvas.put(box.x, box.y, " " * box.columns)
    canvas.centre(*box, text, ink_of(spot.glyphs) if spot.glyphs else _DIM)
    pair = brackets(picture, spot, viewport)
    if pair is not None:
        bracket(canvas, pair, *box, text)
    ground = ground_of(picture, spot, viewport)
    if ground is not None:
        canvas.tinge(*box, ground)


def _borders(hexes: Hexes, canvas: Canvas) -> dict[int, tuple[int, int]]:
    """Marks the owners of the sides in the places around the board. Returns the first and last character taken, by
    line."""
    spans: dict[int, tuple[int, int]] = {}
    gap = hexes.gap
    for border in hexes.picture.borders:
        text, ink = clean(border.text, hexes.viewport.ascii), Ink(colour=border.colour, bold=True)
        for cell, (dx, dy) in outside(border, hexes.where, "hex"):
            x, y = hexes.where[cell]
            box = hexes.box(x + dx, y)._replace(y=hexes.top + round(y) * gap + round(dy))
            canvas.centre(*box, text, ink)
            low, high = spans.get(box.y, (box.x, box.x))
            spans[box.y] = min(low, box.x), max(high, box.x + box.columns - 1)
    return spans


def _names(hexes: Hexes, canvas: Canvas, outer: dict[int, tuple[int, int]]) -> None:
    """Writes the names of the first and last cell of every row, and the letters of the columns above the first row."""
    rows: dict[float, list[int]] = {}
    for i, (_, y) in hexes.where.items():
        rows.setdefault(y, []).append(i)
    for inside in rows.values():
        first, last = (choose(inside, key=lambda i: hexes.where[i][0]) for choose in (min, max))
        box, end = hexes.box(*hexes.where[first]), hexes.box(*hexes.where[last])
        low, high = outer.get(box.y, (box.x, end.x + end.columns - 1))
        low, high = min(low, box.x), max(high, end.x + end.columns - 1)
        canvas.put(low - len(hexes.names[first]) - 1, box.y, hexes.names[first], _DIM)
        canvas.put(high + 2, box.y, hexes.names[last], _DIM)
    for i in rows.get(0.0, ()):
        found = _LETTERS.match(hexes.names[i])
        if found:
            x, y = hexes.where[i]
            box = hexes.box(x - hexes.top / 2, y)
            canvas.centre(box.x, 0, box.columns, found[1], _DIM)


def strokes_as_text(picture: Picture, viewport: Viewport) -> list[Line]:
    """The marks on edges and the lines drawn over cells, in words, for boards on which they cannot be drawn."""
    board = picture.board
    assert board is not None
    texts: list[str] = []
    for (domain, index), spot in sorted(picture.spots.items(), key=lambda item: item[0]):
        if domain == "edge" and (spot.glyphs or spot.stroke):
            what = " ".join(w for w in (spot.stroke, marks_text(spot, viewport.ascii)) if w)
            texts.append(f"{board.domains['edge'].names[index]}: {what}")
    names = board.domains[board.place].names
    texts += ["line " + " - ".join(names[i] for i in trail.cells) for trail in picture.trails]
    return [line(clean(text, viewport.ascii)) for text in texts]
