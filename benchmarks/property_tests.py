"""How deep the default strategies of ``gamedsl.testing`` go: ends reached, and lines used beside those that random games use.

    python benchmarks/property_tests.py [RULESET ...] [--games 10000] [--plies 40000]

A row for each ruleset, the least coverage first: of 100 examples, how many reach an end; the median and the most plies; of the
lines and answers that random games use, how many the examples use; how many random games that were (at most ``--games``, fewer
when they have ``--plies`` plies in all); and the CPU seconds that the examples took.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass
from random import Random

from hypothesis import HealthCheck, Phase, given, seed, settings

from gamedsl.engine import Game, State
from gamedsl.lab.coverage import InstrumentedGame
from gamedsl.language.rules import load_program, shipped
from gamedsl.testing import Play, plays

EXAMPLES = settings(
    max_examples=100, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)


@dataclass
class Row:
    """What was measured for a ruleset."""

    name: str
    ends: int
    plies: list[int]
    covered: int
    wanted: int
    games: int
    seconds: float

    @property
    def share(self) -> float:
        return self.covered / max(1, self.wanted)

    def __str__(self) -> str:
        lengths = sorted(self.plies)
        return (
            f"| {self.name} | {self.ends} % | {lengths[len(lengths) // 2]} | {lengths[-1]} "
            f"| {self.covered} of {self.wanted} ({100 * self.share:.0f} %) | {self.games:,} | {self.seconds:.1f} |"
        )


def used(probed: InstrumentedGame) -> set[int]:
    """The probes that were hit: lines, and answers of conditions."""
    return {i for i, hits in enumerate(probed.counts.hits) if hits}


def play_at_random(probed: InstrumentedGame, games: int, plies: int) -> int:
    """Plays random games to their ends, until there are so many, or so many plies. Returns how many games."""
    made = 0
    for number in range(games):
        if made >= plies:
            return number
        rng, state = Random(f"reference {number}"), probed.game.initial_state()
        while not state.is_terminal:
            state = state.apply(state.propose(rng))
            made += 1
    return games


def measure(name: str, games: int, plies: int) -> Row:
    """Measures one ruleset."""
    program = load_program(name)
    by_chance, by_examples = InstrumentedGame(program), InstrumentedGame(program)
    number = play_at_random(by_chance, games, plies)
    found: list[Play] = []

    @seed(1)
    @EXAMPLES
    @given(plays(Game(program)))
    def generate(play: Play) -> None:
        found.append(play)

    began = time.process_time()
    generate()
    seconds = time.process_time() - began
    for play in found:
        state: State = by_examples.game.initial_state()
        for move in play.moves:
            state.legal_moves()
            state = state.apply(move)
    wanted = used(by_chance)
    ends = round(100 * sum(p.last.is_terminal for p in found) / len(found))
    return Row(name, ends, [len(p.moves) for p in found], len(wanted & used(by_examples)), len(wanted), number, seconds)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rulesets", nargs="*")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--plies", type=int, default=40_000)
    given_ = parser.parse_args()
    rows = []
    for name in given_.rulesets or shipped():
        rows.append(measure(name, given_.games, given_.plies))
        print(rows[-1], flush=True)
    print("\n| ruleset | ends | median plies | most | used of what random games use | random games | CPU s |")
    print("|---|---|---|---|---|---|---|")
    for row in sorted(rows, key=lambda r: (r.share, r.ends)):
        print(row)


if __name__ == "__main__":
    main()
