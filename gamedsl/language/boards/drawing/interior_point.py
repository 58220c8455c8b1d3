"""A point well inside a region, with short coordinates."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import hypot

from gamedsl.language.boards.drawing.geometry import Segment
from gamedsl.language.boards.plan import Point

MOST_LEVELS = 30
MOST_PLACES = 12


def inner_point(edges: list[Segment]) -> Point:
    """Returns a point inside the region with these boundary segments, far from all of them.

    Candidates are the middles of the region's stretches on some horizontal lines. Exact arithmetic decides whether
    they are inside; floating point only chooses among the candidates and shortens the coordinates.
    """
    flat = [(float(a[0]), float(a[1]), float(b[0]), float(b[1])) for a, b in edges]
    best: tuple[float, Point] | None = None
    for y in _levels(edges):
        for p in _middles(edges, y):
            clearance = _clearance(flat, float(p[0]), float(p[1]))
            if best is None or round(clearance, 9) > round(best[0], 9):
                best = clearance, p
    assert best is not None
    return _short(*best)


def _levels(edges: list[Segment]) -> list[Fraction]:
    """Returns heights halfway between corners of consecutive heights, for the widest gaps, ascending."""
    heights = sorted({a[1] for a, _ in edges} | {b[1] for _, b in edges})
    gaps = sorted(pairwise(heights), key=lambda gap: (gap[0] - gap[1], gap[0]))[:MOST_LEVELS]
    return sorted((low + high) / 2 for low, high in gaps)


def _middles(edges: list[Segment], y: Fraction) -> list[Point]:
    xs = sorted(
        a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]) for a, b in edges if (a[1] > y) != (b[1] > y)
    )  # fmt: skip
    return [((left + right) / 2, y) for left, right in zip(xs[::2], xs[1::2], strict=True) if left < right]


def _clearance(flat: list[tuple[float, float, float, float]], x: float, y: float) -> float:
    """Returns the distance to the nearest boundary segment."""
    least = float("inf")
    for xa, ya, xb, yb in flat:
        dx, dy = xb - xa, yb - ya
        length2 = dx * dx + dy * dy
        t = min(max(((x - xa) * dx + (y - ya) * dy) / length2, 0.0), 1.0) if length2 else 0.0
        least = min(least, hypot(xa + t * dx - x, ya + t * dy - y))
    return least


def _short(clearance: float, p: Point) -> Point:
    """Returns the point, rounded to as few decimals as its clearance allows."""
    for places in range(MOST_PLACES):
        rounded = Fraction(round(p[0], places)), Fraction(round(p[1], places))
        if max(abs(rounded[0] - p[0]), abs(rounded[1] - p[1])) < clearance / 8:
            return rounded
    return p
