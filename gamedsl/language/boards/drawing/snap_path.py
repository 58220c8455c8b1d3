"""Normalizes strokes: closed curves are closed, and ends close to an outline are snapped onto it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from functools import lru_cache

from gamedsl.language.boards.drawing.geometry import (
    Path,
    Segment,
    box_of,
    boxes_meet,
    distance2,
    inside,
    meeting,
    nearest_on,
    on_segment,
    segments,
    size_of,
)
from gamedsl.language.boards.plan import SNAP, Drawing, Plan, Point, StrokePlan
from gamedsl.language.source import lazy_dataclass


def tidy(stroke: StrokePlan, points: tuple[Point, ...]) -> tuple[Point, ...]:
    """Returns the points; for a closed curve, without the first point repeated at the end."""
    while stroke.shape == "closed curve" and len(points) > 1 and points[0] == points[-1]:
        points = points[:-1]
    return points


def snap_path(stroke: StrokePlan, points: tuple[Point, ...], drawn: Mapping[str, Path]) -> Path:
    """Returns the path of a stroke, with its ends snapped onto the outline that it goes across."""
    points = tidy(stroke, points)
    if stroke.shape == "closed curve":
        return (*points, points[0])
    figure = drawn.get(stroke.across) if stroke.across else None
    if figure is None or len(points) < 2:
        return points
    return (snap_point(points[0], figure), *points[1:-1], snap_point(points[-1], figure))


@lru_cache(maxsize=256)
def snapped_paths(plan: Plan, drawing: Drawing) -> Mapping[str, Path]:
    """Returns the paths of all strokes of a drawing by name, in the order in which they were drawn."""
    found: dict[str, Path] = {}
    for name, points in drawing:
        stroke = plan.stroke(name)
        if stroke is not None and len(points) > 1:
            found[name] = snap_path(stroke, points, found)
    return found


def snap_point(p: Point, figure: Path) -> Point:
    """Returns the point of the outline nearest to p if it is within the tolerance, otherwise p."""
    nearest = nearest_of(p, figure)
    limit = SNAP * size_of(figure)
    return nearest if distance2(p, nearest) <= limit * limit else p


def nearest_of(p: Point, path: Path) -> Point:
    """Returns the point of a path nearest to p; the first if there are several."""
    return min((nearest_on(p, s) for s in segments(path)), key=lambda q: distance2(p, q))


def from_outline(points: tuple[Point, ...], outline: Path) -> tuple[Point, ...]:
    """Returns the part of an open path from its first meeting with a closed one, if it begins outside; otherwise all
    of it.
    """
    edges = segments(outline)
    if any(on_segment(points[0], edge) for edge in edges) or inside(points[0], edges):
        return points
    for i, step in enumerate(segments(points), 1):
        met = [p for edge in edges for p in meeting(step, edge)]
        if met:
            return (min(met, key=lambda p: distance2(step[0], p)), *points[i:])
    return points


@lazy_dataclass()
class Intersection:
    """The common points of two paths, each with the segments of both that go through it, and a point of an overlap,
    if there is one."""

    points: dict[Point, tuple[set[Segment], set[Segment]]] = field(default_factory=dict)
    along: Point | None = None


def intersection(a: Path, b: Path) -> Intersection:
    """Returns the common points of two paths."""
    found = Intersection()
    others = [(t, box_of(t)) for t in segments(b)]
    for s in segments(a):
        box = box_of(s)
        for t, other in others:
            points = meeting(s, t) if boxes_meet(box, other) else ()
            for p in points:
                through = found.points.setdefault(p, (set(), set()))
                through[0].add(s)
                through[1].add(t)
            if len(points) == 2:
                found.along = middle((points[0], points[1]))
    return found


@lru_cache(maxsize=256)
def knots(plan: Plan, drawing: Drawing) -> tuple[Point, ...]:
    """Returns all points where two strokes of a drawing meet, sorted."""
    paths = list(snapped_paths(plan, drawing).values())
    found: set[Point] = set()
    for i, path in enumerate(paths):
        for other in paths[:i]:
            found |= intersection(path, other).points.keys()
    return tuple(sorted(found))


def ends_of(path: Path) -> tuple[Point, ...]:
    """Returns the two ends of an open path; none for a closed one."""
    return () if path[0] == path[-1] else (path[0], path[-1])


def middle(s: Segment) -> Point:
    return (s[0][0] + s[1][0]) * Fraction(1, 2), (s[0][1] + s[1][1]) * Fraction(1, 2)
