"""Tree search for hidden information against OpenSpiel's: ``python benchmarks/leduc_duel.py [--simulations 1000] [--seeds 4]``.

Both search at each of the 936 information sets of Leduc poker, ``--seeds`` times. That gives what each of them plays there, as
probabilities, and the utilities of these strategies against each other are computed exactly, without playing. For each contestant:
the utility a game, in both seats equally often,

- of ours against it;
- of it against a strategy near the equilibrium (300 iterations of CFR+), which gives what it loses at least;
- of it against random players;

then the simulations a CPU second of ours and of OpenSpiel's, in turns at the same random decisions. OpenSpiel's ISMCTSBot evaluates
by one random playout. It plays with several constants of UCT, drawn by visits (its own default) and by most visits.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from typing import Any, TypeAlias

import pyspiel

import gamedsl
from gamedsl.agents import Mcts
from gamedsl.engine import Game, Move, State

Strategy: TypeAlias = dict[str, dict[int, float]]  # by information set and action
Sets: TypeAlias = dict[str, tuple[Any, State]]
CARDS = [f"{rank} of {suit}" for rank in ("jack", "queen", "king") for suit in ("hearts", "spades")]
WORDS = {0: ("fold",), 1: ("call", "check"), 2: ("raise",)}
CONSTANTS = (2.0, 5.0, 10.0)  # of UCT; the example of OpenSpiel has 5


def information_sets(other: Any, game: Game) -> Sets:
    """A state of both programs for every information set."""
    found: Sets = {}
    todo = [(other.new_initial_state(), game.initial_state())]
    while todo:
        theirs, ours = todo.pop()
        if theirs.is_terminal():
            continue
        if not theirs.is_chance_node():
            found.setdefault(theirs.information_state_string(), (theirs, ours))
        todo += [(theirs.child(a), ours.apply(move_of(ours, a))) for a in theirs.legal_actions()]
    return found


def move_of(state: State, action: int) -> Move:
    """Our move for an action of OpenSpiel."""
    words = (f"deal {CARDS[action]}",) if state.kind == "chance" else WORDS[action]
    return next(m for m in state.legal_moves() if str(m) in words)


def action_of(move: Move) -> int:
    """OpenSpiel's action for a move of ours."""
    return next(a for a, words in WORDS.items() if str(move) in words)


def strategies(
    sets: Sets, seeds: int, search: Callable[[Any, State, int], dict[int, float]]
) -> tuple[Strategy, Strategy]:
    """What is played by the shares of visits, and by most visits."""
    drawn: Strategy = {}
    most: Strategy = {}
    for key, (theirs, ours) in sets.items():
        drawn[key] = dict.fromkeys(theirs.legal_actions(), 0.0)
        most[key] = dict(drawn[key])
        for seed in range(seeds):
            shares = search(theirs, ours, seed)
            for action, share in shares.items():
                drawn[key][action] += share / seeds
            most[key][max(shares, key=lambda a: shares[a])] += 1 / seeds
    return drawn, most


def our_search(simulations: int) -> Callable[[Any, State, int], dict[int, float]]:
    agent = Mcts(simulations, None)

    def search(theirs: Any, ours: State, seed: int) -> dict[int, float]:
        moves, rng = ours.legal_moves(), random.Random(f"{seed} {theirs}")
        return {action_of(moves[r.action]): r.share for r in agent.study(ours, rng.getrandbits(60)).rows}

    return search


def their_bot(constant: float, simulations: int) -> Any:
    return pyspiel.ISMCTSBot(1, pyspiel.RandomRolloutEvaluator(1, 2), constant, simulations)


def value(other: Any, first: Strategy, second: Strategy) -> float:
    """The utility of the first against the second, in both seats equally often."""
    a, b = (pyspiel.TabularPolicy({k: sorted(p.items()) for k, p in s.items()}) for s in (first, second))
    start = other.new_initial_state()
    there = pyspiel.expected_returns(start, [a, b], -1, True)[0]
    return float(there + pyspiel.expected_returns(start, [b, a], -1, True)[1]) / 2


def near_equilibrium(other: Any) -> Strategy:
    solver = pyspiel.CFRPlusSolver(other)
    for _ in range(300):
        solver.evaluate_and_update_policy()
    return {k: dict(v) for k, v in solver.tabular_average_policy().policy_table().items()}


def rates(sets: Sets, simulations: int, rounds: int) -> list[tuple[float, float]]:
    """Simulations a CPU second: ours and OpenSpiel's, in turns."""
    rng, agent, bot, found = random.Random(1), Mcts(simulations, None), their_bot(5.0, simulations), []
    for _ in range(rounds):
        some = [rng.choice(list(sets.values())) for _ in range(100)]
        begun = time.process_time()
        for _, ours in some:
            agent.choose(ours, rng.getrandbits(60))
        between = time.process_time()
        for theirs, _ in some:
            bot.step(theirs)
        found.append((between - begun, time.process_time() - between))
    return [(100 * simulations / ours, 100 * simulations / theirs) for ours, theirs in found]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--rounds", type=int, default=5, help="of measuring rates")
    given = parser.parse_args()
    other, game = pyspiel.load_game("leduc_poker"), gamedsl.load("leduc-poker")
    sets = information_sets(other, game)
    equilibrium = near_equilibrium(other)
    uniform = {k: dict.fromkeys(s.legal_actions(), 1 / len(s.legal_actions())) for k, (s, _) in sets.items()}
    mine = strategies(sets, given.seeds, our_search(given.simulations))[1]
    shown = {"ours": mine}
    for constant in CONSTANTS:
        bot = their_bot(constant, given.simulations)
        drawn, most = strategies(sets, given.seeds, lambda theirs, _, __, bot=bot: dict(bot.get_policy(theirs)))  # type: ignore[misc]
        shown |= {f"OpenSpiel, {constant:g}, by visits": drawn, f"OpenSpiel, {constant:g}, most visits": most}
    print(f"{'chips a game':30} ours against it  against the equilibrium  against random")
    for name, strategy in shown.items():
        values = [value(other, mine, strategy), value(other, strategy, equilibrium), value(other, strategy, uniform)]
        print(f"{name:30} {values[0]:+15.3f} {values[1]:+24.3f} {values[2]:+15.3f}", flush=True)
    for ours, theirs in rates(sets, given.simulations, given.rounds):
        print(
            f"simulations a CPU second: ours {ours:,.0f}, OpenSpiel {theirs:,.0f}, {ours / theirs:.2f} times",
            flush=True,
        )


if __name__ == "__main__":
    main()
