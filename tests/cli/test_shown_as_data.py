"""``--format json`` of the commands that show a ruleset or a game: everything that the text shows, and nothing more."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gamedsl.cli.main import main

Capture = pytest.CaptureFixture[str]


def data_of(capsys: Capture, *words: str) -> Any:
    assert main([*words, "--format", "json"]) == 0
    return json.loads(capsys.readouterr().out)


def text_of(capsys: Capture, *words: str) -> str:
    assert main(list(words)) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("name", ["tic-tac-toe", "t-tic-t-tac-toe", "x-s-and-lines"])
def test_the_rulebook(name: str, capsys: Capture) -> None:
    """All words of the text are in the data, in the same order. The second plays another ruleset as its part."""
    data, shown = data_of(capsys, "rules", name), text_of(capsys, "rules", name).split()
    at = 0
    for part in data["parts"]:
        for section in part["sections"]:
            for words in [section["heading"], *(p["text"] for p in section["paragraphs"])]:
                for word in words.split():
                    at = shown.index(word, at) + 1
    assert at and {p["title"] for p in data["parts"]} >= {data["title"]}


def test_the_rulebook_with_options(capsys: Capture) -> None:
    data = data_of(capsys, "rules", "nim", "--set", "misere=yes")
    assert data["options"]["misere"] == "yes" and data["options"]["a"] == "3"


def test_the_core(capsys: Capture) -> None:
    data = data_of(capsys, "core", "nim")
    assert data["core"].rstrip("\n") == text_of(capsys, "core", "nim").rstrip("\n")
    assert (data["game"], data["title"], len(data["digest"])) == ("nim", "Nim", 64)


def test_a_game(capsys: Capture) -> None:
    words = ("replay", "--game", "tic-tac-toe", "--moves", "a1; b1; a2; b2; a3")
    data = data_of(capsys, *words)
    assert [(p["number"], p["player"], p["text"]) for p in data["plies"]][-1] == (5, "X", "a3")
    assert (data["over"], data["winners"], data["returns"]) == (True, ["X"], [1, -1])
    assert "\n".join(data["position"]) in text_of(capsys, *words)
    data = data_of(capsys, *words, "--limit", "2")
    assert (len(data["plies"]), data["to_come"], data["over"], data["winners"]) == (2, 3, False, [])
    assert main([*words, "--step", "--format", "json"]) == 2


def test_a_game_as_a_seat_may_know_it(capsys: Capture) -> None:
    """The deal of Kuhn poker says which card the other player got."""
    words = ("replay", "--game", "kuhn-poker", "--moves", "deal 2; deal 1; bet; fold")
    seen, whole = (data_of(capsys, *words, *more) for more in (["--seat", "p1"], []))
    assert [ply["text"] for ply in whole["plies"]] == ["deal 2", "deal 1", "bet", "fold"]
    assert [ply["text"] for ply in seen["plies"]] == ["deal 2", "deal (hidden)", "bet", "fold"]
    assert "card of p2: 1" in whole["position"] and "card of p2" not in json.dumps(seen)


def test_the_saved_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert data_of(capsys, "replay")["games"] == []
    main(["play", "tic-tac-toe", "--seats", "random", "--seed", "1", "--plain"])
    capsys.readouterr()
    [one] = data_of(capsys, "replay")["games"]
    assert (one["number"], one["game"], Path(one["path"]).is_file()) == (1, "tic-tac-toe", True) and one["result"]


def test_a_look(capsys: Capture) -> None:
    data = data_of(capsys, "watch", "nim", "--once", "--games", "20", "--time", "1")
    assert data["playable"] and all(e["passed"] for e in data["examples"]) and data["summary"]["plays"] == 20
    assert {v["claim"] for v in data["verdicts"]} >= {"ends within a + b + c + d plies", "no rule fails"}
    assert data["changes"] == [] and data["diagnostics"] == []


@pytest.mark.parametrize("seed", ["-1", str(1 << 63), "1.5"])
def test_seeds_of_a_game_are_those_of_all_commands(seed: str, capsys: Capture) -> None:
    assert main(["play", "tic-tac-toe", "--seats", "random", "--seed", seed]) == 2
    assert "is not a whole number from 0 to 9223372036854775807" in capsys.readouterr().err
