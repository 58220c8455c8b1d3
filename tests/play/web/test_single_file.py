"""A play as one HTML file: it opens from the disk, asks the network for nothing, and tells a seat nothing it may not know."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from random import Random
from typing import Any

import pytest

import gamedsl
from gamedsl.cli.main import main
from gamedsl.cli.report_boards import boards
from gamedsl.engine import Game, Record
from gamedsl.language.rules import shipped
from gamedsl.play.web import figure_assets, playable_page, recorded_page
from gamedsl.play.web.single_file import one_file
from gamedsl.play.web.single_script import STATIC, one_script
from tests.engine.test_say import OPEN, load

from .browser import give_back, needs_browser, open_file

needs_browser()
from playwright.sync_api import expect  # noqa: E402  (only where there is a browser)


def record_of(game: Game, seed: int, plies: int = 8) -> Record:
    state, rng = game.initial_state(), Random(seed)
    record = Record.begin(game, game.program.name)
    while not state.is_terminal and len(record.plies) < plies:
        move = state.propose(rng)
        state, record = state.apply(move), record.plus_move(game, move)
    return record


@pytest.mark.parametrize("name", ["chess", "x-s-and-lines", "abs-trac-toe"])
def test_a_recorded_play_is_a_file_to_go_through(chrome: Any, tmp_path: Path, name: str) -> None:
    game = gamedsl.load(name)
    record, file = record_of(game, 4), tmp_path / "play.html"
    record.write(tmp_path / "play.record")
    assert main(["replay", str(tmp_path / "play.record"), "-o", str(file)]) == 0
    page = open_file(chrome, file, ready="true")
    expect(page.locator(".ply")).to_have_count(8)
    page.get_by_label("to the last position").click()
    expect(page.locator(".ply").last).to_have_attribute("aria-current", "true")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".ply").nth(6)).to_have_attribute("aria-current", "true")
    page.get_by_role("button", name="Record").click()
    assert page.input_value("textarea") == record.text()
    assert page.asked == [file.as_uri()] and not give_back(page)


def test_a_seat_is_told_nothing_else() -> None:
    """The pages of two plays that a seat can't tell apart are the same."""
    game = gamedsl.load("kuhn-poker")
    first = game.initial_state()
    deals = [m for m, _ in first.chance_outcomes()]
    pages = []
    for mine, other in ((0, 1), (0, 2)):
        state = first.apply(deals[other])
        seconds = {str(m): m for m, _ in state.chance_outcomes()}
        record = Record.begin(game, "kuhn-poker").plus_move(game, deals[other])
        record = record.plus_move(game, seconds[str(deals[mine])])
        pages.append(recorded_page(game, record, seat=1))
    assert pages[0] == pages[1]


def test_data_can_not_end_its_element() -> None:
    text = one_file("<b>", "replay", "", {"play": {"name": "</script><script>alert(1)</script>"}})
    assert "<title>&lt;b&gt;</title>" in text
    [found] = re.findall(r'<script type="application/json" id="play">(.*?)</script>', text)
    assert json.loads(found) == {"name": "</script><script>alert(1)</script>"}


def test_all_modules_fit_into_one_script(tmp_path: Path) -> None:
    script = one_script("replay")
    used = {"page", "board", "selection", "recorded_table", "svg"}
    assert all(script.count(f"const ${name} = ") == 1 for name in used)
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
    assert used <= {p.stem for p in STATIC.glob("*.js")}
    (tmp_path / "odd.js").write_text('import * as all from "./other.js";\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r"odd\.js"):
        one_script("odd", tmp_path)


@pytest.mark.parametrize("name", ["chess", "x-s-and-lines"])
def test_a_report_draws_its_boards_by_the_page(chrome: Any, tmp_path: Path, name: str) -> None:
    file = tmp_path / "report.html"
    assert main(["report", name, "-o", str(file), "--games", "3", "--time", "1", "--limit", "3"]) == 0
    page = open_file(chrome, file, ready="true")
    expect(page.locator("figure svg.board-svg")).to_have_count(3)  # the first board, one of a random game, and its end
    if (
        name == "x-s-and-lines"
    ):  # whose line is which; and the second picture is not the end (a game has 16 plies at the most)
        expect(page.locator("figure .legend li")).to_contain_text(["drawn by first", "drawn by second"])
        captions = [text.split("\n")[0] for text in page.locator("figcaption").all_inner_texts()]
        assert int(captions[1].split()[1]) < int(captions[2].split()[3])
    assert not give_back(page)


@pytest.mark.parametrize("name", ["abs-trac-toe", "t-tic-t-tac-toe"])
def test_figures_of_a_report_show_all_spaces_and_all_games(chrome: Any, tmp_path: Path, name: str) -> None:
    """The figures alone: a whole report of these games plays for half a minute."""
    file, figures = tmp_path / "figures.html", boards(gamedsl.load(name), 0)
    told = [json.loads(unescape(re.findall(r'data-figure="([^"]*)"', picture)[0]))["picture"] for _, picture in figures]
    file.write_text("<!DOCTYPE html><meta charset=utf-8>" + "".join(p for _, p in figures) + figure_assets(), "utf-8")
    page = open_file(chrome, file, ready="true")
    expect(page.locator(".picture > svg.board-svg")).to_have_count(len(told))
    expect(page.locator(".picture > .past figure svg")).to_have_count(len(told[-1]["past"]))
    assert page.locator("figcaption").all_inner_texts() == [one["caption"] for one in told[-1]["past"]]
    assert len(told[-1]["past"]) >= 5 or name == "abs-trac-toe"
    for shown, picture in zip(page.locator(".picture").all(), told, strict=True):
        spaces = (picture["drawing"] or {"spaces": []})["spaces"]
        assert shown.locator(".space-name").count() == len(spaces)
    assert not give_back(page)


def test_a_report_without_a_board_has_no_script(tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    assert main(["report", "nim", "-o", str(file), "--games", "3", "--time", "1"]) == 0
    assert "<script" not in file.read_text("utf-8")


def test_on_a_page_alone_a_seat_reads_what_is_said_as_far_as_it_knows(chrome: Any, tmp_path: Path) -> None:
    """The square of a secret try is said to the player who tries."""
    path, file = tmp_path / "saying.gdl", tmp_path / "play.html"
    original = shipped()["phantom-tic-tac-toe"].read_text("utf-8")
    path.write_text(original.replace("\nlook\n", '\nlook\n  say "Tried {c}." after try\n'), encoding="utf-8")
    game = gamedsl.load(path)
    file.write_text(playable_page(game, ("human", "random")), encoding="utf-8")
    page = open_file(chrome, file)
    state, record = game.initial_state(), Record.begin(game, game.program.name)
    for text in ("b2", "a1", "c3"):
        move = game.parse_move(text, state)
        state, record = state.apply(move), record.plus_move(game, move)
    assert page.evaluate("async (text) => (await shown.table.load(text)).ok", record.text())
    expect(page.locator(".said")).to_have_text(["Tried b2.", "Tried c3."])
    assert not give_back(page)


@pytest.mark.parametrize("kind", ["recorded", "alone"])
def test_what_the_rules_say_stays_in_the_list_of_moves(chrome: Any, tmp_path: Path, kind: str) -> None:
    game, file = load(tmp_path, OPEN), tmp_path / "play.html"
    state, record = game.initial_state(), Record.begin(game, game.program.name)
    for text in ("place b2", "lift b2", "place a1", "place b1", "place c1"):
        move = game.parse_move(text, state)
        state, record = state.apply(move), record.plus_move(game, move)
    file.write_text(recorded_page(game, record) if kind == "recorded" else playable_page(game, ("human", "human")))
    page = open_file(chrome, file)
    if kind == "alone":
        assert page.evaluate("async (text) => (await shown.table.load(text)).ok", record.text())
    expect(page.locator(".said")).to_have_text(["Ouch, b2! says O's rival", "A row is full.", "X has two."])
    assert not give_back(page)
