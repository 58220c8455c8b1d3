"""A recorded play, ply by ply."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from gamedsl.cli.output import say
from gamedsl.source.diagnostic import ExitCode, UsageError

if TYPE_CHECKING:
    from gamedsl.engine.game import Game
    from gamedsl.engine.moves import Move
    from gamedsl.engine.records import Record
    from gamedsl.engine.state import State

CHANCE = "chance"


def replay(path: str, *, step: bool, to: int | None, game: str | None, options: dict[str, str]) -> int:
    """Prints the plies of a record and the position they lead to. ``step``: the position after every ply, and a wait.

    ``game`` and ``options`` are for lists of moves that don't tell their own.
    """
    from gamedsl.engine.records import Record

    record = Record.read(path)
    played = game_of(record, game, options)
    state = played.initial_state()
    most = len(record.plies) if to is None else min(to, len(record.plies))
    wait = _waiter() if step else None
    say(f"{played.title}, {_counted(len(record.plies))}{_seats(record)}")
    for number, (state, move) in enumerate(_steps(record, played)):
        if move is not None:
            say(f"{number}. {played.players[move.player] if move.player is not None else CHANCE}: {move}")
        if number == most:
            break
        if wait is not None:
            show_position(state)
            if not wait():
                return int(ExitCode.FINE)
    show_position(state)
    if most < len(record.plies):
        say(f"{_counted(len(record.plies) - most)} to come")
    return int(ExitCode.FINE)


def game_of(record: Record, game: str | None, options: dict[str, str]) -> Game:
    """The game that a record was played by."""
    from gamedsl.engine.game import Game
    from gamedsl.rules import load_program

    name = game or record.game
    if not name:
        raise UsageError("the file does not tell its game", help="say which with --game NAME")
    return Game(load_program(name, {**record.options, **options} if not game else options or record.options))


def _steps(record: Record, game: Game) -> Iterator[tuple[State, Move | None]]:
    yield from record.steps(game)


def _counted(plies: int) -> str:
    return f"{plies} {'ply' if plies == 1 else 'plies'}"


def _seats(record: Record) -> str:
    return f" ({', '.join(record.seats)})" if record.seats else ""


def show_position(state: State) -> None:
    """The board in plain text, and who is to act or how the play ended."""
    from gamedsl.terminal.canvas import plain
    from gamedsl.terminal.drawing import draw
    from gamedsl.terminal.layout import Paper
    from gamedsl.terminal.view import view

    ascii_only = not (sys.stdout.encoding or "").lower().startswith("utf")
    for line in draw(view(state), Paper(ascii=ascii_only)):
        say(plain(line).rstrip())
    if state.is_terminal:
        say(state.outcome_text)


def _waiter() -> Callable[[], bool]:
    """Waits for the Enter key; False when the person has had enough (`q`, or the end of the input)."""

    def wait() -> bool:
        try:
            return not input("Enter goes on, q ends: ").strip().lower().startswith("q")
        except EOFError:
            return False

    return wait
