"""``site``: builds a static site of games and documents."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

import gamedsl
from gamedsl.cli.arguments import Subparsers, command
from gamedsl.cli.output import remark
from gamedsl.language.source import ExitCode, FileError, UsageError, reason

TITLE = f"gamedsl {gamedsl.__version__}"
DOCS = Path(gamedsl.__file__).parents[1] / "docs"  # in a checkout


def add(commands: Subparsers) -> None:
    site = command(commands, "site", run_site)
    site.add_argument(
        "games", metavar="GAME", nargs="*", help="rulesets, or folders of them (default: all shipped games)"
    )
    site.add_argument(
        "-o", "--output", metavar="FOLDER", type=Path, default=Path("site"),
        help="the folder to write; an older site in it is replaced",
    )  # fmt: skip
    site.add_argument("--title", metavar="TEXT", default=TITLE, help="the title of the site")
    site.add_argument(
        "--docs",
        metavar="FOLDER",
        type=Path,
        help="a folder of Markdown pages to include (default: none; with all shipped games, those of this program)",
    )
    site.add_argument(
        "--no-boards", action="store_true", help="omit the boards below the rulesets in documents, which is faster"
    )


def run_site(arguments: argparse.Namespace) -> int:
    import_module("zensical")  # before anything is compiled: it may be missing
    from gamedsl.compiler import NativeError
    from gamedsl.play.web import build_site

    docs = arguments.docs
    if docs is None and not arguments.games and (DOCS / "guide").is_dir():
        docs = DOCS
    if docs is not None and not docs.is_dir():
        raise UsageError(f"`{docs}` is not a folder")
    try:
        count = build_site(arguments.output, arguments.games, arguments.title, docs, remark, not arguments.no_boards)
    except OSError as problem:
        raise FileError(f"the site cannot be written: {reason(problem)}", code="E0008") from None
    except UnicodeDecodeError as problem:
        raise UsageError("a document is not UTF-8 text") from problem
    except NativeError as problem:
        raise UsageError(f"the rules cannot be compiled: {problem}") from problem
    remark(f"{arguments.output}: {count} files; open {arguments.output / 'index.html'} in a browser")
    return int(ExitCode.FINE)
