"""Strategies in files, the agent that plays them, and files that are damaged."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gamedsl
from gamedsl.agents import agent_profile, parse_agent, play_tournament
from gamedsl.lab.equilibrium import find_equilibrium, profile_of, read_strategy, set_texts, strategy_json
from gamedsl.lab.shards import ShardRunner
from gamedsl.language.source import GameDSLError, UsageError
from tests.lab.equilibrium.test_cfr import HIDDEN, form_of
from tests.lab.shards.stand_ins import helped


def saved(folder: Path, name: str, **options: Any) -> tuple[Path, dict[str, Any]]:
    data = strategy_json(find_equilibrium(form_of(name, **options), iterations=20))
    path = folder / "s.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path, data


@pytest.mark.parametrize(
    ("name", "options"), [("kuhn-poker", {}), ("goofspiel", HIDDEN), ("sealed-bid-auction", {"top": 3})]
)
def test_a_saved_strategy_is_the_same(name: str, options: dict[str, Any], tmp_path: Path) -> None:
    form = form_of(name, **options)
    found = find_equilibrium(form, iterations=20)
    path, _ = saved(tmp_path, name, **options)
    again = profile_of(form, read_strategy(path))
    assert np.allclose(again.strategy, found.profile.strategy, atol=1e-12)
    assert agent_profile(form, parse_agent(f"strategy:{path}")).values == pytest.approx(found.profile.values)


@pytest.mark.parametrize(("name", "options"), [("kuhn-poker", {}), ("leduc-poker", {}), ("goofspiel", HIDDEN)])
def test_every_line_of_the_table_is_another_one(name: str, options: dict[str, Any]) -> None:
    tree = form_of(name, **options).tree
    lines = list(zip(tree.sets.seat.tolist(), set_texts(tree), strict=True))
    assert len(set(lines)) == len(lines) and all(text for _, text in lines)


def test_lines_of_the_table() -> None:
    assert "hand[p1] = 3; you: check; paid[p2] = 2, opener = p2" in set_texts(form_of("kuhn-poker").tree)


def test_the_agent_draws_from_its_strategy(tmp_path: Path) -> None:
    """Frequencies of moves at a state, whoever deals with what the other holds."""
    path, data = saved(tmp_path, "kuhn-poker")
    game, agent = gamedsl.load("kuhn-poker"), parse_agent(f"strategy:{path}")
    state = game.initial_state()
    for text in ("deal 1", "deal 2"):
        state = state.apply(game.parse_move(text, state))
    row = next(r for r in data["players"][0]["strategy"] if r["key"] == state.information_state(0).key)
    bets = sum(str(agent.choose(state, seed)) == "bet" for seed in range(2000)) / 2000
    assert bets == pytest.approx(row["actions"]["bet"], abs=0.05)
    ranked = agent.analyse(state)
    assert str(ranked[0].move) == max(row["actions"], key=row["actions"].__getitem__)


def test_tournaments_and_tables(tmp_path: Path) -> None:
    """It plays to the end, and reproducibly; against random it does not lose much."""
    path, _ = saved(tmp_path, "kuhn-poker")
    agents = [parse_agent("random"), parse_agent(f"strategy:{path}")]
    plays = [
        list(play_tournament(gamedsl.load("kuhn-poker"), agents, 10, runner=runner))
        for runner in (ShardRunner(), helped())
    ]
    assert plays[0] == sorted(plays[1], key=lambda o: o.pairing.number)
    assert all(o.finished and sum(o.returns) == 0 for o in plays[0])


def test_where_the_play_did_not_begin_at_the_beginning(tmp_path: Path) -> None:
    path, _ = saved(tmp_path, "kuhn-poker")
    game, rng = gamedsl.load("kuhn-poker"), random.Random(1)
    state = game.initial_state()
    while state.kind == "chance":
        state = state.apply(state.propose(rng))
    with pytest.raises(GameDSLError, match=r"E0524 .*says nothing about what the player has seen"):
        parse_agent(f"strategy:{path}").choose(game.deserialize(state.serialize()), 1)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda d: d.update(format="other"), "`format`"),
        (lambda d: d.update(digest="0" * 63), "for which game"),
        (lambda d: d.update(digest="0" * 64), "other rules or options"),
        (lambda d: d.pop("players"), "`players` is not a list"),
        (lambda d: d["players"].pop(), "strategies for 1 players, not 2"),
        (lambda d: d["players"].__setitem__(0, 3), "no list `strategy`"),
        (lambda d: d["players"][0]["strategy"].pop(), "says nothing about"),
        (lambda d: d["players"][0]["strategy"][0].update(key="xy"), "32 hexadecimal digits"),
        (lambda d: d["players"][0]["strategy"].append(d["players"][0]["strategy"][0]), "occurs twice"),
        (lambda d: d["players"][0]["strategy"][0].update(actions=[]), "not an object"),
        (lambda d: d["players"][0]["strategy"][0].update(actions={"check": 0.5}), "add up to 0.5, not 1"),
        (
            lambda d: d["players"][0]["strategy"][0].update(actions={"check": 1, "jump": 0}),
            "names the actions check, jump",
        ),
        (lambda d: d["players"][0]["strategy"][0].update(actions={"check": 2, "bet": -1}), "not a number from 0 to 1"),
        (lambda d: d["players"][0]["strategy"][0].update(actions={"check": float("nan"), "bet": 1}), "not a number"),
        (lambda d: d["players"][0]["strategy"][0].update(actions={"check": True, "bet": 0}), "not a number"),
    ],
)
def test_damaged_files_are_refused(change: Any, words: str, tmp_path: Path) -> None:
    path, data = saved(tmp_path, "kuhn-poker")
    change(data)
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(GameDSLError, match="E0524") as refused:
        profile_of(form_of("kuhn-poker"), read_strategy(path))
    assert words in str(refused.value)


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"\xff\xfe", b"[" * 100_000, b"1e999"])
def test_other_files_are_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "s.json"
    path.write_bytes(content)
    for file in (path, tmp_path / "none", tmp_path):
        with pytest.raises(GameDSLError, match="E0524"):
            read_strategy(file)


def test_agents_that_search() -> None:
    """How often they take an action counts as its probability."""
    form = form_of("goofspiel", cards=3, order="falling", bids="hidden")
    once, often = (agent_profile(form, _Bold(), samples) for samples in (1, 7))
    assert np.allclose(once.strategy, often.strategy) and set(once.strategy) <= {0.0, 1.0}
    assert once.exploitability >= 0


class _Bold:
    """Plays its last legal move."""

    text = "bold"

    def check(self, game: Any) -> None: ...

    def prepare(self, game: Any) -> None: ...

    def choose(self, state: Any, seed: int, player: int | None = None) -> Any:
        return state.legal_moves(player)[-1]

    def analyse(self, state: Any, seed: int = 0, player: int | None = None) -> Any: ...

    def action(self, position: Any, seed: int) -> int:
        return 0


def test_a_position_is_not_enough(tmp_path: Path) -> None:
    path, _ = saved(tmp_path, "kuhn-poker")
    with pytest.raises(UsageError, match="needs the whole game"):
        parse_agent(f"strategy:{path}").action(None, 1)  # type: ignore[arg-type]
