"""Counts of sequences from known positions, with the time they take: ``python benchmarks/perft.py [seconds]``.

Every number is known from elsewhere (an independent program, or counting by hand); a wrong one ends the run with 3.
With a number of seconds, positions are taken to the depth that is expected to fit in that time each: for compiled rules, and
for the interpreter (which remembers equal positions) as long as it is expected to fit. Rates are in sequences a second of CPU.
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import gamedsl
from gamedsl.compiler import compile_program
from gamedsl.engine.perft_counts import perft

RULESETS = Path(__file__).parents[1] / "rulesets"


@dataclass(frozen=True)
class Position:
    """A game with options, moves from its start, and the known counts at depth 1, 2, 3 ..."""

    game: str
    counts: tuple[int, ...]
    moves: tuple[str, ...] = ()
    options: dict[str, str] = field(default_factory=dict)


POSITIONS = (
    Position("tic-tac-toe", (9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0)),
    Position("rock-paper-scissors", (9, 27, 81)),
    Position("t-tic-t-tac-toe", (9, 81, 675, 5049, 33291, 190593)),
    Position("t-tic-t-tac-toe-game", (25, 2625, 275064), options={"edition": "v1"}),
    Position("t-tic-t-tac-toe-game", (41, 4257, 401385), options={"edition": "v2"}),
    Position("x-s-and-lines", (9, 72, 504, 3744, 4776, 0), options={"n": "3"}),
    Position("x-s-and-lines", (16, 240, 3360, 43680, 624000), options={"n": "4"}),
    Position("x-s-and-lines", (64, 4032, 249984), options={"n": "8"}),
    Position("horn-tiles", (360, 720, 1440, 500032)),
    Position("atreso", (6, 36, 936, 26316)),
    Position("classics/reversi", (4, 12, 56, 244, 1396, 8200, 55092)),
    Position("classics/connect-four", (7, 49, 343, 2401, 16807, 117649, 823536)),
    Position("classics/breakthrough", (22, 484, 11132, 256036)),
)


def run(position: Position, seconds: float) -> bool:
    """Prints a line a depth; True when all counts are right."""
    game = gamedsl.load(str(RULESETS / f"{position.game}.gdl"), **position.options)
    state = game.initial_state()
    for text in position.moves:
        state = state.apply(game.parse_move(text, state))
    native = compile_program(game.program, game)
    counts = {"native": native.perft, "interpreter": perft}
    spent = dict.fromkeys(counts, 0.0)
    options = " ".join(f"{k}={v}" for k, v in position.options.items())
    for depth, wanted in enumerate(position.counts, 1):
        line = f"{position.game:22} {options:12} depth {depth}: {wanted:>9}"
        for name, count in counts.items():
            expected = spent[name] * wanted / max(1, position.counts[depth - 2]) if depth > 1 else 0.0
            if expected > seconds:
                spent[name] = expected
                continue
            start = time.process_time()
            found = count(state, depth)
            spent[name] = time.process_time() - start
            line += f"  {name} {spent[name]:7.3f} s ({wanted / max(spent[name], 1e-9):>11.0f} a second)"
            if found != wanted:
                print(f"{line}\n  wrong: {found} found by {name}")
                return False
        print(line, flush=True)
    return True


def main() -> int:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    right = [run(p, seconds) for p in POSITIONS]
    return 0 if all(right) else 3


if __name__ == "__main__":
    sys.exit(main())
