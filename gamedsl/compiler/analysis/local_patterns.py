"""Sets that depend on one element and on a few places of one changing set near it.

    {b in near(c) - H: count(near(c) & near(b) & H) = 1}
    →
    a table by c and by which of the places near c are in H

What is asked of H is bounded by a set that depends on c alone: ``x in H`` asks x, ``X & H`` asks X. Where these are few
places, there are few cases, and all of them are worked out in advance.

Not done: several changing sets, and numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, reduce
from operator import or_

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.canonical_names import FIRST, canonical
from gamedsl.compiler.analysis.constant_tables import is_pure, table_of
from gamedsl.engine import RulesError, translate_closed
from gamedsl.language.core import children, free_locals, memoized, node_count, replace_expr
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

PLACES = 8  # of the changing set, and of the result: their cases are bytes


@lazy_dataclass(frozen=True)
class Cases:
    """``around``: by element, the places that are asked about; ``results``: the largest set that can come out; ``first``:
    where its results begin in ``table``. Each is a byte with one bit for every member of the largest one."""

    around: tuple[int, ...]
    results: tuple[int, ...]
    first: tuple[int, ...]
    table: tuple[int, ...]

    def deciding(self) -> tuple[int, ...]:
        """By element and number of a member of its largest result (``PLACES`` for each element), the places that decide
        whether the member comes out."""
        found: list[int] = []
        for start, around in zip(self.first, self.around, strict=True):
            row = self.table[start : start + (1 << around.bit_count())]
            changes = [
                (1 << i, one ^ row[case ^ 1 << i]) for case, one in enumerate(row) for i in range(around.bit_count())
            ]
            for member in range(PLACES):
                places = 0
                for place, changed in changes:
                    places |= place * (changed >> member & 1)
                found.append(_spread(places, around))
        return tuple(found)


@lazy_dataclass(frozen=True)
class LocalPattern:
    """An expression of this kind: its element, the changing set, and its cases."""

    element: n.Local
    changing: n.Expr
    cases: Cases


class _NotLocal(Exception):
    """The expression asks about more than a few places."""


@memoized
def local_patterns(e: n.Expr) -> tuple[LocalPattern, ...]:
    """The patterns of a set expression, one for each element that it can be looked up by. It can fail only where the
    changing set can: all cases have a value."""
    if not isinstance(e.type, n.SetT) or not cutoffs.PATTERN_NODES <= node_count(e) <= cutoffs.COPIED_NODES:
        return ()
    found = (_pattern(e, x) for x in free_locals(e).values() if isinstance(x.type, n.ElemT))
    return tuple(x for x in found if x is not None)


def _pattern(e: n.Expr, element: n.Local) -> LocalPattern | None:
    sets = set(_sets_read(e, frozenset({element.id})))
    if len(sets) != 1:
        return None
    (changing,) = sets
    assert isinstance(changing.type, n.SetT) and isinstance(element.type, n.ElemT)
    held = n.Local(FIRST - 1, "held", changing.type)
    body = replace_expr(e, changing, n.Load(held))
    if not is_pure(body) or not free_locals(body).keys() <= {element.id, held.id}:
        return None
    cases = _cases(canonical(body, (element, held)), element.type, changing.type)
    return None if cases is None else LocalPattern(element, changing, cases)


def _sets_read(e: n.Expr, inside: frozenset[int]) -> Iterator[n.Expr]:
    """The largest sets that depend on more than constants, and on none of these names or those bound in the expression."""
    free = free_locals(e).keys()
    if isinstance(e.type, n.SetT) and inside.isdisjoint(free):
        if free or not is_pure(e):
            yield e
        return
    within = inside | {e.local.id} if isinstance(e, n.Binder) else inside
    for c in children(e):
        yield from _sets_read(c, within)


@lru_cache(maxsize=256)
def _cases(e: n.Expr, t: n.ElemT, changing: n.SetT) -> Cases | None:
    """The cases of an expression whose element and changing set have the first canonical names."""
    element, held = n.Local(FIRST + 1, "", t), n.Local(FIRST + 2, "", changing)
    try:
        asked = _Asked(held).of(e)
    except _NotLocal:
        return None
    around = None if asked is None else table_of(asked, [element], [t.domain])
    if around is None:
        return None
    bits = max(x.bit_count() for x in around)
    size = t.domain.size << bits
    if not 0 < bits <= PLACES or size * node_count(e) > cutoffs.PLAN_TABLE_WORK:
        return None
    value = translate_closed(e, (element, held))
    try:
        rows = [[value(c, _spread(case, x)) for case in range(1 << x.bit_count())] for c, x in enumerate(around)]
    except RulesError:
        return None
    results = tuple(reduce(or_, row) for row in rows)
    if max(x.bit_count() for x in results) > PLACES:
        return None
    table, first = list[int](), list[int]()
    starts: dict[tuple[int, ...], int] = {}
    for row, largest in zip(rows, results, strict=True):
        gathered = tuple(_gathered(one, largest) for one in row)
        first.append(starts.setdefault(gathered, len(table)))
        if first[-1] == len(table):
            table += gathered
    if len(table) > 8 * cutoffs.TABLE_WORDS:
        return None
    return Cases(around, results, tuple(first), tuple(table))


def _spread(bits: int, places: int) -> int:
    """The subset of the places that these bits stand for, lowest first."""
    found = 0
    while places:
        lowest = places & -places
        if bits & 1:
            found |= lowest
        bits, places = bits >> 1, places ^ lowest
    return found


def _gathered(subset: int, places: int) -> int:
    """The bits that stand for a subset of the places."""
    found, at = 0, 0
    while places:
        lowest = places & -places
        if subset & lowest:
            found |= 1 << at
        at, places = at + 1, places ^ lowest
    return found


class _Asked:
    """Finds, for an expression, a set that reads no state and has every place of the changing set whose membership can
    matter. None: nothing is asked."""

    def __init__(self, held: n.Local) -> None:
        self.held = held

    def of(self, e: n.Expr) -> n.Expr | None:
        if self.held.id not in free_locals(e):
            return None
        match e:
            case n.Load():
                raise _NotLocal
            case n.Op2(op="in", left=x, right=n.Load()) if self._pure(x):
                return n.Op1("single", x, self.held.type)
            case (
                n.Op2(op="disjoint" | "within", left=x, right=n.Load()) | n.Op2(op="disjoint", left=n.Load(), right=x)
            ) if self._pure(x):
                return x
            case n.Op2(op="meet" | "minus"):
                return self._meeting(e)
            case n.Op2(op="and" | "or", left=first, right=second) if self._pure(first):
                return self._guarded(first, self.of(second), e.op == "and")
            case n.Cond(condition=condition, then=one, otherwise=other) if self._pure(condition):
                return self._either(
                    self._guarded(condition, self.of(one), True), self._guarded(condition, self.of(other), False)
                )
            case n.LetE(value=value, body=body) if self._pure(value):
                inner = self.of(body)
                return None if inner is None else n.LetE(e.local, value, inner)
            case n.Loop(condition=None):
                inner = self.of(e.body)
                through = (
                    None if inner is None else n.Loop("union", e.local, self._wide(e.over), None, inner, self.held.type)
                )
                return self._either(self.of(e.over), through)
            case n.Binder():
                raise _NotLocal
            case _:
                total = None
                for c in children(e):
                    total = self._either(total, self.of(c))
                return total

    def _pure(self, e: n.Expr) -> bool:
        return self.held.id not in free_locals(e)

    def _either(self, a: n.Expr | None, b: n.Expr | None) -> n.Expr | None:
        return a or b if a is None or b is None else n.Op2("union", a, b, self.held.type)

    def _guarded(self, condition: n.Expr, asked: n.Expr | None, holds: bool) -> n.Expr | None:
        if asked is None:
            return None
        nothing = n.Const(0, self.held.type)
        one, other = (asked, nothing) if holds else (nothing, asked)
        return n.Cond(condition, one, other, self.held.type)

    def _meeting(self, e: n.Op2) -> n.Expr | None:
        """Of ``X & H`` and ``X - H`` X is asked, and what X asks."""
        parts, total = list(_factors(e)), None
        for part in parts:
            if isinstance(part, n.Load) and part.local.id == self.held.id:
                total = self._either(total, self._wide(e))
            else:
                total = self._either(total, self.of(part))
        return total

    def _wide(self, e: n.Expr) -> n.Expr:
        """A set that reads no state and has all that can be in this one."""
        if self._pure(e):
            return e
        found: n.Expr | None = None
        for part in _factors(e, subtracted=False) if isinstance(e, n.Op2) and e.op in ("meet", "minus") else ():
            if self._pure(part):
                found = part if found is None else n.Op2("meet", found, part, part.type)
        if found is None:
            raise _NotLocal
        return found


def _factors(e: n.Expr, subtracted: bool = True) -> Iterator[n.Expr]:
    """The sets of which the expression is the intersection, and those that are taken from it."""
    match e:
        case n.Op2(op="meet", left=a, right=b):
            yield from _factors(a, subtracted)
            yield from _factors(b, subtracted)
        case n.Op2(op="minus", left=a, right=b):
            yield from _factors(a, subtracted)
            if subtracted:
                yield b
        case _:
            yield e
