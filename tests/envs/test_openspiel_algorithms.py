"""OpenSpiel's algorithms in C++ play registered games, and its own test plays whole games of every ruleset.

The algorithms run in a process of their own, because a fault in C++ ends the process.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
from array import array
from pathlib import Path
from random import Random
from typing import Any

import pyspiel
import pytest

from gamedsl.envs import for_openspiel, register_gymnasium, register_openspiel
from gamedsl.language.rules.files import shipped
from gamedsl.language.source import GameDSLError, UsageError

ALGORITHMS = Path(__file__).with_name("openspiel_algorithms.py")
REFUSED = {"abs-trac-toe", "snakes-and-ladders"}  # drawings; nobody decides
QUICK = ("tic-tac-toe", "oware", "leduc-poker", "goofspiel", "pig")


def test_algorithms_in_cpp() -> None:
    ran = subprocess.run([sys.executable, str(ALGORITHMS)], capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.splitlines()[-1] == "all done"


@pytest.mark.parametrize(
    "name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in shipped() if n not in REFUSED]
)
def test_whole_games_with_every_state_saved(name: str) -> None:
    (known,) = register_openspiel(name)
    pyspiel.random_sim_test(pyspiel.load_game(known), num_sims=1, serialize=True, verbose=False)


def plies(game: Any, count: int) -> list[Any]:
    """The states of a random game, up to so many."""
    state, rng, found = game.new_initial_state(), Random(1), list[Any]()
    while not state.is_terminal() and len(found) < count:
        found.append(state.clone())
        state.apply_action(rng.choice(state.legal_actions()))
    return found


def test_a_state_is_saved_as_its_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its size is linear in the plies, even where rules note positions, and a state saved here before is not played again."""
    (known,) = register_openspiel("nine-mens-morris")
    game = pyspiel.load_game(known)
    states = plies(game, 120)
    saved = [state.serialize() for state in states]
    assert all(len(text) < 400 + 16 * ply for ply, text in enumerate(saved))
    begun = list[Any]()
    hold = for_openspiel.Held.__init__
    monkeypatch.setattr(for_openspiel.Held, "__init__", lambda self, s: (begun.append(s), hold(self, s))[1])
    game.new_initial_state()
    each, begun[:] = len(begun), []
    assert str(game.deserialize_state(saved[-1])) == str(states[-1])
    assert len(begun) == each
    for_openspiel._RECENT.clear()
    again = game.deserialize_state(saved[-1])
    assert len(begun) > 2 * each
    assert again.history() == states[-1].history() and again.held.state == states[-1].held.state
    assert again.held.state.history == states[-1].held.state.history


def test_damaged_pickles_are_refused() -> None:
    (known,) = register_openspiel("tic-tac-toe")
    held = plies(pyspiel.load_game(known), 3)[2].held
    make, (digest, start, actions) = held.__reduce__()
    for_openspiel._RECENT.clear()
    assert pickle.loads(pickle.dumps(held)).state == held.state
    for wrong in (array("q", [0, 0]), array("q", [9]), array("q", [-1])):
        with pytest.raises(GameDSLError):
            make(digest, start, wrong.tobytes())
    with pytest.raises(GameDSLError):
        make(digest, start, actions[:-1])
    with pytest.raises(UsageError, match="not loaded"):
        make("0" * 64, start, actions)


def test_a_single_ruleset_needs_no_list(tmp_path: Path) -> None:
    assert register_openspiel("tic-tac-toe") == ["gamedsl_tic_tac_toe"]
    assert register_gymnasium("tic-tac-toe") == ["gamedsl/tic-tac-toe-v0"]
    own = tmp_path / "own.gdl"
    own.write_text((Path(__file__).parents[2] / "rulesets" / "tic-tac-toe.gdl").read_text(encoding="utf-8"), "utf-8")
    assert register_openspiel(own) == ["gamedsl_own"]
    assert register_gymnasium(own) == ["gamedsl/own-v0"]


def test_refusals_begin_with_their_code() -> None:
    with pytest.raises(UsageError) as refused:
        register_openspiel("snakes-and-ladders")
    assert str(refused.value).startswith("E0001 Snakes and Ladders does not fit")
