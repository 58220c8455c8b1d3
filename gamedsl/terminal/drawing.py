"""A picture -> the lines of one page: board and panel side by side where there is room, else one under the other. A board
that is too large is drawn smaller; if that is not enough, a part of it is shown."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from gamedsl.terminal.canvas import Line, side_by_side, widest
from gamedsl.terminal.draw_graph import draw_graph, split
from gamedsl.terminal.draw_grid import draw_grid
from gamedsl.terminal.draw_hex import draw_hex
from gamedsl.terminal.draw_lines import draw_lines
from gamedsl.terminal.draw_paper import draw_paper, paper_legend
from gamedsl.terminal.draw_pen import draw_pen
from gamedsl.terminal.draw_track import draw_track
from gamedsl.terminal.layout import SIZES, Paper
from gamedsl.terminal.panel import panel, wrapped
from gamedsl.terminal.picture import Picture
from gamedsl.terminal.plot import Plot, focus_of, window

GAP = 3
LEAST_PANEL = 24
LEAST_ROWS = 12
LEAST_DRAWING = 14
LEAST_ENTRY = 18
LEAST_BOARD = 8
MANY = 1000
Seen: TypeAlias = tuple[int, int]  # how many places, how much of the page


def draw(picture: Picture, paper: Paper) -> list[Line]:
    """The lines of the whole page, none wider than the paper, and no more than its rows if there is an end to them."""
    return lay_out(picture, paper).lines


def lay_out(picture: Picture, paper: Paper) -> Plot:
    """The whole page, and where the board's places lie on it."""
    pages = (_page(picture, p) for p in _papers(picture, paper))
    best: Plot | None = None
    for page in pages:
        if widest(page.lines) <= paper.columns:
            if len(page.lines) <= paper.rows:
                return page
            best = page if best is None or len(page.lines) < len(best.lines) else best
    if best is not None and not paper.ends:
        return best
    return _part(picture, paper)


def _papers(picture: Picture, paper: Paper) -> list[Paper]:
    """The ways to draw smaller and smaller."""
    if picture.kind == "drawing":
        return [replace(paper, rows=rows) for rows in (paper.rows, *range(paper.rows - 2, LEAST_DRAWING - 1, -2))]
    return [replace(paper, size=size) for size in SIZES]


def _page(picture: Picture, paper: Paper) -> Plot:
    board = draw_board(picture, paper)
    if not board.lines:
        return Plot(panel(picture, paper, paper.columns, paper.rows))
    beside = paper.columns - widest(board.lines) - GAP
    if beside < LEAST_PANEL:
        room = max(1, paper.rows - len(board.lines))
        below = [
            *panel(picture, paper, paper.columns, room, room if paper.ends else MANY),
            *_legend(picture, paper, paper.columns, 6),
        ]
        return replace(board, lines=[*board.lines, *below])
    told = panel(picture, paper, beside, max(len(board.lines), LEAST_ROWS), paper.rows if paper.ends else MANY)
    narrow = _legend(picture, paper, beside, max(6, len(board.lines) - len(told)))
    one = side_by_side(board.lines, [*told, *narrow], GAP)
    other = [*side_by_side(board.lines, told, GAP), *_legend(picture, paper, paper.columns, 1)]
    return replace(board, lines=one if len(one) <= len(other) else other)


def _part(picture: Picture, paper: Paper) -> Plot:
    """A part of the board, with the panel beside or below it: where more of the board is to be seen."""
    if picture.kind == "drawing":
        whole = _page(picture, replace(paper, rows=LEAST_DRAWING))
        return replace(whole, lines=whole.lines[: paper.rows]) if paper.ends else whole
    parts = [_below(picture, p) for p in _papers(picture, paper)]
    if paper.ends:
        parts += [_beside(picture, p) for p in _papers(picture, paper)]
    return max(parts, key=lambda part: part[0])[1]


def _below(picture: Picture, paper: Paper) -> tuple[Seen, Plot]:
    board = draw_board(picture, paper)
    told = panel(picture, paper, paper.columns, 1, paper.rows // 3)
    rows = max(LEAST_BOARD, paper.rows - len(told)) if paper.ends else len(board.lines) + 1
    part = window(board, paper.columns, rows, focus_of(board, picture), paper.ascii)
    return _seen(part), replace(part, lines=[*part.lines, *told])


def _seen(part: Plot) -> Seen:
    return len(part.at), len(part.lines) * widest(part.lines)


def _beside(picture: Picture, paper: Paper) -> tuple[Seen, Plot]:
    board = draw_board(picture, paper)
    part = window(
        board, paper.columns - LEAST_PANEL - GAP, max(LEAST_BOARD, paper.rows), focus_of(board, picture), paper.ascii
    )
    told = panel(picture, paper, paper.columns - widest(part.lines) - GAP, len(part.lines), paper.rows)
    return _seen(part), replace(part, lines=side_by_side(part.lines, told[: max(len(part.lines), paper.rows)], GAP))


def _legend(picture: Picture, paper: Paper, columns: int, rows: int) -> list[Line]:
    """The list of a drawing's spaces, in the fewest columns that stay within the rows; else as low as it gets."""
    lines = paper_legend(picture, paper) if picture.kind == "drawing" and picture.pen is None else []
    best = lines
    for count in range(1, columns // LEAST_ENTRY + 1):
        entry = (columns - 2 * (count - 1)) // count
        block = split([piece for x in lines for piece in wrapped(x, entry)], count, 2)
        best = block if count == 1 or len(block) < len(best) else best
        if len(best) <= rows:
            break
    return best


def draw_board(picture: Picture, paper: Paper) -> Plot:
    """The board alone."""
    match picture.kind:
        case "grid":
            return draw_grid(picture, paper) if picture.cells == "squares" else draw_lines(picture, paper)
        case "track":
            return draw_track(picture, paper)
        case "hex":
            return draw_hex(picture, paper)
        case "graph":
            return draw_graph(picture, paper)
        case "drawing":
            return draw_paper(picture, paper) if picture.pen is None else draw_pen(picture, paper)
        case _:
            return Plot([])
