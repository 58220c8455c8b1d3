"""The page's opponents where nothing is hidden, run by Node as its worker runs them: the moves are those of Python."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import numpy as np
import pytest

import gamedsl
from gamedsl.agents import LEVELS, Learner, Level, compiled, level_iterations, read_learned, write_learned
from gamedsl.agents.leaf_value import Features
from gamedsl.agents.net import Net
from tests.play.web.test_information_search import (
    Question,
    actions_of,
    chosen_alike,
    chosen_by_page,
    decision,
    number_of,
)

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")
# two players, choices at once, chance, noted positions, several players
GAMES = (
    ("tic-tac-toe", {}, 3), ("rock-paper-scissors", {}, 1), ("t-tic-t-tac-toe", {}, 9), ("oshi-zumo", {}, 3), ("backgammon", {}, 6),
    ("go", {"n": "5"}, 20), ("pig", {}, 5), ("chinese-checkers", {}, 12), ("chess", {}, 15),
)  # fmt: skip
PLAYED = tuple(pytest.param(*one, id=one[0]) for one in GAMES)


@pytest.mark.parametrize(("name", "options", "plies"), PLAYED)
def test_the_page_plays_as_python_does(tmp_path: Path, name: str, options: dict[str, str], plies: int) -> None:
    """Positions of three random plays, one of them half as long."""
    game = gamedsl.load(name, **options)
    chosen_alike(tmp_path, game, [decision(game, n, seed) for seed, n in enumerate((plies // 2, plies, plies))], 200)


def test_a_choice_at_once_follows_from_the_choices_of_its_player_alone(tmp_path: Path) -> None:
    """What the first has chosen is no part of what the second is asked."""
    game = gamedsl.load("rock-paper-scissors")
    first = game.initial_state()
    asked = [Question([action], 100, 3) for action in first.legal_actions()]
    assert len(set(chosen_by_page(tmp_path, game, asked))) == 1


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_plays_as_python_does(tmp_path: Path, level: str) -> None:
    """The iterations of the highest level need wider arrays on the way than those made first."""
    game = gamedsl.load("t-tic-t-tac-toe-game")
    iterations = level_iterations(game)[LEVELS.index(level)]
    states = [decision(game, plies, plies) for plies in (0, 5)]
    wanted = [number_of(state, Level(level).choose(state, 9)) for state in states]
    assert chosen_by_page(tmp_path, game, [Question(actions_of(s), iterations, 9) for s in states]) == wanted


def test_a_board_that_players_have_drawn_is_played_on(tmp_path: Path) -> None:
    """What is drawn has no numbers of its own: a search that begins before it would be refused."""
    game, rng = gamedsl.load("abs-trac-toe"), Random(1)
    state = game.initial_state()
    while state.kind == "drawing":
        state = state.apply(state.propose(rng))
    (found,) = chosen_by_page(tmp_path, game, [Question(["drawn"], 50, 1)])
    assert game.action_parts(found)[0] == game.action_parts(state.legal_actions()[0])[0]


def test_a_tree_that_gets_no_more_memory_stays_as_large_as_it_is(tmp_path: Path) -> None:
    """20,000 nodes and their edges need more than 300 kB."""
    state = decision(gamedsl.load("connect-four"), 2, 1)
    few, many = (Question(actions_of(state), plays, 1) for plays in (20, 20_000))
    assert chosen_by_page(tmp_path, state.game, [few, many], 300_000)[1] in state.legal_actions()


def test_a_search_leaves_nothing_behind(tmp_path: Path) -> None:
    """The same question again has the same answer, whatever was asked between."""
    game = gamedsl.load("go", n="5")
    one, other = (Question(actions_of(decision(game, n, n)), 100, n) for n in (4, 9))
    found = chosen_by_page(tmp_path, game, [one, other, one, other])
    assert found[:2] == found[2:]


LEARNING = (("tic-tac-toe", {}, 3), ("t-tic-t-tac-toe-game", {}, 6), ("go", {"n": "5"}, 12), ("chess", {}, 15))


@pytest.mark.parametrize(("name", "options", "plies"), [pytest.param(*one, id=one[0]) for one in LEARNING])
def test_the_page_plays_by_a_learned_value_as_python_does(
    tmp_path: Path, name: str, options: dict[str, str], plies: int
) -> None:
    """The weights are random ones, which differ more than learned ones do."""
    game, path = gamedsl.load(name, **options), tmp_path / "it.net"
    native = compiled(game)
    learner = Learner(
        native, 1, np.random.default_rng(1).normal(0, 0.1, 1 + Features.of(native.frame, native.program).width)
    )
    write_learned(learner, game, path)
    states = [decision(game, n, seed) for seed, n in enumerate((plies // 2, plies))]
    wanted = [
        number_of(state, Net(str(path), None, None, 300).choose(state, seed)) for seed, state in enumerate(states)
    ]
    asked = [Question(actions_of(state), 300, seed) for seed, state in enumerate(states)]
    assert chosen_by_page(tmp_path, game, asked, learned=read_learned(path)) == wanted
