"""``gamedsl watch``: one look, what changed between two, and a file that is saved while it is watched."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gamedsl.cli.main import main
from gamedsl.lab.watch import changes, take_snapshot
from tests.patience import PATIENCE

AMPLE = "600"  # seconds: the counts alone bound a look
RULES = """game "Row"

players X, O

board grid 3 by 3 named by letters from bottom

piece mark of player

define row_of(p: player) = some l in lines(3): l within mark[p]

move place(c: cell) written "{c}"
  when c in empty "taken"
  put mark[me] on c

play
  turns from X
    me plays place
    if row_of(me)
      win me
    if empty = {}
      draw

claim never row_of(X) and row_of(O)
"""
EXAMPLES = """examples:
  - name: three in a row win
    moves: [a1, a2, b1, b2, c1]
    result: { winners: [X] }
"""


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "row.gdl"
    path.write_text(RULES)
    (tmp_path / "row.examples.yaml").write_text(EXAMPLES)
    return path


def test_one_look(rules: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", str(rules), "--once", "--games", "300", "--time", AMPLE]) == 0
    told = capsys.readouterr().out
    assert "examples: 1 of 1 pass" in told
    assert "claim never row_of(X) and row_of(O): proved" in told
    assert "300 random games: X " in told and "length: 7." in told  # 7.6 in the mean, by counting all plays


def test_an_error_and_a_failing_example_have_exit_codes(rules: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules.write_text(RULES.replace("win me", "lose me"))
    assert main(["watch", str(rules), "--once", "--games", "50", "--time", AMPLE]) == 3
    assert "FAILS: three in a row win" in capsys.readouterr().out
    rules.write_text(RULES.replace("mark[me] on", "mark[you] on"))
    assert main(["watch", str(rules), "--once"]) == 1
    assert "E02" in capsys.readouterr().out
    assert main(["watch", str(rules.with_name("none.gdl")), "--once"]) == 2


def test_without_examples(rules: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules.with_name("row.examples.yaml").unlink()
    assert main(["watch", str(rules), "--once", "--games", "50", "--time", AMPLE]) == 0
    assert "examples: none yet" in capsys.readouterr().out


def test_what_changed(rules: Path) -> None:
    before = take_snapshot(str(rules), plays=2000, seconds=float(AMPLE))
    assert changes(before, before) == []
    rules.write_text(RULES.replace("      win me", "      lose me"))
    told = changes(before, take_snapshot(str(rules), plays=2000, seconds=float(AMPLE)))
    assert "example FAILS now: three in a row win" in told
    # of random plays, X makes the first row in 58.5 % and O in 28.8 % (weighted count over all 255,168 plays)
    [wins] = [text for text in told if text.startswith("X wins ")]
    now, was = (float(number) for number in re.findall(r"[0-9.]+(?= %)", wins))
    assert now == pytest.approx(28.8, abs=4) and was == pytest.approx(58.5, abs=4)
    rules.write_text(RULES.replace("win me", "wim me"))
    broken = take_snapshot(str(rules), seconds=float(AMPLE))
    assert changes(before, broken) == ["the rules can no longer be played"]
    assert changes(broken, before) == ["the rules can be played again"]


def test_a_line_that_no_play_uses_any_more(rules: Path) -> None:
    before = take_snapshot(str(rules), plays=50, seconds=float(AMPLE))
    rules.write_text(RULES.replace("if row_of(me)", "if row_of(me) and count(empty) > 9"))
    told = changes(before, take_snapshot(str(rules), plays=50, seconds=float(AMPLE)))
    assert "line 19 is no longer used: win me" in told


def test_a_save_is_seen(rules: Path) -> None:
    command = [sys.executable, "-m", "gamedsl.cli.main", "watch", str(rules), "--games", "50", "--time", AMPLE]
    watching = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"})
    assert watching.stdout is not None
    try:
        _until(watching.stdout, "random games")
        rules.write_text(RULES.replace("      win me", "      lose me"))
        _until(watching.stdout, "since the last save:")
        assert "example FAILS now" in watching.stdout.readline()
    finally:
        watching.kill()
        watching.communicate()


def _until(stream: object, text: str) -> None:
    deadline = time.monotonic() + PATIENCE
    for line in stream:  # type: ignore[attr-defined]
        if text in line:
            return
        assert time.monotonic() < deadline
    raise AssertionError("it ended")
