"""``new``: makes a folder with a template ruleset, its examples and claims."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from string import Template

from gamedsl.cli.arguments import Subparsers, command
from gamedsl.cli.output import remark
from gamedsl.language.source import ExitCode, FileError, UsageError, reason, resource_path

NAME = re.compile(r"[a-z0-9][a-z0-9_-]*", re.IGNORECASE)
MOST_LETTERS = 60


def add(commands: Subparsers) -> None:
    kinds = resource_path("templates", "kinds.txt").read_text(encoding="utf-8").split()
    new = command(commands, "new", run_new)
    new.add_argument("name", metavar="NAME", help="the name of the game and of its folder: letters, digits, - and _")
    new.add_argument(
        "--like", choices=kinds, default=kinds[0], help=f"the template to start from (default: {kinds[0]})"
    )


def run_new(arguments: argparse.Namespace) -> int:
    name: str = arguments.name
    if not NAME.fullmatch(name) or len(name) > MOST_LETTERS:
        raise UsageError(
            f"`{name[:MOST_LETTERS]}` cannot be the name of a game",
            code="E0004",
            help=f"Use letters, digits, - and _, at most {MOST_LETTERS}, and begin with a letter or a digit.",
        )
    folder = Path(name)
    files = _files(name, arguments.like)
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


def _files(name: str, kind: str) -> dict[str, str]:
    """The files of a game by their names."""
    templates = resource_path("templates")
    sources = {
        f"{name}.gdl": templates / kind / "rules.gdl",
        f"{name}.examples.yaml": templates / kind / "examples.yaml",
        "README.md": templates / "README.md",
    }
    title = re.sub(r"[-_]+", " ", name).strip().title()
    return {
        file: Template(path.read_text(encoding="utf-8")).substitute(name=name, title=title)
        for file, path in sources.items()
    }
