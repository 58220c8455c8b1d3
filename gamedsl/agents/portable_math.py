"""Logarithm, exponential and hyperbolic tangent for kernels: the same bits on every machine and in WebAssembly, whose hosts
have no library of mathematics, or another one. The logarithm is within two units of the last place; the relative error of the exponential
grows with its argument, and is less than 2e-13.
"""

from __future__ import annotations

from gamedsl.compiler import kernel

LN2 = 0.6931471805599453
ROOT = 1.4142135623730951
SMALLEST = -708.0  # the exponential of less is taken as 0


@kernel
def log_of(x: float) -> float:
    """Returns the natural logarithm of a positive number: 2 artanh z with z = (x - 1) / (x + 1), after halving and
    doubling x until it is near 1."""
    halves = 0
    while x > ROOT:
        x *= 0.5
        halves += 1
    while x < 1.0 / ROOT:
        x *= 2.0
        halves -= 1
    z = (x - 1.0) / (x + 1.0)
    square, total = z * z, 0.0
    for k in range(25, 1, -2):
        total = total * square + 1.0 / k
    return halves * LN2 + 2.0 * (z + z * square * total)


@kernel
def exp_of(x: float) -> float:
    """Returns the exponential of a number of at most 0, or not far above: the series, after taking out powers of 2."""
    if x < SMALLEST:
        return 0.0
    halves = int(x / LN2 - 0.5)
    rest, total = x - halves * LN2, 1.0
    for k in range(16, 0, -1):
        total = total * rest / k + 1.0
    for _ in range(-halves):
        total *= 0.5
    for _ in range(halves):
        total *= 2.0
    return total


@kernel
def tanh_of(x: float) -> float:
    """Returns the hyperbolic tangent."""
    share = exp_of(-2.0 * abs(x))
    found = (1.0 - share) / (1.0 + share)
    return found if x >= 0.0 else -found
