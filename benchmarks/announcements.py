"""How long it takes to work out what a seat is told of a ply: all shipped rulesets that hide something, the worst first.

    python benchmarks/announcements.py [--games 2] [--plies 60] [NAME ...]

CPU milliseconds of one ply for one seat: the worst and the mean, in random games. ``hidden``: the share of the plies of others
that are not told in full.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from random import Random

import gamedsl
from gamedsl.engine import Move, State, announcements_at
from gamedsl.language.rules.files import shipped


@dataclass
class Cost:
    name: str
    looks: int = 0
    total: float = 0.0
    worst: float = 0.0
    others: int = 0
    hidden: int = 0

    @property
    def row(self) -> str:
        mean, share = 1000 * self.total / max(1, self.looks), 100 * self.hidden / max(1, self.others)
        return f"| `{self.name}` | {1000 * self.worst:,.0f} | {mean:,.1f} | {share:.0f} % |"


def measure(name: str, games: int, plies: int) -> Cost | None:
    """The cost for one ruleset; None if it hides nothing."""
    game = gamedsl.load(name)
    if not game.secrets.hides:
        return None
    cost = Cost(name)
    for seed in range(games):
        rng = Random(seed)
        steps: list[tuple[State, Move | None]] = [(game.initial_state(), None)]
        while not steps[-1][0].is_terminal and len(steps) <= plies:
            move = steps[-1][0].propose(rng)
            steps.append((steps[-1][0].apply(move), move))
            for seat in range(game.num_players):
                began = time.process_time()
                told = announcements_at(steps, len(steps) - 1, seat)
                spent = time.process_time() - began
                cost.looks, cost.total, cost.worst = cost.looks + 1, cost.total + spent, max(cost.worst, spent)
                if move.player != seat:
                    cost.others += 1
                    cost.hidden += not told or not all(one.is_whole for one in told)
    return cost


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--plies", type=int, default=60)
    a = parser.parse_args()
    found = [measure(name, a.games, a.plies) for name in a.names or sorted(shipped())]
    print("| ruleset | worst ms | mean ms | hidden |\n|---|---:|---:|---:|")
    for cost in sorted((c for c in found if c is not None), key=lambda c: -c.worst):
        print(cost.row)


if __name__ == "__main__":
    main()
