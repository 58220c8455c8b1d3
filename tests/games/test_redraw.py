"""Drawing the board anew: on offer after exactly the occasions of the rules, until somebody does it, and without effect."""

from __future__ import annotations

from random import Random

import pytest

import gamedsl
from gamedsl import Move, State
from gamedsl.engine.information.paper import Sheet
from gamedsl.engine.positions.names import find_variable
from gamedsl.engine.stop import codes_of

NAME = "t-tic-t-tac-toe-game"


def vanishes(state: State) -> bool:
    """Whether a checkpoint disappears with the ply that comes now."""
    return 1 in codes_of(state, find_variable(state.game, "charlie", state.part))


def occasion(state: State, move: Move) -> bool:
    """A super, a snipped curtain, a torn-down wall, a checkpoint that disappears."""
    return move.name in ("super", "rescue", "snip", "tear_down") or vanishes(state)


@pytest.mark.parametrize("edition", ["v1", "v2"])
@pytest.mark.parametrize("seed", range(15))
def test_offered_after_the_occasions_and_until_done(edition: str, seed: int) -> None:
    rng = Random(seed)
    state, sheet = gamedsl.load(NAME, edition=edition).initial_state(), Sheet()
    expected = False
    while not state.is_terminal:
        move = state.propose(rng)
        following = state.apply(move)
        sheet = sheet.after(state, move, following)
        expected = expected or occasion(state, move)
        assert sheet.may_redraw is expected, str(move)
        if expected and rng.random() < 0.3:
            before = following.serialize()
            sheet, expected = sheet.redrawn(), False
            assert not sheet.may_redraw and not any(x.until_redrawn for x in sheet.left)
            assert following.serialize() == before
        state = following


def test_a_refused_ply_allows_it() -> None:
    state = gamedsl.load(NAME).initial_state()
    assert not Sheet().may_redraw
    assert Sheet().refused(state).may_redraw


def test_a_mistake_does_not() -> None:
    game = gamedsl.load(NAME, bwah=True)
    state = game.initial_state()
    move = game.parse_move("bwah a1", state)
    assert not Sheet().after(state, move, state.apply(move)).may_redraw


def test_what_is_left_on_the_paper() -> None:
    game = gamedsl.load(NAME, edition="v1")
    state, sheet = game.initial_state(), Sheet()
    for text in ("a1", "super b2", "e1", "e5", "tear down first_wall"):
        move = game.parse_move(text, state)
        following = state.apply(move)
        sheet = sheet.after(state, move, following)
        state = following
    assert [len(x.on) for x in sheet.left] == [4, 0]
    assert sheet.redrawn().left == ()


def test_a_new_game_has_a_new_paper() -> None:
    game = gamedsl.load("t-tic-t-tac-toe")
    state, sheet = game.initial_state(), Sheet()
    prelude = ["rock", "scissors", "a1", "b1", "a2", "b2", "a3", "v2"]
    for text in (*prelude, "super c3", "a1", "e2", "c1", "d2", "b1"):
        player = state.to_act[0]
        move = game.parse_move(text, state, player)
        following = state.apply(move)
        sheet = sheet.after(state, move, following)
        state = following
    assert state.part != 0 and sheet.left == () and not sheet.may_redraw
