"""``VectorEnv.step`` in machine code: for all arguments it does what the method in Python does."""

from __future__ import annotations

import gc
import sys
import threading
import weakref
from typing import Any

import numpy as np
import pytest

import gamedsl
from gamedsl.compiler.host import step_function
from gamedsl.envs import VectorEnv
from gamedsl.language.source import GameDSLError, UsageError

GAME = gamedsl.load("tic-tac-toe", backend="native")
LANES = 6
IS_QUICK = "step" in vars(VectorEnv(GAME, 1))
needs_quick = pytest.mark.skipif(not IS_QUICK, reason="this Python keeps the step in Python")


class InPython(VectorEnv):
    """Its step is the one in Python."""

    def step(self, actions: Any) -> Any:
        return super().step(actions)


def apart(actions: Any) -> Any:
    """The same numbers, not one after the other in memory."""
    found = np.full(2 * len(actions), 99)
    found[::2] = actions
    return found[::2]


SHAPES = [
    lambda actions: actions,
    lambda actions: actions.tolist(),
    lambda actions: actions.astype(np.int32),
    lambda actions: actions.astype(np.uint8),
    lambda actions: actions.astype(">i8"),
    lambda actions: actions.reshape(2, 3).reshape(-1),
    lambda actions: np.frombuffer(b"-" + actions.tobytes(), np.int64, offset=1),  # not aligned
    lambda actions: np.ma.masked_array(actions),
    apart,
]


@pytest.mark.parametrize("shape", SHAPES)
def test_any_integers_in_a_row_are_actions(shape: Any) -> None:
    quick, slow, rng = VectorEnv(GAME, LANES), InPython(GAME, LANES), np.random.default_rng(2)
    assert "step" not in vars(slow)
    for _ in range(30):
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in slow.masks])
        told = quick.step(shape(actions))
        for mine, other in zip(told, slow.step(actions), strict=True):
            assert np.array_equal(mine, other)
        assert told[0] is quick.observations and told[1] is quick.rewards
        assert np.array_equal(quick.masks, slow.masks) and np.array_equal(quick.players, slow.players)


@pytest.mark.parametrize("wrong", [np.zeros(5, np.int64), np.zeros((6, 1), np.int64), np.zeros((2, 3), np.int64), 3])
def test_other_shapes_are_refused(wrong: Any) -> None:
    with pytest.raises(UsageError, match=r"actions have the shape \(6,\)"):
        VectorEnv(GAME, LANES).step(wrong)


def test_the_actions_of_the_environment_itself() -> None:
    env = VectorEnv(GAME, LANES)
    inner = env._lanes.actions
    inner[:] = 4
    env.step(inner)
    assert not env.masks[:, 4].any() and env.masks[:, :4].all()


def test_an_illegal_action_changes_nothing() -> None:
    env = VectorEnv(GAME, LANES)
    env.step(np.full(LANES, 4))
    before = [a.copy() for a in (env.observations, env.masks, env.players)]
    for wrong in (4, 9, -1, 1 << 62):
        actions = np.arange(LANES) % 3
        actions[3] = wrong
        with pytest.raises(GameDSLError):
            env.step(actions)
        assert all(map(np.array_equal, before, (env.observations, env.masks, env.players)))
    env.step(np.arange(LANES) % 3)


def test_plays_with_many_legal_actions_find_room() -> None:
    """Lists of legal actions grow in the middle of a step."""
    game = gamedsl.load("amazons", backend="native")
    quick, slow, rng = VectorEnv(game, 2), InPython(game, 2), np.random.default_rng(0)
    for _ in range(6):
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in slow.masks])
        told = quick.step(actions)
        slow.step(actions)
        assert told[0] is quick.observations and np.array_equal(quick.masks, slow.masks)


@needs_quick
def test_the_function_lives_as_long_as_somebody_needs_it() -> None:
    env = VectorEnv(GAME, LANES)
    step, alive = env.step, weakref.ref(env)
    del env
    gc.collect()
    observations = step(np.zeros(LANES, np.int64))[0]
    assert observations.shape[0] == LANES
    del step
    gc.collect()
    assert alive() is None


@needs_quick
def test_references_are_counted() -> None:
    env = VectorEnv(GAME, LANES)
    things: list[Any] = [env._told, np.dtype(np.int64), np.ndarray, env.observations]

    def steps(n: int) -> None:
        for _ in range(n):
            env.reset(1)
            env.step(np.zeros(LANES, np.int64))
            with pytest.raises(GameDSLError):
                env.step(np.zeros(LANES, np.int64))

    steps(3)
    before = [sys.getrefcount(thing) for thing in things]
    steps(60)
    assert all(abs(sys.getrefcount(t) - n) < 30 for t, n in zip(things, before, strict=True))


def test_threads_each_with_their_environment() -> None:
    found: dict[int, Any] = {}

    def play(number: int) -> None:
        env = VectorEnv(GAME, 64)
        for _ in range(50):
            env.step(env.masks.argmax(axis=1))
        found[number] = env.observations.copy()

    threads = [threading.Thread(target=play, args=(i,)) for i in range(3)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all(np.array_equal(found[0], found[i]) for i in range(3))


def test_python_serves_where_machine_code_cannot(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(step_function, "_knows_arrays", lambda: False)
    env = VectorEnv(GAME, LANES)
    assert "step" not in vars(env)
    env.step(np.full(LANES, 4))
    assert not env.masks[:, 4].any()
