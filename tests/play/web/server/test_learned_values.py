"""Files of `gamedsl train` beside rulesets give tables the level `learned`."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import pytest

import gamedsl
from gamedsl.agents import LearnedLevel, Learner, compiled, learned_level, parse_agent, read_learned, write_learned
from gamedsl.agents.levels import expected_levels, learned_iterations
from gamedsl.lab.statistics import PairCounts
from gamedsl.language.rules import shipped
from gamedsl.play.web.listings import listings_of
from gamedsl.play.web.server import agents
from gamedsl.play.web.server.agents import Thinkers, choose_move, study_state
from gamedsl.play.web.server.catalogue import Catalogue
from gamedsl.play.web.site.game_pages import game_files

from .test_chaos import _Thread


def written(folder: Path, name: str, **options: int) -> Path:
    """A copy of a shipped ruleset as ``game.gdl`` in the folder, with a value for it under these options beside it."""
    rules = folder / "game.gdl"
    rules.write_text(shipped()[name].read_text("utf-8"), encoding="utf-8")
    game = gamedsl.load(rules, **options)
    write_learned(Learner.new(compiled(game), 1), game, folder / "game.net")
    return rules


def found(rules: Path) -> tuple[Catalogue, list[str]]:
    """The games of a server for this file, and what the server said about the value."""
    catalogue, said = Catalogue.of([str(rules)]), list[str]()
    catalogue.find_values(said.append)
    return catalogue, said


@pytest.fixture
def match(monkeypatch: pytest.MonkeyPatch) -> list[PairCounts]:
    """The result of the match against playouts, which is not played."""
    counts = [PairCounts((0, 0, 10, 0, 20))]
    monkeypatch.setattr(
        learned_level, "play_learned", lambda _, path: learned_level.LearnedMatch(read_learned(path), counts[0])
    )
    return counts


def test_a_value_beside_a_ruleset_gives_its_tables_a_level(tmp_path: Path, match: list[PairCounts]) -> None:
    rules = written(tmp_path, "tic-tac-toe")
    catalogue, said = found(rules)
    assert said == [
        f"{tmp_path}/game.net: 50 of 60 points against tree search with playouts; "
        "it is stronger and plays as the level `learned`"
    ]
    assert catalogue.load("game").seats[-2:] == ("expert", "learned")


@pytest.mark.parametrize(
    ("counts", "result"),
    [
        ((20, 0, 10, 0, 0), "10 of 60 points against tree search with playouts; it is not stronger; there is no level"),
        ((0, 0, 2, 0, 2), "6 of 8 points against tree search with playouts; undecided; there is no level"),
    ],
)
def test_a_value_that_is_not_shown_to_be_stronger_is_left_out(
    tmp_path: Path, match: list[PairCounts], counts: tuple[int, int, int, int, int], result: str
) -> None:
    match[0] = PairCounts(counts)
    catalogue, said = found(written(tmp_path, "tic-tac-toe"))
    assert said[0].endswith(f"{result} `learned`")
    assert "learned" not in catalogue.load("game").seats


def test_a_value_plays_under_the_options_for_which_it_was_learned(tmp_path: Path, match: list[PairCounts]) -> None:
    catalogue, said = found(written(tmp_path, "hex", n=3))
    assert said[0].endswith("it is stronger and plays as the level `learned`")
    assert "learned" in catalogue.load("game", {"n": "3"}).seats
    assert "learned" not in catalogue.load("game").seats


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (('"n": "3"', '"n": "4"'), "it is for other rules or options than Hex has here"),
        (('"n": "3"', '"m": "3"'), "the rules do not take its options: "),
        (('"n": "3"', '"n": 3'), "`options` does not give a string for every name"),
        (("{", "["), "it is not JSON"),
    ],
)
def test_a_value_that_does_not_fit_is_left_out_with_the_reason(
    tmp_path: Path, change: tuple[str, str], reason: str
) -> None:
    rules = written(tmp_path, "hex", n=3)
    file = tmp_path / "game.net"
    file.write_text(file.read_text("utf-8").replace(*change), encoding="utf-8")
    catalogue, said = found(rules)
    assert said[0].startswith(f"the learned value in {file} cannot be used: {reason}")
    assert said[0].endswith("; there is no level `learned`")
    assert not catalogue.values


def test_without_files_nothing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    catalogue, said = Catalogue.of([]), list[str]()
    catalogue.find_values(said.append)
    assert not said and not catalogue.values


def test_the_level_plays_the_moves_of_the_agent_with_its_file(tmp_path: Path) -> None:
    rules = written(tmp_path, "tic-tac-toe")
    game, value = gamedsl.load(rules), read_learned(tmp_path / "game.net")
    state = game.initial_state().apply(game.initial_state().propose(Random(3)))
    iterations = learned_iterations(expected_levels(game))
    named = parse_agent(f"net:{tmp_path}/game.net:{iterations}")
    assert choose_move(state, value, state.to_act[0], 5) == named.choose(state, 5).text
    assert LearnedLevel(value, 4.0).study(state, 5).values == pytest.approx(named.study(state, 5).values)
    assert study_state(state, value)["best"]


def test_a_table_whose_value_has_gone_goes_on_with_the_highest_level(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    def choose(state: Any, agent: Any, seat: int, seed: int) -> str:
        asked.append(agent)
        return "b2"

    monkeypatch.setattr(agents, "ProcessPoolExecutor", _Thread)
    monkeypatch.setattr(agents, "choose_move", choose)
    state = gamedsl.load(written(tmp_path, "tic-tac-toe")).initial_state()
    value = read_learned(tmp_path / "game.net")
    for values in ([value], []):
        thinkers = Thinkers(1, values)
        assert asyncio.run(thinkers.choose(state, "learned", 0, ("a", "b"))) == "b2"
        thinkers.stop()
    assert asked == [value, "expert"]


def test_a_page_of_a_site_has_the_level(tmp_path: Path, match: list[PairCounts]) -> None:
    (listing,), said = listings_of([str(written(tmp_path, "tic-tac-toe"))]), list[str]()
    with_value = game_files(listing, said.append).play
    assert len(said) == 1
    (tmp_path / "game.net").unlink()
    assert len(game_files(listing, said.append).play) < len(with_value)
    assert len(said) == 1
