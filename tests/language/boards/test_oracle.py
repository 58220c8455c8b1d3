"""Thousands of lines on a coarse lattice, where touching, running along and meeting in corners are common: another
library and plain signs decide what is good, and the checks have to agree."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest
from shapely import LineString, Point, Polygon

from gamedsl.language.boards.drawing import arrange, check_stroke
from tests.language.boards.plans import NINE, SQUARE, drawing

BASE = drawing(SQUARE)
SIDE = 90
LINES = {"upper": (1, 60), "lower": (1, 30), "left": (0, 30), "right": (0, 60)}  # axis and place
OUTLINE = Polygon([(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)]).exterior
KNOTS = [Point(x, y) for x in (30, 60) for y in (30, 60)]
USED_ENDS = {(x, y) for a in (30, 60) for b in (0, SIDE) for x, y in ((a, b), (b, a))}

Places = list[tuple[int, int]]


def random_line(rng: Random) -> Places:
    """Up to six corners on a lattice, with both ends on the outline."""
    step = rng.choice([3, 5, 10])
    found = [(rng.randrange(0, SIDE + 1, step), rng.randrange(0, SIDE + 1, step)) for _ in range(rng.randint(2, 6))]
    for end in (0, -1):
        x, y = found[end]
        found[end] = rng.choice([(x, 0), (x, SIDE), (0, y), (SIDE, y)])
    return found


def is_good(places: Places) -> bool:
    line = LineString(places)
    if len(set(places)) < len(places) or not line.is_simple or {places[0], places[-1]} & USED_ENDS:
        return False
    common = line.intersection(OUTLINE)
    met = {(p.x, p.y) for p in getattr(common, "geoms", [common]) if isinstance(p, Point)}
    if common.geom_type not in ("Point", "MultiPoint") or met != {places[0], places[-1]}:
        return False
    return not any(line.distance(knot) < 1e-9 for knot in KNOTS) and all(crosses(places, *on) for on in LINES.values())


def crosses(places: Places, axis: int, at: int) -> bool:
    """Whether a corner on the line, if any, has its neighbours on opposite sides."""
    sides = [(p[axis] > at) - (p[axis] < at) for p in places]
    corners = zip(sides, sides[1:], sides[2:], strict=False)
    return all(here != 0 or before * after == -1 for before, here, after in corners)


def agree(seed: int, count: int) -> int:
    rng = Random(seed)
    accepted = 0
    for _ in range(count):
        places = random_line(rng)
        points = tuple((Fraction(x), Fraction(y)) for x, y in places)
        faults = check_stroke(NINE, BASE, "bend", points)
        assert (not faults) == is_good(places), (places, faults)
        if not faults:
            found = arrange(NINE, (*BASE, ("bend", points)))
            k = found.crossings("bend")
            assert (len(found.spaces), len(found.borders)) == (10 + k, 13 + 2 * k)
            accepted += 1
    return accepted


def test_the_checks_agree_with_an_independent_judge() -> None:
    assert agree(1, 150) > 20


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 6))
def test_the_checks_agree_again_and_again(seed: int) -> None:
    assert agree(seed, 2000) > 300
