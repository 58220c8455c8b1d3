"""Standard input in place of a file, if a command line names it by ``-``.

Only the command line can provide it: elsewhere, for example in a record that a server reads, ``-`` names nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

STANDARD_INPUT = "-"
SHOWN_INPUT = "<standard input>"  # its name in messages

_kept: list[bytes] = []


@contextmanager
def standard_input(data: bytes) -> Iterator[None]:
    """Makes ``-`` name a file with this content, for a block."""
    _kept.append(data)
    try:
        yield
    finally:
        _kept.pop()


def input_named(path: str | Path) -> bytes | None:
    """Returns the content of standard input; None if the path is not ``-`` or no content is provided."""
    return _kept[-1] if _kept and str(path) == STANDARD_INPUT else None
