"""The process of one upload: a server of its own on a Unix socket, with bounds on memory, time and files.

``python -m gamedsl.play.web.server.uploads.child FOLDER NAME SOCKET DELAY SERVER RUN CHAT``. It prints one line of JSON:
``{"title": ..., "about": ...}`` once it listens, or ``{"faults": ...}`` before it ends with code 1. When nobody has
played for a while it ends, and prints ``{"wakes": ...}``: the instant at which a clock runs out at one of its tables
(null: never).
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
from pathlib import Path
from typing import cast

import uvicorn

from gamedsl.language.source import GameDSLError, limit_process, render_all
from gamedsl.play.web.server.app import configured, make_app
from gamedsl.play.web.server.catalogue import Catalogue
from gamedsl.play.web.server.connection_guard import ConnectionGuard, files_for_connections
from gamedsl.play.web.server.conversation import Chat
from gamedsl.play.web.server.lifeline import end_with
from gamedsl.play.web.server.limits import IDLE_SECONDS, MEMORY, MOST_FILE, PROCESSOR, Limits
from gamedsl.play.web.server.logs import log_to_stderr
from gamedsl.play.web.server.server_time import Run
from gamedsl.play.web.server.table_registry import TableRegistry
from gamedsl.play.web.server.uploads.upload_names import prefix_of

NICENESS = 10
_OPEN = Limits(
    sockets=100_000, all_sockets=100_000, connections=100_000, tables_a_minute=100_000, questions_a_minute=100_000
)  # the server in front counts


def main() -> int:
    """Runs the upload until nobody plays it any more."""
    folder, name, path, delay, server, run, chat = sys.argv[1:]
    end_with(int(server))
    limit_process(MEMORY, MOST_FILE, PROCESSOR, NICENESS)
    os.chdir(Path(folder) / "rules")
    try:
        catalogue = Catalogue.of([f"{name}.gdl"])
        card = catalogue.load(name).card
        state = catalogue.load(name).game.initial_state()
        _ = state.kind != "drawing" and state.count_moves()
    except GameDSLError as error:
        return _refuse(render_all(error.diagnostics))
    except (MemoryError, RecursionError):
        return _refuse("these rules need too much memory")
    log_to_stderr()
    tables, prefix = Path(folder) / "tables", prefix_of(name)
    hall = TableRegistry(tables, catalogue, _OPEN, float(delay), prefix, Run.of_text(run), cast(Chat, chat))
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(1024)
    listener.setblocking(False)
    _say({"title": card["game"]["title"], "about": ""})
    asyncio.run(_serve(hall, listener))
    _say({"wakes": min(hall.sleeping.values(), default=None)})
    return 0


async def _serve(hall: TableRegistry, listener: socket.socket) -> None:
    server = uvicorn.Server(
        configured(make_app(hall), ConnectionGuard(_OPEN, files_for_connections(uses_two=False)), trusted="*")
    )
    idle = asyncio.ensure_future(_end_when_idle(hall, server))
    await server.serve([listener])
    idle.cancel()


async def _end_when_idle(hall: TableRegistry, server: uvicorn.Server) -> None:
    """Ends the server when no table has been in memory for a while."""
    since = 0.0
    while since < IDLE_SECONDS:
        await asyncio.sleep(1.0)
        since = since + 1.0 if hall.is_empty else 0.0
    server.should_exit = True


def _refuse(faults: str) -> int:
    _say({"faults": faults})
    return 1


def _say(data: object) -> None:
    print(json.dumps(data), flush=True)


if __name__ == "__main__":
    sys.exit(main())
