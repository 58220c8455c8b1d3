"""Random open curves: walks that keep clear of themselves and cross earlier strokes about as often as requested."""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from math import atan2, cos, pi, sin
from random import Random

from shapely import LineString, MultiPoint, Point, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from gamedsl.language.boards.drawing.random_strokes import Sheet, exact
from gamedsl.language.boards.plan import Point as ExactPoint
from gamedsl.language.source import lazy_dataclass

Place = tuple[float, float]
LONGEST = 90  # corners
CHOICES = 14  # candidates for the next corner
EXITS = 8
RETREATS = 6


def random_curve(sheet: Sheet, target: int, rng: Random) -> tuple[tuple[ExactPoint, ...], int]:
    """Returns a curve that crosses earlier strokes about ``target`` times, and the number of its crossings.

    No points if the walk gets stuck.
    """
    walk = _Walk(sheet, target, rng)
    if not walk.begin():
        return (), 0
    stuck = 0
    while walk.crossed < target and len(walk.places) < LONGEST and stuck < RETREATS:
        if not walk.go_on():
            stuck += 1
            walk.go_back(2 + stuck)
    if not walk.leave():
        return (), 0
    ends = (0, len(walk.places) - 1) if sheet.stroke.across is not None else ()
    decimals = [sheet.end_places if i in ends else sheet.places for i in range(len(walk.places))]
    points = tuple(exact(x, y, d) for (x, y), d in zip(walk.places, decimals, strict=True))
    return points, walk.crossed


@lazy_dataclass()
class _Walk:
    """The corners so far. ``clearance``: the minimum distance to the walk itself, the outline and crossings."""

    sheet: Sheet
    target: int
    rng: Random
    places: list[Place] = field(default_factory=list)
    crossed: int = 0
    _kept: dict[int, tuple[tuple[object, ...], LineString]] = field(default_factory=dict)

    @cached_property
    def clearance(self) -> float:
        return self.sheet.size / (60 if self.target < 12 else 90)

    @cached_property
    def core(self) -> Polygon:
        """The region for corners."""
        return self.sheet.figure.buffer(-self.clearance)

    @cached_property
    def shell(self) -> Polygon:
        """The inside with its outline, slightly enlarged: the region for steps from and to the outline."""
        return self.sheet.figure.buffer(1e-6)

    @cached_property
    def knots(self) -> BaseGeometry:
        """Points where earlier strokes meet each other or the outline."""
        lines = list(self.sheet.lines.values())
        found: list[Place] = []
        for k, line in enumerate(lines):
            found += [(line.coords[i][0], line.coords[i][1]) for i in (0, -1)]
            for other in lines[:k]:
                at = line.intersection(other)
                found += [(p.x, p.y) for p in getattr(at, "geoms", [at]) if isinstance(p, Point) and not p.is_empty]
        return MultiPoint(found)

    def begin(self) -> bool:
        """Starts the walk: with an end on the outline and a corner inside it, or anywhere if the stroke goes across
        nothing. Returns whether it succeeded.
        """
        if self.core.is_empty:
            return False
        if self.sheet.stroke.across is None:
            self.places = [self._inner_place()]
            return True
        for _ in range(EXITS):
            start = self._on_outline()
            if not self._good_end(start):
                continue
            for _ in range(EXITS):
                inward = self._away(start, self.clearance * self.rng.uniform(2, 6))
                if self._good_step(start, inward, self.shell):
                    self.places = [start, inward]
                    self.crossed = self._crossings(start, inward)
                    return True
        return False

    def go_on(self) -> bool:
        """Adds the best of some random corners, preferring those that add crossings up to the target. Returns False if
        none is possible.
        """
        here, before = self.places[-1], self.places[-2] if len(self.places) > 1 else self.places[-1]
        ahead = atan2(here[1] - before[1], here[0] - before[0])
        best: tuple[float, Place, int] | None = None
        for _ in range(CHOICES):
            turn = self.rng.gauss(0, 1.1) if self.rng.random() < 0.8 else self.rng.uniform(-pi, pi)
            far = self.sheet.size * self.rng.uniform(0.04, 0.32)
            there = self._at(here, far, ahead + turn)
            if not self._good_step(here, there, self.core):
                continue
            gain = self._crossings(here, there)
            if self.crossed + gain > self.target:
                continue
            value = 2 * self.rng.random() + gain - (4 * far / self.sheet.size if self.target > 10 else 0)
            if best is None or value > best[0]:
                best = value, there, gain
        if best is None:
            return False
        self.places.append(best[1])
        self.crossed += best[2]
        return True

    def go_back(self, steps: int) -> None:
        """Backtracks: drops the last corners, but never the first two places."""
        while steps > 0 and len(self.places) > 2:
            end = self.places.pop()
            self.crossed -= self._crossings(self.places[-1], end)
            steps -= 1

    def leave(self) -> bool:
        """Ends the walk, on the outline if the curve goes across one, dropping corners where necessary. Returns
        whether it succeeded.
        """
        if self.sheet.stroke.across is None:
            return len(self.places) > 1
        while len(self.places) > 1:
            here = self.places[-1]
            near = nearest_points(self.sheet.figure.exterior, Point(here))[0]
            for end in [(near.x, near.y), *(self._on_outline() for _ in range(EXITS))]:
                if self._good_end(end) and self._good_step(here, end, self.shell):
                    self.crossed += self._crossings(here, end)
                    self.places.append(end)
                    return True
            if len(self.places) == 2:
                break
            self.go_back(1)
        return False

    # ------------------------------------------------------------------------------------------- what is good

    def _good_step(self, here: Place, there: Place, region: Polygon) -> bool:
        """Returns whether the walk can go straight from one place to another."""
        step = LineString([here, there])
        if step.length < self.clearance or not region.covers(step) or not self._clear(step, self.knots):
            return False
        if not self._corner_is_clear(there) or not self._keeps_off_outline(step):
            return False
        return self._keeps_off_itself(step)

    def _keeps_off_itself(self, step: LineString) -> bool:
        if len(self.places) < 2:
            return True
        if len(self.places) > 2 and self._past(1).distance(step) < self.clearance:
            return False
        if self._past(0).distance(Point(step.coords[-1])) < self.clearance:
            return False
        # it must not run back close to the step before it either
        return bool(self._past(0).distance(step.interpolate(min(step.length, 2 * self.clearance))) >= self.clearance)

    def _past(self, without: int) -> LineString:
        """Returns the walk so far, without its last corners; cached while the walk stays the same."""
        key = (without, *self.places[-2:], len(self.places))
        if without not in self._kept or self._kept[without][0] != key:
            self._kept[without] = key, LineString(self.places[: len(self.places) - without])
        return self._kept[without][1]

    def _keeps_off_outline(self, step: LineString) -> bool:
        """Returns whether the middle of a step is away from the outline: a step from or to the outline must leave it
        at once.
        """
        outline = self.sheet.figure.exterior
        inner = step.interpolate(0.5, normalized=True)
        return bool(outline.distance(inner) >= min(self.clearance, step.length / 4))

    def _corner_is_clear(self, there: Place) -> bool:
        """Returns whether a corner is away from earlier strokes, so that every crossing is clear."""
        return self._clear(Point(there), self.sheet.all_lines, 0.6)

    def _clear(self, thing: BaseGeometry, other: BaseGeometry, part: float = 1.0) -> bool:
        return bool(other.is_empty or thing.distance(other) >= part * self.clearance)

    def _good_end(self, end: Place) -> bool:
        first = Point(self.places[0]) if self.places else None
        if first is not None and first.distance(Point(end)) < self.clearance:
            return False
        return self._clear(Point(end), self.knots) and self._clear(Point(end), self.sheet.all_lines)

    def _crossings(self, here: Place, there: Place) -> int:
        step = LineString([here, there])
        return sum(bool(step.crosses(line)) for line in self.sheet.lines.values())

    # -------------------------------------------------------------------------------------------------- places

    def _on_outline(self) -> Place:
        at = self.sheet.figure.exterior.interpolate(self.rng.random(), normalized=True)
        return float(at.x), float(at.y)

    def _away(self, start: Place, far: float) -> Place:
        return self._at(start, far, self.rng.uniform(0, 2 * pi))

    def _at(self, start: Place, far: float, angle: float) -> Place:
        places = self.sheet.places
        return round(start[0] + far * cos(angle), places), round(start[1] + far * sin(angle), places)

    def _inner_place(self) -> Place:
        left, low, right, high = self.core.bounds
        for _ in range(100):
            place = self._at((self.rng.uniform(left, right), self.rng.uniform(low, high)), 0, 0)
            if self.core.contains(Point(place)):
                return place
        at = self.core.representative_point()
        return float(at.x), float(at.y)
