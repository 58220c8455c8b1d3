"""The methods in machine code against those of the interpreter."""

from __future__ import annotations

import gc
import pickle
import sys
from inspect import getdoc
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import gamedsl
from gamedsl.compiler.emit.methods.method_words import ENTRIES
from gamedsl.compiler.host import convert, native_game, state_methods
from gamedsl.compiler.host.native_game import NativeGame
from gamedsl.compiler.host.native_state import NativeState
from gamedsl.engine import InterpretedGame, State
from gamedsl.language.source import GameDSLError
from tests.compiler.generate import random_text
from tests.compiler.test_python_states import SHIPPED, games, program_of
from tests.shipped_sample import sampled

QUICK = state_methods.quick_type(NativeState)
needs_quick = pytest.mark.skipif(QUICK is None, reason="this Python keeps the methods in Python")


def outcome(state: State, action: Any, **options: Any) -> Any:
    """The state after an action, or the type and the text of the error."""
    try:
        return state.apply_action(action, **options)
    except (GameDSLError, TypeError) as e:
        return type(e), str(e)


def same_arrays(slow: State, fast: State) -> None:
    """Masks and observations, each a new array."""
    for told, by in ((slow, fast), (fast, slow)):
        mask, again = told.action_mask(), by.action_mask()
        assert mask.dtype == again.dtype == np.bool_ and np.array_equal(mask, again)
        mask[:] = True
    for seat in (None, *range(slow.game.num_players)):
        seen, tensor = slow.observation_tensor(seat), fast.observation_tensor(seat)
        assert seen.dtype == tensor.dtype == np.float32 and np.array_equal(seen, tensor)
        tensor[:] = 7.0


def same_play(slow: State, fast: State, rng: Random, plies: int) -> tuple[State, State]:
    """The last states of a random play by both."""
    wrong = slow.game.num_actions - 1
    for _ in range(plies):
        assert fast.is_terminal == slow.is_terminal
        assert fast.current_player == slow.current_player
        if slow.is_terminal or slow.kind == "drawing":
            break
        if rng.random() < 0.3:
            same_arrays(slow, fast)
        actions = slow.legal_actions()
        if rng.random() < 0.8:  # else legal actions are found when one is applied
            assert fast.legal_actions() == actions == sorted(actions)
        if wrong not in actions and wrong >= 0:
            assert outcome(fast, wrong) == outcome(slow, wrong)
        wrong = action = rng.choice(actions)
        after = outcome(slow, action)
        assert outcome(fast, action) == after
        if not isinstance(after, State):
            break
        slow, fast = after, fast.apply_action(action)
    return slow, fast


@pytest.mark.parametrize("name", sampled(SHIPPED, "single states"))
def test_plays_by_numbers(name: str) -> None:
    slow, fast = games(name)
    for seed in range(2):
        last, same = same_play(slow.initial_state(), fast.initial_state(), Random(seed), 25)
        assert same == last and same.history == last.history and same.returns == last.returns
        assert pickle.loads(pickle.dumps(same)) == same


@pytest.mark.parametrize("seed", range(8))
def test_random_rulesets_by_numbers(seed: int, tmp_path: Path) -> None:
    """Also where the rules fail: both tell the same error."""
    program = program_of(random_text(seed), tmp_path)
    try:
        first = InterpretedGame(program).initial_state(), NativeGame(program).initial_state()
    except GameDSLError:
        pytest.skip("the first position goes wrong")
    same_play(*first, Random(seed), 40)


@needs_quick
def test_states_have_the_methods_in_machine_code() -> None:
    state = gamedsl.load("tic-tac-toe", backend="native").initial_state()
    assert type(state) is QUICK and isinstance(state, NativeState)
    assert type(state.apply_action(0)) is QUICK and type(state.apply(state.legal_moves()[0])) is QUICK
    assert type(vars(QUICK)["apply_action"]).__name__ == "method_descriptor"


def test_arguments() -> None:
    state = gamedsl.load("tic-tac-toe", backend="native").initial_state()
    after = state.apply_action(4)
    assert state.apply_action(np.int64(4)) == after == state.apply_action(action=4) == state.apply_action(4, 0)
    assert state.apply_action(4, player=None) == after and state.apply_action(True) == state.apply_action(1)
    assert state.legal_actions(0) == state.legal_actions() == list(range(9)) == state.legal_actions(player=None)
    assert state.legal_actions(1) == []
    for wrong in (4.0, "4", None):
        with pytest.raises(TypeError):
            state.apply_action(wrong)  # type: ignore[arg-type]
    for too_few_or_many in ((), (1, 0, 0)):
        with pytest.raises(TypeError):
            state.apply_action(*too_few_or_many)
    with pytest.raises(GameDSLError, match="there is no action 9"):
        state.apply_action(9)
    with pytest.raises(GameDSLError, match="there is no action"):
        state.apply_action(1 << 80)
    with pytest.raises(GameDSLError, match="that square is taken"):
        after.apply_action(4)


def test_arguments_of_masks_and_observations() -> None:
    native_game = gamedsl.load("tic-tac-toe", backend="native")
    state = native_game.initial_state().apply_action(4)
    for _ in range(2):  # in Python, then in machine code
        assert state.action_mask().tolist() == state.action_mask(1).tolist() == state.action_mask(player=None).tolist()
        assert not state.action_mask(0).any() and state.action_mask().sum() == 8 and state.action_mask().flags.writeable
        told = state.observation_tensor(1)
        assert told.flags.writeable and told.flags.owndata and told.shape == native_game.observation_layout.shape
        for same in (state.observation_tensor(player=1), state.observation_tensor(1, "whole")):
            assert np.array_equal(told, same)
        assert state.observation_tensor(True).shape == state.observation_tensor(None, part="public").shape
        for nobody in (2, -1, -2, 1 << 80):
            with pytest.raises(gamedsl.GameDSLError, match="no seat"):
                state.observation_tensor(nobody)
        with pytest.raises(TypeError):
            state.observation_tensor()  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        state.current_player = 1  # type: ignore[misc]


@needs_quick
def test_methods_keep_what_is_said_about_them() -> None:
    for name in ENTRIES:
        assert getdoc(vars(QUICK)[name]) == getdoc(getattr(State, name))


def test_lists_are_the_callers() -> None:
    state = gamedsl.load("tic-tac-toe", backend="native").initial_state()
    state.legal_actions().clear()
    state.legal_actions().append(100)
    assert state.legal_actions() == list(range(9)) and state.apply_action(8).legal_actions() == list(range(8))


def test_noted_positions_move_to_another_arena(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(convert, "ENTRIES", 1)
    slow, fast = games("go")
    monkeypatch.setattr(fast, "_first", None)
    states, rng = [(slow.initial_state(), fast.initial_state())], Random(3)
    while not states[-1][0].is_terminal and len(states) < 120:
        action = rng.choice(states[-1][1].legal_actions())
        states.append((states[-1][0].apply_action(action), states[-1][1].apply_action(action)))
    assert len({id(s._at[1]) for _, s in states if isinstance(s, NativeState)}) > 1
    assert states[-1][1] == states[-1][0]
    for before, same in states[::-15]:
        assert same.legal_actions() == before.legal_actions()


@needs_quick
def test_nothing_is_kept_that_nobody_refers_to() -> None:
    """References are counted as they should be: no state of a play outlives it, and constants keep their counts."""
    played = gamedsl.load("connect-four", backend="native")
    first = played.initial_state()

    def plays(n: int) -> None:
        for seed in range(n):
            rng, state = Random(seed), first
            while not state.is_terminal:
                mask, seen = state.action_mask(), state.observation_tensor(state.current_player)
                assert mask.any() and seen.any()
                state = state.apply_action(rng.choice(state.legal_actions()))
            assert outcome(state, 3)[0] is not None

    def counts() -> list[int]:
        gc.collect()
        alive = sum(issubclass(type(o), NativeState) for o in gc.get_objects())  # (some are dead references)
        numpys = np.dtype(np.bool_), np.dtype(np.float32), np.zeros, np.empty
        shared = (None, True, False, played, QUICK, first, first._at[1], *numpys)  # type: ignore[attr-defined]
        return [alive, *map(sys.getrefcount, shared)]

    plays(2)
    before = counts()
    plays(50)
    assert all(abs(a - b) < 30 for a, b in zip(counts(), before, strict=True))


def test_methods_in_python_serve_where_machine_code_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native_game, "quick_type", lambda _: None)
    for name in ("tic-tac-toe", "backgammon", "goofspiel"):
        slow = games(name)[0]
        fast = NativeGame(slow.program)
        assert type(fast.initial_state()) is NativeState
        same_play(slow.initial_state(), fast.initial_state(), Random(1), 12)
