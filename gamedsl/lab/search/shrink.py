"""Shrinks a game to a shorter one that demonstrates the same."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import TypeAlias

from gamedsl.engine import State
from gamedsl.lab.base import Clock, move_of, successors
from gamedsl.lab.search.recorded_play import Play, replayed
from gamedsl.language.source import GameDSLError

Shows: TypeAlias = Callable[[Play], bool]
MOST_TRIES = 400
SECONDS = 10.0
MOST_STATES = 600  # states expanded from one position of the game


def shrunk(
    play: Play, shows: Shows, clock: Clock | None = None, tries: int = MOST_TRIES, states: int | None = None
) -> Play:
    """Removes stretches of moves, longer ones first, while the rest still demonstrates it, then looks for shortcuts.

    ``shows`` judges a game by its end. ``states``: how many are expanded to look for shortcuts, whatever time that takes
    (None: as many as the time allows).
    """
    clock = clock or Clock()
    if states is None:
        clock = clock.within(min(SECONDS, clock.left / 2))  # the other half is for the next games to be shrunk
    best = play
    size = max(1, len(best.moves) // 2)
    while tries > 0 and not clock.is_over:
        shorter, used = _without(best, shows, size, tries, clock)
        tries -= used
        if len(shorter.tried) == len(best.tried):
            if size == 1:
                break
            size = max(1, size // 2)
        best = shorter
    return _short_cut(best, shows, clock, inf if states is None else states)


def _without(play: Play, shows: Shows, size: int, most: int, clock: Clock) -> tuple[Play, int]:
    """Returns the game without stretches of this many moves, from last to first, wherever it still demonstrates it,
    and the number of attempts.
    """
    tries, at = 0, len(play.tried) - size
    while at >= 0 and tries < most and not clock.is_over:
        tries += 1
        shorter = _shown(replayed(play.cut(at), play.tried[at + size :]), shows, at)
        if shorter is not None and len(shorter.tried) < len(play.tried):
            play = shorter
        at = min(at, len(play.tried)) - max(1, size // 2)
    return play, tries


def _shown(play: Play, shows: Shows, least: int) -> Play | None:
    """Returns the shortest prefix of at least this many moves that demonstrates it; None if there is none."""
    for length in range(least, len(play.moves) + 1):
        part = play.cut(length)
        if shows(part):
            return part
    return play if shows(play) else None


def _short_cut(play: Play, shows: Shows, clock: Clock, states: float) -> Play:
    """Searches for a quicker end from each position of the game, starting with the first, by this many states in all."""
    for length in range(len(play.moves)):
        if states <= 0:
            break
        found, seen = _near(play.cut(length), shows, len(play.tried) - length - 1, clock, min(MOST_STATES, states))
        states -= seen
        if found is not None:
            return found
    return play


def _near(begun: Play, shows: Shows, depth: int, clock: Clock, most: float) -> tuple[Play | None, int]:
    """Returns the shortest continuation of at most ``depth`` moves that demonstrates it (None if none is found), and the
    number of states that were found.

    Searches breadth first, through at most ``most`` states.
    """
    todo: list[Play] = [begun]
    seen: set[State] = {begun.end}
    for play in todo:
        if len(play.moves) - len(begun.moves) >= depth or clock.is_over:
            break
        for after in _further(play):
            if shows(after):
                return after, len(seen)
            if not after.is_over and after.end not in seen and len(seen) < most:
                seen.add(after.end)
                todo.append(after)
    return None, len(seen)


def _further(play: Play) -> list[Play]:
    """Returns the game extended by each successor."""
    try:
        found = successors(play.end)
        moves = [move_of(play.end, k) for k in range(len(found))]
    except GameDSLError:
        return []
    further = []
    for successor, move in zip(found, moves, strict=True):
        if successor.after is None:
            further.append(Play(play.states, play.moves, move, successor.error))
        else:
            further.append(Play([*play.states, successor.after], [*play.moves, move]))
    return further
