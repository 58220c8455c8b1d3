"""Checkpoints of sampled regret minimization: going on is the same as never having stopped, and forged files are refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gamedsl import GameDSLError
from gamedsl.lab.equilibrium.mccfr import SampledRegretMinimizer, Sampling
from gamedsl.lab.equilibrium.sampling_file import resume_sampling, write_sampling
from tests.lab.equilibrium.test_cfr import form_of


def fresh(
    method: Sampling = "external", seed: int = 1, name: str = "kuhn-poker", **options: Any
) -> SampledRegretMinimizer:
    return SampledRegretMinimizer(form_of(name, **options), method, seed=seed)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The file of a solver after 1,001 iterations, which is in the middle of a batch."""
    solver = fresh()
    solver.run(1_001)
    write_sampling(solver, tmp_path / "it")
    return tmp_path / "it"


@pytest.mark.parametrize("method", ["external", "outcome"])
def test_it_goes_on_where_it_stopped(method: Sampling, tmp_path: Path) -> None:
    whole, first, second = fresh(method), fresh(method), fresh(method)
    whole.run(3_000)
    first.run(1_001)
    write_sampling(first, tmp_path / "it")
    assert resume_sampling(second, tmp_path / "it") and second.iterations == 1_001
    second.run(1_999)
    for a, b in zip(whole.sums[:3], second.sums[:3], strict=True):
        assert np.array_equal(a, b)


def test_no_file(tmp_path: Path) -> None:
    assert not resume_sampling(fresh(), tmp_path / "none")


@pytest.mark.parametrize(
    "other",
    [
        lambda: fresh(seed=2),
        lambda: fresh("outcome"),
        lambda: fresh(players=3),
        lambda: fresh(name="liars-dice", dice=1, sides=3),
    ],
)
def test_files_of_others(path: Path, other: Callable[[], SampledRegretMinimizer]) -> None:
    with pytest.raises(GameDSLError, match="E0521"):
        resume_sampling(other(), path)


def put(name: str, at: int, value: float) -> Callable[[dict[str, Any]], None]:
    def change(arrays: dict[str, Any]) -> None:
        arrays[name][at] = value

    return change


CHANGES: list[Callable[[dict[str, Any]], None]] = [
    put("head", 0, 99),
    put("head", 3, -1),
    put("regret", 1, float("nan")),
    put("total", 1, float("inf")),
    put("total", 1, -1.0),
    put("strategy", 1, -0.5),
    put("strategy", 1, 2.5),
    lambda arrays: arrays.update(regret=arrays["regret"][:-1]),
    lambda arrays: arrays.update(regret=arrays["regret"].astype(np.float32)),
    lambda arrays: arrays.update(more=arrays["regret"]),
]


@pytest.mark.parametrize("change", CHANGES)
def test_forged_files(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    with np.load(path) as found:
        arrays = {name: found[name].copy() for name in found.files}
    change(arrays)
    with path.open("wb") as file:
        np.savez(file, **arrays)
    solver = fresh()
    with pytest.raises(GameDSLError, match="E0523"):
        resume_sampling(solver, path)
    assert solver.iterations == 0 and not solver.sums.total.any()


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"no archive at all" * 100])
def test_other_files(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(GameDSLError, match="E0523"):
        resume_sampling(fresh(), path)


def test_files_cut_short(path: Path) -> None:
    content = path.read_bytes()
    for length in range(0, len(content), 97):
        path.write_bytes(content[:length])
        with pytest.raises(GameDSLError, match="E0523"):
            resume_sampling(fresh(), path)
