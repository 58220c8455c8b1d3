"""Writes the reference of the commands from their parsers: ``python -m gamedsl.cli.commands_page``."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import gamedsl
from gamedsl.cli.command_examples import examples_of
from gamedsl.cli.command_list import COMMANDS
from gamedsl.cli.command_parser import COMMON, HelpFormatter, Parser
from gamedsl.cli.program_parser import DESCRIPTION, EXIT_CODES, groups, parser_with

PAGE = Path(gamedsl.__file__).parents[1] / "docs" / "reference" / "commands.md"  # in a checkout
WIDTH = 90  # columns of a usage line
_DEFAULT = re.compile(r"\s*\(default: (.*)\)$|\s*\((required)\)$", re.S)

_INTRODUCTION = f"""# Commands

<!-- Written by `python -m gamedsl.cli.commands_page` from the parsers: change their help instead. -->

{DESCRIPTION} `gamedsl help COMMAND` shows what this page says about a command.

- `GAME` stands for a ruleset: a file (`.gdl`, `.json`, `.yaml`), the name of a shipped one, or `-` for standard input. Records, positions
  and saved states can be read from standard input, too.
- The order of arguments and options does not matter.
- A mistake is reported on standard error. With `--format json`, a mistake that stops the command is an object on standard output, too,
  with `diagnostics` and `exit_code`.
"""


def page() -> str:
    """The page as Markdown."""
    program = parser_with(list(COMMANDS), lists_others=False)
    lines = [_INTRODUCTION, "## Options of every command", "", *_table(_common(program)), ""]
    lines += [
        "## Exit codes",
        "",
        "| code | meaning |",
        "|---|---|",
        *(f"| {c} | {t} |" for c, t in EXIT_CODES.items()),
        "",
    ]
    for group, names in groups(COMMANDS).items():
        lines += [f"## {group}", ""]
        for name in names:
            lines += _of_command(name, program.commands.choices[name])
    return "\n".join(lines).rstrip("\n") + "\n"


def _common(parser: Parser) -> list[argparse.Action]:
    return [
        action for action in parser._actions if getattr(getattr(action, "container", None), "title", None) == COMMON
    ]


def _of_command(name: str, parser: Parser) -> Iterator[str]:
    common = _common(parser)
    own = [action for action in parser._actions if action not in common]
    formatter = HelpFormatter(parser.prog, WIDTH)
    formatter.add_usage(parser.usage, parser._actions, parser._mutually_exclusive_groups)
    yield from (f"### gamedsl {name}", "", str(parser.description).replace("%%", "%"), "")
    yield from ("```text", formatter.format_help().rstrip("\n"), "```", "")
    if own:
        yield from (*_table(own), "")
    if parser.epilog:
        yield from (" ".join(parser.epilog.split()), "")
    examples = examples_of(name)
    width = max(len(line) for line, _ in examples)
    yield from ("```sh", *(f"{line.ljust(width)}  # {what}" for line, what in examples), "```", "")


def _table(actions: list[argparse.Action]) -> Iterator[str]:
    yield "| argument | meaning | default |"
    yield "|---|---|---|"
    for action in actions:
        formatter = HelpFormatter("", WIDTH)
        text = (formatter._expand_help(action) if action.help else "").strip()
        found = _DEFAULT.search(text)
        default = (found[1] or found[2]) if found else ""
        yield f"| {_names(action)} | {_cell(text[: found.start()] if found else text)} | {_cell(default)} |"


def _names(action: argparse.Action) -> str:
    value = "" if action.nargs == 0 else (action.metavar or "|".join(map(str, action.choices or ())))
    if not action.option_strings:
        return f"`{_cell(str(value))}`"
    value = f" {value}" if value else ""
    return ", ".join(f"`{_cell(text + str(value))}`" for text in action.option_strings)


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
