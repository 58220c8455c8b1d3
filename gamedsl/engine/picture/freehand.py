"""Freehand strokes: ready-made figures to start from, and ends that are cut at the outline or snap onto it."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from gamedsl.language.boards import PLACES, Path, Plan, Point, StrokePlan, distance2, from_outline, nearest_of, size_of
from gamedsl.language.boards.drawing import format_points, parse_points

REACH = Fraction(1, 20)  # of the greater of the outline's width and height: an end this near is meant to be on it
FIGURES: Mapping[str, str] = {
    "square": "10,10 90,10 90,90 10,90",
    "hexagon": "30,10 70,10 95,50 70,90 30,90 5,50",
}


def figure(stroke: StrokePlan, word: str) -> tuple[Point, ...] | None:
    """The points of a ready-made figure; None if there is no such figure, or the stroke cannot be one."""
    return parse_points(FIGURES[word]) if stroke.shape == "closed curve" and word in FIGURES else None


def reach(stroke: StrokePlan, drawn: Mapping[str, Path]) -> Fraction | None:
    """The largest distance at which an end of a stroke snaps onto the outline that it crosses; None if it crosses
    nothing."""
    outline = drawn.get(stroke.across) if stroke.across else None
    return None if outline is None else REACH * size_of(outline)


def onto_outline(stroke: StrokePlan, points: tuple[Point, ...], drawn: Mapping[str, Path]) -> tuple[Point, ...]:
    """Returns the points as a person means them: ends beyond the outline are cut off there, and ends near it snap onto
    it."""
    limit = reach(stroke, drawn)
    if limit is None or stroke.across is None or len(points) < 2:
        return points
    outline = drawn[stroke.across]
    points = _cut(_cut(points, outline)[::-1], outline)[::-1]
    return (_near(points[0], outline, limit), *points[1:-1], _near(points[-1], outline, limit))


def _cut(points: tuple[Point, ...], outline: Path) -> tuple[Point, ...]:
    """The points from the first meeting with the outline on, if the first point is outside."""
    found = from_outline(points, outline)
    return points if found == points else (_rounded(found[0]), *found[1:])


def _near(p: Point, outline: Path, limit: Fraction) -> Point:
    found = nearest_of(p, outline)
    if p == found or distance2(p, found) > limit * limit:
        return p
    return _rounded(found)


def _rounded(p: Point) -> Point:
    return round(p[0], PLACES), round(p[1], PLACES)


def moved_lines(name: str, typed: tuple[Point, ...], kept: tuple[Point, ...], plan: Plan) -> list[str]:
    """A sentence for each end that was moved."""
    stroke = plan.stroke(name)
    across = stroke.across if stroke is not None else ""
    return [
        f"{format_points((typed[i],))} was moved onto {across}, to {format_points((_short(kept[i]),))}"
        for i in (0, -1)
        if typed[i] != kept[i]
    ]


def _short(p: Point) -> Point:
    return round(p[0], 2), round(p[1], 2)
