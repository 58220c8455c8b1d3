"""The translation to Python against the plain evaluation, and programs nested as deeply as Python itself does not allow."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamedsl.engine import Game, InterpretedGame
from gamedsl.engine.errors import RulesError
from gamedsl.engine.stop import evaluate_at
from gamedsl.language.boards.domains import Domain
from gamedsl.language.core.constant_folding import RangeProblem, evaluate
from gamedsl.language.core.nodes import (
    AfterE,
    Alt,
    Assign,
    Block,
    CallF,
    Cond,
    Const,
    CoreStmt,
    Decide,
    ElemT,
    End,
    Expr,
    ForS,
    Function,
    Get,
    IfS,
    IntT,
    LetS,
    Load,
    Local,
    Lookup,
    Loop,
    MoveBranch,
    Op1,
    Op2,
    SetT,
    SomeMove,
    StopS,
    Var,
)
from tests.engine.coregames import elem, everything, number, payoffs, program, schema
from tests.engine.plays import GAMES
from tests.language.core.closed import BOOL, ELEM, NEAR, OPT, SET, WIDE, D, closed
from tests.language.core.verifier import verify
from tests.values import codes_named

CODE = GAMES["three"].code
ONE = Domain("player", ("me",))
N = Var(0, "n", IntT(0, 1000))
GET_N = Get(N, (), N.type)  # type: ignore[arg-type]


def check_alike(e: Expr) -> None:
    try:
        wanted: object = evaluate(e, {})
    except RangeProblem:
        wanted = "fails"
    try:
        found: object = CODE.compile(e, ())([])
    except RulesError:
        found = "fails"
    assert found == wanted


@given(st.sampled_from([BOOL, ELEM, SET, OPT, WIDE]).flatmap(closed))
@settings(max_examples=300, deadline=None)
def test_translated_and_evaluated_alike(e: Expr) -> None:
    check_alike(e)


@given(st.integers(0, 15), closed(SET, 3), st.booleans())
@settings(max_examples=200, deadline=None)
def test_loops_over_constant_sets_are_evaluated_alike(over: int, rest: Expr, is_union: bool) -> None:
    """Of entries of a table: whether one is within a set, and the union of what some members give."""
    x = Local(0, "x", ELEM)
    entry = Lookup(NEAR, (Load(x),))
    kind, body = ("union", Op2("meet", entry, rest, SET)) if is_union else ("some", Op2("within", entry, rest, BOOL))
    e = Loop(kind, x, Const(over, SET), None, body, SET if is_union else BOOL)  # type: ignore[arg-type]
    check_alike(e)


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_locals_are_passed_on(data: st.DataObject) -> None:
    free = Local(0, "free", ELEM)
    e = data.draw(closed(BOOL, 4, (free,)))
    function = CODE.compile(e, (free,))
    for i in range(D.size):
        try:
            wanted: object = evaluate(e, {0: i})
        except RangeProblem:
            continue
        assert function([], i) == wanted


def add_one(e: Expr) -> Expr:
    return Op2("min", Op2("add", e, number(1), IntT(0, 1001)), number(1000), N.type)  # type: ignore[arg-type]


def game(effect: tuple[CoreStmt, ...], functions: tuple[Function, ...] = ()) -> Game:
    """A game whose move has this effect."""
    me, one = Local(1, "me", ElemT(ONE)), elem(ONE, 0)
    blocks = [
        Block(0, (), Decide(one, one, (Alt(0, 0, ()),), (), None, 1, 0), "", 0),
        Block(1, (), End(payoffs(ONE, everything(ONE)), everything(ONE), ()), "", 0),
    ]
    p = program("deep", ONE, [N], [schema(0, "act", me, [], [], effect)], blocks, functions)
    assert verify(p) == []
    return InterpretedGame(p)


def after(g: Game) -> int:
    state = g.initial_state()
    return int(codes_named(state.apply(state.legal_moves()[0]), "n")[0])


@pytest.mark.parametrize("depth", [1, 50, 150])
def test_deep_expressions(depth: int) -> None:
    e: Expr = GET_N
    for _ in range(depth):
        e = add_one(e)
    assert after(game((Assign(N, (), e),))) == depth
    for i in range(depth):
        e = Cond(Op2("lt", number(i), GET_N, BOOL), GET_N, e, N.type)  # type: ignore[arg-type]
    assert after(game((Assign(N, (), e),))) == depth


def test_long_chains() -> None:
    e: Expr = Const(0, SET)
    for i in range(900):
        e = Op2("union", e, Op1("single", elem(D, i % 4), SET), SET)
    assert CODE.compile(e, ())([]) == 15


@pytest.mark.parametrize("depth", [1, 30, 120])
def test_deep_statements(depth: int) -> None:
    """Loops and conditions inside each other; names from outside are known inside; ``stop`` leaves the whole effect."""
    twice = Domain("twice", ("a",))
    outer = Local(5, "outer", N.type)  # type: ignore[arg-type]
    inside: tuple[CoreStmt, ...] = (Assign(N, (), add_one(Load(outer))), StopS(), Assign(N, (), number(0)))
    for i in range(depth):
        if i % 2:
            inside = (ForS(Local(100 + i, "x", ElemT(twice)), Const(1, SetT(twice)), inside),)
        else:
            inside = (IfS(Const(1, BOOL), inside, (StopS(),)),)
    effect = (LetS(outer, add_one(GET_N)), *inside, Assign(N, (), number(999)))
    assert after(game(effect)) == 2


def test_a_stop_ends_one_effect_only() -> None:
    stop = IfS(Op2("lt", number(0), GET_N, BOOL), (StopS(),), ())
    assert after(game((stop, Assign(N, (), number(7))))) == 7


def test_functions_call_functions() -> None:
    x, y = Local(10, "x", IntT(0, 1000)), Local(11, "y", IntT(0, 1000))
    functions = (
        Function(0, "more", (x,), add_one(Load(x))),
        Function(1, "two more", (y,), CallF(0, (CallF(0, (Load(y),), N.type),), N.type)),  # type: ignore[arg-type]
    )
    assert after(game((Assign(N, (), CallF(1, (GET_N,), N.type)),), functions)) == 2  # type: ignore[arg-type]


def test_looking_ahead_leaves_the_position_alone() -> None:
    """After one move n is 1, after two 2; the question is asked about a copy."""
    me = Local(1, "me", ElemT(ONE))
    p = game((Assign(N, (), add_one(GET_N)),)).program
    once = AfterE(0, (elem(ONE, 0),), (), Op2("eq", GET_N, number(1), BOOL), ())
    twice = AfterE(0, (elem(ONE, 0),), (), AfterE(0, (elem(ONE, 0),), (), Op2("eq", GET_N, number(2), BOOL)))
    branch = MoveBranch(
        0,
        Local(20, "me", me.type),
        (),
        AfterE(0, (Load(Local(20, "me", me.type)),), (), Op2("eq", GET_N, number(1), BOOL)),
    )
    tried = SomeMove("every", elem(ONE, 0), (branch,), True, (), BOOL)
    waiting = AfterE(None, (), (Assign(N, (), number(5)),), Op2("eq", GET_N, number(5), BOOL))
    state = InterpretedGame(p).initial_state()
    for question in (once, twice, tried, waiting):
        assert evaluate_at(state, question) == 1
        assert codes_named(state, "n") == [0]
