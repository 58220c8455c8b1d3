"""Commands on several files: one that is wrong does not keep the others from being looked at."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from gamedsl.cli.main import main
from gamedsl.language.rules.files import shipped

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """``good`` with examples that hold, ``wrong`` with one that doesn't, ``broken`` that is no ruleset."""
    source = shipped()["tic-tac-toe"]
    shutil.copytree(source.parent / "clauses", tmp_path / "clauses")
    for name in ("good", "wrong", "broken"):
        shutil.copy(source, tmp_path / f"{name}.gdl")
        shutil.copy(source.with_name("tic-tac-toe.examples.yaml"), tmp_path / f"{name}.examples.yaml")
    (tmp_path / "broken.gdl").write_text("players X,,\n")
    (tmp_path / "wrong.examples.yaml").write_text("examples: [{name: too many, legal_count: 10}]\n")
    return tmp_path


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["good"], 0),
        (["broken", "good"], 1),
        (["wrong", "good"], 3),
        (["broken", "wrong", "good"], 3),
        (["none", "good"], 2),
    ],
)
def test_the_others_are_tested(names: list[str], code: int, folder: Path, capsys: Capture) -> None:
    files = [str(folder / f"{name}.gdl") for name in names]
    assert main(["test", *files]) == code
    told = capsys.readouterr()
    assert "good.gdl: 6 examples passed" in told.out
    assert ("error[E0101]" in told.err) == ("broken" in names) and "E0210" not in told.err
    assert main(["test", "--format", "json", *files]) == code
    found = json.loads(capsys.readouterr().out)["files"]
    assert [f["file"] for f in found] == files and all(e["passed"] for e in found[-1]["examples"])


def test_the_others_are_checked(folder: Path, capsys: Capture) -> None:
    files = [str(folder / f"{name}.gdl") for name in ("none", "broken", "good")]
    assert main(["check", *files]) == 2
    assert "good.gdl: fine" in capsys.readouterr().out


CHANCE = """\
players A, B
state
  n: 0..4
play
  repeat
    roll d6 -> r
    add 1 to n
  until n = 3
  if r > 3
    win A
  win B
"""


@pytest.mark.parametrize("backend", ["interpreter", "native"])
def test_the_length_of_pure_chance(backend: str, tmp_path: Path, capsys: Capture) -> None:
    """Three dice fall in every play, and nobody decides."""
    path = tmp_path / "chance.gdl"
    path.write_text(CHANCE.replace("add 1 to n", "set n to n + 1"))
    assert main(["simulate", str(path), "-n", "20", "--backend", backend]) == 0
    assert "outcomes of chance: mean 3.00" in capsys.readouterr().out
    assert main(["simulate", str(path), "-n", "20", "--backend", backend, "--format", "json"]) == 0
    lengths = json.loads(capsys.readouterr().out)["lengths"]
    assert (lengths["unit"], lengths["counts"]) == ("outcomes of chance", {"3": 20})


def test_so_many_plays_of_a_tournament(capsys: Capture) -> None:
    """Two agents and two seats: a round is two plays. Five plays are three rounds."""
    for words, plays, rounds in ((["-n", "5"], 6, 3), (["--games", "2"], 2, 1), (["--rounds", "2"], 4, 2)):
        assert main(["tournament", "tic-tac-toe", "--agents", "random,mcts:5", "--format", "json", *words]) == 0
        found = json.loads(capsys.readouterr().out)
        assert (found["planned"], found["played"], found["rounds"]) == (plays, plays, rounds)
    assert main(["tournament", "tic-tac-toe", "--agents", "random,mcts:5", "-n", "3", "--rounds", "2"]) == 2
    assert main(["tournament", "tic-tac-toe", "--agents", "random,mcts:5", "-n", "0"]) == 2
