"""Hides input typed while the program works, as it may be secret."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

try:
    import termios
except ImportError:  # a system without such terminals
    termios = None  # type: ignore[assignment]

_MODES = 3  # the index of the local modes in ``tcgetattr``


@contextmanager
def echo(stream: TextIO, is_on: bool) -> Iterator[None]:
    """Turns the echo of the terminal on or off for a while. Does nothing if the stream is not a terminal."""
    if termios is None or not stream.isatty():
        yield
        return
    terminal = stream.fileno()
    before = termios.tcgetattr(terminal)
    modes = before[_MODES]
    changed = list(before)
    changed[_MODES] = modes | termios.ECHO if is_on else modes & ~termios.ECHO
    termios.tcsetattr(terminal, termios.TCSADRAIN, changed)
    try:
        yield
    finally:
        with suppress(termios.error):  # the terminal is gone
            termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def discard_input() -> None:
    """Discards input typed before a question was asked."""
    if termios is not None and sys.stdin.isatty():
        with suppress(termios.error):
            termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)
