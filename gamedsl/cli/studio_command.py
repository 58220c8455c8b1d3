"""``studio``: text, board and figures of a ruleset on one screen."""

from __future__ import annotations

import argparse
import sys
import webbrowser
from pathlib import Path

from gamedsl.cli.arguments import Subparsers, command, whole
from gamedsl.cli.output import say, write_new_folder
from gamedsl.language.source import ExitCode, UsageError, missing_library
from gamedsl.studio import files_of_link

PORT = 8020


def add(commands: Subparsers) -> None:
    studio = command(commands, "studio", run_studio_command)
    studio.add_argument(
        "folder",
        metavar="FOLDER",
        nargs="?",
        help="the folder with your rulesets, or one of them, or the link of a game (default: choose a template)",
    )
    studio.add_argument(
        "--port",
        metavar="N",
        type=whole(0, 65535),
        help=f"the port; 0: any free one (default: {PORT}, or a free one if that is taken)",
    )
    studio.add_argument("--open", action="store_true", help="open the page in your browser")


def _unpacked(link: str) -> str:
    """Write the game of a link into a new folder. Returns the file of its rules."""
    name, texts = files_of_link(link)
    write_new_folder(name, dict(sorted(texts.items())), "Open the link in another folder.")
    return str(Path(name, f"{name}.gdl"))


def run_studio_command(arguments: argparse.Namespace) -> int:
    given: str | None = arguments.folder
    if given is not None and given.startswith("gamedsl:"):
        given = _unpacked(given)
    place = None if given is None else Path(given)
    first = ""
    if place is not None and place.is_file() and place.suffix == ".gdl":
        place, first = place.parent, place.name
    if place is not None and not place.is_dir():
        raise UsageError(
            f"there is no folder `{place}`", code="E0002", help="Without a folder, the studio begins with a template."
        )
    try:
        from gamedsl.studio import run_studio
    except ImportError as error:
        raise (missing_library(error) or error) from None

    def show(link: str) -> None:
        say(f"the studio is at {link}  (Ctrl-C ends)")
        sys.stdout.flush()
        if arguments.open:
            webbrowser.open(link)

    port = PORT if arguments.port is None else arguments.port
    run_studio(place, first, port, show, fallback=arguments.port is None)
    return int(ExitCode.FINE)
