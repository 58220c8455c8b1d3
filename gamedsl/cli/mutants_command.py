"""``test --mutants``: checks whether the examples notice small changes to the ruleset."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, Any

from gamedsl.cli.arguments import add_jobs, add_seed, add_time
from gamedsl.cli.findings import Finding, from_diagnostics, say_findings
from gamedsl.cli.output import say, say_json, show, tell_progress
from gamedsl.language.source import ExitCode, GameDSLError, UsageError, diagnostic_json

if TYPE_CHECKING:
    from gamedsl.lab.mutation import Mutation

DEFAULTS = {"jobs": None, "time": None, "search_time": 3.0, "seed": 0, "at_least": None}


def add_arguments(test: argparse.ArgumentParser) -> None:
    group = test.add_argument_group("mutation testing")
    group.add_argument(
        "--mutants",
        action="store_true",
        help="make small changes to the ruleset, and report those that no example notices",
    )
    add_jobs(group, None, "the number of processes")
    add_time(group, None, "stop after this many seconds, having tried a random sample (default: no limit)")
    add_time(
        group,
        3.0,
        "play random games for this many seconds to compare each change that no example notices; 0 compares none",
        "--search-time",
    )
    add_seed(group, "the seed of the sample and of the games")
    group.add_argument(
        "--at-least",
        metavar="PERCENT",
        type=_percent,
        help="exit with code 3 if the examples notice fewer of the changes (default: no bound)",
    )


def check_arguments(arguments: argparse.Namespace) -> None:
    """Rejects arguments for mutation testing without ``--mutants``, and ``--mutants`` with ``--update``."""
    if arguments.mutants and arguments.update:
        raise UsageError("`--mutants` and `--update` cannot be combined", code="E0004")
    if not arguments.mutants:
        for name, usual in DEFAULTS.items():
            if getattr(arguments, name) != usual:
                raise UsageError(f"`--{name.replace('_', '-')}` belongs to `--mutants`", code="E0004")


def run_mutants(arguments: argparse.Namespace, options: dict[str, str]) -> int:
    """The exit code: 3 if examples fail or kill too few mutants, 4 if only a sample was tried, or that of an invalid
    file. The other files are still tested."""
    from gamedsl.lab.mutation import as_json, as_text

    told: list[dict[str, Any]] = []
    findings: list[Finding] = []
    worst = ExitCode.FINE
    for file in arguments.files:
        try:
            found = _tested(file, arguments, options)
        except GameDSLError as mistake:
            tell_progress()
            worst = max(worst, mistake.exit_code)
            told.append({"file": file, "diagnostics": [diagnostic_json(d) for d in mistake.diagnostics]})
            findings += from_diagnostics(mistake.diagnostics, file)
            if arguments.format == "text":
                show(mistake.diagnostics)
            continue
        worst = max(worst, _exit_code(found, arguments.at_least))
        told.append(as_json(found))
        findings += _findings(file, found)
        if arguments.format == "text":
            say(as_text(found))
    if arguments.format == "json":
        say_json({"files": told})
    elif arguments.format != "text":
        say_findings(arguments.format, findings)
    return int(worst)


def _findings(file: str, found: Mutation) -> list[Finding]:
    """The findings for failing examples, and for changes that no example notices."""
    failing = [Finding("example-failed", "error", name, file) for name in found.failing]
    message = "no example notices the change {}"
    return failing + [
        Finding.at(mutant.span, "mutant-survived", "warning", message.format(mutant.text), file)
        for mutant in found.survivors
    ]


def _tested(file: str, arguments: argparse.Namespace, options: dict[str, str]) -> Mutation:
    # for start-up: only what the command needs
    from gamedsl.cli.simulate_command import processors
    from gamedsl.lab.mutation import mutation_test

    found = mutation_test(
        file,
        options,
        jobs=arguments.jobs or processors(),
        seconds=arguments.time,
        search=arguments.search_time,
        seed=arguments.seed,
        progress=lambda done, of: tell_progress(f"{file}: {done} of {of} mutants"),
    )
    tell_progress()
    return found


def _exit_code(found: Mutation, at_least: float | None) -> ExitCode:
    if found.failing or _is_below(found.rate, at_least):
        return ExitCode.FAILED
    return ExitCode.FINE if found.is_whole else ExitCode.BOUND


def _is_below(rate: float | None, at_least: float | None) -> bool:
    return rate is not None and at_least is not None and rate < at_least


def _percent(text: str) -> float:
    """Parses ``95%`` (or ``95``) as 0.95."""
    if not re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,2})? ?%?", text) or float(text.rstrip(" %")) > 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a percentage")
    return float(text.rstrip(" %")) / 100
