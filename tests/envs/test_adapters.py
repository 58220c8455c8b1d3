"""Adapters pass the tests of the libraries they are for; games that do not fit are refused with the reason."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from open_spiel.python.observation import make_observation
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test

import gamedsl
from gamedsl.engine import Game, InterpretedGame
from gamedsl.envs import (
    ADAPTERS,
    gymnasium_env,
    pettingzoo_env,
    pettingzoo_parallel_env,
    register_gymnasium,
    register_openspiel,
    why_not_adapted,
)
from gamedsl.envs.__main__ import main as facts
from gamedsl.language.core import is_zero_sum
from gamedsl.language.source import GameDSLError, UsageError
from tests.shipped_sample import small

RULESETS = Path(__file__).parents[2] / "rulesets"
SHIPPED = sorted(p.stem for folder in (RULESETS, RULESETS / "classics") for p in folder.glob("*.gdl"))
REFUSED = {"abs-trac-toe": "drawings have no numbers", "snakes-and-ladders": "no player decides"}
# turns; hidden cards and scores; simultaneous choices with chance, and without
KINDS = ("tic-tac-toe", "kuhn-poker", "goofspiel", "rock-paper-scissors")
FITTING = [
    n if n in KINDS else pytest.param(n, marks=pytest.mark.slow)
    for n in (*KINDS, *(n for n in SHIPPED if n not in REFUSED and n not in KINDS))
]
CYCLES = 60
HORIZON = 60
EXTRAS = ("gymnasium", "gymnasium", "pettingzoo", "pettingzoo", "openspiel")


def load(name: str) -> Game:
    return gamedsl.load(name, backend="native", **small(name))


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """Libraries recommend one space for all and images; a game with a mask has neither."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


# ------------------------------------------------------------------------------------------- the official tests


@pytest.mark.parametrize("name", FITTING)
def test_pettingzoo(name: str) -> None:
    game = load(name)
    api_test(pettingzoo_env(game), num_cycles=CYCLES)
    seed_test(lambda: pettingzoo_env(game), num_cycles=CYCLES)


@pytest.mark.parametrize("name", FITTING)
def test_pettingzoo_parallel(name: str) -> None:
    game = load(name)
    parallel_api_test(pettingzoo_parallel_env(game), num_cycles=CYCLES)
    parallel_seed_test(lambda: pettingzoo_parallel_env(game), num_cycles=CYCLES)


@pytest.mark.parametrize("name", FITTING)
def test_gymnasium(name: str) -> None:
    (known,) = register_gymnasium([name])
    check_env(gymnasium.make(known).unwrapped)
    if InterpretedGame(load(name).program).num_players > 1:
        check_env(gymnasium.make(known, seat=1, longest=40).unwrapped)


@pytest.mark.parametrize("serialize", [False, True])
@pytest.mark.parametrize("name", FITTING)
def test_openspiel(name: str, serialize: bool) -> None:
    (known,) = register_openspiel([name])
    game = pyspiel.load_game(known)
    if game.max_game_length() == 1000:  # no bound is known
        game = pyspiel.load_game(f"{known}(horizon={HORIZON})")
    pyspiel.random_sim_test(game, num_sims=1, serialize=serialize, verbose=False)


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("adapter", ADAPTERS.built_in)
def test_refusals_say_why(name: str, adapter: str) -> None:
    reason = why_not_adapted(gamedsl.load(name, **small(name)), adapter)
    assert reason is not None and REFUSED[name] in reason


@pytest.mark.parametrize("make", [gymnasium_env, pettingzoo_env, pettingzoo_parallel_env])
def test_refused_games_raise(make: Any) -> None:
    with pytest.raises(UsageError, match=r"Snakes and Ladders does not fit .*: no player decides"):
        make("snakes-and-ladders")


def test_openspiel_and_gymnasium_refuse_when_registered() -> None:
    for register in (register_openspiel, register_gymnasium):
        with pytest.raises(UsageError, match="no player decides"):
            register(["tic-tac-toe", "snakes-and-ladders"])


# ---------------------------------------------------------------------------------------------------- Gymnasium


def test_a_seat_is_played_against_others() -> None:
    env = gymnasium_env("connect-four", seat=1, opponents="random")
    for seed in range(20):
        _, info = env.reset(seed=seed)
        assert env.play.steps == 1  # the other began
        done = False
        while not done:
            assert info["action_mask"].tolist() == env.action_masks().astype(int).tolist()
            action = int(np.flatnonzero(info["action_mask"])[0])
            observation, reward, done, truncated, info = env.step(action)
            assert not truncated and np.array_equal(observation, env.play.state.observation_tensor(1))
            assert reward == (env.play.state.returns[1] if done else 0)
        assert not info["action_mask"].any()


def test_policies_of_opponents() -> None:
    """A callable is given the state and the seat; an agent is named by its specification."""
    asked = []

    def first(state: Any, seat: int) -> int:
        asked.append(seat)
        return int(state.legal_actions(seat)[0])

    env = gymnasium_env("whist", seat=2, opponents={0: first, 3: first})
    env.reset(seed=1)
    while not (over := env.step(int(np.flatnonzero(env.action_masks())[0])))[2]:
        pass
    assert set(asked) == {0, 3} and len(asked) == 26 and over[1] in (-1, 1)
    clever = gymnasium_env("tic-tac-toe", opponents="mcts:2000")
    clever.reset(seed=1)
    while not (over := clever.step(int(np.flatnonzero(clever.action_masks())[0])))[2]:
        pass
    assert over[1] == -1  # who takes the first free square loses to a search
    with pytest.raises(UsageError, match="is not an agent"):
        gymnasium_env("tic-tac-toe", opponents="clever")


def test_illegal_actions() -> None:
    """They lose, with the reason; or they raise, and nothing changes."""
    env = gymnasium_env("tic-tac-toe", opponents=lambda state, seat: state.legal_actions()[0])
    env.reset(seed=0)
    env.step(4)
    _, reward, over, truncated, info = env.step(4)
    assert (reward, over, truncated) == (-1.0, True, False) and "that square is taken" in info["illegal"]
    with pytest.raises(UsageError, match="call `reset`"):
        env.step(1)
    strict = gymnasium_env("tic-tac-toe", illegal="raise")
    strict.reset(seed=0)
    with pytest.raises(GameDSLError, match="there is no action 9"):
        strict.step(9)
    assert strict.play.steps == 0


def test_plays_are_truncated() -> None:
    env = gymnasium_env("chess", longest=7)
    env.reset(seed=0)
    for step in range(4):
        _, _, over, truncated, _ = env.step(int(np.flatnonzero(env.action_masks())[0]))
        assert not over and truncated == (step == 3)  # seven actions of both


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"seat": 2}, "seats are 0 to 1"),
        ({"longest": 0}, "must be at least 1"),
        ({"illegal": "forgive"}, '"lose" or "raise"'),
        ({"render_mode": "rgb_array"}, '"ansi", "human"'),
        ({"colour": "red"}, "colour"),
    ],
)
def test_mistakes(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(GameDSLError, match=message):
        gymnasium_env("tic-tac-toe", **arguments)


# ------------------------------------------------------------------------------------------- many plays of a seat


@pytest.mark.parametrize("name", FITTING)
def test_gymnasium_vector(name: str) -> None:
    """Lanes have the spaces and types that Gymnasium's own vector environments have."""
    (known,) = register_gymnasium([name])
    envs = gymnasium.make_vec(known, num_envs=3, longest=30)
    own = gymnasium.make_vec(known, num_envs=3, vectorization_mode="sync", longest=30)
    assert isinstance(envs.metadata["autoreset_mode"], gymnasium.vector.AutoresetMode)
    assert envs.single_observation_space == own.single_observation_space and envs.action_space == own.action_space
    rng = np.random.default_rng(1)
    before = None
    for env in (envs, own):
        observations, infos = env.reset(seed=1)
        for _ in range(25):
            assert observations is not before and observations in env.observation_space
            assert infos["action_mask"].shape == (3, envs.single_action_space.n)
            actions = [rng.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in infos["action_mask"]]
            before, (observations, rewards, over, truncated, infos) = observations, env.step(np.array(actions))
            assert rewards.shape == over.shape == truncated.shape == (3,) and over.dtype == truncated.dtype == np.bool_
    envs.close()


def test_final_observations_are_those_of_the_old_plays() -> None:
    envs = gymnasium.make_vec(register_gymnasium(["tic-tac-toe"])[0], num_envs=40, seat=1)
    _, infos = envs.reset(seed=1)
    rng, ended = np.random.default_rng(1), 0
    layout = envs.unwrapped.lanes.game.observation_layout
    for _ in range(12):
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])
        observations, rewards, over, _, infos = envs.step(actions)
        assert ("final_obs" in infos) == over.any()
        for lane in np.flatnonzero(over):
            ended += 1
            last = layout.split(infos["final_obs"][lane])
            assert last["returns"][1] == rewards[lane] and last["to act"].sum() == 0
            assert layout.split(observations[lane])["mark"].sum() == 1  # the new play, after the other's first move
            assert not infos["final_info"]["action_mask"][lane].any()
        assert all(infos["final_obs"][lane] is None for lane in np.flatnonzero(~over)) if over.any() else True
    assert ended > 40


# --------------------------------------------------------------------------------------------------- PettingZoo


def test_choices_at_once_stay_secret_in_turns() -> None:
    env = pettingzoo_env("rock-paper-scissors")
    seen = []
    for action in (0, 2):
        env.reset(seed=0)
        env.step(action)
        seen.append(env.observe("player_1")["observation"])
    assert np.array_equal(*seen)
    env.step(0)
    assert env.rewards == {"player_0": -1.0, "player_1": 1.0}  # rock blunts scissors


def test_parallel_agents_wait() -> None:
    env = pettingzoo_parallel_env("tic-tac-toe")
    observations, _ = env.reset(seed=0)
    assert observations["player_1"]["action_mask"].tolist() == [0] * 9 + [1]
    observations, rewards, over, _, _ = env.step({"player_0": 4, "player_1": 9})
    assert observations["player_1"]["action_mask"].tolist() == [1] * 4 + [0] + [1] * 4 + [0]
    assert not any(over.values()) and rewards == {"player_0": 0.0, "player_1": 0.0}
    _, rewards, over, _, infos = env.step({"player_0": 0, "player_1": 1})
    assert all(over.values()) and rewards["player_0"] == -1.0 and "wait" in infos["player_0"]["illegal"]
    assert env.agents == []


# --------------------------------------------------------------------------------------------------- OpenSpiel


def test_options_are_parameters() -> None:
    (known,) = register_openspiel(["m-n-k"])
    game = pyspiel.load_game(f"{known}(m=4,n=5,k=4)")
    assert game.num_distinct_actions() == 20 and game.max_game_length() == 20
    assert pyspiel.load_game(str(game)).num_distinct_actions() == 20
    assert pyspiel.load_game("gamedsl_m_n_k").num_distinct_actions() == 9
    with pytest.raises(pyspiel.SpielError):
        pyspiel.load_game(f"{known}(colour=4)")


def test_what_openspiel_is_told() -> None:
    register_openspiel(["kuhn-poker", "goofspiel", "tic-tac-toe", "chess"])
    types = pyspiel.GameType
    kuhn, goofspiel, noughts, chess = (
        pyspiel.load_game(f"gamedsl_{n}") for n in ("kuhn_poker", "goofspiel", "tic_tac_toe", "chess")
    )
    assert (kuhn.min_utility(), kuhn.max_utility(), kuhn.max_chance_outcomes()) == (-2, 3, 3)
    assert kuhn.get_type().utility == types.Utility.GENERAL_SUM and kuhn.utility_sum() is None
    assert goofspiel.get_type().dynamics == types.Dynamics.SIMULTANEOUS
    assert goofspiel.get_type().information == types.Information.IMPERFECT_INFORMATION
    assert noughts.get_type().utility == types.Utility.ZERO_SUM and noughts.utility_sum() == 0
    assert noughts.get_type().chance_mode == types.ChanceMode.DETERMINISTIC
    assert (noughts.max_game_length(), chess.max_game_length()) == (9, 1000)


def test_the_horizon_ends_plays() -> None:
    register_openspiel(["chess"])
    state = pyspiel.load_game("gamedsl_chess(horizon=3)").new_initial_state()
    for _ in range(3):
        assert not state.is_terminal()
        state.apply_action(state.legal_actions()[0])
    assert state.is_terminal() and state.current_player() == -4 and state.returns() == [0, 0]


def nodes(state: Any) -> Iterator[Any]:
    yield state
    for action in state.legal_actions():
        yield from nodes(state.child(action))


@pytest.mark.parametrize(
    ("name", "histories", "ends", "sets"),
    [("kuhn_poker", 58, 30, 6), pytest.param("leduc_poker", 9457, 5520, 468, marks=pytest.mark.slow)],
)
def test_trees_are_those_of_openspiel(name: str, histories: int, ends: int, sets: int) -> None:
    register_openspiel([name.replace("_", "-")])
    found = list(nodes(pyspiel.load_game(f"gamedsl_{name}").new_initial_state()))
    over = [s for s in found if s.is_terminal()]
    assert (len(found), len(over)) == (histories, ends)
    for player in (0, 1):
        known = {s.information_state_string(player) for s in found if s.current_player() == player}
        assert len(known) == sets


def test_states_of_openspiel_are_kept() -> None:
    register_openspiel(["leduc-poker"])
    game = pyspiel.load_game("gamedsl_leduc_poker")
    state = game.new_initial_state()
    for action in (2, 5, 1):
        state.apply_action(state.legal_actions()[min(action, len(state.legal_actions()) - 1)])
    again = game.deserialize_state(state.serialize())
    assert str(again) == str(state) and again.history() == state.history()
    assert again.information_state_string(0) == state.information_state_string(0)
    clone = state.clone()
    clone.apply_action(clone.legal_actions()[0])
    assert clone.history() != state.history()


def observer(game: Any, public: bool, recall: bool, private: Any) -> Any:
    kind = pyspiel.IIGObservationType(public_info=public, perfect_recall=recall, private_info=private)
    return make_observation(game, kind)


def test_observers() -> None:
    register_openspiel(["kuhn-poker"])
    game, kinds = pyspiel.load_game("gamedsl_kuhn_poker"), pyspiel.PrivateInfoType
    one, other = game.new_initial_state(), game.new_initial_state()
    for state, second in ((one, 1), (other, 2)):
        state.apply_action(0)
        state.apply_action(second)
    whole = observer(game, True, False, kinds.SINGLE_PLAYER)
    whole.set_from(one, 0)
    assert whole.tensor.tolist() == one.observation_tensor(0)
    assert {name: view.shape for name, view in whole.dict.items()}["hand"] == (2,)
    first = whole.tensor.copy()
    whole.set_from(other, 0)
    assert np.array_equal(first, whole.tensor)  # the other's card is hidden
    whole.set_from(other, 1)
    assert not np.array_equal(first, whole.tensor)
    public = observer(game, True, False, kinds.NONE)
    assert public.string_from(one, 0) == public.string_from(other, 1)
    private = observer(game, False, False, kinds.SINGLE_PLAYER)
    assert private.string_from(one, 1) != private.string_from(other, 1)
    told = observer(game, True, True, kinds.NONE)
    assert told.string_from(one, 0) == told.string_from(other, 1)
    with pytest.raises(ValueError, match="all players"):
        observer(game, True, False, kinds.ALL_PLAYERS)


def test_tensors_of_information_states() -> None:
    """They tell the same histories apart as the strings."""
    register_openspiel(["kuhn-poker", "tic-tac-toe"])
    assert pyspiel.load_game("gamedsl_tic_tac_toe").information_state_tensor_size() > 0
    assert not pyspiel.load_game("gamedsl_kuhn_poker").get_type().provides_information_state_tensor
    game = pyspiel.load_game("gamedsl_kuhn_poker(recall_rows=12)")
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    found = [s for s in nodes(game.new_initial_state()) if s.current_player() == 1]
    pairs = {(s.information_state_string(1), tuple(s.information_state_tensor(1))) for s in found}
    assert len(pairs) == len({a for a, _ in pairs}) == len({b for _, b in pairs}) == 6


@pytest.mark.parametrize("name", ["tic-tac-toe", "rock-paper-scissors", "backgammon"])
def test_wins_and_losses_of_two_sum_to_zero(name: str) -> None:
    assert is_zero_sum(gamedsl.load(name).program)


@pytest.mark.parametrize("name", ["whist", "kuhn-poker", "sealed-bid-auction"])
def test_other_sums_are_not_proved(name: str) -> None:
    """Four players, two of them winning together, do sum to zero, but not every set of winners does."""
    assert not is_zero_sum(gamedsl.load(name).program)


# ---------------------------------------------------------------------------------------------- without libraries


def test_libraries_are_imported_when_they_are_asked_for() -> None:
    """What is missing is named, with the extra that installs it."""
    code = """
import sys
import gamedsl.envs as envs
envs.VectorEnv, envs.why_not_adapted
assert not {"gymnasium", "pettingzoo", "pyspiel"} & set(sys.modules)
sys.modules |= dict.fromkeys(("gymnasium", "pettingzoo", "pyspiel"))
for adapter in list(envs.ADAPTERS.built_in)[1:]:
    try:
        getattr(envs, adapter)
    except envs.fits.UsageError as error:
        print(error, error.diagnostics[0].help)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    messages = done.stdout.splitlines()
    for message, extra in zip(messages, EXTRAS, strict=True):
        assert "is not installed" in message and message.endswith(f"pip install 'gamedsl[{extra}]'.")


# ------------------------------------------------------------------------------------------------------- facts


def test_facts(capsys: pytest.CaptureFixture[str]) -> None:
    assert facts(["goofspiel", "cards=4"]) == 0
    lines = {line[:24].strip(): line[24:].strip() for line in capsys.readouterr().out.splitlines()}
    assert lines["actions"] == "4 of players, 4 of chance" and lines["choices"] == "several players at once"
    assert lines["chance"] == "up to 4 outcomes at once" and lines["hidden information"] == "yes"
    assert lines["hand"] == "2 x 4, 0 to 1" and lines["utilities"] == "-1 to 1, they sum to 0"
    assert all(lines[adapter] == "fits" for adapter in ADAPTERS.built_in)
    assert facts(["abs-trac-toe"]) == 0 and "does not fit: players draw" in capsys.readouterr().out


def test_mistakes_about_facts(capsys: pytest.CaptureFixture[str]) -> None:
    assert facts(["m-n-k", "m"]) == 2 and "not of the form OPTION=VALUE" in capsys.readouterr().err
    assert facts(["tic-tac-to"]) == 2 and "did you mean: tic-tac-toe" in capsys.readouterr().err
