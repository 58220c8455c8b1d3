"""What `verify` tells while it runs, and what it leaves when it is told to stop."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gamedsl.cli import progress
from gamedsl.cli.main import main
from gamedsl.cli.progress import Progress

FOUND_AT_ONCE = "never a1 in mark[X]"
# forty cells: neither explored nor played to an end soon
LARGE = """game "Large"

players X, O

board grid 5 by 8

piece mark of player

move place(c: cell) written "{c}"
  when c in empty "taken"
  put mark[me] on c

play
  turns from X
    me plays place
      stuck
        draw

claim "nobody marks a1": never a1 in mark[X]
"""


def test_progress_in_a_pipe_is_a_line_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "ELSEWHERE", 0.01)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with Progress() as shown:
        shown.doing("compiling the rules")
        while "compiling" not in sys.stderr.getvalue():  # type: ignore[attr-defined]
            shown._over.wait(0.01)
    lines = sys.stderr.getvalue().splitlines()  # type: ignore[attr-defined]
    assert lines[-1] == "compiling the rules" and set(lines) <= {"starting", "compiling the rules"}


def test_nothing_is_told_when_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "ELSEWHERE", 0.0)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with Progress(quiet=True) as shown:
        shown.doing("compiling the rules")
    assert sys.stderr.getvalue() == ""  # type: ignore[attr-defined]


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGTERM")
def test_a_kill_leaves_what_was_found(tmp_path: Path) -> None:
    """The violated claim is printed and saved before the plays begin; then SIGTERM ends the search, with exit code 143."""
    (tmp_path / "large.gdl").write_text(LARGE, encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "gamedsl.cli.main",
        "verify",
        "large.gdl",
        "--limit",
        "20000",
        "--games-time",
        "500",
        "--games",
        "999999",
    ]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as run:
        assert run.stdout is not None
        seen = []
        for line in run.stdout:
            seen.append(line)
            if "saved:" in line:
                run.send_signal(signal.SIGTERM)
                break
        rest = run.stdout.read()
        assert run.wait(timeout=120) == 128 + signal.SIGTERM
    assert any(line.startswith("VIOLATED  nobody marks a1") for line in seen)
    assert (tmp_path / "large-1.record").exists()
    assert "1 violated" in rest


def test_it_says_what_it_cannot_know(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "tic-tac-toe"]) == 0
    assert "gamedsl test" in capsys.readouterr().out.splitlines()[-1]
    assert main(["verify", "tic-tac-toe", "-q"]) == 0
    assert "gamedsl test" not in capsys.readouterr().out
