"""``-`` on a command line: standard input in place of a file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from gamedsl.language.source import STANDARD_INPUT, FileError, UsageError, reason, standard_input

MOST_BYTES = 20_000_000
NEVER = {
    "play": "`gamedsl play` reads moves from standard input, so it cannot read a file there",
    "watch": "`gamedsl watch` reads its file again after every save, so it cannot read standard input",
    "serve": "`gamedsl serve` reads its games several times, so it cannot read standard input",
    "site": "`gamedsl site` reads its games several times, so it cannot read standard input",
    "test": "`gamedsl test` looks for examples beside the ruleset, so it cannot read standard input",
}


@contextmanager
def piped_input(arguments: argparse.Namespace) -> Iterator[None]:
    """A context in which an argument ``-`` names standard input, which is read at the start."""
    values = [value for given in vars(arguments).values() for value in (given if isinstance(given, list) else [given])]
    times = sum(str(value) == STANDARD_INPUT for value in values)
    if not times:
        yield
        return
    if arguments.command in NEVER:
        raise UsageError(NEVER[arguments.command], code="E0004", help="Name a file.")
    if times > 1:
        raise UsageError("`-` is given more than once, but there is only one standard input", code="E0004")
    with standard_input(_read()):
        yield


def _read() -> bytes:
    try:
        data = sys.stdin.buffer.read(MOST_BYTES + 1)
    except (OSError, AttributeError) as problem:
        found = reason(problem) if isinstance(problem, OSError) else "it is closed"
        raise FileError(f"the standard input cannot be read: {found}", code="E0009") from problem
    if len(data) > MOST_BYTES:
        raise FileError(f"the standard input is too large (more than {MOST_BYTES} bytes)", code="E0009")
    return data
