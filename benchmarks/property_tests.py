"""How deep the default strategies of ``gamedsl.testing`` go: ends reached, and rules used beside those that random games use.

    python benchmarks/property_tests.py [RULESET ...] [--games 10000] [--plies 200000]

A row for each ruleset, the least coverage first: of 100 examples (seed 1), how many reach an end, and how many
differ; the median and the most plies;
of what random games use, how much the examples use; how many random games that were (at most ``--games``, fewer when they have
``--plies`` plies in all); and the CPU seconds that the examples took.

What is used are statements, both answers of conditions, moves, stops and ends. Random games are played with compiled rules, and
every action, of chance too, has the same weight. Where players draw there are no compiled rules, and a hundredth of the plies.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, replace
from random import Random

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings

from gamedsl.engine import InterpretedGame, Move, State
from gamedsl.lab.coverage import InstrumentedGame
from gamedsl.lab.search import GoalProgram, SearchNode, Walker
from gamedsl.language.core import nodes as n
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
    different: int
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
            f"| `{self.name}` | {self.ends} % | {self.different} | {lengths[len(lengths) // 2]} | {lengths[-1]} "
            f"| {self.covered} of {self.wanted} ({100 * self.share:.0f} %) | {self.games:,} | {self.seconds:.1f} |"
        )


class Used:
    """What plays of a ruleset use, by compiled rules that note it."""

    def __init__(self, program: n.Program) -> None:
        self.walker = Walker(GoalProgram(program))
        self.walker.start()

    def by_chance(self, games: int, plies: int) -> tuple[set[int], int]:
        """What random games use, and how many games that were."""
        walker, made = self.walker, 0
        found = set(np.flatnonzero(walker.first_met).tolist())
        for number in range(games):
            if made >= plies:
                return found, number
            rng, node = Random(f"reference {number}"), self.begin()
            while not walker.is_over(node):
                after = walker.after(node, int(rng.random() * walker.num_actions(node)))
                assert after is not None, "no rule fails in a shipped ruleset"
                node = replace(after, before=None)
                found |= walker.used(node)
                made += 1
        return found, games

    def begin(self) -> SearchNode:
        """The first position, and no memory of others."""
        self.walker.context.forget()
        return self.walker.start()

    def by(self, plays: list[Play]) -> set[int]:
        """What these plays use. A beginning that several share is played once."""
        found = set(np.flatnonzero(self.walker.first_met).tolist())
        node = self.begin()
        nodes = {id(play.states[0]): node for play in plays}
        for play in plays:
            for before, move, after in zip(play.states, play.moves, play.states[1:], strict=False):
                if id(after) not in nodes:
                    nodes[id(after)] = self.after(nodes[id(before)], before, move)
                    found |= self.walker.used(nodes[id(after)])
        return found

    def after(self, node: SearchNode, state: State, move: Move) -> SearchNode:
        """The position after a move."""
        walker = self.walker
        number = next(k for k in range(walker.num_actions(node)) if walker.move(node, k, state) == move)
        after = walker.after(node, number)
        assert after is not None, "the play has made this move"
        return after


def by_drawn_chance(program: n.Program, plays: list[Play], games: int, plies: int) -> tuple[set[int], int, set[int]]:
    """The same for rules by which players draw, which are not compiled."""
    by_chance, by_examples = InstrumentedGame(program), InstrumentedGame(program)
    made = number = 0
    while number < games and made < plies:
        rng, state = Random(f"reference {number}"), by_chance.game.initial_state()
        while not state.is_terminal:
            state = state.apply(state.propose(rng))
            made += 1
        number += 1
    for play in plays:
        state = by_examples.game.initial_state()
        for move in play.moves:
            state = state.apply(move)
    one, other = ({i for i, hits in enumerate(p.counts.hits) if hits} for p in (by_chance, by_examples))
    return one, number, other


def measure(name: str, games: int, plies: int) -> Row:
    """Measures one ruleset."""
    program = load_program(name)
    found: list[Play] = []

    @seed(1)
    @EXAMPLES
    @given(plays(InterpretedGame(program)))
    def generate(play: Play) -> None:
        found.append(play)

    began = time.process_time()
    generate()
    seconds = time.process_time() - began
    if any(isinstance(block.end, n.DecideDrawing) for block in program.blocks):
        wanted, number, covered = by_drawn_chance(program, found, games, plies // 100)
    else:
        used = Used(program)
        wanted, number = used.by_chance(games, plies)
        covered = used.by(found)
    ends = round(100 * sum(p.last.is_terminal for p in found) / len(found))
    lengths, different = [len(p.moves) for p in found], len({p.moves for p in found})
    return Row(name, ends, lengths, different, len(wanted & covered), len(wanted), number, seconds)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rulesets", nargs="*")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--plies", type=int, default=200_000)
    given_ = parser.parse_args()
    rows = []
    for name in given_.rulesets or shipped():
        rows.append(measure(name, given_.games, given_.plies))
        print(rows[-1], flush=True)
    print("\n| Ruleset | Ends | Different | Median | Most | Used | Random games | CPU s |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for row in sorted(rows, key=lambda r: (r.share, r.ends)):
        print(row)


if __name__ == "__main__":
    main()
