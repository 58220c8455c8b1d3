"""Arguments that several commands share."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from gamedsl.cli.command_list import COMMANDS, REGISTRY
from gamedsl.cli.command_parser import COMMON, SETTING, Parser
from gamedsl.language.source import STANDARD_INPUT, UsageError

if TYPE_CHECKING:
    from gamedsl.engine import InterpretedGame
    from gamedsl.language.core.nodes import Program

Run: TypeAlias = Callable[[argparse.Namespace], int]
Subparsers: TypeAlias = "argparse._SubParsersAction[Parser]"

FINDINGS = ("github", "sarif")  # the forms in which findings are printed, besides text and JSON
COLORS = ("auto", "always", "never")
BACKENDS = ("native", "interpreter")
MOST_GAMES = 9_999_999_999
LAST_SEED = (1 << 63) - 1


def command(commands: Subparsers, name: str, run: Run) -> Parser:
    """Add a command. Its line in the list of commands comes from ``COMMANDS``, or from the package that registers
    it."""
    parser = add_placeholder(commands, name)
    parser.set_defaults(run=run)
    add_common(parser, argparse.SUPPRESS)
    return parser


def add_placeholder(commands: Subparsers, name: str) -> Parser:
    """Add a command without arguments, which is enough for ``gamedsl --help``."""
    help = COMMANDS[name].help if name in COMMANDS else _summary(name)
    description = help[:1].upper() + help[1:].removesuffix(".") + "."
    return commands.add_parser(
        name, help=help.replace("%", "%%"), description=description.replace("%", "%%"), add_help=False
    )


def _summary(name: str) -> str:
    """The line in the list of commands for a command of another package: the package's summary and name."""
    found = [
        f"{offer.summary.removesuffix('.')} (package {offer.package})"
        for offer in REGISTRY.offers()
        if offer.name == name
    ]
    return "".join(found).strip()


def add_common(parser: Parser, default: object = None) -> None:
    """Add the options that every command has. ``default``: SUPPRESS for a command, which then keeps the program's
    value."""
    group = parser.add_argument_group(COMMON)
    group.add_argument(
        "-q", "--quiet", action="store_true", default=default or False,
        help="print only results and mistakes, no progress and no confirmations",
    )  # fmt: skip
    group.add_argument(
        "-v", "--verbose", action="store_true", default=default or False,
        help="also report, on standard error, which files are read and how long the work takes",
    )  # fmt: skip
    group.add_argument(
        "--color", choices=COLORS, default=default or "auto",
        help="when to color what is printed; auto: on a terminal, unless NO_COLOR is set (default: auto)",
    )  # fmt: skip
    group.add_argument("-h", "--help", action="help", default=argparse.SUPPRESS, help="show this help")


def add_file(parser: argparse.ArgumentParser) -> None:
    """Add the argument FILE, a ruleset, which becomes ``arguments.file``: the path or the name as it was given."""
    parser.add_argument(
        "file",
        metavar="GAME",
        help="the ruleset: a file (.gdl, .json, .yaml), the name of a shipped one, or - for standard input",
    )


def add_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files",
        metavar="GAME",
        nargs="+",
        help="rulesets: files (.gdl, .json, .yaml), names of shipped ones, or - for standard input",
    )


def add_format(parser: argparse.ArgumentParser, *others: str) -> None:
    """Add ``--format``, which becomes ``arguments.format``: text, JSON, and the other forms that the command prints
    (``FINDINGS``)."""
    forms = ("text", "json", *others)
    more = "; github: annotations of GitHub Actions; sarif: SARIF 2.1.0" if others else ""
    parser.add_argument("--format", choices=forms, default="text", help=f"how to print the results{more}")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--set NAME=VALUE``; the values go through ``read_options``."""
    parser.add_argument(
        "-s",
        "--set",
        dest="settings",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="set an option of the ruleset, as in --set n=4; may be repeated (default: the values in the ruleset)",
    )


def add_games(parser: argparse._ActionsContainer, default: int | None, help: str, least: int = 0) -> None:
    """Add ``-n``, the number of games. ``help`` names the default if that is None."""
    parser.add_argument("-n", "--games", metavar="N", type=whole(least, MOST_GAMES), default=default, help=help)


def add_seed(parser: argparse._ActionsContainer, help: str = "the seed of all random choices") -> None:
    parser.add_argument("--seed", metavar="N", type=whole(0, LAST_SEED), default=0, help=help)


def add_jobs(parser: argparse._ActionsContainer, default: int | None, help: str) -> None:
    """Add ``-j``, the number of threads or processes that work at the same time. ``default`` None: one per
    processor."""
    more = "" if default is not None else " (default: one for every processor)"
    parser.add_argument("-j", "--jobs", metavar="N", type=whole(1, 256), default=default, help=help + more)


def add_time(parser: argparse._ActionsContainer, default: float | None, help: str, name: str = "--time") -> None:
    parser.add_argument(name, metavar="SECONDS", type=seconds, default=default, help=help)


def add_limit(parser: argparse._ActionsContainer, default: int | None, help: str) -> None:
    parser.add_argument("--limit", metavar="N", type=count, default=default, help=help)


def add_backend(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--backend",
        choices=BACKENDS,
        default=BACKENDS[0],
        help="native: compiled rules; interpreter: the slow reference",
    )


def add_notation(parser: argparse.ArgumentParser, help: str = "write moves in this notation of the ruleset") -> None:
    parser.add_argument("--notation", metavar="NAME", help=f"{help} (default: the names of the moves)")


def add_seats(parser: argparse.ArgumentParser, default: str | None, help: str) -> None:
    parser.add_argument("--seats", metavar="KINDS", default=default, help=help)


def add_output(parser: argparse.ArgumentParser, help: str, endings: tuple[str, ...] = ()) -> None:
    """Add ``-o FILE``. With ``endings``, other file names are refused."""
    parser.add_argument("-o", "--output", metavar="FILE", type=_output_path(endings), help=help)


def add_checkpoint(parser: argparse.ArgumentParser, help: str, name: str = "--checkpoint") -> None:
    """Add ``--checkpoint FILE``, a file that is read and written."""
    parser.add_argument(name, metavar="FILE", type=_checkpoint_path, help=help)


def _checkpoint_path(text: str) -> Path:
    if text in ("", STANDARD_INPUT):
        raise UsageError(
            f"`{f'--checkpoint {text}'.strip()}` does not name a file",
            help="Name a file, which is written and read again. For one called `-`, write `--checkpoint ./-`.",
            code="E0004",
        )
    return Path(text)


def default_name(file: str) -> str:
    """The name of an output file for a ruleset, without its ending."""
    return "game" if file == STANDARD_INPUT else Path(file).stem


def _output_path(endings: tuple[str, ...]) -> Callable[[str], Path]:
    def read(text: str) -> Path:
        if SETTING.fullmatch(text):
            raise UsageError(
                f"`-o {text}` looks like an option of the ruleset, but -o names the output file",
                help=f"Set the option with `--set {text}`. For a file of this name, write `-o ./{text}`.",
                code="E0004",
            )
        if text == STANDARD_INPUT:
            raise UsageError(
                "`-o -` does not name a file",
                help="Name the output file. For a file called `-`, write `-o ./-`.",
                code="E0004",
            )
        if endings and not text.endswith(endings):
            raise UsageError(
                f"`-o {text}` does not end with {' or '.join(endings)}",
                help=f"Name the output file, as in `-o {Path(text).stem or 'page'}{endings[0]}`.",
                code="E0004",
            )
        return Path(text)

    return read


def read_options(given: Iterable[str]) -> dict[str, str]:
    """Parse ``["n=12"]`` to ``{"n": "12"}``. Types are checked when the ruleset is loaded."""
    options: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        name, value = name.strip(), value.strip()
        if not equals or not name or not value:
            raise UsageError(f"`--set {text}` is not of the form NAME=VALUE", code="E0004", help="Write `--set n=12`.")
        if name in options:
            raise UsageError(f"the option {name} is given twice", code="E0004")
        options[name] = value
    return options


def load_rules(arguments: argparse.Namespace) -> Program:
    """The ruleset that a command was given, under the options that it was given; lowered."""
    from gamedsl.language.rules import load_program

    return load_program(arguments.file, read_options(arguments.settings))


def load_game(arguments: argparse.Namespace) -> InterpretedGame:
    """The same, ready to be played."""
    from gamedsl.engine import InterpretedGame

    return InterpretedGame(load_rules(arguments))


def whole(low: int, high: int) -> Callable[[str], int]:
    """A parser for whole numbers within limits."""

    def read(text: str) -> int:
        if not re.fullmatch(r"[0-9]{1,19}", text) or not low <= int(text) <= high:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {low} to {high}")
        return int(text)

    return read


natural = whole(0, 999_999)


def count(text: str) -> int:
    """Parses a number of things, such as ``20000``, ``20_000``, ``20k`` or ``2M``."""
    found = re.fullmatch(r"([0-9]{1,12})([kM]?)", text.replace("_", ""))
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number such as 20000, 20k or 2M")
    return int(found[1]) * {"": 1, "k": 1000, "M": 1_000_000}[found[2]]


def seconds(text: str) -> float:
    """Parses a number of seconds, such as ``20`` or ``0.5``."""
    if not re.fullmatch(r"[0-9]{1,6}(\.[0-9]{1,3})?", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds")
    return float(text)
