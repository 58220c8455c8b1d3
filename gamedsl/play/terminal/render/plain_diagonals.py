"""Lines of a look that belong to the board: light ones without a color between two crossings that touch at a corner."""

from __future__ import annotations

from gamedsl.engine.picture import Line, Picture
from gamedsl.play.terminal.render.viewport import Viewport


def is_wide(picture: Picture, viewport: Viewport) -> bool:
    """Whether a board of crossings is drawn with room between its rows."""
    return viewport.size == 0 or picture.edge_marks


def plain_diagonals(picture: Picture, viewport: Viewport) -> dict[Line, tuple[int, int, bool]]:
    """The lines that are drawn on the board: for each the row and the column of the upper left one of the four cells around its
    middle, and whether it rises to the right."""
    board = picture.board
    if board is None or picture.kind != "grid" or picture.cells == "squares" or not is_wide(picture, viewport):
        return {}
    found: dict[Line, tuple[int, int, bool]] = {}
    for line in picture.lines:
        places = [end.place for end in line.ends]
        plain = line.style == "light" and line.colour is None and line.by is None
        if not plain or any(end.offset is not None for end in line.ends) or {d for d, _ in places} != {board.place}:
            continue
        (xa, ya), (xb, yb) = (board.position(*place) for place in places)
        if abs(xa - xb) == abs(ya - yb) == 1:
            found[line] = int(min(ya, yb)), int(min(xa, xb)), (xa < xb) != (ya < yb)
    return found
