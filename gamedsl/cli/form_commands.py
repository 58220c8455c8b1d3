"""``fmt`` and ``export``: converts between the forms of a ruleset, text and data, and to files that play it elsewhere."""

from __future__ import annotations

import argparse
import difflib
from dataclasses import dataclass
from pathlib import Path

from gamedsl.cli.arguments import Subparsers, add_file, add_options, add_output, command
from gamedsl.cli.output import say, show, write_output
from gamedsl.cli.playable_exports import PLAYABLE, export_playable
from gamedsl.source import ExitCode, GameDSLError, Source, UsageError, read_file
from gamedsl.syntax import ast

FORMS = ("gdl", "json", "yaml")


def add(commands: Subparsers) -> None:
    fmt = command(commands, "fmt", run_fmt)
    fmt.add_argument("files", metavar="FILE", nargs="+", help="rulesets (.gdl, .json, .yaml)")
    fmt.add_argument("--check", action="store_true", help="write nothing; exit code 1 when a file would change")
    fmt.add_argument("--diff", action="store_true", help="write nothing; show what would change")
    export = command(commands, "export", run_export)
    add_file(export)
    export.add_argument(
        "--to", choices=(*FORMS, *PLAYABLE), required=True,
        help="the form: rules text, data as JSON or YAML, a page that plays by itself, or WebAssembly",
    )  # fmt: skip
    add_output(
        export, "write it to this file instead of printing it (html, wasm: to NAME.html or NAME.wasm by default)"
    )
    export.add_argument(
        "--agents",
        metavar="A,B",
        help="html: who plays at first, per seat: human, random, beginner, easy, medium, strong",
    )
    add_options(export)


# --------------------------------------------------------------------------------------------------- the forms


@dataclass(frozen=True)
class FormFile:
    """A ruleset's file, as it is and as it should be."""

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
    """Reads a file and its syntax tree. Raises ``GameDSLError`` if it is not well formed."""
    from gamedsl.rules import find_ruleset, read_text, read_tree

    path = find_ruleset(file)
    source = read_text(path)
    tree, found = read_tree(source)
    errors = [d for d in found if d.is_error]
    if tree is None or errors:
        raise GameDSLError(*errors)
    return FormFile(path, source, tree)


def write_form(tree: ast.Ruleset, form: str) -> str:
    """The canonical text of a tree in one of ``FORMS``."""
    from gamedsl.syntax import dump_json, dump_yaml, format_ruleset

    match form:
        case "json":
            return dump_json(tree)
        case "yaml":
            return dump_yaml(tree)
        case _:
            return format_ruleset(tree)


# --------------------------------------------------------------------------------------------------------- fmt


def run_fmt(arguments: argparse.Namespace) -> int:
    looking = arguments.check or arguments.diff
    changed = broken = worst = 0
    for file in arguments.files:
        try:
            changed += _format_one(file, arguments.diff, looking)
        except GameDSLError as mistake:
            if mistake.exit_code == ExitCode.USAGE:
                raise
            show(mistake.diagnostics)
            broken += 1
            worst = max(worst, int(mistake.exit_code))
    total = len(arguments.files)
    say(
        f"{changed} of {total} files {'would change' if looking else 'changed'}"
        + (f", {broken} unreadable" if broken else "")
    )
    return max(worst, int(ExitCode.INVALID if looking and changed else ExitCode.FINE))


def _format_one(file: str, diff: bool, looking: bool) -> bool:
    """Formats one file, or only shows what would change. Returns whether it differs from its canonical form."""
    from gamedsl.rules import MOST_BYTES

    found = read_form(file)
    before = found.source.text
    after = write_form(found.tree, form_of(found.path))
    raw = read_file(found.path, MOST_BYTES)
    if raw == after.encode("utf-8"):
        return False
    if form_of(found.path) == "yaml":
        from gamedsl.syntax import refuse_comments

        refuse_comments(found.source)
    if diff:
        lines = difflib.unified_diff(before.splitlines(), after.splitlines(), file, f"{file} (formatted)", lineterm="")
        say("\n".join(lines))
    if not looking:
        write_output(found.path, after)
    say(f"{'would change' if looking else 'changed'}: {file}")
    return True


# ------------------------------------------------------------------------------------------------------ export


def run_export(arguments: argparse.Namespace) -> int:
    if arguments.to in PLAYABLE:
        return export_playable(arguments)
    if arguments.agents is not None:
        raise UsageError("only a page has players: `--to html`")
    if arguments.settings:
        raise UsageError(
            "only a playable form has options: they are set when the game is loaded",
            help="Leave `--set` out. The options' defaults can be set in a variant.",
        )
    text = write_form(read_form(arguments.file).tree, arguments.to)
    if arguments.output is None:
        say(text.removesuffix("\n"))
    else:
        write_output(arguments.output, text)
    return int(ExitCode.FINE)
