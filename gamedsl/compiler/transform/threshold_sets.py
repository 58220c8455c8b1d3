"""Comparisons of an element's constant with a number of the state, as one look-up: a table of sets by that number.

    {k in 1..15: k <= size[h]}
    →
    sets[size[h]]                      with sets[n] = {1, ..., n}

A number that ranges further than the constants is clamped to the values between which the set changes.

Not done: tables of more than ``cutoffs.TABLE_WORDS`` words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from gamedsl.compiler import cutoffs
from gamedsl.language.boards import Domain
from gamedsl.language.core import limits
from gamedsl.language.core import nodes as n

COMPARED: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
}


def threshold_set(e: n.Op2, values: Sequence[int], x: n.Expr, left: bool, t: n.SetT, among: int) -> n.Expr | None:
    """The elements of ``among`` for which the comparison holds. Returns None if the table would be too large.

    ``values`` has the constant of each element. ``x`` is the other side, which reads no element; ``left``: it is on the
    left.
    """
    if isinstance(x.type, n.SetT | n.BoolT) or e.op not in COMPARED:
        return None
    low, high = limits(x.type)
    least, most = max(low, min(values) - 1), min(high, max(values) + 1)
    if least > most:  # x lies on one side of all constants
        least = most = low if low > most else high
    number = most - least + 1
    if number * ((t.domain.size + 63) // 64) > cutoffs.TABLE_WORDS:
        return None
    rows = tuple(_row(e.op, values, v, left, among) for v in range(least, most + 1))
    if len(set(rows)) == 1:
        return n.Const(rows[0], t)
    keys = numbers(number)
    return n.Lookup(n.TableData("those", (keys,), t, rows), (nearest_key(x, keys, low, high, least),))


def _row(op: str, values: Sequence[int], v: int, left: bool, among: int) -> int:
    holds = COMPARED[op]
    found = sum(1 << i for i, c in enumerate(values) if (holds(v, c) if left else holds(c, v)))
    return found & among


@lru_cache(maxsize=256)
def numbers(count: int) -> Domain:
    """The domain of the numbers from 0 below ``count``."""
    return Domain(f"0..{count - 1}", tuple(map(str, range(count))))


def nearest_key(x: n.Expr, keys: Domain, low: int, high: int, least: int) -> n.Expr:
    """The element of ``keys``, which are the numbers from ``least`` on, that is nearest to x in low..high."""
    most = least + keys.size - 1
    at = _clamped(x, low, high, least, most)
    place = n.Op2("sub", at, n.Const(least, n.IntT(least, least)), n.IntT(0, most - least)) if least else at
    return n.Convert(place, n.ElemT(keys))


def _clamped(x: n.Expr, low: int, high: int, least: int, most: int) -> n.Expr:
    """The number nearest to x in least..most."""
    if not isinstance(x.type, n.IntT):
        x = n.Convert(x, n.IntT(low, high))
    if low < least:
        x = n.Op2("max", x, n.Const(least, n.IntT(least, least)), n.IntT(least, max(least, high)))
    if high > most:
        x = n.Op2("min", x, n.Const(most, n.IntT(most, most)), n.IntT(min(least, most), most))
    return x
