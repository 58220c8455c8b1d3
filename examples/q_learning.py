"""Tabular Q-learning on a Gymnasium environment: tic-tac-toe against a random opponent.

pip install gamedsl[gymnasium]
python examples/q_learning.py [--episodes 20000]
"""

from __future__ import annotations

import argparse
from collections import defaultdict

import gymnasium
import numpy as np

from gamedsl.envs import register_gymnasium

LEARNING_RATE, EXPLORATION = 0.3, 0.1


def key(observation: np.ndarray) -> bytes:
    """A state of the table: what the learner sees."""
    return observation.astype(np.int8).tobytes()


def best(values: np.ndarray, legal: np.ndarray) -> int:
    return int(legal[values[legal].argmax()])


def train(env: gymnasium.Env, episodes: int, rng: np.random.Generator) -> dict[bytes, np.ndarray]:
    """The table of action values."""
    table: dict[bytes, np.ndarray] = defaultdict(lambda: np.zeros(env.action_space.n))
    for episode in range(episodes):
        observation, info = env.reset(seed=episode)
        over = False
        while not over:
            legal, values = np.flatnonzero(info["action_mask"]), table[key(observation)]
            action = int(rng.choice(legal)) if rng.random() < EXPLORATION else best(values, legal)
            observation, reward, over, _, info = env.step(action)
            later = 0.0 if over else table[key(observation)][np.flatnonzero(info["action_mask"])].max()
            values[action] += LEARNING_RATE * (reward + later - values[action])
    return table


def evaluate(env: gymnasium.Env, table: dict[bytes, np.ndarray], episodes: int) -> float:
    """The mean reward of the greedy policy."""
    total = 0.0
    for episode in range(episodes):
        observation, info = env.reset(seed=1_000_000 + episode)
        over, reward = False, 0.0
        while not over:
            action = best(table[key(observation)], np.flatnonzero(info["action_mask"]))
            observation, reward, over, _, info = env.step(action)
        total += reward
    return total / episodes


def main(episodes: int) -> float:
    env = gymnasium.make(register_gymnasium(["tic-tac-toe"])[0])
    before = evaluate(env, defaultdict(lambda: np.zeros(9)), 500)
    table = train(env, episodes, np.random.default_rng(1))
    after = evaluate(env, table, 500)
    print(f"mean reward: {before:+.3f} before, {after:+.3f} after {episodes:,} episodes ({len(table):,} states)")
    return after


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--episodes", type=int, default=20_000)
    main(parser.parse_args().episodes)
