"""A board of hexagons (or any cells that lie in rows) -> characters: one line a row, shifted as the cells lie."""

from __future__ import annotations

from gamedsl.terminal.canvas import Canvas, Ink, Line, line
from gamedsl.terminal.layout import Paper, brackets, clean, ground_of, ink_of, longest, marks_text
from gamedsl.terminal.picture import Picture

_DIM = Ink(dim=True)


def draw_hex(picture: Picture, paper: Paper) -> list[Line]:
    """The lines of the drawing. Rows bear the names of their first and last cell; strokes are told below."""
    board = picture.board
    if board is None:
        return []
    cells = board.domains["cell"]
    at = [board.position("cell", i) for i in range(cells.size)]
    heights = sorted({round(y, 3) for _, y in at})
    wide = max(3, longest([marks_text(picture.spot("cell", i), paper.ascii) for i in range(cells.size)]))
    pitch = wide + 1 + (wide + 1) % 2  # even, so that half a cell is a whole number of characters
    left, low = longest(list(cells.names)) + 2, min(x for x, _ in at)
    gap = 2 if 2 * len(heights) <= paper.rows else 1
    canvas = Canvas()
    for index, (x, y) in enumerate(at):
        place = left + round((x - low) * pitch), heights.index(round(y, 3)) * gap
        _cell(canvas, picture, paper, index, place, wide)
    for row, height in enumerate(heights):
        inside = [i for i, (_, y) in enumerate(at) if round(y, 3) == height]
        first, last = min(inside, key=lambda i: at[i][0]), max(inside, key=lambda i: at[i][0])
        x = left + round((at[first][0] - low) * pitch) - len(cells.names[first]) - 1
        canvas.put(x, row * gap, cells.names[first], _DIM)
        canvas.put(left + round((at[last][0] - low) * pitch) + wide + 1, row * gap, cells.names[last], _DIM)
    return canvas.lines() + told_elsewhere(picture, paper)


def _cell(canvas: Canvas, picture: Picture, paper: Paper, index: int, place: tuple[int, int], wide: int) -> None:
    x, y = place
    spot = picture.spot("cell", index)
    text = marks_text(spot, paper.ascii) or ("." if paper.ascii else "·")
    canvas.put(x, y, " " * wide)
    canvas.centre(x, y, wide, text, ink_of(spot.glyphs) if spot.glyphs else _DIM)
    pair = brackets(picture, spot, paper)
    if pair is not None and len(text) <= wide - 2:
        canvas.put(x, y, pair[0])
        canvas.put(x + wide - 1, y, pair[1])
    ground = ground_of(picture, spot, paper)
    if ground is not None:
        canvas.tinge(x, y, wide, ground)


def told_elsewhere(picture: Picture, paper: Paper) -> list[Line]:
    """What lies on edges and the lines drawn over cells, in words, for boards on which they can't be drawn."""
    board = picture.board
    assert board is not None
    told: list[str] = []
    for (domain, index), spot in sorted(picture.spots.items(), key=lambda item: item[0]):
        if domain == "edge" and (spot.glyphs or spot.stroke):
            what = " ".join(w for w in (spot.stroke, marks_text(spot, paper.ascii)) if w)
            told.append(f"{board.domains['edge'].names[index]}: {what}")
    names = board.domains[board.place].names
    told += ["line " + " - ".join(names[i] for i in trail.cells) for trail in picture.trails]
    return [line(clean(text, paper.ascii)) for text in told]
