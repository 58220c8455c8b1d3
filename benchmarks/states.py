"""Distinct states a second of the explorer, against hand-written C++ and SPIN: ``python benchmarks/states.py``.

Every game in a process of its own, so that its memory can be told. The C++ programs (limit/bfs_*.cpp) know the game: a state is
a word of 64 bits, in a table with open addressing. SPIN (limit/bfs_*.pml) searches depth first. The numbers of states are known
from elsewhere; a wrong one ends the run with 1. An exploration that is cut short by ``--limit`` is marked, and its rate is that
of the part.

    python benchmarks/states.py [--games NAME...] [--limit SECONDS] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from limit.programs import build
from limit.spin import searched
from rich.console import Console
from rich.table import Table

import gamedsl

RULESETS = Path(__file__).parents[1] / "rulesets"


@dataclass(frozen=True)
class Space:
    """A game with options, its number of states, its C++ program."""

    name: str
    ruleset: str
    states: int
    limit: str
    options: dict[str, Any] = field(default_factory=dict)


SPACES = (
    Space("tic-tac-toe", "tic-tac-toe", 5_478, "bfs_tic_tac_toe"),
    Space("four in a row 4x4", "classics/m-n-k", 9_722_011, "bfs_four_in_a_row", {"m": 4, "n": 4, "k": 4}),
    Space("connect four 5x4", "classics/connect-four", 3_945_711, "bfs_connect_four", {"columns": 5, "rows": 4}),
)


def memory() -> int:
    """Bytes of this process in memory."""
    fields = Path("/proc/self/statm").read_text(encoding="ascii").split()
    return int(fields[1]) * 4096


def explored(space: Space, limit: float) -> dict[str, Any]:
    """One exploration, or as many as fit into a second; the compiler has run before."""
    check: Any = import_module("gamedsl.lab.explore.explorer")
    game = gamedsl.load(str(RULESETS / f"{space.ruleset}.gdl"), **space.options)
    ours = check.Execution(native=True)
    check.explore(game, check.Limits(depth=1), execution=ours)
    before, start = memory(), time.process_time()
    graph = check.explore(game, check.Limits(seconds=limit), execution=ours)
    states, times = len(graph), 1
    size = (memory() - before) / states
    while graph.whole and time.process_time() - start < 1:
        graph = check.explore(game, check.Limits(seconds=limit), execution=ours)
        times += 1
    spent = (time.process_time() - start) / times
    return {"states": states, "whole": graph.whole, "rate": states / spent, "seconds": spent, "bytes_per_state": size}


def apart(space: Space, limit: float) -> dict[str, Any] | None:
    """The exploration in a process of its own; None when it fails."""
    command = [sys.executable, __file__, "--one", space.name, "--limit", str(limit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"{space.name}: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    return dict(json.loads(done.stdout.splitlines()[-1]))


def measure(space: Space, folder: Path, limit: float) -> dict[str, Any]:
    """Ours, the C++ program, and SPIN."""
    program = build(space.limit, folder)
    found: Any = program.run("1")
    if found:
        found["rate"] = found["states"] * found["times"] / found["cpu_seconds"]
    elif program.missing:
        print(program.missing, file=sys.stderr)
    ours = apart(space, limit)
    ratio = ours["rate"] / found["rate"] if ours and found else None
    spin = searched(space.limit, folder, space.states, 0.5)
    return {"game": space.name, "ours": ours, "limit": found, "spin": spin, "ratio": ratio}


def wrong(space: Space, row: dict[str, Any]) -> bool:
    """Whether a whole exploration found another number of states than there are."""
    ours, others = row["ours"], (row["limit"], row["spin"])
    short = ours and ours["whole"] and ours["states"] != space.states
    return bool(short or any(found and found["states"] != space.states for found in others))


def figure(row: dict[str, Any] | None, name: str) -> str:
    return f"{row[name]:,.0f}" if row else "-"


def table(rows: list[dict[str, Any]]) -> Table:
    shown = Table(title="Distinct states per second of CPU time, one process")
    shown.add_column("game")
    for name in ("states", "ours", "bytes a state", "limit", "bytes a state", "ours/limit", "SPIN", "bytes a state"):
        shown.add_column(name, justify="right")
    for row in rows:
        ours, limit = row["ours"], row["limit"]
        states = figure(ours, "states") + ("" if not ours or ours["whole"] else " (cut short)")
        ratio = f"{row['ratio']:.3g}" if row["ratio"] else "-"
        cells = [figure(ours, "rate"), figure(ours, "bytes_per_state"), figure(limit, "rate")]
        spin = [figure(row["spin"], name) for name in ("rate", "bytes_per_state")]
        shown.add_row(row["game"], states, *cells, figure(limit, "bytes_per_state"), ratio, *spin)
    return shown


def main() -> int:
    parser = argparse.ArgumentParser(description="Distinct states a second, against hand-written C++.")
    parser.add_argument("--games", nargs="+", choices=[s.name for s in SPACES], help="only these")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds an exploration may take")
    parser.add_argument("--json", type=Path, help="write all figures to this file")
    parser.add_argument("--one", choices=[s.name for s in SPACES], help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        space = next(s for s in SPACES if s.name == chosen.one)
        print(json.dumps(explored(space, chosen.limit)))
        return 0
    spaces = [s for s in SPACES if not chosen.games or s.name in chosen.games]
    with tempfile.TemporaryDirectory() as folder:
        rows = [measure(s, Path(folder), chosen.limit) for s in spaces]
    console = Console(width=None if sys.stdout.isatty() else 120)
    console.print(table(rows))
    if chosen.json:
        chosen.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    bad = [s.name for s, row in zip(spaces, rows, strict=True) if wrong(s, row)]
    if bad:
        console.print(f"wrong number of states: {', '.join(bad)}", style="bold red")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
