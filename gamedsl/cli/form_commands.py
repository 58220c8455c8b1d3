"""``fmt`` and ``export``: convert between the forms of a ruleset, text and data, and to files that play it
elsewhere."""

from __future__ import annotations

import argparse
import difflib
from itertools import zip_longest
from pathlib import Path
from typing import Any

from gamedsl.cli.arguments import (
    FINDINGS,
    Subparsers,
    add_file,
    add_files,
    add_format,
    add_options,
    add_output,
    add_seats,
    command,
)
from gamedsl.cli.findings import Finding, from_diagnostics, say_findings
from gamedsl.cli.output import remark, say, say_json, show, write_output
from gamedsl.cli.playable_exports import HTML, PLAYABLE, export_playable
from gamedsl.language.source import (
    STANDARD_INPUT,
    ExitCode,
    GameDSLError,
    Source,
    UsageError,
    diagnostic_json,
    lazy_dataclass,
    read_file,
)
from gamedsl.language.syntax import ast

FORMS = ("gdl", "json", "yaml")


def add(commands: Subparsers) -> None:
    fmt = command(commands, "fmt", run_fmt)
    add_files(fmt)
    fmt.add_argument("--check", action="store_true", help="write nothing; exit with code 1 if a file would change")
    fmt.add_argument("--diff", action="store_true", help="write nothing; show what would change")
    add_format(fmt, *FINDINGS)
    export = command(commands, "export", run_export)
    add_file(export)
    export.add_argument(
        "--to", choices=(*FORMS, *PLAYABLE), required=True,
        help="gdl: the text of the rules; json, yaml: the rules as data; html: a page that plays without a network; wasm: a "
        "module of WebAssembly (required)",
    )  # fmt: skip
    add_output(export, "the file to write (default: prints it; html and wasm: GAME.html or GAME.wasm)")
    add_seats(
        export,
        None,
        "html: who plays each seat at first: human, random, beginner, easy, medium, strong, expert or, with a value, learned "
        "(default: chosen on the page)",
    )
    export.add_argument(
        "--net", metavar="FILE",
        help="html: the page has one more level, `learned`, which judges positions by the value that `gamedsl train` wrote into this "
        "file, if that beats playouts in a match (default: GAME.net, the file that `gamedsl train` writes, if it exists)",
    )  # fmt: skip
    export.add_argument(
        "--from", dest="start", metavar="MOVES",
        help="html: the page begins after these moves, joined by `;`, or after those of a record (default: at the beginning)",
    )  # fmt: skip
    add_options(export)


# --------------------------------------------------------------------------------------------------- the forms


@lazy_dataclass(frozen=True)
class FormFile:
    """A ruleset's file, with its present and its canonical text."""

    path: Path
    source: Source
    tree: ast.Ruleset


def form_of(path: Path) -> str:
    """``gdl``, ``json`` or ``yaml``, from the file's extension."""
    match path.suffix.lower():
        case ".json":
            return "json"
        case ".yaml" | ".yml":
            return "yaml"
        case _:
            return "gdl"


def read_form(file: str) -> FormFile:
    """Reads a file and parses it. Raises ``GameDSLError`` if it is not well formed."""
    from gamedsl.language.rules import find_ruleset, read_text, read_tree

    path = find_ruleset(file)
    source = read_text(path)
    tree, found = read_tree(source)
    errors = [d for d in found if d.is_error]
    if tree is None or errors:
        raise GameDSLError(*errors)
    return FormFile(path, source, tree)


def write_form(tree: ast.Ruleset, form: str) -> str:
    """The canonical text of a tree in one of ``FORMS``."""
    from gamedsl.language.syntax import dump_json, dump_yaml, format_ruleset

    match form:
        case "json":
            return dump_json(tree)
        case "yaml":
            return dump_yaml(tree)
        case _:
            return format_ruleset(tree)


# --------------------------------------------------------------------------------------------------------- fmt


@lazy_dataclass(frozen=True)
class Formatted:
    """The result of formatting a file. ``line``: the first line that differs from the canonical form (0: none);
    ``before`` and ``after``: the whole text."""

    file: str
    line: int
    before: str
    after: str

    @property
    def diff(self) -> str:
        lines = self.before.splitlines(), self.after.splitlines()
        return "\n".join(difflib.unified_diff(*lines, self.file, f"{self.file} (formatted)", lineterm=""))


def run_fmt(arguments: argparse.Namespace) -> int:
    writes = not (arguments.check or arguments.diff)
    found: list[Formatted] = []
    broken: dict[str, GameDSLError] = {}
    for file in arguments.files:
        try:
            one = _format_one(file, writes)
        except GameDSLError as mistake:
            if mistake.exit_code == ExitCode.USAGE:
                raise
            broken[file] = mistake
            if arguments.format == "text":
                show(mistake.diagnostics)
            continue
        found.append(one)
        if arguments.format == "text" and file == STANDARD_INPUT and writes:
            say(one.after.removesuffix("\n"))
        elif arguments.format == "text" and one.line:
            if arguments.diff:
                say(one.diff)
            remark(f"{'changed' if writes else 'would change'}: {file}")
    changed = sum(bool(one.line) for one in found)
    worst = max((int(mistake.exit_code) for mistake in broken.values()), default=0)
    _report(arguments.format, found, broken, writes)
    return max(worst, int(ExitCode.INVALID if changed and not writes else ExitCode.FINE))


def _report(form: str, found: list[Formatted], broken: dict[str, GameDSLError], writes: bool) -> None:
    """Prints the results for all files."""
    changed = [one for one in found if one.line]
    if form == "text":
        unreadable = f", {len(broken)} unreadable" if broken else ""
        if not (writes and [one.file for one in found] == [STANDARD_INPUT]):
            remark(
                f"{len(changed)} of {len(found) + len(broken)} files {'changed' if writes else 'would change'}{unreadable}"
            )
        return
    findings = [f for file, mistake in broken.items() for f in from_diagnostics(mistake.diagnostics, file)]
    if form == "json":
        files: list[dict[str, Any]] = [{"file": f.file, "changed": bool(f.line), "line": f.line or None} for f in found]
        files += [
            {"file": file, "diagnostics": [diagnostic_json(d) for d in mistake.diagnostics]}
            for file, mistake in broken.items()
        ]
        say_json({"files": files})
        return
    message = f"not in the canonical form{'' if writes else ': run `gamedsl fmt`'}"
    level = "note" if writes else "error"
    say_findings(form, findings + [Finding("format", level, message, f.file, f.line, 1, f.line, 1) for f in changed])


def _format_one(file: str, writes: bool) -> Formatted:
    """Compares a file with its canonical form, and writes that if ``writes``. Raises ``GameDSLError`` if it is not
    well formed."""
    from gamedsl.language.rules import MOST_BYTES

    found = read_form(file)
    before = found.source.text
    after = write_form(found.tree, form_of(found.path))
    raw = read_file(found.path, MOST_BYTES)
    if raw == after.encode("utf-8"):
        return Formatted(file, 0, before, after)
    if form_of(found.path) == "yaml":
        from gamedsl.language.syntax import refuse_comments

        refuse_comments(found.source)
    if writes and file != STANDARD_INPUT:
        write_output(found.path, after)
    pairs = zip_longest(before.splitlines(), after.splitlines())
    line = next((number for number, (a, b) in enumerate(pairs, 1) if a != b), 1)
    return Formatted(file, line, before, after)


# ------------------------------------------------------------------------------------------------------ export


def run_export(arguments: argparse.Namespace) -> int:
    if arguments.to != HTML and arguments.seats is not None:
        raise UsageError("only a page has seats", help="Write `--to html`, or omit `--seats`.")
    if arguments.to != HTML and arguments.start is not None:
        raise UsageError("only a page begins with a game", help="Write `--to html`, or omit `--from`.")
    if arguments.to != HTML and arguments.net is not None:
        raise UsageError("only a page has opponents", help="Write `--to html`, or omit `--net`.")
    if arguments.to in PLAYABLE:
        return export_playable(arguments)
    if arguments.settings:
        raise UsageError(
            "options can only be set in a form that plays the game",
            help="Omit `--set`. The options' defaults can be set in a variant.",
        )
    text = write_form(read_form(arguments.file).tree, arguments.to)
    if arguments.output is None:
        say(text.removesuffix("\n"))
    else:
        write_output(arguments.output, text)
    return int(ExitCode.FINE)
