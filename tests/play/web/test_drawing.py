"""Drawing on a board that players draw, by mouse: valid drawings, every kind of fault at its place, undo, typed points."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

import gamedsl

from .browser import give_back, needs_browser, open_page
from .dev_table import DevTable

needs_browser()
from playwright.sync_api import expect  # noqa: E402  (only where there is a browser)

Points = list[tuple[float, float]]
FIGURE: Points = [(10, 10), (90, 10), (90, 90), (10, 90), (10, 12)]
UPPER: Points = [(11, 38), (89, 40)]
LOWER: Points = [(11, 64), (89, 62)]
LEFT: Points = [(38, 11), (36, 89)]
RIGHT: Points = [(64, 11), (66, 89)]
BEND: Points = [(11, 24), (48, 24), (50, 75), (89, 78)]


@pytest.fixture
def sheet(chrome: Any) -> Iterator[tuple[Any, DevTable]]:
    table = DevTable(gamedsl.load("abs-trac-toe"))
    page = open_page(chrome, table)
    yield page, table
    assert not give_back(page)


def screen_points(page: Any, points: Points) -> list[list[float]]:
    """Points of the sheet in pixels of the window."""
    return page.evaluate(  # type: ignore[no-any-return]
        """(points) => { const svg = shown.board.element, m = svg.getScreenCTM();
        return points.map((p) => { const q = shown.board.layout.point(p);
        const r = new DOMPoint(q[0], q[1]).matrixTransform(m); return [r.x, r.y]; }); }""",
        [list(p) for p in points],
    )


def draw(page: Any, points: Points) -> None:
    """One stroke by mouse, in units of the sheet."""
    on_screen = screen_points(page, points)
    page.mouse.move(*on_screen[0])
    page.mouse.down()
    for x, y in on_screen[1:]:
        page.mouse.move(x, y, steps=6)
    page.mouse.up()


def draw_by_finger(page: Any, points: Points) -> None:
    """One stroke by a finger, as the browser gets it from a touch screen, in units of the sheet."""
    page.locator(".board-svg").scroll_into_view_if_needed()
    on_screen = screen_points(page, points)
    session = page.context.new_cdp_session(page)

    def send(kind: str, touches: list[dict[str, float]]) -> None:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    send("touchStart", [{"x": on_screen[0][0], "y": on_screen[0][1]}])
    for (x, y), (a, b) in pairwise(on_screen):
        for step in range(1, 7):
            send("touchMove", [{"x": x + (a - x) * step / 6, "y": y + (b - y) * step / 6}])
    send("touchEnd", [])


def drawn(page: Any, number: int) -> None:
    """Waits until so many strokes are good."""
    expect(page.locator(".strokes .done")).to_have_count(number)


def test_a_whole_drawing_by_mouse_then_a_claim(sheet: Any) -> None:
    page, table = sheet
    strokes(page, NINE)
    draw(page, BEND)
    drawn(page, 1)
    page.get_by_role("button", name="Accept the drawing").click()
    page.wait_for_selector(".place.on-space.start")
    page.locator(".place.on-space.start .hit").first.click(force=True)
    expect(page.locator(".owned")).to_have_count(1)
    assert table.nodes[-1].move is not None and table.nodes[-1].move.name == "claim"


ZIGZAG: Points = [(11, 24), *((15 + 1.6 * i, 24 if i % 2 else 55) for i in range(43)), (89, 50)]
NINE = [FIGURE, UPPER, LOWER, LEFT, RIGHT]
# By name: the strokes before, the bad one, the code of its fault, where it is on the sheet, its clause.
FAULTS: dict[str, tuple[list[Points], Points, str, tuple[float, float] | None, str]] = {
    "a figure without an inside": ([], [(10, 50), (90, 50), (10, 50)], "E0703", None, "AT-1"),
    "a figure crosses itself": ([], [(10, 10), (90, 90), (90, 10), (10, 90), (10, 11)], "E0710", (50, 50), "AT-a"),
    "a level line is upright": ([FIGURE], [(20, 88), (34, 12)], "E0715", None, "AT-a"),
    "a line ends inside": ([FIGURE], [(30, 40), (60, 42)], "E0711", (30, 40), "AT-2"),
    "a line runs along the figure": ([FIGURE], [(20, 10), (80, 10)], "E0712", None, "AT-2"),
    "two lines meet": ([FIGURE, UPPER], [(11, 30), (89, 60)], "E0716", (33, 38.6), "AT-a"),
    "a line begins where another ends": ([FIGURE, UPPER], [(11, 38), (89, 62)], "E0716", (10, 38), "AT-a"),
    "an upright line misses the level ones": ([FIGURE, UPPER, LOWER], [(70, 11), (89, 36)], "E0717", None, "AT-2"),
    "a bend leaves the figure": (NINE, [(11, 24), (-2, 30), (50, 75), (89, 78)], "E0712", (10, 40.4), "AT-3"),
    "a bend crosses itself": (
        NINE, [(11, 24), (60, 24), (60, 50), (30, 50), (30, 15), (89, 78)], "E0710", (30, 24), "AT-3",
    ),
    "a bend ends where it began": (NINE, [(11, 24), (48, 24), (48, 34), (20, 34), (11, 24)], "E0714", (10, 24), "AT-3"),
    "a bend makes too many spaces": (NINE, ZIGZAG, "E0722", None, "AT-3"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_shown_at_its_place_with_its_clause(sheet: Any, name: str) -> None:
    before, bad, code, at, clause = FAULTS[name]
    page, _ = sheet
    strokes(page, before)
    draw(page, bad)
    page.wait_for_selector(".stroke.failed", state="attached")
    faults = page.evaluate("shown.pen.faults")
    assert clause in page.inner_text(".faults")
    first = next(fault for fault in faults if fault["code"] == code)
    if at is not None:
        assert first["at"] == pytest.approx(at, abs=2)
    expect(page.locator(".fault")).to_have_count(sum(fault["at"] is not None for fault in faults))
    drawn(page, len(before) % len(NINE))
    draw(page, BEND if before == NINE else NINE[len(before)])  # and now a good one
    drawn(page, len(before) % len(NINE) + 1)


def strokes(page: Any, points: list[Points]) -> None:
    """Draws good strokes; after all five of the first drawing, accepts it."""
    for number, stroke in enumerate(points, 1):
        draw(page, stroke)
        drawn(page, number)
    if len(points) == len(NINE):
        page.get_by_role("button", name="Accept the drawing").click()
        expect(page.locator(".strokes li")).to_have_count(1)


@pytest.mark.slow
def test_a_whole_drawing_and_a_fault_by_finger(chrome: Any) -> None:
    table = DevTable(gamedsl.load("abs-trac-toe"))
    page = open_page(chrome, table, "phone")
    for number, stroke in enumerate((FIGURE, UPPER, LOWER, LEFT, RIGHT), 1):
        draw_by_finger(page, stroke)
        drawn(page, number)
    page.get_by_role("button", name="Accept the drawing").click()
    expect(page.locator(".strokes li")).to_have_count(1)
    draw_by_finger(page, [(30, 40), (60, 42)])
    page.wait_for_selector(".stroke.failed", state="attached")
    assert "AT-" in page.inner_text(".faults")
    assert not give_back(page)


def test_strokes_are_undone_one_by_one(sheet: Any) -> None:
    page, table = sheet
    draw(page, FIGURE)
    drawn(page, 1)
    draw(page, UPPER)
    drawn(page, 2)
    ends = page.evaluate("shown.pen.own[1][1]")
    assert ends[0][0] == pytest.approx(10, abs=0.5) and ends[1][0] == pytest.approx(90, abs=0.5)
    page.get_by_role("button", name="Undo stroke").click()
    drawn(page, 1)
    assert table.state.kind == "drawing"


def test_points_can_be_typed(sheet: Any) -> None:
    page, _ = sheet
    page.locator(".pen input").fill("10,10 90,10 90,90 10,90")
    page.get_by_role("button", name="Draw these points").click()
    drawn(page, 1)
