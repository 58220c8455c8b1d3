"""Arguments that several commands share."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from gamedsl import __version__
from gamedsl.cli.command_list import COMMANDS, REGISTRY
from gamedsl.language.source import PluginError, UsageError

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

Run: TypeAlias = Callable[[argparse.Namespace], int]
Subparsers: TypeAlias = "argparse._SubParsersAction[Parser]"

FINDINGS = ("github", "sarif")  # the forms in which findings are printed, besides text and JSON

_SETTING = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=[^=]*")  # what `--set` takes
_UNKNOWN = re.compile(r"unrecognized arguments: (.*)", re.S)
_INVALID_CHOICE = re.compile(r"invalid choice: '(.*)' \(choose from (.*)\)", re.S)


_EPILOG = """exit codes: 0 success, 1 the ruleset, record or data is invalid, 2 wrong usage, 3 a claim or example fails,
4 a bound was reached before an answer, 5 input or output failed. `gamedsl COMMAND --help` shows a command's arguments."""


class Parser(argparse.ArgumentParser):
    """An argument parser that reports mistakes as ``UsageError``, with suggestions. Arguments of a command and its options may
    stand in any order."""

    _is_mixing = False

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        """Parses options first and then the other arguments. (By itself, argparse takes an optional argument that follows an
        option for an unknown one.)"""
        if self._is_mixing or self._subparsers is not None:
            return super().parse_known_args(args, namespace)
        self._is_mixing = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._is_mixing = False

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
            help=_setting_meant(message) or f"see `{self.prog} --help`",
            code="E0001",
        )


def parser_with(names: Collection[str], lists_others: bool = True) -> Parser:
    """The parser of the whole program, with the arguments of the commands of these names, whose modules it imports; of the
    others it knows the names. ``lists_others``: also of those that other packages register, which takes time."""
    parser = Parser(prog="gamedsl", description="Rules of abstract games as text.", epilog=_EPILOG, allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"gamedsl {__version__}")
    commands: Subparsers = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command", required=True)
    for add in dict.fromkeys(add for name in names if (add := REGISTRY.find(name)) is not None):
        add(commands)
    offers = REGISTRY.offers() if lists_others else []
    for offer in offers:
        if offer.name in names and offer.name not in commands.choices:
            raise PluginError(
                f"the package {offer.package} registers the command `{offer.name}`, but does not add it", offer.package
            )
    for name in (*COMMANDS, *(offer.name for offer in offers)):
        if name not in commands.choices:
            add_placeholder(commands, name)
    return parser


def _setting_meant(message: str) -> str | None:
    """The cure for ``-o n=4`` in a command without an output file, and for other ways to say ``--set n=4``."""
    unknown = _UNKNOWN.match(message)
    words = re.split(r"[\s=]", unknown.group(1), maxsplit=1) if unknown else []
    if (
        len(words) == 2
        and words[0] in ("-o", "--option", "--options", "--output", "-D")
        and _SETTING.fullmatch(words[1])
    ):
        return f"An option of the ruleset is set by `--set {words[1]}`."
    return None


def _near(wrong: re.Match[str] | None) -> tuple[str, ...]:
    if wrong is None:
        return ()
    from difflib import get_close_matches  # only for mistakes

    choices = [c.strip("' ") for c in wrong.group(2).split(",")]
    return tuple(get_close_matches(wrong.group(1), choices, n=3, cutoff=0.5))


def command(commands: Subparsers, name: str, run: Run) -> Parser:
    """A new command. Its line in the list of commands comes from ``COMMANDS``, or from the package that registers it."""
    parser = add_placeholder(commands, name)
    parser.set_defaults(run=run)
    return parser


def add_placeholder(commands: Subparsers, name: str) -> Parser:
    """A command without arguments: enough for ``gamedsl --help``."""
    help = COMMANDS[name].help if name in COMMANDS else _summary(name)
    description = help[:1].upper() + help[1:].removesuffix(".") + "."
    return commands.add_parser(name, help=help.replace("%", "%%"), description=description, allow_abbrev=False)


def _summary(name: str) -> str:
    """The line in the list of commands for one of another package: what the package is, and its name."""
    found = [
        f"{offer.summary.removesuffix('.')} (package {offer.package})"
        for offer in REGISTRY.offers()
        if offer.name == name
    ]
    return "".join(found).strip()


def add_file(parser: argparse.ArgumentParser) -> None:
    """Add the argument FILE, a ruleset, which becomes ``arguments.file``: the path or the name as it was given."""
    parser.add_argument(
        "file", metavar="FILE", help="a ruleset: a path (.gdl, .json, .yaml) or the name of a shipped one"
    )


def add_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", metavar="FILE", nargs="+", help="rulesets: paths or names of shipped ones")


def add_format(parser: argparse.ArgumentParser, *others: str) -> None:
    """Add ``--format``, which becomes ``arguments.format``: text, JSON, and what else the command prints (``FINDINGS``)."""
    forms = ("text", "json", *others)
    more = "; github: annotations of GitHub Actions; sarif: SARIF 2.1.0" if others else ""
    parser.add_argument("--format", choices=forms, default="text", help=f"the form of what is printed (text){more}")
    parser.add_argument(
        "--json",
        dest="format",
        action="store_const",
        const="json",
        default=argparse.SUPPRESS,
        help="short for --format json",
    )


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--set NAME=VALUE``; the values go through ``read_options``."""
    parser.add_argument(
        "-s",
        "--set",
        dest="settings",
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="set an option of the ruleset, as in --set n=4; repeat as needed",
    )


def add_output(parser: argparse.ArgumentParser, help: str, endings: tuple[str, ...] = ()) -> None:
    """Add ``-o FILE``. With ``endings``, other file names are refused."""
    parser.add_argument("-o", "--output", metavar="FILE", type=_output_path(endings), help=help)


def _output_path(endings: tuple[str, ...]) -> Callable[[str], Path]:
    def read(text: str) -> Path:
        if _SETTING.fullmatch(text):
            raise UsageError(
                f"`-o {text}` looks like an option of the ruleset, but -o names the output file",
                help=f"Set the option with `--set {text}`. For a file of this name, write `-o ./{text}`.",
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
