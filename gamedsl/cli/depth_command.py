"""``depth``: measures how many levels of skill a game has."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from itertools import takewhile
from math import isfinite
from typing import TYPE_CHECKING, Any

from gamedsl.cli.arguments import (
    Subparsers,
    add_file,
    add_format,
    add_options,
    add_seed,
    add_time,
    command,
    load_game,
    whole,
)
from gamedsl.cli.interruption import interruptible
from gamedsl.cli.output import say, say_json
from gamedsl.cli.sharding import add_sharding, shard_runner
from gamedsl.cli.starting_position import add_start, starting_state
from gamedsl.language.source import ExitCode

if TYPE_CHECKING:
    from gamedsl.agents import LadderPlan, MatchResult, Rung
    from gamedsl.lab.statistics import Estimate


def add(commands: Subparsers) -> None:
    depth = command(commands, "depth", run_depth)
    add_file(depth)
    depth.add_argument(
        "--first",
        metavar="N",
        type=whole(1, 1 << 30),
        default=1,
        help="the budget of the lowest player, in iterations",
    )
    depth.add_argument("--rungs", metavar="N", type=whole(2, 31), default=12, help="the largest number of players")
    depth.add_argument(
        "--misses",
        metavar="N",
        type=whole(1, 30),
        default=5,
        help="end after this many players in a row of which none is stronger",
    )
    depth.add_argument(
        "--difference",
        dest="step",
        metavar="ELO",
        type=whole(1, 1000),
        default=50,
        help="the difference that counts as stronger, in Elo",
    )
    depth.add_argument(
        "--pairs",
        metavar="N",
        type=whole(1, 1_000_000),
        default=1000,
        help="the largest number of mirrored pairs of a match",
    )
    depth.add_argument(
        "--far",
        metavar="N",
        type=whole(0, 1_000_000),
        default=0,
        help="mirrored pairs against the player two levels below",
    )
    depth.add_argument(
        "--opening", metavar="PLIES", type=whole(0, 1000), default=2, help="random plies at the start of each pair"
    )
    add_time(depth, None, "stop climbing after this many seconds (default: no limit)")
    add_seed(depth)
    add_sharding(depth)
    add_start(depth)
    add_format(depth)
    add_options(depth)


def run_depth(arguments: argparse.Namespace) -> int:
    """Climbs the ladder and prints a row as soon as a rung is decided. Ctrl-C ends it with the results so far (exit
    code 130)."""
    # for start-up: agents need numpy
    from gamedsl.agents import LadderPlan, MatchConditions, climb_ladder, parse_agent
    from gamedsl.lab.base import set_after
    from gamedsl.lab.statistics import SequentialTest

    game = load_game(arguments)
    is_first = arguments.start is None and arguments.position is None
    start = None if is_first else starting_state(game, arguments.start, arguments.position)
    began, rungs = time.monotonic(), list["Rung"]()
    shows = arguments.format != "json"
    if shows:
        say(f"{game.title}: seed {arguments.seed}, each player has twice the iterations of the one before")
        say("  rung  player        pairs  score    against    Elo over that one")
    with interruptible("stopping after the current game\n") as interruption, shard_runner(arguments) as runner:
        interruption.begun.set()
        plan = LadderPlan(
            make=lambda budget: parse_agent(f"mcts:{budget}"),
            test=SequentialTest(0, arguments.step),
            conditions=MatchConditions(arguments.seed, arguments.opening, start),
            first=arguments.first, rungs=arguments.rungs, misses=arguments.misses, most=arguments.pairs, far=arguments.far, runner=runner,
        )  # fmt: skip
        with set_after(interruption.stop, arguments.time):
            for rung in climb_ladder(game, plan, interruption.stop):
                rungs.append(rung)
                if shows:
                    say(_line(rung))
    stopped = "interrupted" if interruption.code else "time" if interruption.stop.is_set() else ""
    found = summarize(rungs, plan, stopped)
    if shows:
        for line in _conclusion(found):
            say(line)
    else:
        head = {"game": game.program.name, "options": game.options, "digest": game.digest, "seed": arguments.seed}
        say_json(head | found | {"seconds": round(time.monotonic() - began, 3)})
    return interruption.code or int(ExitCode.FINE)


def summarize(rungs: list[Rung], plan: LadderPlan, stopped: str) -> dict[str, Any]:
    """Returns the ladder as plain data. ``levels``: the players who were found to be stronger than the level before, and
    the lowest one; ``elo_in_all``: the difference between the highest and the lowest (None: not finite). ``end``: the reason
    why it ends there (``"no difference"``, ``"undecided"``, ``"rungs"`` for all of them, ``stopped`` if that is not empty:
    ``"interrupted"``, or ``"time"``)."""
    # for start-up: agents need numpy
    from gamedsl.agents import count_levels, elo_in_all

    matches = [r.below.accepted for r in rungs if r.below is not None]
    missed = list(takewhile(lambda accepted: accepted != "H1", reversed(matches)))
    end = "rungs"
    if stopped:
        end = stopped
    elif len(missed) >= plan.misses:
        end = "undecided" if None in missed else "no difference"
    levels, *interval = count_levels(rungs, plan.test)
    elo = elo_in_all(rungs)
    return {
        "levels": levels,
        "levels_interval": interval,
        "elo_in_all": None if elo is None else round(elo.value, 1),
        "elo_in_all_interval": None if elo is None else [_finite(elo.low), _finite(elo.high)],
        "step": plan.test.elo1,
        "end": end,
        "rungs": [_as_json(r) for r in rungs],
    }


def _finite(end: float | None) -> float | None:
    return None if end is None or not isfinite(end) else round(end, 1)


def _as_json(rung: Rung) -> dict[str, Any]:
    return {
        "rung": rung.number, "player": rung.agent, "below": _match(rung.below), "far": _match(rung.far),
        "gap": None if rung.gap is None else round(rung.gap, 2),
    }  # fmt: skip


def _match(match: MatchResult | None) -> dict[str, Any] | None:
    # for start-up: it needs numpy
    from gamedsl.cli.match_scores import estimate_as_json

    if match is None:
        return None
    return {
        "against": match.lower, "outcomes": list(match.counts.counts), "accepted": match.accepted,
        "elo": estimate_as_json(match.elo),
    }  # fmt: skip


def _line(rung: Rung) -> str:
    line = f"  {rung.number:>4}  {rung.agent:<12}"
    if rung.below is None:
        return line.rstrip()
    line += (
        f"{rung.below.counts.pairs:>7} {rung.below.counts.mean:>6.0%}   {rung.below.lower:<10} {_elo(rung.below.elo)}"
    )
    if rung.below.accepted != "H1":
        line += "  not stronger" if rung.below.accepted == "H0" else "  undecided"
    if rung.far is not None:
        line += f"; over two levels {_elo(rung.far.elo)}"
    if rung.gap is not None and abs(rung.gap) > 3:
        line += ", which is not the sum"
    return line


def _elo(elo: Estimate | None) -> str:
    if elo is None or elo.low is None or elo.high is None:
        return "unknown"
    return f"{elo.value:+.0f} ({elo.low:+.0f} to {elo.high:+.0f})"


def _conclusion(found: dict[str, Any]) -> Iterator[str]:
    levels, step, elo = found["levels"], found["step"], found["elo_in_all"]
    span = f"{levels} {'level' if levels == 1 else 'levels'} of play{_interval(found['levels_interval'])}"
    if elo is not None and levels > 1:
        span += f", {elo:.0f} Elo{_interval(found['elo_in_all_interval'])} from the lowest to the highest"
    yield span if any(rung["below"] for rung in found["rungs"]) else "no match was played"
    match found["end"]:
        case "no difference":
            yield f"More computation gains less than {step} Elo there (error rate of a match: 5 %)."
        case "undecided":
            yield "The last matches did not decide; `--pairs` allows more."
        case "rungs":
            yield "The ladder may continue; `--rungs` allows more."
        case "time":
            yield "The time ran out; `--time` allows more."
        case _:
            yield "interrupted"


def _interval(ends: list[float | None]) -> str:
    low, high = ("?" if end is None else f"{end:.0f}" for end in ends)
    return f" ({low} to {high})"
