"""A sheet with a drawing in progress -> characters: the finished strokes, the points set, the pen, and axes."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, floor, log10

from gamedsl.engine.picture import SHEET, Picture, sketch_of
from gamedsl.play.terminal.render.canvas import Canvas, Ink
from gamedsl.play.terminal.render.raster import Frame, Spot, braille, frame, segments, strokes
from gamedsl.play.terminal.render.rendered_board import RenderedBoard
from gamedsl.play.terminal.render.viewport import Viewport

_DIM, _BOLD = Ink(dim=True), Ink(bold=True)
LEAST_ROWS = 9
ACROSS, DOWN = 6, 3  # the least number of columns or rows between ticks


def render_pen(picture: Picture, viewport: Viewport) -> RenderedBoard:
    """The sheet from 0,0 to 100,100 (larger if anything lies outside it), with x to the right and y downward."""
    sketch = sketch_of(picture.paper)
    pen = picture.pen
    assert pen is not None
    done = [] if sketch is None else [piece for s in sketch.strokes for piece in segments(s.points, s.closed)]
    corners = [(0.0, 0.0), (float(SHEET), float(SHEET)), *(p for piece in done for p in piece), *pen.points]
    left = max(len(f"{y:.0f}") for _, y in corners) + 1
    page = frame(corners, viewport.columns - left - 1, max(viewport.rows - 3, LEAST_ROWS))
    canvas = Canvas()
    _axes(canvas, page, left, viewport.ascii)
    path = [*pen.points, *([pen.at] if pen.at is not None else [])]
    lines = [*done, *segments(path, False)]
    for (x, y), char in (strokes(page, lines) if viewport.ascii else braille(page, lines)).items():
        canvas.put(x + left, y, char)
    for point in pen.points:
        _mark(canvas, page, left, point, "o", _BOLD)
    if pen.at is not None:
        _mark(canvas, page, left, pen.at, "+", Ink(bold=True, reverse=True))
        canvas.put(0, page.rows + 2, f"pen at {pen.at[0]:g},{pen.at[1]:g}", _BOLD)
    return replace(RenderedBoard(canvas.lines()), left=left, page=page)


def _mark(canvas: Canvas, page: Frame, left: int, point: Spot, sign: str, ink: Ink) -> None:
    x, y = (int(v) for v in page.place(point))
    canvas.put(min(x, page.columns - 1) + left, min(y, page.rows - 1), sign, ink)


def _axes(canvas: Canvas, page: Frame, left: int, ascii: bool) -> None:
    """Draws a vertical axis on the left and a horizontal one below, with ticks at round numbers."""
    for row in range(page.rows):
        canvas.put(left - 1, row, "|" if ascii else "│", _DIM)
    for column in range(page.columns):
        canvas.put(column + left, page.rows, "-" if ascii else "─", _DIM)
    for y in _ticks(page.y, page.y + page.rows * 2 / page.scale, DOWN * 2 / page.scale):
        row = int(page.place((page.x, y))[1])
        if row < page.rows:
            canvas.put(left - 1, row, "+" if ascii else "┤", _DIM)
            canvas.put(0, row, f"{y:.0f}".rjust(left - 1), _DIM)
    for x in _ticks(page.x, page.x + page.columns / page.scale, ACROSS / page.scale):
        column = int(page.place((x, page.y))[0])
        if column < page.columns:
            canvas.put(column + left, page.rows, "+" if ascii else "┬", _DIM)
            canvas.put(column + left, page.rows + 1, f"{x:.0f}", _DIM)


def _ticks(low: float, high: float, apart: float) -> list[float]:
    """Multiples of 1, 2 or 5 times a power of ten that are at least ``apart`` apart."""
    power = 10.0 ** floor(log10(apart))
    step = next(s for s in (power, 2 * power, 5 * power, 10 * power) if s >= apart * 0.999)
    step = max(step, 1.0)  # the labels are whole numbers
    return [i * step for i in range(ceil(low / step), floor(high / step) + 1)]
