"""Exploration with states owned by hash: the graph of a search in one process, whoever works, from files, after deaths."""

from __future__ import annotations

import os
import signal
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from gamedsl.cli.main import main
from gamedsl.engine import InterpretedGame
from gamedsl.lab.base import Clock
from gamedsl.lab.explore import Execution, Graph, Limits, explore
from gamedsl.lab.explore.owned_level import OwnedLevel, Reached, Reminder
from gamedsl.lab.explore.owned_search import OwnedSearch
from gamedsl.lab.shards import ForgottenError, LocalProcesses, RayCluster, ShardRunner, never
from gamedsl.lab.symmetry.symmetries import symmetries
from gamedsl.language.rules import load_program
from gamedsl.language.rules.files import shipped
from gamedsl.language.source import GameDSLError
from tests.lab.test_explore_native import same


@pytest.fixture(autouse=True)
def owned_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Owners take over long before that pays."""
    monkeypatch.setattr("gamedsl.lab.explore.explorer.OwnedSearch", partial(OwnedSearch, fewest=40))


def game(name: str = "tic-tac-toe", options: dict[str, int] | None = None) -> InterpretedGame:
    return InterpretedGame(load_program(name, options or {}))


def owned(
    of: InterpretedGame,
    limits: Limits | None = None,
    runner: ShardRunner | None = None,
    path: Path | None = None,
    **more: Any,
) -> Graph:
    runner = runner or ShardRunner()
    try:
        return explore(of, limits, execution=Execution(True, owners=runner, checkpoint=path), **more)
    finally:
        runner.close()


def alone(of: InterpretedGame, limits: Limits | None = None, **more: Any) -> Graph:
    return explore(of, limits, execution=Execution(True), **more)


@pytest.mark.parametrize(
    "limits",
    [Limits(), Limits(states=500), Limits(states=5477), Limits(depth=3), Limits(depth=4), Limits(depth=9)],
    ids=str,
)
def test_the_same_graph_in_this_process(limits: Limits) -> None:
    graph = owned(game(), limits)
    same(graph, alone(game(), limits))
    assert graph.resumed is None


def test_the_same_graph_up_to_symmetries() -> None:
    """Tic-tac-toe has 765 positions that no rotation or reflection makes equal."""
    of = game()
    turns = symmetries(of.program)
    graph = owned(of, turns=turns)
    same(graph, alone(of, turns=turns))
    assert len(graph) == 765


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("kalah", {"houses": 3, "seeds_each": 2}),  # positions come again at other depths
        ("pig", {"target": 20}),  # dice
        ("rock-paper-scissors", {}),  # simultaneous choices, and too few positions for owners
    ],
)
def test_the_same_graph_of_other_games(name: str, options: dict[str, int]) -> None:
    same(owned(game(name, options), Limits(states=3000)), alone(game(name, options), Limits(states=3000)))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped()))
def test_the_same_graph_of_every_ruleset(name: str) -> None:
    from gamedsl.lab.explore import suits

    if suits(load_program(name)):
        same(owned(game(name), Limits(states=2000)), alone(game(name), Limits(states=2000)))


def test_the_same_rules_errors(tmp_path: Path) -> None:
    path = tmp_path / "wrong.gdl"
    path.write_text(
        'game "Wrong"\nplayers A, B\nstate\n  left: 0..50 = 30\n  right: 0..30\n'
        'move less(k: 1..2) written "less {k}"\n  take k from left\n'
        'move more written "more"\n  when right < 30 "full"\n  add 2 to right\n'
        "play\n  turns from A\n    me plays less | more\n    if left = 0\n      win me\n",
        encoding="utf-8",
    )
    found, expected = owned(game(str(path))), alone(game(str(path)))
    assert len(expected.faults) > 10
    same(found, expected)


@pytest.mark.slow
def test_two_processes_of_which_one_dies(tmp_path: Path) -> None:
    """Its owners are asked again in a new process, which is reminded of their states. What the file has is not explored
    again."""
    of, expected = game("connect-four", {"rows": 3, "columns": 4}), None
    workers = LocalProcesses(2)
    sticky = workers.sticky()
    workers.sticky = lambda: sticky  # type: ignore[method-assign]
    killed = list[int]()

    def kill(_: object) -> None:
        pids = [pid for worker in sticky._workers for pid in worker.pids]  # type: ignore[attr-defined]
        if len(pids) == 2 and not killed:
            killed.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)

    graph = owned(of, runner=ShardRunner(workers), path=tmp_path / "file", watch=kill)
    expected = alone(of)
    same(graph, expected)
    assert killed and graph.resumed is None
    again = owned(of, path=tmp_path / "file")
    same(again, expected)
    assert again.resumed is not None and 0 < again.resumed.trusted < len(again)


def test_it_goes_on_where_it_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stop in the middle of a level keeps the answers of its owners, and the graph has the levels before it."""
    monkeypatch.setattr("gamedsl.lab.explore.explorer.OwnedSearch", partial(OwnedSearch, fewest=1200))
    clock, path = Clock(), tmp_path / "file"

    def stop(progress: Any) -> None:
        if progress.states > 4500:  # after six plies there are 2,350 positions, and 1,520 of the seventh
            clock.stopped.set()

    first = owned(game(), path=path, watch=stop, clock=clock)
    assert first.stopped == "stopped" and first.expanded == first.levels[-1]
    rest = owned(game(), path=path)
    same(rest, alone(game()))
    assert rest.resumed is not None and rest.resumed.expanded > 0
    assert "a part" in rest.resumed.summary and "if" in rest.resumed.condition
    other = owned(game("nim"), path=path)
    assert other.resumed is None  # one file serves many games


def test_a_worker_that_knows_nothing_asks() -> None:
    question = OwnedLevel("exploration", 3, 7, 0, b"", b"")
    with pytest.raises(ForgottenError):
        question.answer(0, 1, never)
    reminded = OwnedLevel("exploration", 3, 7, 0, b"", b"", recall=lambda: Reminder(game(), ()))
    (found,) = reminded.answer(0, 1, never)
    assert found.size == found.edges == 0 and found.ends == [0] * 64
    assert reminded.with_reminder().digest == question.digest


@pytest.mark.parametrize(
    "change",
    [
        {"keys": b"1234"}, {"keys": bytes(16)}, {"rows": b""}, {"old": -1}, {"edges": 0}, {"ends": [1] * 63},
        {"ends": [2, *[1] * 63]}, {"sent": b"12345678"}, {"sources": bytes([9, 0, 0, 0])}, {"actions": b""},
        {"actions": bytes([255] * 4)}, {"faults": [(5, 0, 1)]}, {"faults": [(0, -2, 1)]},
    ],
    ids=str,
)  # fmt: skip
def test_forged_answers_are_refused(change: dict[str, Any]) -> None:
    honest = Reached(bytes(8), bytes(16), 0, 1, bytes(16), [1] * 64, bytes(4), bytes(4), [(0, 0, 3)])
    question = OwnedLevel("exploration", 3, 7, 0, b"", b"")
    assert question.decode(msgspec.msgpack.encode([honest]), 1) == [honest]
    with pytest.raises(ValueError):
        question.decode(msgspec.msgpack.encode([honest._replace(**change)]), 1)


def test_states_that_no_game_has_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file with the right seals may hold anything. Compiled rules see nothing of it."""
    path = tmp_path / "file"

    honest = OwnedLevel.answer

    def forged(self: OwnedLevel, first: int, count: int, stopped: Any) -> list[Reached]:
        return [found._replace(sent=b"\xff" * len(found.sent)) for found in honest(self, first, count, stopped)]

    clock, looks = Clock(), list[int]()

    def stop(_: object) -> None:
        looks.append(1)
        if len(looks) > 30:
            clock.stopped.set()

    with monkeypatch.context() as patch:
        patch.setattr(OwnedLevel, "answer", forged)
        owned(game(), path=path, watch=stop, clock=clock)
    with pytest.raises(GameDSLError, match="cannot be resumed"):
        owned(game(), path=path)


def test_answers_that_these_rules_do_not_give_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Answers with the right seals, in which only the number of edges is wrong: one of them is computed again."""
    honest = OwnedLevel.answer

    def forged(self: OwnedLevel, first: int, count: int, stopped: Any) -> list[Reached]:
        return [found._replace(edges=found.edges + 1) for found in honest(self, first, count, stopped)]

    with monkeypatch.context() as patch:
        patch.setattr(OwnedLevel, "answer", forged)
        owned(game(), path=tmp_path / "file")
    with pytest.raises(GameDSLError, match="is not the one that these rules give"):
        owned(game(), path=tmp_path / "file")


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamedsl.lab.explore.explorer.FEW", 100)  # positions that are explored before owners
    monkeypatch.setattr("gamedsl.lab.explore.explorer.OwnedSearch", partial(OwnedSearch, fewest=1500))
    for line, code in (
        (["verify", "tic-tac-toe", "--no-save", "--format", "json"], 0),
        (["solve", "tic-tac-toe", "--format", "json"], 0),
    ):
        assert main(line) == code
        plain = msgspec.json.decode(capsys.readouterr().out)
        assert main([*line, "--owned", "--checkpoint", str(tmp_path / "file")]) == code
        found = msgspec.json.decode(capsys.readouterr().out)
        for one in (plain, found):
            one.pop("seconds", None)
            one.pop("resumed", None)
        assert found == plain
    assert main(["solve", "tic-tac-toe", "--owned", "--checkpoint", str(tmp_path / "file")]) == 0
    out = capsys.readouterr().out
    assert "\nresumed from " in out and "\nbest play: a draw, if " in out


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (["verify", "tic-tac-toe", "--owned", "--hashes"], "cannot be combined"),
        (["verify", "tic-tac-toe", "--owned", "--backend", "interpreter"], "compiled rules"),
        (["solve", "tic-tac-toe", "--owned", "--method", "depth"], "all explored"),
        (["solve", "kuhn-poker", "--owned"], "all explored"),
        (["solve", "kuhn-poker", "--owned", "--method", "graph"], "hides something"),
        (["solve", "tic-tac-toe", "-j", "2"], "samples"),
    ],
)
def test_what_does_not_go_together(line: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(line) == 2
    assert says in capsys.readouterr().err


@pytest.mark.slow
def test_two_raylets_of_which_one_dies(tmp_path: Path) -> None:
    """The owners on a machine that dies go on at another one, which is reminded of their states."""
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    of = game("connect-four", {"rows": 4, "columns": 4})
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        lost = [cluster.add_node(num_cpus=1)]
        cluster.wait_for_nodes()

        def lose(progress: Any) -> None:
            if progress.states > 20_000 and lost:
                cluster.remove_node(lost.pop(), allow_graceful=False)

        workers = RayCluster(cluster.address)
        assert workers.size == 2
        graph = owned(of, runner=ShardRunner(workers), path=tmp_path / "file", watch=lose)
        same(graph, alone(of))
        assert not lost and len(graph) == 161_029
    finally:
        cluster.shutdown()  # type: ignore[no-untyped-call]
