"""Range check elimination: removes the checks of integer operations whose result always fits.

    if 0 < x then (x - 1 as 0..8) else 0
    →
    if 0 < x then x - 1 else 0

This is an interval analysis of sums and differences under the conditions around them.

Not done: products, and conditions between two variables.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gamedsl.language.core import limits, map_children
from gamedsl.language.core import nodes as n


def eliminate_range_checks(e: n.Expr, given: Sequence[n.Expr] = ()) -> n.Expr:
    """Removes the range checks of sums and differences that always fit under the given conditions."""
    match e:
        case n.Cond(condition=c):
            return replace(
                e,
                condition=eliminate_range_checks(c, given),
                then=eliminate_range_checks(e.then, (*given, c)),
                otherwise=eliminate_range_checks(e.otherwise, given),
            )
        case n.Convert(operand=n.Op2(op="add" | "sub") as sum, type=n.IntT(low, high) as t):
            least, most = _limits(sum, given)
            return replace(sum, type=t) if low <= least and most <= high else e
        case _:
            return map_children(e, lambda x: eliminate_range_checks(x, given))


def _limits(e: n.Expr, given: Sequence[n.Expr]) -> tuple[int, int]:
    """The range of an integer expression under these conditions, as (least, greatest)."""
    if isinstance(e, n.Op2) and e.op in ("add", "sub"):
        (a, b), (c, d) = _limits(e.left, given), _limits(e.right, given)
        return (a + c, b + d) if e.op == "add" else (a - d, b - c)
    if isinstance(e, n.Const):
        return e.value, e.value
    low, high = limits(e.type)
    for g in given:
        match g:
            case n.Op2(op="lt" | "le", left=n.Const(value=number), right=x) if x == e:
                low = max(low, number + (g.op == "lt"))
            case n.Op2(op="lt" | "le", left=x, right=n.Const(value=number)) if x == e:
                high = min(high, number - (g.op == "lt"))
            case n.Op2(op="eq", left=x, right=n.Const(value=number)) if x == e:
                low = high = number
    return low, high
