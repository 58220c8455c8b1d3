"""The offer to resume an unfinished game before a new one starts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime

from gamedsl.play.terminal.saving.kept_plays import KeptPlay, unfinished
from gamedsl.play.terminal.saving.save_file import resume_command
from gamedsl.play.terminal.saving.start_play import Start, unfinished_play
from gamedsl.play.terminal.table.table import Table
from gamedsl.play.terminal.table.table_questions import LeftTable, ask
from gamedsl.play.terminal.texts.messages import progress

ANSWERS = ("yes", "no", "delete")


def offered(
    game: str | None,
    options: Mapping[str, str],
    seats: str | None,
    seed: int | None,
    sit: Callable[[Start], Table],
    has_people: bool,
) -> Table | None:
    """The unfinished game that the person wants to resume; None to begin a new one. If nobody can be asked, a line on
    standard error shows how to continue it."""
    if not has_people:
        play = next(unfinished(game, options, seats, seed), None)
        if play is not None:
            sys.stderr.write(f"note: there is {_described(play)}; to continue it: {resume_command(str(play.path))}\n")
        return None
    found = unfinished_play(game, options, seats, seed)
    if found is None:
        return None
    start, play, more = found
    table = sit(start)
    try:
        if _wanted(table, play, more):
            table.tell(
                *start.notes, f"the game continues after {progress(table.plies_shown, bool(start.session.strokes))}"
            )
            return table
    except (LeftTable, EOFError, KeyboardInterrupt):
        table.close()
        raise
    table.close()
    return None


def _wanted(table: Table, play: KeptPlay, more: int) -> bool:
    others = f" ({more} more: `gamedsl replay`)" if more else ""
    table.say(f"There is {_described(play)}{others}.")
    about = (
        "`yes` continues it, `no` begins a new game (the old one stays in `gamedsl replay`), `delete` removes it first"
    )
    while True:
        match ask(table, "Continue it? [yes/no/delete] ", ANSWERS, about):
            case "yes":
                return True
            case "no":
                return False
            case "delete":
                with suppress(OSError):
                    play.path.unlink()
                return False
            case _:
                table.say(about)


def _described(play: KeptPlay) -> str:
    when = datetime.fromtimestamp(play.changed)
    return f"an unfinished game of {play.shown_game} from {when:%Y-%m-%d %H:%M} ({play.seats}, {play.length})"
