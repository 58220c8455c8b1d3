"""Playing: whose turn, legal moves, applying, results; counted against numbers from outside."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamedsl.engine import Game, InterpretedGame
from gamedsl.engine.errors import RulesError
from gamedsl.engine.moves import Move
from gamedsl.engine.perft_counts import perft
from gamedsl.language.boards.domains import Domain
from gamedsl.language.core.nodes import (
    Alt,
    Assign,
    Block,
    Chance,
    Check,
    Const,
    Convert,
    Decide,
    ElemT,
    End,
    Get,
    Goto,
    IntT,
    Local,
    Op1,
    Op2,
    OptT,
    PopS,
    PushS,
    SetT,
    StackOp,
    StackT,
    Var,
)
from gamedsl.language.source.diagnostic import GameDSLError
from tests.engine.coregames import (
    ALL,
    BOOL,
    dice_race,
    elem,
    everything,
    number,
    payoffs,
    program,
    schema,
    three_in_a_row,
)
from tests.engine.plays import GAMES, last, play
from tests.values import codes_named


def texts(moves: list[Move]) -> list[str]:
    return [str(m) for m in moves]


# ----------------------------------------------------------------------------------------------- known numbers


@pytest.mark.parametrize("depth,wanted", list(enumerate([1, 9, 72, 504, 3024, 15120, 54720])))
def test_perft_of_three_in_a_row(depth: int, wanted: int) -> None:
    assert perft(GAMES["three"].initial_state(), depth) == wanted


@pytest.mark.slow
def test_all_255168_plays_of_three_in_a_row() -> None:
    """9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872 sequences; 131184 + 77904 wins and 46080 draws."""
    state = GAMES["three"].initial_state()
    assert [perft(state, d) for d in (7, 8, 9, 10)] == [148176, 200448, 127872, 0]


def test_perft_of_choices_at_once() -> None:
    """Nine joint choices, three of them ties that are played again."""
    state = GAMES["odd"].initial_state()
    assert [perft(state, d) for d in range(1, 5)] == [9, 27, 81, 243]
    divided = perft(state, 2, divide=True)
    assert isinstance(divided, dict)
    assert divided["one: rock, two: rock"] == 9 and divided["one: rock, two: paper"] == 0


def test_perft_counts_outcomes_of_chance() -> None:
    """Roll or pass; after "roll" three faces. 2, 3 + 2, then 3 * 2 + 3 + 2."""
    state = GAMES["dice"].initial_state()
    assert [perft(state, d) for d in (0, 1, 2, 3)] == [1, 2, 5, 11]


@pytest.mark.parametrize("name", ALL)
def test_divide_sums_up(name: str) -> None:
    state = GAMES[name].initial_state()
    divided = perft(state, 3, divide=True)
    assert isinstance(divided, dict) and sum(divided.values()) == perft(state, 3)


# ---------------------------------------------------------------------------------------------------- laws of play


@pytest.mark.parametrize("name", ALL)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_laws_along_a_play(name: str, seed: int) -> None:
    game = GAMES[name]
    for state, move in play(game, seed):
        before = (state.slots, state.pending, state.block)
        after = state.apply(move)
        assert (state.slots, state.pending, state.block) == before  # never changed
        assert after == state.apply(move) and hash(after) == hash(state.apply(move))
        assert state.why_not(move) == []
        assert state.to_act or state.kind == "chance"
        legal = state.legal_moves()
        assert move in legal and len(set(texts(legal))) == len(legal) == state.count_moves()
        if state.kind == "chance":
            assert sum(p for _, p in state.chance_outcomes()) == 1 and state.current_player == -1
        elif state.kind == "together":
            assert state.current_player == -2
        else:
            assert state.to_act == (state.current_player,)
        assert not state.is_terminal and state.outcome_text == ""
        for m in state.legal_moves(mistakes=True):
            assert state.apply(m) is not None


@pytest.mark.parametrize("name", ["three", "dice", "odd"])
def test_plays_end_with_utilities_that_cancel_out(name: str) -> None:
    for seed in range(20):
        state = last(GAMES[name], seed)
        assert state.is_terminal and state.current_player == -3 and state.to_act == ()
        assert sum(state.returns) == 0 and all(-1 <= r <= 1 for r in state.returns)
        assert {i for i, r in enumerate(state.returns) if r == 1} == set(state.winners)
        assert state.outcome_text and state.legal_moves() == []
        with pytest.raises(GameDSLError):
            state.apply(Move("pass", None, "pass", 0, (), "pass"))
        with pytest.raises(GameDSLError):
            state.propose(random.Random(1))


def test_legal_moves_are_those_that_fit() -> None:
    """The plan against the plain question, for every square of many positions."""
    game = GAMES["three"]
    for seed in range(10):
        for state, _ in play(game, seed):
            fitting = [c for c in range(9) if game.code.schemas[0].fits(state.slots, state.current_player, c)]
            assert [m.args[0] for m in state.legal_moves()] == fitting


def test_results_of_a_dice_race() -> None:
    game = GAMES["dice"]
    state = game.initial_state()
    for text in ("roll the die", "roll 3", "pass", "roll the die", "roll 2"):
        state = state.apply(game.parse_move(text, state))
    assert state.outcome_text == "a wins (a 5, b 0)"
    assert state.scores == (5, 0) and state.winners == {0} and state.returns == (Fraction(1), Fraction(-1))


def test_a_draw() -> None:
    game = GAMES["three"]
    state = game.initial_state()
    for text in ["r1c1", "r1c2", "r1c3", "r2c2", "r2c1", "r2c3", "r3c2", "r3c1", "r3c3"]:
        state = state.apply(game.parse_move(text, state))
    assert state.outcome_text == "a draw" and state.returns == (0, 0) and state.winners == frozenset()


def test_chance_falls_by_its_weights() -> None:
    p = dice_race()
    end = p.blocks[2].end
    assert isinstance(end, Chance)
    weight = Op2("mul", Convert(_load(end), IntT(0, 2)), number(3), IntT(0, 6))
    game = InterpretedGame(
        replace(p, blocks=tuple(replace(b, end=replace(end, weight=weight)) if b.index == 2 else b for b in p.blocks))
    )
    state = game.initial_state()
    state = state.apply(state.legal_moves()[0])
    outcomes = state.chance_outcomes()
    assert [(str(m), p) for m, p in outcomes] == [("roll 2", Fraction(1, 3)), ("roll 3", Fraction(2, 3))]
    counted = Counter(str(state.propose(random.Random(i))) for i in range(600))
    assert 150 < counted["roll 2"] < 250 and counted["roll 2"] + counted["roll 3"] == 600
    with pytest.raises(GameDSLError, match="not a possible outcome"):
        state.apply(game.parse_move("roll 1", state))


def _load(end: Chance):  # type: ignore[no-untyped-def]
    from gamedsl.language.core.nodes import Load

    return Load(end.local)


# ------------------------------------------------------------------------------------------------- at once


def test_choices_at_once_in_any_order() -> None:
    game = GAMES["odd"]
    start = game.initial_state()
    one, two = game.parse_move("rock", start, 0), game.parse_move("paper", start, 1)
    assert start.apply(one).apply(two) == start.apply(two).apply(one) == start.apply_joint({1: two, 0: one})
    assert start.apply(one).to_act == (1,) and start.apply(two).to_act == (0,)
    assert start.apply(one) != start.apply(game.parse_move("paper", start, 0))
    assert start.apply(one).apply(two).winners == {1}
    with pytest.raises(GameDSLError, match="already chosen"):
        start.apply(one).apply(one)
    with pytest.raises(GameDSLError, match="two has not chosen"):
        start.apply_joint({0: one})


def test_a_tie_is_played_again_from_the_same_state() -> None:
    game = GAMES["odd"]
    start = game.initial_state()
    tie = {p: game.parse_move("scissors", start, p) for p in (0, 1)}
    assert start.apply_joint(tie) == start


def test_moves_of_one_player_at_once() -> None:
    start = GAMES["odd"].initial_state()
    assert {m.player for m in start.legal_moves(1)} == {1}
    after = start.apply(start.legal_moves(1)[0])
    assert after.legal_moves(1) == [] and {m.player for m in after.legal_moves()} == {0}


# ----------------------------------------------------------------------------------------------------- rules errors


def one_step(effect, variables, extra=()) -> Game:  # type: ignore[no-untyped-def]
    """A game of one player whose only move has this effect."""
    players = Domain("player", ("me",))
    me = Local(1, "me", ElemT(players))
    one = elem(players, 0)
    move = schema(0, "act", me, [], [], effect)
    blocks = [
        Block(0, (), Decide(one, one, (Alt(0, 1, ()),), (), None, None, 0), "", 0),
        Block(1, tuple(extra), Goto(0), "", 0),
        Block(2, (), End((number(0),), Const(0, SetT(players)), ()), "", 0),
    ]
    return InterpretedGame(program("one step", players, variables, [move], blocks))


D = Domain("d", ("a", "b"))
N, S, M, STACK = (
    Var(0, "n", IntT(0, 2)),
    Var(1, "s", SetT(D)),
    Var(2, "m", OptT(ElemT(D))),
    Var(3, "t", StackT(ElemT(D), 2)),
)
VARS = [N, S, M, STACK]
GET_N = Get(N, (), IntT(0, 2))
ERRORS = {
    "out of range": Assign(N, (), Convert(Op2("sub", GET_N, number(1), IntT(-1, 1)), IntT(0, 2))),
    "division": Assign(N, (), Op2("div", number(1), GET_N, IntT(0, 2))),
    "set is empty": Assign(M, (), Op1("wrap", Op1("first", Get(S, (), SetT(D)), ElemT(D)), OptT(ElemT(D)))),
    "none": Assign(S, (), Op1("single", Op1("unwrap", Get(M, (), OptT(ElemT(D))), ElemT(D)), SetT(D))),
    "taken already": Check(Op2("lt", number(0), GET_N, BOOL), "it is taken already"),
    "stack is empty": PopS(STACK, ()),
}


@pytest.mark.parametrize("words", ERRORS)
def test_a_rule_that_cannot_be_followed(words: str) -> None:
    state = one_step([ERRORS[words]], VARS).initial_state()
    with pytest.raises(RulesError, match=words) as caught:
        state.apply(state.legal_moves()[0])
    assert caught.value.diagnostics[0].code == "E0510"


def test_stacks() -> None:
    push = PushS(STACK, (), elem(D, 1))
    top = Assign(S, (), Op1("single", StackOp("top", STACK, (), ElemT(D)), SetT(D)))
    height = Assign(N, (), StackOp("height", STACK, (), IntT(0, 2)))
    state = one_step([push, top, height], VARS).initial_state()
    state = state.apply(state.legal_moves()[0])
    assert (codes_named(state, "t"), codes_named(state, "s"), codes_named(state, "n")) == ([(1,)], [2], [1])
    state = state.apply(state.legal_moves()[0])
    assert codes_named(state, "t") == [(1, 1)] and codes_named(state, "n") == [2]
    with pytest.raises(RulesError, match="stack is full"):
        state.apply(state.legal_moves()[0])


def test_a_play_without_stops_is_an_error() -> None:
    p = three_in_a_row()
    with pytest.raises(RulesError, match="forever"):
        InterpretedGame(replace(p, blocks=(replace(p.blocks[0], end=Goto(0)), *p.blocks[1:]))).initial_state()


def test_nobody_can_act() -> None:
    players = Domain("player", ("me",))
    me, one = Local(1, "me", ElemT(players)), elem(players, 0)
    from tests.engine.coregames import guard

    move = schema(0, "act", me, [], [guard(Const(0, BOOL))], [])
    stop = Decide(one, one, (Alt(0, 0, ()),), (), None, None, 0)
    over = Block(1, (), End(payoffs(players, everything(players)), everything(players), ()), "", 0)
    with pytest.raises(RulesError, match="no legal move"):
        InterpretedGame(program("g", players, [], [move], [Block(0, (), stop, "", 0), over])).initial_state()
    stuck = InterpretedGame(
        program("g", players, [], [move], [Block(0, (), replace(stop, stuck=1), "", 0), over])
    ).initial_state()
    assert stuck.is_terminal and stuck.outcome_text == "me wins"
    passing = InterpretedGame(
        program("g", players, [], [move], [Block(0, (), replace(stop, may_pass=1), "", 0), over])
    ).initial_state()
    assert texts(passing.legal_moves()) == ["pass"] and passing.apply(passing.legal_moves()[0]).is_terminal


def test_a_mistake_is_legal_but_not_proposed() -> None:
    game = GAMES["walk"]
    state = game.initial_state()
    state = state.apply(game.parse_move("s1", state))
    assert texts(state.legal_moves()) == ["step s0", "step s2", "pass"]
    assert texts(state.legal_moves(mistakes=True)) == ["step s0", "step s2", "oops", "pass"]
    oops = game.parse_move("oops", state)
    assert state.why_not(oops) == [] and codes_named(state.apply(oops), "here") == [0]
    assert all(str(state.propose(random.Random(i))) != "oops" for i in range(50))


def test_a_history_ends_the_walk() -> None:
    game = GAMES["walk"]
    state = game.initial_state()
    for text in ("s1", "pass"):
        state = state.apply(game.parse_move(text, state))
    assert not state.is_terminal
    assert state.apply(game.parse_move("pass", state)).is_terminal  # s1 for the third time
