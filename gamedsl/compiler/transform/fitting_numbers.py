"""Range check elimination by the set over which a parameter ranges: a number that is looked up and fits for its members.

    bind to in ahead(from), test (way(from, to) as 1..6) in thrown     (1 <= way(from, to) <= 6 wherever to is in ahead(from))
    →
    bind to in ahead(from), test way'(from, to) in thrown

What cannot fail may become part of the set (see ``lift_conditions.py``).

Not done: numbers that are worked out from the state, and sets that depend on other names than the look-up.
"""

from __future__ import annotations

from itertools import product

from gamedsl.language.core import can_fail, evaluate, limits, map_children
from gamedsl.language.core import nodes as n

MOST = 1 << 16  # entries of a table that are looked at


def drop_fitting(p: n.Local, over: n.Expr, condition: n.Expr) -> n.Expr:
    """The condition on a member p of a set, without conversions that cannot fail for members."""
    if not can_fail(condition):
        return condition
    sets = [s for s in _met(over) if isinstance(s, n.Lookup) and all(isinstance(k, n.Load) for k in s.keys)]
    return _dropped(p, sets, condition) if sets else condition


def _met(e: n.Expr) -> list[n.Expr]:
    """The sets of which this is the intersection."""
    return [*_met(e.left), *_met(e.right)] if isinstance(e, n.Op2) and e.op == "meet" else [e]


def _dropped(p: n.Local, sets: list[n.Lookup], e: n.Expr) -> n.Expr:
    match e:
        case n.Convert(operand=n.Lookup() as x) if can_fail(e):
            table = _narrower(p, sets, x, e.type)
            return e if table is None else n.Lookup(table, x.keys, span=x.span)
        case _:
            return map_children(e, lambda c: _dropped(p, sets, c))


def _narrower(p: n.Local, sets: list[n.Lookup], x: n.Lookup, t: n.ValueT) -> n.TableData | None:
    """The table with the values that it has for members, which are of this type, and one of these elsewhere."""
    names = [k.local.id for k in x.keys if isinstance(k, n.Load)]
    if len(names) < len(x.keys) or p.id not in names or len(x.table.values) > MOST or not isinstance(x.type, n.IntT):
        return None
    known = [s for s in sets if all(isinstance(k, n.Load) and k.local.id in names for k in s.keys)]
    values: list[int | None] = []
    for at, value in zip(product(*(range(k.size) for k in x.table.keys)), x.table.values, strict=True):
        given = dict(zip(names, at, strict=True))
        values.append(value if all(evaluate(s, given) >> given[p.id] & 1 for s in known) else None)
    found = [v for v in values if v is not None]
    low, high = limits(t)
    if not found or min(found) < low or max(found) > high:
        return None
    return n.TableData(x.table.name, x.table.keys, t, tuple(found[0] if v is None else v for v in values))
