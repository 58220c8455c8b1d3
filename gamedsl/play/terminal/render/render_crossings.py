"""A board of squares whose cells are crossings of lines, or dots: one character per cell, with lines in between."""

from __future__ import annotations

from gamedsl.engine.picture import Picture, Place, Spot, outside
from gamedsl.language.source import lazy_dataclass
from gamedsl.play.terminal.render.box_drawing import LIGHT, NONE, WEIGHTS, Arms, bar, joint
from gamedsl.play.terminal.render.canvas import Canvas, Ink
from gamedsl.play.terminal.render.mark_glyphs import brackets, ground_of, ink_of, longest, marks_text, rim_names, spaced
from gamedsl.play.terminal.render.plain_diagonals import is_wide, plain_diagonals
from gamedsl.play.terminal.render.rendered_board import Box, RenderedBoard, highlight
from gamedsl.play.terminal.render.trails import TrailMap, trail_map
from gamedsl.play.terminal.render.viewport import Viewport, clean

_DIM = Ink(dim=True)
_TRAIL = Ink(colour="cyan", bold=True)


@lazy_dataclass()
class Net:
    """The measures of one drawing: cells are ``across`` characters and ``down`` lines apart."""

    picture: Picture
    viewport: Viewport
    squares: dict[tuple[int, int], int]  # (row, column) -> cell
    edges: dict[frozenset[tuple[int, int]], int]  # two neighboring squares -> edge
    trails: TrailMap
    across: int
    down: int
    left: int
    top: int

    def x(self, column: int) -> int:
        return self.left + column * self.across

    def y(self, row: int) -> int:
        return self.top + row * self.down


def render_crossings(picture: Picture, viewport: Viewport) -> RenderedBoard:
    """The drawing; empty when the picture has no board of squares."""
    if picture.board is None:
        return RenderedBoard([])
    net = _measure(picture, viewport)
    canvas = Canvas()
    _diagonals(net, canvas)
    _links(net, canvas)
    at: dict[Place, Box] = {}
    for (row, column), cell in net.squares.items():
        at[("cell", cell)] = _crossing(net, canvas, row, column, picture.spot("cell", cell))
    _between(net, canvas, at)
    _borders(net, canvas)
    _rim(net, canvas)
    highlight(canvas, at, picture, viewport)
    return RenderedBoard(canvas.lines(), at, net.left - 1, net.top)


def _measure(picture: Picture, viewport: Viewport) -> Net:
    board = picture.board
    assert board is not None
    cells = board.domains["cell"]
    squares = {}
    for i in range(cells.size):
        x, y = board.position("cell", i)
        squares[(int(y), int(x))] = i
    edges = {}
    for i in range(board.domains["edge"].size if "edge" in board.domains else 0):
        x, y = board.position("edge", i)
        a, b = ((int(y), int(x) - 1), (int(y), int(x))) if x % 1 == 0 else ((int(y) - 1, int(x)), (int(y), int(x)))
        edges[frozenset((a, b))] = i
    names, _ = rim_names(picture, squares)
    longest_mark = longest([marks_text(picture.spot("cell", i), viewport.ascii) for i in range(cells.size)])
    wide = is_wide(picture, viewport)
    across, down = max(4 if wide else 2, longest_mark + 1), 2 if wide else 1
    rim = 1 if picture.borders else 0
    left = longest(list(names.values())) + 1 + 2 * rim
    trails = trail_map(picture.trails, {i: square for square, i in squares.items()})
    return Net(picture, viewport, squares, edges, trails, across, down, left, 1 + rim)


def _weight(net: Net, a: tuple[int, int], b: tuple[int, int]) -> tuple[int, Spot]:
    """The weight of the line between two neighboring cells, and the spot of that edge."""
    if a not in net.squares or b not in net.squares:
        return NONE, Spot()
    edge = net.edges.get(frozenset((a, b)))
    spot = Spot() if edge is None else net.picture.spot("edge", edge)
    side = "s" if a[0] < b[0] else "e"
    if getattr(net.trails.arms.get(a, Arms()), side):
        return getattr(net.trails.arms[a], side), spot
    if spot.stroke is not None:
        return WEIGHTS.get(spot.stroke, LIGHT), spot
    return (NONE if net.picture.cells == "dots" else LIGHT), spot


def _ink(weight: int, spot: Spot) -> Ink:
    if spot.stroke is not None:
        return Ink(colour=spot.stroke_colour, bold=True)
    return _TRAIL if weight > LIGHT else _DIM


def _links(net: Net, canvas: Canvas) -> None:
    ascii = net.viewport.ascii
    for row, column in net.squares:
        weight, spot = _weight(net, (row, column), (row, column + 1))
        if weight:
            canvas.put(net.x(column) + 1, net.y(row), bar(weight, False, ascii) * (net.across - 1), _ink(weight, spot))
        weight, spot = _weight(net, (row, column), (row + 1, column))
        for y in range(net.y(row) + 1, net.y(row + 1)) if weight else ():
            canvas.put(net.x(column), y, bar(weight, True, ascii), _ink(weight, spot))
    for (row, column), right in net.trails.slants.items():
        sign = ("/" if right else "\\") if ascii else ("╱" if right else "╲")
        canvas.put(net.x(column) - net.across // 2, net.y(row) - net.down // 2, sign, _TRAIL)


def _diagonals(net: Net, canvas: Canvas) -> None:
    ascii = net.viewport.ascii
    signs: dict[tuple[int, int], str] = {}
    for row, column, rises in plain_diagonals(net.picture, net.viewport).values():
        sign = ("/" if rises else "\\") if ascii else ("╱" if rises else "╲")
        signs[row, column] = ("X" if ascii else "╳") if signs.get((row, column), sign) != sign else sign
    for (row, column), sign in signs.items():
        canvas.put(net.x(column) + net.across // 2, net.y(row) + net.down // 2, sign, _DIM)


def _crossing(net: Net, canvas: Canvas, row: int, column: int, spot: Spot) -> Box:
    here = (row, column)
    arms = Arms(
        _weight(net, (row - 1, column), here)[0],
        _weight(net, here, (row, column + 1))[0],
        _weight(net, here, (row + 1, column))[0],
        _weight(net, (row, column - 1), here)[0],
    )
    x, y = net.x(column), net.y(row)
    text = marks_text(spot, net.viewport.ascii)
    dot = "." if net.viewport.ascii else "·"
    if not text:
        text = joint(arms, net.viewport.ascii) if any(arms) else dot
        ink = _TRAIL if max(arms) > LIGHT else _DIM
    else:
        ink = ink_of(spot.glyphs)
    canvas.put(x, y, text, ink)
    box = Box(x, y, len(text)) if net.across < 4 else Box(x - 1, y, len(text) + 2)
    pair = brackets(net.picture, spot, net.viewport)
    if pair is not None:
        canvas.put(x - 1, y, pair[0])
        canvas.put(x + len(text), y, pair[1])
    ground = ground_of(net.picture, spot, net.viewport)
    if ground is not None:
        canvas.tinge(x, y, len(text), ground)
    return box


def _between(net: Net, canvas: Canvas, at: dict[Place, Box]) -> None:
    """Draws the marks on edges and on the points between four cells, and adds the boxes of these places to ``at``."""
    board = net.picture.board
    assert board is not None
    for pair, i in net.edges.items():
        (row, column), (lower, right) = sorted(pair)
        if row == lower:
            box = Box(net.x(column) + 1, net.y(row), 1)
            if net.across > 3:
                box = Box(net.x(column) + 2, net.y(row), net.across - 3)
        else:
            box = Box(net.x(right), net.y(row) + 1, 1)
        if net.down > 1 or row == lower:
            at[("edge", i)] = box
            _mark(net, canvas, ("edge", i), box)
    for i in range(board.domains["point"].size if "point" in board.domains and net.down > 1 else 0):
        x, y = board.position("point", i)
        row, column = int(y) - 1, int(x) - 1
        box = Box(net.x(column) + 1, net.y(row) + 1, net.across - 1)
        if {(row, column), (row + 1, column + 1)} <= net.squares.keys():
            at[("point", i)] = box
            _mark(net, canvas, ("point", i), box)


def _mark(net: Net, canvas: Canvas, place: Place, box: Box) -> None:
    spot = net.picture.spot(*place)
    if spot.glyphs:
        canvas.centre(*box, marks_text(spot, net.viewport.ascii), ink_of(spot.glyphs))
    if spot.last:
        canvas.tinge(*box, Ink(reverse=True))


def _borders(net: Net, canvas: Canvas) -> None:
    where = {i: (float(c), float(r)) for (r, c), i in net.squares.items()}
    for border in net.picture.borders:
        text, ink = clean(border.text, net.viewport.ascii), Ink(colour=border.colour, bold=True)
        for cell, (dx, dy) in outside(border, where, "grid"):
            column, row = (int(v) for v in where[cell])
            canvas.put(net.x(column) + round(dx) * 2, net.y(row) + round(dy), text, ink)


def _rim(net: Net, canvas: Canvas) -> None:
    rows, columns = rim_names(net.picture, net.squares)
    for column, name in spaced(columns, net.across).items():
        canvas.put(net.x(column) - (len(name) - 1) // 2, 0, name, _DIM)
    wide = longest(list(rows.values()))
    for row, name in rows.items():
        canvas.put(wide - len(name), net.y(row), name, _DIM)
