"""``gamedsl actions``: kinds, numbers and totals."""

from __future__ import annotations

import json

import pytest

from gamedsl.cli.main import main

Capture = pytest.CaptureFixture[str]


def printed(capsys: Capture, *words: str) -> str:
    assert main(["actions", *words]) == 0
    return capsys.readouterr().out


def test_the_table(capsys: Capture) -> None:
    assert printed(capsys, "backgammon").splitlines() == [
        "first  size  kind          parameters",
        "    0    24  enter         c 24",
        "   24   576  step          from 24, to 24",
        "  600   144  bear_off      from 24, n 6",
        "  744     1  pass",
        "  745     6  chance: roll  outcome 6",
        "751 actions (745 of players, 6 of chance)",
        "in parts: 5 x 24 x 24",
    ]


def test_every_action(capsys: Capture) -> None:
    lines = printed(capsys, "m-n-k", "--set", "m=2", "--set", "n=2", "-s", "k=2", "--list").splitlines()
    assert lines == ["0 a1", "1 b1", "2 a2", "3 b2"]


def test_json(capsys: Capture) -> None:
    data = json.loads(printed(capsys, "tic-tac-toe", "--format", "json", "--list"))
    assert data["actions"] == data["player_actions"] == 9 and data["factors"] == [1, 9]
    assert data["kinds"][0]["parameters"][0]["values"] == data["texts"]


def test_symmetries(capsys: Capture) -> None:
    lines = printed(capsys, "connect-four", "--symmetries").splitlines()
    assert "4 symmetries with the identity" in lines and "  player: (yellow-red): moves 0 actions" in lines
    data = json.loads(printed(capsys, "connect-four", "--symmetries", "--format", "json"))
    assert sorted(data["symmetries"][0]["actions"]) == list(range(42)) and len(data["symmetries"]) == 3
    assert printed(capsys, "go", "--symmetries").splitlines()[-1].startswith("no symmetries but the identity: ")


def test_drawings(capsys: Capture) -> None:
    assert "drawings have no numbers" in printed(capsys, "abs-trac-toe")


def test_a_mistake(capsys: Capture) -> None:
    assert main(["actions", "chess", "--set", "depth=3"]) != 0
    assert "error" in capsys.readouterr().err
