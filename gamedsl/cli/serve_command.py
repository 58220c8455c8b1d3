"""``serve``: a server for people far apart."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from platformdirs import user_data_path

from gamedsl.cli.arguments import Subparsers, command, seconds, whole
from gamedsl.cli.output import say
from gamedsl.language.source import ExitCode

PORT = 8000


def add(commands: Subparsers) -> None:
    serve = command(commands, "serve", run_serve)
    serve.add_argument("games", metavar="GAME|FOLDER", nargs="*", help="what can be played (all shipped games)")
    serve.add_argument("--host", default="127.0.0.1", help="the address to listen on (127.0.0.1; 0.0.0.0: all)")
    serve.add_argument(
        "--host-name",
        metavar="NAME",
        action="append",
        default=[],
        help="a name by which browsers reach this server, such as play.example.org (localhost; may be repeated)",
    )
    serve.add_argument("--port", type=whole(0, 65535), default=PORT, help=f"the port ({PORT}; 0: any free one)")
    serve.add_argument("--data", metavar="FOLDER", type=Path, help="where tables are kept (the user's data folder)")
    serve.add_argument(
        "--delay",
        metavar="S",
        type=seconds,
        default=60.0,
        help="seconds by which spectators see secret games later (60)",
    )
    serve.add_argument("--uploads", action="store_true", help="people may bring rulesets of their own")
    serve.add_argument(
        "--sockets", metavar="N", type=whole(1, 100_000), default=64, help="connections per address at a time (64)"
    )
    serve.add_argument(
        "--tables", metavar="N", type=whole(1, 100_000), default=20, help="new tables per address and minute (20)"
    )


def run_serve(arguments: argparse.Namespace) -> int:
    from gamedsl.play.web import Address, Limits, serve

    folder = arguments.data or user_data_path("gamedsl") / "tables"
    limits = Limits(sockets=arguments.sockets, tables_a_minute=arguments.tables)
    serve(
        arguments.games,
        Address(arguments.host, arguments.port, arguments.host_name),
        folder,
        limits=limits,
        delay=arguments.delay,
        takes_uploads=arguments.uploads,
        says=_show_address,
    )
    return int(ExitCode.FINE)


def _show_address(address: str) -> None:
    say(f"playing at {address}  (Ctrl-C ends; tables are kept)")
    sys.stdout.flush()
