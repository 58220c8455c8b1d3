"""Unrolled filters of few elements: the same sets as before."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamedsl.compiler.transform.unroll_small_filters import FilterUnroller
from gamedsl.language.boards.domains import Domain
from gamedsl.language.core.evaluator import evaluate
from gamedsl.language.core.nodes import (
    CallF,
    Cond,
    Const,
    Convert,
    ElemT,
    Expr,
    Function,
    IntT,
    Load,
    Local,
    Lookup,
    Loop,
    Op1,
    Op2,
    OptT,
    SetT,
    TableData,
)
from gamedsl.language.core.traverse import walk

from .conditions import BOOL, ELEM, SET, A, B, P, conditions

STATES = st.lists(st.tuples(st.integers(0, 511), st.integers(0, 511)), min_size=3, max_size=3)


@given(conditions(), STATES, st.booleans())
@settings(max_examples=300, deadline=None)
def test_written_out_filters_have_the_same_elements(e: Expr, states: list[tuple[int, int]], constant: bool) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("gamedsl.compiler.cutoffs.UNROLLED", 9)
        patched.setattr("gamedsl.compiler.cutoffs.COPIED_NODES", 10_000)
        patched.setattr("gamedsl.compiler.cutoffs.UNROLLED_SHORT", 10_000)
        over = Const(365, SET) if constant else Load(B)
        whole = Loop("filter", P, over, None, e, SET)
        found = FilterUnroller(()).expr(whole)
    for a, b in states:
        known = {A.id: a, B.id: b}
        assert evaluate(found, known) == evaluate(whole, known)


WAY = Domain("way", ("there", "back", "up", "down"))
D = Local(900, "d", ElemT(WAY))
STEPS = st.lists(st.integers(0, 9), min_size=9 * 10 * 4, max_size=9 * 10 * 4).map(tuple)
LINES = st.lists(st.integers(0, 511), min_size=9 * 2, max_size=9 * 2)


@given(STEPS, LINES, st.integers(0, 511), st.integers(0, 8))
@settings(max_examples=50, deadline=None)
def test_written_out_unions_have_the_same_elements(steps: tuple[int, ...], lines: list[int], a: int, x: int) -> None:
    """As many steps as there are elements on the line, each way; two and two ways share their lines."""
    on = TableData("line", (ELEM.domain, WAY), SET, tuple(v for i in range(9) for v in lines[2 * i : 2 * i + 2] * 2))
    counts = Domain("count", tuple("0123456789"))
    to = TableData("step", (ELEM.domain, counts, WAY), OptT(ELEM), steps)
    there = Op2("meet", Lookup(on, (Load(P), Load(D))), Load(A), SET)
    one = Lookup(to, (Load(P), Convert(Op1("count", there, IntT(0, 9)), ElemT(counts)), Load(D)))
    found = Cond(Op1("is_none", one, BOOL), Const(0, SET), Op1("single", Op1("unwrap", one, ELEM), SET), SET)
    whole = Loop("union", D, Const(WAY.full, SetT(WAY)), None, found, SET)
    written = FilterUnroller(()).expr(whole)
    assert sum(isinstance(e, Lookup) and e.table.name == "steps" for e in walk(written)) <= 2
    assert not any(isinstance(e, Cond | Loop) for e in walk(written))
    assert evaluate(written, {A.id: a, P.id: x}) == evaluate(whole, {A.id: a, P.id: x})


def test_what_is_short_is_written_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not what is long, can fail, or calls where not all elements would be asked."""
    short = Op2("in", Load(P), Load(A), BOOL)
    called = CallF(0, (Load(P),), BOOL)
    fails = Op2("eq", Op1("first", Load(A), ELEM), Load(P), BOOL)
    functions = (Function(0, "f", (P,), short),)

    def changed(e: Expr, over: Expr) -> bool:
        whole = Loop("filter", P, over, None, e, SET)
        return FilterUnroller(functions).expr(whole) != whole

    assert not changed(short, Load(B))  # nine elements are too many
    monkeypatch.setattr("gamedsl.compiler.cutoffs.UNROLLED", 9)
    assert changed(short, Load(B)) and changed(called, Const(7, SET))
    assert not changed(fails, Load(B)) and not changed(called, Load(B))
    long = Op2(
        "within", Load(A), Op2("union", Op2("union", Load(A), Load(B), SET), Op1("single", Load(P), SET), SET), BOOL
    )
    assert not changed(long, Load(B))
