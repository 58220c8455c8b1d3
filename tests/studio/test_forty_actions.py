"""From nothing to a game with an option, an example, a proved claim, a look, a game against the program and an exported page, in fewer
than forty actions. An action is a click, a choice in a menu, or a text that is typed or filled in.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.patience import PATIENCE
from tests.play.web.browser import browser, needs_browser
from tests.play.web.clicking import place

from .running import Studio

needs_browser()
from playwright.sync_api import expect  # noqa: E402  (only where there is a browser)

OPTION = '\noption cautious: bool = no "the first mark goes to the top"'
GUARD = '\nwhen not cautious or mark[X] != {} or c in top_row "the first mark goes to the top"'
MOST = 40


class Hand:
    """Somebody whose actions are counted."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.actions = 0

    def click(self, what: Any, **where: Any) -> None:
        self.actions += 1
        what.click(**where)

    def fill(self, what: Any, text: str) -> None:
        self.actions += 1
        what.fill(text)

    def choose(self, what: Any, value: str) -> None:
        self.actions += 1
        what.select_option(value)

    def type_after(self, words: str, text: str) -> None:
        """Clicks behind some words of the text, goes to the end of the line, and types."""
        self.click(self.page.locator(".cm-line", has_text=words))
        self.actions += 2
        self.page.keyboard.press("End")
        self.page.keyboard.type(text)

    def press(self, key: str) -> None:
        self.actions += 1
        self.page.keyboard.press(key)

    def claim(self, text: str) -> None:
        self.fill(self.page.get_by_label("a new claim"), text)
        self.press("Enter")

    def tab(self, name: str) -> None:
        self.click(self.page.locator(".facts-pane").get_by_role("tab", name=name))

    def place(self, name: str) -> Any:
        (frame,) = self.page.main_frame.child_frames
        return place(frame, name)


@pytest.fixture
def studio(tmp_path: Path) -> Iterator[Studio]:
    found = Studio(tmp_path / "data", folder=tmp_path)
    yield found
    found.stop()


@pytest.mark.slow
def test_a_game_from_nothing_to_a_published_page(tmp_path: Path, studio: Studio) -> None:
    with browser() as chrome:
        page = chrome.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce").new_page()
        page.set_default_timeout(1000 * PATIENCE)
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(studio.link)
        hand, board = Hand(page), page.frame_locator("iframe")

        # a game from a template
        hand.fill(page.get_by_label("name of the game like tic-tac-toe"), "my-game")
        hand.click(page.locator(".card-of-template", has_text="Tic Tac Toe").get_by_role("button", name="Begin"))
        expect(board.locator(".place")).to_have_count(16)

        # an option, and a guard that needs it
        hand.type_after("option row", OPTION)
        hand.type_after("that square is taken", GUARD)
        expect(page.locator(".health")).to_have_text("No mistakes")
        hand.choose(page.get_by_label("cautious"), "yes")

        # the guard refuses a move, and an example says so
        hand.click(hand.place("b2"))
        expect(page.locator(".marked-refusing")).to_contain_text("the first mark goes to the top")
        hand.click(page.get_by_role("button", name="Make an example"))
        expect(page.locator(".judged li.is-fine", has_text="the first position")).to_be_visible()

        # a game against the program
        hand.choose(page.get_by_label("O", exact=True), "mcts:200ms")
        hand.click(hand.place("a4"))
        expect(board.locator(".ply")).to_have_count(2)
        hand.click(board.locator(".place.start .hit").first)
        expect(board.locator(".ply")).to_have_count(4)

        # a claim that is proved, and one that is wrong, with its shortest game on the board
        hand.tab("Claims")
        hand.claim("reachable count(mark[X]) = 3")
        expect(page.locator(".judged li.is-fine", has_text="reachable count(mark[X]) = 3")).to_contain_text("proved")
        hand.claim("never count(mark[X]) = 2")
        wrong = page.locator(".judged li.is-bad", has_text="never count(mark[X]) = 2")
        hand.click(wrong.get_by_role("button", name="on the board"))
        expect(board.locator(".ply")).to_have_count(3)
        hand.click(page.locator(".cm-line", has_text="never count"), position={"x": 20, "y": 8})
        hand.press("Control+Shift+K")  # the line goes
        expect(page.locator(".cm-line", has_text="never count")).to_have_count(0)
        expect(wrong).to_have_count(0)

        # a look
        hand.tab("Look")
        hand.click(page.get_by_label("mark[X]: purple"))
        hand.choose(page.get_by_label("shape of mark[X]"), "star")
        expect(page.locator(".cm-content").first).to_contain_text('show mark[X] as "X" purple shaped star')

        # saved, and published
        expect(page.locator(".health")).to_have_text("No mistakes")
        hand.click(page.get_by_role("button", name="Save", exact=True))
        expect(page.locator(".saved")).to_have_text("saved")
        hand.tab("Share")
        with page.expect_download(timeout=1000 * PATIENCE) as downloaded:
            hand.click(page.get_by_role("button", name="Download the page"))
        downloaded.value.save_as(tmp_path / "my-game.html")
        assert faults == []
        assert hand.actions < MOST, hand.actions

        published = chrome.new_page()
        published.goto((tmp_path / "my-game.html").as_uri())
        expect(published.locator(".place")).to_have_count(16)
    rules = (tmp_path / "my-game" / "my-game.gdl").read_text()
    examples = (tmp_path / "my-game" / "my-game.examples.yaml").read_text()
    assert OPTION.strip() in rules and "purple shaped star" in rules and "claim reachable" in rules
    assert 'says: "the first mark goes to the top"' in examples and "cautious: true" in examples
