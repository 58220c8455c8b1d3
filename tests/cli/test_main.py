"""The front door: exit codes, mistakes without tracebacks, and what happens to interruptions."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gamedsl.cli import list_command, main
from gamedsl.cli.command_list import COMMANDS
from gamedsl.language.rules.files import shipped
from gamedsl.language.source.diagnostic import ExitCode

Capture = pytest.CaptureFixture[str]


def run(*words: str) -> int:
    return main.main(list(words))


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("chekc", "x"), 2, "did you mean: check"),
        (("check",), 2, "GAME"),
        (("check", "tic-tac-tow"), 2, "did you mean: tic-tac-toe"),
        (("check", "nowhere/game.gdl"), 2, "there is no file"),
        (("check", "tests"), 2, "folder"),
        (("perft", "tic-tac-toe"), 2, "--depth"),
        (("perft", "tic-tac-toe", "--depth", "-1"), 2, "depth"),
        (("perft", "tic-tac-toe", "--depth", "x"), 2, "depth"),
        (("export", "tic-tac-toe", "--to", "jason"), 2, "did you mean: json"),
        (("check", "tic-tac-toe", "--set", "n"), 2, "NAME=VALUE"),
        (("check", "x-s-and-lines", "-s", "n=3", "-s", "n=4"), 2, "twice"),
        (("check", "nim", "-o", "a=3"), 2, "`--set a=3`"),
        (("export", "nim", "--to", "yaml", "-o", "a=3"), 2, "`--set a=3`"),
        (("report", "nim", "-o", "a=3"), 2, "`-o ./a=3`"),
        (("report", "nim", "-o", "-"), 2, "`-o ./-`"),
        (("coverage", "nim", "-o", "page.txt"), 2, ".html"),
        (("check", "a\0b"), 2, "U+0000"),
        (("explain", "E9999"), 2, "E9999"),
        (("check", "tic-tac-toe", "--jsno"), 2, "--jsno"),
    ],
)
def test_wrong_usage(words: tuple[str, ...], code: int, said: str, capsys: Capture) -> None:
    assert run(*words) == code
    out, err = capsys.readouterr()
    assert said in err
    assert "Traceback" not in err
    assert out == ""


@pytest.mark.parametrize("name", ["-", ""])
@pytest.mark.parametrize("command", ["ablate", "depth", "metrics", "report", "simulate", "solve", "sweep", "verify"])
def test_a_checkpoint_without_a_name(
    command: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    """A dash stands for the standard input, which cannot be continued from: a file of this name was written."""
    monkeypatch.chdir(tmp_path)
    assert run(command, "tic-tac-toe", "--checkpoint", name) == 2
    assert "does not name a file" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_file_named_like_an_option_can_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("export", "nim", "--to", "yaml", "-o", "./n=4") == ExitCode.FINE
    assert (tmp_path / "n=4").exists()


@pytest.mark.parametrize("name", list(COMMANDS))
def test_o_is_output_and_s_sets_options_in_every_command(name: str) -> None:
    """``-o`` never stands for anything but ``--output``, nor ``-s`` for anything but ``--set``; and where the rules
    are loaded, they can be set."""
    help = main.build_parser([name])._subparsers._group_actions[0].choices[name]  # type: ignore[union-attr]
    long = {short: action.option_strings for action in help._actions for short in action.option_strings}
    assert long.get("-o", ["-o", "--output"]) == ["-o", "--output"]
    assert long.get("-s", ["-s", "--set"]) == ["-s", "--set"]
    assert "--option" not in long


@pytest.mark.parametrize("words", [("--help",), ("--version",), ("check", "--help"), ("play", "--help")])
def test_help(words: tuple[str, ...], capsys: Capture) -> None:
    assert run(*words) == ExitCode.FINE
    assert "gamedsl" in capsys.readouterr().out


def test_help_names_every_command(capsys: Capture) -> None:
    run("--help")
    out = capsys.readouterr().out
    for name in (
        "check",
        "fmt",
        "export",
        "core",
        "explain",
        "clauses",
        "perft",
        "replay",
        "test",
        "play",
        "list",
        "rules",
    ):
        assert f"\n  {name} " in out


def test_unreadable_files(tmp_path: Path, capsys: Capture) -> None:
    binary = tmp_path / "picture.gdl"
    binary.write_bytes(b"game\n\xff\xfe\x00\x89PNG")
    assert run("check", str(binary)) == ExitCode.INVALID
    shown = capsys.readouterr().out
    assert "UTF-8" in shown
    assert "picture.gdl:2:1" in shown


def _breaking(problem: BaseException) -> Callable[..., int]:
    def stand_in(_: object) -> int:
        raise problem

    return stand_in


def test_bugs_are_one_line(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.delenv("GAMEDSL_DEBUG", raising=False)
    monkeypatch.setattr(list_command, "run_list", _breaking(KeyError("oh\nno")))
    assert run("list") == main.BUG
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert err.startswith("internal error: KeyError")


def test_bugs_show_themselves_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAMEDSL_DEBUG", "1")
    monkeypatch.setattr(list_command, "run_list", _breaking(KeyError("oh")))
    with pytest.raises(KeyError):
        run("list")


def test_interruption(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr(list_command, "run_list", _breaking(KeyboardInterrupt()))
    assert run("list") == 130
    assert "interrupted" in capsys.readouterr().err


def test_a_closed_pipe_is_no_error() -> None:
    command = [sys.executable, "-m", "gamedsl.cli.main", "explain"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait() == main.PIPE_CLOSED


def test_a_stream_that_knows_only_ascii() -> None:
    env = {**os.environ, "PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "gamedsl.cli.main", "list"]
    result = subprocess.run(command, capture_output=True, env=env, check=False)
    assert result.returncode == 0
    assert b"Traceback" not in result.stderr


def _modules_after(*words: str) -> set[str]:
    """The modules that a command has imported when it is done."""
    code = f"import sys; from gamedsl.cli.main import main; main({list(words)!r}); print(*sorted(sys.modules), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


@pytest.mark.parametrize("words", [("--version",), ("--help",), (), ("play",), ("list",)])
def test_what_only_prints_imports_little(words: tuple[str, ...]) -> None:
    """Start-up time is import time: these need neither the language nor the engine."""
    heavy = {"lark", "yaml", "rich", "prompt_toolkit", "shapely", "jsonschema", "numpy", "numba", "llvmlite"}
    loaded = _modules_after(*words)
    assert not (heavy | {"gamedsl.language.syntax.ast", "gamedsl.language.core.nodes", "gamedsl.engine.state"}) & loaded


def test_check_imports_neither_the_engine_nor_the_compiler() -> None:
    loaded = _modules_after("check", "tic-tac-toe")
    assert not {"gamedsl.engine.state", "gamedsl.compiler", "numpy", "numba", "llvmlite"} & loaded


def test_alone_shows_what_there_is(capsys: Capture) -> None:
    assert run() == ExitCode.FINE
    out = capsys.readouterr().out
    named = [name for name in shipped() if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", out)]
    more = sum(map(int, re.findall(r"and (\d+) more", out)))
    assert len(named) > 20 and len(named) + more == len(shipped())
    for text in ("--seats human,mcts:2s", "gamedsl rules GAME", "gamedsl help"):
        assert text in out
    assert max(map(len, out.splitlines())) <= 100


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name: str, capsys: Capture) -> None:
    """The list names the module that holds the command."""
    assert run(name, "--help") == ExitCode.FINE
    assert f"gamedsl {name}" in capsys.readouterr().out


def test_the_package_runs_as_a_module(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    """`python -m gamedsl list --nonsense` ends like `gamedsl list --nonsense`."""
    monkeypatch.setattr(sys, "argv", ["gamedsl", "list", "--nonsense"])
    with pytest.raises(SystemExit) as left:
        runpy.run_module("gamedsl", run_name="__main__")
    assert left.value.code == ExitCode.USAGE
    assert "--nonsense" in capsys.readouterr().err
