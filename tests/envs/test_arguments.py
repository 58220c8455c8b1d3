"""Every option of a standard interface is honored or refused with a code; nothing is rounded or ignored."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from gamedsl.envs import (
    VectorEnv,
    gymnasium_env,
    gymnasium_vector_env,
    pettingzoo_env,
    pettingzoo_parallel_env,
    register_gymnasium,
)
from gamedsl.language.source import UsageError
from tests.envs.test_vector_env import chosen, load

LANES = 4


def refused(call: Callable[[], Any], words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        call()
    assert caught.value.diagnostics[0].code == "E0001"


def steps(env: VectorEnv, count: int, seed: int = 5) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(count):
        env.step(chosen(env, rng))


# ------------------------------------------------------------------------------------------------------ VectorEnv


@pytest.mark.parametrize("name", ["breakthrough", "nine-mens-morris"])
@pytest.mark.parametrize("opponents", [{}, {1: "random"}])
def test_a_mask_resets_its_lanes_only(name: str, opponents: dict[int, str]) -> None:
    """The others are as they were, and play on as they would have."""
    envs = [VectorEnv(load(name), LANES, opponents=opponents, threads=n) for n in (1, 2)]  # type: ignore[arg-type]
    mask = np.array([True, False, False, True])
    for env in envs:
        env.reset(3)
        steps(env, 4)
    one, other = envs
    before = [a.copy() for a in (one.observations, one.masks, one.players)]
    one.reset(11, mask)
    other.reset(11, mask)
    fresh = VectorEnv(load(name), LANES, opponents=opponents)  # type: ignore[arg-type]
    fresh.reset(11)
    after = [(env.observations, env.masks, env.players) for env in (one, fresh)]
    for now, was, new in zip(after[0], before, after[1], strict=True):
        assert np.array_equal(now[~mask], was[~mask]) and np.array_equal(now[mask], new[mask])
    for env in envs:
        steps(env, 6, 9)
    assert np.array_equal(one.observations, other.observations)


@pytest.mark.parametrize("opponents", [{}, {1: "mcts:2"}])
def test_a_seed_for_each_lane(opponents: dict[int, str]) -> None:
    """A lane plays as the only lane of another environment with its seed."""
    seeds = [7, 1, 7]
    env = VectorEnv(load("leduc-poker"), 3, opponents=opponents)  # type: ignore[arg-type]
    env.reset(seeds)
    alone = [VectorEnv(load("leduc-poker"), 1, opponents=opponents) for _ in seeds]  # type: ignore[arg-type]
    for seed, single in zip(seeds, alone, strict=True):
        single.reset(seed)
    for _ in range(12):
        for lane, single in enumerate(alone):
            assert np.array_equal(env.observations[lane], single.observations[0])
        actions = env.masks.argmax(axis=1)
        env.step(actions)
        for lane, single in enumerate(alone):
            single.step(actions[lane : lane + 1])


@pytest.mark.parametrize(
    "actions",
    [[0.7] * LANES, [np.nan] * LANES, [True] * LANES, ["0"] * LANES, [None] * LANES, [[0], [1, 2], 0, 0], 0, [0]],
)
def test_actions_are_whole_numbers(actions: Any) -> None:
    env = VectorEnv(load("breakthrough"), LANES)
    refused(lambda: env.step(actions), "actions have")
    told = VectorEnv(load("breakthrough"), LANES, opponents={1: lambda o, m: np.full(len(m), 0.5)})
    refused(lambda: told.step(told.masks.argmax(axis=1)), "the policy of player 1")


def test_other_types_of_whole_numbers() -> None:
    env = VectorEnv(load("breakthrough"), LANES)
    for kind in (np.int8, np.int32, np.uint64, np.int64):
        env.reset(1)
        actions = env.masks.argmax(axis=1)
        if actions.max() <= np.iinfo(kind).max:
            env.step(actions.astype(kind))
    env.reset(1)
    env.step(env.masks.argmax(axis=1).tolist())


def test_arguments_of_lanes() -> None:
    game = load("tic-tac-toe")
    env = VectorEnv(game, LANES)
    for seed in (1.5, "1", None, [1, 2], "1234", [1, 2, 3, 0.5]):
        refused(lambda seed=seed: env.reset(seed), "seed")  # type: ignore[misc]
    for mask in ([True], [1, 0, 0, 1], [False] * LANES):
        refused(lambda mask=mask: env.reset(1, mask), "mask")  # type: ignore[misc]
    for given in (
        {"lanes": 0},
        {"lanes": 2.5},
        {"longest": 0},
        {"longest": -1},
        {"threads": 0},
        {"opponents": "random"},
    ):
        refused(lambda given=given: VectorEnv(game, **given), "")  # type: ignore[misc]


def test_lanes_are_not_copied() -> None:
    env = VectorEnv(load("tic-tac-toe"), 2)
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        refused(lambda copied=copied: copied(env), "cannot be copied or pickled")  # type: ignore[misc]
    made = gymnasium_vector_env("tic-tac-toe", 2)
    refused(lambda: copy.deepcopy(made), "cannot be copied or pickled")


# ------------------------------------------------------------------------------------------------------ Gymnasium


def test_gymnasium_vectors_reset_by_mask() -> None:
    (known,) = register_gymnasium("breakthrough")
    env = gymnasium.make_vec(known, LANES, vectorization_mode="vector_entry_point")
    observations, infos = env.reset(seed=1)
    after, *_ = env.step(infos["action_mask"].argmax(axis=1))
    mask = np.array([False, True, False, False])
    again, infos = env.reset(options={"reset_mask": mask})
    assert np.array_equal(again[~mask], after[~mask]) and np.array_equal(again[mask], observations[mask])
    assert infos["action_mask"].shape[0] == LANES
    refused(lambda: env.reset(options={"mask": mask}), "`reset` has no option `mask`: the options are reset_mask")
    refused(lambda: env.reset(seed=0.5), "seed")  # type: ignore[arg-type]
    refused(lambda: env.reset(seed=-1), "seed")


def test_gymnasium_vectors_take_a_seed_for_each() -> None:
    env = gymnasium_vector_env("leduc-poker", 3)
    found, _ = env.reset(seed=[5, 6, 5])
    again, _ = env.reset(seed=[5, 6, 5])
    assert np.array_equal(found, again) and np.array_equal(found[0], found[2])
    env.reset(seed=[1, None, 2])


def test_autoreset_modes() -> None:
    gymnasium_vector_env("tic-tac-toe", 2, autoreset_mode="SameStep")
    for mode in (AutoresetMode.NEXT_STEP, AutoresetMode.DISABLED, "never"):
        refused(lambda mode=mode: gymnasium_vector_env("tic-tac-toe", 2, autoreset_mode=mode), "SAME_STEP")  # type: ignore[misc]


# ------------------------------------------------------------------------------------------------------ single plays


@pytest.mark.parametrize("make", [gymnasium_env, pettingzoo_env, pettingzoo_parallel_env])
def test_single_plays(make: Any) -> None:
    env = make("tic-tac-toe")
    if make is gymnasium_env:
        refused(lambda: env.reset(options={"fen": "8/8"}), "`reset` has no option `fen`: there are none")
    env.reset(seed=1, options={})
    acted = {"player_0": 0.5} if make is pettingzoo_parallel_env else 0.5
    refused(lambda: env.step(acted), "an action must be a whole number, not 0.5")
    refused(lambda: make("tic-tac-toe", longest=0), "`longest` must be at least 1")
    if make is not gymnasium_env:
        refused(lambda: env.reset(seed=-1), "a seed must be at least 0")


@pytest.mark.parametrize("opponents", ["random", "mcts:5"])
def test_single_plays_are_copied_and_pickled(opponents: str) -> None:
    """A copy goes on as the original does."""
    env = gymnasium_env("tic-tac-toe", opponents=opponents)
    env.reset(seed=3)
    env.step(int(env.action_masks().argmax()))
    for other in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        state = copy.deepcopy(env)
        for _ in range(2):
            action = int(state.action_masks().argmax())
            (one, *more), (two, *others) = state.step(action), other.step(action)
            assert np.array_equal(one, two) and more[:3] == others[:3]
            if more[1]:
                break
    pair = pettingzoo_env("leduc-poker")
    pair.reset(seed=1)
    twin = pickle.loads(pickle.dumps(pair))
    assert np.array_equal(twin.observe("player_0")["observation"], pair.observe("player_0")["observation"])
