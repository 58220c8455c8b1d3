"""``explain``, ``list``, ``rules`` and ``core``: what there is to read."""

from __future__ import annotations

import argparse
import textwrap
from typing import TYPE_CHECKING

from gamedsl.cli.arguments import Subparsers, add_file, add_json, add_options, command, read_options
from gamedsl.cli.output import say, say_json
from gamedsl.cli.overview import games_by_family
from gamedsl.source.diagnostic import ExitCode
from gamedsl.source.index import read_index

if TYPE_CHECKING:
    from gamedsl.core.nodes import Paragraph, Part, Program

WIDTH = 80


def add(commands: Subparsers) -> None:
    explain = command(commands, "explain", run_explain)
    explain.add_argument(
        "code", metavar="CODE", nargs="?", help="a code such as E0201; without it, all codes are listed"
    )
    shipped = command(commands, "list", run_list)
    add_json(shipped)
    rules = command(commands, "rules", run_rules)
    add_file(rules)
    add_options(rules)
    core = command(commands, "core", run_core)
    add_file(core)
    add_options(core)


def run_explain(arguments: argparse.Namespace) -> int:
    from gamedsl.source.explain import codes, explain, title

    if arguments.code is None:
        for code in codes():
            say(f"{code}  {title(code)}")
    else:
        say(explain(arguments.code).rstrip("\n"))
    return int(ExitCode.FINE)


def run_list(arguments: argparse.Namespace) -> int:
    if arguments.json:
        games = [vars(e) | {"family": family} for family, entries in read_index().items() for e in entries]
        say_json({"games": games})
    else:
        say(games_by_family())
    return int(ExitCode.FINE)


def run_core(arguments: argparse.Namespace) -> int:
    from gamedsl.core.printer import print_core
    from gamedsl.rules import load_program

    say(print_core(load_program(arguments.file, read_options(arguments.option))).rstrip("\n"))
    return int(ExitCode.FINE)


# ------------------------------------------------------------------------------------------------------- rules

_HEADINGS = {"about": "About", "goal": "Goal", "rule": "Rules", "note": "Notes", "presentation": "For the table"}


def run_rules(arguments: argparse.Namespace) -> int:
    from gamedsl.rules import load_program

    say(rulebook(load_program(arguments.file, read_options(arguments.option))))
    return int(ExitCode.FINE)


def rulebook(program: Program) -> str:
    """The rulebook text of a program and of the rulesets that it plays as parts, 80 columns wide."""
    blocks: list[str] = []
    seen: set[tuple[Paragraph, ...]] = set()
    for part in program.parts:
        if part.info not in seen:
            blocks.append(_part_text(part))
            seen.add(part.info)
    return "\n\n".join(b for b in blocks if b)


def _part_text(part: Part) -> str:
    lines = [part.title or part.name]
    lines.append("=" * len(lines[0]))
    lines += [f"by {part.by}"] if part.by else []
    heading = ""
    for paragraph in part.info:
        if _HEADINGS.get(paragraph.key, "") != heading:
            heading = _HEADINGS.get(paragraph.key, paragraph.key)
            lines += ["", heading, "-" * len(heading)]
        lines += _paragraph(paragraph, number=paragraph.key == "rule")
    return "\n".join(lines)


def _paragraph(paragraph: Paragraph, number: bool) -> list[str]:
    cites = f" [{', '.join(paragraph.clauses)}]" if paragraph.clauses else ""
    first, rest = ("- ", "  ") if number or paragraph.key in ("note", "presentation") else ("", "")
    return textwrap.wrap(paragraph.text + cites, WIDTH, initial_indent=first, subsequent_indent=rest)
