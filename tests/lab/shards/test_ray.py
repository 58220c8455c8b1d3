"""Shards on a Ray cluster: a stand-in with Ray's interface where it is not installed, and two raylets of which one dies."""

from __future__ import annotations

import socket
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from types import ModuleType
from typing import Any

import pytest

from gamedsl.cli.main import main
from gamedsl.lab.shards import RayCluster, ShardRunner
from gamedsl.language.source import GameDSLError
from tests.lab.shards.stand_ins import Sleep, Squares


class Reference:
    def __init__(self, future: Future[Any]) -> None:
        self._future = future

    def future(self) -> Future[Any]:
        return self._future


class Remote:
    """What ``ray.remote`` returns: the function, with options, in a thread. The first call is lost with its machine, and
    Ray calls again."""

    def __init__(self, function: Any, **options: Any) -> None:
        self.function, self.given = function, options
        self.pool = ThreadPoolExecutor(2)

    def options(self, **given: Any) -> Remote:
        return Remote(self.function, **given)

    def remote(self, *values: Any) -> Reference:
        assert self.given["max_retries"] > 0 and self.given["num_cpus"] == 1
        return Reference(self.pool.submit(self.function, *(v[0] if isinstance(v, tuple) else v for v in values)))


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """A stand-in, and what was asked of it."""
    asked: list[Any] = []
    module = ModuleType("ray")
    functions = {
        "is_initialized": lambda: False,
        "init": lambda address, **settings: asked.append(address),
        "put": lambda value: (value,),
        "remote": Remote,
        "cluster_resources": lambda: {"CPU": 2.0},
        "shutdown": lambda: asked.append("shutdown"),
    }
    for name, function in functions.items():
        monkeypatch.setattr(module, name, function, raising=False)
    monkeypatch.setitem(sys.modules, "ray", module)
    return asked


def test_a_cluster_answers(ray: list[Any]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as head:
        address = f"127.0.0.1:{head.getsockname()[1]}"
        runner = ShardRunner(RayCluster(address), least=0.0, alone=0.0)
    assert list(runner.items(Squares(), 50)) == [k * k for k in range(50)]
    with pytest.raises(GameDSLError, match="nobody sleeps"):
        list(runner.items(Sleep(99.0), 2))
    runner.close()
    assert ray == [address, "shutdown"]


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "[::1]:1", "127.0.0.1:99999"])
def test_nobody_at_the_address(address: str, ray: list[Any], capsys: pytest.CaptureFixture[str]) -> None:
    """Ray would try for minutes."""
    assert main(["simulate", "tic-tac-toe", "-n", "100", f"--ray={address}"]) == 2
    assert f"no Ray cluster answers at `{address}`" in capsys.readouterr().err
    assert ray == []


def test_the_option(ray: list[Any], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["simulate", "tic-tac-toe", "-n", "100", "--ray", "--format", "json"]) == 0
    assert ray == ["local", "shutdown"]
    line = ["sweep", "m-n-k", "--set", "m=2,3", "--set", "k=2", "--set", "n=2", "-n", "20", "--format", "json"]
    monkeypatch.setattr("gamedsl.lab.shards.ShardRunner", partial(ShardRunner, alone=0.0))
    capsys.readouterr()
    assert main(line) == 0
    alone = capsys.readouterr().out
    assert main([*line, "--ray"]) == 0
    assert capsys.readouterr().out == alone and ray == ["local", "shutdown"] * 2
    assert main(["simulate", "--ray", "tic-tac-toe", "-n", "100"]) == 2
    assert "does not name a cluster" in capsys.readouterr().err


def test_a_machine_without_ray(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert main(["simulate", "tic-tac-toe", "-n", "100", "--ray"]) == 2
    assert "pip install 'gamedsl[ray]'" in capsys.readouterr().err


@pytest.mark.slow
def test_two_raylets_of_which_one_dies() -> None:
    """One of two machines dies in the middle of its shards; all answers come, in order."""
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    try:
        lost = cluster.add_node(num_cpus=1)
        cluster.wait_for_nodes()
        workers = RayCluster(cluster.address)
        assert workers.size == 2
        runner = ShardRunner(workers, least=0.0, alone=0.0)
        answers = runner.items(Sleep(0.5), 12)
        found = [next(answers), next(answers)]
        cluster.remove_node(lost, allow_graceful=False)
        assert [*found, *answers] == list(range(12))
        assert workers.size == 1
        runner.close()
    finally:
        cluster.shutdown()
