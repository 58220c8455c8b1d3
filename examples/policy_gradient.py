"""A policy gradient (REINFORCE) in plain numpy over ``VectorEnv``: connect four against random moves.

    python examples/policy_gradient.py [--steps 3000]

The policy is linear: the logits of the actions are the observation times a matrix. Illegal actions have no probability.
"""

from __future__ import annotations

import argparse

import numpy as np

import gamedsl
from gamedsl.envs import VectorEnv

LANES, LEARNING_RATE, DISCOUNT = 256, 0.02, 0.95


def probabilities(weights: np.ndarray, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """The policy: softmax over the legal actions. Shape (lanes, actions)."""
    logits = np.where(masks, observations @ weights, -np.inf)
    found = np.exp(logits - logits.max(axis=1, keepdims=True))
    return found / found.sum(axis=1, keepdims=True)


def choose(policy: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """A random action of each lane. A legal one, though sums are not exactly 1."""
    noise = rng.gumbel(size=policy.shape)
    with np.errstate(divide="ignore"):
        return (np.log(policy) + noise).argmax(axis=1)


def main(steps: int, seed: int = 1) -> tuple[float, float]:
    """The mean results of the first and of the last tenth of the plays."""
    env = VectorEnv(gamedsl.load("connect-four"), LANES, opponents={1: "random"})
    rng = np.random.default_rng(seed)
    observations, masks = env.reset(seed)
    weights = np.zeros((observations.shape[1], masks.shape[1]))
    trace = np.zeros((LANES, *weights.shape), np.float32)  # per lane: the discounted sum of gradients of this play
    baseline, results = 0.0, []
    for _ in range(steps):
        policy = probabilities(weights, observations, masks)
        actions = choose(policy, rng)
        gradient = -policy
        gradient[np.arange(LANES), actions] += 1
        trace *= DISCOUNT
        trace += observations[:, :, None] * gradient[:, None, :]
        _, rewards, done, _ = env.step(actions)
        if done.any():
            won = rewards[done, 0]
            weights += LEARNING_RATE * np.tensordot(won - baseline, trace[done], 1) / len(won)
            baseline += 0.05 * (won.mean() - baseline)
            trace[done] = 0
            results += won.tolist()
    tenth = max(1, len(results) // 10)
    first, last = float(np.mean(results[:tenth])), float(np.mean(results[-tenth:]))
    print(f"{len(results):,} plays: mean result {first:+.3f} at first, {last:+.3f} at the end")
    return first, last


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=3000)
    main(parser.parse_args().steps)
