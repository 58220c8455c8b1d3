"""Tournaments: who sits where, ratings by known numbers, the command."""

from __future__ import annotations

import json
import math
from collections import Counter

import pytest

import gamedsl
from gamedsl.agents import parse_agents, tournament
from gamedsl.agents.tournament import USUAL_CONDITIONS, MatchConditions, MirroredPairs, Outcome, Pairing, pairings
from gamedsl.cli import agent_commands
from gamedsl.cli.main import main
from gamedsl.lab.shards import ShardRunner
from gamedsl.lab.statistics import rate
from tests.lab.shards.stand_ins import helped


def test_every_pair_takes_every_order_of_seats_equally_often() -> None:
    found = Counter(p.seats for p in pairings(3, 2, 4))
    assert found == {(a, b): 4 for a in range(3) for b in range(3) if a != b}


def test_three_seats_are_filled_in_all_ways_by_two_agents() -> None:
    found = Counter(p.seats for p in pairings(2, 3, 1))
    assert found == dict.fromkeys(((0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 1, 0), (1, 0, 1), (0, 1, 1)), 1)


def test_points_compare_the_means_of_the_seats() -> None:
    assert Outcome(Pairing(0, (0, 1)), (1.0, -1.0), 5).points() == ((0, 1.0), (1, 0.0))
    assert Outcome(Pairing(0, (1, 0)), (1.0, -1.0), 5).points() == ((0, 0.0), (1, 1.0))
    assert Outcome(Pairing(0, (0, 1)), (0.0, 0.0), 5).points() == ((0, 0.5), (1, 0.5))
    assert Outcome(Pairing(0, (0, 0, 1)), (1.0, -1.0, 0.5), 5).points() == ((0, 0.0), (1, 1.0))


# ------------------------------------------------------------------------------------------------------ ratings


def test_two_by_the_formula_of_elo() -> None:
    """Three quarters of the points are 400 log10(3) = 190.8 Elo; the logarithm of the odds of n plays has the variance
    1 / (n p (1 - p)), and half of the difference is each one's."""
    found = rate([[0, 75], [25, 0]])
    assert found.elo == (pytest.approx(95.424, abs=0.01), pytest.approx(-95.424, abs=0.01))
    error = 400 / math.log(10) * math.sqrt(1 / (100 * 0.75 * 0.25)) / 2
    assert found.margin == (pytest.approx(1.96 * error, rel=1e-3),) * 2
    assert not found.propped


def test_ratings_are_found_again_from_expected_points() -> None:
    elo = [-250.0, 0.0, 90.0, 160.0]
    points = [
        [0.0 if i == j else 200 / (1 + 10 ** ((b - a) / 400)) for j, b in enumerate(elo)] for i, a in enumerate(elo)
    ]
    assert rate(points).elo == tuple(pytest.approx(x, abs=1e-6) for x in elo)


def test_greatest_likelihood_by_another_way() -> None:
    points = [[0, 7.5, 12], [2.5, 0, 6], [3, 9, 0]]

    def loss(x: list[float]) -> float:
        found = sum(
            -points[i][j] * math.log(1 / (1 + math.exp(x[j] - x[i]))) for i in range(3) for j in range(3) if i != j
        )
        return float(found + sum(x) ** 2)

    from scipy.optimize import minimize  # takes half a second: not while tests are collected

    best = minimize(loss, [0.0] * 3, tol=1e-12).x * 400 / math.log(10)
    assert rate(points).elo == tuple(pytest.approx(x, abs=0.05) for x in best)


def test_who_wins_everything_has_no_most_likely_rating() -> None:
    found = rate([[0, 10, 10], [0, 0, 5], [0, 5, 0]])
    assert found.propped and found.elo[0] > 300 and math.isfinite(found.margin[0])
    assert found.elo[1] == pytest.approx(found.elo[2])


def test_intervals_hold_what_they_promise() -> None:
    """Of 300 tournaments between players of known strength about 95 % of the intervals hold the true rating."""
    import numpy as np

    rng, elo, held = np.random.default_rng(7), np.array([-100.0, 20.0, 80.0]), 0
    for _ in range(300):
        points = [[0.0] * 3 for _ in elo]
        for i, j in ((0, 1), (0, 2), (1, 2)):
            won = int(rng.binomial(60, 1 / (1 + 10 ** ((elo[j] - elo[i]) / 400))))
            points[i][j], points[j][i] = won, 60 - won
        found = rate(points)
        held += sum(abs(e - t) <= m for e, m, t in zip(found.elo, found.margin, elo, strict=True))
    assert 0.92 <= held / 900 <= 0.975


# -------------------------------------------------------------------------------------------------------- plays


def test_the_same_seed_gives_the_same_plays_with_any_workers() -> None:
    game, agents = gamedsl.load("tic-tac-toe"), parse_agents("random,mcts:50,ab:d2")
    found = [
        sorted(tournament.play_tournament(game, agents, 2, MatchConditions(3), runner), key=lambda o: o.pairing.number)
        for runner in (ShardRunner(), helped())
    ]
    assert found[0] == found[1] and len(found[0]) == 12
    other = list(tournament.play_tournament(game, agents, 2, MatchConditions(4)))
    assert other != found[0]


def test_both_games_of_a_pair_have_the_same_opening_and_chance() -> None:
    """A game of luck alone ends alike in both games of a pair; two agents that play alike after a random opening differ only
    by their seats."""
    luck = list(tournament.play_tournament(gamedsl.load("snakes-and-ladders"), parse_agents("random,mcts:1"), 6))
    assert all(a.returns == b.returns and a.plies == b.plies for a, b in zip(luck[::2], luck[1::2], strict=True))
    assert len({a.plies for a in luck}) > 3
    conditions = MatchConditions(opening=3)
    alike = list(tournament.play_tournament(gamedsl.load("tic-tac-toe"), parse_agents("ab:d9,ab:d8"), 8, conditions))
    assert all(a.returns == b.returns for a, b in zip(alike[::2], alike[1::2], strict=True))
    assert len({a.returns for a in alike}) > 1  # three plies at random decide some of the games


def test_openings_do_not_end_the_game() -> None:
    conditions = MatchConditions(opening=6)
    games = tournament.play_tournament(gamedsl.load("tic-tac-toe"), parse_agents("ab:d1,ab:d2"), 20, conditions)
    assert all(game.plies > 6 for game in games)


def test_compiled_plays_end_as_the_rules_say() -> None:
    """Rock-paper-scissors and pig: secret choices, chance; every play is finished, what one gains the other loses."""
    for name in ("rock-paper-scissors", "pig"):
        for outcome in tournament.play_tournament(gamedsl.load(name), parse_agents("random,mcts:20"), 3):
            assert outcome.finished and sorted(outcome.returns) == [-1.0, 1.0]


def test_search_beats_chance() -> None:
    outcomes = list(tournament.play_tournament(gamedsl.load("connect-four"), parse_agents("random,mcts:300"), 5))
    assert sum(o.points()[1][1] for o in outcomes) >= 9


# ------------------------------------------------------------------------------------------------------ command


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "tic-tac-toe", "--agents", "random,ab:d9", "--rounds", "3", "--seed", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Tic-Tac-Toe: 6 games, seed 1, ")
    assert lines[1].split() == ["agent", "games", "won", "drawn", "lost", "score", "Elo", "95", "%"]
    assert lines[2].split()[0] == "ab:d9" and lines[2].split()[1] == "6" and lines[2].split()[4] == "0"


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "nim", "--agents", "random,mcts:100,ab:d3", "--rounds", "2", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["played"] == found["planned"] == 12 and not found["interrupted"]
    assert sum(r["won"] for r in found["agents"]) == sum(r["lost"] for r in found["agents"]) == 12
    assert [r["elo"] for r in found["agents"]] == sorted((r["elo"] for r in found["agents"]), reverse=True)
    assert {(p["first"], p["second"]) for p in found["pairs"]} == {
        ("random", "mcts:100"), ("random", "ab:d3"), ("mcts:100", "ab:d3")
    }  # fmt: skip
    assert found["digest"] == gamedsl.load("nim").digest and found["seed"] == 0


@pytest.mark.parametrize("threads", [1, 2])
def test_a_sequential_test_stops_when_it_knows(threads: int, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--agents", "ab:d5,random", "--sprt", "0,100", "--errors", "0.1,0.1", "--seed", "1"]
    words += ["--jobs", str(threads), "--format", "json"]
    assert main(["tournament", "tic-tac-toe", *words]) == 0
    found = json.loads(capsys.readouterr().out)
    test, pairs = found["sequential_test"], found["mirrored_pairs"][0]
    assert test["accepted"] == "H1" and test["high"] == pytest.approx(math.log(9), abs=1e-3)
    assert test["log_likelihood_ratio"] >= test["high"] and sum(pairs["outcomes"]) == pairs["pairs"] < 20
    assert (pairs["pairs"], test["log_likelihood_ratio"]) == (9, 2.2232)  # for any number of threads


def test_an_interruption_tells_what_is_done(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def progress(done: int, planned: int) -> None:
        if done == 5:
            raise KeyboardInterrupt

    monkeypatch.setattr(agent_commands, "_progress", progress)
    assert main(["tournament", "tic-tac-toe", "--agents", "random,mcts:20", "--rounds", "50"]) == 130
    assert "Tic-Tac-Toe: 5 of 100 games" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tic-tac-toe", "--agents", "random"], "needs at least two agents"),
        (["tic-tac-toe", "--agents", "random,random"], "is given twice"),
        (["tic-tac-toe", "--agents", "random,deep:3"], "`deep:3` is not an agent"),
        (["tic-tac-toe", "--agents", "random", "mcts:5"], "divided by commas, without spaces"),
        (["tic-tac-toe", "--agents", "random mcts:5"], "Write `random,mcts:5`"),
        (["tic-tac-toe", "--agents", "random,mcts:5", "--rounds", "0"], "is not a whole number from 1"),
        (["tic-tac-toe", "--agents", "random,mcts:5,mcts:6", "--sprt", "0,50"], "compares two agents"),
        (["tic-tac-toe", "--agents", "random,mcts:5", "--sprt", "50,0"], "the smaller one first"),
        (["tic-tac-toe", "--agents", "random,mcts:5", "--sprt", "50"], "is not two numbers"),
        (["tic-tac-toe", "--agents", "random,mcts:5", "--sprt", "0,50", "--errors", "0.6,0.1"], "between 0 and 0.5"),
        (["pig", "--agents", "random,ab:d3"], "cannot handle chance"),
        (["phantom-tic-tac-toe", "--agents", "random,ab:d2"], "is hidden from players"),
    ],
)
def test_mistakes(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", *arguments]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("asks", [0, 3, 9, 12])
def test_a_game_ends_as_soon_as_it_is_stopped(asks: int) -> None:
    """The shortest games of tic-tac-toe have five plies, so a pair of them asks 13 times: before it, and six times in each
    game."""
    question = MirroredPairs(gamedsl.load("tic-tac-toe"), parse_agents("random,random"), USUAL_CONDITIONS)
    answers = iter([False] * asks)
    assert question.answer(0, 5, lambda: next(answers, True)) == []
    assert next(answers, None) is None
    assert len(question.answer(0, 2, lambda: False)) == 2
