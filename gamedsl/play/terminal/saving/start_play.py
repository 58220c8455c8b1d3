"""Starts a game: a new one, or one that is resumed, even from a damaged record."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from gamedsl.engine import Game, InterpretedGame, Record, is_exploration, play_error
from gamedsl.language.source import GameDSLError, UsageError, lazy_dataclass, open_file
from gamedsl.play.terminal.saving.autosave import Autosave
from gamedsl.play.terminal.saving.kept_plays import KeptPlay, lasting_name, numbered_play, plays_folder, unfinished
from gamedsl.play.terminal.saving.save_file import SaveFile, resume_command
from gamedsl.play.terminal.session.seats import check_seats, make_seats
from gamedsl.play.terminal.session.session import Session
from gamedsl.play.terminal.texts.messages import counted

if TYPE_CHECKING:
    from gamedsl.engine import State


@lazy_dataclass()
class Start:
    """A game to begin: its file for saving on request, its automatic save, and the first messages."""

    session: Session
    file: SaveFile
    autosave: Autosave | None = None
    notes: tuple[str, ...] = ()


def new(
    name: str | None,
    options: Mapping[str, str],
    seats: str | None,
    seed: int | None,
    save: str | None,
    keep: bool,
    position: Callable[[Game], State] | None = None,
) -> Start:
    """A new play. ``keep``: as it goes, unless it has a file of its own. ``position``: where it begins, if not at the first
    position."""
    from gamedsl.language.rules import load_program  # start-up: a refused game loads no rules

    if name is None:
        raise UsageError("no game is named", help="write `gamedsl play GAME`; `gamedsl list` shows the shipped games")
    game = InterpretedGame(load_program(name, options))
    number = seed if seed is not None else secrets.randbelow(10**9)
    players = make_seats(seats, game.players)
    check_seats(players, game)
    session = Session(
        game, name, players, number, "" if position is None else position(game).position_text(one_line=True)
    )
    return Start(session, _file(save, None), Autosave() if keep and save is None else None)


def resumed(path: str, name: str | None, options: Mapping[str, str], seats: str | None, save: str | None) -> Start:
    """The game of a record, which grows with the game; ``path`` may be a number of ``gamedsl replay``."""
    kept = numbered_play(path)
    if kept is not None:
        path = str(kept)
    autosave = Autosave(Path(path)) if Path(path).resolve().parent == plays_folder().resolve() else None
    file: SaveFile | None = None
    try:
        file = _file(save, None if autosave else path)
        session, notes = _session(path, name, options, seats)
    except GameDSLError:
        for place in (autosave, file):
            if place is not None:
                place.close()
        raise
    if autosave is not None:
        autosave.adopt(session)
    start = Start(session, file, autosave, notes)
    if notes and save in (None, path):  # the good part replaces the whole record, which has been copied
        (autosave or start.file).save(session)
    return start


def unfinished_play(
    name: str | None, options: Mapping[str, str], seats: str | None, seed: int | None
) -> tuple[Start, KeptPlay, int] | None:
    """The unfinished game to offer to a person who begins one (the one played last), and the number of others."""
    plays = list(unfinished(name, options, seats, seed))
    for i, play in enumerate(plays):
        try:
            return resumed(str(play.path), None, {}, None, None), play, len(plays) - i - 1
        except GameDSLError:  # its rules have changed since, for example
            continue
    return None


def _session(
    path: str, name: str | None, options: Mapping[str, str], seats: str | None
) -> tuple[Session, tuple[str, ...]]:
    from gamedsl.language.rules import load_program  # start-up: a refused game loads no rules

    record, fault = Record.read_good_part(path)
    if record.source is not None and is_exploration(record.source.text):
        raise UsageError(
            f"`{path}` is an exploration, not one game",
            help=f"`gamedsl replay {path}` shows it; a page opens it with its variations.",
        )
    if not record.game:
        raise UsageError(f"`{path}` is a list of moves, not a record of a game: it does not name its game")
    if name is not None and lasting_name(name) != lasting_name(record.game):
        raise UsageError(f"`{path}` is a game of `{record.game}`, not of `{name}`")
    for key, value in options.items():
        if record.options.get(key) != value:
            raise UsageError(f"the game in `{path}` has {key} = {record.options.get(key)}; it cannot be changed now")
    game = InterpretedGame(load_program(record.game, record.options))
    record, bad_ply = record.good_part(game)
    fault = bad_ply or fault
    wanted = seats if seats is not None else ",".join(record.seats) or None
    number = record.seed if record.seed is not None else secrets.randbelow(10**9)
    players = make_seats(wanted, game.players)
    check_seats(players, game)
    session = Session.resume(game, record, players, number)
    return session, (_salvaged(path, record, fault, game.secrets.hides) if fault is not None else ())


def _salvaged(path: str, record: Record, fault: GameDSLError, hides: bool) -> tuple[str, ...]:
    """Copies a damaged file to one beside it, and returns lines about it, without the fault if that could reveal
    hidden information."""
    found = fault.diagnostics[0]
    copy = _copied(Path(path))
    is_head = bool(record.plies) and found.span.line < record.plies[0].line
    good = "that today's rules allow are kept" if is_head else "before that are good"
    return (
        f"`{path}` is damaged ({found.code})" + ("" if hides else f": {found.message}"),
        f"the {counted(len(record.plies))} {good}; the whole file was copied to `{copy}`",
    )


def _copied(path: Path) -> Path:
    """Copies a file to an unused name beside it, and returns that."""
    for number in range(1, 1000):
        copy = path.with_name(f"{path.name}.damaged-{number}")
        try:
            with copy.open("xb") as target, open_file(path) as source:
                shutil.copyfileobj(source, target)
            return copy
        except FileExistsError:
            continue
        except OSError as error:
            raise play_error("E0530", f"{copy} cannot be written: {error.strerror or error}") from error
    raise play_error("E0530", f"there are too many damaged copies of {path}")


def _file(save: str | None, resume: str | None) -> SaveFile:
    """The file to save in: the one named for it, else the one that the game came from."""
    if save is not None and save != resume and os.path.exists(save):
        raise UsageError(
            f"the file `{save}` already exists", help=f"to continue it: {resume_command(save)}; else name another"
        )
    path = save if save is not None else resume
    file = SaveFile(path, own=resume is not None and path == resume, always=path is not None)
    if path is not None:
        file.take(path)
    return file
