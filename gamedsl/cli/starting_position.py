"""The starting position of a command: the first position, the one after some moves, a saved state, or a position in
text."""

from __future__ import annotations

import argparse
import re
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from gamedsl.language.source import UsageError, is_regular

if TYPE_CHECKING:
    from gamedsl.engine import Game, Record, State


def add_start(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments ``--from`` and ``--position``."""
    parser.add_argument(
        "--from",
        dest="start",
        metavar="MOVES",
        help="begin after these moves, joined by `;`; or after those of a record, or at a saved state: a file, or - for "
        "standard input (default: the first position)",
    )
    parser.add_argument(
        "--position",
        metavar="FILE",
        help="begin at a position, a file or -; see `gamedsl position` (default: the first position)",
    )


def add_seat(parser: argparse.ArgumentParser) -> None:
    """Adds the argument ``--seat``."""
    parser.add_argument(
        "--seat", metavar="NAME", help="show only what this player may know (default: shows everything)"
    )


def starting_state(game: Game, start: str | None, position: str | None = None) -> State:
    """The state at which a command starts: the initial state or that of a position, or the state after moves from
    there, or one from a file (a saved state, a record, an exploration or a plain list of moves)."""
    state = game.initial_state() if position is None else state_of_position(game, position)
    if start is None:
        return state
    path = _file_named(start)
    if path is not None:
        if position is not None:
            raise UsageError(
                "`--position` and a file after `--from` cannot be combined",
                help="Name one of the two; moves may follow a position.",
            )
        return _state_of_file(game, path)
    for text in _moves(start):
        *_, (_, state) = game.play_text(text, state)
    return state


def record_named(game: Game, start: str) -> Record:
    """The record in a file, or that of the game that begins with some moves, joined by ``;``. Raises ``GameDSLError`` if
    it is not a game of these rules."""
    from gamedsl.engine import Record

    path = _file_named(start)
    if path is not None:
        record = Record.read(path)
        record.replay(game)  # raises for a move that these rules do not have
        return record
    state, record = game.initial_state(), Record.begin(game, game.program.name)
    for text in _moves(start):
        for move, after in game.play_text(text, state):
            state, record = after, record.plus_move(game, move)
    return record


def _file_named(start: str) -> Path | None:
    """The file that the argument ``--from`` names; None for moves. Raises ``UsageError`` (E0002) if there is no such
    file."""
    path = Path(start)
    if is_regular(path):  # (a long list of moves is not a path)
        return path
    if path.suffix and not path.suffix.isspace() and "/" in start:
        raise UsageError(f"there is no file `{start}`", code="E0002")
    return None


def _moves(text: str) -> list[str]:
    """The moves in a string, joined by ``;`` or numbered (``1. e4 e5``)."""
    from gamedsl.engine import Record

    if ";" not in text and re.match(r"\s*1\.", text):
        return [entry.text for entry in Record.parse(text, "FROM", has_numbers=True).plies]
    return [m for m in (m.strip() for m in text.replace("\n", ";").split(";")) if m]


def state_of_position(game: Game, position: str) -> State:
    """The state of a position in a file, or written on the command line."""
    from gamedsl.engine import position_notations
    from gamedsl.language.rules import read_text

    path = Path(position)
    if is_regular(path):
        return game.position(read_text(path).text, position)
    is_notation = bool(position_notations(game.program)) and " " in position
    if "\n" in position or position.lstrip().startswith("{") or is_notation:
        return game.position(position, "--position")
    raise UsageError(f"there is no file `{position}`", code="E0002", help="`gamedsl position GAME` prints positions.")


def seat_named(game: Game, name: str) -> int:
    """The seat of a player. Raises ``UsageError`` if there is no such player."""
    if name not in game.players:
        near = tuple(get_close_matches(name, game.players, n=3, cutoff=0.5))
        raise UsageError(f"there is no player {name}", near=near, help=f"The players are {', '.join(game.players)}.")
    return game.players.index(name)


def _state_of_file(game: Game, path: Path) -> State:
    from gamedsl.engine import Record, is_exploration, read_exploration
    from gamedsl.language.rules import read_text

    source = read_text(path)
    text = source.text
    if is_exploration(text):
        found = read_exploration(source)
        return found.steps(game)[found.at][0]  # the position that it shows
    if text.lstrip().startswith("{"):
        return game.deserialize(text)
    return Record.read(path).replay(game)[-1]
