"""Conditions on the value of a table with several keys, as look-ups by the other keys and the value.

    {to in cell: way(me, to) = n}                       (way is a table)
    →
    way⁻¹(me, n)

    {to in cell: number(from, to) in thrown}            (thrown is a set of the state)
    →
    union n in thrown: number⁻¹(from, n)

Not done: sets of more than ``cutoffs.UNROLLED`` elements, which would be gone through for each of the other keys.
"""

from __future__ import annotations

from gamedsl.compiler import cutoffs
from gamedsl.compiler.transform.converse_tables import transposed
from gamedsl.compiler.transform.threshold_sets import nearest_key, numbers
from gamedsl.language.boards import Domain
from gamedsl.language.core import free_locals, limits
from gamedsl.language.core import nodes as n

VALUES = 7_000_000  # ids of the names made here


def numbered(y: n.Lookup, p: n.Local, x: n.Expr) -> n.Expr | None:
    """The elements p for which a look-up gives the number x, which does not depend on p. None for other look-ups."""
    place = _place(y, p)
    if place is None or not isinstance(y.type, n.IntT) or not isinstance(x.type, n.IntT):
        return None
    low, high = min(y.table.values) - 1, max(y.table.values) + 1  # neither is a value
    least, most = limits(x.type)
    first, last = max(low, least), min(high, most)
    if first > last:
        return n.Const(0, n.SetT(y.table.keys[place]))
    keys = numbers(last - first + 1)
    found = _by_value(y, place, first, keys)
    if found is None:
        return None
    return n.Lookup(found, (*_others(y, place), nearest_key(x, keys, least, most, first)))


def with_values_in(y: n.Lookup, p: n.Local, s: n.Expr) -> n.Expr | None:
    """The elements p for which a look-up gives an element of s, which does not depend on p. None for other look-ups."""
    place = _place(y, p)
    if place is None or not isinstance(s.type, n.SetT) or s.type.domain.size > cutoffs.UNROLLED:
        return None
    found = _by_value(y, place, 0, s.type.domain)
    if found is None:
        return None
    x = n.Local(VALUES + p.id, "value", n.ElemT(s.type.domain))
    return n.Loop("union", x, s, None, n.Lookup(found, (*_others(y, place), n.Load(x))), found.type)


def _place(y: n.Lookup, p: n.Local) -> int | None:
    """The key that is p, of a look-up with several keys, of which the others do not depend on p."""
    places = [i for i, key in enumerate(y.keys) if p.id in free_locals(key)]
    return places[0] if len(y.keys) > 1 and len(places) == 1 and y.keys[places[0]] == n.Load(p) else None


def _others(y: n.Lookup, place: int) -> tuple[n.Expr, ...]:
    return tuple(key for i, key in enumerate(y.keys) if i != place)


def _by_value(y: n.Lookup, place: int, first: int, values: Domain) -> n.TableData | None:
    """The table looked up by its other keys and its value, which is ``first`` for the first of ``values``."""
    rows = tuple(1 << v - first if 0 <= v - first < values.size else 0 for v in y.table.values)
    sets = n.TableData(y.table.name, y.table.keys, n.SetT(values), rows)
    found = transposed(sets, place, True)
    if found is None or len(found.values) * -(-y.table.keys[place].size // 64) > cutoffs.TABLE_WORDS:
        return None
    return found
