"""Measures how long `gamedsl ablate` takes for a change: `python benchmarks/ablation.py [-n CHANGES] [RULESET ...]`.

Takes changes of every ruleset by chance (seed 0) from some that are compiled together, those that are rulesets with other
rules, and prints the median and the longest of their CPU seconds, and then those of all rulesets, the slowest first. Each has
its share of checking and compiling. What all changes of a ruleset share is not counted: the games and positions of the
original, and loading libraries.
"""

from __future__ import annotations

import argparse
from random import Random
from statistics import median
from time import process_time

from gamedsl.lab.variants import Ablation, VersionPlan
from gamedsl.lab.variants.ablation import TOGETHER
from gamedsl.lab.variants.games_in_steps import LISTED, steps_of
from gamedsl.language.rules import shipped

WARM = "tic-tac-toe"  # loads the libraries


def measured(name: str, changes: int) -> list[float]:
    """Returns the CPU seconds of changes of a shipped ruleset."""
    question, rng, found = Ablation(name, {}, VersionPlan(), only_deletions=False), Random(0), list[float]()
    total = len(question.wanted)
    first = rng.randrange(max(1, total // TOGETHER)) * TOGETHER
    order = [*range(first, min(first + TOGETHER, total))]
    began = process_time()
    question.game(first)
    share = (process_time() - began) / len(order)
    for step in steps_of(question.plan.games):
        games = question.original.games.first(step)
        if games is None or games.listed > LISTED * question.plan.games:
            break
    question.original.compare(question.changes.game)  # finds its positions
    rng.shuffle(order)
    for number in order:
        began = process_time()
        (effect,) = question.answer(number, 1, lambda: False)
        if effect.comparison is not None:
            found.append(process_time() - began + share)
        if len(found) == changes:
            break
    return found or [share]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=5)
    parser.add_argument("names", nargs="*", metavar="RULESET")
    arguments = parser.parse_args()
    measured(WARM, 2)
    rows = []
    for name in arguments.names or sorted(shipped()):
        seconds = measured(name, arguments.n)
        rows.append((median(seconds), max(seconds), name))
        print(f"| {name} | {rows[-1][0]:.2f} | {rows[-1][1]:.2f} |", flush=True)
    print(f"median of {len(rows)} rulesets: {median(row[0] for row in rows):.2f}")
    print(
        "slowest:", ", ".join(f"{name} {middle:.2f} (up to {most:.2f})" for middle, most, name in sorted(rows)[:-6:-1])
    )


if __name__ == "__main__":
    main()
