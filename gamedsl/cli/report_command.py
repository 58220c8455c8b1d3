"""``report``: writes a page about a ruleset, or the graph of its positions."""

from __future__ import annotations

import argparse
from contextlib import closing
from functools import partial
from pathlib import Path

from gamedsl.cli.arguments import (
    Subparsers,
    add_checkpoint,
    add_file,
    add_games,
    add_limit,
    add_options,
    add_output,
    add_seed,
    add_time,
    command,
    default_name,
    read_options,
)
from gamedsl.cli.coverage_command import write_page
from gamedsl.cli.output import check_output
from gamedsl.cli.report_boards import boards, position_picture
from gamedsl.language.source import ExitCode, UsageError

GRAPHS = (".svg", ".dot")
EACH = 0.1  # of the time: for the games, the value and the claims each


def add(commands: Subparsers) -> None:
    report = command(commands, "report", run_report)
    add_file(report)
    add_games(report, 1000, "the number of random games")
    add_seed(report, "the seed of the random games")
    add_time(report, 120, "the time limit in seconds for the whole page, without compiling the rules")
    report.add_argument(
        "--counted",
        action="store_true",
        help="limit no time but the number of games and positions: the same page on every machine, however long it takes",
    )
    report.add_argument(
        "--plain",
        action="store_true",
        help="omit the scale of known games, the ladder, what each line does, openings, puzzles",
    )
    add_checkpoint(
        report,
        "take these sections from this file, if it has them of the same rules and as much time, and add those of this run to it "
        "(default: none)",
    )
    add_limit(report, None, "draw at most this many positions (default: 100; with --graph, 200)")
    report.add_argument(
        "--graph", action="store_true", help="write only the graph of positions, to a file .svg or .dot (Graphviz)"
    )
    add_options(report)
    add_output(report, "the file to write (default: GAME.html; with --graph, GAME.svg)", (".html", *GRAPHS))


def run_report(arguments: argparse.Namespace) -> int:
    options = read_options(arguments.settings)
    endings = GRAPHS if arguments.graph else (".html",)
    path = arguments.output or Path(default_name(arguments.file) + endings[0])
    if path.suffix not in endings:
        raise UsageError(
            f"`-o {path}` does not end with {' or '.join(endings)}",
            help="A graph of positions is written with `--graph`, a page without it.",
            code="E0004",
        )
    check_output(path)
    if arguments.graph:
        _write_graph(arguments, path, options)
    else:
        _write_report(arguments, path, options)
    return int(ExitCode.FINE)


def _write_report(arguments: argparse.Namespace, page: Path, options: dict[str, str]) -> None:
    # for start-up: only what a report needs
    from gamedsl.cli.report_figures import lab_figures
    from gamedsl.lab.report import as_page, make_report
    from gamedsl.lab.shards import ShardStore
    from gamedsl.play.web import figure_assets

    limit = 100 if arguments.limit is None else arguments.limit
    with closing(ShardStore(None if arguments.plain else arguments.checkpoint)) as store:
        found = make_report(
            arguments.file, options, plays=arguments.games, seed=arguments.seed, states=limit,
            seconds=None if arguments.counted else arguments.time * EACH,
        )  # fmt: skip
        lab = lab_figures(arguments, found, store)
    shown = boards(found.game, arguments.seed)
    has_pictures = bool(shown or lab.sections.get("puzzles"))
    write_page(
        page, as_page(found, shown, figure_assets() if has_pictures else "", lab, partial(position_picture, found.game))
    )


def _write_graph(arguments: argparse.Namespace, path: Path, options: dict[str, str]) -> None:
    # for start-up: only what a report needs
    from gamedsl.engine import InterpretedGame
    from gamedsl.lab.report import STATES, as_dot, as_svg, state_graph
    from gamedsl.language.rules import load_program

    game = InterpretedGame(load_program(arguments.file, options))
    graph = state_graph(game.initial_state(), arguments.limit or STATES)
    write_page(path, as_dot(graph) if path.suffix == ".dot" else as_svg(graph))
