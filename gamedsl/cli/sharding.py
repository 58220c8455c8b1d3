"""Options of commands whose work is divided into shards: who works, and where the answers are kept."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gamedsl.cli.arguments import add_checkpoint, add_jobs
from gamedsl.language.source import UsageError

if TYPE_CHECKING:
    from gamedsl.lab.shards import ShardRunner

ADDRESS = re.compile(r"|auto|local|(ray://)?[\w.\-\[\]:]+:[0-9]{1,5}")


def add_sharding(parser: argparse.ArgumentParser, jobs: int | None = 1, help: str = "") -> None:
    """Adds ``-j``, ``--ray`` and ``--checkpoint``."""
    add_jobs(parser, jobs, help or "the number of processes; results do not depend on it")
    add_ray(parser)
    add_checkpoint(parser, "continue with the answers in this file, and add those of this run to it (default: none)")


def add_ray(parser: argparse.ArgumentParser, more: str = "") -> None:
    """Adds ``--ray``. ``more``: what else it does."""
    parser.add_argument(
        "--ray",
        metavar="ADDRESS",
        nargs="?",
        const="",
        type=_address,
        help="let the Ray cluster at this address do the work, as in --ray=head:6379; without an address, a new one on this "
        f"machine; needs the extra `ray`{more} (default: processes of this machine)",
    )


@contextmanager
def shard_runner(
    arguments: argparse.Namespace, jobs: int | None = None, file: str | None = "checkpoint"
) -> Iterator[ShardRunner]:
    """Yields the runner that the options ask for, and ends its processes. ``jobs``: instead of ``-j``; ``file``: the option
    that names the file of answers, if any."""
    from gamedsl.lab.shards import LocalProcesses, RayCluster, ShardRunner, ShardStore

    store = ShardStore(None if file is None else getattr(arguments, file))
    jobs = jobs or arguments.jobs
    if arguments.ray is not None:
        runner = ShardRunner(RayCluster(arguments.ray, jobs), store)
    else:
        runner = ShardRunner(LocalProcesses(jobs) if jobs > 1 else None, store)
    try:
        yield runner
    finally:
        runner.close()


def _address(text: str) -> str:
    if not ADDRESS.fullmatch(text):
        raise UsageError(
            f"`--ray {text}` does not name a cluster",
            help="Write `--ray=HOST:PORT`, or put GAME before `--ray`.",
            code="E0004",
        )
    return text
