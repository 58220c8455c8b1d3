"""Bad strokes: each with the code and the clause that it is refused with. Numbers are placed by hand."""

from __future__ import annotations

import pytest

from gamedsl.language.boards.drawing import (
    Condition,
    Drawing,
    Fault,
    Plan,
    StrokePlan,
    check_stroke,
    parse_points,
    plan_problems,
)
from tests.language.boards.plans import FIGURE, NINE, SQUARE, drawing

BOX = "figure 0,0 90,0 90,90 0,90"
UPPER = f"{BOX}; upper 0,60 90,60"
LEVELS = f"{UPPER}; lower 0,30 90,30"
# a figure with a dent from above: the inside is cut off along x = 50 above y = 40
DENT = "figure 0,0 100,0 100,100 60,100 50,40 40,100 0,100"


def faults(before: str, text: str, plan: Plan = NINE) -> list[Fault]:
    name, points = text.split(maxsplit=1)
    return check_stroke(plan, drawing(before), name, parse_points(points))


GOOD = [
    ("", "figure 0,0 90,0 90,90 0,90"),
    ("", "figure 0,0 90,0 90,90 0,90 0,0"),
    ("", "figure 0,0 0,90 90,90 90,0"),
    ("", "figure 0,0 90,0 90,0.001"),
    (BOX, "upper 0,60 90,60"),
    (BOX, "upper 90,60 0,60"),
    (BOX, "upper 0,0 90,90"),  # exactly 45 degrees, from corner to corner
    (BOX, "upper 0,60.005 90.005,60"),  # ends that are moved onto the outline
    (DENT, "upper 0,20 100,30"),
    (f"{DENT}; upper 0,20 100,20; lower 0,30 100,30", "left 45,0 50,40"),  # ends in the dent, where going on leads out
    (LEVELS, "left 30,0 30,90"),
    (LEVELS, "left 0,0 80,90"),
    (SQUARE, "bend 0,10 10,0"),
    (SQUARE, "bend 0,10 40,10 40,20 0,20"),
    (SQUARE, "bend 0,10 90,10"),
    (SQUARE, "bend 0,40 30,45 60,40 90,41"),  # corners on the upright lines, which it crosses there
    (SQUARE, "bend 0,0 20,10 0,20"),  # from the outline's own corner
]


@pytest.mark.parametrize(("before", "text"), GOOD)
def test_good_strokes(before: str, text: str) -> None:
    assert faults(before, text) == []


BAD = [
    # the outline
    ("", "figure 0,0 90,90 90,0 0,90", "E0710", "simple"),  # an hourglass
    ("", "figure 0,0 90,0 90,90 45,0 0,90", "E0710", "simple"),  # a corner on a side
    ("", "figure 0,0 90,0 90,90 45,0.00001 0,90", "E0723", "simple"),  # a corner nearly on a side
    ("", "figure 0,0 90,0 90,90 0,90 0,50 50,50 0,50", "E0710", "simple"),  # there and back again
    ("", "figure 0,0 90,0", "E0703", "figure"),
    ("", "figure 0,0 45,0 90,0", "E0708", "figure"),  # flat
    ("", "figure 0,0 90,0 90,0 90,90", "E0704", "figure"),
    ("", "figure 0,0 90,0 90,0.00001 90,90", "E0704", "figure"),
    (BOX, "figure 0,0 90,0 90,90 0,90", "E0706", "figure"),
    # straight lines
    ("", "upper 0,60 90,60", "E0707", "line"),
    (BOX, "upper 0,60 45,70 90,60", "E0703", "line"),
    (BOX, "upper 0,60 80,60", "E0711", "line"),  # ends inside
    (BOX, "upper 0,60 90.1,60", "E0711", "line"),  # a tenth of a unit outside
    (BOX, "upper 0,60 0,60", "E0714", "line"),
    (BOX, "upper 0,60 0,30", "E0712", "line"),  # along the outline
    (BOX, "upper 0,0 45,0", "E0712", "line"),
    (BOX, "upper 0,60 0.000001,60", "E0714", "line"),
    (BOX, "upper 10,0 20,90", "E0715", "level"),
    (BOX, "upper 0,0 89.99,90", "E0715", "level"),  # a little over 45 degrees
    (DENT, "upper 0,50 100,50", "E0712", "line"),  # leaves the figure in the dent
    (DENT, "upper 0,40 100,40", "E0712", "line"),  # touches the dent's corner from below
    (DENT, "upper 0,39.99999 100,39.99999", "E0723", "line"),  # nearly touches it
    (DENT, "upper 0,20 50,40", "E0713", "line"),  # grazes the dent's corner
    (DENT, "upper 40,100 60,100", "E0712", "line"),  # outside all the way
    (UPPER, "lower 0,60 90,30", "E0716", "apart"),
    (UPPER, "lower 0,60 90,30", "E0721", "ends"),
    (UPPER, "lower 0,80 90,30", "E0716", "apart"),
    (UPPER, "lower 0,59.999999 90,30", "E0723", "apart"),
    (LEVELS, "left 30,0 30,30", "E0711", "line"),
    (LEVELS, "left 0,45 45,90", "E0717", "once"),  # crosses only one of the two
    (LEVELS, "left 0,60 30,90", "E0721", "ends"),
    (LEVELS, "left 0,60 30,90", "E0717", "once"),
    (LEVELS, "left 0,60 30,90", "E0718", "once"),
    # the line that bends
    (SQUARE, "bend 0,10", "E0703", "bend"),
    (SQUARE, "bend 0,10 20,10", "E0711", "bend"),
    (SQUARE, "bend 0,10 20,10 0,10", "E0714", "bend"),
    (SQUARE, "bend 0,10 25,10 25,25 10,25 10,0", "E0710", "bend simple"),
    (SQUARE, "bend 0,10 25,10 25,20 10,20 10,10.00001 0,5", "E0710", "bend simple"),
    (SQUARE, "bend 0,10 25,10 25,20 15,10.00001 10,20 0,25", "E0723", "bend simple"),
    (SQUARE, "bend 0,10 -5,20 0,25", "E0712", "bend"),  # outside
    (SQUARE, "bend 0,10 10,10 0,15 10,20 0,25", "E0712", "bend"),  # touches the outline on the way
    (SQUARE, "bend 0,10 30,15 0,20", "E0718", "crosses"),  # touches an upright line
    (SQUARE, "bend 0,10 29.99999,15 0,20", "E0723", "crosses"),
    (SQUARE, "bend 0,10 30,10 30,20 0,20", "E0719", "crosses"),  # runs along
    (SQUARE, "bend 0,10 30,10 30,20 50,20 50,0", "E0719", "crosses"),  # runs along and goes over to the other side
    (SQUARE, "bend 0,20 30,30 45,40 45,0", "E0720", "avoids"),
    (SQUARE, "bend 0,20 20,20 40,39.99999 45,0", "E0720", "avoids"),  # so near that nobody can tell
    (SQUARE, "bend 0,30 10,10 0,5", "E0721", "bend ends"),
    (SQUARE, "bend 0,5 10,10 0,30.000001", "E0721", "bend ends"),
    (SQUARE, "bend 0,10 0.000001,20 10,0", "E0723", "bend"),
]


@pytest.mark.parametrize(("before", "text", "code", "clause"), BAD)
def test_bad_strokes(before: str, text: str, code: str, clause: str) -> None:
    assert (code, clause) in [(f.code, c) for f in faults(before, text) for c in f.clauses]


def test_a_fault_names_its_place() -> None:
    (fault,) = faults(BOX, "upper 0,60 80,60")
    assert fault.message == "its end (80, 60) is not on `figure`. The nearest point of `figure` is (90, 60)."
    (fault,) = faults(SQUARE, "bend 0,10 30,15 0,20")
    assert fault.message.startswith("it touches `left` near (30, 15) without crossing it")
    (fault,) = faults(SQUARE, "bend 0,10 25,10 25,25 10,25 10,0")
    assert "near (10, 10)" in fault.message


def test_one_mistake_is_told_once() -> None:
    assert [f.code for f in faults("", "figure 0,0 90,90 90,0 0,90")] == ["E0710"]
    assert [f.code for f in faults("", "figure 0,0 45,0 90,0")] == ["E0708"]
    assert [f.code for f in faults(BOX, "upper 10,0 20,90")] == ["E0715"]


def test_names_that_are_no_strokes() -> None:
    (fault,) = faults(BOX, "middle 0,60 90,60")
    assert fault.code == "E0705"
    assert "figure, upper, lower" in fault.message


def test_numbers_that_are_no_coordinates() -> None:
    from fractions import Fraction

    (fault,) = check_stroke(NINE, drawing(BOX), "upper", ((Fraction(0), Fraction(1, 3)), (Fraction(90), Fraction(1))))
    assert fault.code == "E0702"


def test_more_spaces_than_the_plan_allows() -> None:
    plan = Plan(11, NINE.strokes)
    assert [f.code for f in faults(SQUARE, "bend 0,10 40,10 40,20 0,20", plan)] == ["E0722"]
    assert faults(SQUARE, "bend 0,10 40,10 40,0", plan) == []


ORDER = Plan(
    20,
    (
        FIGURE,
        StrokePlan("first", "straight line", "figure", (Condition("crosses once", None, ("second",), ("a",)),)),
        StrokePlan("second", "straight line", "figure"),
        StrokePlan("loop", "closed curve", None, (Condition("apart", None, ("figure",), ("b",)),)),
    ),
)


def test_conditions_also_hold_for_strokes_that_come_later() -> None:
    before = f"{BOX}; first 0,60 90,60"
    assert [f.code for f in faults(before, "second 0,30 90,30", ORDER)] == ["E0717"]
    assert faults(before, "second 30,0 30,90", ORDER) == []


def test_closed_curves_beside_the_outline() -> None:
    assert faults(BOX, "loop 10,10 20,10 20,20", ORDER) == []
    assert [f.code for f in faults(BOX, "loop 10,10 200,10 20,20", ORDER)] == ["E0716"]


def test_strokes_without_conditions_share_single_points_only() -> None:
    loose = Plan(20, (FIGURE, StrokePlan("line", "open curve", None, (), ("l",))))
    assert faults(BOX, "line -10,10 50,10 50,50 20,50 20,-10", loose) == []  # may leave the figure and cross itself
    assert [f.code for f in faults(BOX, "line -10,0 50,0", loose)] == ["E0719"]
    assert [f.code for f in faults(BOX, "line 10,10 50,10 20,10", loose)] == ["E0719"]


def test_every_angle_is_measured_from_the_points_as_given() -> None:
    plan = Plan(9, (FIGURE, StrokePlan("up", "straight line", "figure", (Condition("vertical", 0, (), ("v",)),))))
    assert faults(BOX, "up 30,0 30,90", plan) == []
    assert [f.code for f in faults(BOX, "up 30,0 30.001,90", plan)] == ["E0715"]


def test_plans_that_make_no_sense() -> None:
    assert plan_problems(NINE) == []
    line = StrokePlan("line", "straight line", "curve", (Condition("apart", None, ("nobody",)),))
    bent = StrokePlan("bent", "open curve", None, (Condition("vertical", 100),))
    ring = StrokePlan("ring", "closed curve", None, (Condition("new ends"),))
    sentences = [sentence for _, sentence in plan_problems(Plan(9, (line, bent, ring)))]
    assert len(sentences) == 5
    assert any("`curve`" in s for s in sentences)


def test_faults_of_the_whole_square_as_it_is_drawn() -> None:
    drawn: Drawing = ()
    for name, points in drawing(SQUARE):
        assert check_stroke(NINE, drawn, name, points) == []
        drawn = (*drawn, (name, points))
