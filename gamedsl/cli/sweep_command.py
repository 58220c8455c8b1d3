"""``sweep``: measures a game for many values of its options and named numbers."""

from __future__ import annotations

import argparse
import csv
import io
import json
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gamedsl.cli.arguments import (
    Subparsers,
    add_file,
    add_format,
    add_games,
    add_limit,
    add_options,
    add_output,
    add_seed,
    command,
    read_options,
    whole,
)
from gamedsl.cli.compare_command import read_content, read_player
from gamedsl.cli.interruption import interruptible
from gamedsl.cli.output import check_output, complain, remark, say, say_json, tell_progress, write_output
from gamedsl.cli.sharding import add_sharding, shard_runner
from gamedsl.language.source import ExitCode, UsageError

if TYPE_CHECKING:
    from gamedsl.engine import Game
    from gamedsl.lab.sweeps import Measured, SweepPlan

ENDINGS = (".svg", ".csv", ".json")
MOST = 10_000  # combinations
RUNGS, PAIRS, MISSES = 8, 100, 5  # of the ladder that measures depth


def add(commands: Subparsers) -> None:
    sweep = command(commands, "sweep", run_sweep)
    sweep.epilog = (
        "In --set, a range as in n=3..9 or a list as in n=3,5,9 varies an option, or a number that the ruleset names by "
        "`define NAME = NUMBER`; single values are fixed."
    )
    add_file(sweep)
    sweep.add_argument(
        "--metrics", metavar="NAMES", default="fairness,length,draws",
        help="what is measured: fairness, draws, length, choices, depth; the first one ranks the combinations",
    )  # fmt: skip
    add_games(sweep, 2000, "the number of games of a combination", least=2)
    sweep.add_argument(
        "--search", metavar="AGENT", help="let this agent play instead of random players, such as mcts:100 "
        "(default: none)",
    )  # fmt: skip
    sweep.add_argument(
        "--halvings", metavar="N", type=whole(0, 10), default=0,
        help="begin with few games; N times, give up the worse half of the combinations and double the games",
    )  # fmt: skip
    add_sharding(sweep)
    add_seed(sweep)
    add_limit(sweep, 2000, "solve a combination if this many positions suffice; 0 solves none")
    add_format(sweep)
    add_options(sweep)
    add_output(sweep, "write a chart (.svg), a table (.csv) or data (.json) to this file (default: prints)", ENDINGS)


def run_sweep(arguments: argparse.Namespace) -> int:
    from gamedsl.lab.sweeps import sweep

    plan = _plan(arguments)
    check_output(arguments.output)
    rows: list[Measured] = []
    with (
        interruptible("stopping after the current measurement\n") as interruption,
        shard_runner(arguments) as runner,
    ):
        for done, found in enumerate(sweep(plan, interruption.stop.is_set, runner), 1):
            rows = found
            interruption.begun.set()
            tell_progress(f"{done} measurements of {len(found)} combinations")
    tell_progress()
    _print(plan, rows, arguments)
    if interruption.stop.is_set():
        complain("interrupted" if arguments.checkpoint is None else "interrupted: the same command continues")
    return interruption.code or int(ExitCode.FINE)


def _plan(arguments: argparse.Namespace) -> SweepPlan:
    from gamedsl.lab.sweeps import METRICS, SweepPlan
    from gamedsl.lab.variants import VersionPlan

    given = {name: _values(value) for name, value in read_options(arguments.settings).items()}
    varied = {name: values for name, values in given.items() if len(values) > 1}
    fixed = {name: values[0] for name, values in given.items() if len(values) == 1}
    if not varied:
        raise UsageError("nothing varies", help="Write a range or a list, as in `--set n=3..9`.", code="E0004")
    metrics = list(dict.fromkeys(name.strip() for name in arguments.metrics.split(",")))
    for name in metrics:
        if name not in METRICS:
            raise UsageError(f"`{name}` is not a metric", help=f"Metrics: {', '.join(METRICS)}.", code="E0004")
    player = None if arguments.search is None else read_player(arguments.search)
    identity = "" if arguments.search is None else f"{arguments.search} {read_content(arguments.search)}"
    version = VersionPlan(arguments.games, arguments.seed, arguments.limit, player=player, identity=identity)
    plan = SweepPlan(
        arguments.file, varied, fixed, metrics, version, arguments.halvings + 1, arguments.search or "random",
        partial(_levels, arguments.seed) if "depth" in metrics else None, f"{RUNGS} {PAIRS} {MISSES} {arguments.seed}",
    )  # fmt: skip
    if len(plan.combinations) > MOST:
        raise UsageError(f"{len(plan.combinations):,} combinations are more than {MOST:,}", code="E0004")
    return plan


def _values(text: str) -> list[str]:
    """Reads ``3..9`` and ``3,5,9``; anything else is one value."""
    if found := re.fullmatch(r"(-?[0-9]{1,6})\.\.(-?[0-9]{1,6})", text):
        low, high = int(found[1]), int(found[2])
        if low > high or high - low >= MOST:
            raise UsageError(f"`{text}` is not a range of up to {MOST:,} values", code="E0004")
        return [str(k) for k in range(low, high + 1)]
    return list(dict.fromkeys(piece.strip() for piece in text.split(",") if piece.strip())) or [text]


def _levels(seed: int, game: Game) -> tuple[float, float, float]:
    """Measures depth, and its interval, by a short ladder."""
    from gamedsl.agents import LadderPlan, MatchConditions, climb_ladder, count_levels, parse_agent
    from gamedsl.lab.statistics import SequentialTest

    plan = LadderPlan(
        make=lambda budget: parse_agent(f"mcts:{budget}"), test=SequentialTest(0, 50),
        conditions=MatchConditions(seed, 2), rungs=RUNGS, misses=MISSES, most=PAIRS,
    )  # fmt: skip
    rungs = list(climb_ladder(game, plan)) if game.num_players > 1 else []
    levels, low, high = count_levels(rungs, plan.test)
    return float(levels), float(low), float(high)


# ------------------------------------------------------------------------------------------------------- printing


def _print(plan: SweepPlan, rows: list[Measured], arguments: argparse.Namespace) -> None:
    from gamedsl.lab.sweeps import as_svg

    path: Path | None = arguments.output
    if path is not None:
        title = f"{arguments.file}: {plan.metrics[0]} ({plan.player}, seed {plan.version.seed})"
        content = {
            ".svg": lambda: as_svg(rows, plan.metrics[0], title),
            ".csv": lambda: _table(plan, rows),
            ".json": lambda: json.dumps(_json(plan, rows), indent=2) + "\n",
        }[path.suffix]()
        write_output(path, content)
        remark(f"written: {path}")
    elif arguments.format == "json":
        say_json(_json(plan, rows))
    else:
        for line in _text(plan, rows):
            say(line)


def _json(plan: SweepPlan, rows: list[Measured]) -> dict[str, Any]:
    from gamedsl.lab.sweeps import best_rows, main_effects, pareto_front

    return {
        "game": plan.file, "fixed": dict(plan.fixed), "seed": plan.version.seed, "player": plan.player,
        "metrics": list(plan.metrics), "combinations": [row.to_json() for row in rows],
        "best": [row.values for row in best_rows(rows, plan.metrics[0])],
        "effects": {m: [e._asdict() for e in main_effects(rows, plan.values, m)] for m in plan.metrics},
        "pareto_front": [row.values for row in pareto_front(rows, plan.metrics)],
    }  # fmt: skip


def _table(plan: SweepPlan, rows: list[Measured]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    ends = [f"{metric}{end}" for metric in plan.metrics for end in ("", " low", " high")]
    writer.writerow([*plan.values, *ends, "games", "best play", "problem"])
    for row in rows:
        figures = [row.figures.get(metric, ("", "", "")) for metric in plan.metrics]
        value = "" if row.value is None else row.value
        writer.writerow([*row.values.values(), *(x for f in figures for x in f), row.games, value, row.problem])
    return out.getvalue()


def _text(plan: SweepPlan, rows: list[Measured]) -> Iterator[str]:
    from gamedsl.lab.sweeps import best_rows, main_effects, pareto_front

    yield f"{plan.file}: {len(rows)} combinations, {plan.player}, seed {plan.version.seed}"
    heads = "".join(f"{metric:>26}" for metric in plan.metrics)
    yield f"  {'':<24}{heads}  games  best play"
    for row in rows:
        if row.problem:
            yield f"  {_named(row.values):<24}  {row.problem}"
            continue
        cells = "".join(f"{_cell(row, metric):>26}" for metric in plan.metrics)
        value = "" if row.value is None else f"{row.value:+g}"
        yield f"  {_named(row.values):<24}{cells}  {row.games:>5}  {value}".rstrip()
    metric = plan.metrics[0]
    best = best_rows(rows, metric)
    if best:
        others = f"; not worse for certain: {'; '.join(_named(r.values) for r in best[1:])}" if best[1:] else ""
        yield f"best {metric}: {_named(best[0].values)} at {_cell(best[0], metric)}{others}"
    for name in plan.metrics:
        effects = main_effects(rows, plan.values, name)
        if len(effects) > 1:
            listed = ", ".join(f"{e.option} {e.main:.0%} (with others {e.total:.0%})" for e in effects)
            yield f"what moves {name}: {listed}"
    front = pareto_front(rows, plan.metrics)
    if len(plan.metrics) > 1 and front:
        yield f"Pareto front: {'; '.join(_named(r.values) for r in front)}"


def _named(values: dict[str, str]) -> str:
    return ", ".join(f"{name}={value}" for name, value in values.items())


def _cell(row: Measured, metric: str) -> str:
    if metric not in row.figures:
        return "-"
    value, low, high = row.figures[metric]
    return f"{value:.3f} ({low:.3f} to {high:.3f})"
