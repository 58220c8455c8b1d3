"""Explorations at a table of the server, after the end: any viewer tries variations; before it, and where something is hidden, nobody."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import gamedsl
from gamedsl.engine import read_exploration
from gamedsl.language.source import Source

from ..browser import needs_browser
from ..clicking import touch
from ..test_rules_js import NODE, STATIC
from .running import Person, Server
from .test_in_browser import person, with_board

needs_browser()
from playwright.sync_api import expect  # noqa: E402  (only where there is a browser)

__all__ = ["person"]
LINE = ("b2", "a1", "b1", "b3", "a2", "c2", "c3")  # and X resigns


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    found = Server(tmp_path_factory.mktemp("tables"), "--tables", "1000", "--sockets", "1000")
    yield found
    found.kill()


def over(server: Server, game: str) -> tuple[str, list[str], list[Person]]:
    """A table of a game that a seat resigned before its first move."""
    table, keys = server.make(game)
    people = [server.join(table, key) for key in keys]
    for one in people:
        one.seen()
    assert people[0].ask("explore", node=0, line=[], action=-1)["code"] == "no"
    assert people[0].ask("resign")["ok"]
    while not people[1].update["over"]:
        people[1].read()
    return table, keys, people


def test_any_viewer_tries_variations_after_the_end(server: Server) -> None:
    table, _, people = over(server, "tic-tac-toe")
    watcher = server.join(table)
    watcher.seen()
    for one in (*people, watcher):
        first = one.ask("explore", node=0, line=["b2", "a1"], action=-1)["explored"]
        assert (first["line"], first["movers"], first["end"]) == (["b2", "a1"], [0, 1], None)
        assert first["position"]["turn"]["seat"] == 0 and len(first["position"]["turn"]["actions"]) == 7
        action = first["position"]["turn"]["actions"][0]
        assert one.ask("explore", node=0, line=["b2", "a1"], action=action[0])["explored"]["line"][-1] == action[3]
    won = watcher.ask("explore", node=0, line=["a1", "b2", "a2", "b1", "a3"], action=-1)["explored"]
    assert won["end"] == ["X"] and won["position"]["turn"]["outcome"]["winners"] == [0]
    for line, action, code in (
        (["b2", "b2"], -1, "illegal"),
        (["z9"], -1, "illegal"),
        ([], 10**15, "illegal"),
        (["a1", "b2", "a2", "b1", "a3", "c3"], -1, "no"),
        (["a1"] * 101, -1, "malformed"),
        ("a1", -1, "malformed"),
        ([], -2, "malformed"),
    ):
        assert watcher.ask("explore", node=0, line=line, action=action)["code"] == code
    assert watcher.ask("explore", node=9, line=[], action=-1)["code"] == "malformed"
    assert len(people[0].nodes) == 1  # nothing of it reached the game


def test_chance_decides_in_variations_too(server: Server) -> None:
    _, _, (one, _) = over(server, "pig")
    actions = one.ask("explore", node=0, line=[], action=-1)["explored"]["position"]["turn"]["actions"]
    roll = next(action for action in actions if action[3] == "roll")
    found = one.ask("explore", node=0, line=[], action=roll[0])["explored"]
    assert found["movers"] == [0, None] and found["line"][1].startswith("roll ")
    again = one.ask("explore", node=0, line=found["line"], action=-1)["explored"]
    assert again["line"] == found["line"]  # the outcome is what it was


def test_where_something_is_hidden_nothing_is_tried(server: Server) -> None:
    _, _, (one, _) = over(server, "kuhn-poker")
    assert one.ask("explore", node=0, line=[], action=-1)["code"] == "secret"


def test_an_exploration_at_a_table_is_shared(server: Server, person: Any) -> None:
    table, keys = server.make("tic-tac-toe")
    x, o = (server.join(table, key) for key in keys)
    game = gamedsl.load("tic-tac-toe")
    state = game.initial_state()
    for ply, text in enumerate(LINE):
        mover, other = (x, o) if ply % 2 == 0 else (o, x)
        move = game.parse_move(text, state)
        mover.wait(ply)
        assert mover.play(game.action(move))["ok"]
        other.wait(ply + 1)
        state = state.apply(move)
    assert x.ask("resign")["ok"]
    page = with_board(person(f"{server.address}/table/{table}#{keys[0]}"))
    page.get_by_role("button", name="Explore", exact=True).click()
    expect(page.get_by_role("button", name="Stop exploring")).to_be_visible()  # the server has answered
    page.locator(".ply", has_text="a1").click()
    expect(page.locator(".ply[aria-current]")).to_contain_text("a1")
    touch(page, "c3")
    expect(page.locator(".variation .ply")).to_have_count(1)
    page.get_by_label("comment on this position").fill("better <b>so</b>")
    expect(page.locator(".has-comment")).to_have_count(1)
    found = read_exploration(Source("x", page.evaluate("shown.table.explored()")))
    assert [branch.text for branch in found.branches[1:]] == [*LINE, "c3"] and found.branches[8].parent == 2
    assert len(found.steps(game)) == 9 and found.branches[7].end is None  # the rules did not end it
    link = page.evaluate("shown.table.link()")
    assert keys[0] not in link
    page.reload()
    with_board(page)
    page.get_by_role("button", name="Explore", exact=True).click()
    expect(page.locator(".has-comment")).to_have_count(1)  # this browser keeps it
    other = with_board(person(link, "phone"))
    expect(other.get_by_label("comment on this position")).to_have_value("better <b>so</b>")
    expect(other.locator(".ply[aria-current]")).to_contain_text("c3")
    assert json.loads(other.evaluate("shown.table.explored()")) == json.loads(
        page.evaluate("shown.table.explored()")
    ) | {"at": 8}
    wrong = page.evaluate("shown.table.explored()").replace('"ply":"c3"', '"ply":"b2"')
    answer = other.evaluate("(text) => shown.table.load(text)", wrong)
    assert not answer["ok"] and "do not have" in answer["reasons"][0]["message"]
    expect(other.locator(".ply")).to_have_count(8)
    other.get_by_role("button", name="Stop exploring").click()
    expect(other.locator(".ply")).to_have_count(7)


@pytest.mark.skipif(NODE is None, reason="Node is not installed")
def test_the_last_wish_counts_when_answers_come_late() -> None:
    """Four plies are played; a ply chosen before the page knows where it begins stays, and a late answer takes nobody back."""
    check = Path(__file__).with_name("variations_check.mjs")
    done = subprocess.run([str(NODE), str(check), str(STATIC)], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    early, late, back, elsewhere, removed = json.loads(done.stdout)
    played = [None, 0, 1, 2]
    assert early == late == {"at": 1, "parents": played}
    assert back == {"at": 3, "parents": played}
    assert elsewhere == {"at": 3, "parents": [*played, 3, 4]}  # the move was added where it was made
    assert removed == {"at": 3, "parents": played}
