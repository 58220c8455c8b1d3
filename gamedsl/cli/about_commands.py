"""``explain``, ``list``, ``rules`` and ``core``: commands that show text about rulesets and errors."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from gamedsl.cli.arguments import Subparsers, add_file, add_format, add_options, command, read_options
from gamedsl.cli.output import say, say_in_pages, say_json
from gamedsl.cli.overview import games_by_family
from gamedsl.language.source import ExitCode, UsageError, read_index

if TYPE_CHECKING:
    pass

WIDTH = 80


def add(commands: Subparsers) -> None:
    explain = command(commands, "explain", run_explain)
    explain.add_argument(
        "topics",
        metavar="CODE|WORD",
        nargs="*",
        help="codes such as E0201, or words of the language such as turns; without any, all codes are listed",
    )
    shipped = command(commands, "list", run_list)
    add_format(shipped)
    rules = command(commands, "rules", run_rules)
    add_file(rules)
    add_options(rules)
    core = command(commands, "core", run_core)
    add_file(core)
    add_options(core)


def run_explain(arguments: argparse.Namespace) -> int:
    from gamedsl.language.source import codes, title

    if not arguments.topics:
        for code in codes():
            say(f"{code}  {title(code)}")
    else:
        say("\n\n".join(_page(topic).rstrip("\n") for topic in arguments.topics))
    return int(ExitCode.FINE)


def _page(asked: str) -> str:
    """The page of a code or of a word. Raises ``UsageError`` if there is none."""
    from gamedsl.language.source import explain, marked

    if re.fullmatch(r"(?i)[EW]?[0-9]+", asked.strip()):
        return marked(explain(asked))
    from gamedsl.language.rules import explain_word, near_words

    word = asked.strip().lower()
    page = explain_word(word)
    if page is None:
        raise UsageError(
            f"the language has no word {asked[:40]!r}, and there is no such code",
            code="E0007",
            near=near_words(word),
            help="`gamedsl explain` lists the codes; docs/language/spec.md has the language.",
        )
    return page


def run_list(arguments: argparse.Namespace) -> int:
    if arguments.format == "json":
        games = [vars(e) | {"family": family} for family, entries in read_index().items() for e in entries]
        say_json({"games": games})
    else:
        say_in_pages(games_by_family())
    return int(ExitCode.FINE)


def run_core(arguments: argparse.Namespace) -> int:
    from gamedsl.language.core import print_core
    from gamedsl.language.rules import load_program

    say(print_core(load_program(arguments.file, read_options(arguments.settings))).rstrip("\n"))
    return int(ExitCode.FINE)


# ------------------------------------------------------------------------------------------------------- rules


def run_rules(arguments: argparse.Namespace) -> int:
    from gamedsl.language.rules import load_program
    from gamedsl.play.terminal import rulebook

    say_in_pages("\n".join(rulebook(load_program(arguments.file, read_options(arguments.settings)), clauses=False)))
    return int(ExitCode.FINE)
