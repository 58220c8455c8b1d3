"""Environment steps per CPU second: ``python benchmarks/environments.py [--games NAME... | --all] [--seconds S] [--json FILE]``.

For each game, random legal actions, one thread:

- ``VectorEnv`` with 16, 64, 1,024 and 4,096 lanes: the time of ``step`` only, which writes observations, masks, rewards,
  ends and players;
- a batch environment written in C++ for the same arrays (``limit/batch_environments.cpp``), 1,024 lanes, where there is one;
- OpenSpiel's loop in Python, where pyspiel is installed, as its own experts write it: an observer that writes into one array
  (``make_observation(...).set_from``), a mask filled from ``legal_actions``, ``apply_action``. The choice of an action is not
  counted;
- the loop over integers in Python, ours and OpenSpiel's by turns: ``legal_actions``, ``random.choice``, ``apply_action``.
  The choice is counted here;
- the same loop with a mask and what the player to act sees as arrays of numpy, at every step; OpenSpiel's as above.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from python_steps import OPTIONS, PEERS

import gamedsl
from gamedsl.envs import VectorEnv, why_not_adapted

LIMIT = Path(__file__).parent / "limit"
RECORDED = 100  # steps of a batch
MOST_STEPS = 1_000  # of a play
BATCHES = (16, 64, 1024, 4096)
MAIN = ("tic-tac-toe", "connect-four", "breakthrough", "chess", "go", "backgammon", "kuhn-poker")
IN_CPP = ("tic-tac-toe", "connect-four")


def chosen(masks: Any, rng: np.random.Generator) -> Any:
    """A random legal action for every lane."""
    counts = masks.sum(axis=1)
    wanted = (rng.random(len(masks)) * counts).astype(np.int64)
    rows, columns = np.nonzero(masks)
    del rows
    return columns[np.concatenate([[0], np.cumsum(counts)[:-1]]) + wanted]


def of_lanes(name: str, lanes: int, seconds: float) -> float:
    """Steps of all lanes per CPU second: plays are recorded, and then repeated on the clock."""
    env, rng = VectorEnv(gamedsl.load(name, backend="native", **OPTIONS.get(name, {})), lanes), np.random.default_rng(1)
    recorded = []
    for _ in range(RECORDED):
        recorded.append(chosen(env.masks, rng))
        env.step(recorded[-1])
    spent, steps = 0.0, 0
    while spent < seconds:
        env.reset(0)
        begun = time.process_time()
        for actions in recorded:
            env.step(actions)
        spent += time.process_time() - begun
        steps += lanes * RECORDED
    return steps / spent


def _peer(name: str) -> Any:
    """OpenSpiel's game; None if it has none like that, or is not installed."""
    try:
        pyspiel: Any = import_module("pyspiel")
    except ImportError:
        return None
    if PEERS.get(name, "").split("(")[0] not in pyspiel.registered_names():
        return None
    game = pyspiel.load_game(PEERS[name])
    together = game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    return pyspiel.convert_to_turn_based(game) if together else game


class PeerArrays:
    """OpenSpiel's quickest way to arrays: an observer with a buffer of its own, and a mask filled from the legal actions.

    ``observation_tensor`` and ``legal_actions_mask`` make a list of Python's numbers at every call, and are several times
    slower.
    """

    def __init__(self, game: Any) -> None:
        observation: Any = import_module("open_spiel.python.observation")
        kind = game.get_type()
        self.observer = None
        if kind.provides_observation_tensor or kind.provides_information_state_tensor:
            self.observer = observation.make_observation(game)
        self.mask = np.zeros(game.num_distinct_actions(), np.bool_)

    def look(self, state: Any) -> None:
        """Fills the mask, and what the player to act sees. Nothing where chance is to act."""
        if state.is_chance_node():
            return
        self.mask[:] = False
        self.mask[state.legal_actions()] = True
        if self.observer is not None:
            self.observer.set_from(state, state.current_player())


def of_openspiel(name: str, seconds: float) -> float | None:
    """Decisions of players per CPU second; None without pyspiel."""
    game = _peer(name)
    if game is None:
        return None
    arrays = PeerArrays(game)
    rng, spent, steps = Random(1), 0.0, 0
    while spent < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            begun = time.process_time()
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
            else:
                arrays.look(state)
                steps += 1
            spent += time.process_time() - begun
            if state.is_chance_node():
                action = rng.choices([a for a, _ in outcomes], [p for _, p in outcomes])[0]
            else:
                action = int(rng.choice(np.flatnonzero(arrays.mask)))
            begun = time.process_time()
            state.apply_action(action)
            spent += time.process_time() - begun
        state.returns()
    return steps / spent


def played(begin: Callable[[], Any], over: Callable[[Any], bool], look: Callable[[Any], object], rng: Random) -> int:
    """The steps of a random play by integers."""
    state, steps = begin(), 0
    choice = rng.choice
    while not over(state) and steps < MOST_STEPS:
        look(state)
        following = state.apply_action(choice(state.legal_actions()))
        state = state if following is None else following  # OpenSpiel's states change in place
        steps += 1
    return steps


def nothing(state: Any) -> None:
    """Looks at nothing."""


def our_arrays(state: Any) -> None:
    """The mask, and what the player to act sees."""
    state.action_mask()
    if (player := state.current_player) >= 0:
        state.observation_tensor(player)


def of_integers(name: str, seconds: float, arrays: bool) -> tuple[float, float | None]:
    """Steps per CPU second of a loop over integers: ours, and OpenSpiel's where it has the game. ``arrays``: with a mask and
    an observation."""
    game = gamedsl.load(name, backend="native", **OPTIONS.get(name, {}))
    look_at_ours = our_arrays if arrays else nothing
    games: list[tuple[Any, Any, Any]] = [(game.initial_state, lambda state: state.is_terminal, look_at_ours)]
    peer = _peer(name)
    if peer is not None:
        look_at_theirs = PeerArrays(peer).look if arrays else nothing
        games.append((peer.new_initial_state, lambda state: state.is_terminal(), look_at_theirs))
    for begin, over, look in games:
        played(begin, over, look, Random(0))  # numpy, code and tables are loaded
    spent, steps = [0.0] * len(games), [0] * len(games)
    for seed in range(1 << 30):
        if min(spent) > seconds:
            break
        for i, (begin, over, look) in enumerate(games):
            rng, begun = Random(seed), time.process_time()
            for _ in range(5):
                steps[i] += played(begin, over, look, rng)
            spent[i] += time.process_time() - begun
    rates = [n / s for n, s in zip(steps, spent, strict=True)]
    return rates[0], rates[1] if len(rates) > 1 else None


def of_cpp(folder: str, name: str, seconds: float) -> float | None:
    """Steps of the program in C++ per CPU second; None without a compiler."""
    program = Path(folder) / "batch"
    if not program.exists():
        command = [
            "g++",
            "-O3",
            "-march=native",
            "-std=c++17",
            str(LIMIT / "batch_environments.cpp"),
            "-o",
            str(program),
        ]
        if subprocess.run(command, check=False).returncode:
            return None
    out = subprocess.run(
        [str(program), name, "1024", str(seconds), "1"], capture_output=True, text=True, check=True
    ).stdout
    return float(json.loads(out)["steps_per_second"])


def _fitting() -> list[str]:
    rulesets = Path(__file__).parents[1] / "rulesets"
    shipped = sorted(path.stem for path in rulesets.rglob("*.gdl") if path.parent.name != "clauses")
    return [name for name in shipped if why_not_adapted(gamedsl.load(name, backend="native"), "VectorEnv") is None]


# the figures of a game, and what of them is to be at least 1: how they are called
RATIOS: dict[str, Callable[[dict[str, float | None]], float | None]] = {
    "lanes 1024 : 20 times OpenSpiel": lambda row: _ratio(row["lanes 1024"], row["OpenSpiel"], 20),
    "lanes 64 : lanes 1024": lambda row: _ratio(row["lanes 64"], row["lanes 1024"]),
    "lanes 1024 : 0.4 of C++": lambda row: _ratio(row["lanes 1024"], row["C++"], 0.4),
    "integers : OpenSpiel": lambda row: _ratio(row["integers"], row["OpenSpiel, integers"]),
    "arrays : OpenSpiel": lambda row: _ratio(row["arrays"], row["OpenSpiel, arrays"]),
}


def _ratio(mine: float | None, other: float | None, times: float = 1) -> float | None:
    return None if mine is None or other is None else mine / (times * other)


def worst_first(found: dict[str, dict[str, float | None]]) -> None:
    """Prints every ratio of all games, the least first."""
    for what, ratio in RATIOS.items():
        known = sorted((r, name) for name, row in found.items() if (r := ratio(row)) is not None)
        print(f"{what}:", ", ".join(f"{name} {r:.2f}" for r, name in known))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="*", default=list(MAIN))
    parser.add_argument("--all", action="store_true", help="all shipped rulesets that fit")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    found: dict[str, dict[str, float | None]] = {}
    with TemporaryDirectory() as folder:
        for name in _fitting() if args.all else args.games:
            row: dict[str, float | None] = {f"lanes {n}": of_lanes(name, n, args.seconds) for n in BATCHES}
            row["C++"] = of_cpp(folder, name, args.seconds) if name in IN_CPP else None
            row["OpenSpiel"] = of_openspiel(name, args.seconds)
            for arrays, what in ((False, "integers"), (True, "arrays")):
                row[what], row[f"OpenSpiel, {what}"] = of_integers(name, args.seconds, arrays)
            found[name] = row
            print(name, "  ".join(f"{k}: {v:,.0f}" for k, v in row.items() if v is not None), flush=True)
    worst_first(found)
    if args.json:
        args.json.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
