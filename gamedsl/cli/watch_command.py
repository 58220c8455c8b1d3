"""``watch``: on every save, reports the mistakes in a ruleset, how it plays, and the changes."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gamedsl.cli.arguments import (
    FINDINGS,
    Subparsers,
    add_file,
    add_format,
    add_games,
    add_options,
    add_time,
    command,
    read_options,
)
from gamedsl.cli.findings import Finding, from_diagnostics, from_example, from_verdict, say_findings
from gamedsl.cli.output import say, wants_colour
from gamedsl.language.source import ExitCode, UsageError, render_all
from gamedsl.play.terminal import position_lines

if TYPE_CHECKING:
    from pathlib import Path

    from gamedsl.lab.statistics import Estimate
    from gamedsl.lab.watch import Snapshot

LOOK_SECONDS = 0.3  # seconds between two checks whether a file was saved
MOST_LISTED = 8


def add(commands: Subparsers) -> None:
    watch = command(commands, "watch", run_watch)
    add_file(watch)
    add_options(watch)
    add_games(watch, 10_000, "the number of random games")
    add_time(watch, 3.0, "the time limit in seconds, for the claims and for the games each")
    add_format(watch, *FINDINGS)
    watch.add_argument("--once", action="store_true", help="look once and end; the exit code reports the result")


def run_watch(arguments: argparse.Namespace) -> int:
    from gamedsl.lab.watch import changes, files_of, take_snapshot

    options = read_options(arguments.settings)
    file: str = arguments.file
    if arguments.format in FINDINGS and not arguments.once:
        raise UsageError(f"`--format {arguments.format}` is for a single look", help="Add `--once`.")
    known: Snapshot | None = None  # the last playable one
    while True:
        seen = None if arguments.once else _saved(files_of(file))
        now = take_snapshot(file, options, plays=arguments.games, seconds=arguments.time)
        _print(arguments, now, [] if known is None else changes(known, now))
        sys.stdout.flush()
        if arguments.once:
            return int(_code(now))
        known = now if now.is_playable or known is None else known
        while _saved(files_of(file)) == seen:
            time.sleep(LOOK_SECONDS)


def _print(arguments: argparse.Namespace, now: Snapshot, changed: list[str]) -> None:
    """Prints a look: as text for people, as one line of JSON, or as findings."""
    file: str = arguments.file
    if arguments.format == "json":
        say(json.dumps({"file": file, **now.to_json(), "changes": changed}, ensure_ascii=False))
    elif arguments.format in FINDINGS:
        say_findings(arguments.format, _findings(file, now))
    else:
        if wants_colour(sys.stdout) and not arguments.once:
            say("\x1b[2J\x1b[H")
        for line in _screen(file, now, changed):
            say(line)


def _findings(file: str, now: Snapshot) -> list[Finding]:
    """Mistakes, failing examples, violated claims, and claims of the ruleset that are not decided."""
    from gamedsl.lab.base import Status
    from gamedsl.language.rules import find_ruleset

    open_ones = [
        v for v in now.verdicts if v.status is Status.VIOLATED or (v.status is Status.UNKNOWN and not v.default)
    ]
    failing = [from_example(e) for e in now.examples or () if not e.passed]
    judged = [from_verdict(v, str(find_ruleset(file))) for v in open_ones]
    return [*from_diagnostics(now.findings, file), *failing, *judged]


def _saved(files: list[Path]) -> dict[Path, tuple[int, int]]:
    """The time of the last write and the size of each file."""
    found = {}
    for path in files:
        try:
            stat = path.stat()
        except OSError:  # an editor is just replacing it
            continue
        found[path] = stat.st_mtime_ns, stat.st_size
    return found


def _code(now: Snapshot) -> ExitCode:
    if not now.is_playable:
        return ExitCode.INVALID
    return ExitCode.FAILED if now.failed else ExitCode.FINE


def _screen(file: str, now: Snapshot, changed: list[str]) -> Iterator[str]:
    yield f"{file}  {time.strftime('%H:%M:%S')}"
    if now.findings:
        yield render_all(now.findings, wants_colour(sys.stdout))
    if now.game is None:
        return
    yield from position_lines(now.game.initial_state())
    yield ""
    yield from _judged(now)
    yield from _played(now)
    if changed:
        yield "since the last save:"
        yield from (f"  {text}" for text in changed)


def _judged(now: Snapshot) -> Iterator[str]:
    if now.examples is None:
        yield "examples: none yet"
    else:
        failing = [e for e in now.examples if not e.passed]
        yield f"examples: {len(now.examples) - len(failing)} of {len(now.examples)} pass"
        yield from (f"  FAILS: {e.name}: {e.problems[0]}" for e in failing[:MOST_LISTED])
    own = [v for v in now.verdicts if not v.default]
    yield from (f"claim {v.claim}: {v.status}" for v in own)
    yield from (
        f"{v.claim}: {v.status}, {v.detail}" for v in now.verdicts if v.default and v.status.value == "violated"
    )
    if now.unused:
        shown = ", ".join(str(x.number) for x in now.unused[:MOST_LISTED])
        more = f" and {len(now.unused) - MOST_LISTED} more" if len(now.unused) > MOST_LISTED else ""
        yield f"lines that no game used: {shown}{more}"


def _played(now: Snapshot) -> Iterator[str]:
    assert now.summary is not None
    seats = ", ".join(f"{s.player} {_share(s.win_share)}" for s in now.summary.seats)
    drawn = now.summary.seats[0].draw_share
    yield f"{now.summary.plays:,} random games: {seats} win" + (
        f", {_share(drawn)} drawn" if drawn and drawn.value else ""
    )
    if now.summary.lengths is not None:
        lengths = now.summary.lengths
        yield f"length: {lengths.mean.value:.1f} {lengths.unit} ({lengths.shortest} to {lengths.longest})"
    if now.summary.branching is not None:
        yield f"choices: {now.summary.branching.mean:.1f} (at most {now.summary.branching.largest})"
    if now.summary.unfinished:
        yield f"games without an end: {now.summary.unfinished:,}"


def _share(share: Estimate | None) -> str:
    if share is None:
        return "-"
    spread = "" if share.low is None or share.high is None else f" ± {50 * (share.high - share.low):.1f}"
    return f"{100 * share.value:.1f}{spread} %"
