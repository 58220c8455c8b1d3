"""Options of explorations whose states are owned by hash, and divided among processes or machines."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gamedsl.cli.sharding import shard_runner

if TYPE_CHECKING:
    from gamedsl.lab.shards import ShardRunner


def add_owned(parser: argparse.ArgumentParser) -> None:
    """Adds ``--owned``."""
    parser.add_argument(
        "--owned",
        action="store_true",
        help="divide large explorations among -j processes, each of which owns states by their hash; --checkpoint is "
        "then a file of answers; implied by --ray",
    )


def is_owned(arguments: argparse.Namespace) -> bool:
    """Whether the options ask for owned states."""
    return arguments.owned or arguments.ray is not None


@contextmanager
def owners(arguments: argparse.Namespace, runner: ShardRunner | None = None) -> Iterator[ShardRunner | None]:
    """Yields who owns states, if the options ask for it. ``runner``: who works already."""
    if not is_owned(arguments):
        yield None
    elif runner is not None:
        yield runner
    else:
        with shard_runner(arguments, file=None) as found:
            yield found
