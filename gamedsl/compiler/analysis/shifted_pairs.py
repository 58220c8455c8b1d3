"""Pairs of parameters that lie at few distances from each other: a whole set of first ones is moved at once.

    bind from in men; bind to in (union n in thrown: ahead(me, from, n)) & open
    →
    for each n in thrown, with d = distance(me, n): the from in men & (open moved back by d); to = from + d

For each value of the other keys of the tables (and of the name of a union), the second element is looked up at most
``cutoffs.UNROLLED`` distances from the first. So the moves are as many sets as there are values and distances, instead of
one set for each first element.

Not done: domains of more than one word, conditions that can end in a rules error, and unions whose sets overlap.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod

from gamedsl.compiler import cutoffs
from gamedsl.language.boards import Domain, elements
from gamedsl.language.core import can_fail, fold, free_locals
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

WORD = 64


@lazy_dataclass(frozen=True)
class Case:
    """One distance: how much further on the second element is (modulo 64), and the first elements that have one there."""

    distance: n.Lookup | n.Const
    firsts: n.Lookup | n.Const


@lazy_dataclass(frozen=True)
class ShiftedPair:
    """The last two bindings of a plan. ``name`` ranges over ``values`` (None: there is no union); the second elements of the
    cases are in ``targets``."""

    first: n.Bind
    second: n.Bind
    name: n.Local | None
    values: n.Expr | None
    cases: tuple[Case, ...]
    targets: n.Expr

    @property
    def most(self) -> int:
        """The greatest number of sets of first elements."""
        values = 1 if self.values is None else _domain(self.values.type).size
        return values * len(self.cases)


def find_shifted_pair(
    schema: n.Schema, steps: Sequence[n.Bind | n.Test], functions: Sequence[n.Function]
) -> ShiftedPair | None:
    """The pair at the end of a plan, or None if there is none, or if it takes too many sets."""
    match steps:
        case [*_, n.Bind() as first, n.Bind() as second]:
            a, t = schema.params[first.param].local, schema.params[first.param].local.type
        case _:
            return None
    if not isinstance(t, n.ElemT) or not isinstance(second.over.type, n.SetT):
        return None
    if max(t.domain.size, second.over.type.domain.size) > WORD or can_fail(second.over, functions):
        return None
    parts = list(_met(second.over))
    near = [x for x in parts if a.id in free_locals(x)]
    unions = [x for x in near if isinstance(x, n.Loop)]
    name, values = (unions[0].local, unions[0].over) if unions else (None, None)
    tables = [x.body if isinstance(x, n.Loop) and _by_value(x, a) else x for x in near]
    if not near or len(unions) > 1 or not all(isinstance(x, n.Lookup) for x in tables):
        return None
    cases = _cases(a, t.domain, name, [x for x in tables if isinstance(x, n.Lookup)])
    if cases is None:
        return None
    targets: n.Expr = n.Const(second.over.type.domain.full, second.over.type)
    for x in parts:
        if x not in near:
            targets = n.Op2("meet", targets, x, second.over.type)
    found = ShiftedPair(first, second, name, values, cases, fold(targets))
    return found if found.most <= min(cutoffs.UNROLLED, t.domain.size) else None


def _met(e: n.Expr) -> Iterator[n.Expr]:
    """The sets of which this one is the intersection."""
    match e:
        case n.Op2(op="meet" | "minus", left=left, right=right, type=n.SetT() as t):
            yield from _met(left)
            yield from _met(right if e.op == "meet" else n.Op1("complement", right, t))
        case _:
            yield e


def _by_value(e: n.Loop, a: n.Local) -> bool:
    """Whether an expression is a union, over a set that does not depend on the first element, of sets looked up."""
    return (
        e.kind == "union"
        and e.condition is None
        and isinstance(e.local.type, n.ElemT)
        and isinstance(e.body, n.Lookup)
        and a.id not in free_locals(e.over)
    )


def _domain(t: n.ValueT) -> Domain:
    assert isinstance(t, n.SetT)
    return t.domain


def _cases(a: n.Local, firsts: Domain, name: n.Local | None, tables: Sequence[n.Lookup]) -> tuple[Case, ...] | None:
    """The distances between an element and those looked up by it in all of these tables."""
    keys: dict[n.Expr, Domain] = {}
    for x in tables:
        for key, domain in zip(x.keys, x.table.keys, strict=True):
            if key != n.Load(a):
                keys[key] = domain
    if any(a.id in free_locals(key) for key in keys):
        return None
    sizes = [domain.size for domain in keys.values()]
    if prod(sizes) * firsts.size > cutoffs.WORK or prod(sizes) > cutoffs.TABLE_WORDS:
        return None
    rows = []
    for chosen in product(*map(range, sizes)):
        at = dict(zip(keys, chosen, strict=True))
        rows.append([_row(tables, {**at, n.Load(a): x}) for x in range(firsts.size)])
    if name is not None and not _apart(rows, list(keys), sizes, name):
        return None
    distances = [_distances(row) for row in rows]
    number = max(map(len, distances), default=0)
    if not 0 < number <= cutoffs.UNROLLED:
        return None
    padded = [[*row.items(), *((0, 0) for _ in range(number - len(row)))] for row in distances]
    return tuple(
        Case(
            _looked_up(keys, n.IntT(0, WORD - 1), [row[i][0] % WORD for row in padded]),
            _looked_up(keys, n.SetT(firsts), [row[i][1] for row in padded]),
        )
        for i in range(number)
    )


def _row(tables: Sequence[n.Lookup], at: dict[n.Expr, int]) -> int:
    """The elements in the entries of all tables by these keys."""
    found = -1
    for x in tables:
        index = 0
        for key, domain in zip(x.keys, x.table.keys, strict=True):
            index = index * domain.size + at[key]
        found &= x.table.values[index]
    return found


def _apart(rows: Sequence[Sequence[int]], keys: Sequence[n.Expr], sizes: Sequence[int], name: n.Local) -> bool:
    """Whether the sets of an element for different values of the name are disjoint."""
    if n.Load(name) not in keys:
        return False
    place = keys.index(n.Load(name))
    seen: dict[tuple[int, ...], list[int]] = {}
    for chosen, row in zip(product(*map(range, sizes)), rows, strict=True):
        before = seen.setdefault(chosen[:place] + chosen[place + 1 :], [0] * len(row))
        for x, bits in enumerate(row):
            if before[x] & bits:
                return False
            before[x] |= bits
    return True


def _distances(row: Sequence[int]) -> dict[int, int]:
    """For each distance, the elements that have another one there."""
    found: dict[int, int] = {}
    for x, bits in enumerate(row):
        for y in elements(bits):
            found[y - x] = found.get(y - x, 0) | 1 << x
    return found


def _looked_up(keys: dict[n.Expr, Domain], t: n.IntT | n.SetT, values: Sequence[int]) -> n.Lookup | n.Const:
    if len(set(values)) == 1:
        return n.Const(values[0], t)
    return n.Lookup(n.TableData("distance", tuple(keys.values()), t, tuple(values)), tuple(keys))
