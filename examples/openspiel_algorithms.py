"""OpenSpiel's own algorithms on rulesets: CFR on Kuhn poker, Monte-Carlo tree search on tic-tac-toe.

pip install gamedsl[openspiel]
python examples/openspiel_algorithms.py [--iterations 100] [--games 20]
"""

from __future__ import annotations

import argparse

import numpy as np
import pyspiel
from open_spiel.python.algorithms import cfr, expected_game_score, exploitability, mcts

from gamedsl.envs import register_openspiel


def solve(iterations: int) -> tuple[float, float]:
    """The NashConv of the average policy of CFR, and the value for the first player."""
    game = pyspiel.load_game("gamedsl_kuhn_poker")
    solver = cfr.CFRSolver(game)
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])[0]
    return exploitability.nash_conv(game, policy), value


def search(games: int, simulations: int) -> float:
    """The mean result of a search that moves second, against random moves."""
    game, rng = pyspiel.load_game("gamedsl_tic_tac_toe"), np.random.RandomState(1)
    bot = mcts.MCTSBot(game, 1.4, simulations, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)
    total = 0.0
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            mine = state.current_player() == 1
            state.apply_action(bot.step(state) if mine else int(rng.choice(state.legal_actions())))
        total += state.returns()[1]
    return total / games


def main(iterations: int, games: int, simulations: int = 50) -> tuple[float, float, float]:
    register_openspiel(["kuhn-poker", "tic-tac-toe"])
    conv, value = solve(iterations)
    print(f"Kuhn poker, CFR, {iterations:,} iterations: NashConv {conv:.5f}, value {value:+.5f}")
    result = search(games, simulations)
    print(f"tic-tac-toe, search with {simulations} simulations against random moves: mean result {result:+.2f}")
    return conv, value, result


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--games", type=int, default=20)
    given = parser.parse_args()
    main(given.iterations, given.games)
