"""A command of gamedsl, or a line of moves, in a process of its own with bounds.

``python -m gamedsl.mcp_server.bounded_process SECONDS command WORD ...`` runs a command; ``SECONDS line`` reads a request as JSON
from standard input and answers it as JSON; see ``move_line.py``.
"""

from __future__ import annotations

import asyncio
import runpy
import sys
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from gamedsl.language.source import child_environment, kill_session, limit_process, module_command

MEMORY = 4 << 30  # addresses, not memory in use
MOST_FILE = 64 << 20
NICENESS = 5
MOST_OUTPUT = 200_000  # bytes
START = 20.0  # seconds for the start of a process on a busy machine, and for the compiler
_MODULE = "gamedsl.mcp_server.bounded_process"


class Ended(NamedTuple):
    """What came of a process. ``code`` None: it was ended because its time was over."""

    code: int | None
    out: str
    messages: str
    is_cut: bool


async def run_bounded(words: list[str], seconds: float, given: str = "", folder: Path | None = None) -> Ended:
    """Runs a process, and ends it with all that it started when its time is over or the request is withdrawn."""
    process = await asyncio.create_subprocess_exec(
        *module_command(_MODULE), str(seconds), *words,
        env={**child_environment(), "NO_COLOR": "1", "PYTHONIOENCODING": "utf-8", "COLUMNS": "120"},
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        cwd=folder, start_new_session=True,
    )  # fmt: skip
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    try:
        async with asyncio.timeout(seconds + START):
            with suppress(BrokenPipeError, ConnectionResetError):
                process.stdin.write(given.encode())
                await process.stdin.drain()
            process.stdin.close()
            out, messages = await asyncio.gather(_read(process.stdout), _read(process.stderr))
            code = await process.wait()
    except TimeoutError:
        return Ended(None, "", f"no answer within {seconds:.0f} seconds", False)
    finally:
        with suppress(ProcessLookupError):
            kill_session(process)
        await process.wait()
    is_cut = len(out) > MOST_OUTPUT
    return Ended(code, _text(out), _text(messages), is_cut)


async def _read(stream: asyncio.StreamReader) -> bytes:
    """All of a stream, of which only the beginning is kept."""
    kept = b""
    while part := await stream.read(65536):
        if len(kept) <= MOST_OUTPUT:
            kept += part
    return kept


def _text(data: bytes) -> str:
    return data[:MOST_OUTPUT].decode("utf-8", "replace")


def main() -> int:
    # On Windows the time alone counts.
    limit_process(MEMORY, MOST_FILE, int(float(sys.argv[1]) + START) * 2, NICENESS)
    if sys.argv[2] == "line":
        from gamedsl.mcp_server.move_line import answer_request  # start-up: commands do without it

        return answer_request()
    sys.argv = ["gamedsl", *sys.argv[3:]]
    runpy.run_module("gamedsl.cli.main", run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main())
