"""The parser of a command: how it reports mistakes, and how its help is laid out."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, NoReturn

from gamedsl.cli.command_examples import examples_of
from gamedsl.language.source import UsageError

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

SETTING = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=[^=]*")  # a value of `--set`
WIDEST = 100  # columns of a help text
COMMON = "options of every command"
LISTS = {
    "--agents": "random,mcts:1000",
    "--seats": "random,mcts:1000",
}  # options that take a list, each with an example

_UNKNOWN = re.compile(r"unrecognized arguments: (.*)", re.S)
_INVALID_CHOICE = re.compile(r"invalid choice: '(.*)' \(choose from (.*)\)", re.S)
_AMONG_OPTIONS = re.compile(r"--?[A-Za-z][\w-]*")


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal, within limits; every option with a value shows its default."""

    def __init__(self, prog: str, width: int | None = None) -> None:
        from shutil import get_terminal_size  # start-up: for help alone

        room = min(get_terminal_size((80, 24)).columns, WIDEST) - 2
        super().__init__(prog, max_help_position=26, width=width or room)

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        """The usage line, without the options that every command has."""
        own = [action for action in actions if getattr(getattr(action, "container", None), "title", None) != COMMON]
        super().add_usage(usage, own, groups, prefix)

    def _get_help_string(self, action: argparse.Action) -> str | None:
        text = action.help
        if text is None or "(default: " in text or not shows_default(action):
            return text
        return f"{text} (default: %(default)s)"


def shows_default(action: argparse.Action) -> bool:
    """Whether an argument takes a value and has a default that can be shown unchanged."""
    return (
        action.nargs != 0
        and not any(action.default is one for one in (None, False, argparse.SUPPRESS))
        and action.default != []
    )


class Parser(argparse.ArgumentParser):
    """An argument parser that reports mistakes as ``UsageError``, with suggestions. The arguments and options of a
    command may be in any order."""

    _is_mixing = False

    def __init__(self, **given: object) -> None:
        super().__init__(**{"formatter_class": HelpFormatter, "allow_abbrev": False, **given})  # type: ignore[arg-type]
        self._positionals.title = "arguments"

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        """Parses options first and then the other arguments. (By default, argparse reports an optional argument after
        an option as unknown.)"""
        if self._is_mixing or self._subparsers is not None:
            return super().parse_known_args(args, namespace)
        self._is_mixing = True
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self._is_mixing = False

    def format_help(self) -> str:
        """The help; that of a command ends with examples."""
        text = super().format_help()
        examples = examples_of(self.prog.rpartition(" ")[2])
        if not examples:
            return text
        lines = [f"  {line}\n      {what}" for line, what in examples]
        return "\n".join([text.rstrip("\n"), "", "examples:", *lines, ""])

    def _print_message(self, message: str, file: SupportsWrite[str] | None = None) -> None:
        """Writes help and version. Unlike argparse, it does not hide failed output."""
        (file or sys.stdout).write(message)

    def error(self, message: str) -> NoReturn:
        wrong = _INVALID_CHOICE.search(message)
        unknown = _UNKNOWN.match(message)
        near: tuple[str, ...] = ()
        if wrong:
            near = _close(wrong.group(1), [c.strip("' ") for c in wrong.group(2).split(",")])
        elif unknown and _AMONG_OPTIONS.match(unknown.group(1)):
            options = [text for action in self.asked._actions for text in action.option_strings]
            near = _close(unknown.group(1).split()[0].partition("=")[0], options)
        raise UsageError(
            _sentence(message, wrong, unknown),
            near=near,
            help=_setting_meant(unknown) or self._list_meant(unknown) or f"See `{self.asked.prog} --help`.",
            code="E0001",
        )

    def _list_meant(self, unknown: re.Match[str] | None) -> str | None:
        """The advice for a list that is divided by spaces, in a command that takes one."""
        if unknown is None or _AMONG_OPTIONS.match(unknown.group(1)):
            return None
        lists = [text for action in self.asked._actions for text in action.option_strings if text in LISTS]
        return (
            f"The values of `{lists[0]}` are divided by commas, without spaces: `{lists[0]} {LISTS[lists[0]]}`."
            if lists
            else None
        )

    @property
    def asked(self) -> Parser:
        """The parser whose options could be meant."""
        return self


def _sentence(message: str, wrong: re.Match[str] | None, unknown: re.Match[str] | None) -> str:
    """The complaint of argparse in our words."""
    named = re.match(r"argument ([^:]+): ", message)
    name = f"`{named.group(1)}`" if named else ""
    if wrong and named and named.group(1) == "COMMAND":
        return f"there is no command `{wrong.group(1)}`"
    if wrong and named:
        choices = ", ".join(c.strip("' ") for c in wrong.group(2).split(","))
        return f"{name} cannot be {wrong.group(1)!r}; it must be one of {choices}"
    if unknown:
        words = unknown.group(1).split()
        kind = "option" if _AMONG_OPTIONS.match(words[0]) else "argument"
        return f"there is no {kind} `{words[0]}`" if kind == "option" else f"`{words[0]}` is one argument too many"
    missing = re.fullmatch(r"the following arguments are required: (.*)", message, re.S)
    if missing:
        return f"{missing.group(1)} is missing"
    if named and message.endswith("expected one argument"):
        return f"{name} needs a value"
    together = re.fullmatch(r"argument ([^:]+): not allowed with argument (.*)", message, re.S)
    if together:
        return f"`{together.group(1)}` and `{together.group(2)}` cannot be combined"
    return f"{name}: {message[named.end() :]}" if named else message


def _setting_meant(unknown: re.Match[str] | None) -> str | None:
    """The advice for ``-o n=4`` in a command without an output file, and for other misspellings of ``--set n=4``."""
    words = re.split(r"[\s=]", unknown.group(1), maxsplit=1) if unknown else []
    if (
        len(words) == 2
        and words[0] in ("-o", "--option", "--options", "--output", "-D")
        and SETTING.fullmatch(words[1])
    ):
        return f"An option of the ruleset is set by `--set {words[1]}`."
    return None


def _close(wrong: str, choices: list[str]) -> tuple[str, ...]:
    from difflib import get_close_matches  # only for mistakes

    return tuple(dict.fromkeys(get_close_matches(wrong, choices, n=3, cutoff=0.5)))
