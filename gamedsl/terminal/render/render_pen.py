"""A sheet on which somebody is drawing -> characters: what is there, the points that are set, the pen, and axes."""

from __future__ import annotations

from dataclasses import replace

from gamedsl.terminal.picture.picture import SHEET, Picture
from gamedsl.terminal.render.canvas import Canvas, Ink
from gamedsl.terminal.render.plot import Plot
from gamedsl.terminal.render.raster import braille, frame, segments, strokes
from gamedsl.terminal.render.sketch import sketch_of
from gamedsl.terminal.render.viewport import Viewport

_DIM, _BOLD = Ink(dim=True), Ink(bold=True)
LEFT = 4  # columns for the numbers of the upright axis
TICK = 10  # columns between the ticks of the level axis, and twice the lines between those of the upright one
LEAST_ROWS = 10


def render_pen(picture: Picture, viewport: Viewport) -> Plot:
    """The sheet from 0,0 to 100,100 (larger, if something lies outside it), x to the right and y downward."""
    sketch = sketch_of(picture.paper)
    pen = picture.pen
    assert pen is not None
    done = [] if sketch is None else [piece for s in sketch.strokes for piece in segments(s.points, s.closed)]
    corners = [(0.0, 0.0), (float(SHEET), float(SHEET)), *(p for piece in done for p in piece), *pen.points]
    page = frame(corners, viewport.columns - LEFT - 1, max(viewport.rows - 2, LEAST_ROWS))
    path = [*pen.points, *([pen.at] if pen.at is not None else [])]
    lines = [*done, *segments(path, False)]
    canvas = Canvas()
    for (x, y), char in (strokes(page, lines) if viewport.ascii else braille(page, lines)).items():
        canvas.put(x + LEFT, y, char)
    for point in pen.points:
        x, y = (int(v) for v in page.place(point))
        canvas.put(min(x, page.columns - 1) + LEFT, min(y, page.rows - 1), "o", _BOLD)
    if pen.at is not None:
        x, y = (int(v) for v in page.place(pen.at))
        canvas.put(min(x, page.columns - 1) + LEFT, min(y, page.rows - 1), "+", Ink(bold=True, reverse=True))
    for row in range(0, page.rows, TICK // 2):
        canvas.put(0, row, f"{page.middle(0, row)[1]:3.0f}", _DIM)
    for row in range(page.rows):
        canvas.put(LEFT - 1, row, "|" if viewport.ascii else ("┤" if row % (TICK // 2) == 0 else "│"), _DIM)
    for column in range(page.columns):
        tick = column % TICK == 0
        sign = ("+" if tick else "-") if viewport.ascii else ("┬" if tick else "─")
        canvas.put(column + LEFT, page.rows, sign, _DIM)
        if tick:
            canvas.put(column + LEFT, page.rows + 1, f"{page.middle(column, 0)[0]:.0f}", _DIM)
    if pen.at is not None:
        canvas.put(0, page.rows + 1, f"{pen.at[0]:g},{pen.at[1]:g} "[: LEFT + 6], _BOLD)
    return replace(Plot(canvas.lines()), left=LEFT, page=page)
