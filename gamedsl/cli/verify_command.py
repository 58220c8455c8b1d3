"""``verify``: checks that a ruleset is sound."""

from __future__ import annotations

import argparse
import threading
from collections.abc import Callable, Iterator
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from gamedsl.cli.arguments import (
    FINDINGS,
    Subparsers,
    add_backend,
    add_checkpoint,
    add_file,
    add_format,
    add_games,
    add_jobs,
    add_limit,
    add_options,
    add_seed,
    add_time,
    command,
    natural,
    read_options,
)
from gamedsl.cli.counted_games import add_counted_games, counted_games_runner
from gamedsl.cli.findings import OF_CLAIMS, Finding, from_verdict, say_findings
from gamedsl.cli.interruption import interruptible
from gamedsl.cli.output import complain, make_folder, say_json, show
from gamedsl.cli.owned_states import add_owned, owners
from gamedsl.cli.progress import Progress
from gamedsl.cli.starting_position import add_start, starting_state
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine import Game, State
    from gamedsl.lab.base import Verdict
    from gamedsl.lab.claims import HiddenAnnouncement, Verification
    from gamedsl.lab.explore import Limits
    from gamedsl.lab.explore import Progress as ExploreProgress
    from gamedsl.lab.shards import ShardRunner

EPILOG = """A verdict is `proved` (in every reachable position), `holds` (in all positions that were examined, but not all
were: exit code 4),
`violated` (with a game that shows it: exit code 3), `unknown` (no answer: exit code 4) or a `note`."""
STATES, SECONDS = 1_000_000, 60.0
WHO_OUGHT_TO_WIN = "Only examples can state who should win and which moves should be legal: see `gamedsl test`."


def add(commands: Subparsers) -> None:
    verify = command(commands, "verify", run_verify)
    verify.epilog = EPILOG
    add_file(verify)
    verify.add_argument(
        "--claim", metavar="CLAIM", action="append", default=[],
        help="an additional claim, such as `never F`; may be repeated (default: none)",
    )  # fmt: skip
    verify.add_argument("--only", action="store_true", help="check only the claims given by --claim")
    verify.add_argument("--no-defaults", action="store_true", help="skip the claims made of every ruleset")
    add_start(verify)
    add_limit(verify, STATES, "stop after this many distinct positions")
    verify.add_argument(
        "--depth", metavar="N", type=natural, help="stop this many steps from the first position (default: no limit)"
    )
    add_time(verify, SECONDS, "stop exploring after this many seconds")
    verify.add_argument(
        "--memory", metavar="MB", type=natural, help="stop at this many megabytes of memory (default: no limit)"
    )
    verify.add_argument(
        "--drawings", metavar="N", type=natural, default=4, help="try this many drawings wherever one is made"
    )
    add_games(verify, 500, "the number of random games if not everything can be explored")
    add_time(verify, 20.0, "stop the random games after this many seconds", "--games-time")
    add_counted_games(verify)
    verify.add_argument(
        "--symmetry", action="store_true", help="treat positions that are equal under a symmetry of the rules as one"
    )
    verify.add_argument(
        "--hashes",
        action="store_true",
        help="store hashes instead of positions: more fit in memory, but nothing is proved",
    )
    verify.add_argument(
        "--smt",
        action="store_true",
        help="instead of exploring, ask z3 for games of up to --depth plies, and for proofs by induction (needs the extra `smt`)",
    )
    add_time(verify, 5.0, "smt: stop one question to z3 after this many seconds", "--question-time")
    add_owned(verify)
    add_jobs(
        verify,
        1,
        "the number of threads (with --owned: processes) that explore, and of processes that make counted games",
    )
    add_checkpoint(
        verify, "resume from this file if it exists; write it from time to time, and at the end (default: none)"
    )
    add_backend(verify)
    add_seed(verify)
    verify.add_argument(
        "--save", metavar="FOLDER", default=".", help="save the games that violate a claim in this folder, as records"
    )
    verify.add_argument("--no-save", action="store_true", help="do not save any games")
    verify.add_argument("--boards", action="store_true", help="show every position of such a game, not only the last")
    add_format(verify, *FINDINGS)
    add_options(verify)


def run_verify(arguments: argparse.Namespace) -> int:
    with Progress(quiet=arguments.quiet) as progress, interruptible() as interruption:
        interruption.begun.set()
        try:
            with counted_games_runner(arguments) as runner, owners(arguments, runner) as explorers:
                found = _Run(arguments, progress, interruption.stop, runner, explorers).run()
        except KeyboardInterrupt:
            complain("interrupted")
            return interruption.code
    if interruption.code:
        complain("interrupted: claims not judged yet are omitted or unknown")
        return interruption.code
    unsaved = None if found.graph is None else found.graph.unsaved
    if unsaved is not None:
        show(unsaved.diagnostics)
        return int(unsaved.exit_code)
    return int(found.exit_code)


def _beginning(a: argparse.Namespace) -> Callable[[Game], State] | None:
    """The function that finds the starting position, or None for the first position."""
    if a.start is None and a.position is None:
        return None
    return lambda game: starting_state(game, a.start, a.position)


def limits_of(arguments: argparse.Namespace) -> Limits:
    from gamedsl.lab.explore import Limits

    memory = None if arguments.memory is None else arguments.memory * 1_000_000
    return Limits(arguments.limit, arguments.depth, arguments.time, memory, arguments.drawings, arguments.seed)


@lazy_dataclass()
class _Run:
    """One run of the command. Verdicts are shown, and their games saved, as they arrive."""

    arguments: argparse.Namespace
    progress: Progress
    stop: threading.Event
    runner: ShardRunner | None = None
    owners: ShardRunner | None = None
    saved: dict[int, Path] = field(default_factory=dict)  # by the identity of the verdict
    is_titled: bool = False

    def run(self) -> Verification:
        from gamedsl.lab.base import Clock
        from gamedsl.lab.claims import VerifyConfig, verify
        from gamedsl.lab.explore import Execution
        from gamedsl.lab.search import Budget

        a = self.arguments
        self.progress.doing("reading the rules")
        found = verify(
            a.file,
            read_options(a.settings),
            VerifyConfig(
                claims=a.claim,
                own=not a.only,
                defaults=not (a.only or a.no_defaults),
                limits=limits_of(a),
                budget=Budget(a.games, a.games_time, a.seed),
                symmetry=a.symmetry,
                hashed=a.hashes,
                smt=a.smt,
                question=a.question_time,
                execution=Execution(False if a.backend == "interpreter" else None, a.jobs, a.checkpoint, self.owners),
                start=_beginning(a),
                runner=self.runner,
            ),
            watch=self._watch,
            clock=Clock(stopped=self.stop, say=self.progress.doing),
            on_explored=self._show_reached,
            on_verdict=self._tell,
        )
        hidden = [] if a.only or a.no_defaults or found.graph is None else self._announced(found)
        if a.format == "json":
            data = found.to_json() | ({"announced_as_hidden": [one.to_json() for one in hidden]} if hidden else {})
            for verdict, told in zip(found.verdicts, data["verdicts"], strict=True):
                if id(verdict) in self.saved:
                    told["record"] = str(self.saved[id(verdict)])
            say_json(data)
        elif a.format != "text":
            say_findings(a.format, [*self._findings(found), *(_of_hidden(one) for one in hidden)])
        else:
            self._end(found, [one.line for one in hidden])
        return found

    def _announced(self, found: Verification) -> list[HiddenAnnouncement]:
        from gamedsl.lab.base import Clock
        from gamedsl.lab.claims import hidden_announcements

        return hidden_announcements(found.game.initial_state(), Clock(stopped=self.stop), self.arguments.seed)

    def _watch(self, p: ExploreProgress) -> None:
        if p.expanded:
            told = f"{p.states:,} states, {p.rate:,.0f} a second, {p.frontier:,} open, depth {p.depth}"
            self.progress.doing(told, goes_on=True)

    # ------------------------------------------------------------------------------------------------------- text

    def _show_reached(self, found: Verification) -> None:
        """Prints how far the search went, before the verdicts."""
        from gamedsl.lab.claims import explored, extent

        if self.arguments.format != "text" or self.arguments.quiet:
            return
        options = ", ".join(f"{k} = {v}" for k, v in found.game.options.items())
        lines = [] if self.is_titled else [found.game.title + (f" ({options})" if options else "")]
        self.is_titled = True
        lines += [*([] if found.graph is None else explored(found.graph)), *found.notes]
        if found.hashed is not None:
            lines.append(extent(found.hashed))
        self.progress.say(*lines, "")

    def _tell(self, game: Game, v: Verdict) -> None:
        from gamedsl.lab.base import Status
        from gamedsl.lab.claims import verdict_line

        path = self._save(game, v)
        if self.arguments.format != "text" or (self.arguments.quiet and v.status in (Status.PROVED, Status.NOTED)):
            return
        self.progress.say(verdict_line(v), *_play(v, path, self.arguments.boards))

    def _end(self, found: Verification, hidden: list[str]) -> None:
        from gamedsl.lab.claims import summary

        if found.sampled is not None and not self.arguments.quiet:
            self.progress.say(f"sampled: {found.sampled.extent}")
        if hidden and not self.arguments.quiet:
            self.progress.say(*hidden)
        condition = f", {found.condition}" if found.condition else ""
        lines = [f"{found.file}: {summary(found.verdicts)}{condition}"]
        if not self.arguments.quiet:
            lines.append(WHO_OUGHT_TO_WIN)
        self.progress.say(*lines)

    # -------------------------------------------------------------------------------------------------- findings

    def _findings(self, found: Verification) -> Iterator[Finding]:
        """The findings for claims that are not proved, with the game that shows the failure."""
        from gamedsl.language.rules import find_ruleset

        path = str(find_ruleset(found.file))
        for v in found.verdicts:
            if v.status in OF_CLAIMS:
                saved = [f"saved: gamedsl replay {self.saved[id(v)]}"] if id(v) in self.saved else []
                yield from_verdict(v, path, *saved)

    # ------------------------------------------------------------------------------------------------------ plays

    def _save(self, game: Game, v: Verdict) -> Path | None:
        """Saves the game that violates a claim as a record."""
        from gamedsl.engine import write_atomically
        from gamedsl.lab.base import Status

        a = self.arguments
        if v.evidence is None or v.status != Status.VIOLATED or a.no_save or _beginning(a) is not None:
            return None
        folder = Path(a.save)
        make_folder(folder)
        path = self.saved[id(v)] = folder / f"{game.program.name}-{len(self.saved) + 1}.record"
        write_atomically(path, v.evidence.record(game, a.file).text())
        return path


def _of_hidden(one: HiddenAnnouncement) -> Finding:
    return Finding.at(one.place, "announced-as-hidden", "note", one.line)


def _play(v: Verdict, path: Path | None, boards: bool) -> Iterator[str]:
    from gamedsl.lab.base import Status
    from gamedsl.lab.claims import play_lines

    # for start-up: only what the command needs
    from gamedsl.play.terminal import position_lines

    if v.evidence is None:
        return
    for line in play_lines(v.evidence):
        yield f"          {line}"
    if v.status == Status.VIOLATED:
        states = list(v.evidence.states())
        for state in states if boards else states[-1:]:
            yield from position_lines(state)
    if path is not None:
        yield f"          saved: gamedsl replay {path}"


# ---------------------------------------------------------------------------------------------------- interruptions
