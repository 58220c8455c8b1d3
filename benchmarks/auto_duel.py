"""`auto` against `mcts` with playouts at equal CPU time: ``python benchmarks/auto_duel.py [--games NAME...] [--way WAY]``.

Both may spend the same CPU seconds on a move. A clock does not stop them, since a busy machine would favor one: their
iterations or effort come from the rates of their moves so far; the exact search alone ends with its clock, as in play. What
each has spent in all is printed. Both games of a pair begin with the same four random plies; games longer than 200 plies are
draws. Compiling and the self-test are not counted; the CPU seconds of the self-test are the last figure (next to nothing if its
result is in the code cache). ``--way tree,1,0.3`` searches in this way instead of the one that `auto` has chosen: trees, with
the leaf value, exploration 0.3 (see ``auto_choice.Way``). In parentheses: the points of a game, with an interval of 95 % from
mirrored pairs.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, field

import gamedsl
from gamedsl.agents import Mcts, deepening, forest, pairings
from gamedsl.agents.agent import Searcher
from gamedsl.agents.alphabeta_memory import NODE
from gamedsl.agents.auto_choice import AutoChoice, Way, auto_choice
from gamedsl.agents.exact import Bound, search_exactly, seconds_left
from gamedsl.agents.position import Position, compiled
from gamedsl.agents.search_findings import Findings
from gamedsl.agents.self_play_value import best_value
from gamedsl.agents.tournament import MatchConditions, play
from gamedsl.compiler import Native
from gamedsl.engine import Game
from gamedsl.lab.statistics import PairCounts

GAMES = ("connect-four", "breakthrough", "reversi", "hex", "amazons", "english-draughts", "lines-of-action", "chess")
OPENING, LONGEST = 4, 200


@dataclass
class Timed(Searcher):
    """A search with a budget of CPU seconds on a move. ``choice``: that of ``auto`` (None: tree search with playouts)."""

    choice: AutoChoice | None
    seconds: float
    exact: bool = False
    rate: float = 1e5
    spent: float = 0.0
    moves: int = field(default=0)

    text = "timed"

    def check(self, game: Game) -> None:
        """Accepts the game."""

    def smallest(self) -> Timed:
        return self

    def find(self, position: Position, seed: int, whole: bool = False) -> Findings:
        began, exact = time.process_time(), None
        if self.exact and self.choice is not None:
            exact = search_exactly(position, Bound.of(self.seconds), self.choice.guide)
        tried = time.process_time() - began
        if exact is not None and exact.wins:
            self.spent, self.moves = self.spent + tried, self.moves + 1
            return exact.findings()
        amount = max(10, int(self.rate * seconds_left(self.seconds, tried, exact)))
        searched = time.process_time()
        if self.choice is not None and self.choice.way.kind == "ab":
            found = deepening.search(position, seed, deepening.Budget(effort=amount), whole, self.choice.value)
            done = found.nodes * NODE
        else:
            style = forest.PLAIN if self.choice is None else self.choice.style
            found = forest.search([position.beside()], seed, amount, None, style)
            done = sum(row.visits for row in found.rows)
        spent = time.process_time() - searched
        self.spent, self.moves = self.spent + tried + spent, self.moves + 1
        if done > amount / 2:  # else the game was decided
            self.rate += (done / max(spent, 1e-4) - self.rate) * 0.3
        if exact is None:
            return found
        began, chosen = time.process_time(), exact.best_of(found, seed)
        self.spent += time.process_time() - began
        return chosen


def chosen(native: Native, way: str | None) -> AutoChoice:
    """The choice of `auto`, or a given one."""
    if way is None:
        return auto_choice(native)
    kind, leaf, explore = way.split(",")
    found = Way(kind, bool(int(leaf)), float(explore))
    return AutoChoice(found, best_value(native) if found.leaf else None, f"{found.text} (as asked)")


def duel(name: str, pairs: int, seconds: float, way: str | None, exact: bool) -> str:
    """One line about a game."""
    game = gamedsl.load(name)
    native = compiled(game)
    best_value(native)
    began = time.process_time()
    choice = chosen(native, way)
    tested = time.process_time() - began
    sides = [Timed(choice, seconds, exact), Timed(choice if exact else None, seconds)]
    Mcts(1, None).prepare(game)
    for side in sides:
        for _ in range(8):
            side.find(Position.of(game.initial_state()), 1)
        side.spent, side.moves = 0.0, 0
    points = [0.0, 0.5, 1.0]
    counts, results = [0, 0, 0], list[float]()
    for pairing in pairings(2, 2, pairs):
        got = play(game, sides, pairing, MatchConditions(1, OPENING, None, LONGEST)).points()[0][1]
        counts[points.index(got)] += 1
        results.append(got)
    score = PairCounts.of(a + b for a, b in zip(results[::2], results[1::2], strict=True)).score()
    assert score is not None
    ms = [1e3 * side.spent / max(1, side.moves) for side in sides]
    return (
        f"{name:18} {counts[2]:3} won {counts[1]:3} drawn {counts[0]:3} lost ({score.value:.2f}, "
        f"{score.low:.2f} to {score.high:.2f}); {ms[0]:.0f} and {ms[1]:.0f} ms a move; "
        f"{choice.text}, {tested:.1f} s"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="*", default=GAMES, help="rulesets (the eight of the page)")
    parser.add_argument("--pairs", type=int, default=5, help="mirrored pairs of games (5)")
    parser.add_argument("--seconds", type=float, default=0.05, help="CPU seconds a move (0.05)")
    parser.add_argument("--way", help="KIND,LEAF,EXPLORATION instead of the choice of `auto`")
    parser.add_argument(
        "--exact", action="store_true", help="the choice of `auto` with an exact search before, against it without"
    )
    arguments = parser.parse_args()
    for name in arguments.games:
        print(duel(name, arguments.pairs, arguments.seconds, arguments.way, arguments.exact), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
