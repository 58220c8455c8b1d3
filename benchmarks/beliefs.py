"""Positions that fit what a seat has seen: ``python benchmarks/beliefs.py [--games NAME ...] [--decisions 20] [--seconds 0.5]``.

The tree search draws positions that fit what its seat has seen, and searches in those. For every shipped ruleset that hides
something: at how many decisions of random plays none was found in the time, so that the search took any legal move; and the
shares of decisions with less than 10 and less than 100 positions.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

import gamedsl
from gamedsl.agents.beliefs.particle_filter import ParticleFilter
from gamedsl.agents.position import NoPosition, Position
from gamedsl.engine import Game, State

ROOT = Path(__file__).parents[1]
NAMES = sorted(p.stem for p in [*ROOT.glob("rulesets/*.gdl"), *ROOT.glob("rulesets/classics/*.gdl")])
MOST_PLIES = 400

SHORT = {"stratego": {"army": "small", "most_turns": 80}}  # the options with which these are measured


def decisions(game: Game, count: int, seed: int) -> list[State]:
    """States of random plays in which somebody chooses, spread over the plays."""
    rng, found = random.Random(seed), list[State]()
    while len(found) < 5 * count:
        state, plies = game.initial_state(), 0
        while not state.is_terminal and plies < MOST_PLIES:
            if state.kind in ("player", "together") and state.count_moves() > 1:
                found.append(state)
            state, plies = state.apply(state.propose(rng)), plies + 1
    return rng.sample(found, count)


def particles(state: State, seconds: float) -> int:
    """How many positions are drawn for the seat that is to act."""
    position = Position.of(state)
    belief = ParticleFilter(position.rules.native.game, position.rules)
    known = belief.observed(position.played(), state.to_act[0])
    try:
        return len(belief.belief(known, time.monotonic() + seconds).shares)
    except NoPosition:
        return 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", nargs="*", default=NAMES)
    parser.add_argument("--decisions", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0.5, help="for one decision")
    given = parser.parse_args()
    for name in given.games:
        game = gamedsl.load(name, **SHORT.get(name, {}))
        if not game.secrets.hides:
            continue
        states = decisions(game, given.decisions, 1)
        particles(states[0], 5.0)  # compiles
        found = [particles(state, given.seconds) for state in states]
        shares = ", ".join(f"less than {n}: {sum(f < n for f in found) / len(found):.0%}" for n in (1, 10, 100))
        print(f"{name:28} {shares}; median {sorted(found)[len(found) // 2]:,}", flush=True)


if __name__ == "__main__":
    main()
