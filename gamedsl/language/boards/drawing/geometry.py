"""Plane geometry in exact rational numbers. Floating point is only used to exclude pairs that are far apart."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from gamedsl.language.boards.plan import Point

Segment: TypeAlias = tuple[Point, Point]
Path: TypeAlias = tuple[Point, ...]  # a closed one ends in its first point
Box: TypeAlias = tuple[float, float, float, float]


def cross(o: Point, a: Point, b: Point) -> Fraction:
    """Returns twice the signed area of the triangle; 0 if the points are collinear."""
    return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])


def side(o: Point, a: Point, b: Point) -> int:
    """Returns the side of the line from o to a on which b is: 1 or -1, or 0 if b is on the line."""
    value = cross(o, a, b)
    return (value > 0) - (value < 0)


def minus(a: Point, b: Point) -> Point:
    return a[0] - b[0], a[1] - b[1]


def dot(a: Point, b: Point) -> Fraction:
    return a[0] * b[0] + a[1] * b[1]


def wedge(a: Point, b: Point) -> Fraction:
    """Returns the cross product of two directions."""
    return a[0] * b[1] - a[1] * b[0]


def distance2(a: Point, b: Point) -> Fraction:
    """Returns the square of the distance."""
    d = minus(a, b)
    return dot(d, d)


def share(p: Point, s: Segment) -> Fraction:
    """Returns the position on a segment (0 its start, 1 its end) of the point nearest to p."""
    d = minus(s[1], s[0])
    length2 = dot(d, d)
    if length2 == 0:
        return Fraction(0)
    return min(max(dot(minus(p, s[0]), d) / length2, Fraction(0)), Fraction(1))


def point_at(s: Segment, t: Fraction) -> Point:
    return s[0][0] + t * (s[1][0] - s[0][0]), s[0][1] + t * (s[1][1] - s[0][1])


def nearest_on(p: Point, s: Segment) -> Point:
    """Returns the point of a segment nearest to p."""
    t = share(p, s)
    return s[0] if t == 0 else s[1] if t == 1 else point_at(s, t)


def on_segment(p: Point, s: Segment) -> bool:
    return (
        cross(s[0], s[1], p) == 0
        and min(s[0][0], s[1][0]) <= p[0] <= max(s[0][0], s[1][0])
        and min(s[0][1], s[1][1]) <= p[1] <= max(s[0][1], s[1][1])
    )


def meeting(s: Segment, t: Segment) -> tuple[Point, ...]:
    """Returns the common points of two segments: none, one, or the two ends of their overlap."""
    a, b, c, d = side(*s, t[0]), side(*s, t[1]), side(*t, s[0]), side(*t, s[1])
    if a == b == 0:
        ends = {p for p in t if on_segment(p, s)} | {p for p in s if on_segment(p, t)}
        return tuple(sorted(ends))
    if a * b > 0 or c * d > 0:
        return ()
    for value, point in ((a, t[0]), (b, t[1]), (c, s[0]), (d, s[1])):
        if value == 0:
            return (point,)  # an end of one is on the other (as the signs above show)
    along, across = minus(s[1], s[0]), minus(t[1], t[0])
    return (point_at(s, wedge(minus(t[0], s[0]), across) / wedge(along, across)),)


def segments(path: Path) -> list[Segment]:
    return list(pairwise(path))


def box_of(s: Segment, margin: float = 0.0) -> Box:
    """Returns the bounding box of a segment, enlarged by a margin and slightly more against rounding."""
    (xa, ya), (xb, yb) = (float(s[0][0]), float(s[0][1])), (float(s[1][0]), float(s[1][1]))
    pad = margin + 1e-12 * (1 + max(abs(xa), abs(xb), abs(ya), abs(yb)))
    return min(xa, xb) - pad, min(ya, yb) - pad, max(xa, xb) + pad, max(ya, yb) + pad


def boxes_meet(a: Box, b: Box) -> bool:
    return a[0] <= b[2] and b[0] <= a[2] and a[1] <= b[3] and b[1] <= a[3]


def area2(path: Path) -> Fraction:
    """Returns twice the signed area inside a closed path."""
    return sum((wedge(a, b) for a, b in pairwise(path)), Fraction(0))


def size_of(path: Path) -> Fraction:
    """Returns the greater of width and height."""
    xs, ys = [p[0] for p in path], [p[1] for p in path]
    return max(max(xs) - min(xs), max(ys) - min(ys))


def inside(p: Point, edges: list[Segment]) -> bool:
    """Returns whether p is inside a region with these boundary segments (none of them through p)."""
    found = False
    for a, b in edges:
        if (a[1] > p[1]) != (b[1] > p[1]):
            upward = b[1] > a[1]
            found ^= (cross(a, b, p) > 0) == upward
    return found


def outgoing(pieces: Iterable[Segment], p: Point) -> list[Point]:
    """Returns the directions in which some segments through the point p leave it."""
    return [minus(end, p) for piece in pieces for end in piece if end != p]


def half_turn(d: Point) -> int:
    """Returns 0 for directions from 0 up to 180 degrees (exclusive), 1 for the others."""
    return 0 if (d[1] > 0 or (d[1] == 0 and d[0] > 0)) else 1


def turning(a: Point, b: Point) -> int:
    """Compares directions by their angle, for ``functools.cmp_to_key``."""
    if half_turn(a) != half_turn(b):
        return half_turn(a) - half_turn(b)
    w = wedge(a, b)
    return -1 if w > 0 else int(w < 0)


def in_sector(d: Point, first: Point, second: Point) -> bool:
    """Returns whether d is strictly inside the angle counterclockwise from the direction first to the direction
    second.
    """
    if wedge(first, second) > 0:
        return wedge(first, d) > 0 and wedge(d, second) > 0
    return not (wedge(second, d) >= 0 and wedge(d, first) >= 0)


def near(s: Segment, t: Segment, limit2: Fraction) -> bool:
    """Returns whether the distance between two segments is at most the square root of ``limit2``."""
    if meeting(s, t):
        return True
    pairs = ((s[0], t), (s[1], t), (t[0], s), (t[1], s))
    return any(distance2(p, nearest_on(p, e)) <= limit2 for p, e in pairs)
