"""``search-rules``: searches the variants of a game for good ones."""

from __future__ import annotations

import argparse
import shlex
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gamedsl.cli.arguments import (
    Subparsers,
    add_file,
    add_format,
    add_games,
    add_seed,
    add_time,
    command,
    whole,
)
from gamedsl.cli.interruption import interruptible
from gamedsl.cli.output import (
    check_new_folder,
    complain,
    make_folder,
    remark,
    say,
    say_json,
    tell_progress,
    write_output,
)
from gamedsl.cli.sharding import add_sharding, shard_runner
from gamedsl.language.source import ExitCode

if TYPE_CHECKING:
    from gamedsl.engine import Game
    from gamedsl.lab.rule_search import RuleSearch

SHOWN = 20  # variants that are printed


def add(commands: Subparsers) -> None:
    search = command(commands, "search-rules", run_search_rules)
    search.epilog = (
        "The space is a variant of GAME whose own options say what may vary: `option komi: 0..10 = 0`, and in the rules "
        "`if trap`. All players of the search see a few plies ahead. Two players take turns and see everything."
    )
    add_file(search)
    search.add_argument(
        "--space", metavar="FILE", required=True, help="the variant of GAME whose options are searched (required)"
    )
    search.add_argument(
        "--variants", metavar="N", type=whole(1, 1_000_000), default=1000,
        help="the largest number of variants to measure",
    )  # fmt: skip
    add_games(
        search, 24, "the number of games for each figure of a variant that is among the best of its kind after 8 games; "
        "those that are shown play eight times as many", least=2,
    )  # fmt: skip
    search.add_argument(
        "--length", metavar="N", type=whole(1, 10_000), default=400,
        help="a variant with a game of more plies and outcomes of chance counts as one that does not end",
    )  # fmt: skip
    search.add_argument(
        "--playouts", metavar="N", type=whole(1, 1 << 20), default=4,
        help="the random games by which the players whose results are shown value each possible move; from 64 on, by its best replies",
    )  # fmt: skip
    search.add_argument(
        "--draws-are-fine",
        action="store_true",
        help="the best variant is the fairest; otherwise draws count against it",
    )
    add_seed(search)
    add_sharding(search)
    add_time(search, None, "end the search after this many seconds, and verify what it found (default: no limit)")
    add_format(search)
    search.add_argument(
        "-o", "--output", metavar="FOLDER", type=Path,
        help="write a page and the variants, as pages that play and as rulesets, to this new or empty folder (default: prints the best)",
    )  # fmt: skip


def run_search_rules(arguments: argparse.Namespace) -> int:
    """Searches, verifies and prints. The first Ctrl-C ends the search, and what it found is still verified (exit code
    130)."""
    # for start-up: it needs numpy
    from gamedsl.lab.rule_search import RuleSearch, SearchPlan, read_space

    check_new_folder(arguments.output)
    space = read_space(arguments.space, arguments.file)
    plan = SearchPlan(
        space,
        arguments.variants,
        arguments.games,
        arguments.seed,
        arguments.length,
        arguments.playouts,
        arguments.draws_are_fine,
    )
    end = float("inf") if arguments.time is None else time.monotonic() + arguments.time
    notice = "verifying what was found so far; once more ends it at once\n"
    with interruptible(notice) as interruption, shard_runner(arguments) as runner:
        search = RuleSearch(plan, runner)
        for measured in search.run(lambda: interruption.stop.is_set() or time.monotonic() >= end):
            interruption.begun.set()
            tell_progress(f"{measured:,} of {min(plan.variants, space.size):,} variants")
    tell_progress()
    rules, _ = space.bench.game({})
    title, seat = rules.program.title or rules.program.name, rules.program.players.names[0]
    if arguments.output is not None:
        _write(search, arguments, title, seat)
    if arguments.format == "json":
        say_json(_json(search, seat))
    else:
        for line in _text(search, title, seat):
            say(line)
    if interruption.code:
        complain("interrupted" if arguments.checkpoint is None else "interrupted: the same command continues")
    elif time.monotonic() >= end:
        complain("the time ran out, and another machine may find other variants")
    return interruption.code or int(ExitCode.FINE)


def _write(search: RuleSearch, arguments: argparse.Namespace, title: str, seat: str) -> None:
    from gamedsl.lab.rule_search import archive_files

    tell_progress("writing the pages that play")
    files = archive_files(search, title, seat, _command_line(arguments), _playing_page)
    tell_progress()
    folder: Path = arguments.output
    for name, text in files.items():
        make_folder((folder / name).parent)
        write_output(folder / name, text)
    remark(f"{folder}: {len(files)} files; open {folder / 'index.html'} in a browser")


def _playing_page(game: Game) -> str:
    """Returns the page of a variant; empty if its rules cannot be compiled."""
    # for start-up: only an archive needs it
    from gamedsl.compiler import NativeError
    from gamedsl.play.web import playable_page

    try:
        return playable_page(game)
    except NativeError:
        return ""


def _command_line(arguments: argparse.Namespace) -> str:
    """Returns the command that finds the same variants."""
    words = ["gamedsl", "search-rules", arguments.file, "--space", arguments.space]
    words += ["--variants", str(arguments.variants), "-n", str(arguments.games), "--playouts", str(arguments.playouts)]
    words += ["--length", str(arguments.length)]
    words += ["--draws-are-fine"] if arguments.draws_are_fine else []
    words += ["--seed", str(arguments.seed)]
    words += [] if arguments.time is None else ["--time", f"{arguments.time:g}"]
    return shlex.join(words)


def _json(search: RuleSearch, seat: str) -> dict[str, Any]:
    plan = search.plan
    return {
        "space": plan.space.file, "size": plan.space.size, "seed": plan.seed, "measured": search.measured,
        "unsound": dict(search.unsound), "first_seat": seat,
        "variants": [
            {
                "options": plan.space.options(elite.point), "quality": plan.quality(elite.figures),
                "score": elite.figures.score, "low": elite.figures.low, "high": elite.figures.high,
                "draws": elite.figures.draws, "depth": elite.figures.depth, "plies": elite.figures.length,
                "games": elite.figures.games,
            }
            for elite in search.shown
        ],
    }  # fmt: skip


def _text(search: RuleSearch, title: str, seat: str) -> Iterator[str]:
    from gamedsl.lab.rule_search import as_row

    plan = search.plan
    yield f"{title}: {search.measured:,} of {plan.space.size:,} variants measured, seed {plan.seed}"
    for why, number in search.unsound.most_common():
        yield f"  unsound: {number:,} ({why})"
    if not search.shown:
        yield "No variant is left."
        return
    games = max(elite.figures.games for elite in search.shown)
    yield f"The best of each depth and length, verified and measured again (up to {games} games for each figure):"
    yield f"  quality  {f'points of {seat}':<22}  draws  depth  plies  options"
    for elite in search.shown[:SHOWN]:
        row = as_row(search, elite)
        yield (
            f"  {row['quality']:>7}  {row['score']:<22}  {row['draws']:>5}  {row['depth']:>5}  {row['length']:>5}  "
            f"{row['options']}"
        )
    if len(search.shown) > SHOWN:
        yield f"  and {len(search.shown) - SHOWN} more: `-o FOLDER` and `--format json` show all"
