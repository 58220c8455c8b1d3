"""Commands whose work is divided: the same results from two processes, from a file, and from this process alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gamedsl.cli.main import main
from gamedsl.lab.shards import ShardRunner
from tests.lab.rule_search.test_rule_search import NUMBERS, SPACE

DIFFER = ("backend", "reason", "threads", "seconds", "cpu_seconds", "plays_per_second", "command")
COMMANDS = {
    "simulate": "tic-tac-toe -n 500",
    "simulate agents": "tic-tac-toe -n 20 --seats mcts:20,random --from b2",
    "simulate chance": "pig --set target=20 -n 300",
    "tournament": "connect-four --agents random,mcts:20,ab:d1 --rounds 2 --opening 2",
    "metrics": "tic-tac-toe -n 4 --limit 0 --agents random,mcts:20",
    "ablate": "tic-tac-toe --deletions -n 100 --limit 0",
    "sweep": "m-n-k --set m=2,3 --set n=3 --set k=2,4 -n 6000 --metrics fairness,length --halvings 1",
    "sweep depth": "m-n-k --set m=2,3 --set n=2 --set k=2 -n 20 --search mcts:5 --metrics length,depth",
    "depth": "tic-tac-toe --rungs 3 --pairs 40 --difference 100",
}


def run(capsys: pytest.CaptureFixture[str], words: list[str]) -> dict[str, Any]:
    assert main([*words, "--format", "json"]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return {name: value for name, value in found.items() if name not in DIFFER}


@pytest.mark.parametrize("name", COMMANDS)
def test_two_processes_a_file_and_one_process(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [name.split()[0], *COMMANDS[name].split()]
    alone = run(capsys, [*words, "-j", "1"])
    monkeypatch.setattr("gamedsl.lab.shards.ShardRunner", partial(ShardRunner, alone=0.0, least=0.02))
    file = ["--checkpoint", str(tmp_path / "file")]
    assert run(capsys, [*words, "-j", "2", *file]) == alone
    assert run(capsys, [*words, "-j", "1", *file]) == alone


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a Ray cluster of two machines, which are processes of this one."""
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    found = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        found.add_node(num_cpus=1)
        found.wait_for_nodes()
        yield found.address
    finally:
        found.shutdown()  # type: ignore[no-untyped-call]


OTHERS = {
    "ablate a file": "numbers.gdl --deletions -n 20 --limit 0",
    "verify": "tic-tac-toe --counted -n 60 --no-save",
    "search-rules": "numbers.gdl --space space.gdl -n 4 --variants 6",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", [*COMMANDS, *OTHERS])
def test_a_cluster_finds_the_same(
    name: str, cluster: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every command with ``--ray``, on two raylets: the same as one process. Their workers are in another folder."""
    (tmp_path / "numbers.gdl").write_text(NUMBERS, encoding="utf-8")
    (tmp_path / "space.gdl").write_text(SPACE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    words = [name.split()[0], *{**COMMANDS, **OTHERS}[name].split()]
    alone = run(capsys, words)
    monkeypatch.setattr("gamedsl.lab.shards.ShardRunner", partial(ShardRunner, alone=0.0, least=0.02))
    assert run(capsys, [*words, f"--ray={cluster}"]) == alone
