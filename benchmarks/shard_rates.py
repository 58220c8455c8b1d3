"""Measures what a shard costs besides its work, and computes from that what a cluster yields.

`python benchmarks/shard_rates.py` prints the tables of docs/guide/cluster.md. Ray is left out where it is not installed.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gamedsl.engine import Game, InterpretedGame
from gamedsl.lab.explore import Execution, Limits, explore
from gamedsl.lab.shards import LocalProcesses, Question, RayCluster, ShardRunner, ShardStore
from gamedsl.lab.shards.workers import Workers
from gamedsl.lab.sweeps.named_numbers import load_with_numbers
from gamedsl.language.rules import load_program
from gamedsl.language.source import UsageError

SHARDS = 400
RULESET = "connect-four"  # whose combinations are asked for
WORKERS = ((1, 100), (1, 1000), (10, 1000))  # seconds of a shard, number of workers
EXPLORED = (  # games of which positions are explored
    ("connect four, 4 by 5", "connect-four", {"rows": 4, "columns": 5}, 4_000_000),
    ("hex, 4 by 4", "hex", {"n": 4}, 4_000_000),
    ("breakthrough", "breakthrough", {}, 1_000_000),
    ("reversi", "reversi", {}, 1_000_000),
)
HEADS = [f"{n:,} workers, shards of {s} s" for s, n in WORKERS]


@dataclass(frozen=True)
class Nothing(Question[list[int]]):
    """Items that are no work, with answers as long as those of a simulation."""

    name: str

    @property
    def about(self) -> Mapping[str, Any]:
        return {"question": self.name}

    def answer(self, first: int, count: int, stopped: Callable[[], bool]) -> list[int]:
        return [1 << 40] * count


@dataclass(frozen=True)
class Combination(Nothing):
    """A combination of a sweep, of whose measurement only the rules are left."""

    game: Game


def combinations(count: int) -> Iterator[Combination]:
    """Yields combinations as a sweep does: the asking process reads the rules of each."""
    for k in range(count):
        game = InterpretedGame(load_with_numbers(RULESET, {}))
        yield Combination(f"combination {k} of {game.digest}", game)


def main() -> None:
    print(f"| workers | seconds to the first answer | ms of the asking process for a shard | {' | '.join(HEADS)} |")
    print("|---" * (3 + len(HEADS)) + "|")
    for name, workers in (
        ("two processes", lambda: LocalProcesses(2)),
        ("Ray, two workers", lambda: RayCluster("", 2)),
    ):
        try:
            for what, ask in (("", by_ranges), (", `sweep`", by_combinations)):
                show(name + what, *measure(workers(), ask))
        except UsageError as missing:
            print(missing)
    show_explorations()


def show_explorations() -> None:
    """Prints the CPU seconds of the process that asks owners, and of one that does everything."""
    print()
    print(
        "| game | positions | edges | one process | the asking process, with owners | microseconds of that for an edge |"
    )
    print("|---|---|---|---|---|---|")
    for title, name, options, most in EXPLORED:
        game, limits = InterpretedGame(load_program(name, options)), Limits(states=most)
        explore(game, Limits(states=10_000), execution=Execution(True))  # compiles
        began = time.process_time()
        graph = explore(game, limits, execution=Execution(True))
        alone, began = time.process_time() - began, time.process_time()
        runner = ShardRunner(LocalProcesses(2))
        explore(game, limits, execution=Execution(True, owners=runner))
        asking = time.process_time() - began
        runner.close()
        edges = graph.edge_count
        print(
            f"| {title} | {len(graph):,} | {edges:,} | {alone:.1f} | {asking:.1f} | {1e6 * asking / edges:.2f} |",
            flush=True,
        )


def by_ranges(runner: ShardRunner, count: int) -> None:
    list(runner.items(Nothing(f"{count} items"), count))


def by_combinations(runner: ShardRunner, count: int) -> None:
    list(runner.each(combinations(count)))


def show(name: str, start: float, each: float) -> None:
    yields = [f"{min(n, length / each):.0f}" for length, n in WORKERS]
    print(f"| {name} | {start:.1f} | {1000 * each:.1f} | {' | '.join(yields)} |")


def measure(workers: Workers, ask: Callable[[ShardRunner, int], None]) -> tuple[float, float]:
    """Returns the seconds until the first answers, and the seconds of this process for a shard, with its file. ``ask``: asks
    for this many shards."""
    with tempfile.TemporaryDirectory() as folder:
        runner = ShardRunner(workers, ShardStore(Path(folder) / "file"), least=0.0, alone=0.0)
        began = time.perf_counter()
        ask(runner, 2)
        start, worked = time.perf_counter() - began, time.process_time()
        ask(runner, SHARDS)
        each = (time.process_time() - worked) / SHARDS
        runner.close()
    return start, each


if __name__ == "__main__":
    from benchmarks import shard_rates  # other processes know its classes by that name

    shard_rates.main()
