"""``export --to html`` and ``--to wasm``: compiled rules as files that play without this program."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

from gamedsl.cli.arguments import load_game
from gamedsl.cli.output import check_output, remark, write_output
from gamedsl.cli.starting_position import record_named
from gamedsl.language.source import STANDARD_INPUT, ExitCode, UsageError

if TYPE_CHECKING:
    from gamedsl.engine import Game

HTML, WASM = "html", "wasm"
PLAYABLE = (HTML, WASM)


def export_playable(arguments: argparse.Namespace) -> int:
    from gamedsl.compiler import NativeError

    game = load_game(arguments)
    path = arguments.output or Path(f"{game.program.name}.{arguments.to}")
    check_output(path)
    try:
        if arguments.to == WASM:
            return _export_wasm(game, path)
        return _export_html(game, path, arguments)
    except NativeError as problem:
        raise UsageError(f"the rules cannot be compiled: {problem}") from problem


def _export_html(game: Game, path: Path, arguments: argparse.Namespace) -> int:
    # start-up: the other forms need no agents
    from gamedsl.agents import level_beside, level_from_file, level_iterations
    from gamedsl.play.web import playable_page

    agents, start = arguments.seats, arguments.start
    if arguments.net is not None:
        learned = level_from_file(game, arguments.net, remark)
    else:
        learned = None if arguments.file == STANDARD_INPUT else level_beside(arguments.file, lambda _: game, remark)
    players = [] if agents is None else [one.strip() for one in agents.split(",")]
    try:
        levels = None if game.secrets.hides else level_iterations(game)
        page = playable_page(game, players, "" if start is None else _begun(game, start), levels, learned)
    except ValueError as problem:
        raise UsageError(str(problem)) from problem
    write_output(path, page)
    remark(f"{path}: {len(page.encode()) // 1000:,} kB; open it in a browser")
    return int(ExitCode.FINE)


def _begun(game: Game, start: str) -> str:
    """What the page reads first: a record, or an exploration with its variations."""
    from gamedsl.engine import is_exploration, read_exploration

    record = record_named(game, start)
    if record.source is None or not is_exploration(record.source.text):
        return record.text()
    read_exploration(record.source).steps(game)  # raises for a move that these rules do not have
    return record.source.text


def _export_wasm(game: Game, path: Path) -> int:
    """Writes the module, and the JSON beside it."""
    from gamedsl.play.web import wasm_files

    found = wasm_files(game)
    facts = path.with_suffix(".json")
    write_output(path, found.code)
    write_output(facts, json.dumps(found.facts, ensure_ascii=False) + "\n")
    remark(f"{path}: {len(found.code):,} bytes; {facts}: the data that a host needs")
    return int(ExitCode.FINE)
