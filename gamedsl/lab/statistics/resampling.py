"""Intervals by resampling, for statistics without an interval formula.

The bias-corrected and accelerated bootstrap (B. Efron, "Better bootstrap confidence intervals", Journal of the American
Statistical Association 82, 1987) is scipy's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from warnings import catch_warnings, simplefilter

import numpy as np
import numpy.typing as npt

from gamedsl.lab.statistics.estimates import Estimate

RESAMPLES = 2000
MOST_CORRECTED = 2000  # observations: with more, the correction needs much memory and hardly changes the interval
AT_ONCE = 1 << 22  # numbers that are resampled at once


def bootstrap(
    samples: Sequence[npt.ArrayLike],
    statistic: Callable[..., npt.NDArray[np.float64]],
    seed: int,
    resamples: int = RESAMPLES,
) -> Estimate | None:
    """Returns a statistic of one or more samples of equal length with its 95 % interval; None without observations.

    ``samples``: arrays whose first axis counts the games; they are resampled together (game i stays game i).
    ``statistic``: takes as many arrays and ``axis``, as scipy requires. If all observations are equal, or there is
    only one, ``low`` and ``high`` are None. The interval of more than ``MOST_CORRECTED`` observations is that of
    percentiles, without a correction. Needs scipy.
    """
    from scipy.stats import bootstrap as scipy_bootstrap

    arrays = tuple(np.asarray(sample, dtype=np.float64) for sample in samples)
    if not len(arrays[0]):
        return None
    value = float(statistic(*arrays, axis=0))
    if len(arrays[0]) < 2 or all((array == array[0]).all() for array in arrays):
        return Estimate(value, None, None)
    with catch_warnings():  # of resamples that are all equal, which the ends show
        simplefilter("ignore")
        found = scipy_bootstrap(
            arrays,
            statistic,
            n_resamples=resamples,
            method="BCa" if len(arrays[0]) <= MOST_CORRECTED else "percentile",
            batch=max(1, AT_ONCE // len(arrays[0])),
            paired=len(arrays) > 1,
            vectorized=True,
            rng=np.random.default_rng(seed),
        ).confidence_interval
    ends = (float(found.low), float(found.high))
    if not all(np.isfinite(ends)):  # every resample had the same value
        return Estimate(value, None, None)
    return Estimate(value, *ends)
