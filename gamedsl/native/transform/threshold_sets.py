"""Comparisons of an element's constant with a number of the state, as one look-up: a table of sets by that number.

    {k in 1..15: k <= size[h]}
    →
    sets[size[h]]                      with sets[n] = {1, ..., n}

A number that ranges further than the constants is clamped to the values between which the set changes.

Not done: more than ``cutoffs.THRESHOLD_WORDS`` words of a table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from gamedsl.boards import Domain
from gamedsl.core import limits
from gamedsl.core.nodes import BoolT, Const, Convert, ElemT, Expr, IntT, Lookup, Op2, SetT, TableData
from gamedsl.native import cutoffs

COMPARED: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
}


def threshold_set(e: Op2, values: Sequence[int], x: Expr, left: bool, t: SetT, among: int) -> Expr | None:
    """The elements of ``among`` for which the comparison holds. Returns None if the table would be too large.

    ``values`` has the constant of each element. ``x`` is the other side, which reads no element; ``left``: it is on the
    left.
    """
    if isinstance(x.type, SetT | BoolT) or e.op not in COMPARED:
        return None
    low, high = limits(x.type)
    least, most = max(low, min(values) - 1), min(high, max(values) + 1)
    if least > most:  # x lies on one side of all constants
        least = most = low if low > most else high
    n = most - least + 1
    if n * ((t.domain.size + 63) // 64) > cutoffs.THRESHOLD_WORDS:
        return None
    rows = tuple(_row(e.op, values, v, left, among) for v in range(least, most + 1))
    if len(set(rows)) == 1:
        return Const(rows[0], t)
    keys = _numbers(n)
    at = _clamped(x, low, high, least, most)
    place = Op2("sub", at, Const(least, IntT(least, least)), IntT(0, n - 1)) if least else at
    return Lookup(TableData("those", (keys,), t, rows), (Convert(place, ElemT(keys)),))


def _row(op: str, values: Sequence[int], v: int, left: bool, among: int) -> int:
    holds = COMPARED[op]
    found = sum(1 << i for i, c in enumerate(values) if (holds(v, c) if left else holds(c, v)))
    return found & among


@lru_cache(maxsize=256)
def _numbers(n: int) -> Domain:
    return Domain(f"0..{n - 1}", tuple(map(str, range(n))))


def _clamped(x: Expr, low: int, high: int, least: int, most: int) -> Expr:
    """The number nearest to x in least..most."""
    if not isinstance(x.type, IntT):
        x = Convert(x, IntT(low, high))
    if low < least:
        x = Op2("max", x, Const(least, IntT(least, least)), IntT(least, max(least, high)))
    if high > most:
        x = Op2("min", x, Const(most, IntT(most, most)), IntT(min(least, most), most))
    return x
