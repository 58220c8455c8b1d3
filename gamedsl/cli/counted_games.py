"""Options of games that are counted and not timed, beside an exploration that has a file of its own."""

from __future__ import annotations

import argparse
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from gamedsl.cli.arguments import add_checkpoint
from gamedsl.cli.sharding import add_ray, shard_runner

if TYPE_CHECKING:
    from gamedsl.lab.shards import ShardRunner


def add_counted_games(parser: argparse.ArgumentParser) -> None:
    """Adds ``--counted``, ``--ray`` and ``--games-checkpoint``."""
    parser.add_argument(
        "--counted",
        action="store_true",
        help="play --games in steps of 25 (fewer if they are long), whatever time it takes: they show the same on every machine",
    )
    add_ray(parser, "; implies --counted")
    add_checkpoint(
        parser,
        "continue with the counted games in this file, and add those of this run to it; implies --counted "
        "(default: none)",
        "--games-checkpoint",
    )


def counted_games_runner(arguments: argparse.Namespace) -> AbstractContextManager[ShardRunner | None]:
    """Returns who makes the counted games; None if their time counts."""
    if arguments.counted or arguments.ray is not None or arguments.games_checkpoint is not None:
        return shard_runner(arguments, file="games_checkpoint")
    return nullcontext()
