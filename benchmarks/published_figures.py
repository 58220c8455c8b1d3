"""Random games of ten rulesets beside the figures that Ludii publishes: `python benchmarks/published_figures.py`.

Prints the table of `docs/reference/metrics.md`. The published figures are those of the file `game_concept_matrix_allconcepts_new.csv`
(see there), by its columns of turns, choices, share of the first player, and draws.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any, NamedTuple

GAMES = 10_000


class Published(NamedTuple):
    """A game of theirs: its name, our ruleset with its options, plies of ours for a turn of theirs, and their figures."""

    name: str
    ruleset: str
    options: tuple[str, ...] = ()
    plies: int = 1
    turns: float = 0.0
    choices: float = 0.0
    first: float = 0.0
    drawn: float = 0.0


PUBLISHED = (
    Published("Connect Four", "connect-four", (), 1, 21.07, 6.83, 0.52, 0.01),
    Published("Yavalath", "yavalath", (), 1, 20.01, 51.56, 0.51, 0.0),
    Published("Hex", "hex", ("n=11",), 1, 107.03, 68.0, 0.47, 0.0),
    Published("Gomoku", "gomoku", ("size=15",), 1, 110.51, 170.25, 0.45, 0.0),
    Published("Breakthrough", "breakthrough", (), 1, 63.09, 25.84, 0.55, 0.0),
    Published("Amazons", "amazons", (), 2, 68.12, 20.76, 0.40, 0.0),
    Published("Reversi", "reversi", (), 1, 62.45, 8.09, 0.45, 0.03),
    Published("Nine Men's Morris", "nine-mens-morris", (), 1, 171.22, 12.14, 0.58, 0.0),
    Published("Dots and Boxes", "dots-and-boxes", ("rows=8", "columns=8"), 1, 96.99, 75.64, 0.52, 0.05),
    Published("Oware", "oware", (), 1, 389.07, 3.21, 0.38, 0.13),
)


def main() -> int:
    say = sys.stdout.write
    say("| game | turns: Ludii | ours | choices: Ludii | ours | first player: Ludii | ours | drawn: Ludii | ours |\n")
    say("| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n")
    for game in PUBLISHED:
        told = measured(game)
        seat = told["seats"][0]
        points = seat["win_share"]["value"] + seat["draw_share"]["value"] / 2
        turns, drawn = told["lengths"]["mean"], seat["draw_share"]["value"]
        low, high = (turns[k] / game.plies for k in ("low", "high"))
        cells = (
            game.name, game.turns, f"{turns['value'] / game.plies:.1f} ({low:.1f} to {high:.1f})", game.choices,
            f"{told['branching']['mean']:.2f}", f"{game.first:.2f}", f"{points:.2f}", f"{game.drawn:.2f}", f"{drawn:.2f}",
        )  # fmt: skip
        say(f"| {' | '.join(map(str, cells))} |\n")
        sys.stdout.flush()
    return 0


def measured(game: Published) -> Any:
    """Returns what `gamedsl simulate` prints as JSON."""
    options = [word for option in game.options for word in ("--set", option)]
    line = ["gamedsl", "simulate", game.ruleset, *options, "-n", str(GAMES), "--seed", "0", "--format", "json", "-q"]
    return json.loads(subprocess.run(line, capture_output=True, text=True, check=True).stdout)


if __name__ == "__main__":
    raise SystemExit(main())
