"""A board of nodes and links -> characters: a picture if the nodes' names are coordinates (``a1`` ... ``g7``) and all
links are straight, a sketch if the ruleset places them; else a list of the nodes with their marks and neighbors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from gamedsl.engine.picture import NodePlaces, Picture, Place, grid_of_spots, lattice, links
from gamedsl.language.boards import elements
from gamedsl.play.terminal.render.box_drawing import LIGHT, Arms, bar, joint
from gamedsl.play.terminal.render.canvas import Canvas, Ink, Line, Run, side_by_side, widest
from gamedsl.play.terminal.render.mark_glyphs import brackets, ground_of, ink_of, longest, marks_text
from gamedsl.play.terminal.render.node_marks import frame, put_named_node
from gamedsl.play.terminal.render.render_hexagons import strokes_as_text
from gamedsl.play.terminal.render.rendered_board import Box, RenderedBoard, highlight
from gamedsl.play.terminal.render.sketch_graph import sketch_graph
from gamedsl.play.terminal.render.viewport import Viewport

_DIM = Ink(dim=True)


def render_graph(picture: Picture, viewport: Viewport) -> RenderedBoard:
    """The picture or, if there cannot be one, the list in as many columns as the page needs and has room for."""
    board = picture.board
    if board is None:
        return RenderedBoard([])
    given = grid_of_spots(board)
    if given is not None:
        return _drawn_with_names(picture, viewport, given)
    where = None if board.spots else lattice(board)
    if where is not None:
        return _drawn(picture, viewport, where)
    sketch = sketch_graph(picture, viewport)
    if sketch is not None:
        return replace(sketch, lines=sketch.lines + strokes_as_text(picture, viewport))
    return _listed(picture, viewport)


# ---------------------------------------------------------------------------------------------------- picture


def _drawn(picture: Picture, viewport: Viewport, where: NodePlaces) -> RenderedBoard:
    board = picture.board
    assert board is not None
    names = board.domains[board.place].names
    texts = {i: marks_text(picture.spot(board.place, i), viewport.ascii) for i in where}
    across, down = max((4, 4, 2)[viewport.size], longest(list(texts.values())) + 1), 2 if viewport.size == 0 else 1
    rows = {y: names[i][1:] for i, (_, y) in where.items()}
    left = longest(list(rows.values())) + 2
    spots = {i: (left + x * across, 1 + y * down) for i, (x, y) in where.items()}
    canvas = Canvas()
    arms = _lines(canvas, links(board), spots, viewport.ascii)
    at: dict[Place, Box] = {}
    for i, (x, y) in spots.items():
        spot = picture.spot(board.place, i)
        ink = ink_of(spot.glyphs) if texts[i] else _DIM
        canvas.put(x, y, texts[i] or joint(arms[i], viewport.ascii), ink)
        at[(board.place, i)] = box = Box(x - 1, y, len(texts[i] or " ") + 2) if across > 2 else Box(x, y, 1)
        frame(canvas, box, picture, spot, viewport)
    for i, (x, y) in where.items():
        canvas.put(left + x * across, 0, names[i][0], _DIM)
        canvas.put(left - 2 - len(rows[y]), 1 + y * down, rows[y], _DIM)
    highlight(canvas, at, picture, viewport)
    return RenderedBoard(canvas.lines() + strokes_as_text(picture, viewport), at, left - 1, 1)


def _drawn_with_names(picture: Picture, viewport: Viewport, where: NodePlaces) -> RenderedBoard:
    """The nodes at the places that the ruleset gives, each with its name after its mark."""
    board = picture.board
    assert board is not None
    names = board.domains[board.place].names
    texts = {i: marks_text(picture.spot(board.place, i), viewport.ascii) for i in where}
    marks = longest(list(texts.values()))
    across, down = max(6, marks + longest(list(names)) + 3), 2
    spots = {i: (1 + x * across, y * down) for i, (x, y) in where.items()}
    canvas = Canvas()
    arms = _lines(canvas, links(board), spots, viewport.ascii)
    at: dict[Place, Box] = {}
    for i, spot in spots.items():
        bare = joint(arms[i], viewport.ascii).strip() or ("o" if viewport.ascii else "○")  # only slanting lines
        at[(board.place, i)] = put_named_node(canvas, spot, picture, i, viewport, bare)
    highlight(canvas, at, picture, viewport)
    return RenderedBoard(canvas.lines() + strokes_as_text(picture, viewport), at, 0, 0)


def _lines(canvas: Canvas, links: list[tuple[int, int]], spots: NodePlaces, ascii: bool) -> dict[int, Arms]:
    """Draws the links, and returns their arms at every node."""
    arms = dict.fromkeys(spots, Arms())
    for a, b in links:
        (xa, ya), (xb, yb) = spots[a], spots[b]
        if ya == yb:
            (west, x), (east, stop) = sorted(((a, xa), (b, xb)), key=lambda e: e[1])
            canvas.put(x + 1, ya, bar(LIGHT, False, ascii) * (stop - x - 1), _DIM)
            arms[west], arms[east] = arms[west]._replace(e=LIGHT), arms[east]._replace(w=LIGHT)
        elif xa == xb:
            (north, y), (south, stop) = sorted(((a, ya), (b, yb)), key=lambda e: e[1])
            for i in range(y + 1, stop):
                canvas.put(xa, i, bar(LIGHT, True, ascii), _DIM)
            arms[north], arms[south] = arms[north]._replace(s=LIGHT), arms[south]._replace(n=LIGHT)
        else:
            x, y = (xa + xb) // 2, (ya + yb) // 2
            rising = (xa < xb) != (ya < yb)
            sign = ("/" if rising else "\\") if ascii else ("╱" if rising else "╲")
            crossed = canvas.at(x, y) not in (" ", sign)
            canvas.put(x, y, ("X" if ascii else "╳") if crossed else sign, _DIM)
    return arms


# ------------------------------------------------------------------------------------------------------- list


def _listed(picture: Picture, viewport: Viewport) -> RenderedBoard:
    board = picture.board
    assert board is not None
    domain = board.domains[board.place]
    names = longest(list(domain.names))
    marks = [marks_text(picture.spot(board.place, i), viewport.ascii) for i in range(domain.size)]
    wide = max(3, longest(marks) + 2)
    lines = [_node(picture, viewport, i, names, wide) for i in range(domain.size)]
    columns = _column_count(lines, viewport)
    each = max(1, -(-len(lines) // columns))
    starts = list(range(0, len(lines), each))
    widths = [widest(lines[s : s + each]) + 3 for s in starts]
    at: dict[Place, Box] = {}
    for i in range(len(lines)):
        x = sum(widths[: i // each])
        at[(board.place, i)] = Box(x + names + 1, i % each, wide)
    block = split(lines, columns, 3)
    block = [_hinted(of, i, at, picture, board.place, viewport) for i, of in enumerate(block)]
    return RenderedBoard(block + strokes_as_text(picture, viewport), at)


def _hinted(of: Line, y: int, at: Mapping[Place, Box], picture: Picture, place: str, viewport: Viewport) -> Line:
    """A line of the list with its places marked for the person who is choosing."""
    here = {p: box._replace(y=0) for p, box in at.items() if box.y == y and picture.spot(*p).hint}
    if not here:
        return of
    canvas = Canvas()
    x = 0
    for run in of:
        canvas.put(x, 0, run.text, run.ink)
        x += widest([(run,)])
    highlight(canvas, here, picture, viewport)
    return canvas.lines()[0]


def _column_count(lines: list[Line], viewport: Viewport) -> int:
    """The fewest columns that keep the list within the page's rows; fewer if it would be too wide."""
    best = 1
    for columns in range(1, len(lines) + 1):
        if widest(split(lines, columns, 3)) > viewport.columns:
            break
        best = columns
        if -(-len(lines) // columns) <= viewport.rows:
            break
    return best


def _node(picture: Picture, viewport: Viewport, index: int, names: int, wide: int) -> Line:
    board = picture.board
    assert board is not None
    domain = board.domains[board.place]
    spot = picture.spot(board.place, index)
    text = marks_text(spot, viewport.ascii) or ("." if viewport.ascii else "·")
    pair = brackets(picture, spot, viewport) or (" ", " ")
    ground = ground_of(picture, spot, viewport) or Ink()
    ink = ink_of(spot.glyphs)._replace(ground=ground.ground, reverse=ground.reverse)
    near = board.relations.get(("neighbors", 1))
    links = "" if near is None else " ".join(domain.names[i] for i in elements(near.compute(index)))
    mark = (Run(pair[0]), Run(text, ink), Run(pair[1] + " " * (wide - len(text) - 2)))
    return (Run(domain.names[index].rjust(names) + " "), *mark, Run(f" to {links}" if links else "", _DIM))


def split(lines: list[Line], columns: int, gap: int) -> list[Line]:
    """Lines in that many columns, read downward."""
    height = max(1, -(-len(lines) // columns))
    block: list[Line] = []
    for start in range(0, len(lines), height):
        part = lines[start : start + height]
        block = side_by_side(block, part, gap) if block else part
    return block
