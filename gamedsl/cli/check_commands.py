"""``check``, ``test`` and ``clauses``: check that a ruleset is correct."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gamedsl.cli.arguments import (
    FINDINGS,
    Subparsers,
    add_file,
    add_files,
    add_format,
    add_options,
    command,
    load_rules,
    read_options,
)
from gamedsl.cli.findings import Finding, from_diagnostics, from_example, say_findings
from gamedsl.cli.mutants_command import add_arguments, check_arguments, run_mutants
from gamedsl.cli.output import complain, is_quiet, remark, say, say_json, show
from gamedsl.language.source import (
    STANDARD_INPUT,
    Diagnostic,
    ExitCode,
    FileError,
    GameDSLError,
    UsageError,
    diagnostic_json,
    lazy_dataclass,
    reason,
    span_json,
)

if TYPE_CHECKING:
    from gamedsl.language.core import nodes as n


def add(commands: Subparsers) -> None:
    check = command(commands, "check", run_check)
    add_files(check)
    check.add_argument("--fix", action="store_true", help="correct the files: apply the fixes whose meaning is certain")
    check.add_argument("--unsafe", action="store_true", help="with --fix: apply those too that a person should look at")
    add_format(check, *FINDINGS)
    add_options(check)
    test = command(commands, "test", run_test)
    test.add_argument(
        "files", metavar="GAME", nargs="+", help="rulesets that have examples beside them, or files *.examples.yaml"
    )
    test.add_argument("--update", action="store_true", help="replace what the examples expect with what the rules give")
    add_arguments(test)
    add_format(test, *FINDINGS)
    add_options(test)
    clauses = command(commands, "clauses", run_clauses)
    add_file(clauses)
    add_format(clauses, *FINDINGS)
    add_options(clauses)


# ------------------------------------------------------------------------------------------------------- check


def run_check(arguments: argparse.Namespace) -> int:
    options = read_options(arguments.settings)
    if arguments.unsafe and not arguments.fix:
        raise UsageError(
            "`--unsafe` goes with `--fix`", code="E0004", help="Write `gamedsl check FILE --fix --unsafe`."
        )
    if arguments.fix and STANDARD_INPUT in arguments.files:
        raise UsageError(
            "`gamedsl check --fix` corrects files, and `-` is the standard input", code="E0004", help="Name a file."
        )
    results = [(file, *_checked(file, options, arguments)) for file in arguments.files]
    if arguments.format == "json":
        say_json({"files": [_check_json(file, found) for file, found, _ in results]})
    elif arguments.format != "text":
        say_findings(arguments.format, [f for file, found, _ in results for f in from_diagnostics(found, file)])
    else:
        for file, found, code in results:
            show(found, sys.stderr if code in (ExitCode.USAGE, ExitCode.IO) else sys.stdout)
            if not any(d.is_error for d in found):
                remark(f"{file}: fine")
    return max(code for _, _, code in results)


def _checked(file: str, options: dict[str, str], arguments: argparse.Namespace) -> tuple[list[Diagnostic], int]:
    """The diagnostics of one file with their fixes, and the exit code for it alone."""
    from gamedsl.language.rules import check_file

    try:
        found = _fixed(file, options, arguments.unsafe) if arguments.fix else check_file(file, options)[1]
    except GameDSLError as mistake:
        return _with_fixes(mistake.diagnostics), int(mistake.exit_code)
    return _with_fixes(found), int(ExitCode.INVALID if any(d.is_error for d in found) else ExitCode.FINE)


def _with_fixes(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    found = list(found)
    if not found:
        return []
    from gamedsl.language.cures import cured  # start-up: only for mistakes

    return cured(found)


def _fixed(file: str, options: dict[str, str], unsafe: bool) -> list[Diagnostic]:
    """Corrects a file and reports each correction on standard error. Returns the remaining diagnostics."""
    from gamedsl.language.cures import mend_file
    from gamedsl.language.rules import find_ruleset

    path = find_ruleset(file)
    try:
        mended = mend_file(path, options, unsafe=unsafe)
    except OSError as problem:
        raise FileError(f"`{file}` cannot be written: {reason(problem)}", code="E0003") from None
    for line, fix in mended.applied:
        complain(f"{file}:{line}: {fix.title}")
    if mended.unsafe:
        complain(f"{file}: {len(mended.unsafe)} more with `gamedsl check --fix --unsafe`; then look at the result")
    return mended.left


def _check_json(file: str, found: list[Diagnostic]) -> dict[str, Any]:
    return {
        "file": file,
        "fine": not any(d.is_error for d in found),
        "diagnostics": [diagnostic_json(d) for d in found],
    }


# -------------------------------------------------------------------------------------------------------- test


def run_test(arguments: argparse.Namespace) -> int:
    from gamedsl.lab.examples import report, run_examples

    check_arguments(arguments)
    options = read_options(arguments.settings)
    if arguments.mutants:
        return run_mutants(arguments, options)
    told, worst = [], ExitCode.FINE
    findings: list[Finding] = []
    for file in arguments.files:
        try:
            if arguments.update:
                _update(file, options)
            found = run_examples(file, options)
        except GameDSLError as mistake:
            worst = max(worst, mistake.exit_code)
            told.append(
                {"file": file, "examples": [], "diagnostics": [diagnostic_json(d) for d in mistake.diagnostics]}
            )
            findings += from_diagnostics(mistake.diagnostics, file)
            if arguments.format == "text":
                show(mistake.diagnostics)
            continue
        worst = max(worst, ExitCode.FINE if all(r.passed for r in found) else ExitCode.FAILED)
        told.append({"file": file, "examples": [r.to_json() for r in found]})
        findings += [from_example(r) for r in found if not r.passed]
        if arguments.format == "text" and not (is_quiet() and all(r.passed for r in found)):
            say(report(file, found))
    if arguments.format == "json":
        say_json({"files": told})
    elif arguments.format != "text":
        say_findings(arguments.format, findings)
    return int(worst)


def _update(file: str, options: dict[str, str]) -> None:
    """Updates a file of examples and reports every change on standard error."""
    from gamedsl.lab.examples import update_examples

    for change in update_examples(file, options):
        complain(str(change))


# ----------------------------------------------------------------------------------------------------- clauses


@lazy_dataclass(frozen=True, slots=True)
class ClauseRow:
    """A clause: its paraphrase (None: not in the index) and its citations."""

    number: str
    text: str | None
    citations: tuple[n.Citation, ...]


def run_clauses(arguments: argparse.Namespace) -> int:
    from gamedsl.language.rules import changed_clauses

    program = load_rules(arguments)
    rows = clause_rows(program)
    variant = changed_clauses(arguments.file)
    changed, dropped = variant or (frozenset(), frozenset())
    uncited = [r.number for r in rows if not r.citations and r.number not in dropped]
    unknown = [r.number for r in rows if r.text is None and program.clauses]
    if arguments.format == "json":
        told = {"changed": _in_order(rows, changed), "dropped": _in_order(rows, dropped)}
        say_json(
            {"title": program.title, "clauses": [_row_json(r) for r in rows], "uncited": uncited, "unknown": unknown}
            | ({} if variant is None else {"variant": told})
        )
    elif arguments.format != "text":
        say_findings(arguments.format, _of_clauses(arguments.file, rows, uncited))
    else:
        _say_clauses(program, rows, uncited, unknown)
        if variant is not None:
            say(f"changed by this variant: {', '.join(_in_order(rows, changed)) or 'none'}")
            say(f"no longer followed: {', '.join(_in_order(rows, dropped)) or 'none'}")
    return int(ExitCode.INVALID if uncited or unknown else ExitCode.FINE)


def clause_rows(program: n.Program) -> list[ClauseRow]:
    """The clauses of the index in order, followed by those that are only cited."""
    cited: dict[str, list[n.Citation]] = {number: [] for number, _ in program.clauses}
    for citation in program.citations:
        places = cited.setdefault(citation.clause, [])
        if not any(c.span == citation.span for c in places):
            places.append(citation)
    texts = dict(program.clauses)
    return [ClauseRow(number, texts.get(number), tuple(places)) for number, places in cited.items()]


def _of_clauses(file: str, rows: list[ClauseRow], uncited: list[str]) -> list[Finding]:
    """The findings for clauses that are not cited."""
    texts = {r.number: r.text or "" for r in rows}
    return [
        Finding("clause-uncited", "error", f"clause {number} is not cited: {texts[number]}", file) for number in uncited
    ]


def _in_order(rows: list[ClauseRow], numbers: frozenset[str]) -> list[str]:
    return [r.number for r in rows if r.number in numbers]


def _row_json(row: ClauseRow) -> dict[str, Any]:
    lines = [{"place": span_json(c.span), "presentation": c.presentation} for c in row.citations]
    return {"clause": row.number, "text": row.text, "lines": lines}


def _say_clauses(program: n.Program, rows: list[ClauseRow], uncited: list[str], unknown: list[str]) -> None:
    say(program.title)
    width = max((len(r.number) for r in rows), default=0)
    for row in rows:
        say(f"  {row.number.ljust(width)}  {row.text or ''}".rstrip())
        if row.citations:
            say(f"  {' ' * width}  {_places(row)}")
    say()
    presentation = sum(bool(r.citations) and all(c.presentation for c in r.citations) for r in rows)
    cited = sum(bool(r.citations) for r in rows)
    say(f"{len(rows)} clauses, {cited} cited, {presentation} of them as presentation only")
    if uncited:
        say(f"not cited: {', '.join(uncited)}")
    if unknown:
        say(f"not in the index: {', '.join(unknown)}")


def _places(row: ClauseRow) -> str:
    """Formats citations, such as ``game.gdl 12, 15 (presentation 80)``."""
    files: dict[str, tuple[list[str], list[str]]] = {}
    for c in row.citations:
        acting, presenting = files.setdefault(Path(c.span.source.path).name, ([], []))
        lines = presenting if c.presentation else acting
        if str(c.span.line) not in lines:
            lines.append(str(c.span.line))
    return "; ".join(_of_file(name, acting, presenting) for name, (acting, presenting) in files.items())


def _of_file(name: str, acting: list[str], presenting: list[str]) -> str:
    told = f"(presentation {', '.join(presenting)})" if presenting else ""
    return " ".join(part for part in (name, ", ".join(acting), told) if part)
