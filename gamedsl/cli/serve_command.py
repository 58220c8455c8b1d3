"""``serve``: runs a server for remote players."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from platformdirs import user_data_path

from gamedsl.cli.arguments import Subparsers, add_time, command, whole
from gamedsl.cli.output import remark, say
from gamedsl.language.source import ExitCode

PORT = 8000
CHATS = ("seats", "all", "off")


def add(commands: Subparsers) -> None:
    serve = command(commands, "serve", run_serve)
    serve.add_argument(
        "games", metavar="GAME", nargs="*", help="rulesets, or folders of them (default: all shipped games)"
    )
    serve.add_argument(
        "--host", metavar="ADDRESS", default="127.0.0.1", help="the address to listen on; 0.0.0.0: all addresses"
    )
    serve.add_argument(
        "--host-name",
        metavar="NAME",
        action="append",
        default=[],
        help="a name by which browsers reach this server, such as play.example.org; may be repeated (default: localhost)",
    )
    serve.add_argument("--port", metavar="N", type=whole(0, 65535), default=PORT, help="the port; 0: any free one")
    serve.add_argument(
        "--data", metavar="FOLDER", type=Path, help="the folder that keeps the tables (default: the user's data folder)"
    )
    add_time(serve, 60.0, "show spectators a game with hidden information this many seconds later", "--delay")
    serve.add_argument("--uploads", action="store_true", help="let people upload their own rulesets")
    serve.add_argument(
        "--chat",
        choices=CHATS,
        default="seats",
        help="who writes and reads messages at a table: its seats, all (spectators too), or off (nobody)",
    )
    serve.add_argument(
        "--sockets",
        metavar="N",
        type=whole(1, 100_000),
        default=64,
        help="the largest number of connections per address at a time",
    )
    serve.add_argument(
        "--tables",
        metavar="N",
        type=whole(1, 100_000),
        default=20,
        help="the largest number of new tables per address and minute",
    )


def run_serve(arguments: argparse.Namespace) -> int:
    from gamedsl.play.web import Address, Catalogue, Limits, serve

    folder = arguments.data or user_data_path("gamedsl") / "tables"
    limits = Limits(sockets=arguments.sockets, tables_a_minute=arguments.tables)
    catalogue = Catalogue.of(arguments.games)
    catalogue.find_values(remark)
    serve(
        catalogue,
        Address(arguments.host, arguments.port, arguments.host_name),
        folder,
        limits=limits,
        delay=arguments.delay,
        takes_uploads=arguments.uploads,
        chat=arguments.chat,
        says=_show_address,
    )
    return int(ExitCode.FINE)


def _show_address(address: str) -> None:
    say(f"playing at {address}  (Ctrl-C ends; tables are kept)")
    sys.stdout.flush()
