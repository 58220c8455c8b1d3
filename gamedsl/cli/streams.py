"""Handles standard streams that are closed or full: a message and an exit code, never lost output."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import TextIO

from gamedsl.language.source import FileError, reason


def open_closed_streams() -> None:
    """Replaces standard streams that were closed before the program started. Otherwise the next file opened would get
    their descriptor and be overwritten. Input and output then fail on use; messages are dropped."""
    if sys.stdin is None:
        sys.stdin = open(os.open(os.devnull, os.O_WRONLY), encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = _writable(os.open(os.devnull, os.O_RDONLY))
    if sys.stderr is None:
        sys.stderr = _writable(os.open(os.devnull, os.O_WRONLY))


def _writable(handle: int) -> TextIO:
    return open(handle, "w", encoding="utf-8", errors="backslashreplace", closefd=False)


def failure(error: OSError) -> FileError:
    """The error for a failed stream. Errors of files and of standard input are handled where they occur, so an error
    without a file name concerns standard output."""
    name = "the standard output" if error.filename is None else f"`{error.filename}`"
    return FileError(f"{name} cannot be written: {reason(error)}", code="E0009")


def ask(prompt: str) -> str | None:
    """Reads a line after a prompt. Returns None at the end of the input."""
    sys.stdout.write(prompt)
    sys.stdout.flush()
    try:
        line = sys.stdin.readline()
    except OSError as error:
        raise FileError(f"the standard input cannot be read: {reason(error)}", code="E0009") from error
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
    """Discards output that could not be written, so that Python does not retry and complain at exit."""
    with suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
        stream.flush()


def leave_quietly() -> None:
    """Flushes standard error at exit, without letting failures change the exit code."""
    if not _flushes(sys.stderr):
        abandon(sys.stderr)
