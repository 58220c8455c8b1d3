"""Random plays a second, against hand-written C++ and OpenSpiel: ``python benchmarks/playouts.py``.

For every game, each in turn for a part of the seconds and round after round, one thread, CPU time: our compiled rules, their
lockstep form, our own C++ program for that one game (limit/), its lockstep form, OpenSpiel's C++ (many rollouts a call, so
Python costs nothing). All must agree on who wins how often: the largest deviation in standard errors is printed, and more
than 4.5 ends the run with 1. What is not there is a dash.

    python benchmarks/playouts.py [--games NAME...] [--all] [--seconds S] [--rounds N] [--seed N] [--json FILE] [--write] [--no-extras]

Beside the table: plays of the interpreter, and perft of T-Tic-T-Tac-Toe 2.0.
``--all`` plays every shipped ruleset, in short slices and without these, sorted by the worst ratio to the limit.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from contestants import Contestant, Count, deviation, drawings_text, interpreter, limit, ours, peer
from games import GAMES, PAGE, RULESETS, Benchmark, every
from limit.programs import Program, build
from playouts_page import Order, figure, order, page
from rich.console import Console
from rich.table import Table

import gamedsl
from gamedsl.language.core.nodes import DrawingT

SIGMAS = 4.5  # about one false alarm in 150,000 comparisons


# ----------------------------------------------------------------------------------------------------- a game
@dataclass
class Row:
    """A game's counts by contestant, and how far they are apart."""

    benchmark: Benchmark
    counts: dict[str, Count]
    sigmas: float = 0.0

    def ratio(self, of: str, to: str) -> float | None:
        if of not in self.counts or to not in self.counts:
            return None
        return self.counts[of].rate / self.counts[to].rate

    @property
    def length(self) -> float | None:
        """The mean number of moves of a play."""
        some = self.counts.get("limit") or self.counts.get("ours") or Count()
        return some.plies / some.plays if some.plies is not None and some.plays else None

    def order(self) -> Order:
        """Its place in the table."""
        return order(self.benchmark.name, {name: c.rate for name, c in self.counts.items()})

    @property
    def report(self) -> dict[str, Any]:
        """What goes into the JSON file."""
        counts = {name: asdict(c) | {"rate": c.rate} for name, c in self.counts.items()}
        ratios = {name: self.ratio(*pair) for name, pair in RATIOS.items()}
        length = self.length
        near = self.benchmark.near if "OpenSpiel" in counts else ""
        return {
            "game": self.benchmark.name,
            "sigmas": self.sigmas,
            "counts": counts,
            "ratios": ratios,
            "plies": length,
            "near": near,
        }


RATIOS = {
    "ours/limit": ("ours", "limit"),
    "lockstep/limit": ("lockstep", "limit"),
    "lockstep/limit lockstep": ("lockstep", "limit lockstep"),
    "ours/OpenSpiel": ("ours", "OpenSpiel"),
}


def contestants(b: Benchmark, game: gamedsl.Game, program: Program | None, folder: Path) -> dict[str, Contestant]:
    """Those that are there. ``folder``: for what the programs read."""
    found: dict[str, Contestant | None] = {}
    try:
        found = {"ours": ours(game), "lockstep": ours(game, lockstep=True)}
    except Exception as problem:  # the table is printed with what there is
        print(f"{b.name}: not compiled: {problem!r}", file=sys.stderr)
    if program:
        words = []
        if any(isinstance(v.type, DrawingT) for v in game.program.variables):
            words = [str(folder / "drawings.txt")]
            (folder / "drawings.txt").write_text(drawings_text(game), encoding="utf-8")
        found |= {"limit": limit(program, "scalar", *words), "limit lockstep": limit(program, "simd", *words)}
    if b.peer:
        found["OpenSpiel"] = peer(b.peer, b.parameters)
    return {name: c for name, c in found.items() if c is not None}


def measure(b: Benchmark, program: Program | None, seconds: float, rounds: int, seed: int, folder: Path) -> Row:
    """All contestants in turn, round after round, each with its own random numbers."""
    game = gamedsl.load(str(RULESETS / f"{b.ruleset}.gdl"), **b.options)
    there = contestants(b, game, program, folder)
    counts: dict[str, Count] = {}
    for turn in range(rounds):
        for number, (name, run) in enumerate(there.items()):
            found = run(seconds / rounds, seed + 1000 * turn + 100 * number)
            if found is not None:
                counts.setdefault(name, Count()).add(found)
    same = [c for c in counts if c != "OpenSpiel" or not b.near]
    pairs = [(x, y) for x in same for y in same if x < y]
    return Row(b, counts, max((deviation(counts[x], counts[y]) for x, y in pairs), default=0.0))


# ----------------------------------------------------------------------------------------------------- extras
def perft_rate(seconds: float) -> dict[str, Any]:
    """Leaves a second of T-Tic-T-Tac-Toe 2.0 from the start, to the greatest depth that fits."""
    game = gamedsl.load(str(RULESETS / "t-tic-t-tac-toe-game.gdl"), edition="v2")
    native = import_module("gamedsl.compiler").compile_program(game.program)
    native.perft(game.initial_state(), 1)  # compiles it
    found: dict[str, Any] = {}
    for depth in range(2, 7):
        start = time.process_time()
        leaves = native.perft(game.initial_state(), depth)
        spent = time.process_time() - start
        found = {"depth": depth, "leaves": leaves, "seconds": spent, "rate": leaves / max(spent, 1e-9)}
        if spent * 120 > seconds:
            break
    return found


def no_lockstep(chosen: list[Benchmark]) -> dict[str, str]:
    """Why games have no lockstep form, for those that have none."""
    found = {}
    for b in chosen:
        game = gamedsl.load(str(RULESETS / f"{b.ruleset}.gdl"), **b.options)
        reason = import_module("gamedsl.compiler").compile_program(game.program).lockstep
        if reason is not None:
            found[b.name] = str(reason)
    return found


def interpreted(b: Benchmark, seconds: float, seed: int) -> float:
    """Plays a second of the interpreter."""
    game = gamedsl.load(str(RULESETS / f"{b.ruleset}.gdl"), **b.options)
    found = interpreter(game)(seconds, seed)
    return found.rate if found else math.nan


# ------------------------------------------------------------------------------------------------------ print
COLUMNS = ("ours", "lockstep", "limit", "limit lockstep", "OpenSpiel")


def table(rows: list[Row]) -> Table:
    found = Table(title="Random plays to the end per second of CPU time, one thread")
    found.add_column("game")
    for name in (*COLUMNS, *RATIOS, "limit: cycles a move", "moves a play", "apart (σ)"):
        found.add_column(name, justify="right")
    for row in rows:
        counts = row.counts
        cells = [figure(counts[c].rate) if c in counts else "-" for c in COLUMNS]
        cells += [figure(row.ratio(*pair)) for pair in RATIOS.values()]
        cells += [figure(counts["limit"].cycles) if "limit" in counts else "-", figure(row.length), f"{row.sigmas:.1f}"]
        found.add_row(row.benchmark.name, *cells)
    return found


def extras(chosen: list[Benchmark], seconds: float, seed: int, console: Console) -> dict[str, Any]:
    """Perft and the interpreter, printed and given back."""
    report: dict[str, Any] = {"interpreter": {b.name: interpreted(b, seconds / 2, seed) for b in chosen}}
    rates = ", ".join(f"{name} {figure(rate)}" for name, rate in report["interpreter"].items())
    console.print(f"interpreter, plays a second: {rates}")
    try:
        report["no lockstep"] = reasons = no_lockstep(chosen)
        for name, reason in reasons.items():
            console.print(f"no lockstep form of {name}: {reason}", markup=False)
        report["perft"] = found = perft_rate(20 * seconds)
        told = f"depth {found['depth']}: {found['leaves']:,} leaves, {figure(found['rate'])} a second"
        console.print(f"perft of T-Tic-T-Tac-Toe 2.0, {told}")
    except Exception as problem:
        console.print(f"not compiled: {problem!r}", style="red")
    return report


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Random plays a second, against hand-written C++ and OpenSpiel.")
    parser.add_argument("--games", nargs="+", choices=[b.name for b in every()], metavar="NAME", help="only these")
    parser.add_argument(
        "--all", action="store_true", help="every shipped ruleset, sorted by the worst ratio to the limit"
    )
    parser.add_argument("--seconds", type=float, help="CPU time for every contestant and game: 1.5; 0.6 with --all")
    parser.add_argument(
        "--write", action="store_true", help=f"write docs/reference/{PAGE.name} (with --all), or its rows of --games"
    )
    parser.add_argument("--rounds", type=int, default=3, help="in so many parts, in turn with the others")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="write all figures to this file")
    parser.add_argument("--no-extras", action="store_true", help="no interpreter, perft")
    chosen = parser.parse_args()
    if chosen.write and not (chosen.all or chosen.games):
        parser.error("--write needs --all or --games")
    return chosen


def measured(games: list[Benchmark], chosen: argparse.Namespace, console: Console) -> list[Row]:
    """A row a game. A game that can't be measured is told, and left out."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        programs = {b.name: build(b.limit, Path(folder)) for b in games if b.limit}
        for reason in sorted({p.missing for p in programs.values() if p.missing}):
            console.print(reason, style="yellow", markup=False)
        for b in games:
            rows.append(measure(b, programs.get(b.name), chosen.seconds, chosen.rounds, chosen.seed, Path(folder)))
            if chosen.all:
                ratios = ", ".join(f"{name} {figure(rows[-1].ratio(*pair))}" for name, pair in RATIOS.items())
                print(f"{b.name}: {ratios}", file=sys.stderr, flush=True)
    return rows


def main() -> int:
    chosen = arguments()
    chosen.seconds = chosen.seconds or (0.6 if chosen.all else 1.5)
    console = Console(width=None if sys.stdout.isatty() else 200)
    among = every() if chosen.all or chosen.games else GAMES
    rows = measured([b for b in among if not chosen.games or b.name in chosen.games], chosen, console)
    if chosen.all:
        rows.sort(key=Row.order)
    console.print(table(rows))
    report: dict[str, Any] = {"seconds": chosen.seconds, "seed": chosen.seed, "rows": [r.report for r in rows]}
    if chosen.write:
        old = PAGE.read_text(encoding="utf-8") if chosen.games else ""
        PAGE.write_text(page(report, list(RATIOS), old), encoding="utf-8")
    if not chosen.no_extras and not chosen.all:
        report |= extras([r.benchmark for r in rows], chosen.seconds, chosen.seed, console)
    if chosen.json:
        chosen.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    wrong = [r.benchmark.name for r in rows if r.sigmas > SIGMAS]
    if wrong:
        console.print(f"results or lengths differ: {', '.join(wrong)}", style="bold red")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
