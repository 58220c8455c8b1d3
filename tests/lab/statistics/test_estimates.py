"""Estimates against published values and against other programs."""

from __future__ import annotations

import math
import statistics
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamedsl.lab.simulate.rng import Draws, key
from gamedsl.lab.statistics import bins, bounded_mean, deviation, mean, median, ratio, wilson
from gamedsl.lab.statistics.estimates import Z95, student

SAMPLES = st.lists(st.integers(-1000, 1000), min_size=2, max_size=60)


# R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I, method 3
@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_as_published(hits: int, n: int, low: float, high: float) -> None:
    found = wilson(hits, n)
    assert found is not None
    assert found.value == hits / n
    assert found.low == pytest.approx(low, abs=5e-5)
    assert found.high == pytest.approx(high, abs=5e-5)


@given(st.integers(1, 200), st.data())
def test_the_mean_of_values_at_the_bounds_is_a_share(n: int, data: st.DataObject) -> None:
    """Values of -1 and 1 are shares of 0 and 1, for which Wilson's interval is known."""
    hits = data.draw(st.integers(0, n))
    share, found = wilson(hits, n), bounded_mean([1.0] * hits + [-1.0] * (n - hits), -1, 1)
    assert share is not None and found is not None
    for ours, wilsons in ((found.value, share.value), (found.low, share.low), (found.high, share.high)):
        assert ours is not None and wilsons is not None
        assert ours == pytest.approx(2 * wilsons - 1, abs=1e-9)


def test_an_interval_of_equal_values_has_a_width() -> None:
    """Twenty draws say little about a rate of wins below 3 in 20 (the rule of three)."""
    found = bounded_mean([0.0] * 20, -1, 1)
    assert found is not None and found.low is not None and found.high is not None
    assert found.value == 0 and -0.25 < found.low < -0.1 and 0.1 < found.high < 0.25
    assert bounded_mean([], -1, 1) is None


@pytest.mark.parametrize("n", [20, 100])
@pytest.mark.parametrize(
    "shares", [(0.5, 0.0, 0.5), (0.05, 0.0, 0.95), (0.02, 0.9, 0.08), (0.3, 0.4, 0.3), (0.01, 0.01, 0.98)]
)
def test_intervals_of_results_hold_what_they_promise(shares: tuple[float, float, float], n: int) -> None:
    """Of 2,000 samples of losses, draws and wins, at least 91 in 100 intervals hold the true mean: Wilson's holds a share
    of 1 in 20 for 92.5 % of the samples of 20 (those with up to 2), and four standard errors are 2 %. A normal interval
    holds the last mean for at most 1 - 0.98^20 = 33 %, since the other samples show no spread."""
    counts = np.random.default_rng(3).multinomial(n, shares, size=2000)
    kept, truth = 0, shares[2] - shares[0]
    for sample in counts.tolist():
        found = bounded_mean(np.repeat([-1.0, 0.0, 1.0], sample), -1, 1)
        assert found is not None and found.low is not None and found.high is not None
        kept += found.low <= truth <= found.high
    assert kept >= 0.905 * len(counts)


def test_the_quantile() -> None:
    assert pytest.approx(statistics.NormalDist().inv_cdf(0.975)) == Z95


@given(st.integers(1, 10**6), st.data())
def test_wilson_solves_its_equation(n: int, data: st.DataObject) -> None:
    """Its ends are the shares p that are just z standard deviations of p away from what was seen."""
    hits = data.draw(st.integers(1, n))
    found = wilson(hits, n)
    other = wilson(n - hits, n)
    assert found is not None and other is not None
    assert found.low is not None and found.high is not None and other.high is not None
    assert (hits / n - found.low) ** 2 == pytest.approx(Z95**2 * found.low * (1 - found.low) / n, rel=1e-6)
    assert 0 < found.low <= found.value <= found.high <= 1
    assert found.low == pytest.approx(1 - other.high)


def test_of_nothing() -> None:
    assert wilson(0, 0) is None
    assert mean({}) is None
    assert median({}) is None
    assert deviation({3: 1}) is None
    assert bins({}) == ()


@given(SAMPLES)
def test_mean_median_and_deviation_as_pythons(sample: list[int]) -> None:
    counts = Counter(sample)
    found, spread = mean(counts), deviation(counts)
    assert found is not None and spread is not None and found.high is not None and found.low is not None
    assert found.value == pytest.approx(statistics.mean(sample))
    assert spread == pytest.approx(statistics.stdev(sample))
    assert median(counts) == statistics.median(sample)
    assert found.high - found.low == pytest.approx(2 * Z95 * spread / math.sqrt(len(sample)))


def test_large_counts_are_exact() -> None:
    many = 10**15
    assert deviation({10**9: many, 10**9 + 1: many}) == pytest.approx(0.5)


@given(st.dictionaries(st.integers(0, 5000), st.integers(1, 9), min_size=1))
def test_bins_hold_every_count_once(counts: dict[int, int]) -> None:
    found = bins(counts)
    assert len(found) <= 16
    assert len({b.high - b.low for b in found}) == 1
    assert found[0].low <= min(counts) <= found[0].high
    assert found[-1].low <= max(counts) <= found[-1].high
    for b in found:
        assert b.count == sum(n for value, n in counts.items() if b.low <= value <= b.high)


# ------------------------------------------------------------------------------------------------- random numbers


def test_the_published_stream() -> None:
    """SplitMix64 from 1234567: rosettacode.org, "Pseudo-random numbers/Splitmix64"."""
    draws = Draws(1234567)
    assert [draws.word() for _ in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


@pytest.mark.parametrize("n", [2, 3, 6, 7, 36])
def test_draws_are_uniform(n: int) -> None:
    draws = Draws(key(5, 0))
    counts = Counter(draws.below(n) for _ in range(3000 * n))
    assert set(counts) == set(range(n))
    assert sum((c - 3000) ** 2 / 3000 for c in counts.values()) < n - 1 + 4 * math.sqrt(2 * (n - 1))


def test_first_draws_of_the_plays_are_uniform() -> None:
    """Streams of neighbouring plays, and of neighbouring seeds, are not alike."""
    for first in ([Draws(key(5, i)).below(9) for i in range(18000)], [Draws(key(i, 5)).below(9) for i in range(18000)]):
        counts = Counter(first)
        assert sum((counts[k] - 2000) ** 2 / 2000 for k in range(9)) < 8 + 4 * 4
        pairs = Counter(zip(first[::2], first[1::2], strict=True))
        expected = 9000 / 81
        assert sum((pairs[i, j] - expected) ** 2 / expected for i in range(9) for j in range(9)) < 80 + 4 * math.sqrt(
            160
        )


def test_nothing_is_drawn_where_there_is_no_choice() -> None:
    draws = Draws(1)
    assert draws.below(1) == 0
    assert draws.count == 0
    assert all(0 <= draws.below(1 << 63) < 1 << 63 for _ in range(100))


@pytest.mark.parametrize(
    ("freedom", "known"), [(9, 2.262157), (10, 2.228139), (20, 2.085963), (30, 2.042272), (120, 1.979930)]
)
def test_quantiles_of_students_distribution_as_published(freedom: int, known: float) -> None:
    assert student(freedom) == pytest.approx(known, abs=2e-5)


def test_a_ratio_over_sets_of_one_size_is_their_mean() -> None:
    """Ten sets of 4 with 1 to 10: the ratio is 55 / 40, and its interval that of the mean of ten values, with nine degrees of freedom."""
    found = ratio([(float(n), 4.0) for n in range(1, 11)])
    values = [n / 4 for n in range(1, 11)]
    half = 2.262157 * statistics.stdev(values) / math.sqrt(10)
    assert found is not None and found.value == 55 / 40
    assert (found.low, found.high) == pytest.approx((55 / 40 - half, 55 / 40 + half), abs=1e-3)


def test_a_ratio_of_few_sets_has_no_interval() -> None:
    few = ratio([(1.0, 2.0)] * 9)
    assert few is not None and few.low is None and few.value == 0.5
    assert ratio([]) is None and ratio([(0.0, 0.0)] * 20) is None


def test_the_interval_of_a_ratio_contains_the_true_one_as_often_as_it_says() -> None:
    """Sets whose sizes differ and whose members depend on each other; in 95 of 100 samples, give or take four standard deviations."""
    random = np.random.default_rng(1)
    hits, samples = 0, 1000
    for _ in range(samples):
        below = random.integers(5, 60, 40).astype(float)
        above = below * (3 + random.normal(0, 0.7, 40))  # what is in one set is raised or lowered together
        found = ratio(list(zip(above, below, strict=True)))
        assert found is not None and found.low is not None and found.high is not None
        hits += found.low < 3 < found.high
    assert abs(hits / samples - 0.95) < 4 * math.sqrt(0.95 * 0.05 / samples)
