"""The commands that can be typed at the table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from gamedsl.language.source import missing_library
from gamedsl.play.terminal.input.commands import Command, help_lines
from gamedsl.play.terminal.input.read_typed_move import Illegal, Legal, Partial, Several, Unknown, read_typed
from gamedsl.play.terminal.table.advice import Writer, eval_lines, hint_lines, why_none
from gamedsl.play.terminal.table.table_questions import leave
from gamedsl.play.terminal.texts import messages
from gamedsl.play.terminal.texts.move_list import matching

if TYPE_CHECKING:
    from gamedsl.engine import State
    from gamedsl.play.terminal.table.saved_table import After, SavedTable


def act(table: SavedTable, command: Command, player: int) -> After:
    """Runs a command; "done" if it ends the turn."""
    argument = command.argument
    actions: dict[str, Callable[[], After | None]] = {
        "?": lambda: list_moves(table, argument, player),
        "why": lambda: why(table, argument, player),
        "hint": lambda: advise(table, hint_lines, player),
        "eval": lambda: advise(table, eval_lines, player),
        "undo": lambda: undo(table, argument),
        "redo": lambda: redo(table),
        "history": lambda: history(table, player),
        "board": lambda: table.show_board(player),
        "redraw": lambda: redraw(table, player),
        "rules": table.show_rules,
        "save": lambda: table.save(argument),
        "help": lambda: table.say(*help_lines()),
        "quit": lambda: leave(table),
    }
    return actions[command.name]() or "stay"


def list_moves(table: SavedTable, text: str, player: int) -> None:
    """Lists the legal moves, or those that contain a text, with numbers."""
    found = matching(table.session.state.legal_moves(player), text, table.session.text)
    if not found:
        table.say(f"no legal move contains {text!r}" if text else "there are no moves to list now")
        return
    table.show_moves(found, bool(text))


def why(table: SavedTable, text: str, player: int) -> None:
    """Shows the rules that forbid a move."""
    if not text:
        table.say("write `why MOVE`")
        return
    match read_typed(table.session, text, player):
        case Illegal(move, reasons):
            table.say(f"{table.session.text(move)} is not legal:", *messages.refusal_lines(reasons))
        case Legal(move, mistake):
            table.say(f"{table.session.text(move)} is {'an error that players can make' if mistake else 'legal'}")
        case Partial(move):
            table.say(f"{table.session.text(move)} is legal")
        case Several(moves):
            table.say("similar legal moves:")
            table.show_moves(moves, True)
        case Unknown(diagnostics):
            table.say(*messages.diagnostic_lines(diagnostics))


def advise(table: SavedTable, lines: Callable[[State, int, bool, Writer], list[str]], player: int) -> None:
    """Shows the result of a short search."""
    refusal = why_none(table.session.state)
    if refusal is not None:
        table.say(refusal)
        return
    table.say_in_passing("thinking ...")
    try:
        found = lines(table.session.state, player, table.face.viewport.ascii, table.session.notated)
    except ImportError as error:  # a search needs the compiler
        if (missing := missing_library(error)) is None:
            raise
        found = [line for d in missing.diagnostics for line in (d.message, d.help) if line]
    table.say(*map(table.session.shown, found))


def undo(table: SavedTable, argument: str = "") -> After:
    """Takes back one ply, or the number in the argument."""
    if argument and (not argument.isdecimal() or int(argument) < 1):
        table.say("write `undo`, or `undo N` to take back N plies")
        return "stay"
    refusal = table.session.history.undo(int(argument or 1))
    if refusal is not None:
        table.say(refusal)
        return "stay"
    undone = table.session.history.undone[-1]
    before = [table.session.now, *undone]
    taken = [
        table.session.written(m.move, True, b.state) for b, m in zip(before, undone, strict=False) if m.move is not None
    ]
    table.tell(f"taken back: {', '.join(taken)}")
    return _show_moved(table)


def redo(table: SavedTable) -> After:
    """Redoes the last undo."""
    refusal = table.session.history.redo()
    if refusal is not None:
        table.say(refusal)
        return "stay"
    return _show_moved(table)


def _show_moved(table: SavedTable) -> After:
    """Saves and announces the game after an undo or redo."""
    table.plies_shown = min(table.plies_shown, len(table.session.log(table.session.viewer)))
    table.after_play()
    return "done"


def history(table: SavedTable, player: int | None) -> None:
    """Lists all plies by number, as far as the seat may know them."""
    session = table.session
    log = session.log(session.viewer if player is None else player)
    plies = [messages.ply_line(entry.number, session.ply_text(entry, short=True)) for entry in log]
    table.say_long(plies or ["nothing has been played yet"])


def redraw(table: SavedTable, player: int) -> None:
    """Redraws the sheet."""
    if table.session.redraw(player):
        table.show_board(player)
    else:
        table.say("nothing on the sheet needs redrawing")
