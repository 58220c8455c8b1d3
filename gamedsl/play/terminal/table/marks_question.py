"""The choice of marks by the people at the table before the first ply, if the ruleset lets them choose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.engine.picture import chooses_marks
from gamedsl.language.core import chosen_signs
from gamedsl.language.source import UsageError
from gamedsl.play.terminal.table.table_questions import LeftTable, answered, is_quit, leave

if TYPE_CHECKING:
    from gamedsl.play.terminal.table.saved_table import SavedTable

ABOUT = "Your mark is what the board shows for you: any sign, as long as no two look alike. Enter keeps the usual one."


def ask_marks(table: SavedTable) -> None:
    """Asks every person for a mark until it is valid. Asks nothing if no person uses the terminal."""
    session = table.session
    table.asks_marks = False
    if not table.face.has_people or not chooses_marks(session.game.program):
        return
    marks = list(session.marks) or [""] * session.game.num_players
    for seat in session.humans:
        name, usual = session.game.players[seat], chosen_signs(session.game.program.parts[0])[seat]
        while not _is_chosen(table, f"{name}, your mark (Enter keeps {usual or 'the usual sign'})> ", marks, seat):
            pass


def _is_chosen(table: SavedTable, prompt: str, marks: list[str], seat: int) -> bool:
    text = table.face.ask(prompt).strip()
    if len(text) > 1 and is_quit(text):
        if leave(table) == "quit":
            raise LeftTable
        return False
    if text == "?" or len(text) > 1:  # (a letter alone is a mark, and not short for a command)
        if answered(table, text, ABOUT):
            return False
    try:
        table.session.choose_marks([*marks[:seat], text, *marks[seat + 1 :]], table.face.viewport.ascii)
    except UsageError as mistake:
        table.say(*(d.message for d in mistake.diagnostics))
        return False
    marks[seat] = text
    return True
