"""How long compiling takes: `python benchmarks/compile_time.py [--json FILE] [RULESET...]` (none: every shipped one).

Prints, for every ruleset, the seconds of processor time to read and check it, to compile the baseline code of the first random
plays, to compile each module (nothing is taken from the disk; what is not asked for is not compiled), and to load the kept
code again; then the size of the code.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import gamedsl
from gamedsl.compiler.host.binding import Native
from gamedsl.compiler.playouts.counted import COUNTED, COUNTED_GENERIC
from gamedsl.compiler.playouts.generic import QUICK
from gamedsl.language.rules.files import shipped

GOAL = 3.0  # seconds, cold, on the machine that the goal was set for
BASELINE_GOAL = 0.2  # seconds until the first random plays
# an entry point of each module that is compiled, when it is asked for
ENTRIES = {
    "rules": "kind",
    "successors": "expand",
    "perft": "perft",
    "playouts": "batch",
    "quick": QUICK,
    "counted": COUNTED,
}
COLUMNS = ("read", "baseline", *ENTRIES, "load")


def timed(do: Callable[[], Any]) -> tuple[Any, float]:
    """What it gives, and seconds of processor time."""
    start = time.process_time()
    result = do()
    return result, time.process_time() - start


def measure(name: str) -> dict[str, float]:
    """One ruleset, with an empty folder for kept code."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["GAMEDSL_CACHE"] = folder
        game, read = timed(lambda: gamedsl.load(name))
        row = {"read": read}
        _, row["baseline"] = timed(lambda: Native(game.program, baseline=True).entry(COUNTED_GENERIC))
        for column, entry in ENTRIES.items():
            _, row[column] = timed(lambda entry=entry: Native(game.program).entry(entry))
        _, row["load"] = timed(lambda: [Native(game.program).entry(entry) for entry in ENTRIES.values()])
        size = sum(p.stat().st_size for p in Path(folder).iterdir())
    return row | {"kilobytes": size / 1000}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rulesets", nargs="*")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    measure("tic-tac-toe")  # the libraries are loaded and the grammar is built
    found: dict[str, dict[str, float]] = {}
    print(f"{'ruleset':28} " + " ".join(f"{c + ' s':>10}" for c in COLUMNS) + f" {'kB':>8}")
    for name in options.rulesets or shipped():
        found[name] = row = measure(name)
        print(f"{name:28} " + " ".join(f"{row[c]:10.2f}" for c in COLUMNS) + f" {row['kilobytes']:8.0f}", flush=True)
    for column, goal in {"baseline": BASELINE_GOAL, **dict.fromkeys(ENTRIES, GOAL)}.items():
        slow = [name for name, row in found.items() if row[column] >= goal]
        middle = median(row[column] for row in found.values())
        print(f"{column}: median {middle:.2f} s; {goal} s or more: {', '.join(slow) or 'none'}")
    if options.json:
        Path(options.json).write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
