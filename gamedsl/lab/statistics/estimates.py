"""Estimates from samples: proportions and means with 95 % intervals, medians, bins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import sqrt

import numpy as np
import numpy.typing as npt

from gamedsl.language.source import lazy_dataclass

Z95 = 1.959963984540054  # the 0.975 quantile of the standard normal distribution

LEAST_SETS = 10  # of games, for an interval of a ratio


@lazy_dataclass(frozen=True)
class Estimate:
    """A value and its 95 % interval; ``low`` and ``high`` are None if there is only one observation, which shows no
    spread.
    """

    value: float
    low: float | None
    high: float | None

    def to_json(self) -> dict[str, float | None]:
        """Returns the estimate as plain data."""
        return {"value": self.value, "low": self.low, "high": self.high}


@lazy_dataclass(frozen=True)
class Bin:
    """The number of observations from ``low`` to ``high``, both inclusive."""

    low: int
    high: int
    count: int


def wilson(hits: int, n: int, z: float = Z95) -> Estimate | None:
    """Returns the proportion of ``hits`` among ``n`` with its score interval; None for n = 0.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the American
    Statistical Association 22 (1927), 209-212.
    """
    if n == 0:
        return None
    low, high = _score_interval(hits / n, n, z)
    return Estimate(hits / n, 0.0 if hits == 0 else low, 1.0 if hits == n else high)


def _score_interval(share: float, n: float, z: float) -> tuple[float, float]:
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return middle - half, middle + half


def bounded_mean(sample: npt.ArrayLike, low: float, high: float, z: float = Z95) -> Estimate | None:
    """Returns the mean of values between two bounds with its interval, which lies between them, too; None without values.

    Wilson's interval, for as many observations as would give a share with this variance. For values that are all at the
    bounds it is the usual one. One observation at each bound is added to the variance, so that the interval of equal
    values has a width.
    """
    values = (np.asarray(sample, dtype=np.float64) - low) / (high - low)
    if not len(values):
        return None
    share, seen = float(values.mean()), np.append(values, (0.0, 1.0))
    relative = float(seen.var() / (seen.mean() * (1 - seen.mean())))
    ends = _score_interval(share, len(values) / relative, z)
    return Estimate(low + share * (high - low), *(low + (high - low) * min(1.0, max(0.0, end)) for end in ends))


def mean(counts: Mapping[int, int]) -> Estimate | None:
    """Returns the mean of values weighted by their counts; None if there are none.

    The interval is normal, mean +- z s / sqrt(n), where s is the sample standard deviation (denominator n - 1).
    Its width is zero when all values are equal.
    """
    n = sum(counts.values())
    if n == 0:
        return None
    middle, spread = float(_average(counts)), deviation(counts)
    if spread is None:
        return Estimate(middle, None, None)
    half = Z95 * spread / sqrt(n)
    return Estimate(middle, middle - half, middle + half)


def ratio(pairs: Sequence[tuple[float, float]]) -> Estimate | None:
    """Returns the sum of the first numbers over the sum of the second ones, such as choices over decisions; None if that is 0.

    Each pair is of another set of games, so the interval allows for what depends on each other inside of a game. It is that of a
    ratio estimator, with Student's distribution; there is none for fewer than ten sets. If all of them have the same ratio, its
    width is zero.
    """
    above, below = (np.asarray([pair[i] for pair in pairs], dtype=np.float64) for i in range(2))
    if not below.sum():
        return None
    value = float(above.sum() / below.sum())
    n = len(pairs)
    if n < LEAST_SETS:
        return Estimate(value, None, None)
    error = sqrt(float(np.sum((above - value * below) ** 2)) * n / (n - 1)) / float(below.sum())
    half = student(n - 1) * error
    return Estimate(value, value - half, value + half)


def student(freedom: int) -> float:
    """Returns the 0.975 quantile of Student's distribution with nine or more degrees of freedom, by its series (Cornish and Fisher)."""
    z = Z95
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / float(freedom**power) for power, term in enumerate(terms, 1))


def deviation(counts: Mapping[int, int]) -> float | None:
    """Returns the sample standard deviation (denominator n - 1); None for fewer than two values."""
    n = sum(counts.values())
    if n < 2:
        return None
    total = sum(v * c for v, c in counts.items())
    squares = sum(v * v * c for v, c in counts.items())
    return sqrt(Fraction(n * squares - total * total, n * (n - 1)))


def _average(counts: Mapping[int, int]) -> Fraction:
    return Fraction(sum(v * c for v, c in counts.items()), sum(counts.values()))


def median(counts: Mapping[int, int]) -> float | None:
    """Returns the median (for an even count the midpoint of the two middle values); None if there are no values."""
    n = sum(counts.values())
    if n == 0:
        return None
    return (_ranked(counts, (n - 1) // 2) + _ranked(counts, n // 2)) / 2


def _ranked(counts: Mapping[int, int], rank: int) -> int:
    """Returns the value of this rank (from 0) in sorted order."""
    for value in sorted(counts):
        rank -= counts[value]
        if rank < 0:
            return value
    raise IndexError(rank)


def bins(counts: Mapping[int, int], most: int = 16) -> tuple[Bin, ...]:
    """Groups counts into at most ``most`` bins of equal width, which is 1, 2 or 5 times a power of ten."""
    if not counts:
        return ()
    low, high = min(counts), max(counts)
    for width in _widths():
        first = low // width * width if width > 1 else low
        number = (high - first) // width + 1
        if number <= most:
            break
    totals = [0] * number
    for value, count in counts.items():
        totals[(value - first) // width] += count
    edges = range(first, first + number * width, width)
    return tuple(Bin(at, at + width - 1, total) for at, total in zip(edges, totals, strict=True))


def _widths() -> Iterator[int]:
    ten = 1
    while True:
        yield from (ten, 2 * ten, 5 * ten)
        ten *= 10
