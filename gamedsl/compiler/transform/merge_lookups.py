"""Merging of table look-ups in a union.

    (if is_none(step1(c, n)) then {} else {step1(c, n)}) | (if is_none(step2(c, n)) then {} else {step2(c, n)})
    →
    steps(c, n)         with steps(c, n) = the elements that both tables give

Not done: tables of more words than ``cutoffs.TABLE_WORDS``, which would drive others out of the cache.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

from gamedsl.compiler import cutoffs
from gamedsl.language.boards import Domain
from gamedsl.language.core import guarded_optional
from gamedsl.language.core import nodes as n


def merged_union(parts: Sequence[n.Expr]) -> n.Expr:
    """The union of some sets, with look-ups by the same keys as one."""
    groups: dict[tuple[n.Expr, ...], list[n.Lookup]] = {}
    others = []
    for part in map(_as_lookup, parts):
        if isinstance(part, n.Lookup):
            groups.setdefault(part.keys, []).append(part)
        else:
            others.append(part)
    found = [_merged(group) for group in groups.values()] + others
    return reduce(lambda a, b: n.Op2("union", a, b, a.type), found)


def _merged(group: list[n.Lookup]) -> n.Lookup:
    first = group[0]
    if len(group) == 1:
        return first
    values = tuple(reduce(lambda a, b: a | b, row) for row in zip(*(x.table.values for x in group), strict=True))
    return replace(first, table=replace(first.table, values=values))


def _as_lookup(e: n.Expr) -> n.Expr:
    """An optional element that is looked up, as a look-up of a set; other expressions as they are."""
    x = guarded_optional(e)
    match e:
        case n.Cond(then=n.Const(value=0), type=n.SetT(domain) as t) if isinstance(x, n.Lookup):
            table = _without_constants(x)
            if len(table.values) * (domain.size + 63) // 64 > cutoffs.TABLE_WORDS:
                return e
            values = tuple(1 << v - 1 if v else 0 for v in table.values)
            keys = tuple(k for k in x.keys if not isinstance(k, n.Const))
            return n.Lookup(n.TableData("steps", table.keys, t, values), keys, span=e.span)
        case _:
            return e


def _without_constants(e: n.Lookup) -> n.TableData:
    """The table by the keys that are not constant."""
    values: Sequence[int] = e.table.values
    kept: list[Domain] = []
    block = len(values)
    rows = [values]  # the parts of the table that remain, in order
    for domain, key in zip(e.table.keys, e.keys, strict=True):
        block //= domain.size
        if isinstance(key, n.Const):
            rows = [row[key.value * block : (key.value + 1) * block] for row in rows]
        else:
            kept.append(domain)
            rows = [row[i * block : (i + 1) * block] for row in rows for i in range(domain.size)]
    return n.TableData(e.table.name, tuple(kept), e.table.type, tuple(v for row in rows for v in row))
