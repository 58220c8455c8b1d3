"""``completions``: prints the script that lets a shell complete commands, options and names of rulesets."""

from __future__ import annotations

import argparse

from gamedsl.cli.arguments import Subparsers, command
from gamedsl.cli.command_list import COMMANDS
from gamedsl.cli.output import say
from gamedsl.cli.program_parser import parser_with
from gamedsl.language.source import ExitCode, missing_library

SHELLS = ("bash", "zsh", "tcsh")
RULESETS = ("GAME",)  # metavars of arguments that take the name of a shipped ruleset, or a path
PATHS = ("FILE", "FOLDER", "RECORD", "OUTPUT")


def add(commands: Subparsers) -> None:
    parser = command(commands, "completions", run_completions)
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=f"the shell: {', '.join(SHELLS)}")


def run_completions(arguments: argparse.Namespace) -> int:
    say(completions(arguments.shell).rstrip("\n"))
    return int(ExitCode.FINE)


def completions(shell: str) -> str:
    """The script for a shell. Raises ``UsageError`` if shtab, which writes it, is not installed."""
    try:
        import shtab
    except ImportError as error:
        raise (missing_library(error) or error) from None
    parser = parser_with(COMMANDS)
    rulesets = {"bash": "_gamedsl_rulesets", "zsh": "_gamedsl_rulesets", "tcsh": "f"}
    for action in _actions(parser):
        if action.metavar in RULESETS and not action.option_strings:
            action.complete = rulesets  # type: ignore[attr-defined]
        elif action.metavar in (*RULESETS, *PATHS):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
    return shtab.complete(parser, shell, preamble=_preamble().get(shell, ""))


def _actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """The arguments of a parser and of the commands below it."""
    found = []
    for action in parser._actions:
        found.append(action)
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                found += _actions(below)
    return found


def _preamble() -> dict[str, str]:
    """Functions of the shells that list the shipped rulesets, and files."""
    from gamedsl.language.rules import shipped

    names = " ".join(sorted(shipped()))
    return {
        "bash": f'_gamedsl_rulesets() {{ compgen -W "{names}" -- "$1"; compgen -f -- "$1"; }}',
        "zsh": f"_gamedsl_rulesets() {{ compadd {names}; _files }}",
    }
