"""Random plays a second, against hand-written C++ and OpenSpiel: ``python benchmarks/playouts.py``.

For every game, each in turn for a part of the seconds and round after round, one thread, CPU time: our compiled rules, their
lockstep form, our own C++ program for that one game (limit/), its lockstep form, OpenSpiel's C++ (many rollouts a call, so
Python costs nothing). All must agree on who wins how often: the largest deviation in standard errors is printed, and more
than 4.5 ends the run with 1. What is not there is a dash.

    python benchmarks/playouts.py [--games NAME...] [--seconds S] [--rounds N] [--seed N] [--json FILE] [--no-extras]

Beside the table: plays of the interpreter, perft of T-Tic-T-Tac-Toe 2.0, and the time to compile every shipped ruleset.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from limit.programs import Program, build
from rich.console import Console
from rich.table import Table

import gamedsl
from gamedsl.boards.drawing import arrange
from gamedsl.core.nodes import DrawingT

RULESETS = Path(__file__).parents[1] / "rulesets"
SIGMAS = 4.5  # about one false alarm in 150,000 comparisons
SHORT = 0.02  # seconds of the first call, to see how long a play takes


@dataclass(frozen=True)
class Benchmark:
    """A game: the ruleset, the C++ program of limit/, OpenSpiel's name of the same game."""

    name: str
    ruleset: str
    limit: str = ""
    peer: str = ""
    options: dict[str, Any] = field(default_factory=dict)


GAMES = (
    Benchmark("tic-tac-toe", "tic-tac-toe", "tic_tac_toe", "tic_tac_toe"),
    Benchmark("connect-four", "classics/connect-four", "connect_four", "connect_four"),
    Benchmark("breakthrough", "classics/breakthrough", "breakthrough", "breakthrough"),
    Benchmark("reversi", "classics/reversi", "reversi", "othello"),
    Benchmark("gomoku", "classics/gomoku", "gomoku", "gomoku"),
    Benchmark("hex", "classics/hex", "hex", "hex"),
    Benchmark("x-s-and-lines", "x-s-and-lines", "x_s_and_lines"),
    Benchmark("horn-tiles", "horn-tiles", "horn_tiles"),
    Benchmark("t-tic-t-tac-toe-game", "t-tic-t-tac-toe-game", "t_tic_t_tac_toe_game"),
    Benchmark("atreso", "atreso", "atreso"),
    Benchmark("abs-trac-toe", "abs-trac-toe", "abs_trac_toe"),
)


@dataclass
class Count:
    """What some plays brought. ``first``, ``second``: wins of the seats, unknown to OpenSpiel; ``lead``: the sum of the first
    player's utilities; ``plies``: the sum of the lengths, None when unknown; ``cycles``: of the processor, a move."""

    plays: int = 0
    seconds: float = 0.0
    lead: float = 0.0
    first: int | None = None
    second: int | None = None
    plies: float | None = None
    cycles: float | None = None

    def add(self, other: Count) -> None:
        self.plays += other.plays
        self.seconds += other.seconds
        self.lead += other.lead
        self.cycles = other.cycles
        if other.first is not None and other.second is not None:
            self.first = (self.first or 0) + other.first
            self.second = (self.second or 0) + other.second
        if other.plies is not None:
            self.plies = (self.plies or 0.0) + other.plies

    @property
    def rate(self) -> float:
        """Plays per CPU second."""
        return self.plays / self.seconds if self.seconds > 0 else math.nan


Contestant = Callable[[float, int], Count | None]


# ------------------------------------------------------------------------------------------------ contestants
def in_chunks(seconds: float, play: Callable[[int, int], Count]) -> Count:
    """Calls ``play(how many, first number)`` until the CPU time is used: a few plays at first, then nearly all at once."""
    total, chunk = Count(), 1
    while total.seconds < seconds:
        start = time.process_time()
        found = play(chunk, total.plays)
        found.seconds = time.process_time() - start
        total.add(found)
        if total.seconds < SHORT:
            chunk *= 4
        else:
            chunk = max(1, int(min(total.rate * (seconds - total.seconds), total.rate * seconds / 2)))
    return total


def ours(game: gamedsl.Game, lockstep: bool = False) -> Contestant | None:
    """The compiled rules; None when there is no such form."""
    native = import_module("gamedsl.native").compile_program(game.program)
    if lockstep and native.lockstep is not None:
        return None
    native.playouts(1, 0, lockstep=lockstep)  # what is made once: drawings

    def run(seconds: float, seed: int) -> Count:
        def play(n: int, first: int) -> Count:
            t = native.playouts(n, seed, first=first, lockstep=lockstep)
            lengths = float(t.plies)
            return Count(t.plays, 0.0, float(t.sums[0]), t.wins[0], t.losses[0], lengths)

        return in_chunks(seconds, play)

    return run


def limit(program: Program, form: str, *more: str) -> Contestant:
    """A hand-written program; it measures its own CPU time. ``more``: words that it is called with beside the usual."""

    def run(seconds: float, seed: int) -> Count | None:
        found: Any = program.run(form, str(seconds), str(seed), *more)
        if found is None:
            return None
        first, second = found["wins"]
        plies = found["plies"] * found["playouts"]
        spent, cycles = found["cpu_seconds"], found["cycles_per_ply"]
        return Count(found["playouts"], spent, first - second, first, second, plies, cycles)

    return run


def drawings_text(game: gamedsl.Game) -> str:
    """The drawings that compiled plays choose from, for a program of limit/: how many; of each the numbers of spaces and
    borders, and every border's spaces as a set of bits."""
    var = next(v for v in game.program.variables if isinstance(v.type, DrawingT))
    native = import_module("gamedsl.native").compile_program(game.program)
    found = [arrange(var.type.plan, drawing) for drawing in native.pool.finished()]
    lines = [str(len(found))]
    for a in found:
        sides = " ".join(str(sum(1 << s for s in b.spaces)) for b in a.borders)
        lines.append(f"{len(a.spaces)} {len(a.borders)} {sides}")
    return "\n".join(lines) + "\n"


def peer(name: str) -> Contestant | None:
    """OpenSpiel: a tree search of one simulation, which evaluates the start by as many rollouts as asked for."""
    try:
        spiel: Any = import_module("pyspiel")
    except ImportError:
        return None
    game = spiel.load_game(name)

    def run(seconds: float, seed: int) -> Count:
        def play(n: int, first: int) -> Count:
            evaluator = spiel.RandomRolloutEvaluator(n, (seed * 1_000_003 + first) % (1 << 31))
            bot = spiel.MCTSBot(game, evaluator, 1.0, 1, 64, False, 1, False)
            root = bot.mcts_search(game.new_initial_state())
            return Count(n, 0.0, root.total_reward * n)

        return in_chunks(seconds, play)

    return run


def interpreter(game: gamedsl.Game) -> Contestant:
    """The engine, one play after the other."""

    def run(seconds: float, seed: int) -> Count:
        rng = Random(seed)

        def play(n: int, first: int) -> Count:
            del first
            found = Count(n, first=0, second=0)
            for _ in range(n):
                state = game.initial_state()
                while not state.is_terminal:
                    state = state.apply(state.propose(rng))
                value = float(state.returns[0])
                found.lead += value
                found.first, found.second = (found.first or 0) + (value > 0), (found.second or 0) + (value < 0)
            return found

        return in_chunks(seconds, play)

    return run


# ------------------------------------------------------------------------------------------------- agreement
def apart(a: float, b: float, variance: float, n: int, m: int) -> float:
    """How far two means are apart, in standard errors."""
    error = math.sqrt(variance * (1 / n + 1 / m))
    return abs(a - b) / error if error > 0 else (0.0 if a == b else math.inf)


def deviation(a: Count, b: Count) -> float:
    """The largest of the differences in wins of the first, of the second, and in the mean utility."""
    n, m = a.plays, b.plays
    found = []
    known = a if a.first is not None else b
    if None not in (a.first, b.first, a.second, b.second):
        for x, y in ((a.first, b.first), (a.second, b.second)):
            share = ((x or 0) + (y or 0)) / (n + m)
            found.append(apart((x or 0) / n, (y or 0) / m, share * (1 - share), n, m))
    if known.first is not None and known.second is not None:
        variance = (known.first + known.second) / known.plays - (known.lead / known.plays) ** 2
        found.append(apart(a.lead / n, b.lead / m, variance, n, m))
    return max(found, default=0.0)


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
    def report(self) -> dict[str, Any]:
        """What goes into the JSON file."""
        counts = {name: asdict(c) | {"rate": c.rate} for name, c in self.counts.items()}
        ratios = {name: self.ratio(*pair) for name, pair in RATIOS.items()}
        return {"game": self.benchmark.name, "sigmas": self.sigmas, "counts": counts, "ratios": ratios}


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
        found["OpenSpiel"] = peer(b.peer)
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
    pairs = [(x, y) for x in counts for y in counts if x < y]
    return Row(b, counts, max((deviation(counts[x], counts[y]) for x, y in pairs), default=0.0))


# ----------------------------------------------------------------------------------------------------- extras
def perft_rate(seconds: float) -> dict[str, Any]:
    """Leaves a second of T-Tic-T-Tac-Toe 2.0 from the start, to the greatest depth that fits."""
    game = gamedsl.load(str(RULESETS / "t-tic-t-tac-toe-game.gdl"), edition="v2")
    native = import_module("gamedsl.native").compile_program(game.program)
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
        reason = import_module("gamedsl.native").compile_program(game.program).lockstep
        if reason is not None:
            found[b.name] = str(reason)
    return found


def compile_times() -> dict[str, dict[str, float]]:
    """CPU seconds to read and check every shipped ruleset, and to compile it, with nothing kept on disk."""
    kept, os.environ["GAMEDSL_CACHE"] = os.environ.get("GAMEDSL_CACHE"), "off"
    found = {}
    for path in sorted(RULESETS.glob("*.gdl")) + sorted(RULESETS.glob("classics/*.gdl")):
        start = time.process_time()
        game = gamedsl.load(str(path))
        middle = time.process_time()
        try:
            import_module("gamedsl.native").compile_program(game.program)
        except Exception as problem:
            print(f"{path.stem}: not compiled: {problem!r}", file=sys.stderr)
            continue
        found[path.stem] = {"read": middle - start, "compile": time.process_time() - middle}
    if kept is None:
        del os.environ["GAMEDSL_CACHE"]
    else:
        os.environ["GAMEDSL_CACHE"] = kept
    return found


def interpreted(b: Benchmark, seconds: float, seed: int) -> float:
    """Plays a second of the interpreter."""
    game = gamedsl.load(str(RULESETS / f"{b.ruleset}.gdl"), **b.options)
    found = interpreter(game)(seconds, seed)
    return found.rate if found else math.nan


# ------------------------------------------------------------------------------------------------------ print
def figure(x: float | None) -> str:
    """Three digits that count."""
    if x is None or math.isnan(x):
        return "-"
    if x >= 100:
        return f"{round(x, 2 - int(math.log10(x))):,.0f}"
    return f"{x:.3g}"


COLUMNS = ("ours", "lockstep", "limit", "limit lockstep", "OpenSpiel")


def table(rows: list[Row]) -> Table:
    found = Table(title="Random plays to the end per second of CPU time, one thread")
    found.add_column("game")
    for name in (*COLUMNS, *RATIOS, "limit: cycles a move", "moves a play", "apart (σ)"):
        found.add_column(name, justify="right")
    for row in rows:
        counts = row.counts
        some = counts.get("limit") or counts.get("ours") or Count()
        length = some.plies / some.plays if some.plies is not None and some.plays else None
        cells = [figure(counts[c].rate) if c in counts else "-" for c in COLUMNS]
        cells += [figure(row.ratio(*pair)) for pair in RATIOS.values()]
        cells += [figure(counts["limit"].cycles) if "limit" in counts else "-", figure(length), f"{row.sigmas:.1f}"]
        found.add_row(row.benchmark.name, *cells)
    return found


def extras(chosen: list[Benchmark], seconds: float, seed: int, console: Console) -> dict[str, Any]:
    """Perft, the interpreter and the compiler, printed and given back."""
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
        report["compile"] = times = compile_times()
    except Exception as problem:
        console.print(f"not compiled: {problem!r}", style="red")
        return report
    slowest = max(times, key=lambda name: times[name]["compile"])
    told = ", ".join(f"{name} {t['compile']:.2f}" for name, t in times.items())
    console.print(f"seconds of CPU to compile, nothing kept on disk: {told}")
    console.print(
        f"slowest: {slowest}, {times[slowest]['compile']:.2f} s, and {times[slowest]['read']:.2f} s to read it"
    )
    return report


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Random plays a second, against hand-written C++ and OpenSpiel.")
    parser.add_argument("--games", nargs="+", choices=[b.name for b in GAMES], help="only these")
    parser.add_argument("--seconds", type=float, default=1.5, help="CPU time for every contestant and game")
    parser.add_argument("--rounds", type=int, default=3, help="in so many parts, in turn with the others")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="write all figures to this file")
    parser.add_argument("--no-extras", action="store_true", help="no interpreter, perft, compile times")
    return parser.parse_args()


def main() -> int:
    chosen = arguments()
    console = Console(width=None if sys.stdout.isatty() else 200)
    games = [b for b in GAMES if not chosen.games or b.name in chosen.games]
    with tempfile.TemporaryDirectory() as folder:
        programs = {b.name: build(b.limit, Path(folder)) for b in games if b.limit}
        for reason in sorted({p.missing for p in programs.values() if p.missing}):
            console.print(reason, style="yellow", markup=False)
        rows = []
        for b in games:
            rows.append(measure(b, programs.get(b.name), chosen.seconds, chosen.rounds, chosen.seed, Path(folder)))
    console.print(table(rows))
    report: dict[str, Any] = {"seconds": chosen.seconds, "seed": chosen.seed, "rows": [r.report for r in rows]}
    if not chosen.no_extras:
        report |= extras(games, chosen.seconds, chosen.seed, console)
    if chosen.json:
        chosen.json.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    wrong = [r.benchmark.name for r in rows if r.sigmas > SIGMAS]
    if wrong:
        console.print(f"who wins how often differs: {', '.join(wrong)}", style="bold red")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
