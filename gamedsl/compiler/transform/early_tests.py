"""Earlier tests: a plan tests a condition as soon as its parameters are bound, and a part of it before.

    bind a; bind b; bind c; test f(a) + g(b) + h(c) <= n; test free(a)
    →
    bind a; test f(a) + least g + least h <= n; test free(a); bind b; test f(a) + g(b) + least h <= n;
    bind c; test f(a) + g(b) + h(c) <= n

The order of conditions matters only for those that can end in a rules error. So one is tested earlier only if it can't
fail there (``analysis/guarded_failures.py``). Moves are enumerated in the same order as before.

Also: whether an element is in a filter is the filter's condition on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod

from gamedsl.compiler import cutoffs
from gamedsl.compiler.analysis.constant_tables import is_pure, table_of
from gamedsl.compiler.analysis.guarded_failures import Facts, facts_of, fails_given, member_facts
from gamedsl.language.core import conjuncts, fold, free_locals, limits, map_children, substitute
from gamedsl.language.core import nodes as n

Plan = tuple[n.Bind | n.Test, ...]


def order_tests(program: n.Program) -> n.Program:
    """Rewrites the plans of all schemas."""
    return replace(program, schemas=tuple(replace(s, plan=early_plan(s, s.plan)) for s in program.schemas))


def early_plan(s: n.Schema, plan: Plan) -> Plan:
    """A plan of the schema with its tests as early as possible."""
    return _moved(s, _pointwise(plan))


# ----------------------------------------------------------------------------------------------- membership in filters


def _pointwise(plan: Plan) -> Plan:
    return tuple(n.Test(member_conditions(x.condition)) if isinstance(x, n.Test) else x for x in plan)


def member_conditions(e: n.Expr) -> n.Expr:
    """Replaces ``x in {y in S: F(y)}`` with ``x in S and F(x)``, if F can't fail for any y."""
    e = map_children(e, member_conditions)
    match e:
        case n.Op2(
            op="in",
            left=n.Load() as x,
            right=n.Loop(kind="filter", local=y, over=over, condition=None, body=body),
        ) if x.local.type == y.type and not fails_given(over) and not fails_given(body, member_facts(y, over)):
            inside = substitute(body, {y.id: x})
            if isinstance(over, n.Const) and isinstance(over.type, n.SetT) and over.value == over.type.domain.full:
                return inside
            return n.Op2("and", replace(e, right=over), inside, n.BoolT())
        case _:
            return e


# ----------------------------------------------------------------------------------------------------------- the order


def _moved(s: n.Schema, plan: Plan) -> Plan:
    """The plan with its tests as early as possible."""
    binds = [i for i, step in enumerate(plan) if isinstance(step, n.Bind)]
    if len(binds) < 2:
        return plan
    own = {p.local.id for p in s.params}
    after: list[list[n.Expr]] = [[] for _ in range(len(binds) + 1)]  # by number of bindings: what is tested then
    known: list[Facts] = [()]
    for i in binds:
        step = plan[i]
        assert isinstance(step, n.Bind)
        known.append((*known[-1], *member_facts(s.params[step.param].local, step.over)))
    bound = [{s.params[step.param].local.id for step in plan[: i + 1] if isinstance(step, n.Bind)} for i in binds]
    names = [set[int](), *bound]
    number, waits = 0, 0
    for step in plan:
        if isinstance(step, n.Bind):
            number += 1
            if fails_given(step.over, _given(known[number - 1], after[:number])):
                waits = number
            continue
        for condition in conjuncts(step.condition):
            needed = own & free_locals(condition).keys()
            place = number
            for earlier in range(waits, number):
                if needed <= names[earlier] and not fails_given(
                    condition, _given(known[earlier], after[: earlier + 1])
                ):
                    place = earlier
                    break
            if place == number and fails_given(condition, _given(known[number], after[: number + 1])):
                waits = number  # what can fail stays behind what was tested before, and before what comes after
            for earlier in range(waits, place):
                weak = _weaker(condition, names[earlier], own)
                if weak is not None and weak not in [c for x in after[: earlier + 1] for c in x]:
                    after[earlier].append(weak)
            after[place].append(condition)
    if not any(after[:-1]):
        return plan
    out: list[n.Bind | n.Test] = [n.Test(c) for c in after[0]]
    for i, tests in zip(binds, after[1:], strict=True):
        out += [plan[i], *(n.Test(c) for c in tests)]
    return tuple(out)


def _given(facts: Facts, tested: Sequence[Sequence[n.Expr]]) -> Facts:
    return (*facts, *(fact for tests in tested for c in tests for fact in facts_of(c, True)))


# ---------------------------------------------------------------------------------------------------------------- sums


def _weaker(condition: n.Expr, bound: set[int], own: set[int]) -> n.Expr | None:
    """What ``f(a) + g(b) <= n`` says before all its parameters are bound: their terms are at least their least values.
    None if it says nothing, or can't be told."""
    if not isinstance(condition, n.Op2) or condition.op not in ("le", "lt") or fails_given(condition):
        return None
    if own & free_locals(condition.right).keys() - bound:
        return None
    total: n.Expr | None = None
    for term in _terms(condition.left):
        least = _least(term, bound, own)
        if least is None:
            return None
        total = least if total is None else _sum(total, least)
    if total is None or not bound & free_locals(total).keys():
        return None
    return fold(replace(condition, left=total))


def _terms(e: n.Expr) -> list[n.Expr]:
    return [*_terms(e.left), *_terms(e.right)] if isinstance(e, n.Op2) and e.op == "add" else [e]


def _sum(a: n.Expr, b: n.Expr) -> n.Expr:
    (low, high), (least, most) = limits(a.type), limits(b.type)
    return n.Op2("add", a, b, n.IntT(low + least, high + most))


def _least(term: n.Expr, bound: set[int], own: set[int]) -> n.Expr | None:
    """The least value of a term for all values of the parameters that are not bound yet."""
    names = free_locals(term)
    if not own & names.keys() - bound:
        return term
    if not is_pure(term) or not names.keys() <= own or not all(isinstance(x.type, n.ElemT) for x in names.values()):
        return None
    first = [x for x in names.values() if x.id in bound]
    rest = [x for x in names.values() if x.id not in bound]
    domains = [x.type.domain for x in (*first, *rest) if isinstance(x.type, n.ElemT)]
    if prod(d.size for d in domains) > cutoffs.TABLE_WORDS:
        return None
    values = table_of(term, [*first, *rest], domains)
    if values is None:
        return None
    rows = prod(d.size for d in domains[len(first) :])
    leasts = tuple(min(values[i : i + rows]) for i in range(0, len(values), rows))
    own_type = n.IntT(min(leasts), max(leasts))
    if not first:
        return n.Const(leasts[0], own_type)
    table = n.TableData("least", tuple(domains[: len(first)]), own_type, leasts)
    return n.Lookup(table, tuple(n.Load(x) for x in first))
