"""``coverage``: shows the lines of a ruleset that its examples, playouts, or all positions used."""

from __future__ import annotations

import argparse
import sys
from itertools import islice
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
    add_time,
    command,
    natural,
    read_options,
)
from gamedsl.cli.output import check_output, make_folder, remark, say, say_json, wants_colour, write_output
from gamedsl.language.source import ExitCode, UsageError

if TYPE_CHECKING:
    from gamedsl.lab.coverage import Coverage, CoverageSearch, Line


MOST_BOARDS = 40  # pictures of a page


def add(commands: Subparsers) -> None:
    coverage = command(commands, "coverage", run_coverage)
    add_file(coverage)
    coverage.add_argument(
        "--method", choices=("examples", "random", "explore", "search"), default="random",
        help="examples: the examples of the ruleset; random: random games; explore: all reachable positions; search: look "
        "for rarely used lines",
    )  # fmt: skip
    add_games(coverage, 100, "the number of random games")
    add_seed(coverage, "the seed of the random games")
    add_limit(coverage, 20_000, "explore: stop after this many positions")
    add_time(coverage, 60.0, "search: stop after this many seconds")
    coverage.add_argument(
        "--walks", metavar="N", type=natural, help="search: the number of walks (default: as many as the time allows)"
    )
    coverage.add_argument(
        "--all-options",
        action="store_true",
        help="search: also try other values of the options, and count them together",
    )
    coverage.add_argument(
        "--save", metavar="FOLDER", help="search: save the games found in this folder, as records (default: saves none)"
    )
    coverage.add_argument(
        "--clauses",
        action="store_true",
        help="show only a table of the clauses: how often each was used, and when first",
    )
    add_format(coverage)
    add_options(coverage)
    add_output(coverage, "write a page (.html) to this file (default: prints the lines)", (".html",))


def write_page(path: Path, text: str) -> None:
    """Writes a file and reports it."""
    write_output(path, text)
    remark(f"written: {path}")


def run_coverage(arguments: argparse.Namespace) -> int:
    from gamedsl.lab.coverage import as_text, clause_table

    page, options = arguments.output, read_options(arguments.settings)
    _check(arguments)
    check_output(page)
    found, search = _counted(arguments, options)
    if page is not None:
        _write_page(page, found)
    elif arguments.format == "json":
        say_json(_json(found))
    else:
        say(clause_table(found) if arguments.clauses else as_text(found, wants_colour(sys.stdout)))
    if search is not None and arguments.save is not None:
        _save(search, arguments.file, Path(arguments.save))
    return int(ExitCode.FINE)


def _write_page(page: Path, found: Coverage) -> None:
    from gamedsl.lab.coverage import as_html
    from gamedsl.play.web import figure, figure_assets

    boards = (
        (f"ply {ply}: {'lines' if len(lines) > 1 else 'line'} {', '.join(map(str, lines))}", figure(state))
        for ply, state, lines in found.first_uses
    )
    shown = list(islice(((caption, picture) for caption, picture in boards if picture), MOST_BOARDS))
    write_page(page, as_html(found, shown, figure_assets() if shown else ""))


def _check(arguments: argparse.Namespace) -> None:
    """Rejects arguments that only apply to a search."""
    if arguments.method != "search":
        for name in ("all_options", "save", "walks"):
            if getattr(arguments, name):
                raise UsageError(f"`--{name.replace('_', '-')}` belongs to `--method search`", code="E0004")


def _counted(arguments: argparse.Namespace, options: dict[str, str]) -> tuple[Coverage, CoverageSearch | None]:
    from gamedsl.lab.coverage import MOST_WALKS, coverage, searched

    if arguments.method == "search":
        return searched(
            arguments.file,
            options,
            seconds=arguments.time,
            walks=MOST_WALKS if arguments.walks is None else arguments.walks,
            seed=arguments.seed,
            all_options=arguments.all_options,
        )
    plays, seed, limit = arguments.games, arguments.seed, arguments.limit
    return coverage(arguments.file, arguments.method, options, plays=plays, seed=seed, limit=limit), None


def _save(search: CoverageSearch, file: str, folder: Path) -> None:
    """Saves the games that were found as records."""
    from gamedsl.engine import InterpretedGame, Record, write_atomically

    make_folder(folder)
    number = 0
    for tour in search.tours:
        game = InterpretedGame(tour.probed.program)
        for moves in tour.plays:
            record = Record.begin(game, file)
            for move in moves:
                record = record.plus_move(game, move)
            number += 1
            write_atomically(folder / f"{game.program.name}-{number}.record", record.text())
    say(f"written: {number} games in {folder}")


def _json(found: Coverage) -> dict[str, Any]:
    return {
        "title": found.title,
        "from": found.how,
        "told": found.extent,
        "whole": found.whole,
        "files": [
            {"file": path, "lines": [_line(x) for x in lines if x.mark != "none"]} for path, lines in found.files
        ],
        "moves": dict(found.moves),
        "phases": dict(found.phases),
        "clauses": dict(found.clauses),
        "clauses first": dict(found.firsts),
        "missing": list(found.missing),
    }


def _line(x: Line) -> dict[str, Any]:
    line = {"line": x.number, "kind": x.kind, "times": x.times, "else": x.other, "first": x.first, "mark": x.mark}
    return line if x.alone is None else line | {"alone": x.alone}
