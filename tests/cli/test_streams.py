"""Input and output that fail: a sentence and an exit code of their own, for every command."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import TypeAlias

import pytest

from gamedsl.cli.command_list import COMMANDS
from gamedsl.cli.main import main
from gamedsl.language.source.atomic_write import replace_file, write_file
from gamedsl.language.source.diagnostic import ExitCode, FileError

Outcomes: TypeAlias = dict[str, tuple[int, str]]
IO = int(ExitCode.IO)


@pytest.fixture
def outcomes(how: str, tmp_path: Path) -> Outcomes:
    """Per command the exit code and what was said on the standard error output, where a stream fails as ``how`` says."""
    words = [sys.executable, "-m", "tests.cli.every_command", str(tmp_path), *how.split()]
    subprocess.run(words, stdout=subprocess.DEVNULL, check=True, timeout=300)
    found: Outcomes = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("how", ["stdout full", "stdout closed"])
def test_the_output_fails(how: str, outcomes: Outcomes) -> None:
    why = {"stdout full": "No space left on device", "stdout closed": "it is closed"}[how]
    assert set(outcomes) >= set(COMMANDS)
    for name, (code, said) in outcomes.items():
        if name != "usage":
            assert f"error[E0009]: the standard output cannot be written: {why}" in said, name
            assert code == IO, name


@pytest.mark.parametrize("how", ["stderr full", "stderr closed", "stdin closed"])
def test_messages_that_nobody_can_read_change_nothing(how: str, outcomes: Outcomes) -> None:
    """With the standard error output full or closed every command ends with the code that it has with it open; likewise
    where an input is closed that nobody asks for."""
    found = {name: code for name, (code, _) in outcomes.items()}
    assert found.pop("usage") == 2
    assert {name: code for name, code in found.items() if code not in (0, 4)} == {}


# ---------------------------------------------------------------------------------------------- as a shell does it


@pytest.mark.parametrize(("line", "code", "said"), [
    ("gamedsl --help >/dev/full", IO, "the standard output cannot be written: No space left on device"),
    ("gamedsl --version >/dev/full", IO, "the standard output cannot be written: No space left on device"),
    ("gamedsl list >/dev/full", IO, "the standard output cannot be written: No space left on device"),
    ("gamedsl list >&-", IO, "the standard output cannot be written: it is closed"),
    ("gamedsl nonsense 2>/dev/full", 2, ""),
    ("gamedsl nonsense 2>&-", 2, ""),
    ("gamedsl list >&- 2>&- <&-", IO, ""),
    ("gamedsl play tic-tac-toe --plain <&-", IO, "the standard input cannot be read: it is closed"),
    ("gamedsl list | true", 0, ""),
    ("gamedsl replay --step --game tic-tac-toe moves <&-", IO, "the standard input cannot be read: it is closed"),
    ("gamedsl replay --step --game tic-tac-toe moves >/dev/full", IO, "the standard output cannot be written"),
])  # fmt: skip
def test_from_a_shell(line: str, code: int, said: str, tmp_path: Path) -> None:
    """Python itself adds nothing at its end: no traceback, no exit code 120."""
    (tmp_path / "moves").write_text("a1\n", encoding="utf-8")
    command = line.replace("gamedsl", f"{sys.executable} -m gamedsl.cli.main")
    done = subprocess.run(command, shell=True, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == code
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


# ---------------------------------------------------------------------------------------------------------- files


def test_files_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there = str(tmp_path / "no" / "such" / "folder" / "it.html")
    for line, error in (
        (["export", "tic-tac-toe", "--to", "yaml", "--output", there], "E0008"),
        (["export", "tic-tac-toe", "--to", "yaml", "--output", "/dev/full"], "E0008"),
        (["coverage", "tic-tac-toe", "--games", "1", "-o", there], "E0008"),
        (["verify", "tic-tac-toe", "--no-save", "--checkpoint", there], "E0530"),
        (["verify", "tic-tac-toe", "--no-save", "--checkpoint", "/dev/full/x"], "E0530"),
    ):
        assert main(line) == IO, line
        assert error in capsys.readouterr().err


def test_files_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "it.gdl").write_text('game "It"\nplayers A, B\nplay\n  draw\n', encoding="utf-8")
    (tmp_path / "it.examples.yaml").mkdir()
    assert main(["test", str(tmp_path / "it.gdl")]) == IO
    assert "error[E0003]" in capsys.readouterr().err
    assert main(["replay", str(tmp_path / "nowhere"), "--game", "tic-tac-toe"]) == IO
    assert "error[E0530]" in capsys.readouterr().err


def test_a_file_that_is_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "it.gdl").write_text('game "It"\nplayers A, B\nplay\n  draw\n', encoding="utf-8")
    (tmp_path / "it.examples.yaml").write_bytes(b"examples:\n  - \xff\n")
    assert main(["test", str(tmp_path / "it.gdl")]) == 1
    assert "it.examples.yaml:2:5" in capsys.readouterr().err


def test_what_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "it"
    path.write_text("old", encoding="utf-8")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            write_file(path, "new" * 1000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert path.read_text(encoding="utf-8") == "old"
    assert os.listdir(tmp_path) == ["it"]


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    path, link = tmp_path / "it", tmp_path / "link"
    path.write_text("old", encoding="utf-8")
    path.chmod(0o640)
    link.symlink_to(path)
    replace_file(link, lambda file: file.write(b"new"))
    assert link.is_symlink()
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"new", 0o640)


def test_a_checkpoint_that_cannot_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The disk fills while the search goes on: the verdicts are told all the same, then what failed."""
    path = tmp_path / "it"
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, before[1]))
    try:
        code = main(["verify", "tic-tac-toe", "--no-save", "--checkpoint", str(path)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    said = capsys.readouterr()
    assert code == IO
    assert "11 proved" in said.out
    assert "error[E0530]" in said.err
    assert "File too large" in said.err
    assert os.listdir(tmp_path) == ["it"]


def test_file_errors_have_their_exit_code() -> None:
    assert FileError("it", code="E0008").exit_code == 5
