"""Working out expressions without state."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamedsl.language.core.constant_folding import NotConstant, RangeProblem, can_fail, evaluate, flood, fold
from gamedsl.language.core.nodes import Const, ElemT, Expr, Get, IntT, Load, Local, Loop, Op1, Op2, SetT, Var
from gamedsl.language.core.traverse import free_locals, walk
from tests.language.core.closed import BOOL, ELEM, NEAR, SET, WIDE, D, closed

NONE = object()


def value(e: Expr) -> object:
    try:
        return evaluate(e, {})
    except RangeProblem:
        return NONE


@given(st.sampled_from([BOOL, ELEM, SET, WIDE]).flatmap(closed))
@settings(max_examples=300, deadline=None)
def test_folding_keeps_value_and_type(e: Expr) -> None:
    folded = fold(e)
    assert value(folded) == value(e)
    if value(e) is not NONE:
        assert isinstance(folded, Const) and folded.value == value(e)
    elif isinstance(folded, Const):
        pytest.fail("a failure was folded away")


@given(st.sampled_from([BOOL, SET, WIDE]).flatmap(closed))
@settings(max_examples=150, deadline=None)
def test_what_cannot_fail_has_a_value(e: Expr) -> None:
    if not can_fail(e):
        assert value(e) is not NONE


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_folding_with_free_locals(data: st.DataObject) -> None:
    """Folding an open expression does not depend on what its locals will be."""
    free = Local(0, "free", ELEM)
    e = data.draw(closed(BOOL, 4, (free,)))
    folded = fold(e)
    assert set(free_locals(folded)) <= {0}
    for i in range(D.size):
        try:
            before: object = evaluate(e, {0: i})
        except RangeProblem:
            before = NONE
        try:
            after: object = evaluate(folded, {0: i})
        except RangeProblem:
            after = NONE
        assert before == after


def number(n: int) -> Const:
    return Const(n, IntT(n, n))


def test_division_rounds_down_and_fails_on_zero() -> None:
    t = IntT(-10, 10)
    assert evaluate(Op2("div", number(-7), number(2), t), {}) == -4
    assert evaluate(Op2("mod", number(-7), number(2), t), {}) == 1
    with pytest.raises(RangeProblem):
        evaluate(Op2("div", number(1), number(0), t), {})


def test_state_is_not_constant() -> None:
    var = Var(0, "x", ELEM)
    with pytest.raises(NotConstant):
        evaluate(Get(var, (), ELEM), {})
    with pytest.raises(NotConstant):
        evaluate(Load(Local(1, "y", ELEM)), {})


def test_laws_with_one_constant_side() -> None:
    some = Get(Var(0, "s", SET), (), SET)
    empty, full = Const(0, SET), Const(15, SET)
    assert fold(Op2("union", some, empty, SET)) == some
    assert fold(Op2("meet", full, some, SET)) == some
    assert fold(Op2("meet", some, empty, SET)) == empty
    ask = Op2("disjoint", some, full, BOOL)
    assert fold(Op2("and", Const(1, BOOL), ask, BOOL)) == ask
    assert fold(Op2("or", Const(1, BOOL), ask, BOOL)) == Const(1, BOOL)
    assert fold(Op1("not", Op1("not", ask, BOOL), BOOL)) == ask


def test_long_constant_loops_are_left_for_the_run() -> None:
    """A folded ruleset must not make the loading of a file endless."""
    from gamedsl.language.boards.domains import Domain

    big = Domain("big", tuple(str(i) for i in range(1000)))
    t = ElemT(big)
    x, y, z = (Local(i, "x", t) for i in (1, 2, 3))
    inner: Expr = Op2("and", Op2("eq", Load(x), Load(y), BOOL), Op2("eq", Load(y), Load(z), BOOL), BOOL)
    for local in (x, y, z):
        inner = Loop("every", local, Const(big.full, SetT(big)), None, inner, BOOL)
    assert any(isinstance(n, Loop) for n in walk(fold(inner)))


def test_flood_by_hand() -> None:
    """near: a-b, b-a, b-c, c-e; from a inside {a, b, e} only a and b can be reached."""
    assert flood(0b0001, 0b1011, NEAR.values) == 0b0011
    assert flood(0b0001, 0b1111, NEAR.values) == 0b1111
    assert flood(0b0100, 0b0011, NEAR.values) == 0
