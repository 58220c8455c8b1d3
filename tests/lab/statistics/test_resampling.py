"""The bootstrap against the normal interval of a mean, and where it knows nothing."""

from __future__ import annotations

import numpy as np
import pytest

from gamedsl.lab.statistics import bootstrap

pytest.importorskip("scipy")
pytestmark = pytest.mark.filterwarnings("ignore")  # scipy warns of samples that are all alike


def test_the_interval_of_a_mean() -> None:
    """For the mean of many observations the bootstrap agrees with mean +- 1.96 s / sqrt(n)."""
    sample = np.random.default_rng(1).normal(3.0, 2.0, 300)
    found = bootstrap([sample], np.mean, seed=1, resamples=500)
    assert found is not None and found.low is not None and found.high is not None
    half = 1.959964 * float(sample.std(ddof=1)) / np.sqrt(300)
    assert found.value == pytest.approx(float(sample.mean()))
    assert (found.high - found.low) / 2 == pytest.approx(half, rel=0.15)


def test_ratios_keep_what_belongs_together() -> None:
    """Where y = 2 x in every game, the ratio of the means is 2 in every resample."""
    x = np.random.default_rng(2).uniform(1, 9, 50)
    found = bootstrap([2 * x, x], lambda a, b, axis: a.mean(axis=axis) / b.mean(axis=axis), seed=1)
    assert found is not None and found.value == pytest.approx(2.0)
    assert found.low is None or found.low == pytest.approx(2.0)


def test_of_nothing() -> None:
    assert bootstrap([[]], np.mean, seed=1) is None
    alike = bootstrap([[4.0, 4.0, 4.0]], np.mean, seed=1)
    assert alike is not None and alike.value == 4.0 and alike.low is None
