"""Tests of a plan that depend only on parameters become one look-up of a set.

bind k in hand, bind from in mine, bind to in empty, test way(from, to) in steps(k)
→
bind k in hand, bind from in mine, bind to in empty & table(k, from)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.constant_tables import is_pure, table_of
from gamedsl.compiler.transform.lift_conditions import lift_condition
from gamedsl.language.boards import Domain
from gamedsl.language.core import can_fail, conjunction, conjuncts, free_locals, node_count
from gamedsl.language.core import nodes as n

Plan = tuple[n.Bind | n.Test, ...]


def tabulate_plan(schema: n.Schema, plan: Plan, put_in: Callable[[n.Expr], n.Expr | None] = lambda e: None) -> Plan:
    """The plan with such tests in the sets of its bindings. ``put_in`` inlines the functions of a condition. Conditions
    that can be lifted one by one are left alone (see ``lift_conditions.py``)."""
    out: list[n.Bind | n.Test] = []
    for bind, tests in _bindings(plan):
        if bind is None:
            out += tests
            continue
        asked = _pure(tests, put_in)
        found = _looked_up(schema.params[bind.param].local, bind.over.type, list(asked.values()))
        if found is None:
            out += [bind, *tests]
        else:
            out.append(n.Bind(bind.param, n.Op2("meet", bind.over, found, found.type)))
            out += [n.Test(c) for number, c in enumerate(_conditions(tests)) if number not in asked]
    return tuple(out)


def _bindings(plan: Plan) -> Iterator[tuple[n.Bind | None, list[n.Test]]]:
    """Each binding with the tests up to the next; first the tests before all bindings."""
    bind: n.Bind | None = None
    tests: list[n.Test] = []
    for step in plan:
        if isinstance(step, n.Bind):
            yield bind, tests
            bind, tests = step, []
        else:
            tests.append(step)
    yield bind, tests


def _conditions(tests: Sequence[n.Test]) -> list[n.Expr]:
    return [c for test in tests for c in conjuncts(test.condition)]


def _pure(tests: Sequence[n.Test], put_in: Callable[[n.Expr], n.Expr | None]) -> dict[int, n.Expr]:
    """The conditions that read no state, by their index, with functions inlined; up to the first one that reads the
    state and may fail."""
    found: dict[int, n.Expr] = {}
    for number, condition in enumerate(_conditions(tests)):
        inlined = put_in(condition) or condition
        if is_pure(inlined):
            found[number] = inlined
        elif can_fail(condition):
            break
    return found


def _looked_up(local: n.Local, t: n.ValueT, conditions: list[n.Expr]) -> n.Expr | None:
    """The set of the values of ``local`` that meet the conditions, of type ``t``; None if fewer than two other names
    are read, or if the conditions can be lifted."""
    names = {x for c in conditions for x in free_locals(c)} - {local.id}
    if len(names) < 2 or all(not can_fail(c) and lift_condition(local, c) is not None for c in conditions):
        return None
    found = looked_up(local, conditions)
    return found if found is not None and found.type == t else None


def looked_up(local: n.Local, conditions: Sequence[n.Expr]) -> n.Lookup | None:
    """The set of the values of ``local`` that meet the conditions, which read no state, looked up by the other names
    that they read; None if these are too many, or if a condition cannot be evaluated."""
    names = {x.id: x for c in conditions for x in free_locals(c).values()}
    own = _domain(names.pop(local.id, None))
    domains = [d for x in names.values() if (d := _domain(x)) is not None]
    if own is None or not names or len(domains) < len(names):
        return None
    sets = prod(d.size for d in domains)
    work = sets * own.size * sum(map(node_count, conditions))
    if work > cutoffs.PLAN_TABLE_WORK or sets * -(-own.size // 64) > cutoffs.TABLE_WORDS:
        return None
    values = table_of(conjunction(conditions), [*names.values(), local], [*domains, own])
    if values is None:
        return None
    rows = (values[at : at + own.size] for at in range(0, len(values), own.size))
    found = tuple(sum(yes << i for i, yes in enumerate(row)) for row in rows)
    table = n.TableData(
        f"{local.name} by {' and '.join(x.name for x in names.values())}", tuple(domains), n.SetT(own), found
    )
    return n.Lookup(table, tuple(n.Load(x) for x in names.values()))


def _domain(x: n.Local | None) -> Domain | None:
    return x.type.domain if x is not None and isinstance(x.type, n.ElemT) else None
