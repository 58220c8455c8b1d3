"""Drawing by hand: the pen, ready figures, ends that are moved onto the outline, the sheet with its axes."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamedsl.engine.picture.freehand import FIGURES, onto_outline
from gamedsl.language.boards.drawing import Plan, parse_points
from gamedsl.language.boards.drawing.snap_path import snapped_paths
from gamedsl.language.core.nodes import DrawingT
from gamedsl.play.terminal.input.pen import Pen
from gamedsl.play.terminal.render.canvas import plain, width
from gamedsl.play.terminal.render.page import layout_page, render_page
from gamedsl.play.terminal.render.viewport import Viewport
from gamedsl.play.terminal.session.session import Session

from .script import session_of, sit

SQUARE = (("figure", parse_points("0,0 90,0 90,90 0,90")),)


def plan_of(session: Session) -> Plan:
    var = session.game.program.parts[0].drawing
    assert var is not None and isinstance(var.type, DrawingT)
    plan: Plan = var.type.plan
    return plan


@pytest.fixture(scope="module")
def plan() -> Plan:
    return plan_of(session_of("abs-trac-toe"))


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("2,30 88,30", "0,30 90,30"),  # 90 * 5 % = 4.5
        ("-3,30 94,30", "0,30 90,30"),
        ("5,30 90,30", "5,30 90,30"),
        ("0,30 90,30", "0,30 90,30"),
        ("-40,30 150,30", "0,30 90,30"),  # what overshoots is cut, however far it goes
        ("-10,20 110,50", "0,22.5 90,45"),  # where it meets the outline: y = 20 + (x + 10) / 4
        ("-40,30 -10,30", "-40,30 -10,30"),  # it never meets the outline
    ],
)
def test_ends_near_the_outline_are_moved_onto_it(plan: Plan, typed: str, kept: str) -> None:
    stroke = plan.stroke("upper")
    assert stroke is not None
    assert onto_outline(stroke, parse_points(typed), snapped_paths(plan, SQUARE)) == parse_points(kept)


def test_bends_are_not_moved(plan: Plan) -> None:
    stroke = plan.stroke("bend")
    assert stroke is not None
    points = parse_points("-9,1 -9,10 2,10 20,30 50,80 50,120 70,120")  # corners outside go with what is cut off
    assert onto_outline(stroke, points, snapped_paths(plan, SQUARE)) == parse_points("0,10 2,10 20,30 50,80 50,90")
    points = parse_points("1,10 2,50 50,50 50,88")
    assert onto_outline(stroke, points, snapped_paths(plan, SQUARE)) == parse_points("0,10 2,50 50,50 50,90")


def test_fractions() -> None:
    assert parse_points("1/2,3/4") == parse_points("0.5,0.75") == ((Fraction(1, 2), Fraction(3, 4)),)
    assert parse_points("1/3,-2/4") == parse_points("0.333333333,-0.5")


@pytest.mark.parametrize("word", FIGURES)
def test_ready_figures_can_be_divided(plan: Plan, word: str) -> None:
    """A whole board is drawn on each of them, with ends that are only nearly right."""
    session = session_of("abs-trac-toe")
    lines = ["12,38 88,38", "12,62 88,62", "38,12 38,88", "62,12 62,88"]
    if word == "hexagon":
        lines = ["14,38 86,38", "14,62 86,62", "40,12 40,88", "60,12 60,88"]
    table, face = sit(session, word, *lines, people=False)
    with pytest.raises(EOFError):
        table.run()
    assert "draws figure, upper, lower, left, right" in face.text and "p2, bend>" in face.text
    assert "was moved onto figure" in face.text


def test_a_pen_draws_a_figure_and_a_line(plan: Plan) -> None:
    stroke = plan.stroke("figure")
    assert stroke is not None
    pen = Pen(stroke, {})
    pen.move("left")
    for way in ("left", "up", "right", "down"):
        assert pen.touch() and pen.answer is None
        pen.move(way)  # type: ignore[arg-type]
    assert pen.at == pen.points[0] and pen.touch()
    assert pen.answer == "50,50 49,50 49,49 50,49"
    line = plan.stroke("upper")
    assert line is not None
    pen = Pen(line, snapped_paths(plan, SQUARE))
    pen.at = (Fraction(2), Fraction(30))
    pen.touch()
    pen.at = (Fraction(70), Fraction(30))
    pen.touch()
    assert pen.answer == "2,30 70,30"


def test_a_point_can_be_taken_back(plan: Plan) -> None:
    stroke = plan.stroke("figure")
    assert stroke is not None
    pen = Pen(stroke, {})
    pen.move("up")
    pen.touch()
    pen.move("up")
    pen.back()
    assert pen.points == [] and pen.at == (50, 50) and pen.is_shown
    pen.back()
    assert not pen.is_shown


def test_a_curve_across_ends_on_the_outline(plan: Plan) -> None:
    stroke = plan.stroke("bend")
    assert stroke is not None
    pen = Pen(stroke, snapped_paths(plan, SQUARE))
    for x, y in ((0, 10), (50, 50), (88, 20)):
        assert pen.answer is None
        pen.at = (Fraction(x), Fraction(y))
        pen.touch()
    assert pen.answer == "0,10 50,50 88,20"


@given(st.integers(40, 120), st.integers(12, 40), st.booleans(), st.integers(0, 100), st.integers(0, 100))
def test_the_sheet_fits_the_page_and_shows_the_pen(columns: int, rows: int, ascii: bool, x: int, y: int) -> None:
    session = session_of("abs-trac-toe")
    stroke = plan_of(session).stroke("figure")
    assert stroke is not None
    pen = Pen(stroke, {})
    pen.is_shown, pen.at = True, (Fraction(x), Fraction(y))
    picture = replace(pen.marked(session.picture()), paper=(plan_of(session), ()))
    lines = render_page(picture, Viewport(columns, rows, ascii))
    assert max(width(line) for line in lines) <= columns
    assert "+" in "".join(plain(line) for line in lines)
    pen.rendered = layout_page(picture, Viewport(columns, rows, ascii))
    assert pen.rendered.page is not None
    before = pen.at
    pen.move("right", fine=True)
    assert pen.at[0] == min(before[0] + 1, 100)


def test_a_click_sets_a_point(plan: Plan) -> None:
    session = session_of("abs-trac-toe")
    stroke = plan.stroke("figure")
    assert stroke is not None
    pen = Pen(stroke, {})
    pen.rendered = layout_page(replace(pen.marked(session.picture()), paper=(plan, ())), Viewport(80, 20))
    assert not pen.touch_at(0, 0), "the axis"
    assert pen.touch_at(pen.rendered.left + 10, 5) and len(pen.points) == 1


@pytest.mark.parametrize(
    ("figure", "low", "high"),
    [("0,0 300,0 300,200 0,200", (0, 0), (300, 200)), ("-50,-20 90,0 90,90", (-50, -20), (100, 100))],
)
def test_the_pen_goes_over_all_of_a_larger_sheet(
    plan: Plan, figure: str, low: tuple[int, int], high: tuple[int, int]
) -> None:
    drawn = (("figure", parse_points(figure)),)
    stroke = plan.stroke("upper")
    assert stroke is not None
    pen = Pen(stroke, snapped_paths(plan, drawn))
    picture = replace(pen.marked(session_of("abs-trac-toe").picture()), paper=(plan, drawn))
    pen.rendered = layout_page(picture, Viewport(80, 20))
    for ways, corner in ((("right", "down"), high), (("left", "up"), low)):
        for way in ways * 200:
            pen.move(way)  # type: ignore[arg-type]
        assert pen.at == corner
    page = pen.rendered.page
    assert page is not None and pen.touch_at(pen.rendered.left + page.columns - 1, 0)
    assert pen.points[0][0] > high[0] - 300 / page.columns


def test_the_axes_have_ticks_at_round_numbers_and_plain_mode_has_them_too() -> None:
    for text in ("square", "0,0 300,0 300,300 0,300"):
        table, face = sit(session_of("abs-trac-toe"), text, "quit", "no")
        table.run()
        sheet = face.text[face.text.index("p1, figure> ") :]
        axis = next(line for line in sheet.splitlines() if line.strip().startswith("0 "))
        labels = [int(x) for x in axis.split() if x.isdecimal()]
        steps = {b - a for a, b in itertools.pairwise(labels)}
        assert labels[0] == 0 and len(steps) == 1, axis
        assert steps <= {10, 20, 50, 100}
