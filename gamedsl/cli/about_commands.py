"""``rules`` and ``core``: print a ruleset as a rulebook, and in the core language."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gamedsl.cli.arguments import (
    FINDINGS,
    Subparsers,
    add_file,
    add_format,
    add_options,
    command,
    load_rules,
)
from gamedsl.cli.output import say, say_in_pages, say_json
from gamedsl.language.source import ExitCode

if TYPE_CHECKING:
    from gamedsl.language.core import nodes as n


def add(commands: Subparsers) -> None:
    for name, run in (("rules", run_rules), ("core", run_core)):
        parser = command(commands, name, run)
        add_file(parser)
        add_format(parser, *FINDINGS)
        add_options(parser)


def run_rules(arguments: argparse.Namespace) -> int:
    from gamedsl.play.terminal import rulebook, rulebook_data

    return _printed(
        arguments,
        lambda program: say_in_pages("\n".join(rulebook(program, clauses=False))),
        lambda program: {**rulebook_data(program), "options": dict(program.options)},
    )


def run_core(arguments: argparse.Namespace) -> int:
    from gamedsl.language.core import digest, print_core

    return _printed(
        arguments,
        lambda program: say(print_core(program).rstrip("\n")),
        lambda program: {
            "game": program.name,
            "title": program.title,
            "options": dict(program.options),
            "digest": digest(program),
            "core": print_core(program),
        },
    )


def _printed(
    arguments: argparse.Namespace, write: Callable[[n.Program], None], data: Callable[[n.Program], dict[str, Any]]
) -> int:
    """Prints a program in the requested form. Only mistakes are findings, so a program without any has none."""

    program = load_rules(arguments)
    if arguments.format == "text":
        write(program)
    elif arguments.format == "json":
        say_json(data(program))
    else:
        from gamedsl.cli.findings import say_findings  # start-up: few need it

        say_findings(arguments.format, ())
    return int(ExitCode.FINE)
