"""How fast agents search: ``python benchmarks/search.py [--seconds S] [--json FILE]``.

Tree search from the first position, one thread, trees of 5,000 iterations begun anew until the seconds are over: nodes built
and iterations (a way down the tree and a random play each) per second of CPU time. Alpha-beta likewise, to a fixed depth:
positions looked at. Kernels and rules are compiled before the clock starts.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

import gamedsl
from gamedsl.agents.alphabeta import AlphaBeta
from gamedsl.agents.mcts import Mcts
from gamedsl.agents.position import Position
from gamedsl.agents.search_findings import Findings

ITERATIONS = 5_000
TARGET = 200_000  # nodes a second on games of the size of tic-tac-toe
SMALL = ("tic-tac-toe", "misere-tic-tac-toe", "nim", "rock-paper-scissors")
# game, depth for alpha-beta (0: it does not fit)
GAMES = (
    ("tic-tac-toe", 9), ("misere-tic-tac-toe", 9), ("nim", 9), ("rock-paper-scissors", 0), ("pig", 0),
    ("connect-four", 7), ("breakthrough", 3), ("reversi", 4), ("hex", 2), ("kalah", 6),
)  # fmt: skip


def rate(search: Callable[[int], Findings], seconds: float) -> tuple[float, float]:
    """Nodes and searches per second of CPU time."""
    search(0)
    nodes, done, began = 0, 0, time.process_time()
    while done == 0 or time.process_time() - began < seconds:
        done += 1
        nodes += search(done).nodes
    spent = time.process_time() - began
    return nodes / spent, done / spent


def measured(name: str, depth: int, seconds: float) -> dict[str, float | str | None]:
    game = gamedsl.load(name)
    position = Position.of(game.initial_state())
    nodes, searches = rate(lambda seed: Mcts(ITERATIONS, None).find(position, seed), seconds)
    answer = rate(lambda seed: AlphaBeta(depth, None).find(position, seed), seconds)[0] if depth else None
    return {
        "game": name,
        "nodes": nodes,
        "iterations": searches * ITERATIONS,
        "depth": depth or None,
        "alphabeta": answer,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU seconds a measurement (2)")
    parser.add_argument("--json", type=Path, help="also write the numbers to this file")
    arguments = parser.parse_args()
    print(f"{'game':22}{'mcts nodes/s':>14}{'iterations/s':>14}{'ab positions/s':>16}  to depth")
    rows = []
    for name, depth in GAMES:
        row = measured(name, depth, arguments.seconds)
        rows.append(row)
        looked = f"{row['alphabeta']:>16,.0f}  {depth}" if depth else f"{'-':>16}"
        print(f"{name:22}{row['nodes']:>14,.0f}{row['iterations']:>14,.0f}{looked}", flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps({"rows": rows}, indent=2) + "\n", encoding="utf-8")
    least = min(float(r["iterations"] or 0) for r in rows if r["game"] in SMALL)
    print(f"least of the small games: {least:,.0f} iterations a second (wanted: {TARGET:,})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
