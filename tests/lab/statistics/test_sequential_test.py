"""The sequential test: its error rates by simulated players of known strength, its probabilities by other formulas."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

from gamedsl.lab.statistics import PairCounts, SequentialTest, elo_difference, expected_score
from gamedsl.lab.statistics.after_stopping import Stopped, at_least, interval_after, left_by
from gamedsl.lab.statistics.pair_scores import VALUES, log_likelihood_ratio
from gamedsl.language.source import UsageError

Floats = npt.NDArray[np.float64]
TEST = SequentialTest(0, 50)


def pair_shares(elo: float, draws: float = 0.6, bias: float = 0.1) -> Floats:
    """The probabilities of the five outcomes for players of known strength: about half of ``draws`` is the share of drawn
    games, and an opening favors one seat by ``bias`` of a point."""
    found = np.zeros(5)
    for opening in (-bias, bias):
        games = []
        for seat in (1, -1):
            mean = expected_score(elo) + seat * opening
            drawn = draws * min(mean, 1 - mean)
            games.append((1 - mean - drawn / 2, drawn, mean - drawn / 2))
        found += np.convolve(games[0], games[1]) / 2
    return found


def run_tests(
    elo: float, runs: int, seed: int, test: SequentialTest = TEST, shares: Floats | None = None
) -> tuple[Floats, npt.NDArray[np.int64]]:
    """Runs many tests at once: their final counts, and 1, -1 for what was accepted."""
    rng = np.random.default_rng(seed)
    shares = pair_shares(elo) if shares is None else shares
    counts, accepted, running = np.zeros((runs, 5)), np.zeros(runs, np.int64), np.arange(runs)
    low, high = test.bounds
    while len(running):
        counts[running] += rng.multinomial(1, shares, size=len(running))
        ratio = log_likelihood_ratio(counts[running], *test.scores)
        accepted[running] = np.where(ratio >= high, 1, np.where(ratio <= low, -1, 0))
        running = running[accepted[running] == 0]
    return counts, accepted


def _is_below(errors: int, runs: int, rate: float) -> bool:
    """Whether so many errors are no more than four standard deviations above the rate."""
    return errors <= runs * rate + 4 * math.sqrt(runs * rate * (1 - rate))


def test_error_rates() -> None:
    for elo, wrong in ((0, 1), (50, -1)):
        accepted = run_tests(elo, 400, 11)[1]
        assert _is_below(int((accepted == wrong).sum()), 400, 0.05), elo


@pytest.mark.slow
@pytest.mark.parametrize(("elo", "wrong"), [(0, 1), (50, -1), (-40, 1), (90, -1)])
def test_error_rates_over_many_runs(elo: float, wrong: int) -> None:
    accepted = run_tests(elo, 10_000, 5)[1]
    assert _is_below(int((accepted == wrong).sum()), 10_000, 0.05)


@pytest.mark.slow
@pytest.mark.parametrize(("alpha", "beta"), [(0.05, 0.05), (0.01, 0.1), (0.1, 0.02)])
@pytest.mark.parametrize(("draws", "bias"), [(0.0, 0.0), (1.6, 0.0), (0.2, 0.3)])
def test_error_rates_of_other_players_and_tests(alpha: float, beta: float, draws: float, bias: float) -> None:
    """Without draws, with four of five games drawn, and with openings that nearly decide a game."""
    test = SequentialTest(0, 50, alpha, beta)
    for elo, wrong, rate in ((0, 1, alpha), (50, -1, beta)):
        accepted = run_tests(elo, 10_000, 7, test, pair_shares(elo, draws, bias))[1]
        assert _is_below(int((accepted == wrong).sum()), 10_000, rate), (elo, int((accepted == wrong).sum()))


def test_estimates_after_stopping_are_not_biased() -> None:
    """The corrected value is above the true difference as often as below it. The usual one is not: of tests that accept H1
    too many had luck."""
    counts = run_tests(50, 200, 2)[0]
    true = elo_difference(float(pair_shares(50) @ VALUES))
    matches = [PairCounts(tuple(int(n) for n in row)) for row in counts]  # type: ignore[arg-type]
    corrected = [found for match in matches if (found := TEST.elo(match)) is not None]
    usual = [found for match in matches if (found := match.elo()) is not None]
    assert 0.4 < np.mean([e.value > true for e in corrected]) < 0.6
    assert np.mean([e.value > true for e in usual]) > 0.55
    held = np.mean([e.low is not None and e.high is not None and e.low <= true <= e.high for e in corrected])
    assert 0.91 <= held <= 0.99


# ---------------------------------------------------------------------------------------------- Brownian motion


@pytest.mark.parametrize("drift", [-1.5, -0.2, 1e-9, 0.4, 2.0])
def test_which_bound_is_reached_in_the_end(drift: float) -> None:
    """The probability of reaching b before -a is (1 - exp(-2 m a)) / (1 - exp(-2 m (a + b))): gambler's ruin."""
    expected = math.expm1(-2 * drift * 3.0) / math.expm1(-2 * drift * 5.0)
    assert left_by(2.0, 3.0, 400.0, drift) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize(("time", "drift"), [(0.5, 0.0), (2.0, 0.5), (6.0, -0.5), (20.0, 0.1)])
def test_the_time_of_leaving_by_eigenfunctions(time: float, drift: float) -> None:
    """The same probability as a sum of decaying eigenfunctions (D. Cox and H. Miller, "The Theory of Stochastic Processes",
    1965, 5.7), which shares no term with the sum over images."""
    above, below = 2.0, 3.0
    width = above + below
    tail = sum(
        k * (-1) ** (k + 1) * math.sin(k * math.pi * below / width) * math.exp(-(rate + drift**2 / 2) * time)
        / (rate + drift**2 / 2)
        for k in range(1, 400)
        for rate in [(k * math.pi / width) ** 2 / 2]
    )  # fmt: skip
    later = math.exp(drift * above) * math.pi / width**2 * tail
    ever = below / width if drift == 0 else math.expm1(-2 * drift * below) / math.expm1(-2 * drift * width)
    assert left_by(above, below, time, drift) == pytest.approx(ever - later, abs=1e-9)


def test_what_has_not_left_is_between() -> None:
    """The order has no gap: at a height next to a bound the probability is that of leaving there at that time."""
    for drift in (-0.7, 0.0, 0.7):
        inside, above = at_least(Stopped(-3, 3, 2, 3 - 1e-9), drift), at_least(Stopped(-3, 3, 2, 3), drift)
        assert inside == pytest.approx(above, abs=1e-6)
        inside, below = at_least(Stopped(-3, 3, 2, -3 + 1e-9), drift), at_least(Stopped(-3, 3, 2, -3), drift)
        assert inside == pytest.approx(below, abs=1e-6)


def test_far_from_the_bounds_it_is_the_usual_interval() -> None:
    low, middle, high = interval_after(Stopped(-1e3, 1e3, 4.0, 1.0))
    assert middle == pytest.approx(0.25, abs=1e-6)
    assert (high - low) / 2 == pytest.approx(1.959964 / 2, abs=1e-4)


@pytest.mark.parametrize("values", [(50, 0), (0, 0), (0, math.inf), (0, 50, 0.6, 0.05), (0, 50, 0.05, 0.0)])
def test_what_makes_no_test_is_refused(values: tuple[float, ...]) -> None:
    with pytest.raises(UsageError):
        SequentialTest(*values)


def test_bounds_by_hand() -> None:
    """log(0.05 / 0.95) and log(0.95 / 0.05): 2.944."""
    assert TEST.bounds == (pytest.approx(-2.9444, abs=1e-4), pytest.approx(2.9444, abs=1e-4))
    assert TEST.decide(PairCounts()) is None and TEST.elo(PairCounts()) is None
