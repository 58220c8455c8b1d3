"""Levels: the same names and strengths at the command line, in the page and on the server; each beats the one below it."""

from __future__ import annotations

import json
import re
from itertools import cycle, pairwise
from math import log2
from pathlib import Path
from random import Random

import pytest

import gamedsl
from gamedsl.agents import (
    LEARNED,
    LEVELS,
    Learner,
    Level,
    MatchConditions,
    compiled,
    known_levels,
    level_calibration,
    level_iterations,
    pairings,
    parse_agent,
    write_learned,
)
from gamedsl.agents.level_calibration import CalibrationBudget, calibrated, expected
from gamedsl.agents.levels import USUAL, read_levels
from gamedsl.agents.tournament import play
from gamedsl.cli.main import main
from gamedsl.lab.simulate import Plan, simulate
from gamedsl.language.rules import shipped
from gamedsl.language.source import ExitCode, UsageError, resource_path
from gamedsl.play.web import playable_page
from gamedsl.play.web.server.agents import AGENTS, SEAT_WORDS, choose_move

KEPT = json.loads(resource_path("rulesets", "levels.json").read_text("utf-8"))
TINY = CalibrationBudget(pairs=2, least=1, effort=1e5)


@pytest.mark.parametrize("level", LEVELS)
def test_a_level_is_an_agent(level: str) -> None:
    agent = parse_agent(level)
    assert agent == Level(level)
    assert agent.text == level and not agent.uses_states
    assert re.fullmatch(r"[0-9]+ iterations a move", agent.settings(gamedsl.load("connect-four")))
    with pytest.raises(UsageError, match="is not an agent"):
        parse_agent(f"{level}:2s")


def test_levels_are_named_alike_everywhere() -> None:
    assert ("random", *LEVELS, LEARNED) == AGENTS
    assert set(SEAT_WORDS) == {"person", *AGENTS}
    with pytest.raises(ValueError, match=f"possible: human, random, {', '.join(LEVELS)}"):
        playable_page(gamedsl.load("nim"), ("hard", "human"))


@pytest.mark.parametrize("name", sorted(KEPT))
def test_shipped_levels_are_those_of_the_rules_as_they_are(name: str) -> None:
    """After a change of a ruleset: `python benchmarks/levels.py --calibrate NAME`."""
    game = gamedsl.load(name)
    assert game.digest == KEPT[name]["digest"]
    assert known_levels(game) == level_iterations(game) == tuple(KEPT[name]["iterations"])


def test_where_all_are_equally_strong_the_level_below_is_the_weakest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Against one iteration, the greatest slope expects 8,000 of them to win with a probability that is 1 as a number: a win says
    nothing against it, and a loss excludes it."""
    results = cycle((0.0, 1.0))
    monkeypatch.setattr(level_calibration, "_points", lambda *_: next(results))
    budget = CalibrationBudget(pairs=70, least=70)
    assert level_calibration._level_below(gamedsl.load("kuhn-poker"), 8000, 4.0, budget) == 1


@pytest.mark.parametrize(
    "found", [[1, 2, 3, 4], [5, 4, 3, 2, 1], [0, 1, 2, 3, 4], [1, 2, 3, 4, 10**9], ["a", 1, 2, 3, 4], [[]] * 5]
)
def test_other_data_are_no_levels(found: list[object]) -> None:
    with pytest.raises((ValueError, TypeError)):
        read_levels(found)


@pytest.mark.parametrize(
    ("name", "options"),  # hidden, chance, at once, three players, hidden and three players
    [("kuhn-poker", {}), ("pig", {}), ("rock-paper-scissors", {}), ("nim", {}), ("kuhn-poker", {"players": 3})],
)
def test_levels_play_all_kinds_of_games(name: str, options: dict[str, int]) -> None:
    game = gamedsl.load(name, **options)
    state = game.initial_state()
    while not state.to_act:
        state = state.apply(state.propose(Random(1)))
    seat = state.to_act[0]
    legal = [m.text for m in state.legal_moves(seat)]
    assert Level("easy", 4.0).choose(state, 1, seat).text in legal
    assert choose_move(state, "beginner", seat, 1) in legal


# ----------------------------------------------------------------------------------------------------- the self-test


def test_a_self_test_finds_levels_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of rules that are not shipped; the same on every machine, and kept."""
    monkeypatch.setenv("GAMEDSL_CACHE", str(tmp_path))
    options = {"a": 1, "b": 2, "c": 2}
    game = gamedsl.load("nim", **options)
    assert known_levels(game) == USUAL
    found = calibrated(game, USUAL, TINY)
    assert found == calibrated(gamedsl.load("nim", **options), USUAL, TINY)
    assert read_levels(found) == found
    monkeypatch.setattr("gamedsl.agents.level_calibration.calibrated", lambda *_: found)
    assert level_iterations(game) == found
    monkeypatch.undo()
    monkeypatch.setenv("GAMEDSL_CACHE", str(tmp_path))
    assert level_iterations(gamedsl.load("nim", **options)) == found


@pytest.mark.parametrize("name", ["connect-four", "breakthrough-6x6"])
def test_the_highest_level_knows_how_long_random_games_are(name: str) -> None:
    """Against playouts of compiled rules, which count their plies by themselves. One game alone would say 10 instead of 21,
    and 14 instead of 28."""
    game = gamedsl.load(name)
    lengths = simulate(Plan.of(game, seed=4), 1_000).tally.lengths
    plies = sum(length * games for length, games in lengths.items()) / lengths.total()
    assert expected(game, USUAL)[-1] == pytest.approx(min(20_000, 800_000 / (20 + plies)), rel=0.05)


def test_known_levels_stay_and_lower_ones_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(level_calibration, "_points", lambda *_: 1.0)
    found = calibrated(gamedsl.load("nim"), USUAL, TINY, known=(3_000, 9_000))
    assert found == read_levels(found) and found[2] < 3_000 and found[3:] == (3_000, 9_000)


def test_a_game_for_one_player_has_the_expected_levels() -> None:
    alone = gamedsl.load("abs-trac-toe", players=1)
    assert calibrated(alone, USUAL, TINY) == expected(alone, USUAL) == read_levels(expected(alone, USUAL))


@pytest.mark.parametrize("drawn", [0.0, 0.5])
@pytest.mark.parametrize(("slope", "doublings"), [(50, 2.62), (130.9, 1.0), (200, 0.65)])
def test_the_level_below_loses_as_often_as_it_should(
    slope: float, doublings: float, drawn: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Players for whom twice the iterations bring a known number of Elo points, and who draw a share of their games. By hand: a
    score of 0.68 is 400 * log10(0.68 / 0.32) = 130.9 points."""
    rng = Random(3)

    def points(_: object, upper: int, lower: int, __: object) -> float:
        score = 1 / (1 + 10 ** (-slope * log2(upper / lower) / 400))
        draws = drawn * 2 * (1 - score)  # at most twice the loser's share
        number = rng.random()
        return 0.5 if number < draws else float(number < draws / 2 + score)

    monkeypatch.setattr(level_calibration, "_points", points)
    monkeypatch.setattr(level_calibration, "_plies_of_random_games", lambda _: 20.0)
    many = CalibrationBudget(pairs=200, effort=1e12)
    found = calibrated(gamedsl.load("nim"), (1, 2, 3, 4, 20_000), many)
    assert found[-1] == 20_000  # 800,000 / (20 + 20)
    steps = [log2(b / a) for a, b in pairwise(found) if a > 8]
    assert sum(steps) / len(steps) == pytest.approx(doublings, rel=0.15)
    assert steps == pytest.approx([doublings] * len(steps), rel=0.35)


@pytest.mark.parametrize("name", ["connect-four", "breakthrough"])
def test_each_level_beats_the_one_below(name: str) -> None:
    """In 40 games each, whose results are the same every time: more than half of the points. The table in
    docs/reference/levels.md is of 40 other games. A true score of 0.62 brings half of the points or less in one of five
    samples of 20 games, and in one of twelve of 40 (binomial distribution)."""
    game = gamedsl.load(name)
    for below, level in pairwise(LEVELS):
        agents, conditions = [parse_agent(level), parse_agent(below)], MatchConditions(5, 4, None, 300)
        points = [play(game, agents, p, conditions).points()[0][1] for p in pairings(2, 2, 20)]
        assert sum(points) > len(points) / 2, (below, level)


def test_a_page_has_a_learned_level_if_its_value_beats_playouts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What random games of Breakthrough teach beats playouts; with the weights reversed it does not."""
    game, good, bad, page = (
        gamedsl.load("breakthrough"),
        tmp_path / "good.net",
        tmp_path / "bad.net",
        tmp_path / "it.html",
    )
    learner = Learner.new(compiled(game), 1)
    write_learned(learner, game, good)
    write_learned(Learner(learner.native, 1, -learner.weights), game, bad)
    export = ["export", "breakthrough", "--to", "html", "-o", str(page), "--net"]
    assert main([*export, str(good), "--seats", "human,learned"]) == ExitCode.FINE
    assert (
        "points against tree search with playouts; it is stronger and plays as the level `learned`"
        in capsys.readouterr().out
    )
    with_value = page.stat().st_size
    assert main([*export, str(bad)]) == ExitCode.FINE
    assert "there is no level `learned`" in capsys.readouterr().out
    assert page.stat().st_size < with_value
    assert main([*export, str(bad), "--seats", "human,learned"]) == ExitCode.USAGE
    assert "learned cannot play" in capsys.readouterr().err


def test_a_page_takes_the_value_that_lies_beside_its_ruleset(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`train` writes it there. One for other options is left out, with the reason, unless it is asked for."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").mkdir()
    file, page = tmp_path / "games/small.gdl", tmp_path / "it.html"
    file.write_text(shipped()["breakthrough"].read_text("utf-8"), encoding="utf-8")
    assert main(["train", str(file), "--games", "40"]) == ExitCode.FINE
    assert {one.name for one in file.parent.iterdir()} == {"small.gdl", "small.net"}
    export = ["export", str(file), "--to", "html", "-o", str(page)]
    capsys.readouterr()
    assert main(export) == ExitCode.FINE
    assert "small.net: " in capsys.readouterr().out
    game = gamedsl.load("tic-tac-toe")
    write_learned(Learner.new(compiled(game), 1), game, file.with_suffix(".net"))
    assert main(export) == ExitCode.FINE
    assert "it is for other rules or options than" in (said := capsys.readouterr().out)
    assert "there is no level `learned`" in said
    assert main([*export, "--net", str(file.with_suffix(".net"))]) != ExitCode.FINE


@pytest.mark.parametrize(
    ("game", "to", "reason"),
    [
        ("chess", "html", "it is for other rules or options than Chess has here"),
        ("kuhn-poker", "html", "is hidden from players"),
        ("tic-tac-toe", "wasm", "only a page has opponents"),
    ],
)
def test_a_value_that_a_page_cannot_use(
    tmp_path: Path, game: str, to: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The file has a name that ends like the budget of an agent."""
    rules, file = gamedsl.load("tic-tac-toe"), tmp_path / "it:d6"
    write_learned(Learner.new(compiled(rules), 1), rules, file)
    main(["export", game, "--to", to, "-o", str(tmp_path / "it"), "--net", str(file)])
    assert reason in capsys.readouterr().err
