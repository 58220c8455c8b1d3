"""The commands that a person can type instead of a move."""

from __future__ import annotations

from gamedsl.language.source import lazy_dataclass

# name, argument, what it does
COMMANDS = (
    ("?", "[TEXT]", "list the legal moves, or those that contain TEXT, with numbers to choose by"),
    ("why", "MOVE", "explain why a move is not legal: the rule, its clause and its line"),
    ("hint", "", "suggest a move, with the expected result"),
    ("eval", "", "show who is ahead, and the best moves"),
    ("undo", "[N]", "take back the last move, or N plies"),
    ("redo", "", "redo what was taken back"),
    ("history", "", "list all plies so far"),
    ("board", "", "show the board"),
    ("redraw", "", "redraw the sheet, if that is offered"),
    ("rules", "", "show the rules of the game"),
    ("save", "[FILE]", "save the game"),
    ("quit", "", "leave; the game is saved (unless `--no-save` is given)"),
    ("help", "", "this list"),
)
_OTHER_NAMES = {"moves": "?", "legal": "?", "h": "help", "q": "quit", "exit": "quit", "u": "undo", "b": "board"}
_NAMES = {name for name, _, _ in COMMANDS}
_TAKES_NOTHING = {name for name, argument, _ in COMMANDS if not argument}


@lazy_dataclass(frozen=True)
class Command:
    """A command with its argument."""

    name: str
    argument: str = ""


def read_command(text: str) -> Command | None:
    """Returns the command in a line; None if there is none. ``/undo`` is a command even if a move is called "undo"."""
    text = text.strip().removeprefix("/")
    if text.startswith("?"):
        return Command("?", text[1:].strip())
    name, _, argument = text.partition(" ")
    name = _OTHER_NAMES.get(name.casefold(), name.casefold())
    if name not in _NAMES or (argument.strip() and name in _TAKES_NOTHING):
        return None
    if name == "undo" and argument.strip() and not argument.strip().isdecimal():
        return None
    return Command(name, argument.strip())


def help_lines() -> list[str]:
    """The list of commands, for people."""
    lines = ["Type a move, part of a move to choose from a list, or a command:"]
    lines += [f"  {f'{name} {argument}'.ljust(12)} {what}" for name, argument, what in COMMANDS]
    lines.append("Short: `u` undo, `q` quit, `b` board, `h` help.")
    return [*lines, "With / in front (/undo), a command is never mistaken for a move."]
