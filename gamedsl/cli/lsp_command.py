"""``lsp``: the language server for editors."""

from __future__ import annotations

import argparse
import os
import socket

from gamedsl.cli.arguments import Subparsers, command
from gamedsl.language.source import UsageError, missing_library


def add(commands: Subparsers) -> None:
    parser = command(commands, "lsp", run_lsp)
    way = parser.add_mutually_exclusive_group()
    way.add_argument(
        "--stdio", action="store_true", help="talk over standard input and output (default: unless a port is given)"
    )
    way.add_argument("--tcp", metavar="[HOST:]PORT", help="wait for an editor at this port (default: none)")
    way.add_argument(
        "--ws", metavar="[HOST:]PORT", help="wait for an editor over WebSocket at this port (default: none)"
    )


def run_lsp(arguments: argparse.Namespace) -> int:
    try:
        from gamedsl.editor import make_server
    except ImportError as error:
        raise (missing_library(error) or error) from None
    server = make_server()
    server.collection.begin()
    way = "ws" if arguments.ws else "tcp"
    place = arguments.ws or arguments.tcp
    if not place:
        server.start_io()
        return 0
    address = _address(place, way)
    try:
        (server.start_ws if arguments.ws else server.start_tcp)(*address)
    except OSError as error:
        why = str(error.strerror) if isinstance(error, socket.gaierror) else os.strerror(error.errno or 0)
        text = f"no editor can be waited for at `{place}`: {why.lower()}"
        raise UsageError(text, code="E0004", help="Name another port, and an address of this machine.") from None
    return 0


def _address(text: str, way: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not port.isdecimal() or not 0 < int(port) < 65536:
        help = f"Write `--{way} 2087` or `--{way} 127.0.0.1:2087`."
        raise UsageError(f"`{text}` is not a port", code="E0004", help=help)
    return host or "127.0.0.1", int(port)
