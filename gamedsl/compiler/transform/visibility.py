"""Line of sight: ``T(s, p) disjoint B`` as a set of places p, for a ray table T (``ray_floods.py``).

    filter p in S: between(s, p) disjoint B
    →
    S - ⋃ over directions of ahead(ahead(s) & B)

p is hidden from s if an element of B is before it on a ray. The cells ahead of several cells on one ray are those ahead
of the first one (``emit/sets/ray_chains.py`` finds them by bit operations). ``count(T(s, p) & B) = 1``, a jump over one
piece from any distance, is what is hidden, except what is hidden by an element that is hidden itself.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from gamedsl.compiler import cutoffs
from gamedsl.compiler.transform.ray_floods import directions, image
from gamedsl.language.boards import elements
from gamedsl.language.core import fold, free_locals, map_children
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

RISING, FALLING = 1, -1


def hidden(p: n.Local, e: n.Lookup, b: n.Expr, least: int = 1) -> n.Expr | None:
    """The set of p for which ``T(s, p)`` or ``T(p, s)`` has ``least`` elements of ``b`` or more, for a ray table T.
    Returns None for other tables."""
    if len(e.keys) != 2 or e.table.keys[0] != e.table.keys[1] or p.id in free_locals(b):
        return None
    places = [isinstance(k, n.Load) and k.local.id == p.id for k in e.keys]
    if sum(places) != 1:
        return None
    s = e.keys[0] if places[1] else e.keys[1]
    ahead = rays_from(e.table if places[1] else _swapped(e.table))
    if ahead is None or p.id in free_locals(s):
        return None
    t = e.table.type
    assert isinstance(t, n.SetT)
    total: n.Expr = n.Const(0, t)
    for ray in ahead:
        beyond, among = n.Lookup(ray, (s,)), b
        for _ in range(least):  # beyond an element that is itself beyond one fewer
            there = image(ray, n.Op2("meet", beyond, among, t))
            among = n.Op2("meet", there, b, t)
        total = n.Op2("union", total, there, t)
    return total


def passed_over(p: n.Local, a: n.Expr, b: n.Expr, holds: Callable[[int], bool]) -> n.Expr | None:
    """The set of p to which a ray ``a`` passes over so many elements of ``b`` that ``holds`` is true of the number.
    None if ``a`` is no look-up of rays, or if large numbers have to be told apart."""
    if not isinstance(a, n.Lookup) or not isinstance(a.type, n.SetT) or hidden(p, a, b) is None:
        return None
    most, t = cutoffs.PASSED_OVER, a.type
    if len({holds(v) for v in range(most, t.domain.size + 1)}) > 1:
        return None
    total: n.Expr = n.Const(0, t)
    for v in filter(holds, range(most + 1)):
        here = n.Const(t.domain.full, t) if v == 0 else hidden(p, a, b, v)
        more = hidden(p, a, b, v + 1) if v < most else n.Const(0, t)
        assert here is not None and more is not None
        total = n.Op2("union", total, n.Op2("minus", here, more, t), t)
    return total


@lru_cache(maxsize=64)
def rays_from(table: n.TableData) -> tuple[n.TableData, ...] | None:
    """For each direction of a ray table, the cells ahead of each cell. Returns None for other tables."""
    found = directions(table)
    if found is None:
        return None
    return tuple(_ahead(d.forward) for d in found)


def _ahead(step: n.TableData) -> n.TableData:
    values = []
    for x in range(len(step.values)):
        seen, at = 0, step.values[x]
        while at:
            seen |= at
            at = step.values[at.bit_length() - 1]
        values.append(seen)
    return n.TableData("ahead", step.keys, step.type, tuple(values))


@lru_cache(maxsize=64)
def _swapped(table: n.TableData) -> n.TableData:
    size = table.keys[0].size
    values = tuple(table.values[x * size + y] for y in range(size) for x in range(size))
    return table if values == table.values else n.TableData(f"{table.name} swapped", table.keys, table.type, values)


@lru_cache(maxsize=256)
def chain(values: tuple[int, ...]) -> int | None:
    """The direction in which the elements ahead of several elements of an entry are those ahead of the first one.

    Returns ``RISING`` if, for each element of an entry, its own entry is the rest of that entry with higher indices.
    Returns ``FALLING`` for lower indices, and None otherwise.
    """
    for direction in (RISING, FALLING):
        if all(values[d] == _beyond(v, d, direction) for v in values for d in elements(v)):
            return direction
    return None


def _beyond(v: int, d: int, direction: int) -> int:
    return v >> d + 1 << d + 1 if direction == RISING else v & (1 << d) - 1


# ----------------------------------------------------------------------------------------- pruning by intersections


@lazy_dataclass(frozen=True)
class _Bound:
    """A set that depends on one name, and outside which elements do not matter."""

    name: int
    values: tuple[int, ...]


def prune_rays(e: n.Expr) -> n.Expr:
    """Drops directions that cannot contribute, because of an intersection with a constant relation of the same name."""
    e = map_children(e, prune_rays)
    if not isinstance(e, n.Op2) or e.op not in ("meet", "minus"):
        return e
    left, right = e.left, e.right
    if e.op == "minus":
        for bound in _without(right):
            left = _cut(left, bound)
    else:
        for bound in _bounds(right):
            left = _cut(left, bound)
    for bound in _bounds(left):
        right = _cut(right, bound)
    if left is e.left and right is e.right:
        return e
    return fold(n.Op2(e.op, left, right, e.type, span=e.span))


def _bounds(e: n.Expr) -> list[_Bound]:
    """Relations that contain the set."""
    match e:
        case n.Lookup(keys=(n.Load(local=local),)) if isinstance(e.type, n.SetT):
            return [_Bound(local.id, e.table.values)]
        case n.Op2(op="meet", left=a, right=b):
            return [*_bounds(a), *_bounds(b)]
        case n.Op2(op="minus", left=a, right=b):
            return [*_bounds(a), *_without(b)]
        case _:
            return []


def _without(e: n.Expr) -> list[_Bound]:
    """Relations that contain the complement of the set."""
    match e:
        case n.Lookup(keys=(n.Load(local=local),), type=n.SetT(domain)):
            return [_Bound(local.id, tuple(domain.full & ~v for v in e.table.values))]
        case _:
            return []


def _cut(e: n.Expr, bound: _Bound) -> n.Expr:
    """A set that agrees with this one within the bound."""
    match e:
        case n.Op2(op="union" | "meet" | "minus") | n.Op1(op="complement"):
            return map_children(e, lambda c: _cut(c, bound))
        case n.Cond(condition=c, then=a, otherwise=b) if isinstance(e.type, n.SetT):
            return n.Cond(c, _cut(a, bound), _cut(b, bound), e.type, span=e.span)
        case n.Loop():
            found = ahead(e)
            if found is None or not _is_name(found.keys[0], bound.name) or any(_both(found, bound)):
                return e
            assert isinstance(e.type, n.SetT)
            return n.Const(0, e.type)
        case _:
            return e


def _is_name(e: n.Expr, name: int) -> bool:
    return isinstance(e, n.Load) and e.local.id == name


def _both(ray: n.Lookup, bound: _Bound) -> list[int]:
    return [a & b for a, b in zip(ray.table.values, bound.values, strict=True)]


def ahead(e: n.Loop) -> n.Lookup | None:
    """``R(s)`` of ``union of R(x) for x in R(s) & B``, with R a chain; it contains the whole union. None for other
    loops."""
    match e:
        case n.Loop(
            kind="union",
            condition=None,
            over=n.Op2(op="meet", left=n.Lookup(keys=(_,)) as ray),
            body=n.Lookup(keys=(n.Load(local=local),)) as body,
        ) if local.id == e.local.id and ray.table == body.table and chain(ray.table.values) is not None:
            return ray
        case _:
            return None
