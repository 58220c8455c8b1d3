"""Where the nodes of a graph are drawn: on rings, at given places, and evenly between those on a row of links.

Places are exact: x to the right, y downward, in the unit of the ruleset. Those on rings are rounded to thousandths of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from gamedsl.language.source import node

NodePoint: TypeAlias = tuple[Fraction, Fraction]
Spot: TypeAlias = tuple[int, int]
THOUSANDTHS = 1000
MOST_RADIUS = 10**6


@node()
class Outline:
    """A circle, or a regular polygon around it if it has ``corners``. ``degrees``: by how much it is turned clockwise."""

    center: tuple[int, int]
    radius: int
    corners: int | None = None
    degrees: int = 0


def ring_points(count: int, outline: Outline) -> tuple[NodePoint, ...]:
    """Returns ``count`` places, spread evenly along an outline, clockwise. The first is at the top of a circle; of a polygon it is
    the corner at the top, or the left one of two. Raises ``ValueError`` with a sentence if they cannot be spread."""
    if not 1 <= outline.radius <= MOST_RADIUS:
        raise ValueError(f"the radius of a ring is a number from 1 to {MOST_RADIUS:,}, not {outline.radius}")
    corners = count if outline.corners is None else outline.corners
    if corners < 3:
        raise ValueError(f"a polygon has at least 3 corners, not {corners}")
    if count % corners:
        raise ValueError(
            f"{count} nodes cannot be spread evenly over {corners} corners; write a multiple of {corners} nodes"
        )
    per_side = count // corners
    flat_top = outline.corners is not None and corners % 2 == 0
    first = outline.degrees - (180 / corners if flat_top else 0)
    reach = outline.radius / (math.cos(math.pi / corners) if outline.corners is not None else 1)
    ends = [_turned(reach, first + 360 * i / corners) for i in range(corners + 1)]
    found = []
    for (ax, ay), (bx, by) in pairwise(ends):
        for k in range(per_side):
            part = k / per_side
            found.append((ax + (bx - ax) * part, ay + (by - ay) * part))
    return tuple((_exact(outline.center[0], x), _exact(outline.center[1], y)) for x, y in found)


def _turned(reach: float, degrees: float) -> tuple[float, float]:
    angle = math.radians(degrees)
    return reach * math.sin(angle), -reach * math.cos(angle)


def _exact(middle: int, offset: float) -> Fraction:
    return middle + Fraction(round(offset * THOUSANDTHS), THOUSANDTHS)


def places_between(known: Mapping[str, NodePoint], rows: Iterable[Sequence[str]]) -> dict[str, NodePoint]:
    """Returns the places that follow for nodes without one: those between two nodes of a row that have one are spread evenly, row
    by row, until no more follow. Of a row that is closed, the first node comes again at its end."""
    found, runs = dict(known), [list(row) for row in rows]
    grew = True
    while grew:
        before = len(found)
        for run in runs:
            _spread(found, run)
        grew = len(found) > before
    return {name: spot for name, spot in found.items() if name not in known}


def _spread(found: dict[str, NodePoint], run: list[str]) -> None:
    fixed = [i for i, name in enumerate(run) if name in found]
    for start, end in pairwise(fixed):
        (ax, ay), (bx, by) = found[run[start]], found[run[end]]
        for i in range(start + 1, end):
            part = Fraction(i - start, end - start)
            found[run[i]] = (ax + (bx - ax) * part, ay + (by - ay) * part)


def whole_spots(places: Sequence[tuple[str, NodePoint]]) -> tuple[tuple[str, Spot], ...]:
    """Returns the places in a unit in which they are whole numbers; if it would be tiny, they are rounded to thousandths."""
    unit = math.lcm(*(value.denominator for _, spot in places for value in spot)) if places else 1
    unit = min(unit, THOUSANDTHS)
    return tuple((name, (round(x * unit), round(y * unit))) for name, (x, y) in places)
