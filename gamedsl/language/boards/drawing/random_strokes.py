"""Random outlines and straight lines: candidates for ``check_stroke``."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from math import ceil, cos, log10, pi, radians, sin
from random import Random

from shapely import LineString, MultiLineString, Point, Polygon

from gamedsl.language.boards.drawing.geometry import Path
from gamedsl.language.boards.drawing.point_text import PLACES as MOST_PLACES
from gamedsl.language.boards.plan import Plan, StrokePlan
from gamedsl.language.boards.plan import Point as ExactPoint
from gamedsl.language.source import lazy_dataclass

SHEET = 100.0  # side of the sheet
STEEPEST = 28  # the maximum angle of a line in degrees, even if its condition allows more (but less than 90)


@lazy_dataclass(frozen=True)
class Sheet:
    """The sheet with the earlier strokes in floating point, for sampling a stroke."""

    plan: Plan
    stroke: StrokePlan
    drawn: Mapping[str, Path]

    @cached_property
    def figure(self) -> Polygon:
        """The region of the stroke; the whole sheet if it does not go across an outline."""
        if self.stroke.across is not None and self.stroke.across in self.drawn:
            return Polygon([(float(x), float(y)) for x, y in self.drawn[self.stroke.across]])
        return Polygon([(0, 0), (SHEET, 0), (SHEET, SHEET), (0, SHEET)])

    @cached_property
    def size(self) -> float:
        left, low, right, high = self.figure.bounds
        return float(max(right - left, high - low))

    @cached_property
    def places(self) -> int:
        """The number of decimals of coordinates, for steps of a thousandth of the size or less."""
        return min(max(3 - ceil(log10(self.size)), 0), MOST_PLACES - 2)

    @property
    def end_places(self) -> int:
        """The number of decimals of ends on an outline, enough for the checks to snap them onto it."""
        return self.places + 2

    @cached_property
    def lines(self) -> dict[str, LineString]:
        """The earlier strokes except the outline."""
        return {
            name: LineString([(float(x), float(y)) for x, y in path])
            for name, path in self.drawn.items()
            if name != self.stroke.across
        }

    @cached_property
    def all_lines(self) -> MultiLineString:
        return MultiLineString(list(self.lines.values()))

    def named(self, kind: str) -> list[LineString]:
        """Returns the earlier strokes related to this one by a condition of this kind, in either direction."""
        mine = {n for c in self.stroke.conditions if c.kind == kind for n in c.names}
        for other in self.plan.strokes:
            if any(c.kind == kind and self.stroke.name in c.names for c in other.conditions):
                mine.add(other.name)
        return [line for name, line in self.lines.items() if name in mine]


def exact(x: float, y: float, places: int) -> ExactPoint:
    """Returns a place as an exact point, rounded to some decimals."""
    return Fraction(str(round(x, places))), Fraction(str(round(y, places)))


# ----------------------------------------------------------------------------------------------------- outlines


def outline(sheet: Sheet, rng: Random) -> tuple[ExactPoint, ...]:
    """Returns an irregular closed curve around the middle of the sheet; if there are earlier strokes, a smaller one
    anywhere.
    """
    center_x = center_y = SHEET / 2
    reach = SHEET / 2 - 2
    if sheet.drawn:
        center_x, center_y = rng.uniform(10, SHEET - 10), rng.uniform(10, SHEET - 10)
        reach = rng.uniform(4, 40)
    corners = rng.randint(6, 18)
    rough = rng.uniform(0.05, 0.45)
    stretch_x, stretch_y = rng.uniform(0.75, 1), rng.uniform(0.75, 1)
    turn = rng.uniform(0, 2 * pi)
    waves = [(rng.randint(2, 4), rng.uniform(0, 2 * pi), rng.uniform(0, rough)) for _ in range(3)]
    points = []
    for i in range(corners):
        angle = turn + 2 * pi * (i + rng.uniform(-0.3, 0.3)) / corners
        wave = sum(a * (1 + sin(k * angle + p)) / 2 for k, p, a in waves) / 1.5
        radius = reach * (1 - min(0.6, wave + rng.uniform(0, rough / 3)))
        x, y = center_x + stretch_x * radius * cos(angle), center_y + stretch_y * radius * sin(angle)
        points.append(exact(x, y, sheet.places))
    return tuple(points)


# ------------------------------------------------------------------------------------------------------- lines


def chord(sheet: Sheet, rng: Random) -> tuple[ExactPoint, ...]:
    """Returns a straight line through a random point, cut off where it first meets the outline on either side. Empty
    after 30 attempts.
    """
    for _ in range(30):
        found = _chord(sheet, rng)
        if found is not None and _promising(sheet, found):
            (xa, ya), (xb, yb) = found.coords
            places = sheet.end_places
            return exact(xa, ya, places), exact(xb, yb, places)
    return ()


def _chord(sheet: Sheet, rng: Random) -> LineString | None:
    left, low, right, high = sheet.figure.bounds
    x, y = rng.uniform(left, right), rng.uniform(low, high)
    if not sheet.figure.contains(Point(x, y)):
        return None
    angle = _angle(sheet, rng)
    dx, dy = 3 * sheet.size * cos(angle), 3 * sheet.size * sin(angle)
    if sheet.stroke.across is None:
        part = rng.uniform(0.02, 0.15)
        return LineString([(x - part * dx, y - part * dy), (x + part * dx, y + part * dy)])
    pieces = sheet.figure.intersection(LineString([(x - dx, y - dy), (x + dx, y + dy)]))
    for piece in getattr(pieces, "geoms", [pieces]):
        if isinstance(piece, LineString) and len(piece.coords) == 2 and piece.distance(Point(x, y)) < 1e-6:
            return piece
    return None


def _angle(sheet: Sheet, rng: Random) -> float:
    for condition in sheet.stroke.conditions:
        if condition.kind in ("horizontal", "vertical") and condition.degrees is not None:
            most = min(condition.degrees, STEEPEST) if condition.degrees < 90 else 90
            off = radians(most) * rng.uniform(-1, 1) * rng.uniform(0.2, 1)
            return off if condition.kind == "horizontal" else pi / 2 + off
    return rng.uniform(0, pi)


def _promising(sheet: Sheet, line: LineString) -> bool:
    """Returns whether a line keeps clear of the strokes that it must avoid, clearly crosses those that it must cross,
    and is not too short.
    """
    clearance = sheet.size / 25
    if sheet.stroke.across is not None and line.length < sheet.size / 3:
        return False
    if any(line.distance(other) < 2 * clearance for other in sheet.named("apart")):
        return False
    for other in sheet.named("crosses once"):
        at = line.intersection(other)
        if not isinstance(at, Point) or at.is_empty or at.distance(sheet.figure.exterior) < clearance:
            return False
    ends = [Point(p) for p in line.coords]
    used = [Point(p) for other in sheet.lines.values() for p in (other.coords[0], other.coords[-1])]
    return all(a.distance(b) > clearance for a in ends for b in used)
