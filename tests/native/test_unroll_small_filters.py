"""Unrolled filters of few elements: the same sets as before."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamedsl.core.evaluator import evaluate
from gamedsl.core.nodes import CallF, Const, Expr, Function, Load, Loop, Op1, Op2
from gamedsl.native.transform.unroll_small_filters import FilterUnroller

from .conditions import BOOL, ELEM, SET, A, B, P, conditions

STATES = st.lists(st.tuples(st.integers(0, 511), st.integers(0, 511)), min_size=3, max_size=3)


@given(conditions(), STATES, st.booleans())
@settings(max_examples=300, deadline=None)
def test_written_out_filters_have_the_same_elements(e: Expr, states: list[tuple[int, int]], constant: bool) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("gamedsl.native.cutoffs.UNROLLED_ELEMENTS", 9)
        patched.setattr("gamedsl.native.cutoffs.UNROLLED_NODES", 10_000)
        patched.setattr("gamedsl.native.cutoffs.UNROLLED_SHORT", 10_000)
        over = Const(365, SET) if constant else Load(B)
        whole = Loop("filter", P, over, None, e, SET)
        found = FilterUnroller(()).expr(whole)
    for a, b in states:
        known = {A.id: a, B.id: b}
        assert evaluate(found, known) == evaluate(whole, known)


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
    monkeypatch.setattr("gamedsl.native.cutoffs.UNROLLED_ELEMENTS", 9)
    assert changed(short, Load(B)) and changed(called, Const(7, SET))
    assert not changed(fails, Load(B)) and not changed(called, Load(B))
    long = Op2(
        "within", Load(A), Op2("union", Op2("union", Load(A), Load(B), SET), Op1("single", Load(P), SET), SET), BOOL
    )
    assert not changed(long, Load(B))
