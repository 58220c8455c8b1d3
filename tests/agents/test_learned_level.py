"""The match that admits a learned value: its errors, its bounds, and what is kept of it."""

from __future__ import annotations

from math import comb
from pathlib import Path
from random import Random

import numpy as np
import pytest

import gamedsl
from gamedsl.agents import Learner, compiled, contender, learned_level, write_learned
from gamedsl.agents.contender import TreeContender, play_tested
from gamedsl.agents.forest import PLAIN
from gamedsl.agents.learned_level import MOST_PAIRS, TEST, play_learned
from gamedsl.agents.tournament import Outcome, Pairing, PairScores
from gamedsl.lab.statistics import PairCounts
from gamedsl.lab.statistics.pair_scores import log_likelihood_ratio


def admitted(chance: float) -> float:
    """How often a value is admitted whose games are independent and won with this probability, none drawn."""
    pair = [comb(2, won) * chance**won * (1 - chance) ** (2 - won) for won in range(3)]
    low, high = TEST.bounds
    courses, total = {(0, 0, 0): 1.0}, 0.0
    for _ in range(MOST_PAIRS):
        longer: dict[tuple[int, ...], float] = {}
        for counts, probability in courses.items():
            for won in range(3):
                more = tuple(n + (k == won) for k, n in enumerate(counts))
                longer[more] = longer.get(more, 0.0) + probability * pair[won]
        rows = np.zeros((len(longer), 5))
        rows[:, ::2] = list(longer)
        ratios = log_likelihood_ratio(rows, *TEST.scores)
        total += sum(p for p, ratio in zip(longer.values(), ratios, strict=True) if ratio >= high)
        likely = (p > 1e-7 for p in longer.values())
        courses = {
            counts: longer[counts]
            for counts, ratio, is_likely in zip(longer, ratios, likely, strict=True)
            if is_likely and low < ratio < high
        }
    return total


def test_values_that_are_worth_nothing_are_seldom_admitted() -> None:
    """0.64 of the points is a level more."""
    assert admitted(0.5) < 0.05
    assert admitted(0.64) > 0.9


def test_a_match_has_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    native, sides = compiled(gamedsl.load("tic-tac-toe")), [TreeContender(PLAIN, 1), TreeContender(PLAIN, 1)]

    def game(_game: object, _sides: object, pairing: Pairing, _conditions: object) -> Outcome:
        return Outcome(pairing, (1.0, -1.0), 100)  # the first player always wins: each pair is a tie

    monkeypatch.setattr(contender, "play", game)
    assert play_tested(native, sides, TEST, 3, 10_000).counts[0, 1].pairs == 3
    assert play_tested(native, sides, TEST, 100, 500).counts[0, 1].pairs == 2
    assert play_tested(native, sides, TEST, 100, 100).counts == {}


def test_a_match_is_played_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game, file, played = gamedsl.load("tic-tac-toe"), tmp_path / "it.net", list[int]()

    def match(*_: object) -> PairScores:
        played.append(1)
        return PairScores(TEST, {(0, 1): PairCounts((1, 2, 3, 4, 5))})

    learner = Learner.new(compiled(game), 1)
    write_learned(Learner(learner.native, 1, learner.weights + Random().random()), game, file)  # new to the cache
    monkeypatch.setattr(learned_level, "play_tested", match)
    assert [play_learned(game, str(file)).counts.counts for _ in range(2)] == [(1, 2, 3, 4, 5)] * 2
    assert len(played) == 1


@pytest.mark.parametrize("kept", [[0, 0, MOST_PAIRS + 1, 0, 0], [-1, 0, 2, 0, 0], [1, 2], ["a"] * 5])
def test_other_data_are_no_match(kept: list[object]) -> None:
    with pytest.raises(ValueError, match=r"^$|unpack|int"):
        learned_level._read_counts(kept)
