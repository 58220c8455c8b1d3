"""``gamedsl play``: everything made ready, the play gone through, and nothing lost whatever ends it."""

from __future__ import annotations

import os
import secrets
import signal
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType

from gamedsl.engine.game import Game
from gamedsl.engine.records import Record
from gamedsl.source.diagnostic import ExitCode, GameDSLError, UsageError
from gamedsl.terminal.face import Face
from gamedsl.terminal.plain import PlainFace
from gamedsl.terminal.saving import SaveFile, resume_command
from gamedsl.terminal.seats import check_seats, make_seats
from gamedsl.terminal.session import Session
from gamedsl.terminal.table import Table

INTERRUPTED = 130
_INTERRUPTIONS = ("SIGINT", "SIGTERM", "SIGHUP")


def run(
    game: str | None = None,
    *,
    options: Mapping[str, str] | None = None,
    seats: str | None = None,
    seed: int | None = None,
    save: str | None = None,
    resume: str | None = None,
    plain: bool = False,
    ascii: bool = False,
    boards: bool = False,
    face: Face | None = None,
) -> int:
    """Plays a game at the terminal and gives the exit code: 0, or 130 when it was interrupted (then it is saved).

    ``game`` is a shipped name or a path. ``resume`` goes on with a record: game, options, seats and seed come from it.
    ``face`` replaces the terminal (for tests). GameDSLError for mistakes in any of these.
    """
    session = _resumed(resume, game, options or {}, seats) if resume else _new(game, options or {}, seats, seed)
    file = _file(save, resume)
    shown = face or _face(session, plain, ascii)
    table = Table(session, shown, file, boards)
    if resume:
        table.tell(f"the play goes on after {session.now.plies} plies")
    with _signals():
        try:
            ending = table.run()
            if save or (resume and ending == "over"):
                table.say_whole(*file.save(session))
        except (KeyboardInterrupt, EOFError):
            _rescue(table)
            return INTERRUPTED
        except (GameDSLError, OSError):  # the rules go wrong, or the output has gone: what people played is kept
            if session.humans:
                _rescue(table)
            raise
    return int(ExitCode.FINE)


def _new(name: str | None, options: Mapping[str, str], seats: str | None, seed: int | None) -> Session:
    from gamedsl.rules import load_program

    if name is None:
        raise UsageError("no game is named", help="write `gamedsl play GAME`; `gamedsl list` tells the shipped ones")
    game = Game(load_program(name, options))
    number = seed if seed is not None else secrets.randbelow(10**9)
    players = make_seats(seats, game.players)
    check_seats(players, game)
    return Session(game, name, players, number)


def _resumed(path: str, name: str | None, options: Mapping[str, str], seats: str | None) -> Session:
    from gamedsl.rules import load_program

    record = Record.read(path)
    if not record.game:
        raise UsageError(f"`{path}` is a list of moves, not the record of a play; it does not tell the game")
    if name is not None and name != record.game:
        raise UsageError(f"`{path}` is a play of `{record.game}`, not of `{name}`")
    for key, value in options.items():
        if record.options.get(key) != value:
            raise UsageError(f"the play in `{path}` has {key} = {record.options.get(key)}; it can't change now")
    game = Game(load_program(record.game, record.options))
    wanted = seats if seats is not None else ",".join(record.seats) or None
    number = record.seed if record.seed is not None else secrets.randbelow(10**9)
    players = make_seats(wanted, game.players)
    check_seats(players, game)
    return Session.resume(game, record, players, number)


def _file(save: str | None, resume: str | None) -> SaveFile:
    """Where to save: in the file named for it, else in the one that the play came from."""
    if save is not None and save != resume:
        if os.path.exists(save):
            raise UsageError(
                f"there is a file `{save}` already", help=f"to go on with it: {resume_command(save)}; else name another"
            )
        return SaveFile(save, own=False, always=True)
    return SaveFile(resume, own=resume is not None, always=resume is not None)


def _face(session: Session, plain: bool, ascii: bool) -> Face:
    """The screen where a person sits at a terminal, else plain lines."""
    terminal = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    if plain or not terminal or not session.humans:
        return PlainFace(ascii)
    from gamedsl.terminal.screen import ScreenFace

    return ScreenFace(ascii)


def _rescue(table: Table) -> None:
    """Saves an interrupted play and tells how to go on. A second interruption waits until that is done."""
    names = [n for n in _INTERRUPTIONS if hasattr(signal, n)] if _is_main() else []
    before = {n: signal.signal(getattr(signal, n), signal.SIG_IGN) for n in names}
    try:
        if table.session.now.plies:
            table.say_whole("", "interrupted", *_saved(table))
        else:
            table.say("", "interrupted; nothing had been played")
    except OSError:  # the terminal itself has gone
        pass
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)


def _saved(table: Table) -> list[str]:
    """Saves to the file in use; to another one, if that fails; if nothing can be written, tells the whole record."""
    lines: list[str] = []
    for file in (table.file, SaveFile()):
        try:
            return [*lines, *file.save(table.session)]
        except GameDSLError as mistake:
            lines += [d.message for d in mistake.diagnostics]
    return [*lines, "the record, to be kept by hand:", *table.session.kept.record.text().splitlines()]


def _is_main() -> bool:
    import threading

    return threading.current_thread() is threading.main_thread()


@contextmanager
def _signals() -> Iterator[None]:
    """A closed terminal and a request to end count as interruptions, so that they lose nothing either."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    names = [n for n in _INTERRUPTIONS[1:] if hasattr(signal, n)] if _is_main() else []
    before = {n: signal.signal(getattr(signal, n), interrupt) for n in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)
