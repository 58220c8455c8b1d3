"""Plays a second with full statistics against plays of results only: ``python benchmarks/simulate.py [RULESET...]``.

For every shipped ruleset, on one thread, in CPU time: `simulate --quick` and `simulate`, in turns, the best of several.
Sorted by the worst ratio. Games in which players draw are played by the interpreter; where the rules give points, there
are no quick plays: both are left out.

    python benchmarks/simulate.py [--seconds S] [--rounds N] [--json FILE] [RULESET...]
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import gamedsl
from gamedsl.lab.simulate.reference_plays import Plan
from gamedsl.lab.simulate.simulation import Source, _quick, _source
from gamedsl.language.rules.files import shipped
from gamedsl.language.source import UsageError

GOAL = 0.4
MOST = 10_000  # plies, as the command's own limit
MOST_AT_ONCE = 1 << 22
EARLY = 1000  # the first plays are counted in full where others are sampled


def never() -> bool:
    return False


class Side:
    """One way to make plays, and its best rate so far."""

    def __init__(self, source: Source) -> None:
        self.source, self.first, self.at_once, self.best = source, EARLY, 1, 0.0
        source.run(EARLY - 1, 1, never)

    def measure(self, seconds: float) -> None:
        """Plays for about so many seconds of processor time."""
        taken, plays = 0.0, 0
        while taken < seconds:
            start = time.process_time()
            self.source.run(self.first, self.at_once, never)
            last = time.process_time() - start
            taken, plays = taken + last, plays + self.at_once
            self.first += self.at_once
            if last < seconds / 4 and self.at_once < MOST_AT_ONCE:
                self.at_once *= 2
                taken, plays = 0.0, 0
        self.best = max(self.best, plays / taken)


def measured(name: str, seconds: float, rounds: int) -> tuple[float, float]:
    """Plays a second: quick, and with all statistics. Raises ``UsageError``."""
    game = gamedsl.load(name)
    plan = Plan(game, game.initial_state(), (None,) * game.num_players, 0, MOST)
    sides = Side(_quick(plan, "native")[0]), Side(_source(plan, "native")[0])
    for _ in range(rounds):
        for side in sides:
            side.measure(seconds)
    return sides[0].best, sides[1].best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*")
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    found: dict[str, tuple[float, float]] = {}
    for name in options.rulesets or shipped():
        try:
            found[name] = measured(name, options.seconds, options.rounds)
        except UsageError as reason:
            print(f"{name}: {reason.diagnostics[0].message}", flush=True)
    print(f"{'ruleset':28} {'quick':>12} {'full':>12} {'ratio':>6}")
    for name, (quick, full) in sorted(found.items(), key=lambda row: row[1][1] / row[1][0]):
        print(f"{name:28} {quick:12,.0f} {full:12,.0f} {full / quick:6.2f}", flush=True)
    low = [name for name, (quick, full) in found.items() if full < GOAL * quick]
    print(f"{len(found) - len(low)} of {len(found)} at {GOAL} or more; below: {', '.join(low) or 'none'}")
    if options.json:
        Path(options.json).write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
