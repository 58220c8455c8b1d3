"""Logarithm and exponential as kernels compute them, against the library of this machine."""

from __future__ import annotations

import math
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from gamedsl.agents.portable_math import SMALLEST, exp_of, log_of

LOG, EXP = (cast(Any, one).py_func for one in (log_of, exp_of))  # compiled, they do the same steps


@given(st.floats(1e-300, 1e300))
def test_logarithms_are_within_two_units_of_the_last_place(x: float) -> None:
    assert abs(LOG(x) - math.log(x)) <= 2 * math.ulp(math.log(x))


@given(st.floats(SMALLEST, 5.0))
def test_exponentials_are_as_accurate_as_they_say(x: float) -> None:
    assert math.isclose(EXP(x), math.exp(x), rel_tol=2e-13)


def test_exponentials_of_very_small_numbers_are_zero() -> None:
    assert EXP(-709.0) == 0.0 == EXP(-math.inf)
