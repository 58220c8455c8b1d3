"""A picture -> the lines of one page: board and panel side by side if there is room, else one below the other. A board
that is too large is drawn smaller; if that is not enough, only a part of it is shown."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from gamedsl.engine.picture import Picture
from gamedsl.play.terminal.render.canvas import Line, side_by_side, widest
from gamedsl.play.terminal.render.mark_glyphs import with_signs_on_places
from gamedsl.play.terminal.render.panel import panel, wrapped
from gamedsl.play.terminal.render.past_boards import past_boards
from gamedsl.play.terminal.render.render_crossings import render_crossings
from gamedsl.play.terminal.render.render_drawing import paper_legend, render_drawing
from gamedsl.play.terminal.render.render_graph import render_graph, split
from gamedsl.play.terminal.render.render_hexagons import render_hexagons
from gamedsl.play.terminal.render.render_pen import render_pen
from gamedsl.play.terminal.render.render_squares import render_squares
from gamedsl.play.terminal.render.render_track import render_track
from gamedsl.play.terminal.render.rendered_board import RenderedBoard, focus_of, window
from gamedsl.play.terminal.render.viewport import SIZES, Viewport

GAP = 3
LEAST_PANEL = 24
LEAST_ROWS = 12
LEAST_DRAWING = 14
LEAST_ENTRY = 18
LEAST_BOARD = 8
MANY = 1000
VisibleShare: TypeAlias = tuple[int, int]  # how many places, how much of the page


def render_page(picture: Picture, viewport: Viewport) -> list[Line]:
    """The lines of the whole page, none wider than the viewport, and no more than its rows if those are limited."""
    return layout_page(picture, viewport).lines


def layout_page(picture: Picture, viewport: Viewport) -> RenderedBoard:
    """The whole page, and the positions of the board's places on it. The boards of finished parts follow if there is
    room for all of them."""
    past = past_boards(picture, viewport, render_board)
    for rows in (viewport.rows, viewport.rows - len(past)) if past else ():
        page = _page_alone(picture, replace(viewport, rows=max(LEAST_BOARD, rows)))
        if not viewport.ends or len(page.lines) + len(past) <= viewport.rows:
            return replace(page, lines=[*page.lines, *past])
    return _page_alone(picture, viewport)


def _page_alone(picture: Picture, viewport: Viewport) -> RenderedBoard:
    pages = (_page(picture, p) for p in _papers(picture, viewport))
    best: RenderedBoard | None = None
    for page in pages:
        if widest(page.lines) <= viewport.columns:
            if len(page.lines) <= viewport.rows:
                return page
            best = page if best is None or len(page.lines) < len(best.lines) else best
    if best is not None and not viewport.ends:
        return best
    return _part(picture, viewport)


def _papers(picture: Picture, viewport: Viewport) -> list[Viewport]:
    """The viewports for drawing smaller and smaller."""
    if picture.kind == "drawing":
        return [
            replace(viewport, rows=rows) for rows in (viewport.rows, *range(viewport.rows - 2, LEAST_DRAWING - 1, -2))
        ]
    return [replace(viewport, size=size) for size in SIZES]


def _page(picture: Picture, viewport: Viewport) -> RenderedBoard:
    board = render_board(picture, viewport)
    if not board.lines:
        return RenderedBoard(panel(picture, viewport, viewport.columns, viewport.rows))
    beside = viewport.columns - widest(board.lines) - GAP
    if beside < LEAST_PANEL:
        room = max(1, viewport.rows - len(board.lines))
        below = [
            *panel(picture, viewport, viewport.columns, room, room if viewport.ends else MANY),
            *_legend(picture, viewport, viewport.columns, 6),
        ]
        return replace(board, lines=[*board.lines, *below])
    panel_lines = panel(
        picture, viewport, beside, max(len(board.lines), LEAST_ROWS), viewport.rows if viewport.ends else MANY
    )
    narrow = _legend(picture, viewport, beside, max(6, len(board.lines) - len(panel_lines)))
    one = side_by_side(board.lines, [*panel_lines, *narrow], GAP)
    other = [*side_by_side(board.lines, panel_lines, GAP), *_legend(picture, viewport, viewport.columns, 1)]
    return replace(board, lines=one if len(one) <= len(other) else other)


def _part(picture: Picture, viewport: Viewport) -> RenderedBoard:
    """A part of the board, with the panel beside or below it, whichever shows more of the board."""
    if picture.kind == "drawing":
        whole = _page(picture, replace(viewport, rows=LEAST_DRAWING))
        return replace(whole, lines=whole.lines[: viewport.rows]) if viewport.ends else whole
    parts = [_below(picture, p) for p in _papers(picture, viewport)]
    if viewport.ends:
        parts += [_beside(picture, p) for p in _papers(picture, viewport)]
    return max(parts, key=lambda part: part[0])[1]


def _below(picture: Picture, viewport: Viewport) -> tuple[VisibleShare, RenderedBoard]:
    board = render_board(picture, viewport)
    panel_lines = panel(picture, viewport, viewport.columns, 1, viewport.rows // 3)
    rows = max(LEAST_BOARD, viewport.rows - len(panel_lines)) if viewport.ends else len(board.lines) + 1
    part = window(board, viewport.columns, rows, focus_of(board, picture), viewport.ascii)
    return _visible_share(part), replace(part, lines=[*part.lines, *panel_lines])


def _visible_share(part: RenderedBoard) -> VisibleShare:
    return len(part.at), len(part.lines) * widest(part.lines)


def _beside(picture: Picture, viewport: Viewport) -> tuple[VisibleShare, RenderedBoard]:
    board = render_board(picture, viewport)
    part = window(
        board,
        viewport.columns - LEAST_PANEL - GAP,
        max(LEAST_BOARD, viewport.rows),
        focus_of(board, picture),
        viewport.ascii,
    )
    panel_lines = panel(picture, viewport, viewport.columns - widest(part.lines) - GAP, len(part.lines), viewport.rows)
    return _visible_share(part), replace(
        part, lines=side_by_side(part.lines, panel_lines[: max(len(part.lines), viewport.rows)], GAP)
    )


def _legend(picture: Picture, viewport: Viewport, columns: int, rows: int) -> list[Line]:
    """The list of a drawing's spaces, in the fewest columns that stay within the rows, or else with as few rows as
    possible."""
    lines = paper_legend(picture, viewport) if picture.kind == "drawing" and picture.pen is None else []
    best = lines
    for count in range(1, columns // LEAST_ENTRY + 1):
        entry = (columns - 2 * (count - 1)) // count
        block = split([piece for x in lines for piece in wrapped(x, entry)], count, 2)
        best = block if count == 1 or len(block) < len(best) else best
        if len(best) <= rows:
            break
    return best


def render_board(picture: Picture, viewport: Viewport) -> RenderedBoard:
    """The board alone."""
    if picture.kind == "grid" and picture.cells == "squares":
        return render_squares(picture, viewport)
    picture = with_signs_on_places(picture)
    match picture.kind:
        case "grid":
            return render_crossings(picture, viewport)
        case "track":
            return render_track(picture, viewport)
        case "hex":
            return render_hexagons(picture, viewport)
        case "graph":
            return render_graph(picture, viewport)
        case "drawing":
            return render_drawing(picture, viewport) if picture.pen is None else render_pen(picture, viewport)
        case _:
            return RenderedBoard([])
