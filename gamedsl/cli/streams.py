"""The standard streams where they are closed or full: a sentence and an exit code, never a lost message."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TextIO

from gamedsl.source.bounded_read import reason
from gamedsl.source.diagnostic import FileError


def open_closed_streams() -> None:
    """Gives a stream that was closed before the program began something to stand for it. Otherwise the next file opened
    would take its number, and be written to. Input and output then fail when they are used; messages go nowhere."""
    if sys.stdin is None:
        sys.stdin = open(os.open(os.devnull, os.O_WRONLY), encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = _writable(os.open(os.devnull, os.O_RDONLY))
    if sys.stderr is None:
        sys.stderr = _writable(os.open(os.devnull, os.O_WRONLY))


def _writable(handle: int) -> TextIO:
    return open(handle, "w", encoding="utf-8", errors="backslashreplace", closefd=False)


def failure(error: OSError) -> FileError:
    """What failed. Files that a command reads or writes, and the standard input, are looked after where that is done: what
    else has no name is the standard output."""
    name = "the standard output" if error.filename is None else f"`{error.filename}`"
    return FileError(f"{name} can't be written: {reason(error)}", code="E0009")


def ask(prompt: str) -> str | None:
    """A line that somebody types; None at the end of the input."""
    sys.stdout.write(prompt)
    sys.stdout.flush()
    try:
        line = sys.stdin.readline()
    except OSError as error:
        raise FileError(f"the standard input can't be read: {reason(error)}", code="E0009") from error
    if not sys.stdin.isatty():
        sys.stdout.write("\n")  # (on a terminal the Enter key does that)
    return line.strip() if line else None


def _flushes(stream: TextIO) -> bool:
    try:
        stream.flush()
    except (OSError, ValueError):
        return False
    return True


def abandon(stream: TextIO) -> None:
    """What could not be written is given up, so that Python does not try again, and complain, at its end."""
    with suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
        stream.flush()


def leave_quietly() -> None:
    """At the end of a program: messages that could not be written must not change the exit code."""
    if not _flushes(sys.stderr):
        abandon(sys.stderr)
