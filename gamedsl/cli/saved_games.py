"""Lists the saved games."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from gamedsl.cli.findings import say_findings
from gamedsl.cli.output import say, say_json
from gamedsl.cli.replay import replay
from gamedsl.cli.streams import ask
from gamedsl.language.source import ExitCode
from gamedsl.play.terminal import counted

if TYPE_CHECKING:
    from gamedsl.play.terminal import KeptPlay

LEAST_COLUMN = 18  # least width of a folded column
LEAST_INDENT = 6


def list_saved_games(form: str = "text") -> int:
    """Lists the saved games, newest first. On a terminal, one can be chosen by number."""
    from gamedsl.play.terminal import kept_plays, plays_folder

    plays = list(kept_plays())
    if form == "json":
        say_json({"folder": str(plays_folder()), "games": [_play_json(i, play) for i, play in enumerate(plays, 1)]})
        return int(ExitCode.FINE)
    if form != "text":
        say_findings(form, ())
        return int(ExitCode.FINE)
    if not plays:
        say(f"there are no saved games in {plays_folder()}; `gamedsl play GAME` saves games automatically")
        return int(ExitCode.FINE)
    for line in _play_lines(plays, shutil.get_terminal_size().columns):
        say(line)
    if not sys.stdin.isatty() or not sys.stdout.isatty():
        return int(ExitCode.FINE)
    chosen = ask("Number to show (Enter: none): ") or ""
    return replay(chosen) if chosen.isdecimal() else int(ExitCode.FINE)


def _play_json(number: int, play: KeptPlay) -> dict[str, Any]:
    return {
        "number": number,
        "path": str(play.path),
        "changed": datetime.fromtimestamp(play.changed).astimezone().isoformat(timespec="seconds"),
        "game": play.game,
        "options": dict(play.options),
        "seats": play.seats,
        "plies": play.plies,
        "result": play.result or None,
        "in_use": play.in_use,
    }


def _play_lines(plays: Sequence[KeptPlay], columns: int) -> Iterator[str]:
    """One line per saved game, in columns: number, time, game, length and end. Its seats and options follow below."""
    width = max(len(play.title) for play in plays)
    length = max(len(counted(play.plies)) for play in plays)
    for number, play in enumerate(plays, 1):
        head = f"{number:>4}  {datetime.fromtimestamp(play.changed):%Y-%m-%d %H:%M}  "
        first = f"{head}{play.title.ljust(width)}  {counted(play.plies).rjust(length)}  "
        end = play.result or ("being played" if play.in_use else "unfinished")
        if play.has_strokes:
            end += ", a drawing begun"
        yield from _in_column(end, first, columns)
        below = "; ".join(text for text in (play.seats, play.shown_options) if text)
        yield from _in_column(below, " " * len(head), columns)


def _in_column(text: str, first: str, columns: int) -> list[str]:
    """Wraps a text that continues a line. Later lines are aligned with its beginning, or start near the margin if that
    leaves too little room."""
    indent = len(first) if columns - len(first) >= LEAST_COLUMN else LEAST_INDENT
    if first.isspace():
        first = " " * indent
    return textwrap.wrap(first + text, columns, subsequent_indent=" " * indent)
