"""Plans give exactly the moves whose guards hold, in the order of the parameters."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from gamedsl.engine.errors import RulesError
from gamedsl.engine.translate.program import translate_program
from gamedsl.language.boards.domains import Domain
from gamedsl.language.core import nodes
from gamedsl.language.core.constant_folding import RangeProblem, evaluate
from gamedsl.language.core.enumeration_plan import make_plan
from gamedsl.language.core.nodes import Bind, Block, Const, CoreParam, ElemT, End, Load, Local, Op1, Op2, OptT
from tests.engine.coregames import guard, program, schema
from tests.language.core.closed import BOOL, ELEM, SET, D, closed

ONE = Domain("player", ("me",))
ME, A, B = Local(900, "me", ElemT(ONE)), Local(901, "a", ELEM), Local(902, "b", ELEM)
ALL = Const(D.full, SET)


def enumerated(params, guards):  # type: ignore[no-untyped-def]
    """The arguments that the translated plan gives."""
    move = schema(0, "m", ME, params, guards, [])
    end = Block(0, (), End((Const(0, BOOL),), Const(0, SET), ()), "", 0)
    return list(translate_program(program("p", ONE, [], [move], [end])).schemas[0].attempts([], 0))


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_a_plan_gives_what_the_guards_allow(data: st.DataObject) -> None:
    over_b = data.draw(closed(SET, 2, (A,)))
    guards = [guard(data.draw(closed(BOOL, 3, (A, B)))) for _ in range(data.draw(st.integers(1, 3)))]
    params = [CoreParam(A, ALL), CoreParam(B, over_b)]
    wanted = []
    try:
        for a, b in product(range(4), repeat=2):
            known = {A.id: a, B.id: b}
            holds = all(evaluate(g.condition, known) for g in guards)
            if evaluate(over_b, known) >> b & 1 and holds:
                wanted.append((a, b))
    except RangeProblem:
        return  # an author's mistake; where it shows is left open
    try:
        assert enumerated(params, guards) == wanted
    except RulesError:
        raise AssertionError("a plan asks what the guards do not ask") from None


def test_membership_narrows_the_binding() -> None:
    s = Const(0b0101, SET)
    plan = make_plan((CoreParam(A, ALL),), (guard(Op2("in", Load(A), s, BOOL)),))
    assert plan == (Bind(0, s),)
    plan = make_plan((CoreParam(A, ALL),), (guard(Op1("not", Op2("in", Load(A), s, BOOL), BOOL)),))
    assert plan == (Bind(0, Const(0b1010, SET)),)
    plan = make_plan((CoreParam(A, ALL), CoreParam(B, ALL)), (guard(Op2("eq", Load(A), Load(B), BOOL)),))
    assert plan == (Bind(0, ALL), Bind(1, Op2("meet", ALL, Op1("single", Load(A), SET), SET))) or len(plan) == 2


def test_conditions_are_asked_as_soon_as_they_can_be() -> None:
    early = Op2("ne", Load(A), Const(2, ELEM), BOOL)
    late = Op2("within", Op1("single", Load(A), SET), Op1("single", Load(B), SET), BOOL)
    never = Op2("disjoint", Const(1, SET), Const(2, SET), BOOL)
    guards = (guard(Op2("and", late, early, BOOL)), guard(never), guard(never, ahead=True))
    kinds = [type(x).__name__ for x in make_plan((CoreParam(A, ALL), CoreParam(B, ALL)), guards)]
    assert kinds == ["Test", "Bind", "Bind", "Test", "Test"]


def test_what_may_fail_keeps_its_place() -> None:
    """``x is some and x in S`` with an early x: the second must not be asked before the first."""
    opt = OptT(ELEM)
    given_ = Local(903, "o", opt)
    some = Op1("not", Op1("is_none", Load(given_), BOOL), BOOL)
    uses_both = Op2("and", some, Op2("eq", Load(B), Load(B), BOOL), BOOL)
    inside = Op2("in", Op1("unwrap", Load(given_), ELEM), ALL, BOOL)
    optional = Domain("d?", ("-", *D.names))
    from gamedsl.language.core.nodes import SetT

    params = (CoreParam(given_, Const(optional.full, SetT(optional))), CoreParam(B, ALL))
    plan = make_plan(params, (guard(Op2("and", uses_both, inside, BOOL)),))
    tests = [i for i, step in enumerate(plan) if isinstance(step, nodes.Test) and step.condition == inside]
    assert tests == [len(plan) - 1]


def test_membership_in_a_set_that_can_fail_narrows_where_it_is_asked_first() -> None:
    """Its set is computed once, not for every element."""
    first = Op1("single", Op1("unwrap", Const(0, OptT(ELEM)), ELEM), SET)
    among = guard(Op2("in", Load(A), first, BOOL))
    (bind,) = make_plan((CoreParam(A, ALL),), (among,))
    assert bind == Bind(0, first)
    other = guard(Op2("ne", Load(A), Const(1, ELEM), BOOL))
    assert len(make_plan((CoreParam(A, ALL),), (other, among))) == 2  # perhaps no element is left to ask about
    assert len(make_plan((CoreParam(A, Const(0, SET)),), (among,))) == 2
