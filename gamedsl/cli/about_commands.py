"""``rules`` and ``core``: print a ruleset as a rulebook, and in the core language."""

from __future__ import annotations

import argparse

from gamedsl.cli.arguments import Subparsers, add_file, add_options, command, read_options
from gamedsl.cli.output import say, say_in_pages
from gamedsl.language.source import ExitCode


def add(commands: Subparsers) -> None:
    rules = command(commands, "rules", run_rules)
    add_file(rules)
    add_options(rules)
    core = command(commands, "core", run_core)
    add_file(core)
    add_options(core)


def run_rules(arguments: argparse.Namespace) -> int:
    from gamedsl.language.rules import load_program
    from gamedsl.play.terminal import rulebook

    say_in_pages("\n".join(rulebook(load_program(arguments.file, read_options(arguments.settings)), clauses=False)))
    return int(ExitCode.FINE)


def run_core(arguments: argparse.Namespace) -> int:
    from gamedsl.language.core import print_core
    from gamedsl.language.rules import load_program

    say(print_core(load_program(arguments.file, read_options(arguments.settings))).rstrip("\n"))
    return int(ExitCode.FINE)
