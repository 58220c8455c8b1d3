"""Standard input in place of a file, where a command line names it by ``-``.

Only the command line can put something here: elsewhere, for example in a record that a server reads, ``-`` names nothing.
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
    """Within it, ``-`` names a file with this content."""
    _kept.append(data)
    try:
        yield
    finally:
        _kept.pop()


def input_named(path: str | Path) -> bytes | None:
    """What standard input holds, if the path stands for it and there is something."""
    return _kept[-1] if _kept and str(path) == STANDARD_INPUT else None
