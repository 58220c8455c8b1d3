"""The findings of a command in the forms of other programs: workflow commands of GitHub Actions, and SARIF.

Input: diagnostics, results of examples, verdicts. Output: text for the standard output of a continuous integration
job. GitHub: "Workflow commands for GitHub Actions"; SARIF: OASIS, "Static Analysis Results Interchange Format 2.1.0".
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from gamedsl import __version__
from gamedsl.cli.output import say
from gamedsl.language.source import Diagnostic, Fix, Span, advice, codes, has_place, lazy_dataclass, on_one_line, title

if TYPE_CHECKING:
    from gamedsl.lab.base import Verdict
    from gamedsl.lab.examples import ExampleResult

LEVELS = {"error": "error", "warning": "warning", "note": "notice"}  # SARIF's name: GitHub's
OF_CLAIMS = {"violated": "error", "unknown": "warning", "holds": "note", "noted": "note"}  # the level of a verdict
SARIF_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


@lazy_dataclass(frozen=True, slots=True)
class Finding:
    """``rule``: a code such as E0201, or a kind such as ``example-failed``; ``level``: one of ``LEVELS``; ``message``: one
    or more lines; ``path``: the file (empty: none), with or without a place in it. Lines and columns count from 1 (0: not
    known), and the end column is exclusive."""

    rule: str
    level: str
    message: str
    path: str = ""
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0
    fixes: tuple[Fix, ...] = ()

    @classmethod
    def at(cls, span: Span, rule: str, level: str, message: str, otherwise: str = "") -> Finding:
        """A finding at a place, or in the file ``otherwise`` if the span has no place."""
        if not has_place(span) or span.source.path.startswith("<"):
            return cls(rule, level, message, otherwise)
        end = span.source.position(max(span.start, span.end))
        return cls(rule, level, message, span.source.path, span.line, span.column, *end)


def from_diagnostics(diagnostics: Iterable[Diagnostic], otherwise: str = "") -> list[Finding]:
    """Diagnostics as findings, with their advice below the message."""
    found = []
    for d in diagnostics:
        lines = [d.message, *(f"{name}: {text}" for name, text in advice(d))]
        level = "error" if d.is_error else "warning"
        finding = Finding.at(d.span, d.code, level, "\n".join(lines), otherwise)
        found.append(replace(finding, fixes=d.fixes) if finding.line else finding)
    return found


def from_example(result: ExampleResult) -> Finding:
    """The finding that an example fails."""
    return Finding.at(result.span, "example-failed", "error", "\n".join([result.name, *result.problems]))


def from_verdict(verdict: Verdict, path: str, *more: str) -> Finding:
    """The finding that a claim is not proved, with the game that shows it, and more lines. ``path``: the ruleset."""
    from gamedsl.lab.claims import play_lines  # start-up: few commands need it

    evidence = () if verdict.evidence is None else play_lines(verdict.evidence)
    lines = [f"{verdict.claim}: {verdict.detail}", *evidence, *more]
    return Finding.at(verdict.place, f"claim-{verdict.status}", OF_CLAIMS[verdict.status], "\n".join(lines), path)


def say_findings(form: str, findings: Iterable[Finding]) -> None:
    """Print findings, each once, as ``github`` or ``sarif``."""
    found = list(dict.fromkeys(findings))
    if form == "sarif":
        say(json.dumps(sarif(found), indent=2, ensure_ascii=False))
        return
    for finding in found:
        say(workflow_command(finding))


# ------------------------------------------------------------------------------------------------------------ GitHub


def workflow_command(finding: Finding) -> str:
    """``::error file=mine.gdl,line=7,col=3,title=E0201::there is nothing called mrak``. A column is given only for a
    span within one line, as GitHub requires."""
    place: dict[str, str | int] = {"file": _from_the_root(finding.path)} if finding.path else {}
    if finding.line:
        place["line"] = finding.line
        if finding.end_line > finding.line:
            place["endLine"] = finding.end_line
        else:
            place["col"] = finding.column
    properties = ",".join(
        f"{name}={_property(str(value))}" for name, value in (place | {"title": finding.rule}).items()
    )
    return f"::{LEVELS[finding.level]} {properties}::{_data(_printable(finding.message))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _printable(message: str) -> str:
    return "\n".join(on_one_line(line) for line in message.split("\n"))


def _from_the_root(path: str) -> str:
    """A path from the root of the repository, as GitHub requires, wherever the command runs."""
    root = os.environ.get("GITHUB_WORKSPACE", "") or "."
    try:
        return Path(path).resolve().relative_to(Path(root).resolve()).as_posix()
    except (OSError, ValueError, RuntimeError):
        return Path(path).as_posix()


# ------------------------------------------------------------------------------------------------------------- SARIF


def sarif(findings: list[Finding]) -> dict[str, Any]:
    """A SARIF log of one run."""
    rules = list(dict.fromkeys(f.rule for f in findings))
    driver = {"name": "gamedsl", "semanticVersion": __version__, "rules": [_rule(rule) for rule in rules]}
    results = [_result(f, rules.index(f.rule)) for f in findings]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: str) -> dict[str, Any]:
    text = title(rule) if rule in codes() else rule.replace("-", " ")
    return {"id": rule, "shortDescription": {"text": text}}


def _result(finding: Finding, rule: int) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": rule,
        "level": finding.level,
        "message": {"text": _printable(finding.message)},
    }
    if finding.path:
        place: dict[str, Any] = {"artifactLocation": {"uri": _uri(finding.path)}}
        if finding.line:
            place["region"] = _region(finding.line, finding.column, finding.end_line, finding.end_column)
        result["locations"] = [{"physicalLocation": place}]
    if finding.fixes:
        result["fixes"] = [_fix(fix) for fix in finding.fixes]
    return result


def _region(line: int, column: int, end_line: int, end_column: int) -> dict[str, int]:
    return {"startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column}


def _fix(fix: Fix) -> dict[str, Any]:
    """A fix of SARIF: replacements in files."""
    changes: dict[str, list[dict[str, Any]]] = {}
    for edit in fix.edits:
        source = edit.span.source
        region = _region(*source.position(edit.span.start), *source.position(edit.span.end))
        replacement = {"deletedRegion": region, "insertedContent": {"text": edit.text}}
        changes.setdefault(source.path, []).append(replacement)
    files = [{"artifactLocation": {"uri": _uri(path)}, "replacements": found} for path, found in changes.items()]
    return {"description": {"text": fix.title}, "artifactChanges": files}


def _uri(path: str) -> str:
    """A relative reference from the root of the repository; a ``file:`` address for files outside it."""
    inside = _from_the_root(path)
    return Path(inside).as_uri() if Path(inside).is_absolute() else quote(inside)
