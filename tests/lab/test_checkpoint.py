"""Explorations that are interrupted and gone on with, and those shared by threads: the same graph in the end."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gamedsl.cli.main import main
from gamedsl.engine import InterpretedGame
from gamedsl.lab.explore.explorer import Execution, Limits, explore
from gamedsl.lab.symmetry.symmetries import symmetries
from gamedsl.language.rules import load_program
from gamedsl.language.source.diagnostic import GameDSLError, UsageError
from tests.lab.test_explore_native import same

GAMES = [
    ("tic-tac-toe", {}),
    ("x-s-and-lines", {"n": 3}),
    ("rock-paper-scissors", {}),
    ("pig", {"target": 20}),
    ("connect-four", {"rows": 4, "columns": 4}),
]


@pytest.mark.parametrize(("name", "options"), GAMES)
@pytest.mark.parametrize("threads", [2, 3])
def test_threads_find_the_same_graph(name: str, options: dict[str, int], threads: int) -> None:
    game = InterpretedGame(load_program(name, options))
    same(
        explore(game, execution=Execution(native=True)),
        explore(game, execution=Execution(native=True, threads=threads)),
    )


@pytest.mark.parametrize("limits", [Limits(states=3000), Limits(depth=5), Limits(depth=0)])
def test_threads_stop_at_the_same_place(limits: Limits) -> None:
    game = InterpretedGame(load_program("connect-four"))
    same(
        explore(game, limits, execution=Execution(native=True)),
        explore(game, limits, execution=Execution(native=True, threads=2)),
    )


def test_threads_and_symmetries() -> None:
    program = load_program("tic-tac-toe")
    graph = explore(InterpretedGame(program), execution=Execution(native=True, threads=2), turns=symmetries(program))
    assert len(graph) == 765


def test_threads_find_the_same_rules_errors(tmp_path: Path) -> None:
    path = tmp_path / "wrong.gdl"
    path.write_text(
        'game "Wrong"\nplayers A, B\nstate\n  left: 0..5 = 3\nmove less(k: 1..2) written "less {k}"\n  take k from left\n'
        'move more written "more"\n  when left < 5 "full"\n  add 1 to left\n'
        "play\n  turns from A\n    me plays less | more\n    if left = 0\n      win me\n",
        encoding="utf-8",
    )
    game = InterpretedGame(load_program(path))
    graph = explore(game, execution=Execution(native=True, threads=2))
    assert graph.faults
    same(explore(game, execution=Execution(native=False)), graph)


@pytest.mark.parametrize(("name", "options"), GAMES)
def test_in_pieces(name: str, options: dict[str, int], tmp_path: Path) -> None:
    """Stopped again and again, at other numbers of states and depths, it comes to the same."""
    game = InterpretedGame(load_program(name, options))
    file = tmp_path / "it.checkpoint"
    steps = [Limits(states=7), Limits(depth=2), Limits(states=100), Limits(depth=4), Limits(states=2000), Limits()]
    for limits in steps:
        graph = explore(game, limits, execution=Execution(native=True, checkpoint=file))
    same(explore(game, execution=Execution(native=True)), graph)


def test_it_is_not_begun_anew(tmp_path: Path) -> None:
    game = InterpretedGame(load_program("connect-four", {"rows": 4, "columns": 4}))
    file = tmp_path / "it.checkpoint"
    explore(game, execution=Execution(checkpoint=file))
    told: list[int] = []
    explore(game, execution=Execution(checkpoint=file), watch=lambda p: told.append(p.expanded))
    assert told == []


def test_one_of_other_rules_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "it.checkpoint"
    explore(InterpretedGame(load_program("tic-tac-toe")), execution=Execution(checkpoint=file))
    with pytest.raises(GameDSLError) as caught:
        explore(InterpretedGame(load_program("connect-four")), execution=Execution(checkpoint=file))
    assert caught.value.diagnostics[0].code == "E0521"
    with pytest.raises(GameDSLError):
        program = load_program("tic-tac-toe")
        explore(InterpretedGame(program), execution=Execution(checkpoint=file), turns=symmetries(program))


def test_damaged_ones_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "it.checkpoint"
    game = InterpretedGame(load_program("tic-tac-toe"))
    explore(game, Limits(depth=4), execution=Execution(checkpoint=file))
    whole = file.read_bytes()
    broken = [whole[: len(whole) // 2], b"", b"no archive", whole[:200] + b"x" * 40 + whole[240:]]
    for data in broken:
        file.write_bytes(data)
        with pytest.raises(GameDSLError) as caught:
            explore(game, execution=Execution(checkpoint=file))
        assert caught.value.diagnostics[0].code in ("E0521", "E0523")
    for name, number in (("parent", 10**6), ("levels", -1), ("head", -1)):
        kept = dict(np.load(_written(file, whole)))
        kept[name][1] = number
        np.savez(file.open("wb"), **kept)
        with pytest.raises(GameDSLError):
            explore(game, execution=Execution(checkpoint=file))


def _written(file: Path, data: bytes) -> Path:
    file.write_bytes(data)
    return file


def test_only_for_compiled_rules(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        explore(
            InterpretedGame(load_program("abs-trac-toe")),
            Limits(depth=1),
            execution=Execution(checkpoint=tmp_path / "it"),
        )


def test_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "nine.checkpoint")
    assert main(["verify", "tic-tac-toe", "--depth", "4", "--games", "0", "--checkpoint", file, "-q"]) == 4
    assert main(["verify", "tic-tac-toe", "--jobs", "2", "--checkpoint", file]) == 0
    assert "5,478 distinct states" in capsys.readouterr().out
    assert main(["verify", "connect-four", "--checkpoint", file]) == 1
