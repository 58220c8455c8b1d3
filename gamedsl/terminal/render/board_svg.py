"""A picture of a position as SVG: the board by its geometry, what stands on it as the look shows it, and the legend."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from math import cos, pi, sin

from gamedsl.boards import Board, elements
from gamedsl.check.report import svg
from gamedsl.picture import Glyph, Picture, Place, Spot, lattice, outside, sketch_of

UNIT, MARGIN, LEGEND = 40, 44, 18  # of a cell; around the board; a line of the legend
RADIUS, ROW = 3**-0.5, 3**0.5 / 2  # of hexagons one cell wide, and from one of their rows to the next
PER_STRIP = 12  # fields of a track in a strip
_COLOURS = {"yellow": "#d9b800", "white": "#fff", "grey": "#9aa0a6", "black": "#222"}
_STROKES = {"light": 1.0, "heavy": 4.0, "double": 4.0, "dashed": 2.0}
_LINE = "#98a2ad"


def board_svg(picture: Picture, title: str) -> str:
    """The whole picture; empty where there is no board."""
    if picture.kind == "drawing":
        return _drawing(picture, title)
    board = picture.board
    if board is None:
        return ""
    where = _places(picture, board)
    right = max(x for x, _ in where.values()) + 0.5
    bottom = max(y for _, y in where.values()) + 0.5
    parts = [*_ground(picture, board, where), *_lines(picture, board, where), *_marks(picture, where)]
    parts += _borders(picture, board, where)
    parts += [_name(board.domains[p[0]].names[p[1]], *where[p], picture) for p in where if p[0] == board.place]
    wide, high = right * UNIT + 2 * MARGIN, bottom * UNIT + 2 * MARGIN
    legend = _legend(picture, high)
    return svg(max(wide, 260 if legend else 0), high + LEGEND * len(legend), "".join([*parts, *legend]), title)


def _places(picture: Picture, board: Board) -> dict[Place, tuple[float, float]]:
    """Where the middles of the places lie, in cells from the upper left corner."""
    cells = board.domains[board.place].size
    if picture.kind == "track":
        rows = -(-cells // PER_STRIP)
        return {(board.place, i): _on_strip(i, rows) for i in range(cells)}
    known = lattice(board) if picture.kind == "graph" else None
    if known is not None:
        return {(board.place, i): (x + 0.5, y + 0.5) for i, (x, y) in known.items()}
    domains = [d for d in (board.place, "edge", "point") if d in board.domains]
    flat = ROW if picture.kind == "hex" else 1.0
    at = {(d, i): board.position(d, i) for d in domains for i in range(board.domains[d].size)}
    return {place: (x, y * flat) for place, (x, y) in at.items() if not _is_blank(picture.spot(*place))}


def _on_strip(i: int, rows: int) -> tuple[float, float]:
    strip, slot = divmod(i, PER_STRIP)
    return (slot if strip % 2 == 0 else PER_STRIP - 1 - slot) + 0.5, rows - 1 - strip + 0.5


def _at(x: float, y: float) -> tuple[float, float]:
    return round(MARGIN + x * UNIT, 1), round(MARGIN + y * UNIT, 1)


def _colour(name: str | None, otherwise: str) -> str:
    return otherwise if name is None else _COLOURS.get(name, name)


# ------------------------------------------------------------------------------------------------------ the board


def _ground(picture: Picture, board: Board, where: dict[Place, tuple[float, float]]) -> Iterator[str]:
    for (domain, i), (x, y) in where.items():
        spot = picture.spot(domain, i)
        if domain != board.place:
            continue
        tint = None if spot.tint is None else picture.tints[spot.tint].colour
        fill = _colour(tint, "#fbfaf6")
        opacity = ' fill-opacity="0.35"' if tint else ""
        if picture.kind == "hex":
            corners = (_at(x + RADIUS * sin(k * pi / 3), y + RADIUS * cos(k * pi / 3)) for k in range(6))
            points = " ".join(f"{a},{b}" for a, b in corners)
            yield f'<polygon points="{points}" fill="{fill}"{opacity} stroke="{_LINE}"/>'
        elif picture.kind in ("grid", "track") and picture.cells == "squares":
            a, b = _at(x - 0.5, y - 0.5)
            yield f'<rect x="{a}" y="{b}" width="{UNIT}" height="{UNIT}" fill="{fill}"{opacity} stroke="{_LINE}"/>'


def _borders(picture: Picture, board: Board, where: dict[Place, tuple[float, float]]) -> Iterator[str]:
    """Whose side it is, around the board."""
    kind = "hex" if picture.kind == "hex" else "grid"
    if picture.kind not in ("hex", "grid"):
        return
    cells = {i: board.position(d, i) for d, i in where if d == board.place}
    flat = ROW if kind == "hex" else 1.0
    for border in picture.borders:
        spots = {(x + dx, y + dy) for c, (dx, dy) in outside(border, cells, kind) for x, y in (cells[c],)}
        for x, y in sorted(spots):
            a, b = _at(x, y * flat)
            yield _text(a, b + 5, border.text, _colour(border.colour, "#222"), 13)


def _is_blank(spot: Spot) -> bool:
    return bool(spot.glyphs) and not "".join(g.text for g in spot.glyphs).strip()


def _lines(picture: Picture, board: Board, where: dict[Place, tuple[float, float]]) -> Iterator[str]:
    """Links between crossings or nodes, strokes on edges, and lines drawn over cells."""
    near = board.relations.get(("neighbors", 1))
    if near is not None and (picture.kind == "graph" or picture.cells == "crossings"):
        for a in range(board.domains[board.place].size):
            for b in elements(near.compute(a)):
                (xa, ya), (xb, yb) = where[(board.place, a)], where[(board.place, b)]
                if a < b and (picture.kind == "graph" or abs(xa - xb) + abs(ya - yb) < 1.01):
                    yield _line(where[(board.place, a)], where[(board.place, b)], _LINE, 1)
    for (domain, i), spot in picture.spots.items():
        if domain == "edge" and spot.stroke is not None and (domain, i) in where:
            x, y = where[(domain, i)]
            dx, dy = (0.0, 0.5) if x % 1 == 0 else (0.5, 0.0)
            colour = _colour(spot.stroke_colour, "#222")
            yield _line((x - dx, y - dy), (x + dx, y + dy), colour, _STROKES.get(spot.stroke, 2.0))
            if spot.stroke == "double":
                yield _line((x - dx, y - dy), (x + dx, y + dy), "#fff", 1.5)
    for trail in picture.trails:
        places = [where[(board.place, i)] for i in trail.cells]
        for k in range(len(places) - 1):
            yield _line(places[k], places[k + 1], "#3b6ea8", 4)


def _line(a: tuple[float, float], b: tuple[float, float], colour: str, wide: float) -> str:
    (xa, ya), (xb, yb) = _at(*a), _at(*b)
    return f'<line x1="{xa}" y1="{ya}" x2="{xb}" y2="{yb}" stroke="{colour}" stroke-width="{wide:g}"/>'


def _marks(picture: Picture, where: dict[Place, tuple[float, float]]) -> Iterator[str]:
    round_ones = picture.kind == "graph" or picture.cells != "squares"
    for (domain, i), spot in picture.spots.items():
        text = "".join(g.text for g in spot.glyphs)
        if not text.strip() or (domain, i) not in where:
            continue
        x, y = _at(*where[(domain, i)])
        if round_ones and domain not in ("edge", "point"):
            yield f'<circle cx="{x}" cy="{y}" r="{UNIT * 0.38:g}" fill="#fffef8" stroke="{_LINE}"/>'
        yield _text(x, y + 6, text, _ink(spot.glyphs), 18)


def _ink(glyphs: tuple[Glyph, ...]) -> str:
    colour = next((g.colour for g in glyphs if g.colour), None)
    return _colour(None if colour == "white" else colour, "#222")


def _text(x: float, y: float, words: str, fill: str, size: int, anchor: str = "middle") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size}" fill="{fill}" '
        f'font-weight="{600 if size > 12 else 400}">{escape(words)}</text>'
    )


def _name(name: str, x: float, y: float, picture: Picture) -> str:
    if picture.unnamed:
        return ""
    if picture.kind == "hex":
        a, b = _at(x, y + 0.45)
        return _text(a, b, name, "#b3b8be", 8)
    a, b = _at(x - 0.44, y + 0.45)
    return _text(a, b, name, "#b3b8be", 8, "start")


def _legend(picture: Picture, top: float) -> list[str]:
    lines = [f"{e.sign}  {e.group} {e.text}" if e.group else f"{e.sign}  {e.text}" for e in picture.legend]
    lines += [t.text for t in picture.tints if t.text and not t.text.isspace()]
    return [_text(MARGIN, top + LEGEND * i, words, "#555", 12, "start") for i, words in enumerate(lines)]


# ----------------------------------------------------------------------------------------------------- drawings


def _drawing(picture: Picture, title: str) -> str:
    sketch = sketch_of(picture.paper)
    if sketch is None:
        return ""
    scale, parts = 4.0, []
    for space in sketch.spaces:
        glyphs = picture.spot("space", space.index).glyphs
        points = " ".join(f"{x * scale + MARGIN:.1f},{y * scale + MARGIN:.1f}" for x, y in space.outline)
        seats = [s.name for s in picture.seats]
        shade = ("#e8b4a8", "#a8c4e8", "#b5d8b0", "#e3d69b")
        owner = glyphs[0].text if glyphs else ""
        fill = shade[seats.index(owner) % len(shade)] if owner in seats else "#fbfaf6"
        parts.append(f'<polygon points="{points}" fill="{fill}" stroke="#555"/>')
        x, y = space.point[0] * scale + MARGIN, space.point[1] * scale + MARGIN
        parts.append(_text(x, y + 5, str(space.number), "#333", 13))
    for stroke in sketch.strokes:
        ends = (*stroke.points, stroke.points[0]) if stroke.closed else stroke.points
        points = " ".join(f"{x * scale + MARGIN:.1f},{y * scale + MARGIN:.1f}" for x, y in ends)
        parts.append(f'<polyline points="{points}" fill="none" stroke="#222" stroke-width="2"/>')
    spots = [p for s in sketch.strokes for p in s.points]
    wide, high = (max(p[k] for p in spots) * scale + 2 * MARGIN for k in (0, 1))
    return svg(wide, high, "".join(parts), title)
