"""Nodes that the ruleset places anywhere, on rings for example -> characters: each with its name, joined by dotted lines."""

from __future__ import annotations

from itertools import combinations

from gamedsl.engine.picture import Picture, Place, links, placed
from gamedsl.play.terminal.render.canvas import Canvas, Ink
from gamedsl.play.terminal.render.mark_glyphs import longest, marks_text
from gamedsl.play.terminal.render.node_marks import put_named_node
from gamedsl.play.terminal.render.rendered_board import Box, RenderedBoard, highlight
from gamedsl.play.terminal.render.viewport import Viewport

_DIM = Ink(dim=True)
SCALES = ((4, 2), (6, 3), (8, 4))  # characters across and rows down for a cell
MOST_ROWS = 40


def sketch_graph(picture: Picture, viewport: Viewport) -> RenderedBoard | None:
    """The drawing at the smallest scale at which no two nodes touch; None if there is none that fits the page."""
    board = picture.board
    at = None if board is None else placed(board)
    if board is None or at is None:
        return None
    names = board.domains[board.place].names
    texts = [marks_text(picture.spot(board.place, i), viewport.ascii) for i in range(len(names))]
    wide = [2 + max(1, longest(texts)) + len(name) for name in names]
    for across, down in SCALES:
        spots = [(1 + round((x - 0.5) * across), round((y - 0.5) * down)) for x, y in at]
        fits = max(x + w for (x, _), w in zip(spots, wide, strict=True)) <= viewport.columns
        if not fits or max(y for _, y in spots) >= MOST_ROWS:
            return None
        boxes = [Box(x - 1, y, w + 2) for (x, y), w in zip(spots, wide, strict=True)]
        if not any(_touch(a, b) for a, b in combinations(boxes, 2)):
            return _drawn(picture, viewport, spots)
    return None


def _touch(a: Box, b: Box) -> bool:
    return a.y == b.y and a.x < b.x + b.columns and b.x < a.x + a.columns


def _drawn(picture: Picture, viewport: Viewport, spots: list[tuple[int, int]]) -> RenderedBoard:
    board = picture.board
    assert board is not None
    canvas = Canvas()
    for a, b in links(board):
        _dot(canvas, spots[a], spots[b], "." if viewport.ascii else "·")
    at: dict[Place, Box] = {}
    for i, spot in enumerate(spots):
        at[(board.place, i)] = put_named_node(canvas, spot, picture, i, viewport, "o" if viewport.ascii else "○")
    highlight(canvas, at, picture, viewport)
    return RenderedBoard(canvas.lines(), at, 0, 0)


def _dot(canvas: Canvas, start: tuple[int, int], end: tuple[int, int], dot: str) -> None:
    """A line of dots, two characters or one row apart, without its ends."""
    (xa, ya), (xb, yb) = start, end
    steps = max(abs(xb - xa) // 2, abs(yb - ya))
    for i in range(1, steps):
        canvas.put(xa + round((xb - xa) * i / steps), ya + round((yb - ya) * i / steps), dot, _DIM)
