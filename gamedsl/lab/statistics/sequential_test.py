"""The sequential probability ratio test of two Elo differences, on mirrored pairs of games.

A. Wald, "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16 (1945): continue while
the log-likelihood ratio lies between log(beta / (1 - alpha)) and log((1 - beta) / alpha). Its generalization to
composite hypotheses, with everything but the mean fitted: X. Li, J. Liu and Z. Ying, "Generalized sequential
probability ratio test for separate families of hypotheses", Sequential Analysis 33 (2014). Chess-engine testing
uses it with five outcomes.
"""

from __future__ import annotations

from math import isfinite, log

import numpy as np

from gamedsl.lab.statistics.after_stopping import Stopped, interval_after
from gamedsl.lab.statistics.elo import elo_difference, expected_score
from gamedsl.lab.statistics.estimates import Estimate
from gamedsl.lab.statistics.pair_scores import PairCounts, log_likelihood_ratio
from gamedsl.language.source import UsageError, lazy_dataclass


@lazy_dataclass(frozen=True)
class SequentialTest:
    """Tests whether a difference is ``elo0`` (H0) or ``elo1`` (H1, greater).

    ``alpha``: the probability of accepting H1 if the difference is ``elo0``; ``beta``: of accepting H0 if it is
    ``elo1``. Raises ``UsageError`` for values that do not define a test.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        if not (isfinite(self.elo0) and isfinite(self.elo1) and -2000 <= self.elo0 < self.elo1 <= 2000):
            raise UsageError("a sequential test needs two Elo differences from -2000 to 2000, the smaller one first")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise UsageError("the error rates of a sequential test are between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return log(self.beta / (1.0 - self.alpha)), log((1.0 - self.beta) / self.alpha)

    @property
    def scores(self) -> tuple[float, float]:
        """The expected scores of a game under H0 and H1."""
        return expected_score(self.elo0), expected_score(self.elo1)

    def ratio(self, counts: PairCounts) -> float:
        """Returns the log-likelihood ratio of H1 against H0."""
        return float(log_likelihood_ratio(np.array(counts.counts, dtype=np.float64), *self.scores))

    def decide(self, counts: PairCounts) -> str | None:
        """Returns ``"H0"`` or ``"H1"`` if one is accepted, None while the test continues."""
        ratio, (low, high) = self.ratio(counts), self.bounds
        if low < ratio < high:
            return None
        return "H1" if ratio >= high else "H0"

    def elo(self, counts: PairCounts) -> Estimate | None:
        """Returns the difference in Elo with a 95 % interval that accounts for the stopping; None for no pairs.

        The value is median unbiased: it is too high as often as too low. The mean score of a match that stopped because a
        bound was reached is biased away from the middle, and its usual interval is too narrow.
        """
        if not counts.pairs:
            return None
        s0, s1 = self.scores
        middle, gap = (s0 + s1) / 2, s1 - s0
        time = counts.pairs * gap**2 / counts.variance
        ratio, height = self.ratio(counts), (counts.mean - middle) / gap * time
        scale = (
            height / ratio if height * ratio > 0 else 1.0
        )  # far from both hypotheses the ratio is not linear in the mean
        low, high = self.bounds
        found = interval_after(Stopped(scale * low, scale * high, time, scale * ratio))
        ends = [elo_difference(min(1.0, max(0.0, middle + drift * gap))) for drift in found]
        return Estimate(ends[1], ends[0], ends[2])
