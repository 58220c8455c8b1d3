"""Choices after a game: reviewing it, taking plies back, another game, saving."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from gamedsl.play.terminal.input.commands import Command, read_command
from gamedsl.play.terminal.table import table_actions
from gamedsl.play.terminal.table.review import review
from gamedsl.play.terminal.table.table_questions import LeftTable, is_quit

if TYPE_CHECKING:
    from gamedsl.play.terminal.table.table import Table

Next: TypeAlias = Literal["undo", "rematch", "quit"]
PROMPT = "review, undo, rematch, save, quit> "
PROMPT_OF_PARTS = f"boards, {PROMPT}"
_ABOUT = (
    "The game is over.",
    "  review       step through the game",
    "  undo [N]     take back plies and play on from there",
    "  rematch      play again, with the seats rotated",
    "  save [FILE]  save it to a file",
    "  history, board, rules",
    "  quit         leave",
)
_ABOUT_PARTS = "  boards       show the last boards of the games before"
_SHORT = {"r": "review"}


def after_the_end(table: Table) -> Next:
    """Asks until somebody wants to play on or leaves."""
    has_parts = bool(table.session.picture(table.session.viewer).past)
    while True:
        text = table.face.ask(PROMPT_OF_PARTS if has_parts else PROMPT).strip()
        word = _SHORT.get(text.casefold().removeprefix("/"), text.casefold().removeprefix("/"))
        command = read_command(text)
        if is_quit(text):
            return "quit"
        if word == "rematch":
            return "rematch"
        if word == "review":
            try:
                review(table)
            except LeftTable:
                return "quit"
            table.finish()
        elif has_parts and word == "boards":
            table.show_past_boards()
        elif command is not None and command.name in ("undo", "save", "history", "board", "rules"):
            if _done(table, command):
                return "undo"
        elif text:
            table.say(*_ABOUT, *([_ABOUT_PARTS] if has_parts else []))


def _done(table: Table, command: Command) -> bool:
    """Runs a command; True if the game continues after it."""
    match command.name:
        case "undo":
            return table_actions.undo(table, command.argument) == "done"
        case "save":
            table.save(command.argument)
        case "history":
            table_actions.history(table, None)
        case "board":
            table.finish()
        case "rules":
            table.show_rules()
    return False
