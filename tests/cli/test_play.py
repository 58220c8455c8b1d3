"""`play`, `replay`, `perft --from FILE` and `test`, from the command line."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from gamedsl.cli.main import main

Capture = pytest.CaptureFixture[str]
MOVES = "# by hand\nX: a1\nO: b1\n\n3. X: a2\n"


@pytest.fixture
def record(tmp_path: Path, capsys: Capture) -> Path:
    """A whole recorded play."""
    path = tmp_path / "play.record"
    words = ["--seats", "random,random", "--seed", "3", "--plain", "-o", str(path)]
    assert main(["play", "tic-tac-toe", *words]) == 0
    capsys.readouterr()
    return path


@pytest.fixture
def moves(tmp_path: Path) -> Path:
    path = tmp_path / "hand.moves"
    path.write_text(MOVES)
    return path


def test_the_same_seed_plays_the_same(capsys: Capture) -> None:
    def played(seed: str) -> str:
        assert main(["play", "tic-tac-toe", "--seats", "random,random", "--seed", seed, "--plain"]) == 0
        return capsys.readouterr().out

    assert played("7") == played("7")
    assert played("7") != played("8")


def test_replay_to_the_end(record: Path, capsys: Capture) -> None:
    assert main(["replay", str(record)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Tic-Tac-Toe, ")
    assert "\n1. X: " in out
    assert "to come" not in out


def test_replay_to_a_ply(record: Path, capsys: Capture) -> None:
    assert main(["replay", str(record), "--limit", "2"]) == 0
    out = capsys.readouterr().out
    assert "\n2. O: " in out
    assert "\n3. X: " not in out
    assert "to come" in out


def test_replay_step_by_step(record: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n\nq\n"))
    assert main(["replay", str(record), "--step"]) == 0
    out = capsys.readouterr().out
    assert "\n2. O: " in out
    assert "\n3. X: " not in out


def test_a_changed_record_is_refused_and_left_alone(record: Path, capsys: Capture) -> None:
    text = record.read_text().replace("X: ", "O: ", 1)
    record.write_text(text)
    assert main(["replay", str(record)]) == 1
    assert "E0531" in capsys.readouterr().err
    assert record.read_text() == text


def test_a_list_of_moves_needs_its_game(moves: Path, capsys: Capture) -> None:
    assert main(["replay", str(moves)]) == 2
    assert "--game" in capsys.readouterr().err
    assert main(["replay", str(moves), "--game", "tic-tac-toe"]) == 0


def test_perft_from_files(record: Path, moves: Path, tmp_path: Path, capsys: Capture) -> None:
    import gamedsl

    game = gamedsl.load("tic-tac-toe")
    saved = tmp_path / "state.json"
    saved.write_text(game.initial_state().serialize())
    for path, count in ((moves, "6\n"), (saved, "9\n"), (record, "0\n")):
        assert main(["perft", "tic-tac-toe", "--depth", "1", "--from", str(path)]) == 0
        assert capsys.readouterr().out == count


def test_examples(tmp_path: Path, capsys: Capture) -> None:
    assert main(["test", "tic-tac-toe"]) == 0
    ruleset = tmp_path / "x.gdl"
    ruleset.write_text("players X, O\nplay\n  X passes\n  draw\n")
    examples = tmp_path / "x.examples.yaml"
    examples.write_text("examples:\n  - name: two\n    legal_count: 2\n  - name: one\n    legal_count: 1\n")
    assert main(["test", str(ruleset)]) == 3
    assert "two" in capsys.readouterr().out
    assert main(["test", str(examples), "--format", "json"]) == 3
    (file,) = json.loads(capsys.readouterr().out)["files"]
    assert [e["passed"] for e in file["examples"]] == [False, True]
    examples.write_text("examples: []\n")
    assert main(["test", str(ruleset)]) == 1
    assert main(["test", str(tmp_path / "y.gdl")]) == 2
