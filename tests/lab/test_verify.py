"""``gamedsl verify``: what it prints, its exit codes, and the records of the plays it shows."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gamedsl.cli.main import main
from gamedsl.engine.records.record import Record

GOES_WRONG = """\
game "Goes Wrong"
players A, B
state
  left: 0..3 = 3
move take_one written "one"
  take 1 from left
play
  turns from A
    me plays take_one
"""
NO_START = GOES_WRONG.replace("play\n", "play\n  take 4 from left\n")
TRAP = """\
game "Trap"
players A, B
state
  left: 0..9 = 1
move wait written "wait"
  when left > 0 "nothing is left"
move take_one written "one"
  when left > 0 "nothing is left"
  take 1 from left
move spin written "spin"
  when left = 0 "something is left"
play
  turns from A
    me plays wait | take_one | spin
    if left = 5
      win me
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(["verify", *words])
    return code, capsys.readouterr().out


def run_json(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    code, out = run(capsys, *words, "--format", "json")
    data: dict[str, Any] = json.loads(out)
    return code, data


def test_a_sound_ruleset(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(capsys, "tic-tac-toe")
    assert code == 0
    assert "5,478 distinct states, 958 of them final" in out
    assert "that is the whole game" in out
    assert "VIOLATED" not in out
    assert list(Path().iterdir()) == []


def test_a_violated_claim(capsys: pytest.CaptureFixture[str]) -> None:
    code, out = run(capsys, "tic-tac-toe", "--claim", "never three(O)")
    assert code == 3
    assert "VIOLATED  never three(O): after 6 steps; there is no shorter game" in out
    assert "6. O: " in out
    assert "O wins" in out
    assert "saved: gamedsl replay tic-tac-toe-1.record" in out


def test_its_record_is_replayed(capsys: pytest.CaptureFixture[str]) -> None:
    _, data = run_json(capsys, "tic-tac-toe", "--claim", "never three(O)", "--only", "--save", "plays")
    path = Path(data["verdicts"][0]["record"])
    assert path == Path("plays/tic-tac-toe-1.record")
    assert [e.text for e in Record.read(path).plies] == data["verdicts"][0]["play"]
    assert main(["replay", str(path)]) == 0
    assert "O wins" in capsys.readouterr().out


def test_options_are_in_the_record(capsys: pytest.CaptureFixture[str]) -> None:
    code, _ = run_json(capsys, "m-n-k", "-s", "m=2", "-s", "n=2", "-s", "k=2", "--claim", "never over")
    assert code == 3
    assert main(["replay", "m-n-k-1.record"]) == 0


def test_a_bound_that_was_reached(capsys: pytest.CaptureFixture[str]) -> None:
    code, data = run_json(capsys, "tic-tac-toe", "--depth", "4", "--games", "0")
    assert code == 4
    assert data["stopped"] == "depth"
    assert {v["status"] for v in data["verdicts"]} == {"proved", "holds", "unknown"}


def test_violated_weighs_more_than_a_bound(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "tic-tac-toe", "--depth", "4", "--games", "0", "--claim", "always b2 in empty")[0] == 3


def test_a_rule_that_goes_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    Path("wrong.gdl").write_text(GOES_WRONG, encoding="utf-8")
    code, out = run(capsys, "wrong.gdl")
    assert code == 3
    assert "VIOLATED  no rule fails: -1 is out of range (0..3)" in out
    assert "wrong.gdl:6:" in out
    assert "4. B: one  <- here a rule goes wrong" in out
    assert main(["replay", "wrong-1.record"]) == 0
    assert "ends in a rules error" in Path("wrong-1.record").read_text(encoding="utf-8")


def test_rules_that_go_wrong_before_the_first_position(capsys: pytest.CaptureFixture[str]) -> None:
    Path("wrong.gdl").write_text(NO_START, encoding="utf-8")
    code, out = run(capsys, "wrong.gdl")
    assert code == 3
    assert "no rule fails: at the very start" in out


def test_a_play_that_can_not_end_any_more(capsys: pytest.CaptureFixture[str]) -> None:
    Path("trap.gdl").write_text(TRAP, encoding="utf-8")
    code, data = run_json(capsys, "trap.gdl")
    assert code == 3
    (trapped,) = [v for v in data["verdicts"] if v["claim"] == "every game can still end"]
    assert trapped["status"] == "violated"


def test_quiet_says_only_what_is_not_proved(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "tic-tac-toe", "-q") == (0, "tic-tac-toe: 11 proved\n")


def test_no_plays_are_saved_if_not_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "tic-tac-toe", "--claim", "never over", "--no-save")[0] == 3
    assert list(Path().iterdir()) == []


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["no-such-game"], 2),
        (["tic-tac-toe", "--claim", "nver over"], 1),
        (["tic-tac-toe", "--claim", "never three(Z)"], 1),
        (["tic-tac-toe", "--limit", "many"], 2),
        (["tic-tac-toe", "--time", "-1"], 2),
        (["tic-tac-toe", "-s", "n=3"], 2),
    ],
)
def test_mistakes(capsys: pytest.CaptureFixture[str], words: list[str], code: int) -> None:
    assert main(["verify", *words]) == code
    assert "Traceback" not in capsys.readouterr().err
