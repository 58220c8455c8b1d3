"""``list``: lists the shipped games, all or those that meet conditions."""

from __future__ import annotations

import argparse

from gamedsl.cli.arguments import Subparsers, add_format, command, whole
from gamedsl.cli.output import is_quiet, say, say_in_pages, say_json
from gamedsl.cli.overview import games_by_family
from gamedsl.language.source import Entry, ExitCode, UsageError, read_index

MOST_PLAYERS = 99


def add(commands: Subparsers) -> None:
    shipped = command(commands, "list", run_list)
    shipped.add_argument(
        "words", metavar="WORD", nargs="*", help="list games whose name, title or summary contains all of these words"
        " (default: lists all)",
    )  # fmt: skip
    shipped.add_argument(
        "--players", metavar="N", type=whole(1, MOST_PLAYERS), help="list games for this many players (default: any)"
    )
    shipped.add_argument(
        "--family", metavar="WORD",
        help="list the families whose heading contains this word, or the family of a game (default: all)",
    )  # fmt: skip
    _add_choice(shipped, "hidden", "list games that hide something from players")
    _add_choice(shipped, "chance", "list games with dice, cards or other chance")
    add_format(shipped)


def _add_choice(parser: argparse.ArgumentParser, name: str, help: str) -> None:
    parser.add_argument(
        f"--{name}", action=argparse.BooleanOptionalAction, default=None, help=f"{help}; --no-{name}: the others"
    )


def run_list(arguments: argparse.Namespace) -> int:
    found = fitting(read_index(), arguments)
    if arguments.format == "json":
        say_json({"games": [vars(e) | {"family": family} for family, entries in found.items() for e in entries]})
    elif not found:
        raise UsageError(
            "no shipped game fits", code="E0002", help="Omit one of the conditions; `gamedsl list` shows all games."
        )
    elif is_quiet():
        say("\n".join(e.name for entries in found.values() for e in entries))
    else:
        say_in_pages(games_by_family(found))
    return int(ExitCode.FINE)


def fitting(index: dict[str, tuple[Entry, ...]], wanted: argparse.Namespace) -> dict[str, tuple[Entry, ...]]:
    """The families with the games that meet all conditions, without empty families."""
    family = None if wanted.family is None else wanted.family.casefold()
    found = {}
    for heading, entries in index.items():
        if family is None or family in heading.casefold() or any(family == e.name for e in entries):
            found[heading] = tuple(e for e in entries if _fits(e, wanted))
    return {heading: entries for heading, entries in found.items() if entries}


def _fits(entry: Entry, wanted: argparse.Namespace) -> bool:
    text = f"{entry.name} {entry.title} {entry.about}".casefold()
    return (
        (wanted.players is None or wanted.players in entry.players)
        and wanted.hidden in (None, entry.is_hidden)
        and wanted.chance in (None, entry.has_chance)
        and all(word.casefold() in text for word in wanted.words)
    )
