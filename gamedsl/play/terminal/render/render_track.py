"""A track -> characters: a strip of fields with their names; a long one takes several strips in alternating
directions."""

from __future__ import annotations

from gamedsl.engine.picture import Picture, Place, outside
from gamedsl.play.terminal.render.box_drawing import LIGHT, Arms, bar, joint
from gamedsl.play.terminal.render.canvas import Canvas, Ink
from gamedsl.play.terminal.render.mark_glyphs import bracket, brackets, ground_of, ink_of, longest, marks_text
from gamedsl.play.terminal.render.render_hexagons import strokes_as_text
from gamedsl.play.terminal.render.rendered_board import Box, RenderedBoard, highlight
from gamedsl.play.terminal.render.viewport import Viewport, clean

_DIM = Ink(dim=True)


def render_track(picture: Picture, viewport: Viewport) -> RenderedBoard:
    """The drawing. The first strip is the lowest and runs to the right, the one above it back to the left."""
    if picture.board is None:
        return RenderedBoard([])
    names = picture.board.domains["cell"].names
    texts = [marks_text(picture.spot("cell", i), viewport.ascii) for i in range(len(names))]
    wide = max(longest(list(names)), longest(texts), 3 if viewport.size == 0 else 1)
    strips = next((n for n in range(1, len(names)) if -(-len(names) // n) * (wide + 1) < viewport.columns), len(names))
    each = -(-len(names) // strips)
    lined = viewport.size < 2
    canvas = Canvas()
    at: dict[Place, Box] = {}
    for strip in range(strips):
        inside = list(range(strip * each, min((strip + 1) * each, len(names))))
        slots = range(len(inside)) if strip % 2 == 0 else range(each - 1, each - 1 - len(inside), -1)
        top = (strips - 1 - strip) * (4 if lined else 2)
        if lined:
            _frame(canvas, min(slots), len(inside), top + 1, wide, viewport.ascii)
        for index, slot in zip(inside, slots, strict=True):
            box = Box(slot * (wide + 1) + 1, top + (2 if lined else 1), wide)
            at[("cell", index)] = box
            canvas.centre(box.x, top, wide, names[index], _DIM)
            _field(canvas, picture, viewport, index, box)
    _borders(canvas, picture, viewport, at)
    highlight(canvas, at, picture, viewport)
    return RenderedBoard(canvas.lines() + strokes_as_text(picture, viewport), at)


def _frame(canvas: Canvas, first: int, count: int, top: int, wide: int, ascii: bool) -> None:
    for i in range(count + 1):
        x = (first + i) * (wide + 1)
        west, east = LIGHT if i else 0, LIGHT if i < count else 0
        canvas.put(x, top, joint(Arms(e=east, s=LIGHT, w=west), ascii), _DIM)
        canvas.put(x, top + 1, bar(LIGHT, True, ascii), _DIM)
        canvas.put(x, top + 2, joint(Arms(n=LIGHT, e=east, w=west), ascii), _DIM)
        if i < count:
            for y in (top, top + 2):
                canvas.put(x + 1, y, bar(LIGHT, False, ascii) * wide, _DIM)


def _field(canvas: Canvas, picture: Picture, viewport: Viewport, index: int, box: Box) -> None:
    spot = picture.spot("cell", index)
    text = marks_text(spot, viewport.ascii)
    canvas.centre(*box, text, ink_of(spot.glyphs))
    pair = brackets(picture, spot, viewport)
    if pair is not None:
        bracket(canvas, pair, *box, text)
    ground = ground_of(picture, spot, viewport)
    if ground is not None:
        canvas.tinge(*box, ground)


def _borders(canvas: Canvas, picture: Picture, viewport: Viewport, at: dict[Place, Box]) -> None:
    """Marks the owners of the ends, on the lines at the ends of the track."""
    where = {index: (float(index), 0.0) for _, index in at}
    for border in picture.borders:
        for cell, (dx, dy) in outside(border, where, "grid"):
            box = at[("cell", cell)]
            if dx and not dy:
                x = box.x - 1 if dx < 0 else box.x + box.columns
                canvas.put(x, box.y, clean(border.text, viewport.ascii), Ink(colour=border.colour, bold=True))
