"""Moves of one parameter as one set: tests of a plan become filters of the set that the parameter ranges over.

    bind c in S; test safe(c); test three(mark[me])
    →
    bind c in (let left = {c in S: safe(c)} in if left != {} and three(mark[me]) then left else {})

The set is computed once per decision, and the k-th move is its k-th member. A test is not evaluated for each candidate
if a bound over all candidates (``analysis/candidate_bounds.py``) shows that it excludes none. Tests that playouts ask
of a drawn candidate only (``playouts/scalar_rejection.py``) stay tests.
"""

from __future__ import annotations

from dataclasses import replace

from gamedsl.compiler.analysis.candidate_bounds import upper_bound
from gamedsl.compiler.analysis.costly_conditions import drawn_first
from gamedsl.compiler.analysis.monotonicity import Monotonicity
from gamedsl.language.core import can_fail, fold, free_locals, substitute
from gamedsl.language.core import nodes as n

NAMES = 2_000_000  # ids of the names made here


def plans_as_sets(program: n.Program) -> n.Program:
    """Turns plans of one parameter into one set. Leaves programs without functions as they are."""
    if not program.functions:
        return program
    monotonicity = Monotonicity(program.functions)
    return replace(program, schemas=tuple(_schema(s, monotonicity) for s in program.schemas))


def _schema(s: n.Schema, monotonicity: Monotonicity) -> n.Schema:
    plan = tuple(
        x for x in s.plan if not (isinstance(x, n.Test) and isinstance(x.condition, n.Const) and x.condition.value)
    )
    binds = [i for i, x in enumerate(plan) if isinstance(x, n.Bind)]
    if drawn_first(replace(s, plan=plan), monotonicity.functions) is not None:
        return replace(s, plan=plan)
    if len(binds) == 1 and len(s.params) == 1:
        bind, tests = plan[binds[0]], [x.condition for x in plan[binds[0] + 1 :] if isinstance(x, n.Test)]
        assert isinstance(bind, n.Bind)
        if (
            tests
            and isinstance(bind.over.type, n.SetT)
            and sum(can_fail(t, monotonicity.functions) for t in tests) <= 1
        ):
            names = _Names(NAMES + 1000 * s.index)
            over = fold(_left(bind.over, tests, s.params[0].local, monotonicity, names))
            plan = (*plan[: binds[0]], n.Bind(0, over))
    return replace(s, plan=plan)


class _Names:
    def __init__(self, first: int) -> None:
        self.last = first

    def new(self, local: n.Local) -> n.Local:
        self.last += 1
        return replace(local, id=self.last)


def _left(over: n.Expr, tests: list[n.Expr], p: n.Local, monotonicity: Monotonicity, names: _Names) -> n.Expr:
    """The elements that satisfy the tests. A test that does not depend on the candidate is evaluated once, if there are
    candidates left."""
    if not tests:
        return over
    test, rest = tests[0], tests[1:]
    if p.id in free_locals(test):
        return _left(_filtered(over, test, p, monotonicity, names), rest, p, monotonicity, names)
    name = names.new(n.Local(0, "left", over.type))
    some = n.Op2("ne", n.Load(name), n.Const(0, over.type), n.BoolT())
    left = _left(n.Load(name), rest, p, monotonicity, names)
    asked = n.Op2("and", some, test, n.BoolT())
    return n.LetE(name, over, n.Cond(asked, left, n.Const(0, over.type), over.type))


def _filtered(over: n.Expr, test: n.Expr, p: n.Local, monotonicity: Monotonicity, names: _Names) -> n.Expr:
    new, kept = names.new(p), names.new(n.Local(0, "all", over.type))
    whole: n.Expr = over if isinstance(over, n.Const | n.Load) else n.Load(kept)
    filtered: n.Expr = n.Loop("filter", new, whole, None, substitute(test, {p.id: n.Load(new)}), over.type)
    bound = (
        None if can_fail(test, monotonicity.functions) else upper_bound(n.Op1("not", test, n.BoolT()), p, monotonicity)
    )
    if bound is not None and not isinstance(bound, n.Const):
        if whole is not over or isinstance(over, n.Load):
            bound = n.Op2("and", n.Op2("ne", whole, n.Const(0, over.type), n.BoolT()), bound, n.BoolT())
        filtered = n.Cond(bound, filtered, whole, over.type)
    return filtered if whole is over else n.LetE(kept, over, filtered)


def worth_computing_once(s: n.Schema) -> bool:
    """Whether the set of the last binding is expensive enough to be computed only once."""
    return (
        bool(s.plan) and isinstance(s.plan[-1], n.Bind) and any(_dear(x.over) for x in s.plan if isinstance(x, n.Bind))
    )


def _dear(e: n.Expr) -> bool:
    from gamedsl.language.core import walk

    return any(isinstance(x, n.CallF) or (isinstance(x, n.Loop) and x.kind == "filter") for x in walk(e))
