"""Steps with numbers, ``step(c, 2 north, dx ahead(me))``: the cell at the sum of the legs, even if a leg leaves the
board.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache
from itertools import product

from gamedsl.language.boards import Coordinates, Domain, elements
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import conversions
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.geometry.geometry_relations import board_relation
from gamedsl.language.rules.expressions.lowering import lower, lower_number
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.source import Span, node
from gamedsl.language.syntax import ast

MOST_ENTRIES = 1 << 18  # of the table of one leg
Pair = tuple[int, int]


@node()
class _Leg:
    """One leg: the number of steps and the direction."""

    count: n.Expr
    direction: n.Expr

    @property
    def counts(self) -> range:
        t = self.count.type
        assert isinstance(t, n.IntT)
        return range(t.low, t.high + 1)

    @property
    def directions(self) -> list[int]:
        assert isinstance(self.direction.type, n.ElemT)
        one = self.direction
        return [one.value] if isinstance(one, n.Const) else list(elements(one.type.domain.full))  # type: ignore[union-attr]


def has_legs(e: ast.Call) -> bool:
    """Returns whether a call is ``step`` with numbers, or with several directions."""
    return e.name == "step" and (len(e.args) > 2 or any(isinstance(a, ast.Leg) for a in e.args))


def lower_legs(env: Env, ctx: Ctx, e: ast.Call) -> n.Expr:
    """Returns a chain of table lookups: each leg leads to a place on or off the board, and the last one to a cell or
    none.
    """
    relation = board_relation(env, "step", 2, e.span)
    assert env.board is not None and env.board.coordinates is not None
    place, direction = relation.params
    at = lower(env, ctx, e.args[0], n.ElemT(place))
    legs = [_leg(env, ctx, a, direction) for a in e.args[1:]]
    board = env.board.coordinates
    ahead = _ahead([leg for leg in legs if _fixed(leg)], board)
    pairs, domain = tuple((r + ahead[0], c + ahead[1]) for r, c in board.cells), place
    free = [leg for leg in legs if not _fixed(leg)]
    for leg in free[:-1]:
        ways = [board.directions[d] for d in leg.directions]
        reached = sorted({_moved(p, k, way) for p, k, way in product(pairs, leg.counts, ways)})
        onward = Domain("place", tuple(f"{r}/{c}" for r, c in reached))
        index = {pair: i for i, pair in enumerate(reached)}
        at = _look_up(env, leg, at, _Table(domain, pairs, index, n.ElemT(onward)), board, e.span)
        pairs, domain = tuple(reached), onward
    if len(free) == 1:
        free = [_cut(free[0], pairs, board)]
    cells = {pair: i + 1 for i, pair in enumerate(board.cells)}
    last = free[-1] if free else None
    return _look_up(env, last, at, _Table(domain, pairs, cells, n.OptT(n.ElemT(place))), board, e.span)


@node()
class _Table:
    """A map from places of a domain, which are at ``pairs``, to codes of a type by row and column (0 for all others)."""

    domain: Domain
    pairs: tuple[Pair, ...]
    codes: dict[Pair, int]
    type: n.ElemT | n.OptT


def _leg(env: Env, ctx: Ctx, e: ast.Expr, direction: Domain) -> _Leg:
    if not isinstance(e, ast.Leg):
        return _Leg(ty.number(1, e.span), lower(env, ctx, e, n.ElemT(direction)))
    count = lower_number(env, ctx, e.count)
    assert isinstance(count.type, n.IntT)
    if count.type.high - count.type.low >= ty.MOST_RANGE:
        env.report.fail("E0343", e.count.span, most=ty.MOST_RANGE)
    return _Leg(count, lower(env, ctx, e.direction, n.ElemT(direction)))


def _fixed(leg: _Leg) -> bool:
    return isinstance(leg.count, n.Const) and isinstance(leg.direction, n.Const)


def _cut(leg: _Leg, pairs: tuple[Pair, ...], board: Coordinates) -> _Leg:
    """Returns the leg with its number limited to those that can lead to a cell; any larger one leads off the board
    too.
    """
    t = leg.count.type
    assert isinstance(t, n.IntT)
    most = 1 + max(abs(a[i] - b[i]) for i in (0, 1) for a in _corners(pairs) for b in _corners(board.cells))
    count = leg.count
    if t.high > most > t.low:
        count = n.Op2("min", count, ty.number(most, count.span), n.IntT(t.low, most), span=count.span)
    if t.low < -most < t.high:
        assert isinstance(count.type, n.IntT)
        count = n.Op2("max", count, ty.number(-most, count.span), n.IntT(-most, count.type.high), span=count.span)
    return replace(leg, count=count)


def _corners(pairs: Collection[Pair]) -> tuple[Pair, Pair]:
    """Returns the least and the greatest row and column."""
    rows, columns = [r for r, _ in pairs], [c for _, c in pairs]
    return (min(rows), min(columns)), (max(rows), max(columns))


def _ahead(legs: list[_Leg], board: Coordinates) -> Pair:
    """Returns the sum of legs that are known when the file is loaded."""
    total = (0, 0)
    for leg in legs:
        total = _moved(total, leg.counts[0], board.directions[leg.directions[0]])
    return total


def _moved(pair: Pair, count: int, direction: Pair) -> Pair:
    return pair[0] + count * direction[0], pair[1] + count * direction[1]


def _look_up(env: Env, leg: _Leg | None, at: n.Expr, table: _Table, board: Coordinates, span: Span) -> n.Expr:
    """Returns the lookup of one leg from a place; without a leg, of the place itself."""
    domains, keys = [table.domain], [at]
    if leg is None:
        values = tuple(table.codes.get(p, 0) for p in table.pairs)
        return n.Lookup(n.TableData("step", tuple(domains), table.type, values), tuple(keys), span=span)
    for part in (leg.count, leg.direction):
        if isinstance(part, n.Const):
            continue
        t = part.type
        domain = ty.range_domain(t.low, t.high) if isinstance(t, n.IntT) else t.domain  # type: ignore[union-attr]
        key = conversions.coerce(part, n.ElemT(domain))
        assert key is not None
        domains.append(domain)
        keys.append(key)
    size = len(table.pairs) * len(leg.counts) * len(leg.directions)
    if size > MOST_ENTRIES:
        env.report.fail("E0384", span, size=f"{size:,}", most=f"{MOST_ENTRIES:,}")
    ways = tuple(board.directions[d] for d in leg.directions)
    values = _codes_at_ends(table.pairs, leg.counts, ways, tuple(table.codes.items()))
    return n.Lookup(n.TableData("step", tuple(domains), table.type, values), tuple(keys), span=span)


@lru_cache(maxsize=32)  # an editor lowers nearly the same text again and again
def _codes_at_ends(
    starts: tuple[Pair, ...], counts: range, ways: tuple[Pair, ...], codes: tuple[tuple[Pair, int], ...]
) -> tuple[int, ...]:
    """Returns the code of the place at the end of every leg, the direction varying fastest; 0 for places without one."""
    known = dict(codes)
    return tuple(known.get(_moved(p, k, way), 0) for p, k, way in product(starts, counts, ways))
