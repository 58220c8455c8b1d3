"""The saved games in the user's data folder: finding, listing and removing them."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import chain
from pathlib import Path

from gamedsl.language.source import GameDSLError, UsageError, lazy_dataclass, read_file
from gamedsl.play.terminal.saving.data_folder import data_folder
from gamedsl.play.terminal.saving.file_lock import is_locked, locks_folder
from gamedsl.play.terminal.session.unfinished_drawing import HEAD as STROKES
from gamedsl.play.terminal.texts.messages import progress

MOST_PLAYS = 200  # kept at least, whatever their age
DAYS = 90  # unfinished games are kept longer, but not longer than this
RESULT = "result: "  # the beginning of the comment that ends the record of a finished game
_DAY = 86_400
_LINE = re.compile(r"^(?P<text>.*\S) ~[0-9a-f]{6}$")


def plays_folder() -> Path:
    """The folder of kept games."""
    return data_folder() / "plays"


@lazy_dataclass(frozen=True)
class KeptPlay:
    """The facts in the file of a kept game, unchecked. ``result`` is empty until the end."""

    path: Path
    changed: float
    game: str
    options: Mapping[str, str]
    seats: str
    seed: str
    plies: int
    has_strokes: bool
    result: str

    @property
    def in_use(self) -> bool:
        """Whether it is being played now."""
        return is_locked(self.path)

    @property
    def length(self) -> str:
        """The progress of the game in words."""
        return progress(self.plies, self.has_strokes)

    @property
    def shown_game(self) -> str:
        """The game's title, with its options."""
        return self.title + (f" ({self.shown_options})" if self.options else "")

    @property
    def title(self) -> str:
        """The game's title."""
        return Path(self.game).stem

    @property
    def shown_options(self) -> str:
        """``rows=4, columns=4``; empty where there are none."""
        return ", ".join(f"{k}={v}" for k, v in self.options.items())


def kept_plays() -> Iterator[KeptPlay]:
    """All kept games with at least a ply or a stroke, the latest change first. Unreadable files are skipped."""
    for changed, path in _files(plays_folder()):
        with suppress(OSError, ValueError):
            play = _read(path, changed)
            if play.plies or play.has_strokes:
                yield play


def _files(folder: Path) -> list[tuple[float, Path]]:
    found = []
    with suppress(OSError):
        for entry in os.scandir(folder):
            if entry.name.endswith(".record") and entry.is_file(follow_symlinks=False):
                found.append((entry.stat().st_mtime, Path(entry.path)))
    return sorted(found, reverse=True)


def _read(path: Path, changed: float) -> KeptPlay:
    from gamedsl.engine import MOST_BYTES  # start-up: usually there is no game to read

    text = read_file(path, MOST_BYTES).decode("utf-8", "replace")
    lines = [found["text"] for line in text.splitlines() if (found := _LINE.match(line))]
    headers: dict[str, str] = {}
    for line in lines[1:6]:
        name, colon, value = line.partition(": ")
        if not colon or name not in ("game", "rules", "options", "seed", "seats"):
            break
        headers[name] = value
    last = next((line.removeprefix("# ") for line in reversed(lines) if not line.startswith("end ")), "")
    return KeptPlay(
        path,
        changed,
        headers.get("game", "?"),
        dict(pair.split("=", 1) for pair in headers.get("options", "").split(", ") if "=" in pair),
        headers.get("seats", ""),
        headers.get("seed", ""),
        sum(bool(re.match(r"[0-9]+\. ", line)) for line in lines),
        last.startswith(STROKES),
        last.removeprefix(RESULT) if last.startswith(RESULT) else "",
    )


def unfinished(game: str | None, options: Mapping[str, str], seats: str | None, seed: int | None) -> Iterator[KeptPlay]:
    """The unfinished games that match these arguments."""
    name = None if game is None else lasting_name(game)
    wanted_seats = None if seats is None else [s.strip() for s in seats.split(",")]
    for play in kept_plays():
        if play.result or (name is not None and play.game != name):
            continue
        sits = play.seats.split(", ")
        if wanted_seats is not None and sits not in (wanted_seats, wanted_seats * len(sits)):
            continue
        if seed is not None and play.seed != str(seed):
            continue
        if all(play.options.get(k) == v for k, v in options.items()) and not play.in_use:
            yield play


def lasting_name(game: str) -> str:
    """A game's name that means the same from every folder: a shipped name as it is, a path in full."""
    from gamedsl.language.rules import find_ruleset, shipped  # start-up: `gamedsl play` alone names no game

    try:
        path = find_ruleset(game)
    except GameDSLError:
        return game
    return game if shipped().get(game) == path else str(path.resolve())


def numbered_play(text: str) -> Path | None:
    """The file for a number in the list of ``gamedsl replay``; None for a string that is not a number, or names a
    file."""
    if not re.fullmatch(r"[0-9]{1,6}", text) or Path(text).exists():
        return None
    plays = list(kept_plays())
    if not 1 <= int(text) <= len(plays):
        raise UsageError(
            f"there is no game number {text}", help="`gamedsl replay` lists the saved games with their numbers"
        )
    return plays[int(text) - 1].path


def prune(folder: Path) -> None:
    """Removes old games: those beyond the newest 200 that are finished or have not been touched for 90 days."""
    now = time.time()
    for changed, path in _files(folder)[MOST_PLAYS:]:
        with suppress(OSError, ValueError):
            play = _read(path, changed)
            if (play.result or now - changed > DAYS * _DAY) and not play.in_use:
                path.unlink()
    for entry in chain(_entries(folder), _entries(locks_folder())):  # left by programs that were killed, or not in use
        with suppress(OSError):
            if entry.name.endswith((".new", ".lock")) and now - entry.stat().st_mtime > DAYS * _DAY:
                os.unlink(entry.path)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        return list(os.scandir(folder))
    except OSError:
        return []
