"""Stepping through a finished game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.play.terminal.table.table_questions import ask
from gamedsl.play.terminal.texts import messages

if TYPE_CHECKING:
    from gamedsl.play.terminal.table.table import Table

_STEPS = {"": 1, "next": 1, "n": 1, "back": -1, "b": -1}
_WORDS = ("", "next", "n", "back", "b", "first", "last", "done", "d")
_ABOUT = "Enter goes one step forward, `back` one back, `first` and `last` to the ends, a number to that step; `done` ends the review"


def review(table: Table) -> None:
    """Shows the position after every ply, forward and back, as far as the people who played may see it."""
    log = table.session.log(table.session.viewer)
    places = list(dict.fromkeys([0, *(entry.at for entry in log)]))  # plies that became known together are one step
    step, last = 0, len(places) - 1
    while True:
        _show(table, places[step])
        word = ask(
            table, f"step {step} of {last}: Enter, back, N, done> ", (*_WORDS, *map(str, range(last + 1))), _ABOUT
        )
        if word in ("done", "d"):
            return
        if word in _STEPS:
            step = min(max(step + _STEPS[word], 0), last)
        elif word in ("first", "last"):
            step = 0 if word == "first" else last
        elif word.isdecimal():
            step = int(word)


def _show(table: Table, at: int) -> None:
    """Shows the position at a place in the game's moments, the plies that led to it, and the result if it is the
    last."""
    session = table.session.until(at)
    table.show_board(session.viewer, session.picture(session.viewer))
    table.say(
        *(
            messages.ply_line(e.number, session.ply_text(e, short=True))
            for e in session.log(session.viewer)
            if e.at == at
        )
    )
    if session.state.is_terminal:
        table.say(*map(session.shown, messages.result_lines(session.state)))
