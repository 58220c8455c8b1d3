"""Sampling without the tree draws the samples of sampling with it, holds what it meets, and can be stopped and gone on with."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gamedsl
from gamedsl import GameDSLError
from gamedsl.lab.equilibrium import GraphSampler, approximate_equilibrium, approximation_json, read_strategy
from gamedsl.lab.equilibrium.graph_sampler_file import resume_graph_sampler, write_graph_sampler
from gamedsl.lab.equilibrium.mccfr import SampledRegretMinimizer, Sampling
from tests.lab.equilibrium.test_cfr import form_of

BOTH = pytest.mark.parametrize("method", ["external", "outcome"])


def fresh(
    method: Sampling = "external",
    name: str = "kuhn-poker",
    seed: int = 3,
    threads: int = 1,
    limit: int = 10**6,
    **options: Any,
) -> GraphSampler:
    start = gamedsl.load(name, **options).initial_state()
    return GraphSampler(start, method, seed=seed, threads=threads, limit=limit)


def alike(a: GraphSampler, b: GraphSampler) -> bool:
    """Are all sums the same, number by number?"""
    n = int(a.sets.totals[2])
    return (a.sets.totals == b.sets.totals).all() and all(
        np.array_equal(x[:n], y[:n]) for x, y in zip(a.sums[:3], b.sums[:3], strict=True)
    )


@BOTH
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("kuhn-poker", {}),
        ("kuhn-poker", {"players": 3}),
        ("liars-dice", {"dice": 1, "sides": 3}),
        pytest.param("leduc-poker", {}, marks=pytest.mark.slow),
        pytest.param("goofspiel", {"cards": 4}, marks=pytest.mark.slow),
    ],
)
def test_the_samples_are_those_of_the_tree(method: Sampling, name: str, options: dict[str, Any]) -> None:
    form = form_of(name, **options)
    tree, own = SampledRegretMinimizer(form, method, seed=3), fresh(method, name, **options)
    tree.run(2_500)
    own.run(2_500)
    numbers = {(form.tree.keys[n], int(form.tree.sets.seat[n])): i for i, n in enumerate(form.order.tolist())}
    assert len(own) > len(numbers) / 2
    for n in range(len(own)):
        at = int(form.forms.first[numbers[own.key(n), int(own.sets.seat[n])]])
        first, count = int(own.sets.first[n]), int(own.sets.actions[n])
        for mine, theirs in ((own.sums.regret, tree.sums.regret), (own.sums.total, tree.sums.total)):
            assert np.array_equal(mine[first : first + count], theirs[at : at + count])


@BOTH
def test_one_result_with_any_number_of_threads_and_stops(method: Sampling, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamedsl.lab.equilibrium.graph_sampler.SHARE", 1)
    monkeypatch.setattr("gamedsl.lab.equilibrium.graph_sampler.START", 16)
    monkeypatch.setattr("gamedsl.lab.equilibrium.graph_sampler.FIRST_ROOM", 4)
    monkeypatch.setattr("gamedsl.lab.equilibrium.graph_sampler.PLIES", 1)
    monkeypatch.setattr("gamedsl.lab.equilibrium.growing_graph.START", 2)
    one, two, three = (fresh(method, threads=n) for n in (1, 2, 3))
    one.run(1_500)
    for stop in (7, 494, 999):
        two.run(stop)
    three.run(1_500)
    assert alike(one, two) and alike(one, three)


@BOTH
def test_it_goes_on_where_it_stopped(method: Sampling, tmp_path: Path) -> None:
    whole, first, second = fresh(method), fresh(method), fresh(method)
    whole.run(1_500)
    first.run(601)
    write_graph_sampler(first, tmp_path / "it")
    assert resume_graph_sampler(second, tmp_path / "it") and second.iterations == 601
    second.run(899)
    assert alike(whole, second)
    assert not resume_graph_sampler(fresh(method), tmp_path / "none")


@pytest.mark.parametrize(
    "other",
    [lambda: fresh(seed=2), lambda: fresh("outcome"), lambda: fresh(players=3), lambda: fresh(name="oshi-zumo")],
)
def test_files_of_others(other: Callable[[], GraphSampler], tmp_path: Path) -> None:
    write_graph_sampler(fresh(), tmp_path / "it")
    with pytest.raises(GameDSLError, match="E0521"):
        resume_graph_sampler(other(), tmp_path / "it")


FORGED: list[tuple[str, Callable[[Any], Any]]] = [
    ("head", lambda a: a + np.array([0, 0, 0, 1 << 60])),
    ("order", lambda a: a[::-1].copy()),
    ("order", lambda a: a + 1_000_000),
    ("order", lambda a: a[:3].copy()),
    ("parent", lambda a: a + 1),
    ("parent", lambda a: np.where(np.arange(len(a)) == len(a) - 1, -7, a).astype(a.dtype)),
    ("fact", lambda a: np.where(np.arange(len(a)) == len(a) - 1, 1 << 30, a).astype(a.dtype)),
    ("known", lambda a: a * 0 + 1),
    ("known", lambda a: a + 1_000_000),
    ("actions", lambda a: a + 1),
    ("actions", lambda a: a * 0),
    ("state", lambda a: a + 1_000_000),
    ("state", lambda a: a * 0),
    ("state", lambda a: a - 1_000_000),
    ("regret", lambda a: a * np.nan),
    ("regret", lambda a: a[:-1].copy()),
    ("strategy", lambda a: a * 2),
    ("strategy", lambda a: -a),
    ("total", lambda a: a - 1),
]


@pytest.mark.parametrize(("name", "change"), FORGED, ids=[f"{n}-{i}" for i, (n, _) in enumerate(FORGED)])
def test_forged_files_are_refused(name: str, change: Callable[[Any], Any], tmp_path: Path) -> None:
    solver = fresh()
    solver.run(200)
    write_graph_sampler(solver, tmp_path / "it")
    arrays = dict(np.load(tmp_path / "it"))
    arrays[name] = change(arrays[name])
    with (tmp_path / "it").open("wb") as file:
        np.savez(file, **arrays)
    with pytest.raises(GameDSLError, match="E0523"):
        resume_graph_sampler(fresh(), tmp_path / "it")


def test_sets_of_other_knowledge_are_refused_when_they_are_met(tmp_path: Path) -> None:
    """Sets with three actions for sets with two: found where the rules lead to them."""
    solver = fresh(name="leduc-poker")
    solver.run(50)
    write_graph_sampler(solver, tmp_path / "it")
    arrays = dict(np.load(tmp_path / "it"))
    arrays["known"] = arrays["known"][::-1].copy()
    with (tmp_path / "it").open("wb") as file:
        np.savez(file, **arrays)
    forged = fresh(name="leduc-poker")
    with pytest.raises(GameDSLError, match="E0523"):
        resume_graph_sampler(forged, tmp_path / "it")
        forged.run(1_000)


def test_positions_are_bounded() -> None:
    found = approximate_equilibrium(fresh(name="leduc-poker", limit=500), iterations=1_000)
    assert found.stopped == "positions" and 0 < found.iterations < 1_000
    assert len(found.sampler.graph) < 500 + 20  # those after the position that was expanded last


def test_kuhn_poker_is_found(tmp_path: Path) -> None:
    """The strategies as saved: a player who holds the best card never folds, and one with the worst never calls."""
    found = approximate_equilibrium(fresh(), iterations=20_000)
    assert found.curve[-1].regret_bound is not None and found.curve[-1].regret_bound < 0.05
    tables = [p["strategy"] for p in approximation_json(found)["players"]]
    rows = [(row["text"], row["actions"]) for table in tables for row in table if "fold" in row["actions"]]
    assert len(rows) == 6
    for text, odds in rows:
        if "= 3" in text.split(";")[0]:
            assert odds["fold"] < 0.01
        if "= 1" in text.split(";")[0]:
            assert odds["call"] < 0.01


def test_a_saved_strategy_plays_everywhere(tmp_path: Path) -> None:
    """Where samples never came, all actions are equally likely."""
    game, path = gamedsl.load("leduc-poker"), tmp_path / "some.json"
    found = approximate_equilibrium(fresh(name="leduc-poker"), iterations=5)
    path.write_text(json.dumps(approximation_json(found)), encoding="utf-8")
    saved = read_strategy(path)
    saved.check(game)
    assert saved.odds(0, "0" * 32, ["call", "fold"]) == [0.5, 0.5]
