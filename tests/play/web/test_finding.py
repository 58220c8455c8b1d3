"""How a person finds a move: the sentence, previews, taking back, and touches that are confirmed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import cos, radians, sin
from pathlib import Path
from typing import Any

import pytest

import gamedsl
from gamedsl.play.web import describe_preview, playable_page
from tests.engine.test_board_stacks import towers

from .browser import give_back, needs_browser, open_file, open_page, wait_until
from .clicking import place, touch
from .dev_table import DevTable
from .test_chosen_things import two_throws

needs_browser()
from playwright.sync_api import expect  # noqa: E402  (only where there is a browser)


@pytest.fixture
def opened(chrome: Any) -> Iterator[Any]:
    pages: list[Any] = []

    def show(name: str, size: str = "desktop", **options: Any) -> tuple[Any, DevTable]:
        table = DevTable(gamedsl.load(name, **options))
        pages.append(open_page(chrome, table, size))
        return pages[-1], table

    yield show
    for page in pages:
        assert not give_back(page)


def test_the_sentence_follows_what_is_chosen_and_escape_takes_it_back(opened: Any) -> None:
    page, table = opened("chess")
    guide = page.locator(".guide")
    expect(guide).to_have_text("Choose a piece to move.")
    touch(page, "g1")
    expect(guide).to_contain_text("Choose a square to move it to. Escape")
    page.keyboard.press("Escape")
    expect(guide).to_have_text("Choose a piece to move.")
    touch(page, "g1")
    page.mouse.click(640, 120)  # between the sentence and the board
    expect(guide).to_have_text("Choose a piece to move.")
    expect(page.locator(".place.chosen")).to_have_count(0)
    assert table.made == 0


def test_escape_takes_a_question_back(opened: Any) -> None:
    page, _ = opened("pentago")
    touch(page, "a1")
    touch(page, "e5")
    expect(page.locator(".guide")).to_contain_text("Several moves fit")
    page.keyboard.press("Escape")
    expect(page.locator(".guide")).to_contain_text("Choose another square.")
    expect(page.locator(".question")).to_have_count(0)


def test_a_move_is_shown_while_the_mouse_rests_on_its_place(opened: Any) -> None:
    """The knight appears on f3 and goes from g1, where the pointer rests; elsewhere nothing is previewed."""
    page, table = opened("chess")
    touch(page, "g1")
    place(page, "f3").hover(force=True)
    expect(page.locator(".layer-ghost .piece")).to_have_count(1)
    expect(page.locator(".ghost-gone")).to_have_count(1)
    place(page, "f5").hover(force=True)
    expect(page.locator(".layer-ghost .piece")).to_have_count(0)
    assert table.made == 0


def test_a_stack_shows_what_lies_in_it(opened: Any, tmp_path: Path) -> None:
    """Red, blue and red on a1: two slabs below the top, and all three in words, on the last move at first and then where one touches."""
    towers(tmp_path)
    page, _ = opened(str(tmp_path / "towers.gdl"), "phone")
    column = page.locator(".stack-column")
    expect(column).to_be_hidden()
    for name in ("a1", "a1", "a1", "b1", "b1"):
        place(page, name).tap(force=True)
        page.evaluate("globalThis.devBusy")
    expect(column.locator("li")).to_have_text(["blue", "red"])
    expect(page.locator('[data-stack="cell:0"] rect')).to_have_count(3)  # one of red, and one of blue, which is hatched
    touch(page, "a1")
    expect(column).to_contain_text("a1, from the bottom:")
    expect(column.locator("li")).to_have_text(["red", "blue", "red"])
    expect(page.get_by_role("gridcell", name="a1, red 3, on blue on red")).to_have_count(1)


def test_a_shape_is_turned_and_lies_where_it_is_touched(opened: Any) -> None:
    """Black's first shape covers a starting square. The bar of five lies flat at first, and stands after R; the keys turn nothing
    where no shape is held."""
    page, table = opened("blokus-duo")
    page.keyboard.press("r")
    bar = page.locator('.felt .live:has([aria-label="i"])')
    bar.click()
    size = "(({ width, height }) => [width, height])(document.querySelector('.turning svg').viewBox.baseVal)"
    assert page.evaluate(size) == [500, 100]
    expect(page.get_by_role("button", name="flip the shape")).to_be_disabled()
    page.keyboard.press("r")
    assert page.evaluate(size) == [100, 500]
    place(page, "e5").hover(force=True)
    expect(page.locator(".layer-ghost .piece")).to_have_count(5)
    touch(page, "e5")
    expect(page.locator(".ply")).to_have_count(1)
    assert table.game.action_text(table.game.action(table.state.history[-1])) == "i e3+e4+e5+e6+e7"


def test_fingers_turn_and_flip_a_shape(opened: Any) -> None:
    """Two fingers that turn by 100 degrees turn the F by a quarter their way, and back; a swipe over its picture flips it."""
    page, _ = opened("blokus-duo", "phone")
    page.locator('.felt .live:has([aria-label="f"])').tap()
    guide, picture = page.locator(".guide"), page.locator(".turning svg")
    expect(guide).to_contain_text("Two fingers turn it. A swipe over its picture flips it.")

    def squares() -> list[list[int]]:
        found = page.evaluate(
            "[...document.querySelectorAll('.turning rect')].map((r) => [r.x.baseVal.value, r.y.baseVal.value])"
        )
        return sorted([int(x) // 100, int(y) // 100] for x, y in found)

    first = squares()
    session = page.context.new_cdp_session(page)
    box = page.locator(".board-view").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def turn(degrees: int) -> list[list[int]]:
        for kind, angle in (("touchStart", 0), ("touchMove", degrees // 2), ("touchMove", degrees), ("touchEnd", 0)):
            dx, dy = 60 * cos(radians(angle)), 60 * sin(radians(angle))
            points = (
                [] if kind == "touchEnd" else [{"x": x - dx, "y": y - dy, "id": 0}, {"x": x + dx, "y": y + dy, "id": 1}]
            )
            session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        return squares()

    assert turn(100) == sorted([2 - b, a] for a, b in first)  # clockwise, as y goes down
    assert turn(-100) == first
    spot = picture.bounding_box()
    page.mouse.move(spot["x"] + 8, spot["y"] + 20)
    page.mouse.down()
    page.mouse.move(spot["x"] + 48, spot["y"] + 20)
    page.mouse.up()
    assert squares() == sorted([2 - a, b] for a, b in first)
    assert page.evaluate("shown.zoom.factor") == 1


def test_dice_are_chosen_by_touching_them_and_boxes_say_what_they_bring(opened: Any, tmp_path: Path) -> None:
    """The dice show what the seed brings; `high` brings their sum, `low` what is missing to 21."""
    two_throws(tmp_path)
    page, table = opened(str(tmp_path / "throws.gdl"), "phone")
    guide, die = page.locator(".guide"), page.locator(".of-dice button.item")
    expect(guide).to_have_text("Choose a die or a line of the score sheet.")
    shown = sum(int(name) for name in die.locator("svg").evaluate_all("dice => dice.map((die) => die.ariaLabel)"))
    boxes = page.locator(".sheet button.item")
    expect(boxes).to_have_text([f"+{21 - shown}", f"+{shown}"])
    die.nth(0).tap()
    die.nth(1).tap()
    die.nth(0).tap()
    die.nth(2).tap()
    expect(guide).to_contain_text("Press “reroll”.")
    assert all(
        min(box["width"], box["height"]) >= 44 for one in (*die.all(), *boxes.all()) if (box := one.bounding_box())
    )
    page.set_viewport_size({"width": 224, "height": 640})  # as five dice at 320 pixels
    ends = [(box["x"], box["x"] + box["width"]) for one in die.all() if (box := one.bounding_box())]
    assert all(end <= start for (_, end), (start, _) in pairwise(ends)), "dice lie over each other"
    page.set_viewport_size({"width": 1280, "height": 900})
    sheet = page.locator(".sheet").bounding_box()
    assert (
        die.first.bounding_box()["y"] < sheet["y"] + sheet["height"]
    )  # beside it: below, a long one left the table empty
    page.get_by_role("button", name="reroll", exact=True).tap()
    expect(guide).to_have_text("Choose a line of the score sheet.")
    [move] = [node.move for node in table.nodes if node.move is not None and node.move.player is not None]
    assert table.game.action_text(table.game.action(move)) == "reroll 011"


def test_a_fence_is_shown_along_both_of_its_edges(opened: Any) -> None:
    page, table = opened("quoridor")
    touch(page, "c5/c6")
    place(page, "d5/d6").hover(force=True)
    expect(page.locator(".layer-ghost .barrier")).to_have_count(2)
    touch(page, "d5/d6")
    expect(page.locator(".ply")).to_have_count(1)
    assert table.nodes[-1].move is not None and table.nodes[-1].move.text == "c5h"


def test_what_would_be_taken_is_crossed_out(opened: Any) -> None:
    """A white stone on a1 is taken by black on b1 and a2."""
    page, _ = opened("go", n=5)
    for name in ("b1", "a1"):
        touch(page, name)
    expect(page.locator(".ply")).to_have_count(2)
    place(page, "a2").hover(force=True)
    expect(page.locator(".ghost-gone")).to_have_count(1)
    expect(page.locator(".layer-ghost .piece")).to_have_count(1)


def test_a_small_target_is_touched_twice(opened: Any) -> None:
    """A square of a chessboard is narrower than 44 pixels on a small phone."""
    page, table = opened("chess", "phone")
    page.set_viewport_size({"width": 360, "height": 740})
    place(page, "e2").tap()
    place(page, "e4").tap()
    expect(page.locator(".guide")).to_contain_text("Touch e4 again to make the move e2e4.")
    expect(page.locator(".layer-ghost .piece")).to_have_count(1)
    assert table.made == 0
    place(page, "e4").tap()
    expect(page.locator(".ply")).to_have_count(1)
    assert table.nodes[-1].move is not None and table.nodes[-1].move.text == "e2e4"


def test_another_place_may_be_touched_instead(opened: Any) -> None:
    page, table = opened("go", "phone", n=9)
    place(page, "c3").tap()
    place(page, "d4").tap()
    expect(page.locator(".guide")).to_contain_text("Touch d4 again")
    place(page, "d4").tap()
    expect(page.locator(".ply")).to_have_count(1)
    assert table.nodes[-1].move is not None and table.nodes[-1].move.text == "d4"


def test_touches_need_no_confirmation_for_those_who_say_so(opened: Any) -> None:
    page, _ = opened("chess", "phone")
    page.set_viewport_size({"width": 360, "height": 740})
    page.locator("[aria-label=settings]").tap()
    page.locator("dialog[aria-label=settings] select").first.select_option("never")
    page.locator("dialog[aria-label=settings] button").tap()
    place(page, "e2").tap()
    place(page, "e4").tap()
    expect(page.locator(".ply")).to_have_count(1)


def test_nothing_is_previewed_where_something_is_hidden() -> None:
    for name, wanted in (("phantom-tic-tac-toe", False), ("tic-tac-toe", True)):
        state = gamedsl.load(name).initial_state()
        assert (describe_preview(state, state.legal_actions(0)[0], 0) is not None) == wanted, name
    state = gamedsl.load("tic-tac-toe").initial_state()
    taken = state.legal_actions(0)[0]
    assert describe_preview(state.apply(state.legal_moves()[0]), taken, 1) is None, "an illegal move has no preview"


def test_a_page_alone_says_and_shows_the_same(chrome: Any, tmp_path: Any) -> None:
    file = tmp_path / "game.html"
    file.write_text(playable_page(gamedsl.load("quoridor"), ()), "utf-8")
    page = open_file(chrome, file)
    expect(page.locator(".guide")).to_have_text("Choose a square for your pawn or an edge for a fence.")
    touch(page, "c5/c6")
    place(page, "d5/d6").hover(force=True)
    expect(page.locator(".layer-ghost .barrier")).to_have_count(2)
    assert not give_back(page)


def refused(page: Any) -> list[str]:
    message = page.locator(".message.refusal:not([hidden])")
    expect(message).to_have_count(1)
    return [text for text in message.locator("p").all_inner_texts() if text]


def test_a_piece_that_cannot_move_says_why(opened: Any) -> None:
    """After 1 e4 f6 2 Qh5 black is in check, and no move of the knight on b8 ends it; before, its own pawns shut the rook in."""
    page, _ = opened("chess")
    for one in ("e2", "e4", "f7", "f6", "d1", "h5"):
        touch(page, one)
    expect(page.locator(".ply")).to_have_count(3)
    touch(page, "b8")
    expect(page.locator(".message.refusal")).to_be_visible()
    assert refused(page) == ["No move begins at b8.", "your king would be in check"]
    assert page.inner_text(".message .rule").startswith("chess.gdl:")
    touch(page, "e4")
    expect(page.locator(".message.refusal p").nth(1)).to_have_text("you have no piece there")
    assert len(refused(page)) == 2


def test_a_piece_that_cannot_go_there_says_why(opened: Any) -> None:
    page, table = opened("chess")
    touch(page, "g1")
    touch(page, "g4")
    expect(page.locator(".message.refusal")).to_be_visible()
    before, reason = refused(page)
    assert before == "No move continues at g4." and "does not" in reason
    assert table.made == 0


def test_pieces_off_the_board_are_chosen_as_they_look(opened: Any) -> None:
    """Each of the 21 shapes. Either starting square is covered by a domino in four ways."""
    page, table = opened("blokus-duo")
    tray = page.locator(".felt button.item")
    expect(tray).to_have_count(21)
    assert (
        page.locator(".felt button .shape rect").count() == 89
    )  # squares of one to five cells, as the rules count them
    tray.filter(has=page.locator("[aria-label='two']")).click()
    assert page.evaluate("shown.hands.options.length") == 8
    page.keyboard.press("Escape")
    assert page.evaluate("shown.hands.options.length") > 8
    tray.filter(has=page.locator("[aria-label='one']")).click()
    touch(page, "e5")
    expect(page.locator(".ply")).to_have_count(1)
    assert table.nodes[-1].move is not None and table.nodes[-1].move.text == "one e5"


def test_what_each_player_has_left_is_drawn_as_on_the_board(opened: Any) -> None:
    """Bugs of both players with their letters, colors and numbers; a bug that comes in leaves the reserve, the other player's stays."""
    page, _ = opened("hive")
    reserve = page.locator(".seats .reserve")
    expect(reserve).to_have_count(2)
    for seat, colour in enumerate(("white", "black")):
        expect(reserve.nth(seat).locator(".spare svg text")).to_have_text(list("QBSHA"))
        expect(reserve.nth(seat).locator(f".disc[fill='url(#paint-{colour})']")).to_have_count(5)
        expect(reserve.nth(seat).get_by_role("img", name="still has hopper: 3", exact=True)).to_have_count(1)
    expect(reserve.locator("b")).to_have_text(["×2", "×2", "×3", "×3"] * 2)
    expect(reserve.locator("button")).to_have_count(0)
    expect(page.locator(".seats")).not_to_contain_text("still has")
    page.locator(".tray .pill", has_text="ant").click()
    page.locator(".place.start .hit").first.click(force=True)
    expect(reserve.locator("b")).to_have_text(["×2", "×2", "×3", "×2", "×2", "×2", "×3", "×3"])


def test_fences_that_are_left_are_drawn_as_fences(opened: Any) -> None:
    page, _ = opened("quoridor")
    spare = page.locator(".seats .reserve .spare")
    expect(spare).to_have_text(["×10", "×10"])
    expect(spare.locator(".barrier")).to_have_count(4)  # on two edges each
    for name in ("c5/c6", "d5/d6"):
        touch(page, name)
    expect(spare).to_have_text(["×9", "×10"])
    expect(page.get_by_role("img", name="fences: 9")).to_have_count(1)


def test_what_a_rule_removed_is_marked_until_the_next_move(opened: Any) -> None:
    page, _ = opened("go", n=5)
    for number, name in enumerate(("b1", "a1", "a2"), 1):
        touch(page, name)
        expect(page.locator(".ply")).to_have_count(number)
    expect(page.locator(".removed")).to_have_count(1)
    touch(page, "d4")
    expect(page.locator(".ply")).to_have_count(4)
    expect(page.locator(".removed")).to_have_count(0)


def test_the_last_move_is_marked_where_it_put_something(opened: Any) -> None:
    page, _ = opened("quoridor")
    for name in ("c5/c6", "d5/d6"):
        touch(page, name)
    expect(page.locator(".ply")).to_have_count(1)
    expect(page.locator(".place.on-edge[aria-label*='last move']")).to_have_count(2)
    expect(page.locator(".place.on-cell[aria-label*='last move']")).to_have_count(0)


PLACES = """() => Array.from({ length: 3600 }, (_, i) => document.elementFromPoint(120 + (i % 60) * 11, 150 + Math.floor(i / 60) * 11))
  .map((element) => element?.closest("[data-place]")?.dataset.place ?? "")"""


def test_a_pixel_is_the_same_place_at_every_stage_of_a_choice(opened: Any) -> None:
    """A touch that is repeated to confirm a move hits the same edge, also where edges meet."""
    page, _ = opened("quoridor")
    before = page.evaluate(PLACES)
    assert len(set(before)) > 150
    touch(page, "c5/c6")
    expect(page.locator(".place.chosen")).to_have_count(1)
    assert page.evaluate(PLACES) == before


# The heights in pixels of the letters of all labels of the board that are shown.
LABELS = """[...document.querySelectorAll(".board-area .rim-name, .board-area .place-name, .board-area .border-text")]
  .filter((label) => getComputedStyle(label).display !== "none")
  .map((label) => parseFloat(getComputedStyle(label).fontSize) * label.getScreenCTM().a)"""


@pytest.mark.parametrize("name", ["blokus-duo", "hex", "chess", "nine-mens-morris"])
def test_every_label_can_be_read_on_a_phone(opened: Any, name: str) -> None:
    page, _ = opened(name, "phone")
    wait_until(page, "document.querySelector('.board-area .layer-ground').style.getPropertyValue('--units')")
    assert all(height > 8.9 for height in page.evaluate(LABELS))
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 320


# Names of nodes that lie on another one, or under a piece on any node (39 units from its middle).
COVERED_NAMES = """[...document.querySelectorAll(".place-name")].filter((name, i, all) => {
  const box = name.getBBox();
  const overlaps = ({ x, y, width, height }) => x < box.x + box.width && box.x < x + width && y < box.y + box.height && box.y < y + height;
  const under = [...shown.board.places.values()].some(({ middle: [x, y], domain }) => domain === shown.board.scene.place
    && Math.hypot(x - Math.max(box.x, Math.min(x, box.x + box.width)), y - Math.max(box.y, Math.min(y, box.y + box.height))) < 39);
  return under || all.some((other, k) => k !== i && overlaps(other.getBBox()));
}).map((name) => name.textContent)"""


@pytest.mark.parametrize("name", ["sim", "nine-mens-morris"])
def test_names_of_nodes_lie_under_nothing(opened: Any, name: str) -> None:
    page, table = opened(name)
    assert page.locator(".place-name").count() == table.game.program.parts[0].board.domains["cell"].size
    assert page.evaluate(COVERED_NAMES) == []


def test_each_side_of_a_triangle_is_named_once(opened: Any) -> None:
    """The long side borders on cells that are no part of the board; its name was missing, those of the others stood at every cell."""
    page, _ = opened("y")
    expect(page.locator(".border-text")).to_have_text(["1", "2", "3"])


def test_moves_that_touches_do_not_tell_apart_are_told_apart_by_where_they_lie(opened: Any) -> None:
    """The same edge of Quoridor twice: two fences lie along it. Their buttons say and show on which side each lies."""
    page, table = opened("quoridor")
    touch(page, "d3/d4")
    touch(page, "d3/d4")
    pills = page.locator(".question .pill:not(.quiet)")
    expect(pills).to_have_text(["to the left", "to the right"])
    expect(pills.locator(".miniature .would-be")).to_have_count(2)
    pictures = [one.inner_html() for one in pills.locator(".miniature").all()]
    assert pictures[0] != pictures[1] and "board-svg on-squares" in pictures[0]
    assert [one.get_attribute("title") for one in pills.all()] == ["c3h", "d3h"]
    pills.nth(1).click()
    expect(page.locator(".ply").last).to_contain_text("d3h")
    touch(page, "e2/f2")
    touch(page, "e2/f2")
    expect(pills).to_have_text(["below", "above"])
    assert str(table.nodes[-1].move) == "d3h"


def test_values_are_asked_for_by_their_words(opened: Any) -> None:
    """A pawn that reaches the last row: the pieces that it may become are named, and shown."""
    page, table = opened("chess")
    for text in ("h2h4", "g7g5", "h4g5", "h7h6", "g5h6", "a7a6", "h6h7", "a6a5"):
        state = table.state
        page.evaluate(f"shown.play({table.game.action(table.game.parse_move(text, state, state.to_act[0]))})")
    touch(page, "h7")
    touch(page, "g8")
    pills = page.locator(".question .pill:not(.quiet)")
    expect(pills).to_have_text(["Q", "R", "B", "N"])
    expect(pills.locator(".miniature .piece")).to_have_count(4)
    expect(pills.locator(".would-be")).to_have_count(0)
