"""``new``: makes a folder with a template ruleset, its examples and claims."""

from __future__ import annotations

import argparse
from pathlib import Path

from gamedsl.cli.arguments import Subparsers, command
from gamedsl.cli.output import remark
from gamedsl.language.source import ExitCode, FileError, UsageError, reason
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
    files = template_files(name, arguments.like)
    folder = Path(name)
    try:
        folder.mkdir()
        for file, text in files.items():
            (folder / file).write_text(text, encoding="utf-8")
    except FileExistsError:
        raise UsageError(
            f"a file or folder `{name}` already exists", code="E0004", help="Choose another name."
        ) from None
    except OSError as error:
        raise FileError(f"`{name}` cannot be written: {reason(error)}", code="E0008") from None
    remark(f"written: {', '.join(str(folder / file) for file in files)}")
    remark(f"next: gamedsl play {folder / name}.gdl")
    return int(ExitCode.FINE)
