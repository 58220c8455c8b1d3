"""Lines and areas on a page of characters: braille dots or ASCII strokes, and the area that contains each
character."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from gamedsl.language.source import lazy_dataclass

Spot: TypeAlias = tuple[float, float]
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
BRAILLE = 0x2800


@lazy_dataclass(frozen=True)
class Frame:
    """A stretch of the plane, from ``x``, ``y`` to ``right``, ``bottom``, on a page of characters; a character is about
    twice as high as it is wide."""

    x: float
    y: float
    right: float
    bottom: float
    scale: float  # columns per unit
    columns: int
    rows: int

    def place(self, point: Spot) -> Spot:
        """Column and row of a point, with fractions."""
        return (point[0] - self.x) * self.scale, (point[1] - self.y) * self.scale / 2

    def middle(self, column: int, row: int) -> Spot:
        """The point in the middle of a character."""
        return (column + 0.5) / self.scale + self.x, (row + 0.5) * 2 / self.scale + self.y


def frame(points: Sequence[Spot], columns: int, rows: int) -> Frame:
    """The largest frame of at most that many columns and rows that holds all the points."""
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    scale = min((columns - 1) / wide if wide else 1e9, (rows - 1) * 2 / high if high else 1e9)
    if scale >= 1e9:
        scale = 1.0
    used = int(wide * scale) + 1, int(high * scale / 2) + 1
    return Frame(min(xs), min(ys), max(xs), max(ys), scale, min(columns, used[0]), min(rows, used[1]))


def segments(points: Sequence[Spot], closed: bool) -> Iterator[tuple[Spot, Spot]]:
    """The straight pieces of a polyline."""
    yield from itertools.pairwise(points)
    if closed and len(points) > 2:
        yield points[-1], points[0]


def braille(page: Frame, lines: Sequence[tuple[Spot, Spot]]) -> dict[tuple[int, int], str]:
    """The characters of straight pieces as dots, two by four per character."""
    dots: dict[tuple[int, int], int] = {}
    for a, b in lines:
        (xa, ya), (xb, yb) = page.place(a), page.place(b)
        steps = max(1, int(max(abs(xb - xa) * 2, abs(yb - ya) * 4) * 1.5))
        for i in range(steps + 1):
            x, y = xa + (xb - xa) * i / steps, ya + (yb - ya) * i / steps
            column, row = min(int(x), page.columns - 1), min(int(y), page.rows - 1)
            dot = _DOTS[min(3, int((y - row) * 4))][min(1, int((x - column) * 2))]
            dots[(column, row)] = dots.get((column, row), 0) | dot
    return {place: chr(BRAILLE + bits) for place, bits in dots.items()}


def strokes(page: Frame, lines: Sequence[tuple[Spot, Spot]]) -> dict[tuple[int, int], str]:
    """The characters of straight pieces in ASCII: ``- | / \\``, and ``+`` where they meet."""
    chars: dict[tuple[int, int], str] = {}
    for a, b in lines:
        (xa, ya), (xb, yb) = page.place(a), page.place(b)
        char = _slope(xb - xa, (yb - ya) * 2)
        steps = max(1, int(max(abs(xb - xa), abs(yb - ya)) * 2))
        for i in range(steps + 1):
            x, y = xa + (xb - xa) * i / steps, ya + (yb - ya) * i / steps
            place = min(int(x), page.columns - 1), min(int(y), page.rows - 1)
            chars[place] = char if chars.get(place, char) == char else "+"
    return chars


def _slope(right: float, down: float) -> str:
    if abs(down) * 2 <= abs(right):
        return "-"
    if abs(right) * 2 <= abs(down):
        return "|"
    return "\\" if (right > 0) == (down > 0) else "/"


def contains(outline: Sequence[Spot], point: Spot) -> bool:
    """Whether the point lies inside a closed outline (even-odd rule)."""
    x, y = point
    inside = False
    for (xa, ya), (xb, yb) in segments(outline, True):
        if (ya > y) != (yb > y) and x < xa + (y - ya) / (yb - ya) * (xb - xa):
            inside = not inside
    return inside


def owners(page: Frame, outlines: Sequence[Sequence[Spot]]) -> dict[tuple[int, int], int]:
    """The number of the outline around the middle of every character; characters outside all of them are omitted."""
    found: dict[tuple[int, int], int] = {}
    for index, outline in enumerate(outlines):
        places = [page.place(p) for p in outline]
        columns = range(max(0, int(min(x for x, _ in places))), min(page.columns, int(max(x for x, _ in places)) + 1))
        rows = range(max(0, int(min(y for _, y in places))), min(page.rows, int(max(y for _, y in places)) + 1))
        for column in columns:
            for row in rows:
                if contains(outline, page.middle(column, row)):
                    found[(column, row)] = index
    return found


def label_place(
    page: Frame,
    mine: set[tuple[int, int]],
    taken: set[tuple[int, int]],
    labels: set[tuple[int, int]],
    columns: int,
    wish: Spot,
) -> tuple[int, int] | None:
    """The place of a label of that many columns: inside its area, off the lines (``taken``), with as much room around
    it as possible; if it cannot avoid the lines, over as few as possible; for an area without any character of its
    own, at the wished place. None if it would overlap another label."""
    x, y = page.place(wish)
    starts = {(column - i, row) for column, row in mine for i in range(columns)} or {(int(x), int(y))}
    best: tuple[float, tuple[int, int]] | None = None
    for column, row in starts:
        cells = [(column + i, row) for i in range(columns)]
        if column < 0 or column + columns > page.columns or row >= page.rows:
            continue
        if any(c in labels for c in ((column - 1, row), *cells, (column + columns, row))):
            continue
        inside = sum(c in mine for c in cells)
        covered = sum(c in taken for c in cells)
        score = (inside * 10 - covered * 20 + _room(cells, mine - taken), (-row, -column))
        if best is None or score > best:
            best = score
    return None if best is None else (-best[1][1], -best[1][0])


def _room(cells: list[tuple[int, int]], free: set[tuple[int, int]]) -> float:
    """How far the free area extends around some cells (0 to 3; each of the four sides counts a quarter)."""
    (left, row), (right, _) = cells[0], cells[-1]
    reach = 0.0
    for dx, dy, start in ((-1, 0, left), (1, 0, right), (0, -1, left), (0, 1, left)):
        for step in range(1, 4):
            beside = {(start + dx * step, row)} if dx else {(x, row + dy * step) for x in range(left, right + 1)}
            if not beside <= free:
                break
            reach += 1.0 if dy else 0.5
    return reach
