"""A board of squares -> characters: a light grid, strokes on its lines, marks, lines drawn over the squares, names at
the rim."""

from __future__ import annotations

from dataclasses import field

from gamedsl.engine.picture import Picture, Place, Spot, outside
from gamedsl.language.source import lazy_dataclass
from gamedsl.play.terminal.render.box_drawing import LIGHT, NONE, WEIGHTS, Arms, bar, joint
from gamedsl.play.terminal.render.canvas import Canvas, Ink
from gamedsl.play.terminal.render.mark_glyphs import (
    bracket,
    brackets,
    ground_of,
    ink_of,
    longest,
    marks_text,
    rim_names,
    spaced,
)
from gamedsl.play.terminal.render.rendered_board import Box, RenderedBoard, highlight
from gamedsl.play.terminal.render.trails import TrailMap, trail_map
from gamedsl.play.terminal.render.viewport import Viewport, clean

_DIM = Ink(dim=True)
_TRAIL = Ink(colour="cyan", bold=True)


@lazy_dataclass()
class Grid:
    """The measures of one drawing. A square is ``wide`` characters wide and one high. ``open_rows``: no lines between
    rows, where the board would be too high with them."""

    picture: Picture
    viewport: Viewport
    squares: dict[tuple[int, int], int]  # (row, column) of the picture -> cell
    rows: int
    columns: int
    wide: int
    open_rows: bool
    left: int
    top: int
    trails: TrailMap
    tight: bool = False  # the names of columns are on the upper line, and there is no lower line
    level: dict[tuple[int, int], Spot] = field(default_factory=dict)  # edges above (row, column)
    upright: dict[tuple[int, int], Spot] = field(default_factory=dict)  # edges left of (row, column)

    def x(self, column: int) -> int:
        """The column of characters of the line left of a column of squares."""
        return self.left + column * (self.wide + 1)

    def line_y(self, row: int) -> int | None:
        """The line of characters on which the boundary above a row is drawn; None where rows are open."""
        if not self.open_rows:
            return self.top + 2 * row
        return {0: self.top, self.rows: self.top + self.rows + 1}.get(row)

    def square_y(self, row: int) -> int:
        """The line of characters of a row of squares."""
        return self.top + (row + 1 if self.open_rows else 2 * row + 1)

    def middle(self, column: int) -> int:
        """The column of characters in the middle of a square."""
        return self.x(column) + 1 + (self.wide - 1) // 2


def render_squares(picture: Picture, viewport: Viewport) -> RenderedBoard:
    """The drawing; empty when the picture has no board of squares."""
    if picture.board is None:
        return RenderedBoard([])
    grid = _measure(picture, viewport)
    canvas = Canvas()
    _lines(grid, canvas)
    for (row, column), cell in grid.squares.items():
        _square(grid, canvas, row, column, picture.spot("cell", cell))
    _trails(grid, canvas)
    _draw_enlarged(grid, canvas)
    _edge_marks(grid, canvas)
    _point_marks(grid, canvas)
    _borders(grid, canvas)
    _rim(grid, canvas)
    at = _boxes(grid)
    highlight(canvas, at, picture, viewport)
    return RenderedBoard(canvas.lines(), at, max(grid.left, 1), 1)


def _boxes(grid: Grid) -> dict[Place, Box]:
    """Where every cell, edge and point is drawn."""
    board = grid.picture.board
    assert board is not None
    at = {("cell", i): Box(grid.x(c) + 1, grid.square_y(r), grid.wide) for (r, c), i in grid.squares.items()}
    for domain in ("edge", "point"):
        for i in range(board.domains[domain].size if domain in board.domains else 0):
            x, y = board.position(domain, i)
            row, column = int(y), int(x)
            line_y = grid.line_y(row)
            if domain == "edge" and x % 1 == 0:
                at[(domain, i)] = Box(grid.x(column), grid.square_y(row), 1)
            elif line_y is not None:
                at[(domain, i)] = (
                    Box(grid.x(column) + 1, line_y, grid.wide) if x % 1 else Box(grid.x(column), line_y, 1)
                )
    return at


def _measure(picture: Picture, viewport: Viewport) -> Grid:
    board = picture.board
    assert board is not None
    at = {i: board.position("cell", i) for i in range(board.domains["cell"].size)}
    squares = {(int(y), int(x)): i for i, (x, y) in at.items()}
    rows, columns = max(r for r, _ in squares) + 1, max(c for _, c in squares) + 1
    texts = [marks_text(picture.spot("cell", i), viewport.ascii) for i in at]
    open_rows = viewport.size > 0 and not _edges_needed(picture)
    names, _ = rim_names(picture, squares)
    left = longest(list(names.values())) + 1 if names else 0
    least = (
        1 if viewport.size == 2 and not picture.edge_marks else 5 if picture.edge_marks and viewport.size == 0 else 3
    )
    wide = max(least, longest(texts))
    tracks = trail_map(picture.trails, {i: square for square, i in squares.items()})
    tight = viewport.size > 0 and not open_rows and not picture.borders
    grid = Grid(picture, viewport, squares, rows, columns, wide, open_rows, left, 0 if tight else 1, tracks, tight)
    for index in range(board.domains["edge"].size if "edge" in board.domains else 0):
        x, y = board.position("edge", index)
        spot = picture.spot("edge", index)
        (grid.upright if x % 1 == 0 else grid.level)[(int(y), int(x))] = spot
    return grid


def _edges_needed(picture: Picture) -> bool:
    """Whether anything can lie on the lines between squares or cross them."""
    lies = any(domain in ("edge", "point") for domain, _ in picture.spots)
    return (
        picture.edge_marks
        or picture.has_trails
        or lies
        or bool(picture.line_names or picture.trails or picture.enlarged)
    )


# ------------------------------------------------------------------------------------------------------- lines


def _weight(grid: Grid, upright: bool, row: int, column: int) -> int:
    """The weight of the piece of line above (or left of) a square; none outside the board."""
    beside = (row, column - 1) if upright else (row - 1, column)
    if (row, column) not in grid.squares and beside not in grid.squares:
        return NONE
    spot = (grid.upright if upright else grid.level).get((row, column))
    return LIGHT if spot is None or spot.stroke is None else WEIGHTS.get(spot.stroke, LIGHT)


def _line_ink(spot: Spot | None) -> Ink:
    if spot is None:
        return _DIM
    if spot.stroke is None:
        return Ink(dim=not spot.last, reverse=spot.last)
    return Ink(colour=spot.stroke_colour, bold=True, reverse=spot.last)


def _lines(grid: Grid, canvas: Canvas) -> None:
    ascii = grid.viewport.ascii
    for row in range(grid.rows + (not grid.tight)):
        y = grid.line_y(row)
        for column in range(grid.columns + 1):
            if y is not None:
                weight = _weight(grid, False, row, column)
                if weight:
                    ink = _line_ink(grid.level.get((row, column)))
                    canvas.put(grid.x(column) + 1, y, bar(weight, False, ascii) * grid.wide, ink)
                _joint(grid, canvas, row, column, y)
            weight = _weight(grid, True, row, column)
            if weight and row < grid.rows:
                ink = _line_ink(grid.upright.get((row, column)))
                canvas.put(grid.x(column), grid.square_y(row), bar(weight, True, ascii), ink)


def _joint(grid: Grid, canvas: Canvas, row: int, column: int, y: int) -> None:
    around = [
        (True, row - 1, column), (False, row, column), (True, row, column), (False, row, column - 1)
    ]  # fmt: skip
    arms = Arms(*(_weight(grid, *place) for place in around))
    if not any(arms):
        return
    strong = [(grid.upright if place[0] else grid.level).get(place[1:]) for place in around]
    drawn = [s for s in strong if s is not None and s.stroke is not None]
    ink = Ink(colour=drawn[0].stroke_colour, bold=True) if len(drawn) > 1 else _DIM
    canvas.put(grid.x(column), y, joint(arms, grid.viewport.ascii), ink)


# ------------------------------------------------------------------------------------------- squares and marks


def _square(grid: Grid, canvas: Canvas, row: int, column: int, spot: Spot) -> None:
    x, y = grid.x(column) + 1, grid.square_y(row)
    text = marks_text(spot, grid.viewport.ascii)
    ink = ink_of(spot.glyphs)
    canvas.put(x, y, " " * grid.wide)
    canvas.centre(x, y, grid.wide, text, ink)
    pair = brackets(grid.picture, spot, grid.viewport)
    passed = (row, column) in grid.trails.arms and not text
    if pair is not None and not passed:
        bracket(canvas, pair, x, y, grid.wide, text)
    ground = ground_of(grid.picture, spot, grid.viewport)
    if ground is not None:
        canvas.tinge(x, y, grid.wide, ground)


def _edge_marks(grid: Grid, canvas: Canvas) -> None:
    for (row, column), spot in grid.level.items():
        y = grid.line_y(row)
        if spot.glyphs and y is not None:
            canvas.centre(grid.x(column) + 1, y, grid.wide, marks_text(spot, grid.viewport.ascii), ink_of(spot.glyphs))
    for (row, column), spot in grid.upright.items():
        if spot.glyphs:
            text = marks_text(spot, grid.viewport.ascii)
            x = grid.x(column) - (len(text) - 1) // 2
            canvas.put(x, grid.square_y(row), text, ink_of(spot.glyphs))


def _point_marks(grid: Grid, canvas: Canvas) -> None:
    board = grid.picture.board
    assert board is not None
    for (domain, index), spot in grid.picture.spots.items():
        if domain != "point" or not spot.glyphs:
            continue
        x, y = board.position("point", index)
        line_y = grid.line_y(int(y))
        if line_y is not None:
            text = marks_text(spot, grid.viewport.ascii)
            canvas.put(grid.x(int(x)) - (len(text) - 1) // 2, line_y, text, ink_of(spot.glyphs))


def _draw_enlarged(grid: Grid, canvas: Canvas) -> None:
    """Draws enlarged signs as far as characters allow: on every crossing of lines inside their blocks, and in the
    upper left corner of a single square."""
    where = {cell: square for square, cell in grid.squares.items()}
    for one in grid.picture.enlarged:
        text = clean(one.glyph.text, grid.viewport.ascii)
        framed = f"({text})" if grid.wide > 1 else text
        ink = Ink(colour=one.glyph.colour, bold=True, reverse=True)
        block = [where[i] for domain, i in one.places if domain == "cell" and i in where]
        inside = [(r, c) for r, c in block if {(r - 1, c - 1), (r - 1, c), (r, c - 1)} <= set(block)]
        for row, column in inside:
            y = grid.line_y(row)
            if y is not None:
                canvas.put(grid.x(column) - (len(framed) - 1) // 2, y, framed, ink)
        for row, column in () if inside else block:
            canvas.put(grid.x(column) + 1, grid.square_y(row), text, ink)


# ---------------------------------------------------------------------------------------------- lines on squares


def _trails(grid: Grid, canvas: Canvas) -> None:
    """Draws lines from square to square through the middles, over the lines of the grid, with a different weight for
    each player."""
    for (row, column), arms in grid.trails.arms.items():
        if (row, column) in grid.squares:
            _trail_square(grid, canvas, row, column, arms)
    for (row, column), right in grid.trails.slants.items():
        y = grid.line_y(row)
        if y is not None:
            canvas.put(grid.x(column), y, _slant(right, grid.viewport.ascii), _TRAIL)


def _slant(right: bool, ascii: bool) -> str:
    return ("/" if right else "\\") if ascii else ("╱" if right else "╲")


def _trail_square(grid: Grid, canvas: Canvas, row: int, column: int, arms: Arms) -> None:
    x, y, middle, ascii = grid.x(column), grid.square_y(row), grid.middle(column), grid.viewport.ascii
    marked = bool(grid.picture.spot("cell", grid.squares[(row, column)]).glyphs)
    if not marked:
        canvas.put(middle, y, joint(arms, ascii), _TRAIL)
    for weight, span in ((arms.w, range(x + 1, middle)), (arms.e, range(middle + 1, x + grid.wide + 1))):
        for i in span if weight else ():
            if canvas.at(i, y) == " ":
                canvas.put(i, y, bar(weight, False, ascii), _TRAIL)
    if arms.e and (row, column + 1) in grid.squares:
        crossed = _weight(grid, True, row, column + 1)
        sign = bar(arms.e, False, True) if ascii else joint(Arms(n=crossed, e=arms.e, s=crossed, w=arms.e), False)
        canvas.put(x + grid.wide + 1, y, sign, _TRAIL)
    below = grid.line_y(row + 1)
    if arms.s and below is not None:
        crossed = _weight(grid, False, row + 1, column)
        sign = bar(arms.s, True, True) if ascii else joint(Arms(n=arms.s, e=crossed, s=arms.s, w=crossed), False)
        canvas.put(middle, below, sign, _TRAIL)


# --------------------------------------------------------------------------------------------------------- rim


def _borders(grid: Grid, canvas: Canvas) -> None:
    """Marks the owners of the sides of the board: on the outer line, in the middle of a square's side."""
    where = {i: (float(c), float(r)) for (r, c), i in grid.squares.items()}
    for border in grid.picture.borders:
        text, ink = clean(border.text, grid.viewport.ascii), Ink(colour=border.colour, bold=True)
        for cell, (dx, dy) in outside(border, where, "grid"):
            column, row = (int(v) for v in where[cell])
            line_y = grid.line_y(row + (dy > 0))
            if dx:
                canvas.put(grid.x(column + (dx > 0)), grid.square_y(row), text, ink)
            elif line_y is not None:
                canvas.centre(grid.x(column) + 1, line_y, grid.wide, text, ink)


def _rim(grid: Grid, canvas: Canvas) -> None:
    board = grid.picture.board
    assert board is not None
    rows, columns = rim_names(grid.picture, grid.squares)
    for column, name in spaced(columns, grid.wide + 1).items():
        canvas.put(grid.x(column) + 1 + max(0, grid.wide - len(name)) // 2, 0, name, _DIM)
    for row, name in rows.items():
        canvas.put(grid.left - 1 - len(name), grid.square_y(row), name, _DIM)
    right, bottom = grid.x(grid.columns) + 2, grid.square_y(grid.rows - 1) + 2 - grid.tight
    for name, edges in grid.picture.line_names:
        x, y = board.position("edge", (edges & -edges).bit_length() - 1)
        if x % 1 == 0:
            canvas.put(grid.x(int(x)) - (len(name) - 1) // 2, bottom, name, _DIM)
        else:
            canvas.put(right, grid.top + 2 * int(y), name, _DIM)
