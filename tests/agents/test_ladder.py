"""Ladders of players: where skill counts, where only luck does, and what is said when a ladder is cut short."""

from __future__ import annotations

import json
import math
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from scipy.stats import binom

import gamedsl
from gamedsl.agents import Agent, MatchConditions, parse_agent
from gamedsl.agents.ladder import LadderPlan, MatchResult, Rung, _gap, climb_ladder, count_levels, elo_in_all
from gamedsl.cli.depth_command import summarize
from gamedsl.cli.main import main
from gamedsl.engine import Game
from gamedsl.lab.shards import ShardRunner
from gamedsl.lab.statistics import Estimate, PairCounts, SequentialTest, elo_difference
from gamedsl.lab.statistics.pair_scores import VALUES
from tests.lab.shards.stand_ins import helped
from tests.lab.statistics.test_sequential_test import TEST, pair_shares, run_tests


def plan(**settings: object) -> LadderPlan:
    values: dict[str, object] = {
        "make": lambda budget: parse_agent(f"mcts:{budget}"),
        "test": SequentialTest(0, 100),
        "conditions": MatchConditions(1, 2),
        "most": 100,
    }
    return LadderPlan(**(values | settings))  # type: ignore[arg-type]


def test_skill_counts() -> None:
    """Sixteen iterations beat four and these beat one at tic-tac-toe; the players' budgets double."""
    rungs = list(climb_ladder(gamedsl.load("tic-tac-toe"), plan(rungs=3)))
    assert [r.agent for r in rungs] == ["mcts:1", "mcts:2", "mcts:4"]
    assert rungs[2].below is not None and rungs[2].below.accepted == "H1"
    assert rungs[2].below.counts.mean > 0.5 and (rungs[2].below.upper, rungs[2].below.lower) == ("mcts:4", "mcts:2")


def test_luck_alone_has_one_level(capsys: pytest.CaptureFixture[str]) -> None:
    """Where nobody decides anything, both games of a pair are equal: every pair has one point, and the ladder ends after
    five of them."""
    assert main(["depth", "snakes-and-ladders", "--pairs", "200", "--difference", "100"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[-2:] == [
        "1 level of play (1 to 2)",
        "More computation gains less than 100 Elo there (error rate of a match: 5 %).",
    ]
    rungs = list(climb_ladder(gamedsl.load("snakes-and-ladders"), plan()))
    assert [r.below.lower for r in rungs if r.below] == ["mcts:1"] * 5  # nobody is stronger than the first
    rung = rungs[-1]
    assert rung.below is not None and rung.below.accepted == "H0"
    assert sum(rung.below.counts.counts) == rung.below.counts.counts[2]


@pytest.mark.parametrize(("climbed", "passed", "undecided"), [(0, 5, 0), (1, 0, 0), (11, 0, 0), (3, 2, 2), (0, 0, 0)])
def test_the_number_of_levels_has_an_interval(climbed: int, passed: int, undecided: int) -> None:
    """Of the tests that found a level, and of those that found none, more are wrong in one ladder of forty at most."""
    verdicts = ["H1"] * climbed + ["H0"] * passed + [None] * undecided
    counts = PairCounts((0, 0, 1, 0, 0))
    rungs = [Rung(k, "", MatchResult("", "", counts, None, verdict)) for k, verdict in enumerate(verdicts, 1)]
    levels, low, high = count_levels([Rung(0, ""), *rungs], SequentialTest(0, 50))
    assert levels == 1 + climbed
    assert low == levels - binom.ppf(0.975, climbed, 0.05) and low >= 1
    assert high == levels + binom.ppf(0.975, passed, 0.05) + undecided


def stronger(elo: Estimate | None, accepted: str = "H1") -> Rung:
    return Rung(1, "", MatchResult("", "", PairCounts(), elo, accepted))


def test_the_elo_of_all_levels() -> None:
    rungs = [Rung(0, ""), stronger(Estimate(100, 70, 140)), stronger(Estimate(0, -9, 9), "H0")]
    assert elo_in_all([*rungs, stronger(Estimate(50, 10, 80))]) == Estimate(150, 100, 200)
    assert elo_in_all([*rungs, stronger(Estimate(200, 100, math.inf))]) == Estimate(
        300, 300 - math.hypot(30, 100), math.inf
    )
    assert elo_in_all([*rungs, stronger(Estimate(math.inf, 100, math.inf))]) is None
    found = summarize([*rungs, stronger(Estimate(200, 100, math.inf))], plan(), "")
    assert (found["levels_interval"], found["elo_in_all_interval"]) == ([2, 4], [195.6, None])


@pytest.mark.slow
@pytest.mark.parametrize("elo", [60, 120])
def test_its_interval_holds_what_it_promises(elo: float) -> None:
    """Of simulated ladders, in which every player is that much stronger than the one before."""
    counts, accepted = run_tests(elo, 800, 3)
    true = elo_difference(float(pair_shares(elo) @ VALUES))
    matches = [PairCounts(tuple(int(n) for n in row)) for row in counts]  # type: ignore[arg-type]
    rungs = [stronger(TEST.elo(m), "H1" if a > 0 else "H0") for m, a in zip(matches, accepted, strict=True)]
    held = list[bool]()
    for first in range(0, len(rungs), 4):
        ladder = rungs[first : first + 4]
        found, levels, *_ = elo_in_all(ladder), *count_levels(ladder, TEST)
        assert found is not None and found.low is not None and found.high is not None
        held.append(levels == 1 or found.low <= (levels - 1) * true <= found.high)
    assert 0.9 <= np.mean(held) <= 0.995


def test_the_same_for_any_workers() -> None:
    game = gamedsl.load("tic-tac-toe")
    one, two = (list(climb_ladder(game, plan(rungs=2, runner=r))) for r in (ShardRunner(), helped()))
    assert one == two


def test_json_and_a_ladder_that_is_too_short(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["depth", "tic-tac-toe", "--rungs", "3", "--far", "5", "--difference", "100", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["end"] in ("rungs", "undecided", "no difference") and found["step"] == 100
    assert len(found["rungs"]) <= 3 and found["digest"] == gamedsl.load("tic-tac-toe").digest
    last = found["rungs"][2]
    assert sum(last["far"]["outcomes"]) == 5 and last["far"]["against"] == "mcts:1"


def test_a_word_to_stop() -> None:
    stop = Event()
    stop.set()
    rungs = list(climb_ladder(gamedsl.load("tic-tac-toe"), plan(), stop))
    assert summarize(rungs, plan(), "interrupted")["end"] == "interrupted" and len(rungs) == 2


def test_gaps_by_hand() -> None:
    """100 and 100 with errors of 10 each do not give 300 with an error of 10: 100 / sqrt(300) standard errors too much."""

    def match(value: float, error: float = 10.0) -> MatchResult:
        half = 1.959964 * error
        return MatchResult("a", "b", PairCounts(), Estimate(value, value - half, value + half))

    assert _gap(match(300), match(100), match(100)) == pytest.approx(100 / math.sqrt(300), abs=1e-4)
    assert _gap(match(300), match(100), match(math.inf)) is None
    assert _gap(None, match(100), match(100)) is None


def test_why_a_ladder_ends() -> None:
    def rung(accepted: str | None) -> Rung:
        return Rung(1, "mcts:2", MatchResult("mcts:2", "mcts:1", PairCounts(), Estimate(80, 10, 150), accepted))

    for accepted, end, levels in (("H1", "rungs", 2), ("H0", "no difference", 1), (None, "undecided", 1)):
        found = summarize([Rung(0, "mcts:1"), rung(accepted)], plan(misses=1), "")
        assert (found["end"], found["levels"]) == (end, levels)


def test_a_player_who_is_not_stronger_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where there are many choices: two iterations are as good as one, four are better, and more than four no better."""

    def match(game: Game, upper: Agent, lower: Agent, *_: object) -> MatchResult:
        accepted = "H1" if min(int(upper.text[5:]), 4) > int(lower.text[5:]) > 0 and upper.text != "mcts:2" else "H0"
        return MatchResult(upper.text, lower.text, PairCounts(), Estimate(80, 10, 150), accepted)

    monkeypatch.setattr("gamedsl.agents.ladder.play_match", match)
    game = gamedsl.load("tic-tac-toe")
    rungs = list(climb_ladder(game, plan(rungs=12, far=1)))
    below = [(r.below.upper, r.below.lower) for r in rungs if r.below is not None]
    steps = ["2 1", "4 1", "8 4", "16 4", "32 4", "64 4", "128 4"]
    assert below == [(f"mcts:{a}", f"mcts:{b}") for a, b in (s.split() for s in steps)]
    assert all(r.far is None for r in rungs)  # there is no level two below
    found = summarize(rungs, plan(), "")
    assert (found["levels"], found["end"]) == (2, "no difference")
    assert summarize(rungs[:-1], plan(), "")["end"] == "rungs"


def test_a_ladder_ends_when_its_time_is_over(capsys: pytest.CaptureFixture[str]) -> None:
    """With a thousandth of a second, the timer rings before the sequential test can decide about a thousand pairs."""
    line = ["depth", "connect-four", "--time", "0.001", "--difference", "1", "--pairs", "100000"]
    assert main(line) == 0
    assert "The time ran out; `--time` allows more." in capsys.readouterr().out


def test_alone_there_is_no_ladder(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["depth", "tic-tac-toe", "--rungs", "1"]) == 2
    assert "--rungs" in capsys.readouterr().err


def test_a_game_for_one_person_has_no_ladder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "alone.gdl"
    file.write_text(
        'game "Alone"\n\nplayers one\n\nboard grid 2 by 2\n\npiece mark of player\n\nmove place(c: cell) written "{c}"\n'
        "  when c in empty\n  put mark[me] on c\n\nplay\n  turns from one\n    me plays place\n      stuck\n        win me\n"
    )
    assert main(["depth", str(file)]) == 2
    assert "at least two players" in capsys.readouterr().err
