"""Long plays keep their moves, and only the last states; the others are made again."""

from __future__ import annotations

import gc
import pickle
import random
import weakref
from typing import Any

import pytest

import gamedsl
from gamedsl import State
from gamedsl.engine.interpreted_state import InterpretedState
from gamedsl.engine.past import KEPT
from gamedsl.engine.play.history import steps

BACKENDS = ["interpreter", "native"]


class Watched(InterpretedState):
    """A state that can be watched."""

    __slots__ = ("__weakref__",)


def long_play(name: str, backend: Any, plies: int) -> list[State]:
    """All states of a play in which nobody hurries."""
    state, rng = gamedsl.load(name, backend=backend).initial_state(), random.Random(1)
    found = [state]
    while len(found) <= plies and not state.is_terminal:
        actions = state.legal_actions()
        state = state.apply_action(rng.choice(actions))
        found.append(state)
    return found


def reachable(state: State) -> int:
    """The states that a state keeps alive, with itself."""
    known, todo = {id(state): state}, [state]
    while todo:
        for one in gc.get_referents(todo.pop()):
            if isinstance(one, State | tuple | dict) and id(one) not in known:
                known[id(one)] = one
                todo.append(one)
    return sum(isinstance(s, State) for s in known.values())


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_long_play_keeps_few_states(backend: Any) -> None:
    states = long_play("backgammon", backend, 300)
    assert len(states) > 150
    assert reachable(states[-1]) <= 2 * (2 * KEPT + 1)  # a compiled state may have an interpreted one
    assert reachable(states[10]) <= 2 * 11


def test_states_before_are_freed() -> None:
    state, rng = gamedsl.load("backgammon", backend="interpreter").initial_state(), random.Random(1)
    seen: list[weakref.ref[State]] = []
    for _ in range(5 * KEPT):
        after = state.apply(state.propose(rng))
        state = Watched(after.game, after.block, after.slots, after.pending, after.entered)
        state.past, state.previous = after.past, after.previous
        seen.append(weakref.ref(state))
    del after
    assert sum(one() is not None for one in seen) <= 2 * KEPT + 1
    assert seen[-1]() is state and seen[1]() is None


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ["backgammon", "whist"])
def test_states_are_made_again(name: str, backend: Any) -> None:
    states = long_play(name, backend, 90)
    last = states[-1]
    assert len(states) > 2 * KEPT and [s for s, _ in steps(last)] == states
    assert len(last.history) == len(states) - 1 and last.first_state is states[0]
    again = states[0]
    for move in last.history:
        again = again.apply(move)
    assert again == last and again.history == last.history
    assert pickle.loads(pickle.dumps(last)).history == last.history


def test_information_states_are_the_same_however_asked() -> None:
    """Asked at every state, at some, and at the end only."""
    often, rarely, once = (long_play("whist", "native", 80) for _ in range(3))
    keys = [s.information_state(0).key for s in often]
    assert [s.information_state(0).key for s in rarely[5::40]] == keys[5::40]
    assert once[-1].information_state(0).key == keys[-1] == rarely[-1].information_state(0).key
    assert once[-1].information_state(1).text == often[-1].information_state(1).text
