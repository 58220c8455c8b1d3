"""Unions and conditions along rays as floods: occluded fill in each direction, as in chess programs (Kogge-Stone).

    some d in A: between(c, d) within B and between(c, d) != {}
    →
    for each direction, the step back from what floods from A backward within B

A table ``T(c, d)`` of sets is a *ray table* if step relations, one per direction and each one-to-one, explain it: T(c,
d) are the elements strictly between c and d. Floods of whole boards cost a single playout more than the few elements d
of a union; they pay off in lockstep playouts, whose rounds must not differ from playout to playout (0.75 times as many
playouts per second one at a time, 3.4 times as many in lockstep).
"""

from __future__ import annotations

from functools import lru_cache

from gamedsl.language.boards import Domain
from gamedsl.language.core import conjuncts, free_locals, map_children
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

IMAGE = 999_999  # id of the name bound by every image; its scope is a single look-up


@lazy_dataclass(frozen=True)
class Direction:
    """A step relation and its inverse, as tables D -> set of D."""

    forward: n.TableData
    back: n.TableData


def _table(domain: Domain, targets: tuple[int, ...]) -> n.TableData:
    return n.TableData("step", (domain,), n.SetT(domain), targets)


@lru_cache(maxsize=64)
def directions(table: n.TableData) -> tuple[Direction, ...] | None:
    """The directions of a ray table, or None for any other table."""
    if len(table.keys) != 2 or not isinstance(table.type, n.SetT):
        return None
    domain = table.type.domain
    if table.keys != (domain, domain) or domain.size > 256:
        return None
    found = _chains(table.values, domain.size)
    if found is None:
        return None
    out = []
    for steps in found:
        forward = tuple(0 if t < 0 else 1 << t for t in steps)
        back = [0] * domain.size
        for x, t in enumerate(steps):
            if t >= 0:
                back[t] = 1 << x
        out.append(Direction(_table(domain, forward), _table(domain, tuple(back))))
    return tuple(out)


def _chains(values: tuple[int, ...], count: int) -> list[list[int]] | None:
    """Step functions, grouped by index difference, that explain every entry. Returns None if there are none."""
    following: dict[tuple[int, int], int] = {}  # (c, first cell after c) -> the cell after that
    for c in range(count):
        for d in range(count):
            v = values[c * count + d]
            if v and v & (v - 1) == 0:
                following[c, v.bit_length() - 1] = d
    steps: dict[int, list[int]] = {}
    for (a, b), c in following.items():
        for x, y in ((a, b), (b, c)):
            row = steps.setdefault(y - x, [-1] * count)
            if row[x] not in (-1, y):
                return None
            row[x] = y
    rows = list(steps.values())
    return rows if rows and _explained(values, count, rows) else None


def _explained(values: tuple[int, ...], count: int, rows: list[list[int]]) -> bool:
    """Whether every entry holds the cells strictly between its keys, on the rays of these steps."""
    expected = [0] * (count * count)
    for row in rows:
        if len({t for t in row if t >= 0}) != sum(t >= 0 for t in row):
            return False
        for c in range(count):
            between, d = 0, row[c]
            while d >= 0:
                if between:
                    if expected[c * count + d] not in (0, between):
                        return False
                    expected[c * count + d] = between
                between |= 1 << d
                d = row[d]
                if d == c:
                    return False
    return tuple(expected) == values


# ------------------------------------------------------------------------------------------------ conditions


def ray_condition(p: n.Local, e: n.Expr) -> n.Expr | None:
    """The set of p with ``some d in A: T(p, d) within B and T(p, d) != {}``. Returns None for other conditions."""
    match e:
        case n.Loop(kind="some", local=d, over=a, condition=None, body=body) if p.id not in free_locals(a):
            parts = conjuncts(body)
        case _:
            return None
    within = [x for x in parts if isinstance(x, n.Op2) and x.op == "within"]
    filled = [x for x in parts if _is_filled(x)]
    if len(parts) != 2 or len(within) != 1 or len(filled) != 1:
        return None
    table, b = within[0].left, within[0].right
    if (
        not isinstance(table, n.Lookup)
        or not _keys(table, p.id, d.id)
        or not free_locals(b).keys().isdisjoint({p.id, d.id})
    ):
        return None
    if _filled_table(filled[0], table) is False:
        return None
    rays = directions(table.table)
    if rays is None:
        return None
    domain = table.type.domain if isinstance(table.type, n.SetT) else None
    assert domain is not None
    t = n.SetT(domain)
    total: n.Expr = n.Const(0, t)
    for ray in rays:
        total = n.Op2("union", total, image(ray.back, leading(ray, a, b)), t)
    return total


def leading(ray: Direction, a: n.Expr, b: n.Expr) -> n.Expr:
    """The cells of B from which a run of cells in B leads to A in this direction."""
    assert isinstance(ray.back.type, n.SetT)
    return n.Flood(image(ray.back, a), b, ray.back, ray.back.type)


def image(table: n.TableData, over: n.Expr) -> n.Expr:
    """The image of a set under a table."""
    assert isinstance(table.type, n.SetT)
    x = n.Local(IMAGE, "x", n.ElemT(table.keys[0]))
    return n.Loop("union", x, over, None, n.Lookup(table, (n.Load(x),)), table.type)


def ray_union(e: n.Expr) -> n.Expr | None:
    """``union of T(c, d) for d in A if T(c, d) within B``, for a single c, as floods: the runs of B from c on that lead
    to A. Returns None for other expressions."""
    match e:
        case n.Loop(
            kind="union",
            local=d,
            over=a,
            condition=None,
            body=n.Cond(
                condition=n.Op2(op="within", left=n.Lookup() as table, right=b),
                then=n.Lookup() as then,
                otherwise=n.Const(value=0),
            ),
        ) if table == then:
            pass
        case _:
            return None
    if len(table.keys) != 2 or not isinstance(table.keys[1], n.Load) or table.keys[1].local.id != d.id:
        return None
    c = table.keys[0]
    if d.id in free_locals(c) or d.id in free_locals(b):
        return None
    rays = directions(table.table)
    if rays is None:
        return None
    t = e.type
    assert isinstance(t, n.SetT)
    total: n.Expr = n.Const(0, t)
    for ray in rays:
        start = image(ray.forward, n.Op1("single", c, t))
        total = n.Op2("union", total, n.Flood(start, leading(ray, a, b), ray.forward, t), t)
    return total


def flood_rays(e: n.Expr) -> n.Expr:
    """Rewrites unions along rays as floods."""
    found = ray_union(e)
    return found if found is not None else map_children(e, flood_rays)


def _is_filled(e: n.Expr) -> bool:
    match e:
        case n.Op2(op="ne", right=n.Const(value=0)) | n.Op2(op="ne", left=n.Const(value=0)):
            return True
        case n.Lookup() if isinstance(e.type, n.BoolT):
            return True
        case _:
            return False


def _filled_table(e: n.Expr, table: n.Lookup) -> bool:
    """Whether the condition says that the table's entry is not empty."""
    if isinstance(e, n.Lookup):
        if e.keys == table.keys:
            return e.table.values == tuple(int(v != 0) for v in table.table.values)
        if e.keys == tuple(reversed(table.keys)):
            size = table.table.keys[0].size
            return all(
                e.table.values[d * size + c] == int(table.table.values[c * size + d] != 0)
                for c in range(size)
                for d in range(size)
            )
        return False
    assert isinstance(e, n.Op2)
    return table in (e.left, e.right)


def _keys(table: n.Lookup, p: int, d: int) -> bool:
    """Whether a table is looked up by these two names, in this order."""
    return [k.local.id if isinstance(k, n.Load) else None for k in table.keys] == [p, d]
