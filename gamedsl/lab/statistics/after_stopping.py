"""Estimates after a sequential test, without the bias that stopping brings.

The log-likelihood ratio of a sequential test is close to a Brownian motion W(t) with variance t and drift m t,
where t is the information collected so far. It stops at the first time when it leaves (low, high). D. Siegmund,
"Estimation following sequential tests", Biometrika 65 (1978), orders the possible observations: leaving above
counts as greater the earlier it happens, leaving below as smaller the earlier it happens, and a test that has not
left lies between, by its height. The probability of an observation at least as great increases with the drift. The
drift for which it is 1/2 is a median unbiased estimate, and those for which it is 0.025 and 0.975 are the ends of a
95 % interval.

The probabilities are sums over reflections at the two bounds (the method of images).
"""

from __future__ import annotations

from collections.abc import Callable
from math import erfc, exp, log, log1p, pi, sqrt

from gamedsl.language.source import lazy_dataclass

_HALVINGS = 40
_STEEP = 1e3  # no drift beyond
_TAIL = 30.0  # standard deviations beyond which the asymptotic series of the normal tail is used
_INTERVAL = (0.025, 0.5, 0.975)


@lazy_dataclass(frozen=True)
class Stopped:
    """A test with the bounds ``low`` < 0 < ``high`` that was at ``height`` at ``time``.

    A height outside the bounds means that it left there at that time.
    """

    low: float
    high: float
    time: float
    height: float


def interval_after(stopped: Stopped) -> tuple[float, float, float]:
    """Returns the lower end, the median unbiased estimate and the upper end for the drift."""
    low, middle, high = (_solve(lambda drift: at_least(stopped, drift), share) for share in _INTERVAL)
    return low, middle, high


def at_least(stopped: Stopped, drift: float) -> float:
    """Returns the probability, with this drift, of an observation that is at least as great."""
    if stopped.height >= stopped.high:
        return left_by(stopped.high, -stopped.low, stopped.time, drift)
    if stopped.height <= stopped.low:
        return 1.0 - left_by(-stopped.low, stopped.high, stopped.time, -drift)
    return left_by(stopped.high, -stopped.low, stopped.time, drift) + _still_above(stopped, drift)


def left_by(bound: float, other: float, time: float, drift: float) -> float:
    """Returns the probability that a Brownian motion from 0 has reached ``bound`` > 0 by ``time``, without reaching
    ``-other`` first.

    The density of the first passage is a sum over the images c = bound + 2k (bound + other) of c (2 pi s^3)^(-1/2)
    exp(-c^2/2s), times exp(m bound - m^2 s/2); each is integrated as an inverse Gaussian distribution.
    """
    width = bound + other
    images = 2 + int(sqrt(80.0 * time) / width)
    total = 0.0
    for k in range(-images, images + 1):
        at = bound + 2 * k * width
        total += (1.0 if at > 0 else -1.0) * _passage(abs(at), time, drift, drift * bound)
    return min(1.0, max(0.0, total))


def _passage(distance: float, time: float, drift: float, shift: float) -> float:
    """Returns exp(shift) times the integral of c (2 pi s^3)^(-1/2) exp(-c^2/2s - m^2 s/2) for s from 0 to ``time``."""
    root, slope = sqrt(time), abs(drift)
    near = _log_tail((distance - slope * time) / root)
    far = _log_tail((distance + slope * time) / root)
    return exp(min(700.0, shift - slope * distance + near)) + exp(min(700.0, shift + slope * distance + far))


def _still_above(stopped: Stopped, drift: float) -> float:
    """Returns the probability of not having left by now and being at this height or above, by images of the start.

    Images lie at 2k w (positive) and 2 low + 2k w (negative); each is integrated from the height to the upper bound.
    """
    width, time = stopped.high - stopped.low, stopped.time
    images = 2 + int(sqrt(80.0 * time) / width)
    total = 0.0
    for k in range(-images, images + 1):
        for sign, start in ((1.0, 2 * k * width), (-1.0, 2 * stopped.low + 2 * k * width)):
            low, high = ((at - start - drift * time) / sqrt(time) for at in (stopped.height, stopped.high))
            total += sign * exp(min(700.0, drift * start)) * (_tail(low) - _tail(high))
    return min(1.0, max(0.0, total))


def _tail(x: float) -> float:
    return 0.5 * erfc(x / sqrt(2.0))


def _log_tail(x: float) -> float:
    """Returns the logarithm of the upper tail of the standard normal distribution."""
    if x < _TAIL:
        return log(_tail(x))
    return -0.5 * x * x - log(x * sqrt(2.0 * pi)) + log1p(-1.0 / (x * x))


def _solve(probability: Callable[[float], float], share: float) -> float:
    """Returns the drift at which an increasing probability has this value, within plus and minus ``_STEEP``."""
    step = 1.0
    while step < _STEEP and not probability(-step) < share < probability(step):
        step *= 2
    low, high = -step, step
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if probability(middle) < share else (low, middle)
    return (low + high) / 2
