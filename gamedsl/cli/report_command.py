"""``report``: a page about a ruleset, or the graph of its positions."""

from __future__ import annotations

import argparse
from pathlib import Path

from gamedsl.cli.arguments import Subparsers, add_file, add_options, add_output, command, natural, read_options
from gamedsl.cli.coverage_command import write_page
from gamedsl.cli.report_boards import boards
from gamedsl.language.source import ExitCode, UsageError

GRAPHS = (".dot", ".svg")


def add(commands: Subparsers) -> None:
    report = command(commands, "report", run_report)
    add_file(report)
    report.add_argument("--plays", metavar="N", type=natural, default=1000, help="random plays (1000)")
    report.add_argument("--seed", metavar="S", type=natural, default=0, help="seed of the random plays (0)")
    report.add_argument(
        "--time",
        metavar="S",
        type=natural,
        default=30,
        help="seconds for the plays, the value and the claims (30 each)",
    )
    report.add_argument("--states", metavar="N", type=natural, default=None, help="positions drawn (100; --graph: 200)")
    report.add_argument("--graph", metavar="OUT", help="write only the graph of positions, as .dot or .svg")
    add_options(report)
    add_output(report, "the page to write (NAME.html)", (".html",))


def run_report(arguments: argparse.Namespace) -> int:
    page, options = arguments.output, read_options(arguments.settings)
    if arguments.graph is not None:
        _write_graph(arguments, options)
    if page is not None or arguments.graph is None:
        _write_report(arguments, page or Path(f"{Path(arguments.file).stem}.html"), options)
    return int(ExitCode.FINE)


def _write_report(arguments: argparse.Namespace, page: Path, options: dict[str, str]) -> None:
    from gamedsl.lab.report import as_page, make_report
    from gamedsl.play.web import figure_assets

    states = 100 if arguments.states is None else arguments.states
    found = make_report(
        arguments.file, options, plays=arguments.plays, seed=arguments.seed, states=states, seconds=arguments.time
    )
    shown = boards(found.game, arguments.seed)
    write_page(page, as_page(found, shown, figure_assets() if shown else ""))


def _write_graph(arguments: argparse.Namespace, options: dict[str, str]) -> None:
    from gamedsl.engine import InterpretedGame
    from gamedsl.lab.report import STATES, as_dot, as_svg, state_graph
    from gamedsl.language.rules import load_program

    if not arguments.graph.endswith(GRAPHS):
        raise UsageError(f"{arguments.graph} is neither .dot nor .svg")
    game = InterpretedGame(load_program(arguments.file, options))
    graph = state_graph(game.initial_state(), arguments.states or STATES)
    write_page(Path(arguments.graph), as_dot(graph) if arguments.graph.endswith(".dot") else as_svg(graph))
