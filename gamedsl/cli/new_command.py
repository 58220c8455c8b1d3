"""``new``: makes a folder with a template ruleset, its examples and claims."""

from __future__ import annotations

import argparse
from pathlib import Path

from gamedsl.cli.arguments import Subparsers, command
from gamedsl.cli.output import remark, write_new_folder
from gamedsl.language.source import ExitCode
from gamedsl.studio import template_files, template_kinds


def add(commands: Subparsers) -> None:
    kinds = template_kinds()
    new = command(commands, "new", run_new)
    new.add_argument("name", metavar="NAME", help="the name of the game and of its folder: letters, digits, - and _")
    new.add_argument(
        "--like", choices=kinds, default=kinds[0], help=f"the template to start from (default: {kinds[0]})"
    )


def run_new(arguments: argparse.Namespace) -> int:
    name: str = arguments.name
    write_new_folder(name, template_files(name, arguments.like), "Choose another name.")
    remark(f"next: gamedsl play {Path(name, name)}.gdl")
    return int(ExitCode.FINE)
