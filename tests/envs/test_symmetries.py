"""Symmetries act on actions, observations and seats as they act on positions."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

import gamedsl
from gamedsl import Game, State
from gamedsl.engine.stop import codes_of
from gamedsl.envs import GameSymmetry, VectorEnv, symmetries, why_no_symmetries
from gamedsl.language.core.nodes import End
from tests.shipped_sample import small

RULESETS = Path(__file__).parents[2] / "rulesets"
SHIPPED = sorted(p.stem for folder in (RULESETS, RULESETS / "classics") for p in folder.glob("*.gdl"))
QUICK = ["phantom-tic-tac-toe", "breakthrough-6x6", "kayles", "hex-swap", "sim"]
MOST = 6


def that_matters(state: State, turn: GameSymmetry) -> object:
    """A state without variables that no longer matter there."""
    resting = frozenset() if isinstance(state.terminator, End) else turn.turn.resting[state.block]
    variables = [v for v in state.game.program.variables if v.index not in resting and v.role != "temp"]
    return state.block, [codes_of(state, v) for v in variables], state.to_act, state.returns


def holds(turn: GameSymmetry, state: State, action: int) -> None:
    """The laws at a state: images of states, legal actions, masks and observations; and of what follows."""
    image, seats = turn.state(state), turn.seats
    assert image.to_act == tuple(sorted(seats[p] for p in state.to_act)) or len(state.to_act) < 2
    for p in state.to_act or (None,):
        mine = None if p is None else seats[p]
        assert image.legal_actions(mine) == sorted(turn.actions[state.legal_actions(p)].tolist())
    for p in range(state.game.num_players):
        assert np.array_equal(image.observation_tensor(seats[p]), turn.observation(state.observation_tensor(p)))
    after, there = state.apply_action(action), image.apply_action(int(turn.actions[action]))
    if not after.is_terminal:
        assert that_matters(there, turn) == that_matters(turn.state(after), turn)
    assert [there.returns[seats[p]] for p in range(len(seats))] == list(after.returns)


def check(mine: Game, plays: int, plies: int) -> int:
    found = symmetries(mine)
    rng, asked = Random(4), 0
    for turn in rng.sample(found, min(MOST, len(found))):
        assert sorted(turn.actions) == list(range(mine.num_actions))
        assert sorted(turn.sources) == list(range(mine.observation_layout.size))
        for _ in range(plays):
            state = mine.initial_state()
            for _ in range(plies):
                if state.is_terminal:
                    break
                action = rng.choice(state.legal_actions())
                holds(turn, state, action)
                state, asked = state.apply_action(action), asked + 1
    return asked


@pytest.mark.parametrize("backend", ["interpreter", "native"])
def test_some_have_symmetries(backend: str) -> None:
    for name, count in (("tic-tac-toe", 8), ("connect-four", 2), ("rock-paper-scissors", 3), ("nim", 24)):
        mine = gamedsl.load(name, backend=backend, **small(name))  # type: ignore[arg-type]
        found = symmetries(mine)
        assert len(found) + 1 >= count, (name, len(found))
        assert check(mine, 1, 4) > 3


@pytest.mark.parametrize("name", QUICK)
def test_laws(name: str) -> None:
    assert check(gamedsl.load(name, **small(name)), 2, 5) > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in SHIPPED if n not in {*QUICK, "abs-trac-toe"}])
def test_every_ruleset(name: str) -> None:
    check(gamedsl.load(name, backend="native", **small(name)), 2, 5)


def test_augmentation() -> None:
    """A batch of observations and its masks, turned."""
    env = VectorEnv(gamedsl.load("tic-tac-toe"), lanes=4)
    observations, masks = env.reset(seed=1)
    for turn in symmetries(env.game):
        assert turn.observation(observations).shape == observations.shape
        assert turn.mask(masks).sum() == masks.sum()


def test_reason() -> None:
    assert "noted positions" in why_no_symmetries(gamedsl.load("go"))
    assert not symmetries(gamedsl.load("go"))
