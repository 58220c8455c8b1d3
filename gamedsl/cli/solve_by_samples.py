"""``solve`` by samples, for games whose tree is too large for memory."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from gamedsl.cli.output import complain, say, say_json, tell_progress, write_output
from gamedsl.language.source import ExitCode, UsageError

if TYPE_CHECKING:
    from gamedsl.engine import State
    from gamedsl.lab.equilibrium import Approximation, SampledStep, SamplingOptions

SAMPLERS = ("external", "outcome")
ROWS = 40  # rows of a player's strategy to print, unless all are asked for
NAMES = {
    "cfr": "CFR",
    "cfr+": "CFR+",
    "lp": "linear program",
    "external": "external sampling",
    "outcome": "outcome sampling",
}
STOPPED = {
    "positions": "the limit of positions was reached; raise it with `--limit N`",
    "time": "time ran out; allow more with `--time SECONDS`",
}


def approximate(
    arguments: argparse.Namespace, state: State, sampling: SamplingOptions, why: str, seconds: float
) -> int:
    """Samples strategies and shows them. ``why``: the reason for not building the tree."""
    from gamedsl.lab.equilibrium import (
        POSITIONS,
        GraphSampler,
        approximate_equilibrium,
        approximation_json,
        margins,
        utilities,
    )

    if arguments.exploitability is not None:
        raise UsageError(
            f"{why}, so the exploitability of a strategy cannot be computed",
            help="use `--iterations N` or `--time SECONDS`",
        )
    limit = POSITIONS if arguments.limit is None else arguments.limit
    complain(f"{why}. Only what samples meet is held, up to {limit:,} positions.")
    sampler = GraphSampler(
        state,
        arguments.method,
        seed=sampling.seed,
        threads=sampling.threads,
        limit=limit,
        results=margins if arguments.score else utilities,
    )
    found = approximate_equilibrium(
        sampler,
        iterations=arguments.iterations,
        seconds=seconds,
        checkpoint=sampling.checkpoint,
        watch=None if arguments.format == "json" else _watch,
    )
    show_solution(arguments, lambda: approximation_json(found), lambda: _json(found), lambda: _say(found, arguments))
    return int(ExitCode.BOUND if found.stopped else ExitCode.FINE)


def show_solution(
    arguments: argparse.Namespace,
    strategies: Callable[[], dict[str, Any]],
    results: Callable[[], dict[str, Any]],
    say_results: Callable[[], None],
) -> None:
    """Writes the strategies to the file given by ``-o``, and shows the results as JSON or as text."""
    tell_progress()
    if arguments.output is not None:
        write_output(arguments.output, json.dumps(strategies(), ensure_ascii=False, indent=1) + "\n")
    if arguments.format == "json":
        say_json(results())
    else:
        say_results()


def say_strategy(player: str, rows: Sequence[str], everything: bool) -> None:
    """Prints a player's strategy, one information set per line: all of them, or the first ``ROWS``."""
    say(f"strategy of {player}")
    for row in rows if everything else rows[:ROWS]:
        say(f"  {row}")
    if len(rows) > ROWS and not everything:
        say(f"  ... and {len(rows) - ROWS:,} more (--all-moves shows all, -o FILE writes them)")


def number_text(value: float) -> str:
    """A number with seven decimals, or more if these would all be zero; 0 for a mere rounding error."""
    return "0" if abs(value) < 1e-14 else f"{value:.1e}" if abs(value) < 5e-7 else f"{value:.7f}"


def _watch(step: SampledStep) -> None:
    tell_progress(f"{step.iterations:,} iterations, {step.sets:,} information sets, {step.positions:,} positions")


def _say(found: Approximation, arguments: argparse.Namespace) -> None:
    last, sampler = found.curve[-1], found.sampler
    say(f"{sampler.game.title}: {last.sets:,} information sets and {last.positions:,} positions met")
    if found.resumed:
        say(f"resumed from {arguments.checkpoint} after {found.resumed:,} iterations")
    say(f"{NAMES[sampler.method]}, {found.iterations:,} iteration{'s' * (found.iterations != 1)}")
    if found.stopped:
        say(f"({STOPPED[found.stopped]})")
    if last.regret_bound is not None:
        regret = number_text(last.regret_bound)
        say(f"mean regret: {regret} (estimates from above what all seats together could still gain)")
    if arguments.curve:
        _say_curve(found)
    _say_strategies(found, arguments.all_moves)


def _say_curve(found: Approximation) -> None:
    say(f"{'iterations':>14}  {'regret':>14}  {'sets':>12}  {'positions':>12}  {'seconds':>8}")
    for step in found.curve:
        counts = f"{step.sets:>12,}  {step.positions:>12,}  {step.seconds:>8.2f}"
        regret = "-" if step.regret_bound is None else number_text(step.regret_bound)
        say(f"{step.iterations:>14,}  {regret:>14}  {counts}")


def _say_strategies(found: Approximation, everything: bool) -> None:
    rows = found.rows()
    for seat, name in enumerate(found.sampler.game.players):
        mine = [(text, odds) for number, text, odds in rows if found.sampler.sets.seat[number] == seat]
        lines = [f"{text}: {', '.join(f'{action} {p:.4f}' for action, p in odds.items())}" for text, odds in mine]
        say_strategy(name, lines, everything)


def _json(found: Approximation) -> dict[str, Any]:
    from gamedsl.lab.equilibrium import approximation_json

    last = found.curve[-1]
    about = approximation_json(found)
    curve = [
        {
            "iterations": s.iterations,
            "regret_bound": s.regret_bound,
            "information_sets": s.sets,
            "positions": s.positions,
            "seconds": round(s.seconds, 6),
        }
        for s in found.curve
    ]
    return {
        "game": about["game"],
        "options": about["options"],
        "method": about["method"],
        "iterations": found.iterations,
        "resumed": found.resumed,
        "known": False,
        "stopped": found.stopped,
        "information_sets_met": last.sets,
        "positions": last.positions,
        "regret_bound": last.regret_bound,
        "curve": curve,
        "players": about["players"],
    }
