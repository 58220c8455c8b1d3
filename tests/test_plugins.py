"""Another package adds an agent, a command, a record format and an adapter; broken ones are named, without a traceback."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import gamedsl
from gamedsl.agents import AGENT_KINDS
from gamedsl.cli.command_list import COMMANDS, REGISTRY
from gamedsl.cli.main import main
from gamedsl.engine.records.formats import RECORD_FORMATS
from gamedsl.envs import ADAPTERS, make_env, why_not_adapted
from gamedsl.envs.__main__ import main as print_facts
from gamedsl.language.source.entry_points import Registry, _entry_points, find_culprit

Capture = pytest.CaptureFixture[str]
PACKAGE = Path(__file__).parent / "plugin_package"
ROOT = Path(__file__).resolve().parents[1]
Install = Callable[..., Path]


def install(folder: Path, name: str, entry_points: dict[str, dict[str, str]], summary: str = "") -> None:
    """What an installer leaves beside a package: its metadata and its entry points."""
    info = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\nSummary: {summary}\n")
    groups = [
        f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in points.items()) for group, points in entry_points.items()
    ]
    (info / "entry_points.txt").write_text("\n".join(groups), encoding="utf-8")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for packages, on the path."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    monkeypatch.chdir(tmp_path)
    before = set(sys.modules)
    _entry_points.cache_clear()
    yield folder
    _entry_points.cache_clear()
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(folder)):
            del sys.modules[name]


@pytest.fixture
def extras(site: Path) -> Path:
    """The package of this folder, installed."""
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    shutil.copytree(PACKAGE / "gamedsl_extras", site / "gamedsl_extras")
    install(site, project["name"], project["entry-points"], project["description"])
    return site


# --------------------------------------------------------------------------------------------------- what is added


def test_an_agent_plays_a_tournament(extras: Path, capsys: Capture) -> None:
    """One takes the squares from the first on, the other from the last: the one who begins fills a row first."""
    assert main(["tournament", "tic-tac-toe", "--agents", "first,first:9", "--rounds", "1"]) == 0
    out = capsys.readouterr().out
    assert "first against first:9: 1 won, 0 drawn, 1 lost" in out


def test_an_agent_takes_a_seat(extras: Path, capsys: Capture) -> None:
    assert main(["play", "tic-tac-toe", "--seats", "first,first", "--seed", "1", "--plain"]) == 0
    assert (
        "X wins" in capsys.readouterr().out
    )  # X a1 c1 b2 and so on: each takes the next square, and X gets a diagonal
    assert main(["simulate", "tic-tac-toe", "--seats", "first,random", "-n", "3"]) == 0


def test_an_agent_refuses_what_it_does_not_take(extras: Path, capsys: Capture) -> None:
    for agent in ("first:x", "first:", "first:0"):
        assert main(["tournament", "tic-tac-toe", "--agents", f"{agent},random"]) == 2
        assert f"`{agent}` is not an agent" in (err := capsys.readouterr().err) and "`first:3` the third one" in err
    assert main(["tournament", "tic-tac-toe", "--agents", "firs,random"]) == 2
    err = capsys.readouterr().err
    assert "did you mean: first" in err and "`first` of the package gamedsl-extras" in err


def test_a_command_runs(extras: Path, capsys: Capture) -> None:
    assert main(["letters", "tic-tac-toe"]) == 0
    assert capsys.readouterr().out == "Tic-Tac-Toe: 9 letters\n"
    assert main(["letters", "tic-tac-toe", "--format", "json"]) == 0
    assert '"letters": 9' in capsys.readouterr().out
    assert main(["letters", "no-such-file"]) == 2
    assert "E0002" in capsys.readouterr().err
    assert main(["--help"]) == 0
    lines = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines() if line.startswith("  l")]
    [text] = [text for name, text in lines if name == "letters"]
    assert text.startswith("an agent, a command, a record format")
    assert main(["leters", "tic-tac-toe"]) == 2
    assert "did you mean: letters" in capsys.readouterr().err


def test_a_record_format_is_read(extras: Path, capsys: Capture) -> None:
    game = extras.parent / "game.arrows"
    game.write_text("-> a1\n-> b2\n-> c3\n", encoding="utf-8")
    assert main(["replay", str(game), "--game", "tic-tac-toe"]) == 0
    assert "b2" in capsys.readouterr().out
    game.write_text("-> a1\nb2\n", encoding="utf-8")
    assert main(["replay", str(game), "--game", "tic-tac-toe"]) == 1
    err = capsys.readouterr().err
    assert "E0531" in err and "line 2: no ->" in err


def test_the_other_formats_are_read_as_before(extras: Path) -> None:
    assert gamedsl.engine.Record.parse("a1\nb2\n").entries[1].text == "b2"
    assert gamedsl.engine.Record.parse("1. a1 b2 2. c3 *").entries[2].text == "c3"


def test_an_adapter_is_found(extras: Path, capsys: Capture) -> None:
    game = gamedsl.load("tic-tac-toe")
    assert make_env("histories", game)([0, 4]) == [1, 2, 3, 5, 6, 7, 8]
    assert why_not_adapted(gamedsl.load("kuhn-poker"), "histories") == "something is hidden"
    assert print_facts(["tic-tac-toe"]) == 0
    assert "histories                 fits" in capsys.readouterr().out


def test_it_works_in_a_process_of_its_own(extras: Path) -> None:
    env = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(extras)])}
    command = [sys.executable, "-m", "gamedsl.cli.main", "letters", "tic-tac-toe"]
    done = subprocess.run(command, env=env, cwd=extras.parent, capture_output=True, text=True, check=True)
    assert done.stdout == "Tic-Tac-Toe: 9 letters\n"


# --------------------------------------------------------------------------------------------------- what is broken


BROKEN = {
    "missing module": ("no_such_module:KIND", "ModuleNotFoundError"),
    "missing name": ("broken_extras:NOTHING", "AttributeError"),
    "fails at import": ("failing_extras:KIND", "ZeroDivisionError"),
    "wrong class": ("broken_extras:WRONG", "is not"),
}


@pytest.mark.parametrize("value", BROKEN)
@pytest.mark.parametrize("group", ["agents", "commands", "records"])
def test_a_broken_package_is_named(group: str, value: str, site: Path, capsys: Capture) -> None:
    place, reason = BROKEN[value]
    (site / "broken_extras.py").write_text("WRONG = 5\n", encoding="utf-8")
    (site / "failing_extras.py").write_text("KIND = 1 / 0\n", encoding="utf-8")
    install(site, "broken-extras", {f"gamedsl.{group}": {"odd": place}})
    moves = site.parent / "moves"
    moves.write_text("a1\nb2\n", encoding="utf-8")
    line = {
        "agents": ["tournament", "tic-tac-toe", "--agents", "odd,random"],
        "commands": ["odd"],
        "records": ["replay", str(moves), "--game", "tic-tac-toe"],
    }[group]
    assert main(line) == 5
    err = capsys.readouterr().err
    assert "E0012" in err and "package broken-extras" in err and reason in err and "Traceback" not in err
    # whatever does not use it works
    assert main(["check", "tic-tac-toe"]) == 0 and main(["--help"]) == 0
    assert main(["simulate", "tic-tac-toe", "--seats", "random,ab:d1", "-n", "1"]) == 0


def test_a_package_that_fails_at_work_is_named(site: Path, capsys: Capture) -> None:
    text = """
from gamedsl.agents import AgentKind, StateAgent
class Odd(StateAgent):
    text = "odd"
    def choose(self, state, seed, player=None):
        return state.legal_moves(player)[99]
KIND = AgentKind(lambda argument: Odd())
def add(commands):
    commands.no_such_thing
"""
    (site / "odd_extras.py").write_text(text, encoding="utf-8")
    points = {"gamedsl.agents": {"odd": "odd_extras:KIND"}, "gamedsl.commands": {"odd": "odd_extras:add"}}
    install(site, "odd-extras", points)
    for line in (["tournament", "tic-tac-toe", "--agents", "odd,random"], ["odd"]):
        assert main(line) == 70
        err = capsys.readouterr().err
        assert (
            err.startswith("error in the package odd-extras: ") and "to its authors" in err and "Traceback" not in err
        )


def test_a_command_that_adds_nothing_is_named(site: Path, capsys: Capture) -> None:
    (site / "idle_extras.py").write_text("def add(commands):\n    pass\n", encoding="utf-8")
    install(site, "idle-extras", {"gamedsl.commands": {"idle": "idle_extras:add"}})
    assert main(["idle"]) == 5
    assert "package idle-extras" in capsys.readouterr().err


def test_two_packages_with_one_name(site: Path, capsys: Capture) -> None:
    for name in ("one-extras", "other-extras"):
        install(site, name, {"gamedsl.commands": {"odd": "nothing:add"}})
    assert main(["odd"]) == 5
    assert "by two packages, one-extras and other-extras" in capsys.readouterr().err


def test_no_package_replaces_what_is_built_in(site: Path) -> None:
    points = {"gamedsl.agents": {"random": "nothing:KIND"}, "gamedsl.commands": {"check": "nothing:add"}}
    install(site, "odd-extras", points)
    assert main(["check", "tic-tac-toe"]) == 0
    assert AGENT_KINDS.offers() == [] and REGISTRY.offers() == []


# ----------------------------------------------------------------------------------------------------- the built-in


REGISTRIES: list[Registry] = [AGENT_KINDS, REGISTRY, RECORD_FORMATS, ADAPTERS]


@pytest.mark.parametrize("registry", REGISTRIES, ids=lambda r: r.group)
def test_what_is_built_in_loads(registry: Registry) -> None:
    for name in registry.built_in:
        found = registry.find(name)
        assert callable(found) if registry.kind is None else isinstance(found, registry.kind)


def test_built_in_names_need_no_search(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    """Commands of gamedsl start without a look at other packages."""
    monkeypatch.setattr("gamedsl.language.source.entry_points._entry_points", None)
    for name in COMMANDS:
        assert main([name, "--help"]) == 0, name
    assert main(["simulate", "tic-tac-toe", "--seats", "random,ab:d1", "-n", "1"]) == 0


def test_errors_of_our_own_have_no_culprit() -> None:
    with pytest.raises(ZeroDivisionError) as found:
        print(1 / 0)
    assert find_culprit(found.value) is None
