"""A picture -> the lines of one page: board and panel side by side where there is room, else one under the other."""

from __future__ import annotations

from dataclasses import replace

from gamedsl.terminal.canvas import Line, side_by_side, widest
from gamedsl.terminal.draw_graph import draw_graph, split
from gamedsl.terminal.draw_grid import draw_grid
from gamedsl.terminal.draw_hex import draw_hex
from gamedsl.terminal.draw_paper import draw_paper, paper_legend
from gamedsl.terminal.layout import Paper
from gamedsl.terminal.panel import panel, wrapped
from gamedsl.terminal.picture import Picture

GAP = 3
LEAST_PANEL = 24
LEAST_ROWS = 12
LEAST_DRAWING = 14
LEAST_ENTRY = 18


def draw(picture: Picture, paper: Paper) -> list[Line]:
    """The whole page, at most ``paper.columns`` wide as far as the board allows. A drawing is made smaller, within
    bounds, where the list of its spaces would not fit on the page with it."""
    page = _page(picture, paper)
    smaller = paper.rows - 2
    while picture.kind == "drawing" and len(page) > paper.rows and smaller >= LEAST_DRAWING:
        page = _page(picture, replace(paper, rows=smaller))
        smaller -= 2
    return page


def _page(picture: Picture, paper: Paper) -> list[Line]:
    board = draw_board(picture, paper)
    if not board:
        return panel(picture, paper, paper.columns, paper.rows)
    beside = paper.columns - widest(board) - GAP
    if beside < LEAST_PANEL:
        return [*board, *panel(picture, paper, paper.columns, 4), *_legend(picture, paper, paper.columns, 6)]
    told = panel(picture, paper, beside, max(len(board), LEAST_ROWS))
    narrow = _legend(picture, paper, beside, max(6, len(board) - len(told)))
    one = side_by_side(board, [*told, *narrow], GAP)
    other = [*side_by_side(board, told, GAP), *_legend(picture, paper, paper.columns, 1)]
    return one if len(one) <= len(other) else other


def _legend(picture: Picture, paper: Paper, columns: int, rows: int) -> list[Line]:
    """The list of a drawing's spaces, in the fewest columns that stay within the rows; else as low as it gets."""
    lines = paper_legend(picture, paper) if picture.kind == "drawing" else []
    best = lines
    for count in range(1, columns // LEAST_ENTRY + 1):
        entry = (columns - 2 * (count - 1)) // count
        block = split([piece for x in lines for piece in wrapped(x, entry)], count, 2)
        best = block if count == 1 or len(block) < len(best) else best
        if len(best) <= rows:
            break
    return best


def draw_board(picture: Picture, paper: Paper) -> list[Line]:
    """The board alone."""
    match picture.kind:
        case "grid" | "track":
            return draw_grid(picture, paper)
        case "hex":
            return draw_hex(picture, paper)
        case "graph":
            return draw_graph(picture, paper)
        case "drawing":
            return draw_paper(picture, paper)
        case _:
            return []
