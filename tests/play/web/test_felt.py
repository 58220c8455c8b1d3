"""Cards, dice and score sheets look like those of a table, and a move is made by touching them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import gamedsl
from gamedsl.play.web.things_data import factored, things_data
from tests.card_rules import expeditions

from .browser import give_back, needs_browser, open_page
from .dev_table import DevTable

needs_browser()
from playwright.sync_api import expect  # noqa: E402  (only where there is a browser)


@pytest.fixture
def opened(chrome: Any) -> Iterator[Callable[..., tuple[Any, DevTable]]]:
    pages = []

    def open_table(ruleset: Any, size: str = "desktop") -> tuple[Any, DevTable]:
        table = DevTable(gamedsl.load(ruleset))
        pages.append(open_page(chrome, table, size))
        return pages[-1], table

    yield open_table
    for page in pages:
        assert not give_back(page)


def faces(page: Any, where: str) -> list[str]:
    return [
        str(name)
        for name in page.locator(f"{where} [role=img]").evaluate_all(
            "all => all.map((one) => one.getAttribute('aria-label'))"
        )
    ]


def test_a_hand_is_a_fan_and_a_card_is_laid_by_touching_it(opened: Any) -> None:
    """Whist: thirteen cards; everybody knows that the others have as many, and nobody else's is shown."""
    page, table = opened("whist")
    own = page.locator(".felt .area.acts button.item")
    expect(own).to_have_count(13)
    expect(page.locator(".guide")).to_have_text("Choose a card.")
    expect(page.locator(".question .pill")).to_have_count(0)
    assert sum(name == "hidden" for name in faces(page, ".felt")) == 3 * 13
    assert page.locator(".felt .tally").all_inner_texts() == ["13"] * 3
    rank, suit = faces(page, ".felt .area.acts")[5].strip("()").split(", ")[::-1]
    own.nth(5).click()
    expect(page.locator(".ply").last).to_contain_text(f"{rank} of {suit}")
    assert table.made == 1
    laid = page.locator(".felt .area", has_text="north").locator("figure", has_text="laid")
    expect(laid.locator("[role=img]")).to_have_count(1)


def test_a_small_card_is_touched_twice_on_a_phone(opened: Any) -> None:
    """A card as wide as a finger is laid by the first touch; one of 30 pixels, by the second."""
    page, table = opened("whist", "phone")
    page.locator(".felt .area.acts button.item").nth(3).tap()
    page.evaluate("globalThis.devBusy")
    assert table.made == 1
    page, table = opened("whist", "phone")
    card = page.locator(".felt .area.acts button.item").nth(3)
    card.evaluate("(card) => Object.assign(card.style, { flex: '0 0 30px', minWidth: '30px' })")
    card.tap(position={"x": 8, "y": 40})
    expect(page.locator(".guide")).to_contain_text("again to make the move")
    assert table.made == 0
    page.locator(".felt button.chosen").tap(position={"x": 8, "y": 40})
    expect(page.locator(".felt button.chosen")).to_have_count(0)
    assert table.made == 1


def test_piles_show_the_top_and_are_touched(opened: Any, tmp_path: Path) -> None:
    """A ruleset without a look: a card is laid or thrown, which the page asks; then the pile is taken from."""
    path = tmp_path / "suits.gdl"
    path.write_text(expeditions(highest=4, dealt=3), encoding="utf-8")
    page, table = opened(path)
    expect(page.locator(".felt .item.pile")).to_have_count(3)
    assert sorted(faces(page, ".felt .fallen")) == sorted(
        faces(page, ".felt .area.acts .holdings")
    )  # what was dealt, as cards
    assert (
        page.locator(".felt .fallen").inner_text().strip().startswith("dealt")
        and "(" not in page.locator(".felt .fallen").inner_text()
    )
    page.locator(".felt .area.acts button.item").first.click()
    page.locator(".question .pill", has_text="throw").click()
    tallies = page.locator(".felt .tally")
    hidden, deck = ["3"], ["4"]  # south's hand; ten cards without two hands of three
    expect(tallies).to_have_text([*hidden, *deck, "1"])
    expect(page.locator(".guide")).to_have_text("Choose a pile or press “draw”.")
    page.locator(".felt button.pile").click()
    expect(tallies).to_have_text([*hidden, "4"])
    assert table.made == 2
    expect(page.locator(".panel")).not_to_contain_text("hand")


def test_dice_under_a_cup_are_seen_by_their_owner_alone(opened: Any) -> None:
    page, _ = opened("liars-dice")
    shown = faces(page, ".felt .form-count")
    assert len(shown) == 10 and shown.count("?") == 5 and set(shown) - {"?"} <= set("123456")


def test_cards_show_their_steps(opened: Any) -> None:
    """Onitama: five cards of sixteen; a card held back leaves its moves only."""
    page, table = opened("onitama")
    assert page.locator(".felt .face").count() == 5
    name = faces(page, ".felt .area.acts")[0]
    [steps] = [thing["steps"] for thing in page.evaluate("shown.game.things")]
    drawn = page.locator(".felt .face .step").count()
    held = [page.evaluate("shown.game.things[0].names").index(one) for one in faces(page, ".felt")]
    assert drawn == sum(len(steps[i]) for i in held)
    page.locator(".felt button.item").first.click()
    assert {text.split()[0] for text in page.evaluate("shown.hands.options.map((o) => o.text)")} == {name}
    page.keyboard.press("Escape")
    assert len(page.evaluate("shown.hands.options")) == len(table.state.legal_moves())


def test_points_are_a_score_sheet(opened: Any) -> None:
    page, table = opened("goofspiel")
    rng = Random(3)
    for _ in range(4):
        seat = table.viewer()
        number = rng.choice(table.state.legal_actions(seat))
        page.locator(".felt .area button.item.live").nth(table.state.legal_actions(seat).index(number)).click()
        page.evaluate("globalThis.devBusy")
    points = [int(text) for text in page.locator(".sheet .score strong").all_inner_texts()]
    assert points == [table.state.value("points")["p1"], table.state.value("points")["p2"]]


def test_a_part_without_a_board_fills_the_table(opened: Any) -> None:
    """A match that begins with a simultaneous choice: what can be chosen lies on the table, and the score of the match beside it."""
    page, _ = opened("t-tic-t-tac-toe")
    felt, choice = (page.locator(where).bounding_box() for where in (".felt", ".felt .question"))
    middle = felt["x"] + felt["width"] / 2
    assert felt["width"] > 0.6 * 1240 and felt["x"] < choice["x"] < middle
    assert faces(page, ".felt .question") == ["rock", "paper", "scissors"]
    assert page.locator(".sheet .score strong").all_inner_texts() == ["0", "0"]
    expect(page.locator(".felt .secret")).to_have_text(["is choosing", "is choosing"])
    page.locator(".question .pill").first.click()
    page.evaluate("globalThis.devBusy")  # until it is the other player's turn to choose
    page.locator(".question .pill").nth(1).click()
    expect(page.locator(".board-area .board-svg")).to_be_visible()
    assert page.locator(".beside-board .choices").count() == 1


def test_names_that_combine_two_attributes_are_suits_and_ranks() -> None:
    whole = ("jack of hearts", "jack of spades", "queen of hearts", "queen of spades")
    assert factored(whole) == [[["jack", "queen"], [0, 0, 1, 1]], [["hearts", "spades"], [0, 1, 0, 1]]]
    assert factored(whole[:3]) is None
    assert factored(("rock", "paper", "scissors")) is None


def pictures(name: str) -> list[Any]:
    return [(thing["names"], thing["pictures"]) for thing in things_data(gamedsl.load(name))["things"]]


def test_a_tile_looks_as_it_does_on_the_board() -> None:
    """MacMahon's square rggg has one red side; Whist's cards are laid on no board."""
    [(names, square)] = pictures("macmahon-dominoes")
    sides = [s for s in square["shown"][names.index("rggg")]["spots"] if s["at"][0] == "edge"]
    assert sorted(s["glyphs"][0]["colour"] for s in sides) == ["green", "green", "green", "red"]
    assert [one for _, one in pictures("whist")] == [None]


def test_tiles_in_a_hand_are_drawn(chrome: Any) -> None:
    """Tile t3 of Tsuro joins its ports 0-1, 2-3, 4-7 and 5-6: four lines."""
    [(_, tiles)] = pictures("tsuro")
    assert len(tiles["shown"][2]["lines"]) == 4
    page = open_page(chrome, DevTable(gamedsl.load("macmahon-dominoes"), seed=3))
    tile = page.locator(".felt .area").last.locator(".face").first
    assert tile.locator(".layer-edge .piece").count() == 4 and tile.locator("[data-place]").count() == 0
    assert not give_back(page)


def test_numbers_of_several_things_are_heaps_of_counters(opened: Any) -> None:
    """Nim begins with three, four and five counters, and none in the fourth heap."""
    page, _ = opened("nim", "phone")
    heaps = page.locator(".felt .heap")
    assert [heap.locator(".counter").count() for heap in heaps.all()] == [3, 4, 5, 0]
    assert [text.strip() for text in heaps.locator("figcaption").all_text_contents()] == [
        "heap A: 3",
        "heap B: 4",
        "heap C: 5",
        "heap D: 0",
    ]
    assert not page.locator(".felt .lines li").count()


def test_one_number_of_the_table_stays_a_line(opened: Any, tmp_path: Path) -> None:
    (tmp_path / "pot.gdl").write_text(
        'game "Pot"\nplayers a, b\nstate\n  pot: 0..9\nmove pay written "pay"\n  add 1 to pot\nplay\n'
        '  turns from a, 4 times\n    me plays pay\n  draw\nlook\n  beside "pot" pot\n',
        encoding="utf-8",
    )
    page, _ = opened(tmp_path / "pot.gdl")
    assert page.locator(".felt .lines li").count() == 1 and not page.locator(".felt .heap").count()
