"""``gamedsl play``: sets up a game, runs it, and loses nothing however it ends."""

from __future__ import annotations

import os
import secrets
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import field
from types import FrameType
from typing import TYPE_CHECKING

from gamedsl.language.source import ExitCode, GameDSLError, lazy_dataclass
from gamedsl.play.terminal.input.echo import echo
from gamedsl.play.terminal.saving.autosave import Autosave
from gamedsl.play.terminal.saving.save_file import SaveFile
from gamedsl.play.terminal.saving.start_play import Start, new, resumed
from gamedsl.play.terminal.screen.face import Face
from gamedsl.play.terminal.screen.plain_face import PlainFace
from gamedsl.play.terminal.session.seats import read_marks
from gamedsl.play.terminal.session.session import Session
from gamedsl.play.terminal.table.after_play import after_the_end
from gamedsl.play.terminal.table.resume_offer import offered
from gamedsl.play.terminal.table.table import Table
from gamedsl.play.terminal.table.table_questions import LeftTable
from gamedsl.play.terminal.texts.messages import progress

if TYPE_CHECKING:
    from gamedsl.engine import Game, State

INTERRUPTED = 130
_INTERRUPTIONS = ("SIGINT", "SIGTERM", "SIGHUP")


@lazy_dataclass(frozen=True)
class PlayConfig:
    """How a game is to be played at the terminal.

    ``resume`` continues a record: game, options, seats and seed come from it. ``no_save``: nothing is written unless a
    player types ``save``, and no unfinished game is offered. ``position`` gives the state at which a new game begins;
    ``notation`` is a declared notation for its moves; ``marks`` are the players' marks, by seat (``*,#``), if the
    ruleset lets them choose.
    """

    options: Mapping[str, str] = field(default_factory=dict)
    seats: str | None = None
    seed: int | None = None
    save: str | None = None
    resume: str | None = None
    no_save: bool = False
    plain: bool = False
    ascii: bool = False
    mouse: bool = False
    boards: bool = False
    notation: str | None = None
    marks: str | None = None
    position: Callable[[Game], State] | None = None


def run(game: str | None = None, config: PlayConfig | None = None, *, face: Face | None = None) -> int:
    """Plays a game at the terminal and returns the exit code: 0, or 130 if it was interrupted (then it is saved,
    unless this is switched off).

    ``game`` is a shipped name or a path. ``face`` replaces the terminal (for tests). Raises GameDSLError for mistakes
    in the arguments.
    """
    c = config or PlayConfig()
    keep = not c.no_save and c.save is None and c.resume is None
    if keep and game is not None and c.position is None:
        code = go_on(game, c, face=face)
        if code is not None:
            return code
    with _signals():
        if c.resume is None:
            start = new(game, c.options, c.seats, c.seed, c.save, keep, c.position)
        else:
            start = resumed(c.resume, game, c.options, c.seats, c.save)
        start.file.never = c.no_save
        table = _table(start, c, face)
        table.asks_marks = c.resume is None and c.marks is None
        if c.resume is not None:
            verb = "is over" if table.session.state.is_terminal else "continues"
            length = progress(table.plies_shown, bool(table.session.strokes))
            table.tell(*start.notes, f"the game {verb} after {length}")
        return _played(table, c.save is not None)


def go_on(game: str | None = None, config: PlayConfig | None = None, *, face: Face | None = None) -> int | None:
    """Offers an unfinished game (of one ruleset, or of any) and plays it. Returns the exit code, or None to begin a
    new game."""
    c = config or PlayConfig()
    has_people = face.has_people if face is not None else sys.stdin.isatty()
    with _signals():
        try:
            table = offered(game, c.options, c.seats, c.seed, lambda start: _table(start, c, face), has_people)
        except (KeyboardInterrupt, EOFError):
            return INTERRUPTED
        except LeftTable:
            return int(ExitCode.FINE)
        return None if table is None else _played(table, False)


def _table(start: Start, config: PlayConfig, face: Face | None) -> Table:
    if config.notation is not None:
        start.session.write_in(config.notation)
    shown = face or _face(start.session, config.plain, config.ascii, config.mouse)
    if config.marks is not None:
        start.session.choose_marks(read_marks(config.marks, start.session.game.players), shown.viewport.ascii)
    return Table(start.session, shown, start.file, config.boards, start.autosave)


def _played(table: Table, is_named: bool) -> int:
    """Plays until the end, or until somebody leaves, and then further games if wanted. Returns the exit code.
    ``is_named``: a file was given for the record."""
    while True:
        following: Table | None = None
        try:
            with echo(sys.stdin, False) if table.face.has_people and table.session.humans else nullcontext():
                code, following = _play(table, is_named)
        finally:
            if following is not table:
                table.close()
        if following is None:
            return code
        table, is_named = following, is_named and following is table


def _play(table: Table, is_named: bool) -> tuple[int, Table | None]:
    """Runs one game. Returns the exit code, and the table at which to continue."""
    is_over = False
    try:
        is_over = table.run() == "over"
        if is_named or (table.file.always and is_over):
            table.say_whole(*table.file.save(table.session))
        if is_over and table.face.has_people and table.session.humans:
            match after_the_end(table):
                case "undo":
                    return int(ExitCode.FINE), table
                case "rematch":
                    return int(ExitCode.FINE), _rematch(table)
    except (KeyboardInterrupt, EOFError):
        if is_over:  # there is nothing to continue
            return int(ExitCode.FINE), None
        _rescue(table)
        return INTERRUPTED, None
    except (GameDSLError, OSError):  # the rules fail, or the output is gone: the moves played are kept
        if table.session.humans:
            _rescue(table)
        raise
    return int(ExitCode.FINE), None


def _rematch(table: Table) -> Table:
    """A table for a rematch with the seats rotated; it is saved if this game was."""
    session = table.session.rematch(secrets.randbelow(10**9))
    sits = ", ".join(f"{session.player_name(i)} {seat.text}" for i, seat in enumerate(session.seats))
    following = Table(
        session, table.face, SaveFile(never=table.file.never), table.boards, Autosave() if table.autosave else None
    )
    following.tell(f"a new game: {sits}")
    return following


def _face(session: Session, plain: bool, ascii: bool, mouse: bool) -> Face:
    """The full screen if a person uses a terminal, else plain lines."""
    terminal = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    if plain or not terminal or not session.humans:
        return PlainFace(ascii)
    from gamedsl.play.terminal.screen.screen_face import ScreenFace  # start-up: prompt_toolkit takes a while

    return ScreenFace(ascii, mouse)


def _rescue(table: Table) -> None:
    """Saves an interrupted game and shows how to continue it. A second interruption waits until that is done."""
    names = [n for n in _INTERRUPTIONS if hasattr(signal, n)] if _is_main() else []
    before = {n: signal.signal(getattr(signal, n), signal.SIG_IGN) for n in names}
    try:
        if not table.session.is_empty:
            table.say_whole("", "interrupted", *_saved(table))
        else:
            table.say("", "interrupted before the first move")
    except OSError:  # the terminal itself is gone
        pass
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


def _saved(table: Table) -> list[str]:
    """Saves the game, unless the player declined: to the file in use, else to the folder of saved games, else to a new
    file. If nothing can be written, returns the whole record to print, unless that would reveal hidden information."""
    lines: list[str] = []
    if table.file.never and table.file.path is None:
        return ["the game is not saved; without `--no-save`, games are saved"]
    if table.file.path is None and table.autosave is not None:
        try:
            table.autosave.save(table.session)
            return table.kept_lines()
        except GameDSLError as mistake:
            lines += [d.message for d in mistake.diagnostics]
    for file in (table.file, SaveFile()):
        try:
            return [*lines, *file.save(table.session)]
        except GameDSLError as mistake:
            lines += [d.message for d in mistake.diagnostics]
        finally:
            file.close()
    if table.session.game.secrets.hides:
        return [*lines, "the game is lost: its record contains hidden information, so it cannot be shown here"]
    return [*lines, "copy this record to keep it:", *table.session.record_to_keep.text().splitlines()]


def _is_main() -> bool:
    import threading

    return threading.current_thread() is threading.main_thread()


@contextmanager
def _signals() -> Iterator[None]:
    """Treats a closed terminal and a termination request as interruptions, so that nothing is lost."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    names = [n for n in _INTERRUPTIONS[1:] if hasattr(signal, n)] if _is_main() else []
    before = {n: signal.signal(getattr(signal, n), interrupt) for n in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)
