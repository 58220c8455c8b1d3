"""A node of a graph as characters: its mark between brackets, on its ground, and its name."""

from __future__ import annotations

from gamedsl.engine.picture import Picture, Spot
from gamedsl.play.terminal.render.canvas import Canvas, Ink
from gamedsl.play.terminal.render.mark_glyphs import brackets, ground_of, ink_of, marks_text
from gamedsl.play.terminal.render.rendered_board import Box
from gamedsl.play.terminal.render.viewport import Viewport

_DIM = Ink(dim=True)


def frame(canvas: Canvas, box: Box, picture: Picture, spot: Spot, viewport: Viewport) -> None:
    """Puts brackets at the ends of a node's box, if it has room for them, and gives it its ground."""
    pair = brackets(picture, spot, viewport)
    if pair is not None and box.columns > 1:
        canvas.put(box.x, box.y, pair[0])
        canvas.put(box.x + box.columns - 1, box.y, pair[1])
    ground = ground_of(picture, spot, viewport)
    if ground is not None:
        canvas.tinge(*box, ground)


def put_named_node(
    canvas: Canvas, at: tuple[int, int], picture: Picture, index: int, viewport: Viewport, bare: str
) -> Box:
    """Draws a node with its name behind its mark. ``bare``: what stands for it without a mark. Returns its box."""
    board = picture.board
    assert board is not None
    x, y = at
    spot = picture.spot(board.place, index)
    text = marks_text(spot, viewport.ascii)
    canvas.put(x, y, text or bare, ink_of(spot.glyphs) if text else _DIM)
    canvas.put(x + max(1, len(text)) + 1, y, board.domains[board.place].names[index], _DIM)
    box = Box(x - 1, y, len(text or " ") + 2)
    frame(canvas, box, picture, spot, viewport)
    return box
