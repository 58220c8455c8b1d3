"""The parser of the whole program, and its help: the commands in groups."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from gamedsl import __version__
from gamedsl.cli.arguments import Subparsers, add_common, add_placeholder
from gamedsl.cli.command_list import COMMANDS, REGISTRY
from gamedsl.cli.command_parser import Parser
from gamedsl.language.source import ExitCode, PluginError

DESCRIPTION = "Play, write and examine abstract games whose rules are text."
OF_PACKAGES = "Of other packages"
WITH_VALUES = ("--color",)  # options before the command that take a value

EXIT_CODES = {
    int(ExitCode.FINE): "The command succeeded and found nothing wrong.",
    int(ExitCode.INVALID): "A ruleset, a record, a position or data is invalid; `fmt --check`: a file would change.",
    int(ExitCode.USAGE): "The command line is wrong: an unknown command or option, or a file that does not exist.",
    int(ExitCode.FAILED): "A claim is violated, an example fails, or `--at-least` is not reached.",
    int(ExitCode.BOUND): "A bound was reached before an answer was known.",
    int(ExitCode.IO): "Input or output failed: a file, a folder, a stream or the network.",
    70: "An internal error: please report it. GAMEDSL_DEBUG=1 shows where it occurred.",
    130: "The command was interrupted (Ctrl-C). Results so far are shown.",
    141: "The program that was reading the output has ended.",
}
EPILOG = """exit codes: 0 success, 1 a ruleset, record or data is invalid, 2 wrong usage, 3 a claim or example fails,
4 a bound was reached before an answer, 5 input or output failed

`gamedsl help COMMAND` shows the options of a command, their defaults, and examples."""


class ProgramParser(Parser):
    """The parser of the whole program. Its help lists the commands by group."""

    commands: Subparsers
    wanted = ""  # the name of the command

    @property
    def asked(self) -> Parser:
        return self.commands.choices.get(self.wanted, self)

    def name_others(self, *of_packages: str) -> None:
        """Adds the names of all commands that it does not have yet."""
        for name in (*COMMANDS, *of_packages):
            if name not in self.commands.choices:
                add_placeholder(self.commands, name)

    def format_help(self) -> str:
        self.name_others()
        formatter = self._get_formatter()
        formatter.add_text(self.description)
        formatter.add_text("usage: gamedsl COMMAND [ARGUMENTS]")
        lines = {action.dest: action.help or "" for action in self.commands._choices_actions}
        width = max(map(len, lines))
        text = [formatter.format_help().rstrip()]
        for group, names in groups(lines).items():
            text += ["", f"{group}:", *(f"  {name.ljust(width)}  {lines[name] % {}}" for name in names)]
        formatter = self._get_formatter()
        for section in self._action_groups:
            if section._group_actions and self.commands not in section._group_actions:
                formatter.start_section(section.title)
                formatter.add_arguments(section._group_actions)
                formatter.end_section()
        formatter.add_text(self.epilog)
        return "\n".join([*text, "", formatter.format_help().lstrip("\n")])


def groups(names: Collection[str]) -> dict[str, list[str]]:
    """Names of commands by their groups, in the order of ``COMMANDS``; those of other packages come last."""
    found: dict[str, list[str]] = {}
    for name in (*COMMANDS, *(name for name in names if name not in COMMANDS)):
        if name in names:
            found.setdefault(COMMANDS[name].group if name in COMMANDS else OF_PACKAGES, []).append(name)
    return found


def command_named(words: Sequence[str]) -> str:
    """The name of the command in a command line; empty if there is none."""
    before = ""
    for word in words:
        if not word.startswith("-") and before not in WITH_VALUES:
            return word
        before = word
    return ""


def parser_with(names: Collection[str], lists_others: bool = True) -> ProgramParser:
    """The parser of the whole program, with the arguments of the commands of these names, whose modules it imports.
    ``lists_others``: with the names of the other commands, those of other packages included, which takes time."""
    parser = ProgramParser(prog="gamedsl", description=DESCRIPTION, epilog=EPILOG, add_help=False)
    parser.commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", dest="command", required=True, parser_class=Parser
    )
    parser.wanted = next(iter(names), "") if len(names) == 1 else ""
    add_common(parser)
    parser._action_groups[-1].add_argument(
        "--version", action="version", version=f"gamedsl {__version__}", help="show the version of gamedsl"
    )
    for add in dict.fromkeys(add for name in names if (add := REGISTRY.find(name)) is not None):
        add(parser.commands)
    offers = REGISTRY.offers() if lists_others else []
    for offer in offers:
        if offer.name in names and offer.name not in parser.commands.choices:
            raise PluginError(
                f"the package {offer.package} registers the command `{offer.name}`, but does not add it", offer.package
            )
    if lists_others:
        parser.name_others(*(offer.name for offer in offers))
    return parser


def refuse_unknown(name: str, parser: ProgramParser) -> None:
    """Raises ``UsageError`` if the program has no such command."""
    if name not in parser.commands.choices:
        choices = ", ".join(f"'{one}'" for one in parser.commands.choices)
        parser.error(f"argument COMMAND: invalid choice: '{name}' (choose from {choices})")
