"""The page in a real browser: touching, dragging, keys, questions, refusals, variations, records, drawings, axe-core."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import gamedsl
from tests.shipped_sample import small

from .browser import give_back, needs_browser, open_page, wait_until
from .clicking import place, play_by_clicks, touch
from .dev_table import DevTable

NAMES = sorted(
    p.stem for folder in ("rulesets", "rulesets/classics") for p in (Path(__file__).parents[3] / folder).glob("*.gdl")
)
needs_browser()
from playwright.sync_api import expect  # noqa: E402  (only where there is a browser)


@pytest.fixture
def opened(chrome: Any) -> Iterator[Any]:
    pages: list[Any] = []

    def show(name: str, size: str = "desktop", **options: Any) -> tuple[Any, DevTable]:
        table = DevTable(gamedsl.load(name, **small(name)), **options)
        pages.append(open_page(chrome, table, size))
        return pages[-1], table

    yield show
    for page in pages:
        assert not give_back(page)


def plies(page: Any, number: int) -> None:
    """Waits until the page shows so many plies."""
    expect(page.locator(".ply")).to_have_count(number)


# --------------------------------------------------------------------------------------------------- touching


def test_a_game_is_played_to_its_end_by_touches(opened: Any) -> None:
    page, table = opened("tic-tac-toe", "phone")
    for number, name in enumerate(("a1", "b1", "a2", "b2", "a3"), 1):
        place(page, name).tap()
        plies(page, number)
    assert table.state.is_terminal
    assert "X wins" in page.inner_text(".status")


def test_the_ground_stays_from_position_to_position(opened: Any) -> None:
    """It is the same element, and each touch still makes one move; a board that is turned is drawn anew."""
    page, table = opened("chess")
    page.evaluate("globalThis.ground = document.querySelector('.layer-ground')")
    kept = "ground.isConnected && ground === document.querySelector('.layer-ground')"
    for number, (start, end) in enumerate((("e2", "e4"), ("d7", "d5"), ("e4", "d5")), 1):
        touch(page, start)
        touch(page, end)
        plies(page, number)
        assert page.evaluate(kept)
    assert [str(node.move) for node in table.nodes[1:]] == ["e2e4", "d7d5", "e4d5"]
    expect(page.locator(".piece[data-on]")).to_have_count(31)
    expect(page.locator(".place.on-cell[aria-label*='last move']")).to_have_count(2)
    page.get_by_role("button", name="turn the board").click()
    wait_until(page, f"!({kept})")  # the same pieces stand there before and afterwards, so they tell nothing
    expect(page.locator(".piece[data-on]")).to_have_count(31)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_whose_turn_it_is_can_be_seen_for_seats_of_every_color(chrome: Any, scheme: str) -> None:
    """The row of white was marked in white on white, and that of black in black on black."""
    page = open_page(chrome, DevTable(gamedsl.load("quoridor")), scheme=scheme)
    style = """() => [".seats > li.acts", ".guide"].map((where) => document.querySelector(where))
      .map((element) => getComputedStyle(element)).map(({ borderLeftColor, backgroundColor }) => [borderLeftColor, backgroundColor])"""
    (white, accent) = page.evaluate(style)
    place(page, "e2").click()
    plies(page, 1)
    assert white == page.evaluate(style)[0] and white[0] == accent[0]
    assert not give_back(page)


# The contrast of a place's outline to its square, by the styles of both (1: none, 21: black on white).
CONTRAST = """(places) => {
  const parts = (text) => text.match(/[\\d.]+/g).map(Number).map((n, i) => (text.startsWith("rgb") && i < 3 ? n / 255 : n));
  const over = (below, [r, g, b, a = 1]) => below.map((c, i) => c * (1 - a) + [r, g, b][i] * a);
  const linear = (n) => (n <= 0.04045 ? n / 12.92 : ((n + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b) + 0.05;
  const ground = parts(getComputedStyle(document.querySelector(".board-svg .cell.dark")).fill);
  const line = over(ground, parts(getComputedStyle(document.querySelector(places)).stroke));
  return Math.max(light(ground) / light(line), light(line) / light(ground));
}"""


def test_what_can_be_touched_is_outlined_on_dark_wood_in_the_dark(chrome: Any) -> None:
    """The green line on a brown square had a contrast of 1.1."""
    page = open_page(chrome, DevTable(gamedsl.load("konane")), scheme="dark")
    assert page.evaluate(CONTRAST, ".place.start.few .hit") > 2
    assert not give_back(page)


def test_a_piece_then_its_destination(opened: Any) -> None:
    page, table = opened("chess")
    touch(page, "g1")
    expect(page.locator(".place.target")).to_have_count(2)
    touch(page, "f3")
    plies(page, 1)
    assert str(table.nodes[-1].move) == "g1f3"
    expect(page.locator(".place.on-cell[aria-label*='last move']")).to_have_count(2)


def test_a_piece_is_dragged(opened: Any) -> None:
    page, table = opened("chess")
    a, b = place(page, "e2").bounding_box(), place(page, "e4").bounding_box()
    page.mouse.move(a["x"] + a["width"] / 2, a["y"] + a["height"] / 2)
    page.mouse.down()
    page.mouse.move(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2, steps=4)
    page.mouse.up()
    plies(page, 1)
    assert str(table.nodes[-1].move) == "e2e4"


def test_an_ambiguous_touch_asks(opened: Any) -> None:
    """A marble, the block to twist, then which way."""
    page, table = opened("pentago")
    touch(page, "a1")
    expect(page.locator(".place.target")).to_have_count(4)
    touch(page, "e5")
    page.locator(".question .pill", has_text="left").click()
    plies(page, 1)
    assert str(table.nodes[-1].move) == "a1 twist e5 left"


@pytest.mark.parametrize(
    ("name", "shade"), [("pentago", "rgb(106, 67, 26)"), ("ultimate-tic-tac-toe", "rgb(125, 132, 139)")]
)
def test_wood_is_stained_where_paper_is_grey(opened: Any, name: str, shade: str) -> None:
    """Grey squares of a wooden board looked like stone. What the signs mean shows the same shade."""
    page, _ = opened(name)
    fills = page.locator(".tint-grey").evaluate_all("(all) => all.map((it) => getComputedStyle(it).fill)")
    assert set(fills) == {shade}


def test_the_list_is_a_second_way(opened: Any) -> None:
    page, table = opened("hex")
    page.locator("summary", has_text="All moves").click()
    page.fill("input[type=search]", "c7")
    page.locator(".all-moves button").first.click()
    plies(page, 1)
    assert str(table.nodes[-1].move) == "c7"


def test_a_refusal_tells_its_rule_and_clause(opened: Any) -> None:
    page, _ = opened("x-s-and-lines")
    name = page.evaluate("shown.board.places.values().next().value.name")
    touch(page, name)
    plies(page, 1)
    touch(page, name)
    page.wait_for_selector(".message:not([hidden]) .clause")
    assert "XL-" in page.inner_text(".message")


def test_edges_are_touched(opened: Any) -> None:
    page, table = opened("dots-and-boxes")
    page.locator(".place.on-edge").first.click(force=True)
    plies(page, 1)
    assert "/" in str(table.nodes[-1].move)


# ------------------------------------------------------------------------------------------------------- keys


def test_a_game_is_played_by_keys_alone(opened: Any) -> None:
    page, table = opened("tic-tac-toe")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('[data-place]')"):
            break
    label = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert "can be touched" in label
    page.keyboard.press("Enter")
    plies(page, 1)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    plies(page, 2)
    assert len(table.nodes) == 3
    assert "your move" in page.inner_text("[aria-live]")


@pytest.mark.parametrize("name", ["chess", "hex", "t-tic-t-tac-toe-game", "abs-trac-toe", "whist"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(chrome: Any, name: str, scheme: str) -> None:
    assert serious_faults(chrome, DevTable(gamedsl.load(name, **small(name))), scheme) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("plies", [0, 12])
def test_axe_finds_nothing_serious_in_any_ruleset(chrome: Any, name: str, scheme: str, plies: int) -> None:
    table, rng = DevTable(gamedsl.load(name, **small(name)), seed=4), Random(4)
    for _ in range(plies):
        if table.state.is_terminal:
            break
        table._add(table.state.propose(rng))
        table._let_chance()
    assert serious_faults(chrome, table, scheme) == []


def serious_faults(chrome: Any, table: DevTable, scheme: str) -> list[tuple[str, str]]:
    """What axe-core calls serious or critical on the page of a table: rule and element."""
    from axe_playwright_python.sync_playwright import Axe

    page = open_page(chrome, table, scheme=scheme)
    try:
        found = Axe().run(page).response["violations"]
        return [(v["id"], v["nodes"][0]["html"][:200]) for v in found if v["impact"] in ("serious", "critical")]
    finally:
        give_back(page)


# ------------------------------------------------------------------------------------------ moves and records


def test_variations_stand_in_the_tree(opened: Any) -> None:
    page, table = opened("tic-tac-toe")
    for name in ("a1", "b1"):
        touch(page, name)
        page.wait_for_selector(f".ply[aria-current]:has-text('{name}')")
    page.get_by_label("one move back").click()
    page.wait_for_selector(".ply[aria-current]:has-text('a1')")
    touch(page, "c3")
    page.wait_for_selector(".variation .ply[aria-current]")
    assert [str(n.move) for n in table.nodes[1:]] == ["a1", "b1", "c3"]
    page.get_by_label("to the first position").click()
    expect(page.locator(".ply[aria-current]")).to_have_count(0)
    assert page.locator(".piece").count() == 0


def test_records_are_copied_out_and_in(opened: Any) -> None:
    page, _ = opened("tic-tac-toe")
    touch(page, "b2")
    plies(page, 1)
    page.get_by_role("button", name="Record").click()
    text = page.input_value("textarea")
    assert "1. X: b2" in text
    other, table = opened("tic-tac-toe")
    other.get_by_role("button", name="Record").click()
    other.fill("textarea", text)
    other.get_by_role("button", name="Load this record").click()
    other.wait_for_selector(".ply[aria-current]")
    assert str(table.nodes[-1].move) == "b2"


def test_the_board_is_turned_for_the_second_seat(opened: Any) -> None:
    first, _ = opened("chess", seats=(0,))
    second, _ = opened("chess", seats=(1,))
    boxes = [place(page, "a1").bounding_box() for page in (first, second)]
    assert boxes[0]["x"] < boxes[1]["x"] and boxes[0]["y"] > boxes[1]["y"]


def test_dice_are_shown(opened: Any) -> None:
    page, _ = opened("backgammon")
    assert page.locator(".die").count() >= 2


def test_a_seat_is_not_shown_what_it_may_not_know(opened: Any) -> None:
    """Each seat of Kuhn poker is shown its own card alone. The betting begins after the second deal, so the first seat notices
    that deal. The second seat sees no change at the first deal: nothing is announced of it."""
    for seat, listed in ((0, ["deal {}", "deal (hidden)"]), (1, ["deal {}"])):
        page, table = opened("kuhn-poker", seats=(seat,))
        dealt = [str(node.move).removeprefix("deal ") for node in table.nodes[1:3]]
        expect(page.locator(".ply")).to_have_text([f"chance {text}".format(dealt[seat]) for text in listed])
        assert f"deal {dealt[1 - seat]}" not in page.inner_text("main")


# --------------------------------------------------------------------------------------- what tables may tell


def test_the_screen_is_covered_until_the_next_person_takes_it(opened: Any) -> None:
    page, _ = opened("kuhn-poker")
    page.evaluate("shown.show({ ...shown.update, cover: 1 })")
    expect(page.locator(".cover")).to_contain_text("p2")
    page.evaluate("shown.show({ ...shown.update, cover: null })")
    expect(page.locator(".cover")).to_be_hidden()


def test_a_person_rolls(opened: Any) -> None:
    page, table = opened("pig", rolls=True)
    page.get_by_role("button", name="roll", exact=True).click()
    page.get_by_role("button", name="Roll", exact=True).click()
    expect(page.locator(".die")).to_have_count(1)
    assert table.nodes[-1].move is not None and table.nodes[-1].move.kind == "chance"


CLOCKS = "[{ left: 65, running: true }, { left: 9, running: false }]"


def test_clocks_and_tools_of_a_table(chrome: Any) -> None:
    page = open_page(chrome, DevTable(gamedsl.load("tic-tac-toe")))
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    page.evaluate(f"""shown.table.tools.push({{ id: "hint", label: "Hint", run: () => ({{ say: "take the middle" }}) }});
        globalThis.frame = {{ ...shown.update, notice: "waiting", clocks: {CLOCKS} }}; shown.show(frame)""")
    clocks = page.locator(".clock")
    assert clocks.all_inner_texts() == ["1:05", "0:09.0"]
    page.clock.run_for(5000)
    assert clocks.all_inner_texts() == ["1:00", "0:09.0"]  # the clock that runs, runs on between frames
    page.evaluate("shown.turn()")  # drawn anew: the time goes on
    page.clock.run_for(55_500)
    assert clocks.all_inner_texts() == ["0:04.5", "0:09.0"]
    page.clock.run_for(9000)
    assert clocks.all_inner_texts() == ["0:00.0", "0:09.0"]
    page.evaluate(f"shown.show({{ ...frame, clocks: {CLOCKS} }})")  # a new frame counts
    assert clocks.all_inner_texts() == ["1:05", "0:09.0"]
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".message.answer")).to_contain_text("take the middle")
    assert "waiting" in page.inner_text(".status")
    page.context.close()  # its time is not that of other tests


def test_times_are_written_as_people_write_them(opened: Any) -> None:
    page, _ = opened("tic-tac-toe")
    expected = {
        0: "0:00.0", 9.44: "0:09.5", 10: "0:10", 59.2: "1:00", 600: "10:00", 3599: "59:59", 3600: "1:00:00",
        86_399: "23:59:59", 86_400: "1 day left", 90_000: "1 day 1 hour left", 259_200: "3 days left", 259_100: "2 days 23 hours left",
        350_000: "4 days left", 2_592_000: "30 days left",
    }  # fmt: skip
    told = page.evaluate(
        """async (times) => { const { timeText } = await import("/clock.js"); return times.map(timeText); }""",
        list(expected),
    )
    assert told == list(expected.values())


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_messages_cover_nothing_and_differ_in_words(opened: Any, size: str) -> None:
    """A refusal stands beside the board or below it: every square can still be touched, at once."""
    page, _ = opened("x-s-and-lines", size)
    name = page.evaluate("shown.board.places.values().next().value.name")
    touch(page, name)
    plies(page, 1)
    touch(page, name)
    page.wait_for_selector(".message.refusal")
    board, box = (page.locator(q).bounding_box() for q in (".board-svg", ".message"))
    assert box["x"] >= board["x"] + board["width"] or box["y"] >= board["y"] + board["height"]
    assert page.inner_text(".message h2") == "×\nNot allowed"
    close = page.get_by_role("button", name="close the message").bounding_box()
    assert size != "phone" or min(close["width"], close["height"]) >= 44
    covered = page.evaluate("""[...shown.board.element.querySelectorAll(".hit")].filter((hit) => {
        const { x, y, width, height } = hit.getBoundingClientRect();
        const [a, b] = [x + width / 2, y + height / 2];
        return b > 0 && b < innerHeight && document.elementFromPoint(a, b)?.closest(".board-svg") === null; }).length""")
    assert covered == 0
    page.evaluate("shown.speech.answer('Hint', 'b2')")
    assert page.inner_text(".message h2") == "i\nHint"
    page.evaluate("shown.speech.fail('It broke.', () => { globalThis.again = true; })")
    assert page.inner_text(".message h2") == "!\nSomething went wrong"
    page.get_by_role("button", name="Try again").click()
    assert page.evaluate("globalThis.again")
    touch(page, page.evaluate("[...shown.board.places.values()][1].name"))  # and the game goes on
    plies(page, 2)
    expect(page.locator(".message")).to_be_hidden()


# ---------------------------------------------------------------------------------------------- whole plays

TO_THE_END = ["connect-four", "nim", "rock-paper-scissors", "kuhn-poker", "pig", "dots-and-boxes", "oware"]
LONG = ["t-tic-t-tac-toe", "horn-tiles", "x-s-and-lines", "atreso", "chess", "go", "hex", "reversi", "english-draughts",
        "backgammon", "nine-mens-morris", "breakthrough", "amazons", "kalah", "tsuro", "blokus-duo", "quoridor"]  # fmt: skip


@pytest.mark.parametrize("name", ["connect-four", "kuhn-poker"])
def test_short_plays_by_clicks(opened: Any, name: str) -> None:
    page, table = opened(name)
    play_by_clicks(page, table, Random(2))
    assert table.state.is_terminal


@pytest.mark.slow
@pytest.mark.parametrize("name", [*TO_THE_END, *LONG])
def test_whole_plays_by_clicks(opened: Any, name: str) -> None:
    page, table = opened(name)
    play_by_clicks(page, table, Random(3), most=500)
    assert table.state.is_terminal or len(table.nodes) > 500
