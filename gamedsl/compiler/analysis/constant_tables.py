"""Constant folding into tables: an expression that depends only on one or two names becomes a look-up.

row(c) = column(d)
→
table(c, d)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import product

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.canonical_names import FIRST, canonical
from gamedsl.engine import RulesError, translate_closed
from gamedsl.language.boards import Domain
from gamedsl.language.core import (
    children,
    free_locals,
    guarded_optional,
    map_children,
    memoized,
    node_count,
)
from gamedsl.language.core import nodes as n


def tabulate(e: n.Expr, most: int = 2) -> n.Expr:
    """Replaces the largest possible subexpressions with look-ups in tables of up to ``most`` names."""
    if isinstance(e, n.Const | n.Load):
        return e
    found = _as_table(e, most)
    if found is not None:
        return found
    optional = guarded_optional(e)
    if optional is not None and isinstance(e, n.Cond):  # the guard keeps its form, for ``can_fail``
        x = tabulate(optional, most)
        value = map_children(e.otherwise, lambda unwrap: map_children(unwrap, lambda _: x))
        return replace(
            e, condition=map_children(e.condition, lambda _: x), then=tabulate(e.then, most), otherwise=value
        )
    return map_children(e, lambda c: tabulate(c, most))


def _as_table(e: n.Expr, most: int) -> n.Expr | None:
    if not is_pure(e) or (isinstance(e, n.Op1) and isinstance(e.operand, n.Load)):
        return None
    names = list(free_locals(e).values())
    domains = [d for d in (_domain(x) for x in names) if d is not None]
    if not names or len(names) > most or len(domains) < len(names) or _is_lookup(e):
        return None
    size = 1
    for d in domains:
        size *= d.size
    if size * node_count(e) > cutoffs.WORK or (isinstance(e.type, n.SetT) and size * e.type.domain.size > 1 << 20):
        return None
    values = table_of(e, names, domains)
    if values is None:
        return None
    if len(set(values)) == 1:
        return n.Const(values[0], e.type, span=e.span)
    if len(names) == 1 and e.type == names[0].type and values == tuple(range(size)):
        return n.Load(names[0], span=e.span)
    table = n.TableData("table", tuple(domains), e.type, values)
    return n.Lookup(table, tuple(n.Load(x) for x in names), span=e.span)


def _domain(x: n.Local) -> Domain | None:
    return x.type.domain if isinstance(x.type, n.ElemT) else None


def _is_lookup(e: n.Expr) -> bool:
    """Whether an expression is already a plain look-up."""
    return isinstance(e, n.Lookup) and all(isinstance(k, n.Load) for k in e.keys)


@memoized
def is_pure(e: n.Expr) -> bool:
    """Whether an expression reads no state."""
    return not e.reads_state and all(map(is_pure, children(e)))


def table_of(e: n.Expr, names: Sequence[n.Local], domains: Sequence[Domain]) -> tuple[int, ...] | None:
    """The values of the expression, with the last name varying fastest. Returns None if one of them cannot be
    evaluated. Copies of a move for single players need the same tables, which are computed once."""
    return _values(canonical(e, names), tuple(d.size for d in domains))


@lru_cache(maxsize=1024)
def _values(e: n.Expr, sizes: tuple[int, ...]) -> tuple[int, ...] | None:
    """The values of an expression whose names are the first canonical ones. It is translated to Python first: a loop
    over hundreds of cells is evaluated for each of hundreds of cells."""
    numbers = range(FIRST + 1, FIRST + 1 + len(sizes))
    free = free_locals(e)
    if not is_pure(e) or not free.keys() <= set(numbers):
        return None
    value = translate_closed(e, tuple(free.get(i, n.Local(i, "", n.BoolT())) for i in numbers))
    try:
        return tuple(value(*at) for at in product(*map(range, sizes)))
    except RulesError:
        return None
