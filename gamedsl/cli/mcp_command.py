"""``mcp``: the server of tools for programs that write rules."""

from __future__ import annotations

import argparse
from pathlib import Path

from gamedsl.cli.arguments import Subparsers, command
from gamedsl.language.source import UsageError, missing_library


def add(commands: Subparsers) -> None:
    parser = command(commands, "mcp", run_mcp)
    parser.add_argument(
        "folder",
        metavar="FOLDER",
        nargs="?",
        type=Path,
        help="the folder whose rulesets the tools may read and write (default: none; the tools take whole rulesets)",
    )


def run_mcp(arguments: argparse.Namespace) -> int:
    folder: Path | None = arguments.folder
    if folder is not None and not folder.is_dir():
        raise UsageError(f"`{folder}` is not a folder", code="E0003", help="Name the folder of your rulesets.")
    try:
        from gamedsl.mcp_server import make_tool_server
    except ImportError as error:
        raise (missing_library(error) or error) from None
    make_tool_server(folder).run()
    return 0
