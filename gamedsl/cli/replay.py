"""A recorded play, ply by ply, and the list of the plays that are kept."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from gamedsl.cli.output import say, show
from gamedsl.cli.streams import ask
from gamedsl.source.diagnostic import ExitCode, UsageError
from gamedsl.terminal.session import counted
from gamedsl.terminal.texts import folded

if TYPE_CHECKING:
    from gamedsl.engine.game import Game
    from gamedsl.engine.records import Record
    from gamedsl.engine.state import State

CHANCE = "chance"


def replay(path: str, *, step: bool, to: int | None, game: str | None, options: dict[str, str]) -> int:
    """Prints the plies of a record and the position they lead to. ``step``: the position after every ply, and a wait.

    ``path`` may be a number of ``list_plays``. ``game`` and ``options`` are for lists of moves that don't tell their own.
    Of a damaged record the good part is shown, then what is wrong.
    """
    from gamedsl.engine.records import Record
    from gamedsl.terminal.kept_plays import numbered_play

    record, fault = Record.read_good_part(numbered_play(path) or path)
    played = game_of(record, game, options)
    record, bad_ply = record.good_part(played)
    _show(record, played, step, to)
    fault = bad_ply or fault
    if fault is None:
        return int(ExitCode.FINE)
    show(fault.diagnostics)
    return int(fault.exit_code)


def _show(record: Record, played: Game, step: bool, to: int | None) -> None:
    state = played.initial_state()
    most = len(record.plies) if to is None else min(to, len(record.plies))
    wait = _waiter() if step else None
    say(f"{played.title}, {counted(len(record.plies))}{_seats(record)}")
    for number, (state, move) in enumerate(record.steps(played)):
        if move is not None:
            say(f"{number}. {played.players[move.player] if move.player is not None else CHANCE}: {move}")
        if number == most:
            break
        if wait is not None:
            show_position(state)
            if not wait():
                return
    show_position(state)
    if most < len(record.plies):
        say(f"{counted(len(record.plies) - most)} to come")


def list_plays() -> int:
    """Prints the plays that are kept, the newest first; on a terminal one can be chosen by its number."""
    from gamedsl.terminal.kept_plays import kept_plays, plays_folder

    plays = list(kept_plays())
    if not plays:
        say(f"no plays are kept in {plays_folder()}; `gamedsl play GAME` keeps what is played")
        return int(ExitCode.FINE)
    width = max(len(play.shown_game) for play in plays)
    for number, play in enumerate(plays, 1):
        when = datetime.fromtimestamp(play.changed)
        end = play.result or ("being played" if play.in_use else "unfinished")
        line = f"{number:>4}  {when:%Y-%m-%d %H:%M}  {play.shown_game.ljust(width)}  {counted(play.plies):>9}  {end} ({play.seats})"
        for text in folded(line, shutil.get_terminal_size().columns):
            say(text)
    if not sys.stdin.isatty() or not sys.stdout.isatty():
        return int(ExitCode.FINE)
    chosen = ask("Number to show (Enter: none): ") or ""
    return replay(chosen, step=False, to=None, game=None, options={}) if chosen.isdecimal() else int(ExitCode.FINE)


def game_of(record: Record, game: str | None, options: dict[str, str]) -> Game:
    """The game that a record was played by."""
    from gamedsl.engine.game import Game
    from gamedsl.rules import load_program

    name = game or record.game
    if not name:
        raise UsageError("the file does not tell its game", help="say which with --game NAME")
    return Game(load_program(name, {**record.options, **options} if not game else options or record.options))


def _seats(record: Record) -> str:
    return f" ({', '.join(record.seats)})" if record.seats else ""


def show_position(state: State) -> None:
    """The board in plain text, and how the play ended if it has."""
    for line in position_lines(state):
        say(line)


def position_lines(state: State) -> Iterator[str]:
    """The lines that ``show_position`` shows."""
    from gamedsl.terminal.canvas import plain
    from gamedsl.terminal.drawing import draw
    from gamedsl.terminal.layout import Paper
    from gamedsl.terminal.view import view

    ascii_only = not (sys.stdout.encoding or "").lower().startswith("utf")
    for line in draw(view(state), Paper(rows=20, ascii=ascii_only, ends=False)):
        yield plain(line).rstrip()
    if state.is_terminal:
        yield state.outcome_text


def _waiter() -> Callable[[], bool]:
    """Waits for the Enter key; False when the person has had enough (`q`, or the end of the input)."""

    def wait() -> bool:
        answer = ask("Enter goes on, q ends: ")
        return answer is not None and not answer.lower().startswith("q")

    return wait
