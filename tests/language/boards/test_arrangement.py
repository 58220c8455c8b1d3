"""Spaces and borders of finished drawings, against hand counts, Euler's formula and another library."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import LineString, Point, unary_union
from shapely.ops import polygonize

from gamedsl.language.boards.drawing import Arrangement, Drawing, Plan, StrokePlan, arrange, check_stroke, snapped_paths
from gamedsl.language.boards.drawing.random_drawing import generate
from tests.language.boards.plans import FIGURE, NINE, SQUARE, drawing

TRACES = Path(__file__).parents[2] / "games" / "traces" / "drawings.json"
RECORDED: list[dict[str, Any]] = json.loads(TRACES.read_text(encoding="utf-8"))


def recorded(trace: dict[str, Any]) -> Drawing:
    strokes = trace["drawing"]
    (upper, lower), (left, right) = strokes["horizontals"], strokes["verticals"]
    named = {"figure": strokes["figure"], "upper": upper, "lower": lower, "left": left, "right": right}
    named["bend"] = strokes["bend"]
    return tuple((n, tuple((Fraction(str(x)), Fraction(str(y))) for x, y in line)) for n, line in named.items())


@pytest.mark.parametrize("trace", RECORDED, ids=[t["name"] for t in RECORDED])
def test_recorded_drawings(trace: dict[str, Any]) -> None:
    drawn: Drawing = ()
    for name, points in recorded(trace):
        assert check_stroke(NINE, drawn, name, points) == []
        drawn = (*drawn, (name, points))
    found = arrange(NINE, drawn)
    assert len(found.spaces) == trace["spaces"]
    assert len(found.borders) == trace["borders"]
    assert found.crossings("bend") == trace["bend_crossings"]
    inner = [found.space_at(Fraction(str(x)), Fraction(str(y))) for x, y in trace["inner_points"]]
    assert sorted(s for s in inner if s is not None) == list(range(trace["spaces"]))


def with_bend(points: str) -> Arrangement:
    return arrange(NINE, drawing(f"{SQUARE}; bend {points}"))


def test_a_corner_cut_off() -> None:
    found = with_bend("0,10 10,0")
    assert [(float(s.inner[0]), float(s.inner[1])) for s in found.spaces[:2]] == [(2.5, 5.0), (45.0, 15.0)]
    # the cut-off corner borders on the rest of its section only
    assert found.neighbors(0) == (3,)
    assert [b.spaces for b in found.borders if b.stroke == "bend"] == [(0, 3)]
    assert [float(v) for p in found.borders[0].path for v in p] == [0, 10, 10, 0]


def test_bends_do_not_split_borders() -> None:
    straight, bent = with_bend("0,10 90,10"), with_bend("0,10 10,12 20,8 90,10")
    assert len(straight.borders) == len(bent.borders) == 13 + 2 * 2
    assert len(straight.spaces) == len(bent.spaces) == 12


def test_crossing_one_line_again_and_again() -> None:
    found = with_bend("0,10 40,12 20,14 40,16 20,18 40,20 0,24")
    assert found.crossings("bend") == 6
    assert (len(found.spaces), len(found.borders)) == (16, 25)
    assert found.crossings("left") == 2  # the two level lines: other strokes don't count
    assert found.crossings("figure") == 0


def test_crossing_in_a_corner_of_the_bend() -> None:
    found = with_bend("0,40 30,45 60,40 90,41")
    assert (found.crossings("bend"), len(found.spaces), len(found.borders)) == (2, 12, 17)


def test_points_on_strokes_and_outside_lie_in_no_space() -> None:
    found = with_bend("0,10 10,0")
    for x, y in ((30, 45), (0, 20), (5, 5), (100, 20), (-1, 5)):
        assert found.space_at(Fraction(x), Fraction(y)) is None


@pytest.mark.parametrize("count", range(6))
def test_without_all_strokes_there_are_no_spaces(count: int) -> None:
    found = arrange(NINE, drawing(SQUARE)[:count])
    assert (found.spaces, found.borders, found.crossings("upper")) == ((), (), 0)


def test_order_does_not_depend_on_how_strokes_were_drawn() -> None:
    forward = with_bend("0,10 40,10 40,20 0,20")
    turned = drawing("figure 90,90 90,0 0,0 0,90 90,90; bend 0,20 40,20 40,10 0,10; right 60,90 60,0; left 30,90 30,0")
    turned += drawing("lower 90,30 0,30; upper 90,60 0,60")
    other = arrange(NINE, turned)
    assert [s.inner for s in other.spaces] == [s.inner for s in forward.spaces]
    assert [b.spaces for b in other.borders] == [b.spaces for b in forward.borders]


ISLANDS = Plan(
    20,
    (
        FIGURE,
        StrokePlan("island", "closed curve"),
        StrokePlan("lake", "closed curve"),
        StrokePlan("road", "open curve"),
    ),
)


def test_curves_inside_each_other() -> None:
    text = "figure 0,0 100,0 100,100 0,100; island 20,20 80,20 80,80 20,80; lake 40,40 60,40 60,60 40,60; road 5,5 5,95"
    found = arrange(ISLANDS, drawing(text))
    assert len(found.spaces) == 3
    assert sorted(len(s.holes) for s in found.spaces) == [0, 1, 2]  # the road is a hole as well, without an inside
    assert len(found.borders) == 2  # the road has the same space on both sides
    where = [found.space_at(Fraction(x), Fraction(50)) for x in (10, 30, 50)]
    assert sorted(str(w) for w in where) == ["0", "1", "2"]
    assert found.neighbors(where[1] or 0) == tuple(sorted((where[0] or 0, where[2] or 0)))


def test_a_curve_that_crosses_itself() -> None:
    loose = Plan(9, (StrokePlan("eight", "closed curve"),))
    found = arrange(loose, drawing("eight 0,0 10,10 10,0 0,10"))
    assert (len(found.spaces), len(found.borders)) == (2, 0)  # they share a corner only


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_another_library_finds_the_same_spaces(seed: int) -> None:
    rng = Random(seed)
    drawn = generate(NINE, (), NINE.names, rng)
    found = arrange(NINE, drawn)
    lines = [LineString([(float(x), float(y)) for x, y in path]) for path in snapped_paths(NINE, drawn).values()]
    # ends lie exactly on the outline in fractions; in floating point they are lengthened a little
    polygons = [p for p in polygonize(unary_union([*lines[:1], *map(lengthened, lines[1:])])) if p.area > 1e-6]
    assert len(found.spaces) == len(polygons)
    for space in found.spaces:
        at = Point(float(space.inner[0]), float(space.inner[1]))
        assert sum(p.contains(at) for p in polygons) == 1
        assert found.space_at(*space.inner) == found.spaces.index(space)


def lengthened(line: LineString) -> LineString:
    (xa, ya), (xb, yb), *_ = line.coords
    (xc, yc), (xd, yd) = line.coords[-2:]
    far = 1e-7
    first, last = (xa + (xa - xb) * far, ya + (ya - yb) * far), (xd + (xd - xc) * far, yd + (yd - yc) * far)
    return LineString([first, *line.coords[1:-1], last])


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**6))
def test_euler(seed: int) -> None:
    """Meeting points minus pieces plus spaces is 1, for a drawing that hangs together."""
    drawn = generate(NINE, (), NINE.names, Random(seed))
    found = arrange(NINE, drawn)
    k = found.crossings("bend")
    points = 4 + k + 10  # crossings of the lines, of the bend with them, ends on the outline
    inner_pieces = 4 * 3 + k + k + 1  # each line is cut in three, every crossing of the bend cuts both
    outer_pieces = 10
    assert len(found.spaces) == 1 - points + inner_pieces + outer_pieces == 10 + k
    assert len(found.borders) == inner_pieces == 13 + 2 * k
    assert len({b.spaces for b in found.borders}) == len(found.borders)
    assert sum(len(found.neighbors(s)) for s in range(len(found.spaces))) == 2 * len(found.borders)
