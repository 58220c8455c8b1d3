"""``gamedsl letters FILE``: count the letters of a ruleset's title."""

from __future__ import annotations

import argparse

import gamedsl
from gamedsl.cli import Subparsers, add_file, add_format, add_options, command, read_options, say, say_json


def add(commands: Subparsers) -> None:
    parser = command(commands, "letters", run)
    add_file(parser)
    add_format(parser)
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    game = gamedsl.load(arguments.file, **read_options(arguments.settings))
    letters = sum(char.isalpha() for char in game.title)
    if arguments.format == "json":
        say_json({"title": game.title, "letters": letters})
    else:
        say(f"{game.title}: {letters} letters")
    return 0
