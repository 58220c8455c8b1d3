"""Lanes of a vectorized environment are plays: compared with states of the engine, step by step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gamedsl
from gamedsl import State
from gamedsl.engine import Game, InterpretedGame
from gamedsl.envs import VectorEnv, why_not_vectorized
from gamedsl.language.source import GameDSLError, UsageError
from tests.shipped_sample import sampled, small

RULESETS = Path(__file__).parents[2] / "rulesets"
SHIPPED = sorted(p.stem for folder in (RULESETS, RULESETS / "classics") for p in folder.glob("*.gdl"))
REFUSED = {
    "abs-trac-toe": "draw",
    "snakes-and-ladders": "no player decides",
}


def load(name: str) -> Any:
    return gamedsl.load(name, backend="native", **small(name))


def chosen(env: VectorEnv, rng: np.random.Generator) -> Any:
    """A random legal action for every lane."""
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in env.masks])


def same_as(env: VectorEnv, lane: int, state: State) -> None:
    player = int(env.players[lane])
    assert player == (state.to_act[0] if state.to_act else -1)
    assert np.array_equal(env.masks[lane], state.action_mask())
    assert np.array_equal(env.observations[lane], state.observation_tensor(None if player < 0 else player))


def stepped(game: Game, state: State, action: int) -> tuple[State, tuple[int, ...], bool]:
    """What a step of a lane does: a play that is over begins anew."""
    after = state.apply_action(action)
    return (game.initial_state(), after.returns, True) if after.is_terminal else (after, (0,) * game.num_players, False)


@pytest.mark.parametrize("name", sampled([n for n in SHIPPED if n not in REFUSED], "lanes"))
def test_lanes_are_plays(name: str) -> None:
    """Chance is left to the caller, so the plays are determined by the actions."""
    game = load(name)
    env, rng = VectorEnv(game, 3, chance="caller"), np.random.default_rng(1)
    reference = [InterpretedGame(game.program).initial_state() for _ in range(3)]
    for _ in range(40):
        for lane, state in enumerate(reference):
            same_as(env, lane, state)
        actions = chosen(env, rng)
        env.step(actions)
        for lane, state in enumerate(reference):
            reference[lane], rewards, over = stepped(state.game, state, int(actions[lane]))
            assert env.rewards[lane].tolist() == list(rewards) and env.done[lane] == over


@pytest.mark.parametrize("name", sampled([n for n in SHIPPED if n not in REFUSED], "lanes"))
def test_chance_is_played_inside(name: str) -> None:
    game = load(name)
    env, rng = VectorEnv(game, 3), np.random.default_rng(1)
    for _ in range(15):
        for lane in range(3):
            state = env.state(lane)
            assert state.kind in ("player", "together")
            same_as(env, lane, state)
        env.step(chosen(env, rng))


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_say_why(name: str) -> None:
    assert REFUSED[name] in str(why_not_vectorized(load(name)))
    with pytest.raises(UsageError, match=REFUSED[name]):
        VectorEnv(load(name), 2)


def test_chance_alone_plays_if_the_caller_lets_it() -> None:
    game = load("snakes-and-ladders")
    env, state, rng = (
        VectorEnv(game, 2, chance="caller"),
        InterpretedGame(game.program).initial_state(),
        np.random.default_rng(1),
    )
    for _ in range(40):
        same_as(env, 1, state)
        actions = chosen(env, rng)
        env.step(actions)
        state, rewards, over = stepped(state.game, state, int(actions[1]))
        assert env.rewards[1].tolist() == list(rewards) and env.done[1] == over


def played(env: VectorEnv, seed: int, steps: int) -> list[bytes]:
    env.reset(seed)
    rng, found = np.random.default_rng(seed), []
    for _ in range(steps):
        env.step(chosen(env, rng))
        found.append(env.observations.tobytes() + env.rewards.tobytes() + env.masks.tobytes())
    return found


def test_a_seed_gives_the_same_plays_with_any_number_of_threads() -> None:
    game = load("backgammon")
    one, three = VectorEnv(game, 7), VectorEnv(game, 7, threads=3)
    first = played(one, 5, 30)
    assert played(three, 5, 30) == first
    assert played(one, 6, 30) != first
    assert played(one, 5, 30) == first


def test_outcomes_of_chance_have_their_odds() -> None:
    """The first player is dealt each of three cards equally often."""
    env = VectorEnv(load("kuhn-poker"), 6000)
    hands = env.game.observation_layout.split(env.observations)["hand"][:, 0]
    counts = [int((hands == card).sum()) for card in (1, 2, 3)]
    assert sum(counts) == 6000 and all(abs(c - 2000) < 200 for c in counts)  # more than five standard deviations


def test_opponents_play_inside() -> None:
    env, rng = VectorEnv(load("connect-four"), 50, opponents={1: "random"}), np.random.default_rng(1)
    ended = wins = 0
    for _ in range(200):
        assert (env.players == 0).all()
        env.step(chosen(env, rng))
        ended += int(env.done.sum())
        wins += int((env.rewards[:, 0] == 1).sum())
    assert (env.rewards[:, 0] == -env.rewards[:, 1]).all()
    assert 0.45 < wins / ended < 0.65  # the first player wins 55.6 % of random plays


def lowest(observations: Any, masks: Any) -> Any:
    """The policy of taking the legal action with the least number."""
    assert len(observations) == len(masks) > 0 and masks.any(axis=1).all()
    return masks.argmax(axis=1)


def test_a_function_plays_inside() -> None:
    """The same plays as if the caller took the actions of both."""
    game = load("tic-tac-toe")
    env, both = VectorEnv(game, 5, opponents={0: lowest}, threads=2), VectorEnv(game, 5)
    rng = np.random.default_rng(1)
    both.step(lowest(both.observations, both.masks))
    ended = 0
    for _ in range(40):
        assert (env.players == 1).all() and np.array_equal(env.masks, both.masks)
        assert np.array_equal(env.observations, both.observations)
        actions = chosen(env, rng)
        env.step(actions)
        both.step(actions)
        rewards, done = both.rewards.copy(), both.done.copy()
        while (first := both.players == 0).any():
            for lane in np.flatnonzero(first):
                alone = both.state(lane).apply_action(int(both.masks[lane].argmax()))
                done[lane] |= alone.is_terminal
                rewards[lane] += alone.returns
            both._actions[first] = lowest(both.observations[first], both.masks[first])
            both._lanes.todo[:] = np.where(first, 3, 0)
            both._lanes.run()
            both._lanes.todo[:] = 1
        assert np.array_equal(env.done, done) and np.array_equal(env.rewards, rewards)
        ended += int(done.sum())
    assert ended > 10


def test_a_policy_may_not_break_the_rules() -> None:
    def first(_: Any, masks: Any) -> Any:
        return np.zeros(len(masks), int)

    env = VectorEnv(load("tic-tac-toe"), 2, opponents={1: first})
    with pytest.raises(GameDSLError, match="that square is taken"):
        env.step([0, 0])
    with pytest.raises(UsageError, match="policy of player 0 have the shape"):
        VectorEnv(load("tic-tac-toe"), 2, opponents={0: lambda _, masks: masks})


@pytest.mark.parametrize("name", ["tic-tac-toe", "kuhn-poker", "goofspiel", "oware"])
def test_finals_are_what_players_saw_at_the_end(name: str) -> None:
    game = load(name)
    env, rng = VectorEnv(game, 4, chance="caller", finals=True), np.random.default_rng(1)
    assert env.finals is not None
    ended = 0
    for _ in range(130):
        before, actions = [env.state(lane) for lane in range(4)], chosen(env, rng)
        env.step(actions)
        for lane in np.flatnonzero(env.done):
            last = before[lane].apply_action(int(actions[lane]))
            for player in range(game.num_players):
                assert np.array_equal(env.finals[lane, player], last.observation_tensor(player))
            ended += 1
    assert ended > 3


def test_arrays_are_shared_without_a_copy() -> None:
    env = VectorEnv(load("connect-four"), 8)
    seen = np.from_dlpack(env.observations)
    assert np.shares_memory(seen, env.observations) and env.observations.__dlpack_device__()[0] == 1  # the CPU
    env.step([3] * 8)
    assert seen[:, env.game.observation_layout.feature("disc").first + 3].all()
    assert all(a.ctypes.data % 64 == 0 and a.flags.c_contiguous for a in (env.observations, env.masks, env.rewards))


def test_plays_are_truncated() -> None:
    env, rng = VectorEnv(load("chess"), 4, longest=5), np.random.default_rng(1)
    first = env.observations.copy()
    for step in range(1, 11):
        env.step(chosen(env, rng))
        assert env.truncated.all() == (step % 5 == 0)
    assert np.array_equal(env.observations, first) and not env.done.any()


def test_illegal_actions_change_nothing() -> None:
    env = VectorEnv(load("tic-tac-toe"), 3)
    env.step([0, 1, 2])
    before = env.observations.tobytes(), env.masks.tobytes()
    with pytest.raises(GameDSLError, match="that square is taken") as refused:
        env.step([3, 1, 3])
    assert refused.value.__notes__ == ["in lane 1"]
    with pytest.raises(GameDSLError, match="there is no action 9"):
        env.step([3, 9, 3])
    with pytest.raises(UsageError, match="shape"):
        env.step([3])
    assert (env.observations.tobytes(), env.masks.tobytes()) == before
    env.step([3, 3, 3])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"chance": "outside"}, "inside"),
        ({"opponents": {0: "clever"}}, "not an agent"),
        ({"opponents": {2: "random"}}, "players 0 to 1"),
        ({"opponents": {0: "random", 1: "random"}}, "left to the caller"),
        ({"lanes": 0}, "must be at least 1"),
    ],
)
def test_mistakes(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        VectorEnv(load("tic-tac-toe"), **options)


def test_agents_play_inside() -> None:
    """A search that wins what can be won beats random play."""
    env, rng = VectorEnv(load("tic-tac-toe"), 6, opponents={1: "mcts:300"}), np.random.default_rng(1)
    lost = ended = 0
    for _ in range(12):
        assert (env.players == 0).all()
        env.step(chosen(env, rng))
        ended += int(env.done.sum())
        lost += int((env.rewards[:, 0] == -1).sum())
    assert ended > 10 and lost / ended > 0.6


@pytest.mark.parametrize("name", ("kuhn-poker", "backgammon", "goofspiel"))
def test_plays_of_agents_are_those_of_the_lanes(name: str) -> None:
    """Chance and all choices reach both, also where plays end or are broken off."""
    game = load(name)
    env, again = (VectorEnv(game, 5, opponents={1: "mcts:2"}, longest=7, threads=n) for n in (1, 2))
    rng, cut = np.random.default_rng(1), 0
    assert env._plays
    for _ in range(20):
        actions = chosen(env, rng)
        env.step(actions)
        again.step(actions)
        cut += int(env.truncated.sum())
        assert np.array_equal(env.observations, again.observations) and np.array_equal(env.rewards, again.rewards)
        for lane, state in enumerate(env._plays._states):
            same_as(env, lane, state)
    assert name != "backgammon" or cut


def test_agents_know_what_they_saw() -> None:
    """Where cards are hidden, the agent gets plays with their histories."""
    env, rng = VectorEnv(load("kuhn-poker"), 40, opponents={0: "mcts:200"}), np.random.default_rng(1)
    total = ended = 0.0
    for _ in range(12):
        env.step(chosen(env, rng))
        ended += int(env.done.sum())
        total += float(env.rewards[:, 0].sum())
    assert ended > 200 and total / ended > 0


@pytest.mark.parametrize(("agent", "reason"), [("ab:d2", "hidden"), ("best", "best"), (7, "name of an agent")])
def test_agents_that_do_not_fit_are_refused(agent: Any, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        VectorEnv(load("kuhn-poker"), 2, opponents={1: agent})


def test_room_for_noted_positions_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lanes with room for eight positions at first play the same games as others."""

    def played() -> list[Any]:
        env, rng = VectorEnv(load("nine-mens-morris"), 3, threads=2), np.random.default_rng(1)
        return [[env.step(chosen(env, rng))[0].copy(), env.masks.copy(), env.done.copy()] for _ in range(60)]

    roomy = played()
    monkeypatch.setattr("gamedsl.envs.lanes.ARENA", 32)
    for these, those in zip(played(), roomy, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(these, those, strict=True))
