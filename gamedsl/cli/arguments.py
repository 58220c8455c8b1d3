"""Arguments that several commands share."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from gamedsl.cli.command_list import COMMANDS
from gamedsl.source import UsageError

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

Run: TypeAlias = Callable[[argparse.Namespace], int]
Subparsers: TypeAlias = "argparse._SubParsersAction[Parser]"

_INVALID_CHOICE = re.compile(r"invalid choice: '(.*)' \(choose from (.*)\)", re.S)


class Parser(argparse.ArgumentParser):
    """An argument parser that reports mistakes as ``UsageError``, with suggestions."""

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Writes help and version. Unlike argparse, it does not hide failed output."""
        (file or sys.stdout).write(message)

    def error(self, message: str) -> NoReturn:
        wrong = _INVALID_CHOICE.search(message)
        if wrong and message.startswith("argument COMMAND"):
            message = f"there is no command `{wrong.group(1)}`"
        raise UsageError(
            message,
            near=_near(wrong),
            help=f"see `{self.prog} --help`",
            code="E0001",
        )


def _near(wrong: re.Match[str] | None) -> tuple[str, ...]:
    if wrong is None:
        return ()
    from difflib import get_close_matches  # only for mistakes

    choices = [c.strip("' ") for c in wrong.group(2).split(",")]
    return tuple(get_close_matches(wrong.group(1), choices, n=3, cutoff=0.5))


def command(commands: Subparsers, name: str, run: Run) -> Parser:
    """A new command. Its line in the list of commands comes from ``COMMANDS``."""
    parser = add_placeholder(commands, name)
    parser.set_defaults(run=run)
    return parser


def add_placeholder(commands: Subparsers, name: str) -> Parser:
    """A command without arguments: enough for ``gamedsl --help``."""
    help = COMMANDS[name].help
    return commands.add_parser(name, help=help, description=help[0].upper() + help[1:] + ".", allow_abbrev=False)


def add_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", metavar="FILE", help="a ruleset: a path (.gdl, .json, .yaml) or the name of a shipped one"
    )


def add_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="rulesets: paths or names of shipped ones")


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_options(parser: argparse.ArgumentParser, short: bool = True) -> None:
    """``short``: also ``-o``, which means the output in commands that write a file."""
    parser.add_argument(
        "--option",
        *(("-o",) if short else ()),
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="set an option of the ruleset",
    )


def read_options(given: Iterable[str]) -> dict[str, str]:
    """Parses ``["n=12"]`` to ``{"n": "12"}``. Types are checked when the ruleset is loaded."""
    options: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        name, value = name.strip(), value.strip()
        if not equals or not name or not value:
            raise UsageError(
                f"`--option {text}` is not of the form NAME=VALUE", code="E0004", help="write `--option n=12`"
            )
        if name in options:
            raise UsageError(f"the option {name} is given twice", code="E0004")
        options[name] = value
    return options


def whole(low: int, high: int) -> Callable[[str], int]:
    """A parser for whole numbers within limits."""

    def read(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,18}", text) or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {low} to {high}")
        return int(text)

    return read


natural = whole(0, 999_999)


def seconds(text: str) -> float:
    """Parses a number of seconds, such as ``20`` or ``0.5``."""
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,3})?", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds")
    return float(text)
