"""``solve`` and ``exploitability`` on games with hidden information."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gamedsl.cli.main import main
from gamedsl.language.source import ExitCode

Capture = pytest.CaptureFixture[str]


def test_solve_and_play_what_was_found(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "kuhn.json"
    assert main(["solve", "kuhn-poker", "--exploitability", "0.001", "-o", str(file)]) == ExitCode.FINE
    shown = capsys.readouterr().out
    assert "58 histories, 30 ends; information sets: 6 for p1, 6 for p2" in shown
    assert "best play: p1 gets -0.05" in shown and "  hand[p1] = 2: check 0.99" in shown
    assert main(["exploitability", "kuhn-poker", "--agent", f"strategy:{file}", "--format", "json"]) == ExitCode.FINE
    assert 0 <= json.loads(capsys.readouterr().out)["exploitability"] <= 0.001
    assert main(["play", "kuhn-poker", "--seats", f"strategy:{file}", "--seed", "1", "--plain"]) == ExitCode.FINE
    capsys.readouterr()
    assert main(["simulate", "kuhn-poker", "--seats", f"strategy:{file}", "-n", "20"]) == ExitCode.FINE


def test_solve_json(capsys: Capture) -> None:
    for method in ("cfr", "cfr+"):
        assert (
            main(["solve", "kuhn-poker", "--method", method, "--iterations", "100", "--format", "json"])
            == ExitCode.FINE
        )
        found = json.loads(capsys.readouterr().out)
        assert (found["method"], found["iterations"], found["histories"]) == (method, 100, 58)
        assert found["curve"][-1]["nash_conv"] == found["nash_conv"]
        assert found["nash_conv"] == pytest.approx({"cfr": 0.016452, "cfr+": 0.0023888}[method], rel=1e-4)
        assert found["bounds"]["low"] <= -1 / 18 <= found["bounds"]["high"]
        assert [len(p["strategy"]) for p in found["players"]] == [6, 6]


def test_solve_by_linear_program(capsys: Capture) -> None:
    assert main(["solve", "kuhn-poker", "--method", "lp"]) == ExitCode.FINE
    assert "best play: p1 gets -0.0555556 (between -0.0555556 and -0.0555556)" in capsys.readouterr().out


def test_three_players(capsys: Capture) -> None:
    assert main(["solve", "kuhn-poker", "-s", "players=3", "--iterations", "50"]) == ExitCode.FINE
    shown = capsys.readouterr().out
    assert "no method is known" in shown and "p3 gets" in shown and "can gain" in shown


def test_what_everybody_sees_is_solved_as_before(capsys: Capture) -> None:
    assert main(["solve", "tic-tac-toe"]) == ExitCode.FINE
    assert "positions examined" in capsys.readouterr().out
    assert main(["solve", "nim", "-s", "a=1", "-s", "b=1", "-s", "c=1", "--method", "cfr+"]) == ExitCode.FINE
    assert "histories" in capsys.readouterr().out


def test_advice_that_can_help(capsys: Capture) -> None:
    """Phantom tic-tac-toe has no options, and 19,934,533,171 histories: neither options nor --limit nor --time help."""
    assert main(["solve", "phantom-tic-tac-toe", "--limit", "1000"]) == ExitCode.BOUND
    shown = capsys.readouterr().err
    assert "Use `--method outcome`, which draws samples" in shown and "; or compare strategies" in shown
    assert all(word not in shown for word in ("--limit", "--time", "option"))
    assert main(["exploitability", "phantom-tic-tac-toe", "--limit", "1000"]) == ExitCode.BOUND
    shown = capsys.readouterr().err
    assert "--method" not in shown and "gamedsl tournament" in shown
    assert main(["solve", "leduc-poker", "--limit", "1000"]) == ExitCode.BOUND
    assert "allow more with `--limit N`" in capsys.readouterr().err


def test_the_time_is_over(capsys: Capture) -> None:
    words = ["solve", "leduc-poker", "--exploitability", "0", "--time", "1"]
    assert main(words) == ExitCode.BOUND


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--method", "graph"], "cannot see `deck`"),
        (["--method", "depth", "-o", "x"], "`--output` does not go with `--method depth`"),
        (["--method", "lp", "--iterations", "5"], "has no iterations to count"),
        (["--from", "deal 1"], "the value of a position depends on"),
        (["--exploitability", "-1"], "is not a number from 0 on"),
        (["--exploitability", "nan"], "is not a number from 0 on"),
        (["-o", "/nowhere/x", "--iterations", "1"], "cannot be written"),
        (["-s", "players=3", "--method", "lp"], "needs two players"),
        (["--score", "-s", "players=3"], "no scores of two players"),
        (["--seed", "3"], "`--seed` is for methods that draw samples"),
        (["--method", "cfr", "--checkpoint", "x"], "`--checkpoint` is for methods that draw samples"),
        (["--method", "graph", "--jobs", "2"], "`--jobs` is for methods that draw samples"),
        (["--method", "outcome", "--jobs", "0"], "--jobs"),
        (["--method", "outcome", "--iterations", "1", "--checkpoint", "/nowhere/x"], "cannot be written"),
    ],
)
def test_mistakes(words: list[str], message: str, capsys: Capture) -> None:
    assert main(["solve", "kuhn-poker", *words]) in (ExitCode.USAGE, ExitCode.IO)
    assert message in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_noticed_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def work(*_: object) -> None:
        raise AssertionError("it began")

    monkeypatch.setattr("gamedsl.cli.solve_command.find", work)
    monkeypatch.setattr("gamedsl.play.web.playable_page", work)
    monkeypatch.setattr("gamedsl.play.web.wasm_files", work)
    for words in (["solve"], ["export", "--to", "html"], ["export", "--to", "wasm"]):
        assert main([*words, "kuhn-poker", "-o", str(tmp_path / "none" / "x")]) == ExitCode.IO
        assert "cannot be written" in capsys.readouterr().err


@pytest.mark.parametrize("method", ["external", "outcome"])
def test_solve_by_samples(method: str, tmp_path: Path, capsys: Capture) -> None:
    """A run in two halves finds what a whole one does, with any number of threads."""
    file, words = str(tmp_path / "it"), ["solve", "kuhn-poker", "--method", method, "--seed", "7"]
    assert main([*words, "--iterations", "400", "--format", "json", "--jobs", "2"]) == ExitCode.FINE
    whole = json.loads(capsys.readouterr().out)
    assert main([*words, "--iterations", "150", "--checkpoint", file, "--curve"]) == ExitCode.FINE
    assert "    iterations    NashConv   seconds" in capsys.readouterr().out
    assert main([*words, "--iterations", "400", "--checkpoint", file, "--format", "json"]) == ExitCode.FINE
    half = json.loads(capsys.readouterr().out)
    assert (whole["resumed"], half["resumed"], half["iterations"]) == (0, 150, 400)
    assert half["players"] == whole["players"] and half["nash_conv"] == whole["nash_conv"]
    assert main([*words, "--iterations", "100", "--checkpoint", file]) == ExitCode.FINE
    assert "resumed from" in capsys.readouterr().out
    assert main(["solve", "kuhn-poker", "--method", method, "--checkpoint", file]) == ExitCode.INVALID
    assert "E0521" in capsys.readouterr().err


def test_too_large(capsys: Capture) -> None:
    assert main(["solve", "phantom-tic-tac-toe", "--limit", "3000"]) == ExitCode.BOUND
    assert "more than 3,000 histories" in capsys.readouterr().err
    assert main(["solve", "abs-trac-toe", "--method", "cfr"]) == ExitCode.USAGE
    assert main(["exploitability", "kuhn-poker", "--agent", "ab:d2"]) == ExitCode.USAGE
