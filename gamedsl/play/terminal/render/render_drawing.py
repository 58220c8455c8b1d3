"""A drawing board -> characters: its lines, a number in every space, and a list of spaces with owners and
neighbors."""

from __future__ import annotations

from functools import lru_cache

from gamedsl.engine.picture import BORDER, Picture, Place, Sketch, SketchSpace, Spot, sketch_of, text_width
from gamedsl.language.source import lazy_dataclass
from gamedsl.play.terminal.render.canvas import Canvas, Ink, Line, line
from gamedsl.play.terminal.render.mark_glyphs import marks_text
from gamedsl.play.terminal.render.raster import Frame, braille, frame, label_place, owners, segments, strokes
from gamedsl.play.terminal.render.rendered_board import Box, RenderedBoard, highlight
from gamedsl.play.terminal.render.viewport import Viewport, clean

FILLS = (".", ":", "'", ",", '"', "-")
_COLOURS = ("red", "blue", "green", "yellow", "magenta", "cyan")
_LINES = Ink(dim=False)
MOST_COLUMNS = 44
SCORED = "="


@lazy_dataclass(frozen=True)
class Plotted:
    """A drawing on a page: the characters of its lines, the space of every character, the places of the numbers."""

    page: Frame
    lines: dict[tuple[int, int], str]
    areas: dict[tuple[int, int], int]
    labels: tuple[tuple[int, int] | None, ...]


def render_drawing(picture: Picture, viewport: Viewport) -> RenderedBoard:
    """The drawing, with each space located at its number; a note if nothing has been drawn yet."""
    sketch = sketch_of(picture.paper)
    if sketch is None:
        return RenderedBoard([line("nothing has been drawn yet", Ink(dim=True))])
    plotted = rendered(sketch, min(MOST_COLUMNS, viewport.columns), max(viewport.rows, 12), viewport.ascii)
    canvas = Canvas()
    _fill(canvas, picture, plotted, viewport)
    for (x, y), char in plotted.lines.items():
        canvas.put(x, y + 1, char, _LINES)
    _draw_scored(canvas, picture, sketch, plotted, viewport)
    for space, place in zip(sketch.spaces, plotted.labels, strict=True):
        if place is not None:
            _label(canvas, picture, space, place, viewport)
    _corners(canvas, plotted.page)
    tiny = [str(s.number) for s, place in zip(sketch.spaces, plotted.labels, strict=True) if place is None]
    at: dict[Place, Box] = {
        ("space", s.index): Box(place[0], place[1] + 1, len(str(s.number)))
        for s, place in zip(sketch.spaces, plotted.labels, strict=True)
        if place is not None
    }
    highlight(canvas, at, picture, viewport)
    return RenderedBoard(canvas.lines() + ([line(f"too small for a number: {', '.join(tiny)}")] if tiny else []), at)


def paper_legend(picture: Picture, viewport: Viewport) -> list[Line]:
    """A line for every space with its number, its owner and its neighbors; then the meaning of the fillings."""
    sketch = sketch_of(picture.paper)
    if sketch is None or not sketch.spaces:
        return []
    used = sorted({g.text for (d, _), s in picture.spots.items() if d == "space" for g in s.glyphs})
    filled = ((_fill_char(picture, text, viewport.ascii), clean(text, viewport.ascii)) for text in used)
    fills = [f"{char} {text}" for char, text in filled if char != text]
    scored = {sketch.borders[i].spaces for one in picture.scored for domain, i in one.places if domain == BORDER}
    fills += [f"{SCORED} a border that counts"] if scored else []
    lines = [line("  ".join(fills), Ink(dim=True))] if fills else []
    for space in sketch.spaces:
        spot = picture.spot("space", space.index)
        owner = marks_text(spot, viewport.ascii)
        pairs = ((n, (min(n, space.index), max(n, space.index))) for n in space.neighbors)
        near = " ".join(f"{n + 1}{SCORED if pair in scored else ''}" for n, pair in pairs)
        text = f"{space.number:>2} {owner or '-'}: {near}"
        lines.append(line(text, Ink(bold=spot.last)))
    return lines


@lru_cache(maxsize=8)
def rendered(sketch: Sketch, columns: int, rows: int, ascii: bool) -> Plotted:
    """The drawing on a page of at most that many columns and rows (the coordinates of its corners go above and
    below)."""
    points = [p for s in sketch.strokes for p in s.points]
    page = frame(points, columns, rows - 2)
    pieces = [piece for s in sketch.strokes for piece in segments(s.points, s.closed)]
    drawn = strokes(page, pieces) if ascii else braille(page, pieces)
    areas = owners(page, [s.outline for s in sketch.spaces])
    taken = set(drawn)
    labels: list[tuple[int, int] | None] = []
    lettered: set[tuple[int, int]] = set()
    for i, space in enumerate(sketch.spaces):
        mine = {place for place, owner in areas.items() if owner == i}
        place = label_place(page, mine, taken, lettered, len(str(space.number)), space.point)
        labels.append(place)
        if place is not None:
            lettered |= {(place[0] + k, place[1]) for k in range(len(str(space.number)))}
    return Plotted(page, drawn, areas, tuple(labels))


def _fill(canvas: Canvas, picture: Picture, plotted: Plotted, viewport: Viewport) -> None:
    """Fills every character of an owned space with its owner's sign."""
    for (x, y), index in plotted.areas.items():
        spot = picture.spot("space", index)
        if spot.glyphs and (x + y) % 2 == 0:
            canvas.put(x, y + 1, _fill_char(picture, spot.glyphs[0].text, viewport.ascii), _owner_ink(picture, spot))


def _draw_scored(canvas: Canvas, picture: Picture, sketch: Sketch, plotted: Plotted, viewport: Viewport) -> None:
    """Draws every character of a border that counts in the color of its player."""
    for one in picture.scored if viewport.colour else ():
        ink = Ink(colour=None if one.owner is None else _COLOURS[one.owner % len(_COLOURS)], bold=True)
        for domain, index in one.places:
            if domain == BORDER:
                for x, y in braille(plotted.page, list(segments(sketch.borders[index].points, False))):
                    canvas.put(x, y + 1, plotted.lines.get((x, y), " "), ink)


def _fill_char(picture: Picture, text: str, ascii: bool) -> str:
    """A sign of one column unchanged, or else a character that stands for it."""
    names = [s.name for s in picture.seats]
    if text in names and len(text) > 1:
        return FILLS[names.index(text) % len(FILLS)]
    sign = clean(text[:1], ascii)
    return sign if text_width(sign) == 1 else "*"


def _owner_ink(picture: Picture, spot: Spot) -> Ink:
    glyph = spot.glyphs[0]
    names = [s.name for s in picture.seats]
    own = _COLOURS[names.index(glyph.text) % len(_COLOURS)] if glyph.text in names else None
    return Ink(colour=glyph.colour or own)


def _label(canvas: Canvas, picture: Picture, space: SketchSpace, place: tuple[int, int], viewport: Viewport) -> None:
    spot = picture.spot("space", space.index)
    ink = _owner_ink(picture, spot) if spot.glyphs else Ink()
    x, y = place[0], place[1] + 1
    text = str(space.number)
    canvas.put(x, y, text, ink._replace(bold=True, reverse=spot.last and viewport.colour))
    if spot.last and not viewport.colour:
        for i, bracket in ((x - 1, "["), (x + len(text), "]")):
            if canvas.at(i, y) in (" ", *FILLS):
                canvas.put(i, y, bracket)


def _corners(canvas: Canvas, page: Frame) -> None:
    """Writes the coordinates of the upper left and the lower right corner of the page."""
    right, bottom = page.x + page.columns / page.scale, page.y + page.rows * 2 / page.scale
    canvas.put(0, 0, f"x {page.x:g} to {right:.0f}, y {page.y:g} to {bottom:.0f} (downward)", Ink(dim=True))
