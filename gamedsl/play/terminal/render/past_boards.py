"""The boards of the parts of a game that ended before the one shown: small, each below the sentence about its
ending."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from gamedsl.engine.picture import PastBoard, Picture
from gamedsl.play.terminal.render.canvas import Ink, Line, line, side_by_side, widest
from gamedsl.play.terminal.render.panel import wrapped
from gamedsl.play.terminal.render.rendered_board import RenderedBoard
from gamedsl.play.terminal.render.viewport import Viewport

GAP = 3
LEAST_CAPTION = 18
DRAWING_ROWS = 14
RenderBoard: TypeAlias = Callable[[Picture, Viewport], RenderedBoard]


def past_boards(picture: Picture, viewport: Viewport, render: RenderBoard) -> list[Line]:
    """The lines of all of them, with as many side by side as fit. ``render``: draws a board alone."""
    small = replace(viewport, size=2, rows=min(viewport.rows, DRAWING_ROWS))
    lines: list[Line] = []
    row: list[Line] = []
    for block in (_block(one, small, render) for one in picture.past):
        if row and widest(row) + GAP + widest(block) > viewport.columns:
            lines += [line(""), *row]
            row = []
        row = side_by_side(row, block, GAP) if row else block
    return [*lines, line(""), *row] if row else lines


def _block(one: PastBoard, viewport: Viewport, render: RenderBoard) -> list[Line]:
    board = render(one.picture, viewport).lines
    columns = min(max(LEAST_CAPTION, widest(board)), viewport.columns)
    return [*wrapped(line(one.caption, Ink(dim=True)), columns), *board]
