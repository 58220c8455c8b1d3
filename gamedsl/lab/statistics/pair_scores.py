"""Scores of mirrored pairs of games: the same opening and chance, played once with each order of seats.

The two games of a pair depend on each other (an opening may favor a seat), so the pair is the unit: its mean score
is one of 0, 1/4, 1/2, 3/4, 1, and pairs are independent. If an opening decides both games, the pair counts 1/2,
and its variance is smaller than that of two single games.

Inference uses only the empirical likelihood of the five outcomes: the greatest likelihood of any distribution on
them with a given mean (A. Owen, "Empirical likelihood ratio confidence intervals for a single functional",
Biometrika 75, 1988). With frequencies f and values a, the most likely distribution with mean s is p = f / (1 + t (a
- s)), where t solves the equation that makes its mean s.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from gamedsl.lab.statistics.elo import elo_difference
from gamedsl.lab.statistics.estimates import Z95, Estimate
from gamedsl.language.source import lazy_dataclass

Floats = npt.NDArray[np.float64]

VALUES: Floats = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
PRIOR = 1e-3  # added to the count of each outcome in a test, so that an outcome never seen is not impossible
_RARE = 1e-9  # the same for an interval, where it only keeps logarithms finite
_GRIDS, _GRID = 6, 40
_STEPS = 100  # at most; a few suffice unless nearly all pairs had the same score


@lazy_dataclass(frozen=True)
class PairCounts:
    """``counts[k]``: the number of pairs in which the player in question scored k/2 points of 2."""

    counts: tuple[int, int, int, int, int] = (0, 0, 0, 0, 0)

    @classmethod
    def of(cls, points: Iterable[float]) -> PairCounts:
        """Counts the points scored in pairs: 0, 1/2, 1, 3/2 or 2 each. Raises ``ValueError`` for other points."""
        counts = [0] * 5
        for got in points:
            if got not in (0.0, 0.5, 1.0, 1.5, 2.0):
                raise ValueError(f"a pair of games has 0, 0.5, 1, 1.5 or 2 points, not {got}")
            counts[int(2 * got)] += 1
        return cls((counts[0], counts[1], counts[2], counts[3], counts[4]))

    def add(self, points: float) -> PairCounts:
        """Returns the counts with one more pair."""
        more = PairCounts.of([points]).counts
        a, b, c, d, e = (mine + new for mine, new in zip(self.counts, more, strict=True))
        return PairCounts((a, b, c, d, e))

    @property
    def pairs(self) -> int:
        return sum(self.counts)

    @property
    def mean(self) -> float:
        """The mean score per game, 0 to 1 (1/2 if there are no pairs)."""
        weighed = sum(v * c for v, c in zip(VALUES.tolist(), self.counts, strict=True))
        return weighed / self.pairs if self.pairs else 0.5

    @property
    def variance(self) -> float:
        """The variance of a pair's mean score (denominator n), with ``PRIOR`` added to the count of each outcome."""
        counts = np.array(self.counts, dtype=np.float64) + PRIOR
        share = counts / counts.sum()
        return float(share @ VALUES**2 - (share @ VALUES) ** 2)

    def score(self, z: float = Z95) -> Estimate | None:
        """Returns the mean score per game with its empirical-likelihood interval; None for no pairs.

        The interval contains the means whose likelihood ratio is above exp(-z^2/2), so it lies within 0 and 1, need
        not be symmetric, and has a positive width even if all pairs had the same score: for n pairs that were all
        won it is exp(-z^2/2n) to 1.
        """
        if not self.pairs:
            return None
        counts = np.array(self.counts, dtype=np.float64) + _RARE
        low, high = _end(counts, self.mean, 0.0, z), _end(counts, self.mean, 1.0, z)
        return Estimate(self.mean, low, high)

    def elo(self, z: float = Z95) -> Estimate | None:
        """Returns the difference in Elo points with its interval, whose ends may be infinite; None for no pairs."""
        score = self.score(z)
        if score is None or score.low is None or score.high is None:
            return None
        return Estimate(elo_difference(score.value), elo_difference(score.low), elo_difference(score.high))


def log_likelihood_ratio(counts: Floats, low: float, high: float) -> Floats:
    """Returns the logarithm of the likelihood ratio of a mean score of ``high`` against ``low``, for arrays of shape
    (..., 5) of numbers of pairs.

    This is the generalized test of two composite hypotheses, in which everything but the mean is fitted to the data.
    """
    smoothed = np.asarray(counts, dtype=np.float64) + PRIOR
    found: Floats = -_divergence(smoothed, high) + _divergence(smoothed, low)
    return found


def _divergence(counts: Floats, mean: npt.ArrayLike) -> Floats:
    """Returns the logarithm of the greatest likelihood of any distribution over that of any with this mean, for arrays
    of counts of shape (..., 5) and means of shape (...) that broadcast together.

    That is the sum of n log(1 + t (a - s)): the frequencies over the fitted shares.
    """
    shift = VALUES - np.asarray(mean, dtype=np.float64)[..., None]
    total = counts.sum(axis=-1, keepdims=True)
    share = counts / total
    like = np.zeros((share * shift).shape[:-1])
    low, high, at = like - 1.0 / shift[..., -1], like - 1.0 / shift[..., 0], like
    for _ in range(_STEPS):  # Newton's method, within the interval in which the sum falls
        shares = share / (1.0 + at[..., None] * shift)
        slope = (shares * shift).sum(axis=-1)
        low, high = np.where(slope > 0, at, low), np.where(slope > 0, high, at)
        step = at + slope / (shares * shift**2 / (1.0 + at[..., None] * shift)).sum(axis=-1)
        before, at = at, np.where((step > low) & (step < high), step, (low + high) / 2)
        if np.abs(at - before).max(initial=0.0) < 1e-12:
            break
    fitted = np.log1p(at[..., None] * shift)
    found: Floats = (counts * fitted).sum(axis=-1)
    return found


def _end(counts: Floats, mean: float, limit: float, z: float) -> float:
    """Returns the end of the interval between the mean and ``limit``, by successively finer grids of means."""
    inside, outside = mean, limit
    for _ in range(_GRIDS):
        grid = np.linspace(inside, outside, _GRID + 2)[1:-1]
        held = int((2.0 * _divergence(counts, grid) <= z * z).sum()) if inside != outside else 0
        ends = np.concatenate(([inside], grid, [outside]))
        inside, outside = float(ends[held]), float(ends[held + 1])
    return inside
