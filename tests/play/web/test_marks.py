"""Marks of the players' own in the page: chosen in a dialog, shown everywhere, kept, and refused as in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import gamedsl
from gamedsl.engine.picture import chooses_marks, fault_of_marks, lookalikes
from gamedsl.language.rules import load_program
from gamedsl.play.web import describe_game, playable_page

from .browser import give_back, needs_browser, open_file, wait_until

needs_browser()
from playwright.sync_api import expect  # noqa: E402  (only where there is a browser)

# The names of the players are their signs, and stand in the notation.
GIFTS = """
game "Gifts"
players X, O
board grid 2 by 2 named by letters
piece mark of player
move give(p: player, c: cell) written "{c} to {p}"
  when c in empty "taken"
  put mark[p] on c
play
  turns from X until empty = {}
    me plays give
  win X "good luck"
look
  show mark[p] as "{p}" chosen by owner for p in players
  beside "marks of {p}" count(mark[p]) for p in players
"""


@pytest.fixture
def gifts(tmp_path: Path) -> Path:
    (tmp_path / "gifts.gdl").write_text(GIFTS)
    return tmp_path / "gifts.gdl"


@pytest.fixture
def opened(chrome: Any, tmp_path: Path) -> Iterator[Any]:
    pages: list[Any] = []

    def show(rules: Path | str, size: str = "desktop") -> Any:
        file = tmp_path / "game.html"
        game = gamedsl.load(rules)
        file.write_text(playable_page(game, ["human"] * game.num_players), "utf-8")
        pages.append(open_file(chrome, file, size))
        return pages[-1]

    yield show
    for page in pages:
        assert not give_back(page)


def choose(page: Any, *marks: str) -> None:
    if not page.locator("dialog[aria-label=marks]").count():
        page.get_by_role("button", name="Marks").click()
    for field, mark in zip(page.locator("dialog[aria-label=marks] input").all(), marks, strict=True):
        field.fill(mark)
    page.get_by_role("button", name="Take").click()


@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_the_page_shows_marks_and_its_record_does_not(opened: Any, gifts: Path, size: str) -> None:
    page = opened(gifts, size)
    choose(page, "*", "∗")
    expect(page.locator(".fault")).to_contain_text("`*` and `∗` look alike")
    choose(page, "*", "#")
    expect(page.locator("dialog[aria-label=marks]")).to_have_count(0)
    expect(page.locator(".status")).to_contain_text("* to move")
    for text in ("a1 to #", "b1 to *", "a2 to *", "b2 to #"):
        page.evaluate("(text) => shown.play(shown.update.position.turn.actions.find((a) => a[3] === text)[0])", text)
    expect(page.locator(".status")).to_contain_text("* wins")
    assert page.locator(".ply").all_inner_texts() == ["* a1 to #", "# b1 to *", "* a2 to *", "# b2 to #"]
    assert page.locator(".piece text").all_inner_texts() == ["#", "*", "*", "#"] or sorted(
        page.locator(".piece text").all_text_contents()
    ) == ["#", "#", "*", "*"]
    assert page.locator(".seat-name").all_inner_texts() == ["* human", "# human"]
    record = page.evaluate("shown.table.record()")
    assert "1. X: a1 to O" in record and "*" not in record
    page.reload()  # (marks are kept with the play)
    wait_until(page, "globalThis.shown")
    expect(page.locator(".status")).to_contain_text("* wins")


def test_only_rulesets_that_say_so_have_the_button(opened: Any) -> None:
    page = opened("tic-tac-toe")
    assert not page.get_by_role("button", name="Marks").count()


def test_the_page_refuses_what_the_terminal_refuses(opened: Any, gifts: Path) -> None:
    """The same verdict about pairs of characters: any, and those that look alike."""
    page, program, rng = opened(gifts), load_program(gifts), Random(1)
    near = [c for row in lookalikes() for c in row]
    pairs = [[rng.choice(near), rng.choice(near)] for _ in range(300)]
    pairs += [[chr(rng.choice([rng.randrange(32, 1500), rng.randrange(0x2000, 0x3000)])), "#"] for _ in range(1500)]
    pairs += [[row[0], row[-1]] for row in lookalikes()] + [
        ["x", "X"],
        ["é", "e"],
        ["", "X"],
        ["O", "X"],
        ["O", ""],
        ["ab", ""],
    ]
    pairs = [pair for pair in pairs if not any(0xD800 <= ord(c) < 0xE000 for c in "".join(pair))]
    told = page.evaluate(
        "(pairs) => pairs.map((pair) => $marks.faultOfMarks(shown.table.game.marks, pair) === null)", pairs
    )
    wrong = [pair for pair, fine in zip(pairs, told, strict=True) if fine != (fault_of_marks(program, pair) is None)]
    assert not wrong and 300 < sum(told) < len(pairs)


@pytest.mark.parametrize("name", ["abs-trac-toe", "dots-and-boxes", "tic-tac-toe"])
def test_the_data_say_what_can_be_chosen(name: str) -> None:
    game = gamedsl.load(name)
    assert (describe_game(game)["marks"] is not None) == chooses_marks(game.program)
