"""How long commands take that people wait for: `python benchmarks/startup.py [-n RUNS] [--against PYTHON]`.

Prints seconds of processor time (user and system) of whole processes, the least and the median of some runs. With
`--against`, the Python of another installation takes turns with this one, and the ratio of the medians is told.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from collections.abc import Sequence

COMMANDS = (
    ("--version",),
    ("--help",),
    ("list",),
    ("check", "tic-tac-toe"),
    ("check", "chess"),
    ("rules", "tic-tac-toe"),
    ("fmt", "--check", "tic-tac-toe"),
    ("explain", "E0201"),
    ("perft", "tic-tac-toe", "--depth", "3", "--backend", "interpreter"),
    ("play", "tic-tac-toe", "--seats", "random", "--seed", "1", "--plain"),
)


def seconds(python: str, words: Sequence[str]) -> float:
    """Processor seconds of one process that runs a command to its end."""
    before = os.times()
    # -P: the installed package, not the one in this folder
    code = "import sys; from gamedsl.cli.main import main; sys.exit(main())"
    subprocess.run([python, "-P", "-c", code, *words], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=7, metavar="RUNS")
    parser.add_argument("--against", metavar="PYTHON", help="the Python of another installation")
    options = parser.parse_args()
    pythons = [sys.executable, *([options.against] if options.against else [])]
    print(f"{'command':62} {'least':>6} {'median':>6}" + (f" {'other':>6} {'ratio':>6}" if options.against else ""))
    for words in COMMANDS:
        runs = [[seconds(p, words) for p in pythons] for _ in range(options.n + 1)][1:]
        medians = [statistics.median(one) for one in zip(*runs, strict=True)]
        row = f"{'gamedsl ' + ' '.join(words):62} {min(r[0] for r in runs):6.2f} {medians[0]:6.2f}"
        print(row + (f" {medians[1]:6.2f} {medians[0] / medians[1]:6.2f}" if options.against else ""), flush=True)


if __name__ == "__main__":
    main()
