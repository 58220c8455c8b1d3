"""Self-play on a PettingZoo environment: both seats of "connect three" on a small board learn one table of action values from
the results of their plays.

pip install gamedsl[pettingzoo]
python examples/self_play.py [--plays 8000]
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from typing import Any

import numpy as np

from gamedsl.envs import pettingzoo_env

LEARNING_RATE, EXPLORATION = 0.1, 0.15
Table = dict[bytes, np.ndarray]


def chosen(table: Table, observation: Any, explore: float, rng: np.random.Generator) -> tuple[bytes, int]:
    """What an agent sees, as a key of the table, and the action that it chooses."""
    key, legal = observation["observation"].astype(np.int8).tobytes(), np.flatnonzero(observation["action_mask"])
    if rng.random() < explore:
        return key, int(rng.choice(legal))
    values = table[key][legal]
    return key, int(rng.choice(legal[values == values.max()]))


def play(env: Any, table: Table, explore: dict[str, float], rng: np.random.Generator) -> tuple[dict[str, list], Any]:
    """The decisions of all agents in one play, and their rewards."""
    env.reset(seed=int(rng.integers(1 << 30)))
    made: dict[str, list] = defaultdict(list)
    results: dict[str, float] = {}
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        if termination or truncation:
            results[agent] = reward
            env.step(None)
        else:
            made[agent].append(chosen(table, observation, explore[agent], rng))
            env.step(made[agent][-1][1])
    return made, results


def train(env: Any, plays: int, rng: np.random.Generator) -> Table:
    """The table of action values: the mean results of the plays, the last ones weighing most."""
    table: Table = defaultdict(lambda: np.zeros(env.action_space(env.possible_agents[0]).n))
    explore = dict.fromkeys(env.possible_agents, EXPLORATION)
    for _ in range(plays):
        made, results = play(env, table, explore, rng)
        for agent, decisions in made.items():
            for key, action in decisions:
                table[key][action] += LEARNING_RATE * (results[agent] - table[key][action])
    return table


def evaluate(env: Any, table: Table, plays: int, rng: np.random.Generator) -> float:
    """The mean result of the table, in both seats, against random moves."""
    total = 0.0
    for n in range(plays):
        learner, other = env.possible_agents[:: 1 if n % 2 else -1]
        total += play(env, table, {learner: 0.0, other: 1.0}, rng)[1][learner]
    return total / plays


def main(plays: int) -> tuple[float, float]:
    env, rng = pettingzoo_env("connect-four", columns=4, rows=4, k=3), np.random.default_rng(1)
    before = evaluate(env, defaultdict(lambda: np.zeros(16)), 300, rng)
    after = evaluate(env, train(env, plays, rng), 300, rng)
    print(f"mean result against random moves: {before:+.3f} before, {after:+.3f} after {plays:,} plays of self-play")
    return before, after


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--plays", type=int, default=8_000)
    main(parser.parse_args().plays)
