"""A snapshot of a ruleset within a few seconds: its faults, examples, claims, unused lines, and playouts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gamedsl.engine import Game, InterpretedGame
from gamedsl.lab.base import Clock, Status, Verdict
from gamedsl.lab.claims import VerifyConfig, verify
from gamedsl.lab.coverage import InstrumentedGame, Line, gathered, run_plays
from gamedsl.lab.examples import ExampleResult, OptionValue, both_files, run_examples
from gamedsl.lab.explore import Limits
from gamedsl.lab.search import Budget
from gamedsl.lab.simulate import Summary, simulate_within
from gamedsl.language.rules import Parsed, check_file, find_ruleset, load_program
from gamedsl.language.source import Diagnostic, GameDSLError, UsageError, diagnostic_json, lazy_dataclass

VERIFIED = 20_000  # positions examined for the claims
SAMPLED = 50  # games played beyond them
COVERED, COVERED_PLIES = (
    50,
    500,
)  # playouts for the unused lines, and the number of plies after which no further one begins


@lazy_dataclass(frozen=True)
class Snapshot:
    """A snapshot of a ruleset.

    ``findings``: of the checker, or why the rules failed in a game. If there are errors, nothing else is known.
    ``examples``: None if there is no file with examples. ``unused``: lines that no playout used.
    """

    findings: tuple[Diagnostic, ...]
    game: Game | None = None
    examples: tuple[ExampleResult, ...] | None = None
    verdicts: tuple[Verdict, ...] = ()
    unused: tuple[Line, ...] = ()
    summary: Summary | None = None

    @property
    def is_playable(self) -> bool:
        return self.game is not None

    def to_json(self) -> dict[str, Any]:
        """Returns everything as plain data; ``examples`` and ``summary`` are None where they are not known."""
        return {
            "playable": self.is_playable,
            "diagnostics": [diagnostic_json(d) for d in self.findings],
            "examples": None if self.examples is None else [e.to_json() for e in self.examples],
            "verdicts": [v.to_json() for v in self.verdicts],
            "unused": [{"line": line.number, "text": line.text.strip()} for line in self.unused],
            "summary": None if self.summary is None else self.summary.to_json(),
        }

    @property
    def failed(self) -> bool:
        """Whether there is an error, an example that fails, or a claim that is violated."""
        return (
            any(d.is_error for d in self.findings)
            or any(not e.passed for e in self.examples or ())
            or any(v.status is Status.VIOLATED for v in self.verdicts)
        )


def take_snapshot(
    file: str,
    options: Mapping[str, OptionValue] | None = None,
    *,
    plays: int = 10_000,
    seconds: float = 3.0,
    seed: int = 0,
) -> Snapshot:
    """Takes a snapshot of a ruleset.

    ``seconds``: time limit for the claims, and again for the playouts. Faults of the ruleset are findings, not
    exceptions; raises ``UsageError`` if there is no such file.
    """
    options = options or {}
    try:
        findings = tuple(check_file(file, options)[1])
        if any(d.is_error for d in findings):
            return Snapshot(findings)
        program = load_program(file, options)
        game, probed = InterpretedGame(program), InstrumentedGame(program)
        run_plays(probed, COVERED, seed, COVERED_PLIES)
        return Snapshot(
            findings,
            game,
            _examples(file, options),
            judge_quickly(file, options, seconds, seed),
            tuple(gathered([probed], "random", "", False).never),
            simulate_within(game, plays, seed, seconds).summary,
        )
    except UsageError:
        raise
    except GameDSLError as error:
        return Snapshot(tuple(error.diagnostics))


def judge_quickly(
    file: str,
    options: Mapping[str, OptionValue],
    seconds: float,
    seed: int = 0,
    *,
    parsed: Mapping[str, Parsed] | None = None,
    clock: Clock | None = None,
) -> tuple[Verdict, ...]:
    """Judges the claims of a ruleset, and those made of every ruleset, within a few seconds. ``clock`` carries a request
    to stop."""
    config = VerifyConfig(limits=Limits(VERIFIED, seconds=seconds), budget=Budget(SAMPLED, seconds, seed))
    return verify(file, options, config=config, parsed=parsed, clock=clock).verdicts


def _examples(file: str, options: Mapping[str, OptionValue]) -> tuple[ExampleResult, ...] | None:
    try:
        both_files(file)
    except UsageError:
        return None
    return tuple(run_examples(file, options))


def files_of(file: str) -> list[Path]:
    """Returns the files in the folder of a ruleset that a snapshot may read. Raises ``UsageError`` if there is no such
    ruleset.
    """
    folder = find_ruleset(file).parent
    endings = (".gdl", ".yaml", ".yml", ".json")
    return sorted(p for p in folder.iterdir() if p.suffix in endings and p.is_file())
