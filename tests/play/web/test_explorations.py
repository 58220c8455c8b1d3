"""Explorations in the page that is a file: variations, comments, marks, proofs; as files and links, of other versions and hostile."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import gamedsl
from gamedsl.cli.main import main
from gamedsl.engine import State, read_exploration
from gamedsl.language.source import Source
from gamedsl.play.web import playable_page
from tests.engine.exploration_files import WRITTEN, hostile, text_of, with_node

from .browser import give_back, needs_browser, new_page, open_file, wait_until
from .clicking import touch
from .test_rules_js import NODE, STATIC, asked
from .write_explorations import explore

needs_browser()
from playwright.sync_api import expect  # noqa: E402  (only where there is a browser)

CHECK = Path(__file__).with_name("exploration_check.mjs")


@pytest.fixture
def opened(chrome: Any, tmp_path: Path) -> Iterator[Any]:
    pages: list[Any] = []
    others: list[Any] = []

    def show(name: str, size: str = "desktop", who: str = "", **options: str) -> Any:
        file = tmp_path / "game.html"
        game = gamedsl.load(name, **options)
        file.write_text(playable_page(game, who.split(",") if who else ["human"] * game.num_players), "utf-8")
        pages.append(open_file(chrome, file, size))
        pages[-1].context.grant_permissions(["clipboard-read", "clipboard-write"])
        return pages[-1]

    def beside(page: Any, address: str) -> Any:
        """Another page of the same person."""
        other = new_page(page.context)
        other.goto(address)
        wait_until(other, "globalThis.shown")
        others.append(other)
        return other

    show.beside = beside  # type: ignore[attr-defined]
    yield show
    for other in others:
        other.close()
        assert not other.faults
    for page in pages:
        assert not give_back(page)


def middle(page: Any, name: str) -> tuple[float, float]:
    place = f"[...shown.board.places.values()].find((one) => one.name === {json.dumps(name)}).group"
    box = page.evaluate(f"{place}.scrollIntoView({{ block: 'center' }}), {place}.getBoundingClientRect().toJSON()")
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def moved(page: Any, names: tuple[str, ...]) -> None:
    """Touches places, each once the move before is shown; at once, because a page that draws anew replaces elements."""
    for name in names:
        made = page.locator(".ply").count()
        page.mouse.click(*middle(page, name))
        expect(page.locator(".ply")).to_have_count(made + 1)


def test_variations_comments_and_marks_are_shared_by_a_link(opened: Any) -> None:
    page = opened("tic-tac-toe", who="human,strong")
    page.get_by_role("button", name="Explore", exact=True).click()
    moved(page, ("b2", "a1", "c3"))
    page.locator(".ply", has_text="a1").click()
    touch(page, "b1")
    expect(page.locator(".variation .ply")).to_have_count(1)
    page.get_by_label("comment on this position").fill("<img src=x onerror=alert(1)>")
    page.get_by_role("button", name="Draw marks").click()
    page.mouse.click(*middle(page, "b3"))
    page.mouse.move(*middle(page, "b1"))
    page.mouse.down()
    page.mouse.move(*middle(page, "b3"))
    page.mouse.up()
    expect(page.locator(".layer-notes circle")).to_have_count(1)
    expect(page.locator(".layer-notes polygon")).to_have_count(1)
    expect(page.locator(".has-comment")).to_have_count(1)
    found = read_exploration(Source("x", page.evaluate("shown.table.explored()")))
    assert [found.branches[4].text, found.branches[4].parent] == ["b1", 2]
    assert found.branches[4].comment == "<img src=x onerror=alert(1)>"
    assert found.branches[4].arrows == ((("cell", "b1"), ("cell", "b3")),)
    page.get_by_role("button", name="Save or share").click()
    page.get_by_role("button", name="Copy a link").click()
    expect(page.get_by_role("dialog").get_by_role("status")).to_contain_text("Copied.")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.evaluate("shown.table.link()") and len(link) < 2000
    other = opened.beside(page, link)
    expect(other.locator(".layer-notes polygon")).to_have_count(1)
    expect(other.get_by_label("comment on this position")).to_have_value("<img src=x onerror=alert(1)>")
    assert other.locator(".notes img, .move-list img").count() == 0
    assert other.evaluate("shown.table.explored()") == page.evaluate("shown.table.explored()")
    touch(other, "b3")
    other.reload()
    wait_until(other, "globalThis.shown")
    expect(other.locator(".ply")).to_have_count(5)  # what was added to the link's exploration is kept,
    page.reload()
    wait_until(page, "globalThis.shown")
    expect(page.locator(".ply")).to_have_count(4)  # apart from the page's own
    page.get_by_role("button", name="Stop exploring").click()
    expect(page.locator(".notes textarea")).to_have_count(0)


def test_a_variation_is_removed_and_the_game_stays(opened: Any) -> None:
    page = opened("tic-tac-toe", "phone")
    moved(page, ("b2", "a1"))
    page.get_by_role("button", name="Explore", exact=True).tap()
    moved(page, ("c3", "b1"))
    page.locator(".ply", has_text="c3").tap()
    page.get_by_role("button", name="Remove this variation").tap()
    expect(page.locator(".ply")).to_have_count(2)
    page.get_by_role("button", name="Remove this variation").tap()
    page.wait_for_selector(".message.refusal:not([hidden])")
    expect(page.locator(".ply")).to_have_count(2)
    page.get_by_role("button", name="Draw marks").tap()
    page.touchscreen.tap(*middle(page, "c1"))
    expect(page.locator(".layer-notes circle")).to_have_count(1)
    page.touchscreen.tap(*middle(page, "c1"))
    expect(page.locator(".layer-notes circle")).to_have_count(0)
    expect(page.locator(".ply")).to_have_count(2)


def test_marks_are_made_by_keys(opened: Any) -> None:
    page = opened("tic-tac-toe")
    page.get_by_role("button", name="Explore", exact=True).click()
    page.get_by_role("button", name="Draw marks").click()
    page.evaluate("shown.hands.focus([...shown.board.places.keys()][0])")
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+Enter")
    notes = page.evaluate("shown.update.tree.nodes[0].notes")
    assert len(notes["circles"]) == 1 and len(notes["arrows"]) == 1 and notes["arrows"][0][1] != notes["arrows"][0][3]


def test_who_wins_is_said_where_it_is_proved(opened: Any) -> None:
    """X has two ways to a line of three; then O, who is to move, cannot close both. The clock of a proof stands still: positions end it."""
    page = opened("tic-tac-toe")
    page.evaluate("shown.table.opponents.script = `performance.now = () => 0;\n${shown.table.opponents.script}`")
    page.get_by_role("button", name="Explore", exact=True).click()
    moved(page, ("a1", "b1", "b2", "c3", "a3"))
    expect(page.locator(".verdict")).to_have_text("Proved: X wins with best play.")
    expect(page.locator(".ply[aria-current] ~ .proof")).to_have_text("X wins")


@pytest.mark.slow
def test_who_wins_is_not_said_where_it_is_not_proved(opened: Any) -> None:
    page = opened("connect-four")
    page.get_by_role("button", name="Explore", exact=True).click()
    expect(page.locator(".verdict")).to_have_text("Not proved who wins.")
    assert page.locator(".proof").count() == 0


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.stem)
def test_files_of_earlier_versions_are_opened(opened: Any, path: Path) -> None:
    text = path.read_text("utf-8")
    found = read_exploration(Source(str(path), text))
    page = opened(found.game, **found.options)
    answer = page.evaluate("(text) => shown.table.load(text)", text)
    assert answer["ok"], answer
    nodes = page.evaluate("shown.table.tree.nodes.map(({ parent, notes }) => [parent, notes.comment])")
    assert nodes == [[branch.parent, branch.comment] for branch in found.branches]
    assert found.engine != gamedsl.__version__ or answer["say"] == ""
    again = page.evaluate("shown.table.explored()")
    if '"ply":"figure ' in text:  # ends of strokes that were rounded snap onto the outline once more
        assert page.evaluate("(text) => shown.table.load(text)", again)["ok"]
        text, again = again, page.evaluate("shown.table.explored()")
    assert json.loads(again)["nodes"] == json.loads(text)["nodes"]


@pytest.mark.slow
def test_every_kind_of_game_is_read_by_the_program(opened: Any, tmp_path: Path) -> None:
    for name in ("backgammon", "t-tic-t-tac-toe-game", "chess"):
        page = opened(name)
        if not page.evaluate("shown.table.canExplore"):
            continue
        explore(page, Random(5), 12)
        path = tmp_path / f"{name}.json"
        path.write_text(page.evaluate("shown.table.explored()"), encoding="utf-8")
        assert main(["replay", str(path), "--quiet"]) == 0
        assert page.evaluate("(text) => shown.table.load(text)", path.read_text("utf-8"))["ok"]


def test_other_rules_and_versions_are_told(opened: Any) -> None:
    page = opened("tic-tac-toe")
    touch(page, "b2")
    answer = page.evaluate("(text) => shown.table.load(text)", text_of(engine="0.1.0", game="noughts"))
    assert answer["ok"]
    for words in ("made by gamedsl 0.1.0", "made for noughts", "Its rules differ", "All its moves are legal here."):
        assert words in answer["say"]
    for node, words in (({"ply": "a1"}, "a1 after b2, a1 (it is not legal)"), ({"who": "O"}, "not the turn of O")):
        refused = page.evaluate("(text) => shown.table.load(text)", with_node(**node))
        assert not refused["ok"] and words in refused["reasons"][0]["message"]
    expect(page.locator(".ply")).to_have_count(3)  # nothing has changed


def test_where_something_is_hidden_nothing_is_explored(opened: Any) -> None:
    page = opened("kuhn-poker")
    assert page.get_by_role("button", name="Explore", exact=True).count() == 0
    refused = page.evaluate("(text) => shown.table.load(text)", text_of())
    assert "hidden" in refused["reasons"][0]["message"]


def test_an_open_choice_is_not_shown_by_exploring(opened: Any) -> None:
    page = opened("rock-paper-scissors")
    page.locator("dialog.cover[open] button").click()
    page.evaluate("shown.table.play(shown.update.position.turn.actions[0][0], 0)")
    wait_until(page, "shown.update.cover === 1")
    assert not page.evaluate("shown.table.canExplore")
    assert not page.evaluate("shown.table.tools.some(({ id }) => id === 'explore')")
    assert "chosen yet" in page.evaluate("shown.table.record()")


@pytest.mark.skipif(NODE is None, reason="Node is not installed")
def test_the_page_refuses_what_the_program_refuses(tmp_path: Path) -> None:
    cases = list(hostile())
    texts = tmp_path / "texts.json"
    texts.write_text(json.dumps([text_of(), *(text for _, text in cases)]), encoding="utf-8")
    done = subprocess.run([str(NODE), str(CHECK), str(STATIC), str(texts)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["refused"][0] is None and found["same"]
    assert [name for (name, _), why in zip(cases, found["refused"][1:], strict=True) if why is None] == []
    assert all(why.startswith("This exploration cannot be read: ") for why in found["refused"][1:])
    assert all(why == "This link does not hold an exploration, or it was cut." for why in found["broken"])
    assert found["bomb"] < 20_000 and found["cleaned"] == "ab[2J\tc"


def test_a_page_begins_with_an_exploration(chrome: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, file = tmp_path / "x.json", tmp_path / "x.html"
    path.write_text(text_of(), encoding="utf-8")
    assert main(["export", "tic-tac-toe", "--to", "html", "--from", str(path), "-o", str(file)]) == 0
    page = open_file(chrome, file)
    expect(page.locator(".variation .ply")).to_have_text(["O b1"])
    expect(page.get_by_label("comment on this position")).to_have_count(1)
    assert not give_back(page)
    path.write_text(with_node(ply="a1"), encoding="utf-8")
    assert main(["export", "tic-tac-toe", "--to", "html", "--from", str(path), "-o", str(tmp_path / "y.html")]) == 1
    assert "E0535" in capsys.readouterr().err and not (tmp_path / "y.html").exists()


# ------------------------------------------------------------------------------------------------------ proofs


@cache
def worth(state: State) -> int:
    """Who wins, by trying everything: 1 for the first seat, -1 for the second."""
    if state.is_terminal:
        return (state.returns[0] > state.returns[1]) - (state.returns[0] < state.returns[1])
    return (max if state.to_act[0] == 0 else min)(worth(state.apply(move)) for move in state.legal_moves())


@pytest.mark.skipif(NODE is None, reason="Node is not installed")
@pytest.mark.parametrize("name", ["nim", "misere-tic-tac-toe"])
def test_proofs_are_the_values(tmp_path: Path, name: str) -> None:
    rng, game = Random(11), gamedsl.load(name)
    state, actions, values = game.initial_state(), list[int](), dict[int, int]()
    while not state.is_terminal:
        actions.append(rng.choice(state.legal_actions()))
        state = state.apply_action(actions[-1])
        if len(actions) >= 3:  # before that, trying everything takes long
            values[len(actions)] = worth(state)
    found = dict(asked(tmp_path, name, "proof", 1_000_000, *actions))
    assert {i: found[i] for i in values} == values and {*found.values()} <= {1, 0, -1}
    some = dict(asked(tmp_path, name, "proof", 60, *actions))
    assert None in some.values() and all(some[i] in (None, value) for i, value in values.items())
