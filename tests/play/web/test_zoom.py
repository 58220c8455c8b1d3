"""Small targets: the board is enlarged by a touch, a pinch, buttons and keys, and played there; labels can be read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import gamedsl

from .browser import SIZES, give_back, needs_browser, open_page, wait_until
from .clicking import place
from .dev_table import DevTable
from .test_page import NAMES

needs_browser()
FINGER = 44  # pixels
QUICK = {"hex"}

# The narrower side of what a finger has to hit at a point of the window.
TARGET = """([x, y]) => {
  const hit = document.elementFromPoint(x, y).closest("[data-place] .hit");
  const box = hit.getBoundingClientRect();
  return Math.min(box.width, box.height);
}"""
# Texts of the page that are drawn smaller than can be read.
ILLEGIBLE = """() => [...document.querySelectorAll(".gamedsl text")]
  .filter((text) => text.getBoundingClientRect().width > 0)
  .map((text) => [text.textContent, parseFloat(getComputedStyle(text).fontSize), text.getScreenCTM()])
  .map(([said, size, { a, b }]) => [said, size * Math.hypot(a, b)])
  .filter(([, size]) => size < 9 - 1e-3)"""
# What is pressed beside the board and is smaller than a finger; and the places of the board that are, if there is no button to enlarge it.
# (Of lines, those that can be touched next are as wide as a finger: see the test of a fence.)
SMALL = """() => {
  const size = (e) => { const { width, height } = e.getBoundingClientRect(); return Math.min(width, height); };
  const small = (where) => [...document.querySelectorAll(where)].filter((e) => e.getClientRects().length && size(e) < 43.5);
  const canGrow = document.querySelector("[aria-label='larger board']")?.getClientRects().length;
  const tight = canGrow ? [] : small(".place:is(.start, .target) .hit:not(.along)");
  const pressed = small(".gamedsl :is(button, summary, input, select, textarea)");
  return [...pressed, ...tight].map((e) => `${e.getAttribute("class")} ${e.textContent} ${size(e)}`);
}"""
PAINTED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
WIDE = "document.documentElement.scrollWidth - innerWidth"


@pytest.fixture
def opened(chrome: Any) -> Iterator[Any]:
    pages: list[Any] = []

    def show(name: str, size: str = "phone", **options: int) -> tuple[Any, DevTable]:
        table = DevTable(gamedsl.load(name, **options))
        pages.append(open_page(chrome, table, size))
        wait_until(pages[-1], "document.querySelector('.board-area .layer-ground').style.getPropertyValue('--units')")
        return pages[-1], table

    yield show
    for page in pages:
        assert not give_back(page)


def middle(page: Any, name: str) -> tuple[float, float]:
    box = place(page, name).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize(("name", "where"), [("go", "d10"), ("hex", "c7")])
def test_a_touch_enlarges_small_targets_and_the_next_plays(opened: Any, name: str, where: str) -> None:
    page, table = opened(name)
    spot = middle(page, where)
    assert page.evaluate(TARGET, spot) < FINGER
    page.touchscreen.tap(*spot)
    assert table.made == 0
    assert "The board is larger now" in page.inner_text(".guide")
    assert page.evaluate(TARGET, spot) >= FINGER
    page.touchscreen.tap(*spot)
    page.evaluate("globalThis.devBusy")
    assert str(table.nodes[-1].move) == where
    assert page.evaluate("shown.zoom.factor") == 1  # all of the board again, for the answer


def test_the_click_of_a_touch_hits_nothing_that_comes_to_lie_under_the_finger(opened: Any) -> None:
    """The flat board is enlarged downward, over the buttons; the move makes it small again, with a button under the finger."""
    page, table = opened("battleship")
    for _ in range(10):  # ships
        table._add(table.state.propose(table.rng))
    page.reload()
    larger = page.get_by_role("button", name="larger board").bounding_box()
    spot = larger["x"] + larger["width"] / 2, larger["y"] + larger["height"] / 2
    board = page.locator(".board-view").bounding_box()
    page.touchscreen.tap(spot[0] - 40, board["y"] + board["height"] * 0.45)
    assert page.evaluate("([x, y]) => Boolean(document.elementFromPoint(x, y).closest('.place.start'))", spot)
    page.touchscreen.tap(*spot)
    page.evaluate("globalThis.devBusy")
    page.wait_for_timeout(50)
    assert table.made == 1 and page.evaluate("shown.zoom.factor") == 1


def test_a_fence_takes_three_touches(opened: Any) -> None:
    """The first makes the board larger, two are the edges of the fence: of few edges, each is as wide as a finger."""
    page, table = opened("quoridor")
    spot = middle(page, "d4/e4")
    page.touchscreen.tap(*spot)
    page.touchscreen.tap(*spot)
    assert "another edge" in page.inner_text(".guide")
    assert "larger" not in page.inner_text(".guide")  # which is said of the touch that made it so
    x, y = middle(page, "d5/e5")
    page.touchscreen.tap(x + 18, y)  # beside the line, where nothing else can be touched next
    page.evaluate("globalThis.devBusy")
    assert table.made == 1 and table.nodes[-1].move.name == "build"


@pytest.mark.parametrize("where", [".guide", ".gamedsl header .status"])
def test_the_board_stays_under_the_finger_while_the_text_above_grows(opened: Any, where: str) -> None:
    """A second touch at the same pixel hit another place when the sentence took a line more, or an offer was made."""
    page, _ = opened("quoridor")
    page.touchscreen.tap(3, 3)
    spot = middle(page, "e3")
    tall = f"document.querySelector('{where}').offsetHeight"
    before = page.evaluate(tall)
    for words in ("Choose a place for a fence. " * 9, "Choose. " * 30, "Choose."):
        page.evaluate(f"(words) => {{ document.querySelector('{where}').textContent = words; }}", words)
        page.evaluate(PAINTED)
        assert middle(page, "e3") == pytest.approx(spot, abs=1)
        if words != "Choose.":
            assert page.evaluate(tall) > before + 20 and page.evaluate("scrollY") > 0


@pytest.mark.parametrize("where", [".guide", ".gamedsl header .status"])
def test_a_page_begins_with_its_head(opened: Any, where: str) -> None:
    """Before anybody touches it: the first move of a program, or a clock, took it off the screen of a phone."""
    page, _ = opened("quoridor")
    page.evaluate(f"document.querySelector('{where}').textContent = 'Choose a place for a fence. '.repeat(9)")
    page.evaluate(PAINTED)
    assert page.evaluate("scrollY") == 0


def test_a_refusal_goes_with_the_next_touch_that_goes_on(opened: Any) -> None:
    page, _ = opened("quoridor", "desktop")
    page.mouse.click(*middle(page, "a8"))
    page.evaluate("globalThis.devBusy")
    assert page.locator(".message.refusal").is_visible()
    page.mouse.click(*middle(page, "d4/e4"))
    page.evaluate("globalThis.devBusy")
    assert page.locator(".message.refusal").is_hidden()


def test_a_touch_of_a_large_target_enlarges_nothing(opened: Any) -> None:
    page, table = opened("chess")
    assert page.evaluate(TARGET, middle(page, "e2")) >= FINGER
    place(page, "e2").tap()
    place(page, "e4").tap()
    page.evaluate("globalThis.devBusy")
    assert str(table.nodes[-1].move) == "e2e4"


@pytest.mark.parametrize(
    ("name", "where", "beside"),
    [("hex", "c7", ".guide"), ("blokus-duo", "e5", '.felt .live:has([aria-label="i"])')],
    ids=["the sentence", "a shape, which can be laid at the other starting square of Blokus, too"],
)
def test_a_touch_beside_the_board_shows_all_of_it(opened: Any, name: str, where: str, beside: str) -> None:
    page, table = opened(name)
    page.touchscreen.tap(*middle(page, where))
    assert page.evaluate("shown.zoom.factor") > 1
    page.locator(beside).tap()
    assert page.evaluate("shown.zoom.factor") == 1
    assert "larger" not in page.inner_text(".guide") and table.made == 0


def test_the_setting_never_enlarges(opened: Any) -> None:
    page, table = opened("hex")
    page.evaluate("shown.settings.kept.enlarge = 'never'")
    place(page, "c7").tap()
    place(page, "c7").tap()  # a small target is confirmed
    page.evaluate("globalThis.devBusy")
    assert str(table.nodes[-1].move) == "c7"


def test_two_fingers_enlarge_the_board_around_them(opened: Any) -> None:
    page, table = opened("go")
    box = page.locator(".board-svg").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    session = page.context.new_cdp_session(page)

    def fingers(kind: str, *spread: float) -> None:
        points = [{"x": x + side * s, "y": y, "id": i} for s in spread for i, side in enumerate((-1, 1))]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", 30)
    fingers("touchMove", 45)
    fingers("touchMove", 60)
    fingers("touchEnd")
    assert page.evaluate("shown.zoom.factor") == pytest.approx(2, rel=0.1)
    assert table.made == 0 and page.locator(".place.chosen").count() == 0
    after = page.evaluate("shown.board.element.getBoundingClientRect().toJSON()")
    assert after["x"] + after["width"] / 2 == pytest.approx(x, abs=3)  # the middle stays under the fingers


def test_buttons_and_keys_enlarge_and_a_move_leaves_the_size_as_it_is(opened: Any) -> None:
    page, table = opened("hex")
    page.locator("[aria-label='larger board']").tap()
    larger = page.evaluate("shown.zoom.factor")
    assert larger > 1
    page.evaluate("shown.hands.focus(shown.hands.cursor)")
    page.keyboard.press("+")
    assert page.evaluate("shown.zoom.factor") > larger
    page.keyboard.press("Enter")
    page.evaluate("globalThis.devBusy")
    assert table.made == 1 and page.evaluate("shown.zoom.factor") > larger
    page.keyboard.press("0")
    assert page.evaluate("shown.zoom.factor") == 1


def test_arrow_keys_bring_what_is_focused_into_view(opened: Any) -> None:
    page, _ = opened("go", "desktop")
    page.evaluate("shown.hands.focus('cell:180')")
    for _ in range(4):
        page.keyboard.press("+")
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    is_shown = """() => { const [a, b] = [document.activeElement, shown.zoom.view].map((e) => e.getBoundingClientRect());
      return a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1; }"""
    assert page.evaluate(is_shown)


@pytest.mark.parametrize("name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in NAMES])
@pytest.mark.parametrize("width", [390, 320])
def test_every_label_can_be_read_every_target_hit_and_nothing_is_wider_than_the_screen(
    chrome: Any, name: str, width: int
) -> None:
    table = DevTable(gamedsl.load(name))
    for _ in range(12):
        if not table.state.is_terminal:
            table._add(table.state.propose(table.rng))
            table._let_chance()
    page = open_page(chrome, table, "phone")
    page.set_viewport_size({"width": width, "height": SIZES["phone"]["height"]})
    page.wait_for_timeout(100)
    try:
        assert page.evaluate(ILLEGIBLE) == []
        assert page.evaluate(SMALL) == []
        assert page.evaluate(WIDE) <= 0
        assert not page.faults
    finally:
        give_back(page)
