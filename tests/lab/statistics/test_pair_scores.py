"""Scores of mirrored pairs against another program, against formulas, and by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamedsl.lab.statistics import PairCounts, elo_difference, expected_score
from gamedsl.lab.statistics.pair_scores import PRIOR, VALUES, log_likelihood_ratio

COUNTS = st.tuples(*[st.integers(0, 60)] * 5).filter(lambda c: sum(c) > 0)


def test_elo_by_hand() -> None:
    """400 points are odds of ten to one; three quarters of the points are 400 log10(3)."""
    assert expected_score(400) == pytest.approx(10 / 11)
    assert elo_difference(0.75) == pytest.approx(190.848, abs=1e-3)
    assert elo_difference(0.0) == -math.inf and elo_difference(1.0) == math.inf


@given(st.floats(-1500, 1500))
def test_elo_and_score_are_inverse(elo: float) -> None:
    assert elo_difference(expected_score(elo)) == pytest.approx(elo, abs=1e-6)
    assert expected_score(elo) + expected_score(-elo) == pytest.approx(1.0)


def test_mean_and_variance_by_hand() -> None:
    """Of four pairs 2-0, 2-0, 1-1, 0-2 the means are 1, 1, 1/2, 0: together 5/8, with the variance 11/64."""
    found = PairCounts.of([2.0, 2.0, 1.0, 0.0])
    assert found.counts == (1, 0, 1, 0, 2) and found.pairs == 4
    assert found.mean == 5 / 8
    assert found.variance == pytest.approx(11 / 64, abs=1e-3)


def test_other_points_are_refused() -> None:
    with pytest.raises(ValueError, match=r"not 0\.3"):
        PairCounts.of([0.3])


def test_the_ratio_by_another_program() -> None:
    """scipy's constrained optimizer finds the greatest likelihoods of the two means."""
    from scipy.optimize import minimize

    counts = np.array([12.0, 31.0, 80.0, 44.0, 19.0])
    smoothed = counts + PRIOR

    def greatest(mean: float) -> float:
        found = minimize(
            lambda p: -(smoothed * np.log(p)).sum(),
            np.full(5, 0.2),
            bounds=[(1e-9, 1.0)] * 5,
            constraints=[
                {"type": "eq", "fun": lambda p: p.sum() - 1},
                {"type": "eq", "fun": lambda p: p @ VALUES - mean},
            ],
            options={"ftol": 1e-14, "maxiter": 1000},
        )
        return -float(found.fun)

    low, high = expected_score(0), expected_score(50)
    assert float(log_likelihood_ratio(counts, low, high)) == pytest.approx(greatest(high) - greatest(low), abs=1e-3)


@given(COUNTS)
def test_exchanged_players_have_the_opposite_ratio(counts: tuple[int, int, int, int, int]) -> None:
    low, high = expected_score(-30), expected_score(30)
    there = float(log_likelihood_ratio(np.array(counts, dtype=float), low, high))
    back = float(log_likelihood_ratio(np.array(counts[::-1], dtype=float), low, high))
    assert there == pytest.approx(-back, abs=1e-6 * (1 + sum(counts)))


@given(COUNTS)
def test_the_interval_holds_the_mean_and_stays_within_bounds(counts: tuple[int, int, int, int, int]) -> None:
    found = PairCounts(counts).score()
    assert found is not None and found.low is not None and found.high is not None
    assert 0 <= found.low <= found.value <= found.high <= 1


@pytest.mark.parametrize("pairs", [1, 10, 50])
def test_nothing_but_wins(pairs: int) -> None:
    """The likelihood of n wins is p^n, so the interval of -2 log p^n <= 1.96^2 begins at exp(-1.96^2 / 2n)."""
    found = PairCounts((0, 0, 0, 0, pairs)).score()
    assert found is not None and found.low == pytest.approx(math.exp(-(1.959964**2) / (2 * pairs)), rel=1e-4)
    assert found.high == pytest.approx(1.0)


def test_intervals_hold_what_they_promise() -> None:
    """Of 200 matches of 40 pairs about 95 % of the intervals hold the true score."""
    shares = np.array([0.1, 0.15, 0.3, 0.25, 0.2])
    true, rng = float(shares @ VALUES), np.random.default_rng(3)
    matches = [PairCounts(tuple(int(n) for n in rng.multinomial(40, shares))) for _ in range(200)]  # type: ignore[arg-type]
    scores = [match.score() for match in matches]
    held = sum(s is not None and s.low is not None and s.high is not None and s.low <= true <= s.high for s in scores)
    assert 0.92 <= held / 200 <= 0.98
