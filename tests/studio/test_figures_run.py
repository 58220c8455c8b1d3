"""The figures about a text: known numbers, coverage, judgments, changes since the last save, and an end when they are not wanted."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from gamedsl.language.rules import parse_source
from gamedsl.language.source import Source
from gamedsl.studio import figures_run
from gamedsl.studio.board_line import Board
from gamedsl.studio.studio_process import Worker, answers

from .running import RULES

PATH = str(Path("/nowhere/row.gdl"))
EXAMPLES = "examples:\n  - name: nine squares\n    legal_count: 9\n  - name: wrong\n    legal_count: 8\n"


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """So many playouts and states that the numbers mean something, and no more."""
    monkeypatch.setattr(figures_run, "PLAYOUTS", 400)
    for name in ("FIRST", "SECOND", "LAST", "JUDGED", "COVERING"):
        monkeypatch.setattr(figures_run, name, 60.0)  # the number of playouts bounds them, not time


def figures(text: str, before: Any = None, wanted: int = 100) -> tuple[dict[str, Any], int]:
    """All parts as one, and their number; they are wanted until so many have come."""
    parsed = {PATH: parse_source(Source(PATH, text))}
    found: dict[str, Any] = {}
    parts: list[dict[str, Any]] = []
    for part in figures_run.figures(
        Board.of(PATH, {}, parsed), PATH, parsed, EXAMPLES, before, lambda: len(parts) < wanted
    ):
        found |= part
        parts.append(part)
    return found, len(parts)


def test_figures_of_a_known_game() -> None:
    """Random games of three in a row: the first player wins 58.5 %, the second 28.8 %, 12.7 % are drawn (published)."""
    found, _ = figures(RULES)
    summary = found["summary"]
    first, second = summary["seats"]
    for share, known in ((first["win_share"], 0.585), (second["win_share"], 0.288), (first["draw_share"], 0.127)):
        spread = share["high"] - share["low"]
        assert share["low"] - spread / 2 < known < share["high"] + spread / 2  # twice the interval of 95 %
    assert summary["lengths"]["shortest"] >= 5 and summary["lengths"]["longest"] == 9
    # Of the random games, 9.52, 8.81, 26.43, 20 and 35.24 % have 5 to 9 moves (published counts: 1,440; 5,328; 47,952; 72,576; 127,872),
    # with 35, 39, 42, 44 and 45 choices: 7.626 decisions in a game, 42.526 / 7.626 choices at one.
    for name, known in (("decisions", 7.626), ("choices", 42.526 / 7.626)):
        low, high = summary[name]["low"], summary[name]["high"]
        assert low < high < low + 0.5 and low - (high - low) / 2 < known < high + (high - low) / 2
    assert summary["decisions"]["value"] == pytest.approx(summary["lengths"]["mean"]["value"])
    lines = {line["number"]: line for line in found["coverage"]["lines"]}
    guard, mark = lines[12], lines[13]
    assert (guard["kind"], guard["mark"]) == ("guard", "used") and guard["other"] > 0
    assert mark["times"] > 0 and mark["first"] == 1
    assert [(one["passed"], one["line"]) for one in found["examples"]] == [(True, 2), (False, 4)]
    claim = next(v for v in found["verdicts"] if not v["default"])
    assert (claim["status"], claim["line"]) == ("proved", 23)
    assert found["is_done"] and "changes" not in found  # there is nothing to compare with


def test_changes_since_the_last_save_are_those_that_the_intervals_show() -> None:
    before, _ = figures(RULES)
    same, _ = figures(RULES.replace('"X"\n', '"Y"\n'), before["snapshot"])
    assert same["changes"] == []
    swapped, _ = figures(RULES.replace("      win me", "      lose me"), before["snapshot"])
    assert any(text.startswith("X wins") for text in swapped["changes"])


def test_of_long_games_the_beginning_is_shown_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first figures come before any game ends: the choices at the first decisions of one."""
    played = figures_run._played
    brief = threading.Event()
    brief.set()  # the first round ends at once
    monkeypatch.setattr(
        figures_run,
        "_played",
        lambda board, stop, *rest, **more: played(board, stop if more.get("most") else brief, *rest, **more),
    )
    parsed = {PATH: parse_source(Source(PATH, RULES))}
    first = next(figures_run.figures(Board.of(PATH, {}, parsed), PATH, parsed, None, None, lambda: True))["summary"]
    assert first["plays"] == 1 and not first["is_begun"]  # 4 plies, then 16: all of a short game
    monkeypatch.setattr(figures_run, "FIRST", 0.0)
    assert next(figures_run.figures(Board.of(PATH, {}, parsed), PATH, parsed, None, None, lambda: True)) == {
        "summary": None
    }
    cut = figures_run._summary(
        figures_run._played(Board.of(PATH, {}, parsed), threading.Event(), 60.0, is_quick=True, plays=1, most=4)
    )
    assert (
        cut is not None
        and cut["is_begun"]
        and cut["branching"]["all_decisions"] == 4
        and cut["branching"]["largest"] == 9
    )


def saved_and_typed(saved: str, typed: str) -> dict[str, Any]:
    worker = Worker()
    request = {
        "id": 1,
        "do": "figures",
        "path": PATH,
        "texts": {PATH: typed},
        "options": [],
        "plies": [],
        "seed": 0,
        "saved": saved,
    }
    return {key: value for line in answers(worker, request) for key, value in line.get("part", {}).items()}


def test_text_that_was_not_saved_is_compared_with_what_was_saved_though_no_figures_of_that_are_known() -> None:
    """As after a restart with unsaved text."""
    lost = saved_and_typed(RULES, RULES.replace("      win me", "      lose me"))
    assert any(text.startswith("X wins") for text in lost["changes"])
    assert saved_and_typed(RULES, RULES)["changes"] == []
    assert "mistakes" in saved_and_typed("players", RULES)["compared_with"]


def test_a_violated_claim_has_its_shortest_game() -> None:
    found, _ = figures(f"{RULES}\nclaim never count(mark[X]) = 2\n")
    wrong = next(v for v in found["verdicts"] if v["status"] == "violated" and not v["default"])
    assert len(wrong["plies"]) == 3 and [seat for seat, _ in wrong["plies"]] == [0, 1, 0]


def test_a_claim_that_is_proved_by_a_game_has_that_game() -> None:
    """Three marks of X need five plies: the game that shows it has no others."""
    found, _ = figures(f"{RULES}\nclaim reachable count(mark[X]) = 3\n")
    (shown,) = [v for v in found["verdicts"] if v["claim"].startswith("reachable")]
    assert shown["status"] == "proved" and len(shown["plies"]) == 5


def test_figures_end_when_they_are_not_wanted_any_more() -> None:
    _, parts = figures(RULES, wanted=1)
    assert parts == 1
