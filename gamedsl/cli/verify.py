"""``verify``: is the ruleset sound?"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from gamedsl.cli.arguments import Subparsers, add_file, add_json, add_options, command, natural, read_options, seconds
from gamedsl.cli.output import complain, make_folder, say, say_json, show, tell_progress

if TYPE_CHECKING:
    from gamedsl.check.explore import Limits, Progress
    from gamedsl.check.verdict import Verdict
    from gamedsl.check.verdicts import Verification

EPILOG = """A verdict is `proved` (in every position that can be reached), `holds` (in all that were looked at, which are
not all: exit code 4),
`violated` (with a play that shows it: exit code 3), `unknown` (no answer: exit code 4) or a `note`."""
STATES, SECONDS = 1_000_000, 60.0


def add(commands: Subparsers) -> None:
    verify = command(commands, "verify", run_verify)
    verify.epilog = EPILOG
    add_file(verify)
    verify.add_argument(
        "--claim", metavar="TEXT", action="append", default=[], help="one more claim, such as `never F`"
    )
    verify.add_argument("--only", action="store_true", help="only the claims given by --claim")
    verify.add_argument("--no-defaults", action="store_true", help="leave out the claims made of every ruleset")
    verify.add_argument(
        "--from", dest="start", metavar="MOVES", help="begin after moves joined by `;`, a record, or at a saved state"
    )
    verify.add_argument("--states", metavar="N", type=count, default=STATES, help="stop at N distinct states")
    verify.add_argument("--depth", metavar="D", type=natural, help="stop D steps away from the first position")
    verify.add_argument("--time", metavar="S", type=seconds, default=SECONDS, help="stop exploring after S seconds")
    verify.add_argument("--memory", metavar="MB", type=natural, help="stop at so many megabytes of memory")
    verify.add_argument("--drawings", metavar="N", type=natural, default=4, help="try N drawings where one is made")
    verify.add_argument(
        "--plays", metavar="N", type=natural, default=500, help="N random plays where not all can be explored"
    )
    verify.add_argument(
        "--play-time", metavar="S", type=seconds, default=20.0, help="at most S seconds for the random plays"
    )
    verify.add_argument(
        "--symmetry", action="store_true", help="take positions for one that are alike by a symmetry of the rules"
    )
    verify.add_argument(
        "--hashes", action="store_true", help="keep hashes instead of positions: room for more, nothing is proved"
    )
    verify.add_argument(
        "--smt",
        action="store_true",
        help="explore nothing: ask z3 for plays of up to --depth plies, and for proofs by induction (extra `smt`)",
    )
    verify.add_argument("--question", metavar="S", type=seconds, default=5.0, help="S seconds for one question to z3")
    verify.add_argument("--threads", metavar="N", type=natural, default=1, help="share the exploration among N threads")
    verify.add_argument(
        "--checkpoint",
        metavar="FILE",
        help="go on from this file if it is there, and write it now and then and at the end",
    )
    verify.add_argument("--engine", action="store_true", help="explore with the engine, not with compiled rules")
    verify.add_argument("--seed", metavar="S", type=natural, default=0, help="a number that all chance follows from")
    verify.add_argument("--save", metavar="DIR", default=".", help="where plays that show something are saved")
    verify.add_argument("--no-save", action="store_true", help="save no plays")
    verify.add_argument("--boards", action="store_true", help="show every position of such a play, not only the last")
    verify.add_argument("--quiet", "-q", action="store_true", help="only what is not proved; no progress")
    add_json(verify)
    add_options(verify)


def count(text: str) -> int:
    """A number of things: ``20000``, ``20_000``, ``20k``, ``2M``."""
    found = re.fullmatch(r"([0-9]{1,12})([kM]?)", text.replace("_", ""))
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number such as 20000, 20k or 2M")
    return int(found[1]) * {"": 1, "k": 1000, "M": 1_000_000}[found[2]]


def run_verify(arguments: argparse.Namespace) -> int:
    from gamedsl.check.search import Budget
    from gamedsl.check.verdicts import verify
    from gamedsl.cli.engine_commands import starting_state

    found = verify(
        arguments.file,
        read_options(arguments.option),
        claims=arguments.claim,
        own=not arguments.only,
        defaults=not (arguments.only or arguments.no_defaults),
        limits=limits_of(arguments),
        budget=Budget(arguments.plays, arguments.play_time, arguments.seed),
        symmetry=arguments.symmetry,
        hashed=arguments.hashes,
        smt=arguments.smt,
        question=arguments.question,
        threads=max(1, arguments.threads),
        checkpoint=None if arguments.checkpoint is None else Path(arguments.checkpoint),
        native=False if arguments.engine else None,
        watch=None if arguments.quiet or arguments.json else _watch,
        start=None if arguments.start is None else lambda game: starting_state(game, arguments.start),
    )
    saved = {} if arguments.no_save or arguments.start is not None else _save(found, Path(arguments.save))
    if arguments.json:
        data = found.to_json()
        for number, path in saved.items():
            data["verdicts"][number]["record"] = str(path)
        say_json(data)
    else:
        _say(found, saved, quiet=arguments.quiet, boards=arguments.boards)
    unsaved = None if found.graph is None else found.graph.unsaved
    if unsaved is not None:
        show(unsaved.diagnostics)
        return int(unsaved.exit_code)
    return int(found.exit_code)


def limits_of(arguments: argparse.Namespace) -> Limits:
    from gamedsl.check.explore import Limits

    memory = None if arguments.memory is None else arguments.memory * 1_000_000
    return Limits(arguments.states, arguments.depth, arguments.time, memory, arguments.drawings, arguments.seed)


def _watch(p: Progress) -> None:
    tell_progress(f"{p.states:,} states, {p.rate:,.0f} a second, {p.frontier:,} open, depth {p.depth} ")


# ---------------------------------------------------------------------------------------------------------- plays


def _save(found: Verification, folder: Path) -> dict[int, Path]:
    """The plays of violated claims as records: by the number of the verdict, its file."""
    from gamedsl.check.verdict import Status
    from gamedsl.engine.records import write_atomically

    saved: dict[int, Path] = {}
    for number, v in enumerate(found.verdicts):
        if v.evidence is None or v.status != Status.VIOLATED:
            continue
        make_folder(folder)
        path = folder / f"{found.game.program.name}-{len(saved) + 1}.record"
        write_atomically(path, v.evidence.record(found.game, found.file).text())
        saved[number] = path
    return saved


# ----------------------------------------------------------------------------------------------------------- text


def _say(found: Verification, saved: dict[int, Path], *, quiet: bool, boards: bool) -> None:
    from gamedsl.check.claims_hashed import extent
    from gamedsl.check.verdict import Status
    from gamedsl.check.verdict_text import explored, summary, verdict_line

    if sys.stderr.isatty():
        complain("\r\x1b[K")
    if not quiet:
        options = ", ".join(f"{k} = {v}" for k, v in found.game.options.items())
        say(found.game.title + (f" ({options})" if options else ""))
        for line in [*([] if found.graph is None else explored(found.graph)), *found.notes]:
            say(line)
        if found.sampled is not None:
            say(f"then {found.sampled.extent}")
        if found.hashed is not None:
            say(extent(found.hashed))
        say()
    for number, v in enumerate(found.verdicts):
        if not quiet or v.status not in (Status.PROVED, Status.NOTED):
            say(verdict_line(v))
            _say_play(v, saved.get(number), boards)
    say(f"{found.file}: {summary(found.verdicts)}")


def _say_play(v: Verdict, path: Path | None, boards: bool) -> None:
    from gamedsl.check.verdict import Status
    from gamedsl.check.verdict_text import play_lines
    from gamedsl.cli.replay import show_position

    if v.evidence is None:
        return
    for line in play_lines(v.evidence):
        say(f"          {line}")
    if v.status == Status.VIOLATED:
        states = list(v.evidence.states())
        for state in states if boards else states[-1:]:
            show_position(state)
    if path is not None:
        say(f"          saved: gamedsl replay {path}")
