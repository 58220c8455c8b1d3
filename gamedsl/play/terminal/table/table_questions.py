"""Questions at the table. Each also accepts ``quit``, ``?``, ``rules`` and ``help``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gamedsl.play.terminal.input.commands import help_lines, read_command

if TYPE_CHECKING:
    from gamedsl.play.terminal.table.saved_table import After, SavedTable

YES_NO = ("yes", "no")
_SHORT = {"y": "yes", "n": "no"}


class LeftTable(Exception):
    """Somebody left the table in the middle of a question."""


def ask(table: SavedTable, prompt: str, answers: Sequence[str], about: str, hidden: bool = False) -> str:
    """Returns one of the answers (``""`` among them: Enter alone), or ``""`` for any other input. ``about`` is shown
    for ``?``. Raises ``LeftTable`` when the person quits.
    """
    while True:
        text = table.face.ask(prompt, (), hidden).strip()
        word = text.casefold().removeprefix("/")
        word = word if word in answers else _SHORT.get(word, word)
        if word in answers:
            return word
        if is_quit(text):
            if leave(table) == "quit":
                raise LeftTable
        elif not answered(table, text, about):
            return ""


def is_quit(text: str) -> bool:
    """Whether a line asks to leave."""
    command = read_command(text)
    return command is not None and command.name == "quit"


def answered(table: SavedTable, text: str, about: str) -> bool:
    """Handles ``?``, ``help`` and ``rules``, which can be typed instead of an answer; False if the text is none of
    them."""
    command = read_command(text)
    match command.name if command is not None else "":
        case "rules":
            table.show_rules()
        case "help":
            table.say(about, *help_lines())
        case "?":
            table.say(about, "`quit` leaves, `rules` shows the rules")
        case _:
            return False
    return True


def confirm(table: SavedTable, question: str, about: str) -> bool:
    """Whether the answer to a yes-or-no question is yes. It is asked again until the answer is one of the two."""
    while True:
        answer = ask(table, f"{question} [yes/no] ", YES_NO, about)
        if answer:
            return answer == "yes"
        table.say("Answer `yes` or `no`.")


def leave(table: SavedTable) -> After:
    """Handles a wish to leave: asks whether to save, if there is anything to lose."""
    if table.session.is_empty or table.session.is_saved:
        return "quit"
    table.keep()  # (an attempt that was refused is in the record as well)
    if table.file.path is None and table.is_kept():
        table.say_whole(*table.kept_lines())
        return "quit"
    about = "`yes` saves it and leaves, `no` leaves without saving, `cancel` continues the game"
    while True:
        text = table.face.ask("Save the game first? [yes/no/cancel] ").strip()
        answer = text.casefold()
        if answer in ("n", "no"):
            return "quit"
        if answer in ("c", "cancel"):
            return "stay"
        if answer in ("y", "yes") or is_quit(text):
            table.save("")
            return "quit" if table.session.is_saved else "stay"
        if not answered(table, text, about):
            table.say(about)
