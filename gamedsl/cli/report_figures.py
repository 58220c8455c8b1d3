"""The figures of the design lab for a report: measured in a stated time, or taken from a file of an earlier report."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Callable, Iterator
from functools import partial
from math import isfinite
from threading import Event
from typing import TYPE_CHECKING, Any

from gamedsl.cli.output import complain, tell_progress
from gamedsl.language.source import missing_library

if TYPE_CHECKING:
    from gamedsl.engine import Game
    from gamedsl.lab.base import Clock
    from gamedsl.lab.report import LabFigures, Report
    from gamedsl.lab.shards import ShardStore

LAB = 0.7  # of the time of a report
METRICS_STEPS, LADDER_STEPS = 5e7, 5e8  # plies of playouts, if the work is counted and not its time
# of that: what each section may take at least; what the sections before it have left over comes on top
SHARES = {"metrics": 0.3, "ladder": 0.3, "effects": 0.2, "openings": 0.1, "puzzles": 0.1}
GAMES, PLAYOUTS, SHORT, POSITIONS = 20, 24, 1000, 20_000  # of the metrics, as in those of known games
RUNGS, PAIRS, STEP = 12, 60, 100  # of the ladder, as in those of known games
CHANGED_GAMES = 500  # of every changed ruleset

Made = Callable[[argparse.Namespace, "Game", "Clock"], Any]


def lab_figures(arguments: argparse.Namespace, report: Report, store: ShardStore) -> LabFigures:
    """Returns the figures of all sections, and the commands that make them, and those of the rest of the report, again.

    ``store`` has the sections of earlier reports. Those of the same rules and seed are not measured again if they had as
    much time; a section that is not in the right form is. Raises ``FileError`` for a damaged file.
    """
    # for start-up: only what a report needs
    from gamedsl.cli.report_sections import ReportSection
    from gamedsl.lab.base import Clock
    from gamedsl.lab.report import LabFigures

    is_counted = bool(arguments.counted)
    sections: dict[str, Any] = {}
    whole, rest = Clock().within(None if is_counted else arguments.time * LAB), 1.0
    for name, make in () if arguments.plain else MAKERS.items():
        clock, rest = whole.within(whole.left * SHARES[name] / rest), rest - SHARES[name]
        section = ReportSection(
            name, report.game.digest, arguments.seed, is_counted, _seconds(arguments, name),
            partial(make, arguments, report.game, clock),
        )  # fmt: skip
        tell_progress(f"report: {name}")
        try:
            found = section.known(store)
            sections[name] = section.make_and_keep(store) if found is None else found
        except ImportError as error:
            missing = missing_library(error)
            if missing is None:
                raise
            told = missing.diagnostics[0]
            complain(f"the page has no {name}: {told.message}. {told.help}")
    tell_progress()
    return LabFigures(sections, dict(_commands(arguments, report, sections)))


def _seconds(arguments: argparse.Namespace, name: str) -> float:
    return 0.0 if arguments.counted else float(arguments.time * LAB * SHARES[name])


def _left(clock: Clock) -> float | None:
    """The seconds that are left; None if time does not matter."""
    return clock.left if isfinite(clock.left) else None


# ------------------------------------------------------------------------------------------------ the sections


def _metrics(arguments: argparse.Namespace, game: Game, clock: Clock) -> Any:
    # for start-up: only what a report needs
    from gamedsl.compiler import NativeGame
    from gamedsl.lab.metrics import MetricsPlan, RandomPlayer, affordable_games, measure

    native = NativeGame(game.program)
    players = [RandomPlayer.of(native, PLAYOUTS, SHORT)]
    games = affordable_games(players[0], native, arguments.seed, GAMES, METRICS_STEPS) if arguments.counted else GAMES
    plan = MetricsPlan(
        native, players, games, arguments.seed, most=SHORT, limit=POSITIONS, variants=False, seconds=_left(clock)
    )
    return measure(plan, clock.stopped.is_set, tell_progress).to_json() | {"digest": game.digest}


def _ladder(arguments: argparse.Namespace, game: Game, clock: Clock) -> Any:
    # for start-up: only what a report needs
    from gamedsl.agents import LadderPlan, MatchConditions, climb_ladder, parse_agent
    from gamedsl.cli.depth_command import summarize
    from gamedsl.compiler import NativeGame
    from gamedsl.lab.base import set_after
    from gamedsl.lab.metrics import affordable_rungs
    from gamedsl.lab.statistics import SequentialTest

    if game.num_players < 2 or game.secrets.hides:
        return {}
    rungs_at_most = RUNGS
    if arguments.counted:
        native = NativeGame(game.program)
        rungs_at_most = affordable_rungs(native, arguments.seed, SHORT, RUNGS, 2 * PAIRS, LADDER_STEPS)
        if rungs_at_most < 2:
            return {}
    plan = LadderPlan(
        make=lambda budget: parse_agent(f"mcts:{budget}"), test=SequentialTest(0, STEP),
        conditions=MatchConditions(arguments.seed, 2), rungs=rungs_at_most, most=PAIRS,
    )  # fmt: skip
    stop = Event()
    with set_after(stop, _left(clock)):
        rungs = list(climb_ladder(game, plan, stop))
    last = rungs[-1].below
    if stop.is_set() and last is not None and last.accepted is None:
        rungs.pop()  # the time ended its match, so no number of pairs makes it again
    return summarize(rungs, plan, "time" if stop.is_set() else "")


def _effects(arguments: argparse.Namespace, game: Game, clock: Clock) -> Any:
    # for start-up: only what a report needs
    from gamedsl.cli.ablate_command import effect_as_json
    from gamedsl.cli.arguments import read_options
    from gamedsl.lab.variants import Ablation, VersionPlan, ablate, ranked

    plan = VersionPlan(CHANGED_GAMES, arguments.seed, limit=0)
    options = read_options(arguments.settings)
    question = Ablation(arguments.file, options, plan, True)
    found = ranked(list(ablate(question, lambda: clock.is_over)))
    return [effect_as_json(effect, game.players) for effect in found]


def _openings(arguments: argparse.Namespace, game: Game, clock: Clock) -> Any:
    # for start-up: only what a report needs
    from gamedsl.lab.report import find_openings

    return find_openings(game, POSITIONS, clock) or []


def _puzzles(arguments: argparse.Namespace, game: Game, clock: Clock) -> Any:
    # for start-up: only what a report needs
    from gamedsl.compiler import NativeGame
    from gamedsl.lab.report import find_puzzles

    return find_puzzles(NativeGame(game.program), arguments.seed, stopped=clock.stopped)


MAKERS: dict[str, Made] = {
    "metrics": _metrics, "ladder": _ladder, "effects": _effects, "openings": _openings, "puzzles": _puzzles,
}  # fmt: skip


# ------------------------------------------------------------------------------------------------ the commands


def _commands(arguments: argparse.Namespace, report: Report, sections: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yields the sections of the page, with the command that makes the numbers of each again."""
    options = [word for setting in arguments.settings for word in ("--set", setting)]

    def line(command: str, *words: object) -> str:
        return shlex.join(["gamedsl", command, arguments.file, *map(str, words), *options])

    seed = ("--seed", arguments.seed)
    positions, games = report.judged_by
    yield "pictures", line("report", "--plain", *seed)
    yield "findings", line("check")
    yield "claims", line("verify", *["--counted"] * arguments.counted, "--limit", positions, "-n", games, *seed)
    yield "games", line("simulate", "-n", report.simulation.summary.plays, *seed)
    yield "coverage", line("coverage", "-n", report.covered, *seed)
    if report.solved is not None:
        yield "value", line("solve", "--method", "graph", "--limit", POSITIONS)
    if report.graph is not None:
        yield "graph", line("report", "--graph")
    if sections.get("metrics"):
        size = (
            "-n",
            sections["metrics"].get("games", GAMES),
            "--playouts",
            PLAYOUTS,
            "--limit",
            POSITIONS,
            "--length",
            SHORT,
            "--plain",
        )
        time = ("--time", f"{_seconds(arguments, 'metrics'):.3g}") if sections["metrics"].get("out_of_time") else ()
        yield "metrics", line("metrics", *size, *seed, *time)
    if sections.get("ladder"):
        ladder = sections["ladder"]
        rungs = max(2, len(ladder["rungs"])) if ladder["end"] in ("time", "rungs") else RUNGS
        yield "ladder", line("depth", "--rungs", rungs, "--pairs", PAIRS, "--difference", STEP, *seed)
    if sections.get("effects"):
        yield "effects", line("ablate", "--deletions", "-n", CHANGED_GAMES, "--limit", 0, *seed)
    if sections.get("openings"):
        yield "openings", line("solve", "--method", "graph", "--limit", POSITIONS, "--all-moves")
    if sections.get("puzzles"):
        yield "puzzles", line("report", *seed)
