"""Compiled code tells of single states what the interpreter tells: observations and masks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest

from gamedsl.compiler import NativeGame, why_not_observed
from gamedsl.compiler.host.native_state import NativeState
from gamedsl.language.rules import load_program
from tests.shipped_sample import sampled, small

RULESETS = Path(__file__).parents[2] / "rulesets"
SHIPPED = sorted(p.stem for folder in (RULESETS, RULESETS / "classics") for p in folder.glob("*.gdl"))


def game_of(name: str) -> NativeGame:
    return NativeGame(load_program(name, small(name)))


def states(game: NativeGame, plays: int, most: int) -> Iterator[NativeState]:
    rng = Random(4)
    for _ in range(plays):
        state = game.initial_state()
        for _ in range(most):
            assert isinstance(state, NativeState)
            yield state
            if state.is_terminal:
                break
            move = (
                rng.choice(state.legal_moves(rng.choice(state.to_act)))
                if state.kind == "together"
                else state.propose(rng)
            )
            state = state.apply(move)


@pytest.mark.parametrize("name", sampled(SHIPPED, "single states"))
def test_states_look_as_the_interpreter_says(name: str) -> None:
    game = game_of(name)
    for state in states(game, 2, 25):
        for seat in (None, *range(game.num_players)):
            assert np.array_equal(state.observation_tensor(seat), state.plain.observation_tensor(seat))
        if state.kind != "drawing":
            mask = state.action_mask()
            assert mask.dtype == np.bool_ and np.array_equal(mask, state.plain.action_mask())


@pytest.mark.parametrize("name", ("tic-tac-toe", "leduc-poker", "goofspiel"))
def test_compiled_code_answers(name: str) -> None:
    """The interpreter is asked only where a seat has an open choice of its own."""
    game = game_of(name)
    assert game.observing
    for state in states(game, 2, 25):
        for seat in range(game.num_players):
            chosen = state.kind == "together" and seat not in state.to_act
            told = game.observing.tensor(state._context, state._data, seat)
            assert (told is None) == chosen


def test_every_call_makes_a_new_array() -> None:
    state = game_of("tic-tac-toe").initial_state()
    for call in (lambda: state.observation_tensor(0), state.action_mask):
        first = call()
        first[:] = 0
        assert not np.array_equal(call(), first)


def test_a_choice_of_ones_own_is_seen() -> None:
    """Who has chosen sees the choice; the other sees no difference."""
    state = game_of("goofspiel").initial_state()
    while state.kind != "together":
        state = state.apply(state.propose(Random(1)))
    [one, two] = (state.apply_action(a) for a in state.legal_actions()[:2])
    assert not np.array_equal(one.observation_tensor(0), two.observation_tensor(0))
    assert np.array_equal(one.observation_tensor(1), two.observation_tensor(1))
    assert np.array_equal(one.observation_tensor(1), state.observation_tensor(1))


def test_the_law_is_about_most_rulesets() -> None:
    """Those in which players draw are left to the interpreter."""
    refused = [
        n for n in ("abs-trac-toe", "chess", "dark-hex", "leduc-poker", "backgammon") if why_not_observed(game_of(n))
    ]
    assert refused == ["abs-trac-toe"]
