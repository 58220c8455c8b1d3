"""A board of nodes and links -> a list: every node with its marks and its neighbours."""

from __future__ import annotations

from gamedsl.boards.domains import elements
from gamedsl.terminal.canvas import Ink, Line, Run, side_by_side, widest
from gamedsl.terminal.draw_hex import told_elsewhere
from gamedsl.terminal.layout import Paper, brackets, ground_of, ink_of, longest, marks_text
from gamedsl.terminal.picture import Picture

_DIM = Ink(dim=True)


def draw_graph(picture: Picture, paper: Paper) -> list[Line]:
    """The lines of the list, in as many columns as the page has room for and needs."""
    board = picture.board
    if board is None:
        return []
    domain = board.domains[board.place]
    names = longest(list(domain.names))
    wide = max(3, longest([marks_text(picture.spot(board.place, i), paper.ascii) for i in range(domain.size)]) + 2)
    lines = [_node(picture, paper, i, names, wide) for i in range(domain.size)]
    return in_columns(lines, paper) + told_elsewhere(picture, paper)


def _node(picture: Picture, paper: Paper, index: int, names: int, wide: int) -> Line:
    board = picture.board
    assert board is not None
    domain = board.domains[board.place]
    spot = picture.spot(board.place, index)
    text = marks_text(spot, paper.ascii) or ("." if paper.ascii else "·")
    pair = brackets(picture, spot, paper) or (" ", " ")
    ground = ground_of(picture, spot, paper) or Ink()
    ink = ink_of(spot.glyphs)._replace(ground=ground.ground, reverse=ground.reverse)
    near = board.relations.get(("neighbors", 1))
    links = "" if near is None else " ".join(domain.names[i] for i in elements(near.compute(index)))
    mark = (Run(pair[0]), Run(text, ink), Run(pair[1] + " " * (wide - len(text) - 2)))
    return (Run(domain.names[index].rjust(names) + " "), *mark, Run(f" to {links}" if links else "", _DIM))


def in_columns(lines: list[Line], paper: Paper, gap: int = 3) -> list[Line]:
    """Lines in as few columns as keep the block within the page's rows; in fewer, if it would be too wide."""
    block = lines
    for columns in range(2, len(lines) + 1):
        if len(block) <= paper.rows:
            break
        wider = split(lines, columns, gap)
        if widest(wider) > paper.columns:
            break
        block = wider
    return block


def split(lines: list[Line], columns: int, gap: int) -> list[Line]:
    """Lines in that many columns, read downward."""
    height = max(1, -(-len(lines) // columns))
    block: list[Line] = []
    for start in range(0, len(lines), height):
        part = lines[start : start + height]
        block = side_by_side(block, part, gap) if block else part
    return block
