"""``help``: prints the help of a command, as ``gamedsl COMMAND --help`` does."""

from __future__ import annotations

import argparse

from gamedsl.cli.arguments import Subparsers, command
from gamedsl.cli.output import say_in_pages
from gamedsl.language.source import ExitCode


def add(commands: Subparsers) -> None:
    parser = command(commands, "help", run_help)
    parser.add_argument("topic", metavar="COMMAND", nargs="?", help="the command (default: shows all commands)")


def run_help(arguments: argparse.Namespace) -> int:
    from gamedsl.cli.program_parser import parser_with, refuse_unknown  # start-up: few commands need the others

    if arguments.topic is None:
        say_in_pages(parser_with([]).format_help().rstrip("\n"))
    else:
        found = parser_with([arguments.topic])
        refuse_unknown(arguments.topic, found)
        say_in_pages(found.commands.choices[arguments.topic].format_help().rstrip("\n"))
    return int(ExitCode.FINE)
