"""Environment steps per CPU second: ``python benchmarks/environments.py [--games NAME...] [--seconds S] [--json FILE]``.

For each game, random legal actions, one thread:

- ``VectorEnv`` with 16, 64, 1,024 and 4,096 lanes: the time of ``step`` only, which writes observations, masks, rewards,
  ends and players;
- a batch environment written in C++ for the same arrays (``limit/batch_environments.cpp``), 1,024 lanes, where there is one;
- OpenSpiel's loop in Python: ``observation_tensor``, ``legal_actions_mask``, ``apply_action``, where pyspiel is installed. The
  choice of an action is not counted.

The caller's choice of actions is left out everywhere.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from importlib import import_module
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import gamedsl
from gamedsl.envs import VectorEnv

LIMIT = Path(__file__).parent / "limit"
BATCHES = (16, 64, 1024, 4096)
PEERS = {
    "tic-tac-toe": "tic_tac_toe", "connect-four": "connect_four", "breakthrough": "breakthrough", "chess": "chess",
    "go": "go(board_size=9)", "backgammon": "backgammon", "kuhn-poker": "kuhn_poker",
}  # fmt: skip
IN_CPP = ("tic-tac-toe", "connect-four")


def chosen(masks: Any, rng: np.random.Generator) -> Any:
    """A random legal action for every lane."""
    counts = masks.sum(axis=1)
    wanted = (rng.random(len(masks)) * counts).astype(np.int64)
    rows, columns = np.nonzero(masks)
    del rows
    return columns[np.concatenate([[0], np.cumsum(counts)[:-1]]) + wanted]


def of_lanes(name: str, lanes: int, seconds: float) -> float:
    """Steps of all lanes per CPU second."""
    env, rng = VectorEnv(gamedsl.load(name, backend="native"), lanes), np.random.default_rng(1)
    spent, steps = 0.0, 0
    for _ in range(20):
        env.step(chosen(env.masks, rng))
    while spent < seconds:
        actions = chosen(env.masks, rng)
        begun = time.process_time()
        env.step(actions)
        spent += time.process_time() - begun
        steps += lanes
    return steps / spent


def of_openspiel(name: str, seconds: float) -> float | None:
    """Decisions of players per CPU second; None without pyspiel."""
    try:
        pyspiel: Any = import_module("pyspiel")
        game = pyspiel.load_game(name)
    except Exception:
        return None
    told = game.get_type().provides_observation_tensor
    rng, spent, steps = Random(1), 0.0, 0
    while spent < seconds:
        state = game.new_initial_state()
        while not state.is_terminal():
            begun = time.process_time()
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
            else:
                if told:
                    np.asarray(state.observation_tensor(), np.float32)
                mask = np.asarray(state.legal_actions_mask(), np.bool_)
                steps += 1
            spent += time.process_time() - begun
            if state.is_chance_node():
                action = rng.choices([a for a, _ in outcomes], [p for _, p in outcomes])[0]
            else:
                action = int(rng.choice(np.flatnonzero(mask)))
            begun = time.process_time()
            state.apply_action(action)
            spent += time.process_time() - begun
        state.returns()
    return steps / spent


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="*", default=list(PEERS))
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    found = {}
    with TemporaryDirectory() as folder:
        for name in args.games:
            row: dict[str, float | None] = {f"lanes {n}": of_lanes(name, n, args.seconds) for n in BATCHES}
            row["C++"] = of_cpp(folder, name, args.seconds) if name in IN_CPP else None
            row["OpenSpiel"] = of_openspiel(PEERS[name], args.seconds) if name in PEERS else None
            found[name] = row
            print(name, "  ".join(f"{k}: {v:,.0f}" for k, v in row.items() if v is not None), flush=True)
    if args.json:
        args.json.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
