"""Moves of one parameter as one set: tests of a plan become filters of the set that the parameter ranges over.

    bind c in S; test safe(c); test three(mark[me])
    →
    bind c in (let left = {c in S: safe(c)} in if left != {} and three(mark[me]) then left else {})

The set is computed once per decision, and the k-th move is its k-th member. A test is not evaluated for each candidate
if a bound over all candidates (``analysis/candidate_bounds.py``) says that it excludes none.
"""

from __future__ import annotations

from dataclasses import replace

from gamedsl.core import can_fail, fold, free_locals, substitute
from gamedsl.core.nodes import (
    Bind,
    BoolT,
    CallF,
    Cond,
    Const,
    Expr,
    LetE,
    Load,
    Local,
    Loop,
    Op1,
    Op2,
    Program,
    Schema,
    SetT,
    Test,
)
from gamedsl.native.analysis.candidate_bounds import upper_bound
from gamedsl.native.analysis.monotonicity import Monotonicity

NAMES = 2_000_000  # ids of the names made here


def plans_as_sets(program: Program) -> Program:
    """Turns plans of one parameter into one set. Leaves programs without functions as they are."""
    if not program.functions:
        return program
    monotonicity = Monotonicity(program.functions)
    return replace(program, schemas=tuple(_schema(s, monotonicity) for s in program.schemas))


def _schema(s: Schema, monotonicity: Monotonicity) -> Schema:
    plan = tuple(
        x for x in s.plan if not (isinstance(x, Test) and isinstance(x.condition, Const) and x.condition.value)
    )
    binds = [i for i, x in enumerate(plan) if isinstance(x, Bind)]
    if len(binds) == 1 and len(s.params) == 1:
        bind, tests = plan[binds[0]], [x.condition for x in plan[binds[0] + 1 :] if isinstance(x, Test)]
        assert isinstance(bind, Bind)
        if tests and isinstance(bind.over.type, SetT) and sum(can_fail(t, monotonicity.functions) for t in tests) <= 1:
            names = _Names(NAMES + 1000 * s.index)
            over = fold(_left(bind.over, tests, s.params[0].local, monotonicity, names))
            plan = (*plan[: binds[0]], Bind(0, over))
    return replace(s, plan=plan)


class _Names:
    def __init__(self, first: int) -> None:
        self.last = first

    def new(self, local: Local) -> Local:
        self.last += 1
        return replace(local, id=self.last)


def _left(over: Expr, tests: list[Expr], p: Local, monotonicity: Monotonicity, names: _Names) -> Expr:
    """The elements that satisfy the tests. A test that does not depend on the candidate is evaluated once, if there are
    candidates left."""
    if not tests:
        return over
    test, rest = tests[0], tests[1:]
    if p.id in free_locals(test):
        return _left(_filtered(over, test, p, monotonicity, names), rest, p, monotonicity, names)
    name = names.new(Local(0, "left", over.type))
    some = Op2("ne", Load(name), Const(0, over.type), BoolT())
    left = _left(Load(name), rest, p, monotonicity, names)
    asked = Op2("and", some, test, BoolT())
    return LetE(name, over, Cond(asked, left, Const(0, over.type), over.type))


def _filtered(over: Expr, test: Expr, p: Local, monotonicity: Monotonicity, names: _Names) -> Expr:
    new, kept = names.new(p), names.new(Local(0, "all", over.type))
    whole: Expr = over if isinstance(over, Const | Load) else Load(kept)
    filtered: Expr = Loop("filter", new, whole, None, substitute(test, {p.id: Load(new)}), over.type)
    bound = None if can_fail(test, monotonicity.functions) else upper_bound(Op1("not", test, BoolT()), p, monotonicity)
    if bound is not None and not isinstance(bound, Const):
        if whole is not over or isinstance(over, Load):
            bound = Op2("and", Op2("ne", whole, Const(0, over.type), BoolT()), bound, BoolT())
        filtered = Cond(bound, filtered, whole, over.type)
    return filtered if whole is over else LetE(kept, over, filtered)


def worth_computing_once(s: Schema) -> bool:
    """Is the set of the last binding expensive enough to be computed only once?"""
    return bool(s.plan) and isinstance(s.plan[-1], Bind) and any(_dear(x.over) for x in s.plan if isinstance(x, Bind))


def _dear(e: Expr) -> bool:
    from gamedsl.core import walk

    return any(isinstance(x, CallF) or (isinstance(x, Loop) and x.kind == "filter") for x in walk(e))
