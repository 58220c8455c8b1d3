"""``simulate``: plays a ruleset many times and reports statistics."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from typing import TYPE_CHECKING, Any

from gamedsl.cli.arguments import (
    Subparsers,
    add_backend,
    add_file,
    add_format,
    add_games,
    add_limit,
    add_options,
    add_seats,
    add_seed,
    command,
    load_game,
)
from gamedsl.cli.interruption import INTERRUPTED, interruptible
from gamedsl.cli.output import complain, is_quiet, say, say_json
from gamedsl.cli.sharding import add_sharding, shard_runner
from gamedsl.cli.starting_position import add_start, starting_state
from gamedsl.language.source import ExitCode, UsageError

if TYPE_CHECKING:
    from gamedsl.engine import Game
    from gamedsl.lab.simulate import Chooser, Plan, Simulation

RANDOM = "random"


def add(commands: Subparsers) -> None:
    simulate = command(commands, "simulate", run_simulate)
    add_file(simulate)
    add_games(simulate, 1000, "the number of games", least=1)
    add_seats(simulate, RANDOM, "who plays each seat, as in random,mcts:500; a single kind plays all seats")
    add_seed(simulate)
    add_sharding(
        simulate, None, "the number of threads, or of processes with --checkpoint; results do not depend on it"
    )
    add_start(simulate)
    add_limit(simulate, 10_000, "stop a game after this many plies and chance outcomes")
    add_backend(simulate)
    simulate.add_argument("--quick", action="store_true", help="count only results and lengths; up to twice as fast")
    add_format(simulate)
    add_options(simulate)


def run_simulate(arguments: argparse.Namespace) -> int:
    from gamedsl.lab.simulate import Plan, simulate

    game = load_game(arguments)
    names, choosers = read_seats(arguments.seats, game)
    start = starting_state(game, arguments.start, arguments.position)
    plan = Plan.of(game, start=start, seats=choosers, seed=arguments.seed, most=arguments.limit)
    with interruptible() as interruption, _progress(arguments.games) as show:

        def progress(plays: int) -> None:
            interruption.begun.set()
            show(plays)

        jobs = arguments.jobs or processors()
        try:
            if arguments.checkpoint is not None or arguments.ray is not None:
                done = _simulate_in_shards(plan, names, arguments, interruption.stop, progress)
            else:
                done = simulate(
                    plan, arguments.games, threads=jobs, backend=arguments.backend, quick=arguments.quick,
                    stop=interruption.stop, progress=progress,
                )  # fmt: skip
        except KeyboardInterrupt:
            when = "" if interruption.begun.is_set() else " before a game of this run was counted"
            complain(f"interrupted{when}{_kept(arguments)}")
            return interruption.code or INTERRUPTED
    if arguments.format == "json":
        say_json(as_json(done, game, names, arguments))
    else:
        _say_tables(done, names)
    if done.interrupted:
        complain(f"interrupted after {done.tally.plays} of {done.asked} games{_kept(arguments)}")
    return interruption.code if done.interrupted else int(ExitCode.FINE)


def _kept(arguments: argparse.Namespace) -> str:
    """What an interrupted run has kept in its file, in words; empty without a file."""
    path = arguments.checkpoint
    return f"; {path} keeps what was counted, and the same command continues with it" if path is not None else ""


def _simulate_in_shards(
    plan: Plan, names: tuple[str, ...], arguments: argparse.Namespace, stop: Event, progress: Callable[[int], None]
) -> Simulation:
    from gamedsl.agents import agent_identity, is_timed
    from gamedsl.lab.simulate import CountedGames, simulate_in_shards

    seats = [agent_identity(name) for name in names]
    timed = any(map(is_timed, names))
    question = CountedGames(plan, seats, arguments.backend, arguments.quick, timed)
    with shard_runner(arguments, arguments.jobs or processors()) as runner:
        return simulate_in_shards(question, arguments.games, runner, stop.is_set, progress)


def as_json(done: Simulation, game: Game, names: tuple[str, ...], asked: argparse.Namespace) -> dict[str, Any]:
    """All results, as documented in docs/guide/simulate.md. The values after ``backend`` may differ between runs."""
    return {
        "game": game.program.name,
        "digest": game.digest,
        "options": game.options,
        "seed": done.plan.seed,
        "kinds_of_seats": list(names),
        "from": asked.start,
        "position": asked.position,
        "limit": done.plan.most,
        "quick": asked.quick,
        "asked": done.asked,
        "interrupted": done.interrupted,
        **done.summary.to_json(),
        "backend": done.backend,
        "reason": done.reason or None,
        "threads": done.threads,
        "seconds": round(done.seconds, 3),
        "cpu_seconds": round(done.cpu_seconds, 3),
        "plays_per_second": round(done.plays_per_second, 1),
    }


def _say_tables(done: Simulation, names: tuple[str, ...]) -> None:
    # for start-up: only what the command needs
    from gamedsl.cli.simulate_tables import tables

    for line in tables(done, names):
        say(line)


# --------------------------------------------------------------------------------------------------- arguments


def read_seats(text: str, game: Game) -> tuple[tuple[str, ...], tuple[Chooser | None, ...]]:
    """The names of the seats and their choosers (None: random), one per player. A single name applies to all."""
    players = game.players
    names = [piece.strip() for piece in text.split(",")]
    if len(names) == 1:
        names *= len(players)
    if len(names) != len(players):
        raise UsageError(
            f"{len(names)} seats are given, but the game has {len(players)} players ({', '.join(players)})",
            help=f"write `--seats {','.join([RANDOM] * len(players))}`, or one kind for all seats",
        )
    return tuple(names), tuple(_chooser(name, game) for name in names)


def _chooser(name: str, game: Game) -> Chooser | None:
    if name == RANDOM:
        return None
    if name == "human":
        raise UsageError("people cannot play in a simulation", help="people play with `gamedsl play`")
    from gamedsl.agents import parse_agent

    agent = parse_agent(name)
    agent.check(game)
    return agent


def processors() -> int:
    """The number of processors that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


# ---------------------------------------------------------------------------------------- while it is running


@contextmanager
def _progress(plays: int) -> Iterator[Callable[[int], None]]:
    """Shows a progress bar on standard error if that is a terminal, and removes it at the end."""
    if is_quiet() or not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as bar:
        task = bar.add_task("", total=plays)
        yield lambda done: bar.update(task, completed=done)
