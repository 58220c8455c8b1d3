"""The whole of it: exit codes, seeds, saving and resuming, interruptions, also in a real terminal."""

from __future__ import annotations

import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from gamedsl.engine.records.record import Record
from gamedsl.language.source.diagnostic import GameDSLError, UsageError
from gamedsl.play.terminal.play import PlayConfig, run
from gamedsl.play.terminal.play_arguments import add_arguments
from tests.patience import PATIENCE

from .script import ScriptFace

COMMAND = (sys.executable, "-m", "gamedsl.cli.main", "play")
ROOT = Path(__file__).parents[3]


def environment(**more: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "LINES")}
    return {**kept, "PYTHONPATH": str(ROOT), "TERM": "xterm", "LANG": "C.UTF-8", **more}


def typed(*arguments: str, text: str = "", cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*COMMAND, *arguments], input=text, capture_output=True, text=True, cwd=cwd,
                          env=environment(), timeout=PATIENCE)  # fmt: skip


def test_the_same_seed_gives_the_same_output() -> None:
    first, second = (typed("t-tic-t-tac-toe", "--seats", "random,random", "--seed", "7", "--plain") for _ in range(2))
    assert first.returncode == 0 and first.stderr == ""
    assert first.stdout == second.stdout
    assert first.stdout.splitlines()[-2].startswith("result: ")
    before, _, end = first.stdout.rpartition("Game 5 (T-Tic-T-Tac-Toe, one game): ")[0].partition("┌")
    assert before.count("\n") > 70 and "│" not in before and end, "boards are shown at the end alone"


def test_boards_are_drawn_when_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("tic-tac-toe", config=PlayConfig(seats="random", seed=3, plain=True, boards=True, ascii=True)) == 0
    shown = capsys.readouterr().out
    assert shown.isascii() and shown.count("+---+---+---+") == 4 * shown.count(". ")


def test_lines_from_a_pipe_and_their_end(tmp_path: Path) -> None:
    done = typed("tic-tac-toe", "-o", "play.record", text="a1\nb1\n", cwd=tmp_path)
    assert done.returncode == 130
    (file,) = tmp_path.iterdir()
    assert f"continue it with: gamedsl play --resume {file.name}" in done.stdout
    again = typed("--resume", file.name, text="a2\nb2\na3\n", cwd=tmp_path)
    assert again.returncode == 0 and "result: X wins" in again.stdout
    assert [e.text for e in Record.read(file).plies] == ["a1", "b1", "a2", "b2", "a3"]


def test_options_seats_and_seed_come_from_the_file(tmp_path: Path) -> None:
    path = str(tmp_path / "play")
    face = ScriptFace(["a1"])
    assert (
        run("x-s-and-lines", config=PlayConfig(options={"n": "3"}, seats="human,random", seed=5, save=path), face=face)
        == 130
    )
    record = Record.read(path)
    assert (record.options["n"], record.seats, record.seed) == ("3", ("human", "random"), 5)
    plies = [e.text for e in record.plies]
    whole = ScriptFace(["a1"])
    other = str(tmp_path / "other")
    assert (
        run(
            "x-s-and-lines", config=PlayConfig(options={"n": "3"}, seats="human,random", seed=5, save=other), face=whole
        )
        == 130
    )
    assert [e.text for e in Record.read(other).plies] == plies  # the same answers by the program
    with pytest.raises(UsageError):
        run(config=PlayConfig(resume=path, options={"n": "4"}))
    with pytest.raises(UsageError):
        run("tic-tac-toe", config=PlayConfig(resume=path))
    assert run("x-s-and-lines", config=PlayConfig(resume=path, seats="random"), face=ScriptFace([])) == 0
    assert len(Record.read(path).plies) > len(plies)


def test_a_play_that_is_saved_goes_to_its_file_after_every_ply(tmp_path: Path) -> None:
    path = tmp_path / "play"
    seen: list[int] = []

    class Watching(ScriptFace):
        def ask(self, prompt, choices=(), hidden=False, pointer=None):  # type: ignore[no-untyped-def]
            seen.append(len(Record.read(path).plies) if path.exists() else 0)
            return super().ask(prompt, choices, hidden)

    assert run("tic-tac-toe", config=PlayConfig(save=str(path)), face=Watching(["a1", "b1", "undo", "quit"])) == 0
    assert seen == [0, 1, 2, 1]
    with pytest.raises(UsageError):
        run("tic-tac-toe", config=PlayConfig(save=str(path)))


@pytest.mark.parametrize("stop", [KeyboardInterrupt, EOFError])
def test_interruptions_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: type[BaseException]) -> None:
    monkeypatch.chdir(tmp_path)
    face = ScriptFace(["a1", stop])
    assert run("tic-tac-toe", config=PlayConfig(save="play.record"), face=face) == 130
    (file,) = tmp_path.iterdir()
    assert [e.text for e in Record.read(file).plies] == ["a1"]
    face = ScriptFace([stop])
    assert run("tic-tac-toe", config=PlayConfig(no_save=True), face=face) == 130
    assert list(tmp_path.iterdir()) == [file] and "before the first move" in face.text


@pytest.mark.parametrize("stop", [KeyboardInterrupt, EOFError])
def test_interruptions_write_nothing_where_that_was_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stop: type[BaseException]
) -> None:
    monkeypatch.chdir(tmp_path)
    face = ScriptFace(["a1", "quit", stop])
    assert run("tic-tac-toe", config=PlayConfig(no_save=True), face=face) == 130
    assert not list(tmp_path.iterdir()) and "the game is not saved" in face.text
    assert run("tic-tac-toe", config=PlayConfig(no_save=True), face=ScriptFace(["a1", "save mine", "b1", stop])) == 130
    assert [e.text for e in Record.read(tmp_path / "mine").plies] == ["a1", "b1"]


def test_when_the_file_can_not_be_written_another_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    class Losing(ScriptFace):
        def ask(self, prompt, choices=(), hidden=False, pointer=None):  # type: ignore[no-untyped-def]
            if len(self.answers) == 1:
                shutil.rmtree(tmp_path / "folder")
            return super().ask(prompt, choices, hidden)

    (tmp_path / "folder").mkdir()
    face = Losing(["a1", KeyboardInterrupt])
    assert run("tic-tac-toe", config=PlayConfig(save="folder/play"), face=face) == 130
    (file,) = tmp_path.iterdir()
    assert len(Record.read(file).plies) == 1 and "cannot be written" in face.text


def test_bad_calls() -> None:
    for game, seats in ((None, None), ("tic-tac-toe", "robot"), ("no-such-game", None)):
        with pytest.raises(UsageError):
            run(game, PlayConfig(seats=seats))
    with pytest.raises(GameDSLError):
        run(config=PlayConfig(resume="/nowhere/at/all"))


def test_arguments() -> None:
    import argparse

    parser = argparse.ArgumentParser()
    add_arguments(parser)
    given = parser.parse_args(["chess", "--seats", "human,random", "--seed", "4", "--ascii", "--boards"])
    assert vars(given) == {
        "game": "chess", "seats": "human,random", "seed": 4, "output": None, "resume": None,
        "no_save": False, "plain": False, "ascii": True, "mouse": False, "boards": True, "position": None, "notation": None,
        "marks": None,
    }  # fmt: skip


# ------------------------------------------------------------------------------------------- in a real terminal


class Terminal:
    """A program in a terminal of 80 columns and 24 lines."""

    def __init__(self, *arguments: str, cwd: Path, **more: str) -> None:
        self.child, self.fd = pty.fork()
        if self.child == 0:
            os.chdir(cwd)
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # ignored in what a shell starts in the background
            os.execve(COMMAND[0], [*COMMAND, *arguments], environment(**more))
        self.output = ""
        self.resize(24, 80)

    def resize(self, rows: int, columns: int) -> None:
        import fcntl
        import struct
        import termios

        self.output = ""
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def wait_for(self, text: str, seconds: float = PATIENCE) -> None:
        """Reads until the text has been printed."""
        end = time.monotonic() + seconds
        while text not in self.output:
            assert time.monotonic() < end, f"{text!r} did not come:\n{self.output}"
            if select.select([self.fd], [], [], 0.2)[0] and not self._read():
                assert text in self.output, f"{text!r} did not come:\n{self.output}"

    def _read(self) -> bool:
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            return False
        self.output += data.decode("utf-8", "replace")
        if "\x1b[6n" in data.decode("utf-8", "replace"):
            os.write(self.fd, b"\x1b[1;1R")
        return bool(data)

    def send(self, text: str) -> None:
        self.output = ""
        os.write(self.fd, text.encode())

    def exit_code(self) -> int:
        while self._read():
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])


@pytest.mark.parametrize("plain", [True, False])
def test_control_c_in_a_terminal_saves_the_game(tmp_path: Path, plain: bool) -> None:
    terminal = Terminal("tic-tac-toe", "-o", "play.record", *(["--plain"] if plain else []), cwd=tmp_path)
    terminal.wait_for("X>")
    terminal.send("b2\r")
    terminal.wait_for("O>")
    terminal.send("\x03")
    terminal.wait_for("continue it with: gamedsl play --resume ")
    assert terminal.exit_code() == 130
    (file,) = tmp_path.iterdir()
    assert [e.text for e in Record.read(file).plies] == ["b2"]


def test_a_request_to_end_saves_the_game(tmp_path: Path) -> None:
    terminal = Terminal("tic-tac-toe", "--plain", "-o", "play.record", cwd=tmp_path)
    terminal.wait_for("X>")
    terminal.send("b2\r")
    terminal.wait_for("O>")
    os.kill(terminal.child, signal.SIGTERM)
    assert terminal.exit_code() == 130
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("plain", [True, False])
def test_a_secret_choice_is_not_echoed(tmp_path: Path, plain: bool) -> None:
    terminal = Terminal("rock-paper-scissors", *(["--plain"] if plain else []), cwd=tmp_path)
    terminal.wait_for("Enter when ready")
    terminal.send("\r")
    terminal.wait_for("(not shown)>")
    terminal.send("paper")
    time.sleep(0.5)
    while select.select([terminal.fd], [], [], 0.1)[0] and terminal._read():
        pass
    assert "paper" not in terminal.output and "p" not in terminal.output.replace("\x1b[?", "")
    terminal.send("\r")
    terminal.wait_for("Only right may look")
    terminal.wait_for("Enter when ready")
    assert "paper" not in terminal.output
    terminal.send("\r")
    terminal.wait_for("right, in secret")
    terminal.send("rock\r")
    terminal.wait_for("left: paper")
    terminal.wait_for("result: left wins")
    terminal.send("q\r")
    assert terminal.exit_code() == 0


def test_no_colour_when_it_is_not_wanted(tmp_path: Path) -> None:
    for more, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        terminal = Terminal("tic-tac-toe", "--no-save", cwd=tmp_path, **more)
        terminal.wait_for("X>")
        terminal.send("b2\r")
        terminal.wait_for("O>")
        assert bool(re.search(r"\x1b\[[0-9;]*31m", terminal.output)) == coloured
        assert ("[X]" in re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.output)) != coloured
        terminal.send("\x03")
        assert terminal.exit_code() == 130


def test_the_page_is_painted_again_when_the_size_changes_and_at_control_l(tmp_path: Path) -> None:
    terminal = Terminal("tic-tac-toe", cwd=tmp_path)
    terminal.wait_for("X>")
    terminal.send("b2\r")
    terminal.wait_for("O>")
    terminal.send("a")  # half a move stays where it is
    terminal.wait_for("a")
    terminal.resize(20, 60)
    terminal.wait_for("1. X: b2")
    terminal.wait_for("O>")
    terminal.send("\x0c")
    terminal.wait_for("1. X: b2")
    terminal.wait_for("O>")
    terminal.send("1\r")
    terminal.wait_for("2. O: a1")
    terminal.send("quit\r")
    assert terminal.exit_code() == 0


def test_control_z_stops_and_the_page_is_painted_when_it_goes_on(tmp_path: Path) -> None:
    terminal = Terminal("tic-tac-toe", cwd=tmp_path)
    terminal.wait_for("X>")
    terminal.send("b2\r")
    terminal.wait_for("O>")
    terminal.send("\x1a")
    for _ in range(20):  # (a kernel may refuse to stop a program that no shell looks after)
        if os.waitpid(terminal.child, os.WUNTRACED | os.WNOHANG)[0]:
            break
        time.sleep(0.1)
    os.kill(terminal.child, signal.SIGCONT)
    terminal.wait_for("1. X: b2")
    terminal.wait_for("O>")
    terminal.send("quit\r")
    assert terminal.exit_code() == 0
